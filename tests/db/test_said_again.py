"""What waits or is archived becomes current by the user's own word, and ends what it contradicts."""

from datetime import UTC, datetime, timedelta

import pytest

from prefmem_pg.memory import PreferenceMemory

STATEMENTS = ["Prefers short answers 🙂", "回答喜欢简短一点 🙂"]
SEATS = [("I prefer window seats", "I prefer aisle seats"), ("我喜欢靠窗的座位", "我要靠过道的座位")]


def current(memory: PreferenceMemory, user_id: str) -> list[str | None]:
    return sorted(p.statement or "" for p in memory.list_preferences(user_id).items)


@pytest.mark.parametrize("statement", STATEMENTS)
def test_what_waits_as_a_guess_becomes_current_when_the_user_says_it(
    memory: PreferenceMemory, user_id: str, statement: str
) -> None:
    waiting = memory.remember(user_id, statement, kind="implicit").preference

    decision = memory.remember(user_id, statement)

    assert (decision.action, decision.reason) == ("duplicate", "the user said it")
    assert decision.preference.preference_id == waiting.preference_id
    assert (decision.preference.status, decision.preference.kind) == ("activated", "explicit")
    assert decision.preference.mention_count == 2
    assert decision.preference.confidence > 0.9
    last = memory.history(user_id, waiting.preference_id)[-1]
    assert (last.event, last.reason, last.version) == ("approve", "the user said it", 2)
    assert memory.review(user_id) == []
    assert [hit.preference.statement for hit in memory.search(user_id, statement)] == [statement]


@pytest.mark.parametrize("fields", [{"kind": "implicit"}, {"confidence": 0.3}])
def test_what_waits_goes_on_waiting_when_it_is_guessed_again(
    memory: PreferenceMemory, user_id: str, fields: dict[str, object]
) -> None:
    memory.remember(user_id, "May like opera", confidence=0.3)

    decision = memory.remember(user_id, "May like opera", **fields)

    assert (decision.action, decision.preference.status) == ("review", "resolving")


def test_a_guess_and_the_users_word_in_one_call_are_one_current_row(memory: PreferenceMemory, user_id: str) -> None:
    items = [{"statement": "Prefers tables", "kind": "implicit"}, {"statement": "prefers TABLES"}]

    guessed, said = memory.remember_many(user_id, items)

    assert (guessed.action, said.action) == ("review", "duplicate")
    assert current(memory, user_id) == ["Prefers tables"]
    assert [hit.explanation.semantic is not None for hit in memory.search(user_id, "tables")] == [True]


@pytest.mark.parametrize(("one", "other"), SEATS)
def test_a_guess_that_the_user_confirms_ends_what_it_contradicts(
    memory: PreferenceMemory, user_id: str, one: str, other: str
) -> None:
    old = memory.remember(user_id, one).preference
    memory.remember(user_id, other, kind="implicit")

    decision = memory.remember(user_id, other)

    assert decision.action == "superseded"
    assert [p.preference_id for p in decision.superseded] == [old.preference_id]
    assert current(memory, user_id) == [other]
    assert one in decision.preference.context


@pytest.mark.parametrize(("one", "other"), SEATS)
def test_an_archived_statement_that_is_said_again_ends_what_it_contradicts(
    memory: PreferenceMemory, user_id: str, one: str, other: str
) -> None:
    first = memory.remember(user_id, one).preference
    memory.archive(user_id, first.preference_id)
    memory.remember(user_id, other)

    decision = memory.remember(user_id, one)

    assert (decision.action, decision.preference.preference_id) == ("superseded", first.preference_id)
    assert current(memory, user_id) == [one]


def test_a_guess_does_not_bring_back_what_is_archived_against_what_stands(
    memory: PreferenceMemory, user_id: str
) -> None:
    first = memory.remember(user_id, "I prefer window seats").preference
    memory.archive(user_id, first.preference_id)
    memory.remember(user_id, "I prefer aisle seats")

    decision = memory.remember(user_id, "I prefer window seats", kind="implicit")

    assert (decision.action, decision.preference.status) == ("review", "resolving")
    assert current(memory, user_id) == ["I prefer aisle seats"]


def test_undoing_a_confirmation_takes_back_all_that_it_did(memory: PreferenceMemory, user_id: str) -> None:
    memory.remember(user_id, "I prefer window seats")
    waiting = memory.remember(user_id, "I prefer aisle seats", kind="implicit").preference
    memory.remember(user_id, "I prefer aisle seats")

    memory.undo(user_id, memory.history(user_id, waiting.preference_id)[-1].version_id)

    assert current(memory, user_id) == ["I prefer window seats"]
    [again] = memory.review(user_id)
    assert (again.preference_id, again.kind) == (waiting.preference_id, "implicit")


def test_what_has_expired_and_is_said_again_does_not_end_at_once(memory: PreferenceMemory, user_id: str) -> None:
    now = datetime.now(UTC)
    memory.remember(user_id, "我这周不喝咖啡", expires_at=now + timedelta(milliseconds=1))
    memory.retire(user_id=user_id, now=now + timedelta(days=1))

    decision = memory.remember(user_id, "我这周不喝咖啡")

    assert (decision.preference.status, decision.preference.expires_at) == ("activated", None)
