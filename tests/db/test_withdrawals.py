"""What is taken back in a conversation is archived, and counts for nothing."""

import pytest

from prefmem_pg.domain.preferences import Preference, Verdict
from prefmem_pg.errors import ProviderUnavailable
from prefmem_pg.memory import PreferenceMemory
from tests.conftest import also_with


def talk(memory: PreferenceMemory, user_id: str, *said: str, dialog_id: str = "d-1") -> None:
    memory.add_messages(user_id, [{"role": "user", "content": text} for text in said], dialog_id=dialog_id)
    memory.extract(user_id=user_id)


def by_statement(memory: PreferenceMemory, user_id: str) -> dict[str | None, Preference]:
    everything = memory.list_preferences(user_id, filter={"status": {"ne": "deleted"}}, page_size=100).items
    return {p.statement: p for p in everything}


@pytest.mark.parametrize("together", [True, False])
@pytest.mark.parametrize(
    ("first", "second", "other", "withdrawal", "now"),
    [
        (
            "I love mangoes",
            "I like strawberries",
            "I play chess every Sunday",
            "I don't like fruit any more, drop what I said before.",
            "I don't like fruit any more",
        ),
        ("我爱吃芒果", "我喜欢吃草莓", "我喜欢下象棋", "我不喜欢水果了，之前说的都不算。", "我不喜欢水果了"),
        ("我喜欢苹果", "我爱吃草莓", "我喜欢下象棋", "我现在不喜欢水果了，之前说的都别记了", "我现在不喜欢水果了"),
    ],
)
def test_b54_what_was_said_of_a_subject_ends_and_the_rest_stays(
    memory: PreferenceMemory,
    user_id: str,
    together: bool,
    first: str,
    second: str,
    other: str,
    withdrawal: str,
    now: str,
) -> None:
    if together:
        talk(memory, user_id, first, second, other, withdrawal)
    else:
        talk(memory, user_id, first, second, other)
        talk(memory, user_id, withdrawal, dialog_id="d-2")

    rows = by_statement(memory, user_id)
    # Where "no fruit" contradicts a kind of fruit, that row is superseded already; either way it has ended.
    assert {s for s, p in rows.items() if p.status == "activated"} == {other, now}
    assert {rows[first].status, rows[second].status} <= {"archived", "superseded"}


@pytest.mark.parametrize(
    ("statement", "withdrawal"),
    [
        ("I practise yoga every morning", "Please forget everything I told you about yoga"),
        ("我每天早上练瑜伽", "忘掉我之前说过的关于瑜伽的一切"),
    ],
)
def test_a_subject_that_is_to_be_forgotten_is_archived_with_the_reason(
    memory: PreferenceMemory, user_id: str, statement: str, withdrawal: str
) -> None:
    memory.remember(user_id, statement, valid_from="2026-01-01T00:00:00Z")
    talk(memory, user_id, withdrawal)

    row = by_statement(memory, user_id)[statement]
    last = memory.history(user_id, row.preference_id)[-1]
    assert (row.status, last.event) == ("archived", "archive")
    assert "taken back by the user" in last.reason


@pytest.mark.parametrize("together", [True, False])
@pytest.mark.parametrize(
    ("statement", "withdrawal"),
    [("I love durian", "That was my sister, not me"), ("我爱吃榴莲", "那是我妹妹，不是我"), ("我爱吃榴莲", "别记这个")],
)
def test_b54_what_was_said_last_is_retracted_and_not_strengthened(
    memory: PreferenceMemory, user_id: str, together: bool, statement: str, withdrawal: str
) -> None:
    talk(memory, user_id, "I play chess every Sunday")
    if together:
        talk(memory, user_id, statement, "😀", withdrawal, dialog_id="d-2")
    else:
        talk(memory, user_id, statement, dialog_id="d-2")
        talk(memory, user_id, withdrawal, dialog_id="d-2")

    rows = by_statement(memory, user_id)
    assert rows[statement].status == "archived"
    assert rows[statement].mention_count == 1
    assert rows["I play chess every Sunday"].status == "activated"
    assert len(rows) == 2


