"""Extraction measured: which turns hold a preference, and how close what was found is to the labels. No database."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from prefmem_pg.domain.evaluations import Evaluation, Outcome
from prefmem_pg.domain.preferences import Candidate
from prefmem_pg.domain.text import detect_language
from prefmem_pg.errors import InvalidInput
from prefmem_pg.evaluation.choices import measure_answer, measure_dialog
from prefmem_pg.evaluation.chunks import read_turns
from prefmem_pg.evaluation.datasets import Dataset
from prefmem_pg.evaluation.matching import score_labels
from prefmem_pg.evaluation.metrics import Counts, count, mean, overlap_f1
from prefmem_pg.evaluation.prefiltering import Prefilter, PrefilterCounts
from prefmem_pg.evaluation.records import (
    ChoiceAnswer,
    ChoiceDialog,
    LabelledDialog,
    PersonaDialog,
    Row,
    StatedPreference,
    Turn,
)
from prefmem_pg.providers.protocols import PreferenceExtractor

TURNS: Final = "turns"
TURNS_WITH_GOALS: Final = "turns with goals"
"""PrefEval is labelled for tastes alone, and a wish in a question ("I want to see Kyoto, which month?") is a goal by
contract: there the first group leaves goals out, the second counts them. Labelled dialogs have goals among their
labels, and one group."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """What one row gave: its outcome, decisions on turns by group, and single numbers by (group, metric)."""

    outcome: Outcome
    turns: dict[str, Counts]
    numbers: dict[tuple[str, str], list[float]]


def evaluate_extraction(
    dataset: Dataset,
    extractor: PreferenceExtractor,
    *,
    prefilter: Prefilter | None = None,
    on_progress: Callable[[int], None] = lambda _: None,
) -> Evaluation:
    """Run the extractor over a dataset and compare with its labels. ``on_progress`` gets the number of rows done.

    With a ``prefilter`` the same turns are also put to it, and what it keeps and drops is a group of its own.

    Measures what the format can tell: turns that hold a preference (precision, recall, F1), for choices whether the
    choosing turn is found and the option right, for labelled dialogs also statements, polarity and quotes. What the
    extractor does not do at all is said in ``notes`` and left out of the metrics, never counted as a zero.
    """
    started_at = datetime.now(UTC)
    measured: list[Measured] = []
    counts = PrefilterCounts(prefilter) if prefilter else None
    for row in dataset.rows:
        measured.append(_measure(row, extractor))
        if counts:
            counts.add(row)
        on_progress(1)
    metrics, notes = aggregate(measured)
    if counts:
        metrics |= counts.metrics()
    return Evaluation(
        task="extraction",
        dataset=dataset.name,
        configuration={"extractor": f"{extractor.name} {extractor.version}", "model": extractor.model},
        metrics=metrics,
        outcomes=tuple(item.outcome for item in measured),
        started_at=started_at,
        finished_at=datetime.now(UTC),
        notes=notes,
    )


def aggregate(measured: Sequence[Measured]) -> tuple[dict[str, dict[str, float | int]], tuple[str, ...]]:
    """Return the metrics by group, and notes on what the extractor does not support."""
    turns: dict[str, Counts] = defaultdict(Counts)
    numbers: dict[tuple[str, str], list[float]] = defaultdict(list)
    for item in measured:
        for group, counts in item.turns.items():
            turns[group] = turns[group].plus(counts)
        for key, values in item.numbers.items():
            numbers[key] += values
    metrics = {group: counts.scores() for group, counts in turns.items()}
    notes = []
    for (group, metric), values in numbers.items():
        if not values:
            continue
        if group == "choices" and not any(numbers[group, "choosing_turn_found"]):
            notes = [f"choices: not supported, the extractor found nothing in {len(values)} choosing turns"]
            continue
        scores = metrics.setdefault(group, {})
        if "found" not in scores:
            scores["n"] = max(len(values), scores.get("n", 0))
        scores[metric] = mean(values)
    in_order = sorted(metrics.items(), key=lambda item: (item[0].startswith("note: "), item[0]))
    return dict(in_order), tuple(notes)


def _measure(row: Row, extractor: PreferenceExtractor) -> Measured:
    if isinstance(row, StatedPreference):
        return _stated(row, extractor)
    if isinstance(row, PersonaDialog):
        return _persona(row, extractor)
    if isinstance(row, ChoiceDialog):
        return _choice(row, extractor)
    if isinstance(row, ChoiceAnswer):
        return _answer(row, extractor)
    if isinstance(row, LabelledDialog):
        return _labelled(row, extractor)
    raise InvalidInput(f"extraction cannot be measured on rows of {type(row).__name__}")


def _stated(row: StatedPreference, extractor: PreferenceExtractor) -> Measured:
    """The preference is one user turn, the question a neutral turn on the same subject after it."""
    turns = (Turn(role="user", content=row.preference), Turn(role="user", content=row.question))
    found = read_turns(extractor, row.id, turns)
    best = max((overlap_f1(candidate.statement, row.preference) for candidate in found[0]), default=None)
    return Measured(
        outcome=Outcome(question_id=row.id, category=row.topic, details=_kinds(found)),
        turns=_decisions(found, expected=(True, False)),
        numbers={("statements", "overlap"): [] if best is None else [best]},
    )


def _persona(row: PersonaDialog, extractor: PreferenceExtractor) -> Measured:
    """Without the weak label nothing is known of the row, so only rows that have one are counted."""
    if row.preference_turn is None:
        return Measured(outcome=Outcome(question_id=row.id, category=row.topic, details={}), turns={}, numbers={})
    places = [place for place, turn in enumerate(row.turns) if turn.role == "user"]
    found = read_turns(extractor, row.id, row.turns)
    expected = [place == row.preference_turn for place in places]
    return Measured(
        outcome=Outcome(question_id=row.id, category=row.topic, details=_kinds(found)),
        turns=_decisions([found[place] for place in places], expected=expected),
        numbers={},
    )


def _choice(row: ChoiceDialog, extractor: PreferenceExtractor) -> Measured:
    outcome = Outcome(question_id=row.id, category=row.topic, details={})
    return Measured(outcome=outcome, turns={}, numbers=measure_dialog(row, extractor))


def _answer(row: ChoiceAnswer, extractor: PreferenceExtractor) -> Measured:
    outcome = Outcome(question_id=row.id, category=row.language, details={})
    return Measured(outcome=outcome, turns={}, numbers=measure_answer(row, extractor))


def _labelled(row: LabelledDialog, extractor: PreferenceExtractor) -> Measured:
    found = read_turns(extractor, row.id, row.turns)
    turns: dict[str, Counts] = defaultdict(Counts)
    numbers: dict[tuple[str, str], list[float]] = defaultdict(list)
    language = detect_language(" ".join(turn.content for turn in row.turns if turn.role == "user"))
    wrong: dict[str, str] = {}
    for turn, candidates in zip(row.turns, found, strict=True):
        labels = row.labels.get(turn.external_id)
        if turn.role != "user" or labels is None:
            continue
        counts = count(expected=bool(labels), found=bool(candidates))
        if counts.false or counts.missed:
            wrong[turn.external_id] = "false" if counts.false else "missed"
        statements = score_labels(labels, candidates)
        for name in (language, "all"):
            turns[f"{name}/turns"] = turns[f"{name}/turns"].plus(counts)
            turns[f"{name}/statements"] = turns[f"{name}/statements"].plus(statements.counts)
            for metric, values in statements.numbers.items():
                numbers[f"{name}/statements", metric] += values
        for note in row.notes.get(turn.external_id, "").split("; "):
            turns[f"note: {note or 'none'}"] = turns[f"note: {note or 'none'}"].plus(counts)
    return Measured(
        outcome=Outcome(question_id=row.id, category=language, details={"wrong_turns": wrong}),
        turns=dict(turns),
        numbers=dict(numbers),
    )


def _decisions(found: Sequence[Sequence[Candidate]], *, expected: Sequence[bool]) -> dict[str, Counts]:
    totals = {TURNS: Counts(), TURNS_WITH_GOALS: Counts()}
    for candidates, is_expected in zip(found, expected, strict=True):
        no_goals = any(candidate.kind != "goal" for candidate in candidates)
        totals[TURNS] = totals[TURNS].plus(count(expected=is_expected, found=no_goals))
        totals[TURNS_WITH_GOALS] = totals[TURNS_WITH_GOALS].plus(count(expected=is_expected, found=bool(candidates)))
    return totals


def _kinds(found: Sequence[Sequence[Candidate]]) -> dict[str, list[str]]:
    """Return the kinds that were found by place of the turn; as JSON, without any text."""
    return {str(place): [candidate.kind for candidate in candidates] for place, candidates in enumerate(found)}
