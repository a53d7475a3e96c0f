"""What dumping and loading report."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class TransferReport:
    """How many users, and rows by table. ``skipped`` are vectors and statistics of models that are not in use here."""

    users: int
    rows: Mapping[str, int]
    skipped: int = 0
