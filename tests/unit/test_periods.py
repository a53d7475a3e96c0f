"""Times that a question names are counted from the asker's clock, in English and Chinese."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from prefmem_pg.steps.periods import MOST_PERIODS, find_periods

NOW = datetime(2026, 5, 20, 15, 30, tzinfo=UTC)  # a Wednesday


def named(question: str, now: datetime = NOW) -> list[tuple[str, str]]:
    """Return the periods of full weight, as days."""
    return [
        (f"{start:%Y-%m-%d}", f"{end:%Y-%m-%d}") for start, end, weight in find_periods(question, now) if weight == 1
    ]


@pytest.mark.parametrize(
    ("question", "start", "end"),
    [
        ("What did we say yesterday?", "2026-05-19", "2026-05-20"),
        ("our talk the day before yesterday", "2026-05-18", "2026-05-19"),
        ("昨晚聊了什么 🌙", "2026-05-19", "2026-05-20"),
        ("大前天说的餐厅", "2026-05-17", "2026-05-18"),
        ("the recipe from three days ago", "2026-05-17", "2026-05-18"),
        ("二十三天前我去了哪", "2026-04-27", "2026-04-28"),
        ("who called last Friday?", "2026-05-15", "2026-05-16"),
        ("last Wednesday", "2026-05-13", "2026-05-14"),
        ("上周五的会议", "2026-05-15", "2026-05-16"),
        ("last weekend 去哪了", "2026-05-16", "2026-05-18"),
        ("上周末去哪了", "2026-05-16", "2026-05-18"),
        ("last week", "2026-05-11", "2026-05-18"),
        ("上周我们聊了什么", "2026-05-11", "2026-05-18"),
        ("上週我們聊了什麼", "2026-05-11", "2026-05-18"),
        ("上上个星期", "2026-05-04", "2026-05-11"),
        ("two weeks ago", "2026-05-04", "2026-05-11"),
        ("in the last 3 days", "2026-05-17", "2026-05-21"),
        ("最近三天", "2026-05-17", "2026-05-21"),
        ("past 2 weeks", "2026-05-06", "2026-05-21"),
        ("What happened last March?", "2026-03-01", "2026-04-01"),
        ("last May", "2025-05-01", "2025-06-01"),
        ("in may", "2026-05-01", "2026-06-01"),
        ("June", "2025-06-01", "2025-07-01"),
        ("this June", "2026-06-01", "2026-07-01"),
        ("上个月", "2026-04-01", "2026-05-01"),
        ("三个月前", "2026-02-01", "2026-03-01"),
        ("去年三月的旅行", "2025-03-01", "2025-04-01"),
        ("Mar 2024", "2024-03-01", "2024-04-01"),
        ("on 7 May 2023", "2023-05-07", "2023-05-08"),
        ("Sept. 3rd, 2024", "2024-09-03", "2024-09-04"),
        ("the 7th of June", "2025-06-07", "2025-06-08"),
        ("2024-02-29", "2024-02-29", "2024-03-01"),
        ("2024年2月29日", "2024-02-29", "2024-03-01"),
        ("12月25號", "2025-12-25", "2025-12-26"),
        ("trips of 2023", "2023-01-01", "2024-01-01"),
        ("前年", "2024-01-01", "2025-01-01"),
        ("二〇二四年", "2024-01-01", "2025-01-01"),
        ("two years ago", "2024-01-01", "2025-01-01"),
    ],
)
def test_a_time_in_the_question_names_a_period(question: str, start: str, end: str) -> None:
    assert named(question) == [(start, end)]


@pytest.mark.parametrize(
    "question",
    [
        "",
        "May I ask you something?",
        "they march on",
        "mar the paint",
        "Jan likes tea",
        "15月",
        "5000 years ago",
        "room 20260501, model 2024x1080",
        "三个月饼 🥮",
        "周末",
        "What should I cook?",
    ],
)
def test_what_names_no_time_names_no_period(question: str) -> None:
    assert find_periods(question, NOW) == []


def test_a_month_is_told_of_in_the_next_one_too_at_half_the_weight() -> None:
    assert [weight for *_, weight in find_periods("in March", NOW)] == [1.0, 0.5]


def test_a_day_begins_at_the_askers_midnight() -> None:
    ((start, end, _), _) = find_periods("昨天", NOW.astimezone(ZoneInfo("Asia/Shanghai")))
    assert (start, end) == (datetime(2026, 5, 18, 16, tzinfo=UTC), datetime(2026, 5, 19, 16, tzinfo=UTC))


def test_several_times_are_all_taken_and_a_page_full_of_them_is_bounded() -> None:
    assert named("between 5 May and 6 March, 去年") == [
        ("2026-05-05", "2026-05-06"),
        ("2026-03-06", "2026-03-07"),
        ("2025-01-01", "2026-01-01"),
    ]
    assert len(find_periods("1 May 2001. " * 500, NOW)) == MOST_PERIODS


@pytest.mark.parametrize("year", [1, 2, 9999])
@pytest.mark.parametrize("question", ["last year", "3 weeks ago", "上个月", "last 9999 months", "12月31日", "前年"])
def test_the_ends_of_the_calendar_break_nothing(year: int, question: str) -> None:
    find_periods(question, datetime(year, 1, 1, tzinfo=UTC))
    find_periods(question, datetime(year, 12, 31, 23, tzinfo=UTC))
