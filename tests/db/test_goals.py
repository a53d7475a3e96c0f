"""Goals in a conversation: the later one counts, and what is asked about it belongs to it."""

from datetime import UTC, datetime, timedelta

import pytest

from prefmem_pg.domain.preferences import Preference
from prefmem_pg.memory import PreferenceMemory

START = datetime(2026, 5, 1, 10, tzinfo=UTC)

CHINESE = ["我想去北京旅游，有什么推荐？", "我想去山西旅游", "山西有什么小吃？", "还是想去北京，北京有什么小吃？"]
CHINESE_AS_TOLD = [
    "我想去北京旅游，有哪些景点",
    "我不想去北京了，我想去山西旅游",
    "帮我推荐一下山西的小吃",
    "我现在又想去北京了，帮我推荐北京的小吃",
]
ENGLISH = [
    "I want to visit Beijing, what do you recommend?",
    "Actually, I want to go to Shanxi",
    "What snacks does Shanxi have?",
    "I'd rather go to Beijing after all. What snacks are there in Beijing? 🍡",
]
ENGLISH_REFUSING = [
    "I'd like to travel to Beijing. Which sights are worth it?",
    "I don't want to go to Beijing any more, I want to go to Shanxi",
    "Can you recommend snacks in Shanxi?",
    "Let's go to Beijing instead, please recommend some snacks in Beijing",
]


def talk(memory: PreferenceMemory, user_id: str, said: list[str], *, one_by_one: bool = False) -> None:
    for place, content in enumerate(said):
        at = START + timedelta(minutes=place)
        memory.add_messages(
            user_id,
            [
                {"role": "user", "content": content, "occurred_at": at},
                {"role": "assistant", "content": "…", "occurred_at": at + timedelta(seconds=5)},
            ],
            dialog_id="d-1",
        )
        if one_by_one:
            memory.extract(user_id=user_id)
    memory.extract(user_id=user_id)


def rows(memory: PreferenceMemory, user_id: str, status: str) -> list[Preference]:
    found = memory.list_preferences(user_id, filter={"status": status}).items
    return sorted(found, key=lambda p: p.valid_from)


@pytest.mark.parametrize("one_by_one", [False, True])
@pytest.mark.parametrize(
    ("said", "place", "snacks"),
    [
        (CHINESE, "北京", "北京有什么小吃"),
        (CHINESE_AS_TOLD, "北京", "推荐北京的小吃"),
        (ENGLISH, "Beijing", "What snacks are there in Beijing?"),
        (ENGLISH_REFUSING, "Beijing", "recommend some snacks in Beijing"),
    ],
)
def test_a_conversation_about_a_trip_ends_with_one_goal(
    memory: PreferenceMemory, user_id: str, said: list[str], place: str, snacks: str, one_by_one: bool
) -> None:
    talk(memory, user_id, said, one_by_one=one_by_one)

    [goal] = rows(memory, user_id, "activated")
    assert goal.kind == "goal"
    assert goal.entities == (place,)
    assert snacks in goal.context
    earlier = rows(memory, user_id, "superseded")
    assert [p.kind for p in earlier] == ["goal", "goal"]
    assert [p.valid_from for p in earlier] == [START, START + timedelta(minutes=1)]
    assert [p.valid_to for p in earlier] == [START + timedelta(minutes=1), START + timedelta(minutes=3)]
    assert rows(memory, user_id, "resolving") == rows(memory, user_id, "archived") == []
    # The request of the third question went into the goal of that time, and is told as part of the journey.
    assert said[2].rstrip("？?") in earlier[1].context
    assert memory.search(user_id, "trip 旅游")[0].preference == goal


@pytest.mark.parametrize(
    ("goal", "request_", "other"),
    [
        ("我想去北京旅游", "北京有什么小吃？", "上海有什么小吃？"),
        ("I want to visit Rome", "Which hotels in Rome are quiet?", "Which hotels in Romeoville are quiet?"),
    ],
)
def test_a_later_request_enriches_the_goal_that_it_names_once(
    memory: PreferenceMemory, user_id: str, goal: str, request_: str, other: str
) -> None:
    talk(memory, user_id, [goal], one_by_one=True)
    memory.add_messages(user_id, [{"role": "user", "content": text} for text in (other, request_)], dialog_id="d-2")
    memory.extract(user_id=user_id)
    memory.extract(user_id=user_id, again=True)

    [stored] = rows(memory, user_id, "activated")
    assert stored.context.count(request_) == 1
    assert other not in stored.context
    assert len(memory.evidence(user_id, stored.preference_id)) == 2
    assert [v.event for v in memory.history(user_id, stored.preference_id)] == ["add", "update"]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("我想去北京旅游", "我也想去西安"),
        ("I want to visit Rome", "I also want to visit Paris"),
        ("我想学日语", "我想去北京旅游"),
    ],
)
def test_goals_that_go_together_stay(memory: PreferenceMemory, user_id: str, first: str, second: str) -> None:
    talk(memory, user_id, [first, second])

    assert len(rows(memory, user_id, "activated")) == 2


