"""Traditional characters are read as simplified ones, in their places."""

from prefmem_pg.domain.hanzi import SIMPLIFIED, TRADITIONAL, simplify


def test_both_writings_of_a_text_become_one_of_the_same_length() -> None:
    traditional = "我對花生過敏，喜歡聽爵士樂和喝烏龍茶 🥜 in Taipei 101"
    assert simplify(traditional) == "我对花生过敏，喜欢听爵士乐和喝乌龙茶 🥜 in Taipei 101"
    assert len(simplify(traditional)) == len(traditional)


def test_what_is_simplified_or_no_chinese_stays() -> None:
    for text in ("我对花生过敏", "ASCII only: 101", "", "𠮷野家 🍜"):
        assert simplify(text) == text


def test_each_character_is_read_as_one_that_is_read_as_itself() -> None:
    assert len(TRADITIONAL) == len(SIMPLIFIED) == len(set(TRADITIONAL)) > 2_800
    assert simplify(SIMPLIFIED) == SIMPLIFIED
