"""Choices that show the same thing twice become implicit candidates; one never does."""

from datetime import UTC, datetime, timedelta
from uuid import UUID

from prefmem_pg.db.upkeep import Answer, Said
from prefmem_pg.steps.choice_habits import find_choice_habits

AT = datetime(2026, 5, 1, tzinfo=UTC)
QUIET_SECOND = "1. Dockside, lively\n2. Mill House, quiet"
QUIET_FIRST = "1. a quiet table inside\n2. a table at the street"
安静第二 = "1. 码头酒店，热闹\n2. 水磨坊民宿，安静"
安静第一 = "1. 安静的包间\n2. 大厅"


def answer(number: int, offer: str, said: str, *, dialog: str = "") -> Answer:
    message = Said(UUID(int=number), dialog or f"d-{number}", said, AT + timedelta(days=number))
    return Answer(message, UUID(int=1000 + number), offer)


def test_two_choices_of_one_quality_make_a_candidate_with_both_quotes() -> None:
    answers = [answer(1, QUIET_SECOND, "The second one, please. 😀"), answer(2, QUIET_FIRST, "I'll take the first.")]

    [found] = find_choice_habits(answers)

    assert (found.kind, found.polarity, found.language) == ("implicit", "positive", "en")
    assert found.statement == "Tends to choose “quiet” when there are several options"
    assert [span.quote for span in found.evidence] == ["The second one, please.", "I'll take the first."]
    for one, span in zip(answers, found.evidence, strict=True):
        assert one.said.content[span.start : span.end] == span.quote


def test_chinese_choices_make_a_chinese_candidate() -> None:
    [found] = find_choice_habits([answer(1, 安静第二, "第二家吧 😊"), answer(2, 安静第一, "要第一个")])
    assert (found.statement, found.language) == ("有多个选项时倾向选择“安静”", "zh")


def test_choices_in_two_languages_count_together() -> None:
    found = find_choice_habits([answer(1, 安静第二, "第二家吧"), answer(2, QUIET_FIRST, "the first one")])
    assert [len(candidate.evidence) for candidate in found] == [2]


def test_one_choice_is_no_habit() -> None:
    assert find_choice_habits([answer(1, QUIET_SECOND, "The second one, please.")]) == []


def test_the_same_choice_said_again_in_its_dialog_counts_once() -> None:
    again = [answer(n, QUIET_SECOND, "The second one, please.", dialog="d") for n in (1, 2, 3)]
    assert find_choice_habits(again) == []


def test_a_quality_that_is_passed_over_as_often_is_no_habit() -> None:
    answers = [
        answer(1, QUIET_SECOND, "The second one"),
        answer(2, QUIET_FIRST, "The first one"),
        answer(3, QUIET_FIRST, "The second one"),
        answer(4, QUIET_SECOND, "The first one"),
    ]
    assert [c for c in find_choice_habits(answers) if "quiet" in c.statement] == []


def test_what_is_refused_twice_is_turned_down() -> None:
    answers = [
        answer(1, "How about ramen with pork?", "No, thanks."),
        answer(2, "1. tofu bowl\n2. pork buns\n3. soup", "Not the second one."),
    ]
    [found] = find_choice_habits(answers)
    assert (found.polarity, found.statement) == ("negative", "Tends to turn down “pork” when options are offered")
