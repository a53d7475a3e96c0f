"""What the store does with a candidate, whoever else is writing."""

import uuid
from collections.abc import Sequence

import pytest

from prefmem_pg.domain.preferences import Verdict
from prefmem_pg.errors import InvalidAnswer, InvalidInput, NotFound, ProviderUnavailable
from prefmem_pg.memory import PreferenceMemory
from prefmem_pg.providers.local_embedder import LocalEmbedder
from prefmem_pg.providers.protocols import Comparison
from prefmem_pg.settings import Settings
from prefmem_pg.testing import ScriptedJudge
from tests.conftest import RolledBackDatabase, count


def test_b02_the_same_statement_again_leaves_one_row_with_unchanged_text(
    memory: PreferenceMemory, user_id: str
) -> None:
    first = memory.remember(user_id, "The user likes tea")

    second = memory.remember(user_id, "the user  LIKES tea")

    assert (first.action, second.action) == ("added", "duplicate")
    assert second.preference.statement == "The user likes tea"
    assert second.preference.mention_count == 2
    assert second.preference.confidence > first.preference.confidence
    assert second.preference.version == 1


def test_b62_composed_and_decomposed_letters_are_the_same_statement(memory: PreferenceMemory, user_id: str) -> None:
    memory.remember(user_id, "I love the caf\u00e9 near work")

    assert memory.remember(user_id, "I love the cafe\u0301 near work").action == "duplicate"


def test_opposite_polarity_is_never_a_duplicate(memory: PreferenceMemory, user_id: str) -> None:
    memory.remember(user_id, "我喜欢吃香菜")

    decision = memory.remember(user_id, "我不喜欢吃香菜")

    assert decision.action == "superseded"
    assert decision.preference.polarity == "negative"
    [old] = decision.superseded
    assert (old.status, old.valid_to) == ("superseded", decision.preference.valid_from)


def test_statements_of_one_call_meet_each_other(memory: PreferenceMemory, user_id: str) -> None:
    decisions = memory.remember_many(
        user_id, [{"statement": s} for s in ("I love cola", "我爱喝茶", "I hate cola", "i LOVE cola")]
    )

    assert [d.action for d in decisions] == ["added", "added", "superseded", "superseded"]
    current = {p.statement for p in memory.list_preferences(user_id).items}
    assert current == {"我爱喝茶", "i LOVE cola"}


def test_without_deduplication_only_the_very_same_statement_is_a_duplicate(
    memory: PreferenceMemory, user_id: str
) -> None:
    items = [{"statement": s} for s in ("I like tea", "I really like tea", "I like tea")]

    decisions = memory.remember_many(user_id, items, deduplicate=False)

    assert [d.action for d in decisions] == ["added", "added", "duplicate"]


def test_implicit_and_unsure_candidates_wait_for_a_person(memory: PreferenceMemory, user_id: str) -> None:
    decisions = memory.remember_many(
        user_id,
        [
            {"statement": "Prefers short answers", "kind": "implicit"},
            {"statement": "May like opera", "confidence": 0.3},
        ],
    )

    assert [(d.action, d.preference.status) for d in decisions] == [("review", "resolving")] * 2
    assert memory.list_preferences(user_id).total == 0


def test_every_change_is_a_version_with_the_state_before_and_after(memory: PreferenceMemory, user_id: str) -> None:
    first = memory.remember(user_id, "I prefer window seats").preference
    memory.remember(user_id, "I prefer aisle seats")

    added, superseded = memory.history(user_id, first.preference_id)

    assert (added.event, added.state_before, added.state_after["status"]) == ("add", None, "activated")
    assert (superseded.event, superseded.state_before["status"]) == ("supersede", "activated")
    assert superseded.state_after["status"] == "superseded"
    assert superseded.details["compared"][0]["relation"] == "changed"


def test_a_model_decides_what_the_rules_are_unsure_of_and_is_asked_once(
    rolled_back: RolledBackDatabase, embedder: LocalEmbedder, user_id: str
) -> None:
    judge = ScriptedJudge(lambda c: Verdict(relation="same", reason="the model says so"))
    memory = PreferenceMemory(rolled_back, embedder=embedder, judge=judge)
    memory.remember(user_id, "I like the zorbel drink at the Quux bar")

    decision = memory.remember(user_id, "I like the zorbel drinks of the Quux place")

    assert decision.action == "duplicate"
    assert len(judge.asked) == 1


