"""What the user asks for again and again: requests about the way of answering, in English and Chinese. Pure."""

from collections.abc import Iterable, Sequence
from typing import Any, Final

from prefmem_pg.db.upkeep import Said
from prefmem_pg.domain.preferences import Candidate, EvidenceSpan
from prefmem_pg.domain.text import detect_language
from prefmem_pg.providers.offline.mask import mask
from prefmem_pg.steps.habits import HABITS
from prefmem_pg.steps.style import LANGUAGES, settings_in

DIALOGS: Final = 2
"""In how many dialogs a user must ask for the same setting before it counts as a habit."""
MAX_REQUEST_CHARACTERS: Final = 200
"""Longer messages speak of other things than the way of answering."""
BEHAVIOUR: Final = "behaviour"
"""The tag of what was seen in what a user does, not said by them."""
CONFIDENCE: Final = 0.6

_SETTINGS: Final = {
    "language": ("Asks for answers in {value} again and again", "多次要求用{value}回答"),
    "max_length": ("Asks for answers of at most {value} words again and again", "多次要求回答不超过{value}字"),
}
"""Settings that are asked for with a value of their own."""

WORDS: Final = tuple(
    sorted(
        {word for habit in HABITS for word in habit.words}
        | {name for names in LANGUAGES.values() for name in names.split("|")}
        | {"words", "characters", "字"}
    )
)


def find_habits(said: Sequence[Said], settled: Iterable[str]) -> list[Candidate]:
    """Return implicit candidates for what the user asked for again and again, with all its evidence.

    ``settled`` are the settings that the user has stated: what is said needs no guess.
    """
    known = frozenset(settled)
    plain = [(message, mask(message.content)) for message in said]
    found = []
    for habit in HABITS:
        if habit.setting in known:
            continue
        spans = [(message, *match.span()) for message, text in plain if (match := habit.pattern.search(text))]
        if _is_repeated(spans, times=habit.times, dialogs=habit.dialogs):
            found.append(_candidate(spans, habit.statements))
    return found + _find_settings(plain, known)


def _find_settings(plain: Sequence[tuple[Said, str]], known: frozenset[str]) -> list[Candidate]:
    """Find a language or a length that is asked for in several dialogs; of several values the latest habit counts."""
    asked: dict[tuple[str, Any], list[tuple[Said, int, int]]] = {}
    for message, text in plain:
        for key, value in settings_in(text):
            if key in _SETTINGS and key not in known:
                asked.setdefault((key, value), []).append((message, 0, len(message.content)))
    latest: dict[str, Candidate] = {}
    for (key, value), spans in sorted(asked.items(), key=lambda item: item[1][-1][0].occurred_at):
        if _is_repeated(spans, times=2, dialogs=DIALOGS):
            latest[key] = _candidate(spans, _worded(key, value))
    return list(latest.values())


def _worded(key: str, value: Any) -> tuple[str, str]:  # Any: a JSON value
    english, chinese = str(value), str(value)
    if key == "language":
        names = LANGUAGES[value].split("|")
        english = next(name for name in names if name.isascii()).title()
        chinese = next(name for name in names if not name.isascii())
    return _SETTINGS[key][0].format(value=english), _SETTINGS[key][1].format(value=chinese)


def _is_repeated(spans: Sequence[tuple[Said, int, int]], *, times: int, dialogs: int) -> bool:
    return len(spans) >= times and len({message.dialog_id for message, _, _ in spans}) >= dialogs


def _candidate(spans: Sequence[tuple[Said, int, int]], statements: tuple[str, str]) -> Candidate:
    last = spans[-1][0]
    language = detect_language(" ".join(message.content for message, _, _ in spans))
    return Candidate(
        statement=statements[1] if language == "zh" else statements[0],
        kind="implicit",
        language="zh" if language == "zh" else "en",
        topic="communication",
        tags=(BEHAVIOUR,),
        context=f"{len(spans)}×: “{last.content.strip()}”",
        confidence=CONFIDENCE,
        evidence=tuple(
            EvidenceSpan(message_id=m.message_id, start=start, end=end, quote=m.content[start:end])
            for m, start, end in spans
        ),
        valid_from=spans[0][0].occurred_at,
        dialog_id=last.dialog_id,
    )
