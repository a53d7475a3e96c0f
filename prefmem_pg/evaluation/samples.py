"""Dialogs with the labels of what a person found in them: the samples of this package, or files of the same form."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final, cast

from prefmem_pg.domain.messages import ROLES, Role
from prefmem_pg.domain.preferences import KINDS, POLARITIES, Kind, Polarity
from prefmem_pg.domain.text import clean_text
from prefmem_pg.errors import InvalidInput
from prefmem_pg.evaluation.fields import Record, choice_field, optional_text, records_field, text_field
from prefmem_pg.evaluation.lines import read_records
from prefmem_pg.evaluation.records import LabelledDialog, LabelledPreference, Turn
from prefmem_pg.importers.times import parse_time
from prefmem_pg.steps.screen import redact

SAMPLES: Final = "samples"
_FOLDER: Final = Path(__file__).parent.parent / "samples"


def is_labelled(record: Record) -> bool:
    """Say whether this is a dialog in our own format, which has its labels in a file beside."""
    return "user_id" in record and "messages" in record


def read_samples() -> Iterator[LabelledDialog]:
    """Yield the labelled dialogs of this package, English then Chinese."""
    for name in ("en", "zh"):
        yield from read_labelled(_FOLDER / f"{name}.jsonl")


def read_labelled(path: Path) -> Iterator[LabelledDialog]:
    """Yield the dialogs of NAME.jsonl with their labels from NAME.labels.jsonl beside it, a label a line.

    Raises InvalidInput when there are no labels, when a label is of no message, or when its quote is not in it.
    """
    labels_path = path.with_name(f"{path.stem}.labels.jsonl")
    if not labels_path.exists():
        raise InvalidInput(f"{path.name} holds dialogs; to measure them, put their labels into {labels_path.name}")
    labels = {text_field(record, "external_id"): (n, record) for n, record in read_records(labels_path)}
    for number, record in read_records(path):
        try:
            dialog = _dialog(record, labels)
        except InvalidInput as exc:
            raise InvalidInput(f"{path.name}, line {number}: {exc}") from exc
        for external_id in dialog.labels:
            del labels[external_id]
        yield dialog
    for external_id, (number, _) in labels.items():
        raise InvalidInput(f"{labels_path.name}, line {number}: no message has external_id {external_id!r}")


def _dialog(record: Record, labels: dict[str, tuple[int, Record]]) -> LabelledDialog:
    turns = tuple(map(_turn, records_field(record, "messages")))
    own = {turn.external_id: (turn, labels[turn.external_id][1]) for turn in turns if turn.external_id in labels}
    return LabelledDialog(
        id=optional_text(record, "dialog_id", turns[0].external_id if turns else ""),
        user_id=text_field(record, "user_id"),
        turns=turns,
        labels={
            name: tuple(_label(label, turn) for label in records_field(given, "preferences"))
            for name, (turn, given) in own.items()
        },
        notes={
            name: optional_text({"note": given.get("note") or None}, "note", "") for name, (_, given) in own.items()
        },
    )


def _turn(record: Record) -> Turn:
    return Turn(
        role=cast(Role, choice_field(record, "role", ROLES)),  # checked to be one
        # As it would be stored: offsets of quotes refer to the text without secrets.
        content=redact(clean_text(text_field(record, "content"))),
        author=optional_text(record, "author", "") or None,
        occurred_at=parse_time(record["occurred_at"]) if record.get("occurred_at") else None,
        external_id=text_field(record, "external_id"),
    )


def _label(record: Record, turn: Turn) -> LabelledPreference:
    quote = clean_text(optional_text(record, "quote", ""))
    start = turn.content.find(quote) if quote else -1
    if quote and start < 0:
        raise InvalidInput(f"the quote of a label is not in message {turn.external_id!r}: {quote[:40]!r}")
    return LabelledPreference(
        statement=text_field(record, "statement"),
        kind=cast(Kind, choice_field(record, "kind", KINDS)),  # checked to be one
        polarity=cast(Polarity, choice_field(record, "polarity", POLARITIES)),  # checked to be one
        start=start if quote else None,
        end=start + len(quote) if quote else None,
    )
