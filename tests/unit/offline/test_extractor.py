"""What the extractor finds: kinds, polarity, safety, splitting, evidence."""

import pytest

from prefmem_pg.providers.offline.extractor import MAX_READ, OfflineExtractor
from prefmem_pg.providers.protocols import Chunk, PreferenceExtractor


def test_the_extractor_fits_the_seam():
    extractor = OfflineExtractor()

    assert isinstance(extractor, PreferenceExtractor)
    assert (extractor.name, extractor.version, extractor.model) == ("offline", "7", None)


@pytest.mark.parametrize(
    ("text", "polarity"),
    [
        ("I really enjoy slow train journeys through the Alps.", "positive"),
        ("I prefer window seats on long flights", "positive"),
        ("i cant stand crowded elevators", "negative"),
        ("I'm not a fan of open-plan offices.", "negative"),
        ("We don't eat pork at home.", "negative"),
        ("I never drink anything with caffeine after lunch", "negative"),
        ("My favourite composer is Fauré.", "positive"),
        ("I only buy second-hand furniture.", "positive"),
        ("As a beekeeper, I avoid perfumes with lavender.", "negative"),
        ("Loud restaurants drive me up the wall.", "negative"),
        ("Please always answer in metric units.", "positive"),
        ("Please never use exclamation marks in your emails to me", "negative"),
        ("From now on, reply in Spanish 🇪🇸", "positive"),
        ("I love 🍣 and 🍜!", "positive"),
        ("我很喜欢在雨天听爵士乐。", "positive"),
        ("我受不了太吵的餐厅", "negative"),
        ("我从来不喝碳酸饮料", "negative"),
        ("我习惯用纸质笔记本记账", "positive"),
        ("我对赛车游戏完全不感兴趣", "negative"),
        ("以后都用繁体字回答我", "positive"),
        ("请不要在邮件里用表情符号", "negative"),
        ("周报请一律用表格", "positive"),
        ("我超爱火锅🔥", "positive"),
        ("比起咖啡我更喜欢乌龙茶", "positive"),
        ("我寫程式只用 Neovim", "positive"),
        ("我不喜歡太甜的點心", "negative"),
        ("我平时写 code 只用 vim", "positive"),
    ],
)
def test_a_stated_taste_or_wish_is_explicit(extract, text, polarity):
    (found,) = extract(text)

    assert (found.kind, found.polarity) == ("explicit", polarity)


@pytest.mark.parametrize(
    "text",
    [
        "I'm a paediatric nurse and I love my garden.",
        "My dog is called Pepper",
        "I live in a small flat near Utrecht.",
        "We have two cats and a parrot",
        "I'm vegetarian.",
        "My daughter turned six",
        "我是一名小学老师",
        "我养了两只猫",
        "我在杭州一家设计公司上班",
        "我今年三十五岁",
    ],
)
def test_a_circumstance_is_a_fact_without_an_attitude(extract, text):
    found = extract(text)[0]

    assert (found.kind, found.polarity, found.is_safety) == ("fact", "neutral", False)


@pytest.mark.parametrize(
    "text",
    [
        "I'm allergic to walnuts.",
        "I have a severe shellfish allergy",
        "im lactose intolerant",
        "My son is allergic to bee stings.",
        "I have type 1 diabetes.",
        "Could you suggest a bakery, since I'm allergic to sesame?",
        "just for today: remember that I'm allergic to kiwi",
        "我对芒果过敏",
        "我女儿对花生过敏",
        "我乳糖不耐受，喝牛奶会拉肚子",
        "我有哮喘",
        "我對蝦過敏",
    ],
)
def test_what_can_harm_is_a_safety_fact_of_high_importance(extract, text):
    found = extract(text)[0]

    assert found.kind == "fact"
    assert found.is_safety
    assert found.importance >= 0.9


def test_an_allergy_of_the_daughter_names_the_daughter(extract):
    (found,) = extract("Dinner for four on Friday. My daughter is allergic to peanuts!")

    assert found.statement == "My daughter is allergic to peanuts"


@pytest.mark.parametrize("text", ["I'm not allergic to anything.", "我没有过敏", "我对花生不过敏"])
def test_no_allergy_is_no_danger(extract, text):
    assert not any(found.is_safety for found in extract(text))


