"""The polarity of a statement, read from its words."""

from typing import Final

from prefmem_pg.domain.preferences import Polarity
from prefmem_pg.providers.offline.judge_reading import read

_NAMES: Final[dict[int, Polarity]] = {1: "positive", -1: "negative", 0: "neutral"}


def statement_polarity(text: str) -> Polarity:
    """Say whether a statement is for something, against it, or neither; double negation cancels.

    "I can't stand jazz" and "不吃肉" are negative, "I don't mind long flights" is positive, "我住在上海" is neutral.
    A statement with several clauses has the polarity of the first that takes a side.
    """
    reading = read(text)
    if reading.stance:
        return _NAMES[reading.stance]
    return "negative" if reading.items and all(i.sign < 0 for i in reading.strong) else "neutral"
