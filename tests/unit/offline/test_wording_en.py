"""English said otherwise than with "I like": orders about style, idioms for and against, signs that words turn."""

import pytest

from prefmem_pg.providers.offline.signs import told_sign
from prefmem_pg.providers.offline.signs_en import english_sign


@pytest.mark.parametrize(
    ("text", "statements"),
    [
        ("Please use bullet points, and keep it short", ["Please use bullet points", "keep it short"]),
        ("Use tables and keep your answers brief.", ["Use tables", "keep your answers brief"]),
        ("Avoid jargon, and never use emojis.", ["Avoid jargon", "never use emojis"]),
        ("Explain things as if I were new to it", ["Explain things as if I were new to it"]),
        ("Metric units only, please", ["Metric units only"]),
    ],
)
def test_an_order_about_the_style_of_answers_is_kept_each_by_itself(extract, text, statements):
    assert [found.statement for found in extract(text)][: len(statements)] == statements


@pytest.mark.parametrize(
    "text",
    [
        "Summarise the report in five lines and keep it short.",
        "Write me a cover letter. Keep it brief, no jargon.",
        "What is a heat pump? Keep it simple.",
        "Can you use bullet points for this summary?",
        "Use the red template for the invitation",
        "帮我写一封请假信。简短一点。",
        "什么是热泵？简单一点 🙂",
    ],
)
def test_the_style_of_one_task_is_no_preference(extract, text):
    assert extract(text) == []


@pytest.mark.parametrize(
    ("text", "polarity"),
    [
        ("If there's liver in it, count me out", "negative"),
        ("I'd give karaoke a miss", "negative"),
        ("I can't say I'm fond of parrots", "negative"),
        ("I have yet to meet a sequel I liked", "negative"),
        ("Open fires and I don't mix", "negative"),
        ("Anything but brass bands, please", "negative"),
        ("I'm not against a bit of drizzle", "positive"),
        ("I never turn down a dumpling", "positive"),
        ("Not a week goes by without me going fishing", "positive"),
        ("I'd take silence over music any time", "positive"),
        ("I have yet to meet a goat I didn't like", "positive"),
        ("I turn down oysters every time", "negative"),
        ("I've lost all interest in chess", "negative"),
        ("I'm trying to stay away from sugar", "negative"),
        ("I'd rather chew tinfoil than watch golf", "negative"),
        ("I'd rather eat vegetables than meat", "positive"),
        ("I'd rather eat at home than go out", "positive"),
        ("I'd rather stick to tea than switch to coffee", "positive"),
    ],
)
def test_an_idiom_has_the_sign_that_it_means(extract, text, polarity):
    assert [found.polarity for found in extract(text)] == [polarity]


@pytest.mark.parametrize("text", ["I became allergic to shellfish last spring", "nut allergy here, by the way"])
def test_an_allergy_that_came_later_or_is_named_in_short_is_a_safety_matter(extract, text):
    assert [found.is_safety for found in extract(text)] == [True]


@pytest.mark.parametrize(
    "text",
    [
        "I hated school",
        "In my old job I always wore a suit",
        "Back at uni I lived on instant noodles",
        "I don't have the numbers yet",
        "Ingredients: 200 g flour, two eggs, no sugar. Always sift the flour.",
        "Hi all, I prefer that we meet on Thursdays from now on. Best, Karen",
    ],
)
def test_what_was_and_what_is_pasted_is_no_preference_of_today(extract, text):
    assert extract(text) == []


@pytest.mark.parametrize(
    "text", ["From now on keep your answers short. What is a heat pump?", "以后回答都简短一点。什么是热泵？"]
)
def test_a_style_that_is_to_last_is_kept_beside_a_question(extract, text):
    assert len(extract(text)) == 1


def test_leave_to_leave_something_out_is_not_for_it(extract):
    assert [found for found in extract("You can skip the pleasantries") if found.polarity == "positive"] == []


@pytest.mark.parametrize("text", ["配料：面粉200克，鸡蛋两个，不放糖。", "用法用量：饭后服用，一律不得超过两片"])
def test_a_pasted_chinese_document_is_no_preference(extract, text):
    assert extract(text) == []


def test_a_heading_before_ones_own_words_is_not_a_document(extract):
    assert [found.is_safety for found in extract("注意事项：我对花生过敏")] == [True]


def test_what_hardly_a_day_goes_by_without_is_liked():
    assert english_sign("Hardly an evening goes by without a film") == "positive"
    assert english_sign("Hardly my idea of fun") == "negative"


@pytest.mark.parametrize(
    ("text", "kind", "polarity"),
    [
        ("Don't open with praise, it annoys me every time.", "explicit", "negative"),
        ("Pls ditch the emojis in your replies", "explicit", "negative"),
        ("Zero patience for pop quizzes over here", "explicit", "negative"),
        ("My big goal for the next three years: a boat of my own", "goal", "positive"),
        ("Mother tongue: Basque", "fact", "neutral"),
        ("38, mum of three, in Cork", "fact", "neutral"),
    ],
)
def test_what_is_said_in_short_has_its_kind_and_sign(extract, text, kind, polarity):
    assert [(found.kind, found.polarity) for found in extract(text)] == [(kind, polarity)]


@pytest.mark.parametrize(
    "text", ["Don't forget the units every time", "Don't ever forget to include the units every time"]
)
def test_a_reminder_is_for_what_it_reminds_of(extract, text):
    assert [found.polarity for found in extract(text)] == ["positive"]


@pytest.mark.parametrize(
    "text",
    [
        "I don't love it or hate it",
        "Our target audience: parents of toddlers",
        "Mother of one of my pupils complained",
        "I can't open the file on my Mac",
    ],
)
def test_no_side_a_brief_another_and_a_fault_are_nothing(extract, text):
    assert extract(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "In this household we don't eat pork",
        "I can't stand noise in this apartment",
        "I avoid caffeine after lunch, for good this time",
    ],
)
def test_words_like_those_of_a_moment_or_a_fault_take_no_taste_along(extract, text):
    assert [found.polarity for found in extract(text)] == ["negative"]


@pytest.mark.parametrize(
    ("text", "side"),
    [
        ("There's nothing I dread more than phone calls", None),
        ("Vegan cheese tastes nothing like the real thing", None),
    ],
)
def test_nothing_like_it_is_no_praise_where_somebody_dislikes(text, side):
    assert told_sign(text) == side


@pytest.mark.parametrize(
    ("text", "polarity"),
    [
        ("I wouldn't say I like opera", "negative"),
        ("I can't say I like opera", "negative"),
        ("I don't dislike broccoli", "neutral"),
        ("I don't hate the rain", "neutral"),
    ],
)
def test_what_is_denied_is_not_told(extract, text, polarity):
    assert [found.polarity for found in extract(text)] == [polarity]
