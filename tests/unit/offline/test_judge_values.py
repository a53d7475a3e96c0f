"""The offline judge on values: which replace each other, which live side by side, and whose taste it is."""

import pytest

from prefmem_pg.domain.preferences import Relation
from prefmem_pg.providers.offline.judge import OfflineJudge
from prefmem_pg.providers.protocols import Comparison, Statement


def relation(existing: str, candidate: str) -> Relation:
    comparison = Comparison(candidate=Statement(text=candidate), existing=Statement(text=existing), similarity=0.97)
    return OfflineJudge().compare([comparison])[0].relation


PLAIN_LIKINGS = [
    ("I like ebooks", "I like printed books"),
    ("I like tea", "I like coffee"),
    ("I love cats", "I love dogs"),
    ("I enjoy night markets", "我喜欢早起"),
    ("I love spicy food", "I love mild food"),
    ("我喜欢电子书", "我喜欢纸质书"),
    ("我喜欢热闹", "我喜欢安静"),
    ("我喜欢茶", "我喜欢咖啡"),
    ("我爱吃甜的", "我爱吃咸的"),
]


@pytest.mark.parametrize(("existing", "candidate"), PLAIN_LIKINGS)
def test_two_plain_likings_live_side_by_side(existing: str, candidate: str) -> None:
    assert relation(existing, candidate) == "different"
    assert relation(candidate, existing) == "different"


CHOICES = [
    ("I like ebooks", "I prefer printed books"),
    ("I only drink tea", "I only drink coffee"),
    ("I want a quiet room", "I want a lively room"),
    ("I want the top bunk", "I want the bottom bunk"),
    ("I want a window seat", "I want an aisle seat"),
    ("My favourite flower is the tulip", "My favourite flower is the orchid"),
    ("My favorite snack is popcorn", "My favorite snack is zorbles"),
    ("I support Everton", "I support Millwall now"),
    ("I shop for groceries on Saturdays", "I shop for groceries on Wednesdays"),
    ("I'm left-handed", "I'm right-handed"),
    ("我喜欢电子书", "我更喜欢纸质书"),
    ("我只喝茶", "我只喝咖啡"),
    ("我要上铺", "我要下铺"),
    ("我要靠窗的位子", "我要靠过道的位子"),
    ("我最喜欢的花是郁金香", "我最喜欢的花是绣球"),
    ("我支持国安队", "我现在支持申花队了"),
    ("我一般周六去超市买菜", "我一般周三去超市买菜"),
    ("我是左撇子", "我是右撇子"),
]


@pytest.mark.parametrize(("existing", "candidate"), CHOICES)
def test_a_choice_among_alternatives_replaces_the_one_before(existing: str, candidate: str) -> None:
    assert relation(existing, candidate) == "changed"


@pytest.mark.parametrize(
    ("existing", "candidate"),
    [
        ("I buy only fair-trade cocoa", "I don't care whether cocoa is fair trade"),
        ("我只买有机蔬菜", "有没有有机认证我都无所谓"),
        ("I don't eat onions", "Onions make no difference to me"),
        ("我不吃香菜", "香菜我都行"),
    ],
)
def test_not_to_mind_any_more_is_a_change(existing: str, candidate: str) -> None:
    assert relation(existing, candidate) == "changed"


@pytest.mark.parametrize(
    ("existing", "candidate"),
    [
        ("I hate dogs", "My cat hates dogs"),
        ("I love carrots", "Our old rabbit loves carrots"),
        ("I love dogs", "My cat can't stand dogs"),
        ("我讨厌狗", "我家猫讨厌狗"),
        ("我喜欢胡萝卜", "我的兔子很喜欢胡萝卜"),
        ("我喜欢狗", "我们家的小猫怕狗"),
    ],
)
def test_the_taste_of_an_animal_is_not_the_users(existing: str, candidate: str) -> None:
    assert relation(existing, candidate) == "unsure"


@pytest.mark.parametrize("text", ["My cat is called Tom", "My dogs are my joy", "我家猫叫小白", "我的狗三岁"])
def test_a_fact_about_an_animal_is_the_users_own_statement(text: str) -> None:
    assert relation(text, f"{text}, 😀") in ("same", "richer")


@pytest.mark.parametrize(
    ("existing", "candidate"),
    [("My favourite sweet is liquorice", "My favourite sweet is licorice"), ("我最爱的花是绣球花", "我最爱的花是绣球")],
)
def test_another_spelling_of_a_value_is_no_change(existing: str, candidate: str) -> None:
    assert relation(existing, candidate) != "changed"


@pytest.mark.parametrize(
    ("existing", "candidate", "expected"),
    [
        ("请把回答控制在200字以内", "请把回答写到至少200字", "changed"),
        ("请把回答控制在200字以内", "回答不超过200字", "same"),
        ("预算限制在三千元以内", "预算最多3000元", "same"),
        ("Keep answers under 200 words", "Answers limited to 200 words", "same"),
        ("Answers limited to 200 words", "Answers of at least 200 words", "changed"),
    ],
)
def test_to_keep_something_within_a_number_is_an_upper_bound(existing: str, candidate: str, expected: Relation) -> None:
    assert relation(existing, candidate) == expected


@pytest.mark.parametrize(
    ("existing", "candidate"),
    [
        ("家里的打印机我用墨仓式的", "公司的打印机我用墨仓式的"),
        ("我在家喝红茶", "我在单位里喝红茶"),
        ("I listen to jazz at home", "I listen to jazz in the office"),
    ],
)
def test_what_holds_at_home_and_at_work_stays_two(existing: str, candidate: str) -> None:
    assert relation(existing, candidate) not in ("same", "richer")
    assert relation(candidate, existing) not in ("same", "richer")