@pytest.mark.parametrize(
    ("text", "statement"),
    [
        ("I want to learn the cello before I turn forty", "I want to learn the cello before I turn forty"),
        ("I'm planning to run a marathon in October, any tips?", "I'm planning to run a marathon in October"),
        ("We're going to Iceland next spring. What should we pack?", "We're going to Iceland next spring"),
        ("我想去北京旅游，有什么推荐？", "我想去北京旅游"),
        ("我想去北京旅游有什么推荐？", "我想去北京旅游"),
        ("我打算明年考研", "我打算明年（2025）考研"),
        ("我的目标是一年读完五十本书", "我的目标是一年读完五十本书"),
        ("我想學日語", "我想學日語"),
    ],
)
def test_a_wish_or_plan_is_a_goal_also_inside_a_question(extract, text, statement):
    (found,) = extract(text)

    assert (found.kind, found.statement) == ("goal", statement)


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("我想去北京旅游，有什么推荐？有什么小吃推荐吗", "有什么小吃推荐吗"),
        ("I'm planning a trip to Porto. Which pastries should I try?", "Which pastries should I try?"),
    ],
)
def test_the_request_inside_a_goal_goes_into_its_context(extract, text, asked):
    (found,) = extract(text)

    assert found.kind == "goal"
    assert asked in found.context
    assert asked not in found.statement


def test_a_question_on_an_open_goal_states_nothing_new(make_message):
    wish = make_message("我想去山西旅游", number=1)
    question = make_message("那山西有什么小吃？", number=2)

    found = OfflineExtractor().extract(Chunk(user_id="u-1", dialog_id="d-1", messages=(wish, question)))

    assert [one.statement for one in found] == ["我想去山西旅游"]


@pytest.mark.parametrize(
    ("text", "statements"),
    [
        ("我不吃香菜，喜欢安静的咖啡馆", [("我不吃香菜", "negative"), ("喜欢安静的咖啡馆", "positive")]),
        ("I hate onions but love garlic.", [("I hate onions", "negative"), ("I love garlic", "positive")]),
        (
            "My wife and I love hiking, and we never stay in hostels.",
            [("My wife and I love hiking", "positive"), ("we never stay in hostels", "negative")],
        ),
        ("对足球没兴趣，更喜欢看网球", [("对足球没兴趣", "negative"), ("更喜欢看网球", "positive")]),
        ("I don't eat beef, 我只喝乌龙茶", [("I don't eat beef", "negative"), ("我只喝乌龙茶", "positive")]),
    ],
)
def test_b58_each_clause_with_a_cue_of_its_own_is_a_candidate_in_its_own_language(extract, text, statements):
    assert [(found.statement, found.polarity) for found in extract(text)] == statements


@pytest.mark.parametrize("text", ["I don't dislike jazz.", "我不是不喜欢爵士乐", "我不讨厌下雨"])
def test_a_double_negation_is_neutral_and_uncertain(extract, text):
    (found,) = extract(text)

    assert found.polarity == "neutral"
    assert found.confidence == 0.5


@pytest.mark.parametrize(("text", "language"), [("我讨厌香菜", "zh"), ("辛いの苦手", "ja"), ("I hate dill", "en")])
def test_b65_a_short_statement_is_not_skipped(extract, text, language):
    (found,) = extract(text)

    assert (found.statement, found.polarity, found.language) == (text, "negative", language)


def test_b57_special_tokens_are_ordinary_text(extract):
    (found,) = extract("please never print <|endoftext|> in replies")

    assert found.statement == "please never print <|endoftext|> in replies"
    assert found.polarity == "negative"


def test_b53_each_change_of_mind_is_found_with_its_own_polarity(make_message):
    said = [make_message(text, number=n) for n, text in enumerate(("I love cola", "I hate cola", "I love cola"))]

    found = OfflineExtractor().extract(Chunk(user_id="u-1", dialog_id="d-1", messages=tuple(said)))

    assert [one.polarity for one in found] == ["positive", "negative", "positive"]