@pytest.mark.parametrize(("mode", "asked"), [("fast", 1), ("fine", 3)])
def test_the_mode_says_of_how_many_the_model_is_asked(
    rolled_back: RolledBackDatabase, embedder: LocalEmbedder, user_id: str, mode: str, asked: int
) -> None:
    judge = ScriptedJudge(lambda c: Verdict(relation="different", reason="told apart"))
    memory = PreferenceMemory(rolled_back, embedder=embedder, judge=judge, settings=Settings(dedup_mode=mode))
    for place in ("bar", "inn", "pub"):
        memory.remember_many(
            user_id, [{"statement": f"I like the zorbel drink at the Quux {place}"}], deduplicate=False
        )

    decision = memory.remember(user_id, "I like the zorbel drinks of the Quux place")

    assert decision.action == "added"
    assert len(judge.asked) == asked


def test_when_the_judge_fails_the_candidate_waits_and_nothing_is_overwritten(
    rolled_back: RolledBackDatabase, embedder: LocalEmbedder, user_id: str
) -> None:
    def fail(comparison: Comparison) -> Verdict:
        raise ProviderUnavailable("overloaded")

    memory = PreferenceMemory(rolled_back, embedder=embedder, judge=ScriptedJudge(fail))
    memory.remember(user_id, "I like blorptium in the evening")
    decision = memory.remember(user_id, "I like blorptium during the snarf")

    assert [p.statement for p in memory.list_preferences(user_id).items] == ["I like blorptium in the evening"]
    assert (decision.action, decision.preference) == ("review", None)
    assert "overloaded" in decision.reason
    waiting = "SELECT count(*) FROM prefmem.candidates WHERE user_id = :u AND state = 'waiting'"
    assert count(rolled_back, waiting, u=user_id) == 1


class WrongJudge:
    """A judge of the caller's own that does not keep to its seam."""

    name = "wrong"
    version = "1"

    def __init__(self, answers: object) -> None:
        self.answers = answers

    def compare(self, comparisons: Sequence[Comparison]) -> Sequence[Verdict]:
        if isinstance(self.answers, Exception):
            raise self.answers
        return self.answers  # type: ignore[return-value]


@pytest.mark.parametrize(
    "answers",
    [
        RuntimeError("broke"),
        [],
        [None],
        None,
        [Verdict(relation="equal", reason="no such word")],  # type: ignore[arg-type]
    ],
)
def test_whatever_a_judge_does_wrong_the_candidate_waits(
    rolled_back: RolledBackDatabase, embedder: LocalEmbedder, user_id: str, answers: object
) -> None:
    memory = PreferenceMemory(rolled_back, embedder=embedder, judge=WrongJudge(answers))
    memory.remember(user_id, "I like blorptium in the evening")

    decision = memory.remember(user_id, "I like blorptium during the snarf")

    assert (decision.action, decision.preference) == ("review", None)
    assert [p.statement for p in memory.list_preferences(user_id).items] == ["I like blorptium in the evening"]


def test_what_waits_is_decided_by_the_next_run_and_parked_when_it_never_can(
    rolled_back: RolledBackDatabase, embedder: LocalEmbedder, user_id: str
) -> None:
    failures: list[Exception] = [ProviderUnavailable("overloaded")] * 2

    def answer(comparison: Comparison) -> Verdict:
        if failures:
            raise failures.pop()
        return Verdict(relation="different", reason="another thing")

    memory = PreferenceMemory(rolled_back, embedder=embedder, judge=ScriptedJudge(answer))
    memory.remember_many(user_id, [{"statement": "I like blorptium in the evening"}])
    memory.remember(user_id, "I like blorptium during the snarf")

    reports = [memory.extract(user_id=user_id) for _ in range(3)]

    assert [(r.waiting, r.added) for r in reports] == [(1, 0), (0, 1), (0, 0)]
    assert memory.list_preferences(user_id).total == 2
    assert count(rolled_back, "SELECT count(*) FROM prefmem.candidates WHERE user_id = :u", u=user_id) == 0

    failures.extend([InvalidAnswer("no verdict")] * 9)  # its own fault; an outage would go on waiting
    memory.remember(user_id, "I like blorptium beyond the snarf")
    reports = [memory.extract(user_id=user_id) for _ in range(5)]

    assert [(r.waiting, r.parked) for r in reports] == [(1, 0), (1, 0), (1, 0), (0, 1), (0, 0)]


