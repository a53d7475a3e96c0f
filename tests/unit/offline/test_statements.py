"""How a statement is worded, dated and described: trimming, times, topics, names."""

from datetime import UTC, datetime

import pytest

from prefmem_pg.providers.offline.entities import MAX_ENTITIES, find_entities
from prefmem_pg.providers.offline.mask import mask
from prefmem_pg.providers.offline.sentences import MAX_SENTENCE_CHARACTERS, sentences
from prefmem_pg.providers.offline.statement import MAX_CHARACTERS, is_degenerate
from prefmem_pg.providers.offline.times import find_moment
from prefmem_pg.providers.offline.topics import TOPICS, find_topic


@pytest.mark.parametrize(
    ("text", "statement"),
    [
        ("By the way, I always book aisle seats when I fly.", "I always book aisle seats when I fly"),
        ("Well, actually, I hate cruises!!", "I hate cruises"),
        ("no, I don't eat snails", "I don't eat snails"),
        ("Keep in mind that I never work on Fridays 🙂", "I never work on Fridays 🙂"),
        ("顺便说一下，我坐飞机都选靠过道的座位。", "我坐飞机都选靠过道的座位"),
        ("对了，我不吃羊肉哦～", "我不吃羊肉"),
        ("请记住我只喝无糖的饮料", "我只喝无糖的饮料"),
        ('"I dislike polka dots."', "I dislike polka dots"),
    ],
)
def test_fillers_go_and_the_users_own_words_stay(extract, text, statement):
    assert [found.statement for found in extract(text)] == [statement]


@pytest.mark.parametrize(
    "text",
    [
        "I won't stay anywhere without at least 2 desks",
        "When I travel for work, I prefer hotels under 150 euros near the station",
        "I like spicy food, but not when I have a race",
        "I don't eat meat unless it's wild",
        "如果是出差，我习惯住离地铁近的酒店",
        "我喜欢吃辣，但不能太辣",
        "早餐我只喝黑咖啡，从不加糖和奶",
    ],
)
def test_conditions_numbers_and_negations_stay_in_the_statement(extract, text):
    assert [found.statement for found in extract(text)] == [text]


def test_a_statement_that_says_they_takes_along_who_they_are(extract):
    text = "My daughter is afraid of geese, so we avoid parks where they run free"

    assert [found.statement for found in extract(text)] == ["My daughter is afraid of geese", text]


def test_a_long_statement_is_cut_at_a_word_and_its_evidence_with_it(extract):
    (found,) = extract(
        "I love " + "hiking through quiet old forests with friends from many different countries and " * 9
    )

    assert 150 < len(found.statement) <= MAX_CHARACTERS
    assert found.evidence[0].quote == found.statement


@pytest.mark.parametrize(
    ("text", "statement", "start"),
    [
        ("since last week I only drink decaf", "since last week (2024-05-03) I only drink decaf", (2024, 5, 3)),
        ("I stopped eating meat two months ago", "I stopped eating meat two months ago (2024-03-10)", (2024, 3, 10)),
        ("从上周开始我只喝脱因咖啡", "从上周（2024-05-03）开始我只喝脱因咖啡", (2024, 5, 3)),
        ("我昨天开始吃素", "我昨天（2024-05-09）开始吃素", (2024, 5, 9)),
        ("Since 2019 I never fly", "Since 2019 I never fly", (2019, 1, 1)),
    ],
)
def test_b26_a_beginning_is_resolved_against_the_time_of_the_message(extract, text, statement, start):
    (found,) = extract(text)

    assert found.statement == statement
    assert found.valid_from == datetime(*start, tzinfo=UTC)


def test_b26_a_day_begins_in_the_zone_of_the_user(extract):
    late = datetime(2024, 5, 9, 20, 0, tzinfo=UTC)  # 10 May, 04:00 in Shanghai

    (found,) = extract("我昨天开始吃素", time_zone="Asia/Shanghai", at=late)

    assert found.statement == "我昨天（2024-05-09）开始吃素"
    assert found.valid_from == datetime(2024, 5, 8, 16, 0, tzinfo=UTC)


