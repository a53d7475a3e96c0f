"""The metadata that a caller gives with a statement that is known already. Pure."""

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

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
    return row if _written(merged) == _written(row.metadata) else replace(row, metadata=merged)


def _written(metadata: Mapping[str, Any]) -> str:
    """Return the metadata as JSON, which tells true from 1 as filters do."""
    return json.dumps(metadata, sort_keys=True)
