"""Statements about the taste of the user's animal ("my cat hates dogs"), which is not the user's own."""

import re
from typing import Final

PET: Final = "my_pet"
"""The person that an animal counts as."""

_ENGLISH: Final = re.compile(
    r"^\W*(?:my|our)\s(?:\w+\s)?(?:cat|dog|puppy|kitten|parrot|rabbit|hamster|horse|bird|pet)s?\s"
    r"(?:(?:really|absolutely|just|always|only|never)\s)*"
    r"(?:loves?|likes?|hates?|enjoys?|prefers?|dislikes?|adores?|eats?|fears?|can['’]?t|cannot|do(?:es)?(?:n['’]t| not)"
    r"|(?:is|are) (?:afraid|scared|allergic|fond))\b",
    re.IGNORECASE,
)
_CHINESE: Final = re.compile(
    "^(?:我家|我们家|我的|我养的)(?:的)?(?:那?只)?小?(?:猫咪|猫|狗狗|狗|兔子|鹦鹉|仓鼠|宠物)"
    "(?:也|都|就|很|最|特别|非常|超|一直|从来)*(?:不?喜欢|不?爱|讨厌|怕|害怕|恨|只吃|不吃|受不了|不能)"
)


def speaks_for_pet(text: str) -> bool:
    """Say whether an animal of the user's is the one who likes, dislikes or fears."""
    return bool(_ENGLISH.match(text) or _CHINESE.match(text))