def test_a_repetition_that_is_taken_back_at_once_is_not_counted(memory: PreferenceMemory, user_id: str) -> None:
    talk(memory, user_id, "I love durian")

    talk(memory, user_id, "I love durian", "that was my brother, not me", dialog_id="d-2")

    row = by_statement(memory, user_id)["I love durian"]
    assert (row.status, row.mention_count) == ("archived", 1)
    assert len(memory.evidence(user_id, row.preference_id)) == 1


def test_an_allergy_is_not_taken_back_with_its_subject(memory: PreferenceMemory, user_id: str) -> None:
    talk(memory, user_id, "I'm allergic to mango", "I love mangoes in summer")
    talk(memory, user_id, "Please forget everything I said about mango", dialog_id="d-2")

    rows = by_statement(memory, user_id)
    assert rows["I'm allergic to mango"].status == "activated"


def test_what_is_said_after_it_stays(memory: PreferenceMemory, user_id: str) -> None:
    talk(memory, user_id, "I love durian", "Forget that.", "I love mangoes")

    assert {s: p.status for s, p in by_statement(memory, user_id).items()} == {
        "I love durian": "archived",
        "I love mangoes": "activated",
    }


def test_what_is_taken_back_does_not_come_back_when_the_judge_fails(memory: PreferenceMemory, user_id: str) -> None:
    class Down:
        name, version = "down", "1"

        def compare(self, comparisons: object) -> list[Verdict]:
            raise ProviderUnavailable("no answer")

    talk(memory, user_id, "我喜欢喝绿茶")
    talk(also_with(memory, judge=Down()), user_id, "我喜欢喝龙井绿茶", "别记这个", dialog_id="d-2")

    with memory.database.transaction(user_id=user_id) as repositories:
        assert repositories.runs.list_waiting(user_id=user_id, limit=5) == []


def test_reading_a_withdrawal_twice_changes_nothing(memory: PreferenceMemory, user_id: str) -> None:
    talk(memory, user_id, "I love durian", "Forget that.")
    before = by_statement(memory, user_id)

    report = memory.extract(user_id=user_id)

    assert report.withdrawals == 0
    assert by_statement(memory, user_id) == before


@pytest.mark.parametrize("together", [True, False])
@pytest.mark.parametrize(
    ("before", "after", "withdrawal"),
    [
        ("I prefer window seats on long flights", "I prefer aisle seats on long flights", "That was my wife, not me."),
        ("我喜欢靠窗的座位", "我喜欢靠过道的座位", "那是我老婆，不是我。"),
    ],
)
def test_what_it_had_replaced_counts_again(
    memory: PreferenceMemory, user_id: str, together: bool, before: str, after: str, withdrawal: str
) -> None:
    if together:
        talk(memory, user_id, before, after, withdrawal)
    else:
        for said in (before, after, withdrawal):
            talk(memory, user_id, said)

    rows = by_statement(memory, user_id)
    assert (rows[before].status, rows[before].superseded_by, rows[before].valid_to) == ("activated", None, None)
    assert rows[after].status == "archived"
    events = [v.event for v in memory.history(user_id, rows[before].preference_id)]
    assert events == ["add", "supersede", "restore"]
    assert memory.search(user_id, before)[0].preference == rows[before]


@pytest.mark.parametrize(
    ("statement", "withdrawal"),
    [("I love black coffee", "Forget that I like coffee."), ("我喜欢喝咖啡", "把我喜欢咖啡这件事忘了吧 🙏")],
)
def test_a_statement_named_in_the_command_is_taken_back_and_the_command_is_no_preference(
    memory: PreferenceMemory, user_id: str, statement: str, withdrawal: str
) -> None:
    talk(memory, user_id, statement, "I play chess every Sunday")

    talk(memory, user_id, withdrawal, dialog_id="d-2")

    rows = by_statement(memory, user_id)
    assert {s: p.status for s, p in rows.items() if s} == {
        statement: "archived",
        "I play chess every Sunday": "activated",
    }
