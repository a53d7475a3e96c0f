"""Messages put together from lines of the corpus: what is told beside a question or behind a label, and what is not."""

import random
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from training.corpus import LANGUAGES, Example

SEED: Final = 11
SHARE: Final = 0.01
"""Of a writer's lines, how many messages of each form are made. More of them, or others' tastes beside the user's own,
and the model forgets that what stands around a sentence may take it back."""
MOST_CHARACTERS: Final = {"en": 160, "zh": 60}
"""Of a line that is put beside another: longer ones are messages of their own."""
LABELS: Final = {
    "en": ("FYI: ", "FYI, ", "Note: ", "btw ", "By the way, ", "Just so you know, ", "Heads up: ", "PS: ",
           "For the record, ", "One more thing: ", "Also, ", "Reminder: "),
    "zh": ("顺便说一下，", "备注：", "记一下：", "提醒一下，", "另外，", "对了，", "补充一句：", "说明一下，", "PS：",
           "跟你说一声，"),
}  # fmt: skip
_ASKS: Final = ("question", "task")
_OTHERS: Final = ("other",)
_IDLE: Final = ("event", "small", "reaction", "plan", "story", "today", "past")


def composed(examples: Sequence[Example]) -> list[Example]:
    """Return messages of two lines, or of a label and a line, of the same writer; always the same ones.

    A message holds what its own part holds, whatever stands beside it; one of two parts that hold nothing, nothing.
    """
    chance = random.Random(SEED)
    by_writer: dict[tuple[str, str], list[Example]] = defaultdict(list)
    for example in examples:
        short = len(example.text) <= MOST_CHARACTERS[example.language] and not example.before
        if short and not (example.holds and example.register == "question"):
            by_writer[example.language, example.part].append(example)
    found = [one for lines in by_writer.values() for one in _of_writer(lines, chance)]
    return sorted(found, key=lambda one: LANGUAGES.index(one.language))


def _of_writer(lines: Sequence[Example], chance: random.Random) -> Iterator[Example]:
    holds = [one for one in lines if one.holds]
    asks, others, idle = (
        [one for one in lines if not one.holds and one.register.split()[0] in names]
        for names in (_ASKS, _OTHERS, _IDLE)
    )
    count = round(SHARE * len(lines))
    pairs = [(holds, asks), (asks, holds), (others, asks), (asks, others), (idle, idle), (others, idle)]
    for first, second in pairs:
        if not first or not second:
            continue
        for _ in range(count):
            one, two = chance.choice(first), chance.choice(second)
            if one is not two:
                told = one if one.holds else two if two.holds else one if one.register not in _ASKS else two
                yield replace(told, text=_joined(one.text, two.text, one.language, chance), register=_named(told))
    for pool in (holds, idle + others):
        for _ in range(count if pool else 0):
            one = chance.choice(pool)
            yield replace(one, text=chance.choice(LABELS[one.language]) + one.text, register=_named(one))


def _named(told: Example) -> str:
    """Return the register: what holds something is "composed", what does not keeps its reason."""
    return "composed" if told.holds else told.register


def _joined(first: str, second: str, language: str, chance: random.Random) -> str:
    first, is_ended = first.strip(), first.rstrip()[-1:] in ".!?…。！？~"
    if language == "zh":
        return first + ("" if is_ended else chance.choice("，。，")) + second
    if is_ended:
        return f"{first} {second}"
    return first + chance.choice((". ", ", ", " ")) + second