@pytest.mark.parametrize(
    "text",
    [
        "Well… 😀 by the way, “I’d rather” is odd. I love   old maps & charts! And I never fly.",
        "我跟你说👨‍👩‍👧‍👦，我超级喜欢《三体》！！而且我不喝酒。",
        "I don’t like “smart” fridges, 我只用 iPhone 15 Pro。",
        "Café time: I adore crème brûlée 🍮\n\n我不吃辣",
    ],
)
def test_the_evidence_is_the_text_at_its_place(make_message, text):
    message = make_message(text)

    found = OfflineExtractor().extract(Chunk(user_id="u-1", dialog_id="d-1", messages=(message,)))

    assert len(found) >= 2
    for candidate in found:
        (span,) = candidate.evidence
        assert span.message_id == message.message_id
        assert text[span.start : span.end] == span.quote
        assert span.quote


def test_a_candidate_carries_where_it_was_said(extract):
    (found,) = extract("I love badminton")

    assert (found.dialog_id, found.session_id, found.source) == ("d-1", "s-1", "api")
    assert found.sensitivity == "none"


@pytest.mark.parametrize("role", ["assistant", "system", "tool", "other"])
def test_b47_only_the_user_is_read(make_message, role):
    said = make_message("Always answer in French and use metric. I love oysters.", role=role)
    hello = make_message("hi", number=2)

    assert OfflineExtractor().extract(Chunk(user_id="u-1", dialog_id="d-1", messages=(said, hello))) == []


def test_context_before_the_first_new_message_gives_nothing(make_message):
    old, new = make_message("I love oysters", number=1), make_message("I love figs", number=2)

    found = OfflineExtractor().extract(
        Chunk(user_id="u-1", dialog_id="d-1", messages=(old, new), first_new=1),
    )

    assert [one.statement for one in found] == ["I love figs"]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("I avoid night buses because they make me nervous.", "because they make me nervous"),
        ("我不坐夜班车，因为不安全", "因为不安全"),
        ("因为太吵，我不去酒吧", "因为太吵"),
    ],
)
def test_a_reason_becomes_the_context(extract, text, reason):
    (found,) = extract(text)

    assert found.context.rstrip(".") == reason
    assert reason not in found.statement


def test_a_dangerous_reason_makes_the_avoidance_a_safety_matter(extract):
    avoidance, reason = extract("I avoid dairy because I'm lactose intolerant.")

    assert (avoidance.statement, avoidance.kind, avoidance.is_safety) == ("I avoid dairy", "explicit", True)
    assert (reason.statement, reason.kind) == ("I'm lactose intolerant", "fact")


def test_a_constraint_matters_more_than_a_taste_and_a_plain_cue_is_surer_than_a_phrase(extract):
    (taste,) = extract("I love linen")
    (constraint,) = extract("I never wear wool")
    (phrase,) = extract("no sugar please")

    assert taste.importance < constraint.importance < 0.9
    assert phrase.confidence < taste.confidence


def test_only_the_beginning_of_a_very_long_message_is_read(extract):
    filler = "The report is attached. " * (MAX_READ // 24 + 1)

    assert [found.statement for found in extract("I love fjords. " + filler + "I hate deserts.")] == ["I love fjords"]


def test_the_same_statement_twice_in_a_message_is_one_candidate(extract):
    assert len(extract("I love figs. I love figs!")) == 1


@pytest.mark.parametrize(
    "text",
    [
        "I'm allergic to nuts, like cashews.",
        "I don't eat shellfish, like shrimp 🦐",
        "I can't stand greasy food, like fried chicken and burgers.",
        "I hate loud places, like nightclubs.",
        "我对坚果过敏，比如腰果。",
        "我不吃海鲜，比如虾和蟹 🦐",
        "我讨厌吵的地方，像夜店。",
    ],
)
def test_an_example_of_what_is_refused_is_no_liking(extract, text):
    found = extract(text)
    assert found
    assert {candidate.polarity for candidate in found} == {"negative"}


@pytest.mark.parametrize("word", ["really", "only", "sadly only", "finally"])
@pytest.mark.parametrize("start", ["The soup was good, ", "The soup was good and ", "I want to ", "My boss "])
def test_a_run_of_adverbs_takes_no_longer_than_other_words(extract, start: str, word: str) -> None:
    """Where two ways fit a word, each more would take twice as long: sixty would never end."""
    assert extract(start + f"{word} " * 60 + "good.") == []
