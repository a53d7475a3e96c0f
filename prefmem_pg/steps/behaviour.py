"""What the user asks for again and again: requests about the way of answering, in English and Chinese. Pure."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from prefmem_pg.db.upkeep import Said
from prefmem_pg.domain.preferences import Candidate, EvidenceSpan
from prefmem_pg.domain.text import detect_language
from prefmem_pg.providers.offline.mask import mask

DIALOGS: Final = 2
"""In how many dialogs a user must do the same before it counts as a habit."""
MAX_REQUEST_CHARACTERS: Final = 200
"""Longer messages speak of other things than the way of answering."""
BEHAVIOUR: Final = "behaviour"
"""The tag of what was seen in what a user does, not said by them."""
CONFIDENCE: Final = 0.6

_I = re.IGNORECASE


@dataclass(frozen=True, slots=True, kw_only=True)
class Habit:
    """A request that may be a habit: how it is recognised, what it shows, and the setting that makes it needless.

    ``words`` are pieces of which every match holds one: a cheap search before the pattern.
    """

    name: str
    pattern: re.Pattern[str]
    words: tuple[str, ...]
    statements: tuple[str, str]
    setting: str | None = None

    def statement(self, language: str) -> str:
        return self.statements[1] if language == "zh" else self.statements[0]


HABITS: Final = (
    Habit(
        name="shorter answers",
        pattern=re.compile(
            r"\b(?:shorter|more (?:briefly|concise\w*)|less wordy|in (?:one|a) (?:sentence|line)|tl;?dr"
            r"|summari[sz]e (?:it|that|this)|too long)\b|短一?[点些]|简短|简洁|一句话|太长|精简|长话短说",
            _I,
        ),
        words=(
            "shorter",
            "brief",
            "concise",
            "wordy",
            "sentence",
            "line",
            "tl",
            "summari",
            "too long",
            "短",
            "简洁",
            "一句话",
            "太长",
            "精简",
        ),
        statements=("Asks for shorter answers again and again", "多次要求回答更简短"),
        setting="detail_level",
    ),
    Habit(
        name="longer answers",
        pattern=re.compile(
            r"\b(?:more detail\w*|elaborate|longer|go deeper|in depth)\b|详细|再展开|具体一?[点些]|多说一?[点些]", _I
        ),
        words=("detail", "elaborate", "longer", "deeper", "depth", "详细", "展开", "具体", "多说"),
        statements=("Asks for more detailed answers again and again", "多次要求回答更详细"),
        setting="detail_level",
    ),
    Habit(
        name="tables",
        pattern=re.compile(r"\b(?:as|in|into) a table\b|\btabulate\b|表格", _I),
        words=("table", "tabulate", "表格"),
        statements=("Asks for answers in tables again and again", "多次要求用表格回答"),
        setting="prefer_table",
    ),
    Habit(
        name="lists",
        pattern=re.compile(r"\bbullet (?:points?|list)\b|\bas a list\b|分点|列表|列个清单|列清单", _I),
        words=("bullet", "list", "分点", "列表", "清单"),
        statements=("Asks for answers as lists again and again", "多次要求分点列出回答"),
    ),
    Habit(
        name="code",
        pattern=re.compile(
            r"\b(?:show|give) me (?:the |some )?code\b|\bwith (?:a )?code example\b|给(?:我)?(?:个|一段)?代码|代码示例",
            _I,
        ),
        words=("code", "代码"),
        statements=("Asks for code in answers again and again", "多次要求回答附上代码"),
    ),
    Habit(
        name="examples",
        pattern=re.compile(r"\b(?:an|another|with|some|for) examples?\b|举(?:个|几个)?例|例子", _I),
        words=("example", "举", "例子"),
        statements=("Asks for examples in answers again and again", "多次要求回答举例说明"),
    ),
    Habit(
        name="plain words",
        pattern=re.compile(
            r"\b(?:simpler|in plain (?:english|words)|like i'?m five|eli5)\b|通俗|简单一?点说|说人话|白话", _I
        ),
        words=("simpler", "plain", "five", "eli5", "通俗", "简单", "说人话", "白话"),
        statements=("Asks for plainer words again and again", "多次要求用更通俗的话解释"),
    ),
)

WORDS: Final = tuple(sorted({word for habit in HABITS for word in habit.words}))


def find_habits(said: Sequence[Said], settled: Iterable[str]) -> list[Candidate]:
    """Return implicit candidates for what the user asked for in at least two dialogs, with all its evidence.

    ``settled`` are the settings that the user has stated: what is said needs no guess.
    """
    known = frozenset(settled)
    found = []
    for habit in HABITS:
        if habit.setting in known:
            continue
        spans = [(message, match) for message in said if (match := habit.pattern.search(mask(message.content)))]
        if len({message.dialog_id for message, _ in spans}) < DIALOGS:
            continue
        last = spans[-1][0]
        language = detect_language(" ".join(message.content for message, _ in spans))
        found.append(
            Candidate(
                statement=habit.statement(language),
                kind="implicit",
                language=language,
                topic="communication",
                tags=(BEHAVIOUR,),
                context=f"{len(spans)}×: “{last.content.strip()}”",
                confidence=CONFIDENCE,
                evidence=tuple(
                    EvidenceSpan(
                        message_id=message.message_id,
                        start=match.start(),
                        end=match.end(),
                        quote=message.content[match.start() : match.end()],
                    )
                    for message, match in spans
                ),
                valid_from=spans[0][0].occurred_at,
                dialog_id=last.dialog_id,
            )
        )
    return found