def test_a_sensitive_statement_is_marked_and_an_allergy_is_a_matter_of_safety(
    memory: PreferenceMemory, user_id: str
) -> None:
    decisions = memory.remember_many(
        user_id, [{"statement": "I have diabetes"}, {"statement": "我对花生过敏"}, {"statement": "I like tea"}]
    )

    marks = [(d.preference.sensitivity, d.preference.is_safety) for d in decisions]
    assert marks == [("health", False), ("health", True), ("none", False)]


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"statement": ""}, "statement is empty"),
        ({"statement": "   "}, "statement is empty"),
        ({"statement": 7}, "statement must be a string"),
        ({"statement": "x" * 100_000}, "at most 4000"),
        ({"statement": "x", "kind": "opinion"}, "kind is 'opinion'"),
        ({"statement": "x", "confidence": 2}, "confidence must be a number from 0 to 1"),
        ({"statement": "x", "confidence": float("nan")}, "confidence must be a number from 0 to 1"),
        ({"statement": "x", "tags": "food"}, "tags must be a list"),
        ({"statement": "x", "valid_from": "2026-05-01T10:00:00"}, "zone"),
        ({"statement": "x", "colour": "red"}, "unknown field 'colour'"),
        ({"statement": "x", "user_id": "u-2"}, "unknown field 'user_id'"),
    ],
)
def test_a_wrong_item_is_refused_whole_with_its_place_and_reason(
    memory: PreferenceMemory, user_id: str, fields: dict[str, object], reason: str
) -> None:
    with pytest.raises(InvalidInput, match="item 1") as caught:
        memory.remember_many(user_id, [{"statement": "I like tea"}, fields])

    assert reason in str(caught.value)
    assert memory.list_preferences(user_id).total == 0


def test_a_statement_of_one_emoji_is_kept(memory: PreferenceMemory, user_id: str) -> None:
    memory.remember(user_id, "🍕")

    assert [hit.preference.statement for hit in memory.search(user_id, "🍕")] == ["🍕"]
    assert memory.search(user_id, "🍕")[0].score == 1.0


def test_b82_another_users_preference_does_not_exist_for_this_one(memory: PreferenceMemory, user_id: str) -> None:
    theirs = memory.remember(user_id, "I like tea").preference

    for call in (memory.get, memory.history, memory.evidence):
        with pytest.raises(NotFound):
            call("somebody-else", theirs.preference_id)
    with pytest.raises(NotFound):
        memory.get(user_id, uuid.uuid4())
    with pytest.raises(InvalidInput):
        memory.get(user_id, "not-an-id")


def test_b102_a_statement_without_vector_is_found_by_word_and_embedded_later(
    rolled_back: RolledBackDatabase, embedder: LocalEmbedder, user_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory = PreferenceMemory(rolled_back, embedder=embedder)
    memory.stats()

    def fail(texts: object) -> object:
        raise ProviderUnavailable("down")

    with monkeypatch.context() as patched:
        patched.setattr(LocalEmbedder, "embed_documents", lambda self, texts: fail(texts))
        memory.remember(user_id, "I like Ceylon tea")
        memory.remember(user_id, "我喜欢爬山")

    by_word = memory.search(user_id, "爬山", learn=False)
    everything = memory.search(user_id, "unrelated question", learn=False)
    report = memory.embed_missing(user_id=user_id)

    assert by_word[0].preference.statement == "我喜欢爬山"
    assert len(everything) == 2
    assert report.preferences == 2
    assert all(h.explanation.semantic is not None for h in memory.search(user_id, "tea", learn=False))