def test_without_a_beginning_it_holds_from_when_it_was_said(extract):
    said_at = datetime(2024, 5, 10, 12, 0, tzinfo=UTC)

    assert [found.valid_from for found in extract("I love figs. I want to visit Rome next week")] == [said_at, said_at]


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("yesterday", (2024, 3, 30)),
        ("three days ago", (2024, 3, 28)),
        ("last month", (2024, 2, 29)),
        ("last year", (2023, 3, 31)),
        ("since Monday", (2024, 3, 25)),
        ("last Sunday", (2024, 3, 24)),
        ("前天", (2024, 3, 29)),
        ("三年前", (2021, 3, 31)),
        ("两周前", (2024, 3, 17)),
        ("上周三", (2024, 3, 20)),
        ("去年", (2023, 3, 31)),
        ("2021年起", (2021, 1, 1)),
    ],
)
def test_a_moment_is_counted_back_from_sunday_31_march(text, day):
    moment = find_moment(text, datetime(2024, 3, 31, 9, 30, tzinfo=UTC), "UTC")

    assert moment is not None
    assert moment.at == datetime(*day, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "written"), [("next year", "2025"), ("明年", "2025"), ("下个月", "2024-04"), ("tomorrow", "2024-04-01")]
)
def test_a_time_ahead_is_written_as_exactly_as_it_was_said(text, written):
    moment = find_moment(text, datetime(2024, 3, 31, 9, 30, tzinfo=UTC), "UTC")

    assert moment is not None
    assert (moment.is_ahead, moment.written) == (True, written)


@pytest.mark.parametrize(
    ("text", "statement"),
    [
        ("I want to run a marathon next year.", "I want to run a marathon next year (2025)"),
        ("我明年想跑马拉松。", "我明年（2025）想跑马拉松"),
    ],
)
def test_a_goal_with_a_time_ahead_holds_from_when_it_was_said(extract, text, statement):
    (found,) = extract(text)

    assert (found.kind, found.statement, found.valid_from) == ("goal", statement, datetime(2024, 5, 10, 12, tzinfo=UTC))


@pytest.mark.parametrize("text", ["next week", "下周", "I like figs", "不知道多久前"])
def test_the_vague_is_no_beginning(text):
    assert find_moment(text, datetime(2024, 3, 31, tzinfo=UTC), "UTC") is None


def test_an_unknown_time_zone_counts_as_utc():
    moment = find_moment("yesterday", datetime(2024, 3, 31, 9, tzinfo=UTC), "Mars/Olympus")

    assert moment is not None
    assert moment.at == datetime(2024, 3, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    ("statement", "topic"),
    [
        ("I never eat mushrooms or cheese", "food"),
        ("I drink two espressos every morning", "drink"),
        ("I book aisle seats on every flight", "travel"),
        ("I write Python with four spaces", "software"),
        ("I love jazz and old vinyl", "music"),
        ("Please keep your answers concise", "communication"),
        ("My dog hates the vet", "pets"),
        ("I love Chinese food", "food"),
        ("I adore the smell of it all", "other"),
        ("我不吃香菜和羊肉", "food"),
        ("我喜欢住安静的酒店", "travel"),
        ("写代码统一用四个空格缩进", "software"),
        ("我最爱听粤语老歌", "music"),
        ("我养了两只猫", "pets"),
        ("我每周踢两次足球", "sport"),
    ],
)
def test_a_topic_is_named_in_both_languages(statement, topic):
    assert find_topic(statement) == topic
    assert topic in TOPICS


@pytest.mark.parametrize(
    ("statement", "entities"),
    [
        ("I only use iPhone 15 Pro and a Sony WH-1000XM5", ("iPhone 15 Pro", "Sony WH-1000XM5")),
        ("I prefer Lufthansa over Ryanair", ("Lufthansa", "Ryanair")),
        ("我最喜欢的书是《三体》", ("三体",)),
        ("请始终叫我“小鹿”", ("小鹿",)),
        ("我写代码用 VS Code，不用 PyCharm", ("VS Code", "PyCharm")),
        ("我想去北京旅游", ("北京",)),
        ("Always book window seats", ()),
        ("I hate rain in October", ()),
        ("我不喜欢下雨", ()),
    ],
)
def test_names_are_found_and_ordinary_capitals_are_not(statement, entities):
    assert find_entities(statement) == entities


