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


AT = datetime(2026, 3, 1, 9, tzinfo=UTC)
TURNS = [
    ("I love cola", "I hate cola"),
    ("我住在杭州", "我搬到了成都"),
    ("I have a dog 🐶", "I have a dog named Rex"),
    ("我养了一只狗", "我养了一只叫豆豆的狗"),
]


def tell(memory: PreferenceMemory, user_id: str, *said: str) -> None:
    for place, content in enumerate(said):
        message = {"role": "user", "content": content, "occurred_at": AT + timedelta(hours=place)}
        memory.add_messages(user_id, [message], dialog_id=f"d-{place}")
        memory.extract(user_id=user_id)


def everything(memory: PreferenceMemory, user_id: str) -> object:
    rows = memory.list_preferences(user_id, filter={"status": {"exists": True}}).items
    return [(row, memory.history(user_id, row.preference_id)) for row in rows]


@pytest.mark.parametrize("said", TURNS)
def test_reading_old_messages_again_leaves_current_rows_and_history_alone(
    memory: PreferenceMemory, user_id: str, said: tuple[str, str]
) -> None:
    tell(memory, user_id, *said)
    before = everything(memory, user_id)

    report = memory.extract(user_id=user_id, again=True)

    assert (report.messages, report.duplicate) == (2, 2)
    assert everything(memory, user_id) == before


def test_what_a_person_has_archived_comes_back_when_it_is_said_not_when_it_is_read_again(
    memory: PreferenceMemory, user_id: str
) -> None:
    tell(memory, user_id, "我喜欢划船 🚣")
    [row] = memory.list_preferences(user_id).items
    memory.archive(user_id, row.preference_id)

    memory.extract(user_id=user_id, again=True)
    after_reading = memory.get(user_id, row.preference_id).status
    tell(memory, user_id, "hello", "我喜欢划船 🚣")

    assert after_reading == "archived"
    assert memory.get(user_id, row.preference_id).status == "activated"


@pytest.mark.parametrize(
    ("fuller", "shorter"),
    [("I have a dog named Rex", "I have a dog"), ("我养了一只叫豆豆的狗", "我养了一只狗")],
)
def test_what_is_known_more_fully_is_a_repetition(
    memory: PreferenceMemory, user_id: str, fuller: str, shorter: str
) -> None:
    memory.remember(user_id, fuller)

    decision = memory.remember(user_id, shorter)

    assert (decision.action, decision.preference.statement) == ("duplicate", fuller)


@pytest.mark.parametrize(
    ("rejected", "again", "fields", "action"),
    [
        ("Loves opera", "loves OPERA!! 🎭", {}, "rejected"),
        ("喜欢看歌剧", "喜欢看歌剧。", {}, "rejected"),
        ("Prefers short answers", "Likes brief answers", {"kind": "implicit"}, "rejected"),
        ("我周末一般去爬山", "周末我通常会去登山", {"kind": "implicit"}, "rejected"),
        ("我周末一般去爬山", "周末我通常会去登山", {}, "added"),
        ("Likes coding in C", "Likes coding in C++", {}, "added"),
        ("Loves opera", "Hates opera", {"kind": "implicit"}, "review"),
        ("喜欢看歌剧", "喜欢听相声", {"kind": "implicit"}, "review"),
    ],
)
def test_what_was_rejected_does_not_come_back_in_another_dress(
    memory: PreferenceMemory, user_id: str, rejected: str, again: str, fields: dict[str, object], action: str
) -> None:
    guess = memory.remember(user_id, rejected, kind="implicit").preference
    memory.reject(user_id, guess.preference_id, actor="maria")

    assert memory.remember(user_id, again, **fields).action == action
