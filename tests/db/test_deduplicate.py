"""Deciding pairs of stored preferences anew: one stays, with all evidence, and nothing is lost."""

import uuid

import pytest

from prefmem_pg.domain.preferences import EvidenceSpan, Preference, Verdict
from prefmem_pg.errors import ProviderUnavailable
from prefmem_pg.memory import PreferenceMemory
from tests.conftest import also_with

SAME = [
    ("I'm a vegetarian", "I don't eat meat"),
    ("我吃素", "我不吃肉"),
    ("我喜欢喝绿茶", "I love green tea"),
]


def store(memory: PreferenceMemory, user_id: str, *statements: str, **fields: object) -> list[Preference]:
    """Store statements side by side, each with a message of its own as evidence, a day apart."""
    stored = []
    for day, statement in enumerate(statements, start=1):
        at = f"2026-05-{day:02}T10:00:00Z"
        [message] = memory.add_messages(user_id, [{"role": "user", "content": statement, "occurred_at": at}])
        item = {"statement": statement, "valid_from": at, **fields}
        preference = memory.remember_many(user_id, [item], deduplicate=False)[0].preference
        assert preference is not None
        span = EvidenceSpan(message_id=message.message_id, start=0, end=len(statement), quote=statement)
        with memory.database.transaction(user_id=user_id) as repositories:
            repositories.history.add_evidence(user_id, [(preference.preference_id, span)], run_id=None)
        stored.append(preference)
    return stored


def everything(memory: PreferenceMemory, user_id: str) -> list[Preference]:
    return list(memory.list_preferences(user_id, filter={"status": {"ne": "deleted"}}, page_size=100).items)


@pytest.mark.parametrize(("first", "second"), SAME)
def test_what_says_the_same_becomes_one_with_the_evidence_of_both(
    memory: PreferenceMemory, user_id: str, first: str, second: str
) -> None:
    store(memory, user_id, first, second)

    report = memory.deduplicate(user_id=user_id)

    assert (report.users, report.compared, report.merged) == (1, 1, 1)
    [winner] = memory.list_preferences(user_id).items
    [loser] = [p for p in everything(memory, user_id) if p.status == "superseded"]
    assert loser.superseded_by == winner.preference_id
    assert {e.quote for e in memory.evidence(user_id, winner.preference_id)} == {first, second}
    assert winner.mention_count == 2
    assert winner.valid_from < loser.valid_from or winner.valid_from == loser.valid_from
    assert [memory.history(user_id, p.preference_id)[-1].event for p in (winner, loser)] == ["merge", "merge"]
    assert [hit.preference for hit in memory.search(user_id, first)] == [winner]


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        ("I prefer window seats on long flights", "I prefer aisle seats on long flights"),
        ("我喜欢靠窗的座位", "我喜欢靠过道的座位"),
    ],
)
def test_of_two_that_contradict_each_other_the_later_counts_and_tells_the_journey(
    memory: PreferenceMemory, user_id: str, earlier: str, later: str
) -> None:
    old, new = store(memory, user_id, earlier, later)

    assert memory.deduplicate(user_id=user_id).superseded == 1

    ended, stays = memory.get(user_id, old.preference_id), memory.get(user_id, new.preference_id)
    assert (ended.status, ended.superseded_by, ended.valid_to) == ("superseded", new.preference_id, new.valid_from)
    assert stays.status == "activated"
    assert earlier in stays.context
    assert len(memory.evidence(user_id, new.preference_id)) == 1


def test_near_duplicates_of_a_whole_cluster_become_one(memory: PreferenceMemory, user_id: str) -> None:
    store(memory, user_id, "I'm a vegetarian", "I don't eat meat", "我不吃肉", "我吃素", "I play chess every Sunday")

    memory.deduplicate(user_id=user_id)

    kept = memory.list_preferences(user_id).items
    assert len(kept) == 2
    food = next(p for p in kept if p.statement != "I play chess every Sunday")
    assert len(memory.evidence(user_id, food.preference_id)) == 4


def test_b10_a_second_run_changes_nothing_and_compares_nothing(memory: PreferenceMemory, user_id: str) -> None:
    store(memory, user_id, *SAME[0], *SAME[2])
    memory.deduplicate(user_id=user_id)
    before = everything(memory, user_id)

    again = [memory.deduplicate(user_id=user_id), memory.deduplicate()]

    assert [(r.compared, r.merged, r.superseded) for r in again] == [(0, 0, 0), (0, 0, 0)]
    assert everything(memory, user_id) == before


