"""Choices measured: is the choosing turn found, is the option right, is nothing seen where nothing is chosen."""

from collections.abc import Sequence
from typing import Protocol, cast

from prefmem_pg.evaluation.chunks import read_turns
from prefmem_pg.evaluation.metrics import overlap_f1
from prefmem_pg.evaluation.records import ChoiceAnswer, ChoiceDialog
from prefmem_pg.providers.offline.choice_signals import ChoiceSignal
from prefmem_pg.providers.protocols import PreferenceExtractor

Numbers = dict[tuple[str, str], list[float]]
"""Single numbers by (group, metric)."""


class _ReadsChoices(Protocol):
    def read_choice(self, offer: str, answer: str) -> ChoiceSignal | None: ...


def reads_choices(extractor: PreferenceExtractor) -> bool:
    """Say whether an extractor tells choices from statements; others show them as candidates, if at all."""
    return hasattr(extractor, "read_choice")


def measure_dialog(row: ChoiceDialog, extractor: PreferenceExtractor) -> Numbers:
    """Compare what the choosing turn takes with the aligned option; {} when the row has no choosing turn.

    The option is right when what is taken shares most words with it: options are worded anew by the data's authors.
    """
    place = row.choosing_turn
    if place is None:
        return {}
    if reads_choices(extractor):
        offer = row.turns[place - 1].content if place else ""
        signal = cast(_ReadsChoices, extractor).read_choice(offer, row.turns[place].content)
        said = list(signal.decided) if signal is not None and signal.choice.chosen else []
    else:
        said = [candidate.statement for candidate in read_turns(extractor, row.id, row.turns)[place]]
    numbers: Numbers = {("choices", "choosing_turn_found"): [float(bool(said))]}
    if said:
        best = _closest(" ".join(said), row.options)
        numbers["choices", "option_right_when_found"] = [float(best == row.aligned)]
    return numbers


def measure_answer(row: ChoiceAnswer, extractor: PreferenceExtractor) -> Numbers:
    """Compare an answer's places with the label; {} for an extractor that does not read choices."""
    if not reads_choices(extractor):
        return {}
    signal = cast(_ReadsChoices, extractor).read_choice(row.offer, row.answer)
    group = f"choices/{row.language}"
    if not row.chosen and not row.refused:
        return {(group, "called_a_choice_when_none"): [float(signal is not None)]}
    chosen, refused = ((), ()) if signal is None else (signal.choice.chosen, signal.choice.refused)
    right = chosen == row.chosen and set(row.refused) <= set(refused)
    return {(group, "choosing_turn_found"): [float(signal is not None)], (group, "option_right"): [float(right)]}


def _closest(said: str, options: Sequence[str]) -> str:
    return max(options, key=lambda option: overlap_f1(said, option), default="")