@pytest.mark.parametrize(
    ("goal", "refusal"),
    [("我想去北京旅游", "我不想去北京了"), ("I want to visit Rome", "I don't want to go to Rome any more.")],
)
def test_a_goal_that_is_given_up_ends_without_becoming_a_taste(
    memory: PreferenceMemory, user_id: str, goal: str, refusal: str
) -> None:
    talk(memory, user_id, [goal, refusal])

    assert [p.statement for p in rows(memory, user_id, "archived")] == [goal]
    assert rows(memory, user_id, "activated") == []


def test_a_goal_that_is_repeated_without_a_request_gains_no_version(memory: PreferenceMemory, user_id: str) -> None:
    talk(memory, user_id, ["我想去北京旅游", "我现在又想去北京了"])

    [goal] = rows(memory, user_id, "activated")
    assert (goal.version, goal.mention_count) == (1, 2)


@pytest.mark.parametrize("one_by_one", [False, True])
@pytest.mark.parametrize(
    ("goal", "end"),
    [
        ("I want to run a marathon this year", "I finally ran the marathon 🎉"),
        ("I want to pass my driving test", "Guess what: I passed my driving test!"),
        ("我想去北京旅游", "北京之行已经结束了，玩得很开心"),
        ("我打算考研", "考研上岸了！"),
    ],
)
def test_a_goal_that_was_reached_ends_and_says_by_what(
    memory: PreferenceMemory, user_id: str, goal: str, end: str, one_by_one: bool
) -> None:
    talk(memory, user_id, [goal, end], one_by_one=one_by_one)

    [reached] = rows(memory, user_id, "archived")
    assert (reached.kind, reached.valid_from, reached.valid_to) == ("goal", START, START + timedelta(minutes=1))
    last = memory.history(user_id, reached.preference_id)[-1]
    assert last.event == "archive"
    assert last.reason.startswith("reached: ")
    assert end[:8] in last.reason
    assert [p for p in rows(memory, user_id, "activated") if p.kind == "goal"] == []
    assert memory.extract(user_id=user_id, again=True).superseded == 0
    assert [p.preference_id for p in rows(memory, user_id, "archived")] == [reached.preference_id]


@pytest.mark.parametrize(
    ("goal", "said"),
    [
        ("I want to run a marathon", "I signed up for the marathon"),
        ("I want to visit Rome", "My sister is back from Rome"),
        ("我想去北京旅游", "订好了去北京的机票"),
        ("我打算考研", "考研英语复习完了"),
    ],
)
def test_a_goal_stands_while_others_reach_it_or_a_step_is_made(
    memory: PreferenceMemory, user_id: str, goal: str, said: str
) -> None:
    talk(memory, user_id, [goal, said], one_by_one=True)

    assert [p.statement for p in rows(memory, user_id, "activated") if p.statement == goal] == [goal]


@pytest.mark.parametrize(
    ("goal", "end"), [("I want to visit Rome", "We're back from Rome."), ("我想去北京旅游", "从北京回来了。")]
)
def test_a_reached_goal_that_is_wished_for_again_is_open_again(
    memory: PreferenceMemory, user_id: str, goal: str, end: str
) -> None:
    talk(memory, user_id, [goal, end], one_by_one=True)
    memory.add_messages(user_id, [{"role": "user", "content": goal, "occurred_at": START + timedelta(days=9)}])
    memory.extract(user_id=user_id)

    [again] = rows(memory, user_id, "activated")
    assert (again.statement, again.valid_to) == (goal, None)
    assert [v.event for v in memory.history(user_id, again.preference_id)] == ["add", "archive", "restore"]


def test_a_person_who_brings_a_reached_goal_back_opens_it(memory: PreferenceMemory, user_id: str) -> None:
    talk(memory, user_id, ["I want to visit Rome", "We visited Rome last week"], one_by_one=True)
    [reached] = rows(memory, user_id, "archived")

    back = memory.restore(user_id, reached.preference_id, actor="ana")

    assert (back.status, back.valid_to) == ("activated", None)
