"""The pre-filter measured: how many turns with a preference it keeps, and how many neutral ones it drops."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Protocol

from prefmem_pg.domain.messages import Message
from prefmem_pg.domain.text import detect_language
from prefmem_pg.evaluation.chunks import as_messages
from prefmem_pg.evaluation.metrics import mean
from prefmem_pg.evaluation.records import LabelledDialog, PersonaDialog, Row, StatedPreference, Turn


class Prefilter(Protocol):
    """What is measured."""

    def keeps(self, messages: Sequence[Message], language: str | None = None) -> list[bool]:
        """Say for each message whether it may hold a preference."""
        ...


class PrefilterCounts:
    """Counts up row by row; a row without labels of its turns counts for nothing."""

    def __init__(self, prefilter: Prefilter) -> None:
        self._prefilter = prefilter
        self._kept: dict[str, list[float]] = defaultdict(list)
        self._dropped: dict[str, list[float]] = defaultdict(list)

    def add(self, row: Row) -> None:
        """Run the pre-filter over the turns of a row."""
        turns, labels = labelled_turns(row)
        if not labels:
            return
        kept = self._prefilter.keeps(as_messages(row.id, turns))
        for place, holds in labels.items():
            language = detect_language(turns[place].content)
            if holds:
                self._kept[language].append(float(kept[place]))
            else:
                self._dropped[language].append(float(not kept[place]))

    def metrics(self) -> dict[str, dict[str, float | int]]:
        """Return by language the shares of preference turns kept and of neutral turns dropped."""
        found: dict[str, dict[str, float | int]] = {}
        for language in sorted(self._kept.keys() | self._dropped.keys()):
            kept, dropped = self._kept[language], self._dropped[language]
            scores: dict[str, float | int] = {"n": len(kept) + len(dropped)}
            if kept:
                scores["kept"] = mean(kept)
            if dropped:
                scores["neutral_dropped"] = mean(dropped)
            found[f"pre-filter/{language}"] = scores
        return found


def labelled_turns(row: Row) -> tuple[Sequence[Turn], dict[int, bool]]:
    """Return the turns of a row, and for those of the user by place whether they hold a preference."""
    if isinstance(row, StatedPreference):
        turns = (Turn(role="user", content=row.preference), Turn(role="user", content=row.question))
        return turns, {0: True, 1: False}
    if isinstance(row, PersonaDialog) and row.preference_turn is not None:
        places = [place for place, turn in enumerate(row.turns) if turn.role == "user"]
        return row.turns, {place: place == row.preference_turn for place in places}
    if isinstance(row, LabelledDialog):
        labels = {place: row.labels.get(turn.external_id) for place, turn in enumerate(row.turns)}
        return row.turns, {place: bool(found) for place, found in labels.items() if found is not None}
    return (), {}
