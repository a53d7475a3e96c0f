"""The offline judge: duplicates, additions, changes of mind, and what it must keep apart."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prefmem_pg.domain.preferences import Polarity, Verdict
from prefmem_pg.providers.offline.judge import OfflineJudge
from prefmem_pg.providers.protocols import Comparison, Judge, Statement


def judged(existing: str, candidate: str, *, similarity: float | None = None) -> Verdict:
    comparison = Comparison(
        candidate=Statement(text=candidate), existing=Statement(text=existing), similarity=similarity
    )
    return OfflineJudge().compare([comparison])[0]


SAME = [
    ("The user likes tea", "The user likes tea"),
    ("I take the bus to work", "i take the bus to work!!"),
    ("I don’t like olives.", "I do not like olives, as I mentioned"),
    ("I never eat lamb.", "Lamb? I never eat it."),
    ("Please write in a formal tone", "Be formal, please"),
    ("I'm not a fan of documentaries", "I don't enjoy documentaries"),
    ("I avoid dairy", "I can't have dairy"),
    ("I prefer trains to planes", "Compared to flying, I'd rather take the train"),
    ("I use dark mode", "I don't use light mode"),
    ("I don't dislike techno", "I like techno"),
    ("No calls before 9 am, please", "Only call me after 9:00 am"),
    ("Skip the small talk", "Please don't do chit-chat"),
    ("I like café terraces", "I like cafe\u0301 terraces"),
    ("我喜欢喝茶", "本人喜歡喝茶哦"),
    ("我不吃羊肉。", "羊肉我从来不碰"),
    ("我爱吃火锅", "火锅是我的最爱😋"),
    ("请用正式的语气", "语气要正式"),
    ("下午三点后再打电话", "下午3点之后打电话"),
    ("我讨厌排队", "排队让我很烦"),
    ("我坐飞机要靠过道", "飞机上我喜欢走道的座位"),
    ("我用ＶＩＭ写代码", "我用 Vim 写代码"),
    ("I don't eat lamb", "我不吃羊肉"),
    ("我喜欢猫胜过狗", "I prefer cats over dogs"),
    ("I'm afraid of spiders", "我怕蜘蛛"),
    ("I love hotpot 🔥", "我超爱火锅"),
]


@pytest.mark.parametrize(("existing", "candidate"), SAME)
def test_the_same_in_other_words_is_the_same_in_both_directions(existing: str, candidate: str) -> None:
    assert judged(existing, candidate).relation == "same"
    assert judged(candidate, existing).relation == "same"


@pytest.mark.parametrize(
    ("existing", "candidate"),
    [
        ("I like jazz", "I like jazz and blues"),
        ("I don't eat pork", "I don't eat pork or shellfish"),
        ("I enjoy swimming", "I enjoy swimming in the sea during holidays"),
        ("I avoid caffeine", "I avoid caffeine because of my heart"),
        ("I avoid caffeine", "I avoid caffeine; it ruins my sleep"),
        ("我喜欢爵士乐", "我喜欢爵士乐和民谣"),
        ("我不吃猪肉", "我不吃猪肉和贝类"),
        ("我喜欢游泳", "我喜欢游泳，还喜欢潜水"),
    ],
)
def test_the_same_with_an_addition_is_richer(existing: str, candidate: str) -> None:
    assert judged(existing, candidate).relation == "richer"


CHANGED = [
    ("I want a window seat", "I want an aisle seat"),
    ("Remind me at 8 pm", "Remind me at 9 pm"),
    ("I swim 2 km a day", "I swim three km a day"),
    ("I use dark mode", "I switched to light mode"),
    ("I love Chinese food", "I hate Chinese food"),
    ("I love techno", "I used to love techno but now I can't stand it"),
    ("I like coffee", "I drink tea now, no longer coffee"),
    ("I like coffee", "Tea, not coffee"),
    ("I prefer tea to coffee", "I prefer coffee to tea"),
    ("My favourite drink is cola", "My favourite drink is coffee"),
    ("I'm a vegetarian", "I eat beef every week"),
    ("I never eat breakfast", "I always eat breakfast"),
    ("I sometimes go running", "I go running every day"),
    ("I'm allergic to walnuts", "I'm no longer allergic to walnuts"),
    ("I live in Oslo", "I live in Lyon"),
    ("I prefer cats", "I prefer dogs"),
    ("Flights don't bother me", "I dread flights"),
    ("No emoji in replies", "Use emoji in replies"),
    ("我要靠窗的座位", "我要靠过道的座位"),
    ("晚上八点提醒我", "晚上九点提醒我"),
    ("我习惯早起", "我习惯晚起"),
    ("我爱喝咖啡", "我戒咖啡了"),
    ("我爱喝咖啡", "我现在喝茶，不再喝咖啡"),
    ("我喜欢甜粽子", "我喜欢咸粽子"),
    ("我是素食者", "我现在吃牛肉了"),
    ("我对坚果过敏", "我对坚果不过敏了"),
    ("我从不吃早餐", "我每天都吃早餐"),
    ("我喜欢瑜伽胜过跑步", "我喜欢跑步胜过瑜伽"),
    ("我住在广州", "我住在成都"),
    ("预算八百元以内", "预算五百元以内"),
    ("回复里加点表情", "回复里不要表情"),
    ("I use dark mode", "请用浅色模式"),
    ("我不吃海鲜", "I love seafood"),
]


@pytest.mark.parametrize(("existing", "candidate"), CHANGED)
def test_the_opposite_or_another_value_is_a_change_of_mind_and_so_is_the_way_back(
    existing: str, candidate: str
) -> None:
    assert judged(existing, candidate, similarity=0.99).relation == "changed"
    assert judged(candidate, existing, similarity=0.99).relation == "changed"


KEPT_APART = [
    ("I like jazz", "I like jazz dance"),
    ("I like coffee", "I like coffee shops"),
    ("I like green tea", "I like green apples"),
    ("My wife loves techno", "I love techno"),
    ("I have a dog", "I love dogs"),
    ("I own an iPhone 15", "I own an iPhone 16"),
    ("I love 🍕", "I love 🍣"),
    ("I want code in Rust", "I want code in Haskell"),
    ("I drink coffee in the morning", "I drink tea in the evening"),
    ("I don't like early meetings", "I don't like late meetings"),
    ("I don't drink coffee", "I don't drink coffee after lunch"),
    ("I enjoy watching tennis", "I enjoy playing tennis"),
    ("I bought a red car", "I bought a red dress"),
    ("我喜欢听相声", "我喜欢写相声"),
    ("我喜欢看篮球", "我喜欢打篮球"),
    ("I have a nut allergy", "I love nuts"),
    ("I want to visit Korea", "I like Korean food"),
    ("我喜欢咖啡", "我喜欢咖啡馆"),
    ("我喜欢绿茶", "我喜欢红茶"),
    ("我老婆喜欢摇滚", "我喜欢摇滚"),
    ("我养了一只狗", "我喜欢狗"),
    ("我喜欢吃藕", "我喜欢吃笋"),
    ("我对花粉过敏", "我对猫毛过敏"),
    ("我不喜欢吵的音乐", "我不喜欢吵的人"),
    ("我想去冰岛旅游", "我喜欢冰岛"),
    ("I love Paris", "我住在巴黎"),
]


@pytest.mark.parametrize(("existing", "candidate"), KEPT_APART)
def test_neighbours_are_never_merged_nor_superseded(existing: str, candidate: str) -> None:
    assert judged(existing, candidate, similarity=0.99).relation in ("different", "unsure")


def test_b02_identical_text_is_the_same_with_full_certainty() -> None:
    assert judged("xqzt 42 🎈 随便", "XQZT  42 🎈 随便") == Verdict(
        relation="same", reason="the same words", certainty=1.0
    )


@pytest.mark.parametrize(
    "paraphrase",
    [
        "I prefer an interval of two seconds",
        "A 2 second interval is what I prefer",
        "I'd like a 2-second interval, please",
        "the interval should be 2 seconds",
    ],
)
def test_b09_paraphrases_of_one_statement_are_the_same(paraphrase: str) -> None:
    assert judged("I prefer a 2-second interval", paraphrase).relation == "same"


def test_b53_a_reverted_value_is_a_change_each_time() -> None:
    cola, coffee = "最喜欢的饮料是可乐", "最喜欢的饮料是咖啡"
    assert [judged(cola, coffee).relation, judged(coffee, cola).relation] == ["changed", "changed"]


def test_b62_composed_and_decomposed_letters_are_the_same() -> None:
    assert judged("I like the Café Zoë", "I like the Cafe\u0301 Zoe\u0308").relation == "same"


def test_an_allergy_is_never_taken_back_by_a_taste() -> None:
    assert judged("I'm allergic to peanuts", "I love peanuts").relation == "unsure"
    assert judged("我对花生过敏", "我爱吃花生").relation == "unsure"


def test_close_vectors_alone_merge_nothing() -> None:
    assert judged("I like zorbing", "I like quidditch", similarity=0.999).relation == "unsure"


def test_each_verdict_has_a_reason_that_names_the_point() -> None:
    assert "dark → light color" in judged("I use dark mode", "I use light mode").reason
    assert "20:00 → 21:00" in judged("Call me at 8 pm", "Call me at 9 pm").reason


@pytest.mark.parametrize(
    ("existing_polarity", "candidate_polarity", "expected"),
    [("positive", "negative", "changed"), ("positive", "positive", "same"), ("positive", "neutral", "same")],
)
def test_declared_opposite_polarity_is_never_a_duplicate(
    existing_polarity: Polarity, candidate_polarity: Polarity, expected: str
) -> None:
    comparison = Comparison(
        existing=Statement(text="Documentaries about whales", polarity=existing_polarity),
        candidate=Statement(text="Documentaries about whales!", polarity=candidate_polarity),
    )
    assert OfflineJudge().compare([comparison])[0].relation == expected


def test_verdicts_come_in_the_order_of_the_questions() -> None:
    texts = ["I love techno", "I hate techno", "I like green apples"]
    comparisons = [Comparison(candidate=Statement(text=t), existing=Statement(text="I love techno")) for t in texts]
    assert [v.relation for v in OfflineJudge().compare(comparisons)] == ["same", "changed", "different"]


def test_the_judge_fits_its_seam_and_answers_nothing_to_nothing() -> None:
    judge = OfflineJudge()
    assert isinstance(judge, Judge)
    assert (judge.name, judge.version) == ("offline", "6")
    assert list(judge.compare([])) == []


ANY_TEXT = st.text(max_size=60) | st.lists(
    st.sampled_from(
        ["I", "don't", "like", "tea", "10", "pm", "不", "喜欢", "两点", "前", "😀", "#c", "#n5", "free", ".", "，"]
    ),
    max_size=12,
).map(" ".join)


@given(ANY_TEXT, ANY_TEXT, st.none() | st.floats(-1, 1))
def test_any_two_texts_have_a_verdict(existing: str, candidate: str, similarity: float | None) -> None:
    verdict = judged(existing, candidate, similarity=similarity)
    assert 0 <= verdict.certainty <= 1
    assert verdict.reason


@given(ANY_TEXT)
def test_any_text_is_the_same_as_itself(text: str) -> None:
    assert judged(text, text).relation == "same"


@pytest.mark.parametrize(
    "text", ["#c1.5 #n5 c#", "万" * 3000, "9" * 4000, "not " * 1000, "我不喜欢" * 1000, "99:99 pm 88点99分"]
)
def test_strange_texts_have_a_verdict_too(text: str) -> None:
    assert judged(text, "I like tea at 10 pm").relation in ("different", "unsure")
    assert judged("我晚上十点喝茶", text).relation in ("different", "unsure")
