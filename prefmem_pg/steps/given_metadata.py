"""The metadata that a caller gives with a statement that is known already. Pure."""

from dataclasses import replace

from prefmem_pg.domain.preferences import Candidate, Preference
from prefmem_pg.errors import InvalidInput
from prefmem_pg.importers.fields import parse_metadata


def with_metadata(row: Preference, candidate: Candidate) -> Preference:
    """Return the row with the candidate's metadata in its own: new keys are added, those that both have are replaced.

    The very same row when that changes nothing, when a row may not hold so much, and when the candidate was found in
    messages: to read these again must not take back what somebody has edited since.
    """
    if candidate.evidence or not candidate.metadata:
        return row
    try:
        merged = parse_metadata({**row.metadata, **candidate.metadata})
    except InvalidInput:
        return row
    return row if merged == row.metadata else replace(row, metadata=merged)