def test_a_merge_is_undone_for_both_rows_and_their_evidence(memory: PreferenceMemory, user_id: str) -> None:
    before = store(memory, user_id, *SAME[1])
    memory.deduplicate(user_id=user_id)
    [loser] = [p for p in everything(memory, user_id) if p.status == "superseded"]

    memory.undo(user_id, memory.history(user_id, loser.preference_id)[-1].version_id)

    for row in before:
        back = memory.get(user_id, row.preference_id)
        assert (back.status, back.mention_count, back.valid_from) == ("activated", 1, row.valid_from)
        assert [e.quote for e in memory.evidence(user_id, row.preference_id)] == [row.statement]


def test_what_is_pinned_never_ends(memory: PreferenceMemory, user_id: str) -> None:
    seat, other_seat = store(
        memory, user_id, "I prefer window seats on long flights", "I prefer aisle seats on long flights"
    )
    memory.pin(user_id, seat.preference_id)

    memory.deduplicate(user_id=user_id)

    assert {p.preference_id for p in memory.list_preferences(user_id).items} == {
        seat.preference_id,
        other_seat.preference_id,
    }


def test_an_allergy_is_not_merged_away_by_a_taste(memory: PreferenceMemory, user_id: str) -> None:
    store(memory, user_id, "I'm allergic to peanuts", "I love peanuts")

    memory.deduplicate(user_id=user_id)

    assert [p.status for p in everything(memory, user_id) if p.is_safety] == ["activated"]


class CountingJudge:
    name, version = "counting", "1"

    def __init__(self) -> None:
        self.asked = 0

    def compare(self, comparisons: list[object]) -> list[Verdict]:
        self.asked += len(comparisons)
        return [Verdict(relation="different", reason="not the same") for _ in comparisons]


def test_b10_a_model_is_asked_in_the_grey_zone_and_not_again(memory: PreferenceMemory, user_id: str) -> None:
    judge = CountingJudge()
    memory = also_with(memory, judge=judge)
    store(memory, user_id, "我喜欢喝绿茶", "我喜欢喝龙井绿茶")

    memory.deduplicate(user_id=user_id)
    asked = judge.asked
    memory.deduplicate(user_id=user_id)

    assert asked > 0
    assert judge.asked == asked
    assert len(memory.list_preferences(user_id).items) == 2


def test_a_judge_that_fails_is_reported_and_tried_again(memory: PreferenceMemory, user_id: str) -> None:
    class Down(CountingJudge):
        def compare(self, comparisons: list[object]) -> list[Verdict]:
            raise ProviderUnavailable("no answer")

    store(memory, user_id, "我喜欢喝绿茶", "我喜欢喝龙井绿茶")
    failed = also_with(memory, judge=Down()).deduplicate()

    assert (failed.failed, failed.errors) == (1, {user_id: "ProviderUnavailable: no answer"})
    assert also_with(memory, judge=CountingJudge()).deduplicate().compared == 1


def test_a_person_who_edits_meanwhile_wins(shared_memory: PreferenceMemory) -> None:
    user_id = f"u-{uuid.uuid4().hex[:10]}"
    first, second = store(shared_memory, user_id, "我喜欢喝绿茶", "我喜欢喝龙井绿茶")

    class Edits(CountingJudge):
        def compare(self, comparisons: list[object]) -> list[Verdict]:
            shared_memory.update(user_id, first.preference_id, statement="我只喝白开水", actor="ana")
            return [Verdict(relation="same", reason="the same") for _ in comparisons]

    slow = also_with(shared_memory, judge=Edits())
    report = slow.deduplicate(user_id=user_id)

    assert (report.merged, report.skipped) == (0, 1)
    assert shared_memory.get(user_id, first.preference_id).statement == "我只喝白开水"
    assert shared_memory.get(user_id, second.preference_id) == second


@pytest.mark.parametrize("further", [[], ["I never eat meat"]])
def test_what_a_person_has_taken_apart_stays_apart_also_by_way_of_a_third(
    memory: PreferenceMemory, user_id: str, further: list[str]
) -> None:
    pair = ["I'm a vegetarian", "I don't eat meat"]
    memory.remember_many(user_id, [{"statement": text} for text in pair], deduplicate=False)
    memory.deduplicate(user_id=user_id)
    [merged] = memory.list_preferences(user_id, filter={"status": "superseded"}).items
    memory.undo(user_id, memory.history(user_id, merged.preference_id)[-1].version_id)
    memory.remember_many(user_id, [{"statement": text} for text in further], deduplicate=False)

    memory.deduplicate(user_id=user_id)

    rows = {p.preference_id: p for p in memory.list_preferences(user_id, filter={"status": {"exists": True}}).items}
    links = {(p.statement, rows[p.superseded_by].statement) for p in rows.values() if p.superseded_by}
    assert links.isdisjoint({tuple(pair), tuple(reversed(pair))})
    assert len([p for p in rows.values() if p.status == "activated"]) == 2