def test_a_statement_names_at_most_ten_entities_and_none_twice():
    names = " and ".join(f"Brand{number}" for number in range(20))

    assert len(find_entities(f"I like {names} and Brand1")) == MAX_ENTITIES


@pytest.mark.parametrize(
    "text",
    ["I ```love``` tea", "see https://example.test/i/love/tea now", "他说“我从来不喝咖啡，只喝茶”。", "> quoted\nmine"],
)
def test_masking_keeps_every_character_in_its_place(text):
    masked = mask(text)

    assert len(masked) == len(text)
    assert all(new in (old, " ") for old, new in zip(text, masked, strict=True))


def test_traditional_characters_are_read_as_simplified_in_their_places():
    assert mask("我討厭貓") == "我讨厌猫"


def test_sentences_end_at_marks_of_both_scripts_but_not_inside_numbers():
    text = "I pay 3.50 for tea. 我喜欢茶！Really? e.g. green tea\nNo."

    assert [one.text for one in sentences(text)] == [
        "I pay 3.50 for tea.",
        "我喜欢茶！",
        "Really?",
        "e.g. green tea",
        "No.",
    ]
    assert all(text[one.start : one.end] == one.text for one in sentences(text))


@pytest.mark.parametrize("text", ["", "ok", "aaa " * 30, "哈哈哈哈哈哈哈哈哈哈", "x" * 200 + " y z"])
def test_repetition_and_scraps_are_degenerate(text):
    assert is_degenerate(text)


@pytest.mark.parametrize("text", ["I hate dill", "不吃辣", "I love 🍣"])
def test_short_sense_is_not_degenerate(text):
    assert not is_degenerate(text)


@pytest.mark.parametrize("text", ["很" * 5_000, "very " * 1_000, "a, " * 2_000])
def test_text_without_end_marks_is_cut_into_pieces_of_bounded_length(text):
    pieces = list(sentences(text))

    assert max(len(one.text) for one in pieces) <= MAX_SENTENCE_CHARACTERS
    assert all(text[one.start : one.end] == one.text for one in pieces)
    assert sum(len(one.text.replace(" ", "")) for one in pieces) == len(text.replace(" ", ""))


@pytest.mark.parametrize("said_at", [datetime(1, 1, 1, tzinfo=UTC), datetime(9999, 12, 31, 23, 59, tzinfo=UTC)])
@pytest.mark.parametrize(
    "text", ["Since last month I only drink decaf.", "从昨天开始我只喝无咖啡因的咖啡。", "我上周开始吃素了。"]
)
def test_a_message_at_the_end_of_time_is_read(said_at: datetime, text: str) -> None:
    found = find_moment(text, said_at, "Asia/Shanghai")

    assert found is None or abs((found.at - said_at).days) <= 62


@pytest.mark.parametrize(
    ("text", "polarity"),
    [
        ("I've yet to find a curry I didn't like", "positive"),
        ("I've yet to meet a smoothie I didn't regret", "negative"),
        ("I'd sooner walk ten miles than get on a bus at rush hour", "negative"),
        ("I'd rather walk than take the bus", "positive"),
        ("I used to skip breakfast, now I skip lunch too", "negative"),
        ("I don't go out of my way to drink wine", "negative"),
        ("周末不去爬个山浑身难受", "positive"),
        ("几天不游泳身上发痒 🏊", "positive"),
        ("三天不吃火锅心里就慌", "positive"),
        ("说不爱甜食是假的，尤其是提拉米苏", "positive"),
        ("說不喜歡貓那是騙人的", "positive"),
    ],
)
def test_what_one_cannot_be_without_is_liked_and_what_is_worse_than_pain_is_not(extract, text, polarity):
    assert [one.polarity for one in extract(text)] == [polarity]
