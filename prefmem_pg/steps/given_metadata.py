"""The metadata that a caller gives with a statement that is known already. Pure."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from prefmem_pg.domain.messages import Metadata
from prefmem_pg.domain.preferences import Candidate, Preference
from prefmem_pg.errors import InvalidInput
from prefmem_pg.importers.fields import parse_metadata


def with_metadata(row: Preference, candidate: Candidate) -> Preference:
    """Return the row with the candidate's metadata in its own: new keys are added, those that both have are replaced.

    The very same row when that changes nothing, when a row may not hold so much, and when the candidate was found in
    messages: to read these again must not take back what somebody has edited since.
    """
    try:
        merged = _merged(row, candidate)
    except InvalidInput:
        return row
    is_known = merged == row.metadata and _truths(merged) == _truths(row.metadata)
    return row if is_known else replace(row, metadata=merged)


def why_left_out(row: Preference, candidate: Candidate) -> str:
    """Return why the candidate's metadata stays out of the row, to be added to the reason of a decision; "" else."""
    try:
        _merged(row, candidate)
    except InvalidInput as exc:
        return f"; the metadata given with it stays out: together {exc}"
    return ""


def _merged(row: Preference, candidate: Candidate) -> Metadata:
    if candidate.evidence or not candidate.metadata:
        return row.metadata
    return parse_metadata({**row.metadata, **candidate.metadata})


def _truths(value: Any) -> Any:  # Any: JSON
    """Return where true and false stand: to Python they equal 1 and 0, to filters they do not."""
    if isinstance(value, Mapping):
        return {key: _truths(item) for key, item in value.items()}
    return [_truths(item) for item in value] if isinstance(value, list | tuple) else isinstance(value, bool)
