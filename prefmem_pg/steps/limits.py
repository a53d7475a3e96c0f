"""What a search may be asked: how many hits, above which score, in a question of which length."""

from typing import Final

from prefmem_pg.errors import InvalidInput

MAX_LIMIT: Final = 1_000
MAX_QUERY_CHARACTERS: Final = 4_000
"""What the keyword arm and the embedder read of a question; more is cut, not refused."""


def as_query(query: object) -> str:
    """Return the question; InvalidInput when it is no string."""
    if not isinstance(query, str):
        raise InvalidInput(f"query must be a string, not {type(query).__name__}")
    return query


def check_limit(limit: int) -> int:
    """Return the number; InvalidInput unless it is whole and from 1 to MAX_LIMIT."""
    if isinstance(limit, bool) or not isinstance(limit, int) or not 1 <= limit <= MAX_LIMIT:
        raise InvalidInput(f"limit must be a whole number from 1 to {MAX_LIMIT}, not {limit!r}")
    return limit


def check_score(min_score: float | None) -> float:
    """Return the number, 0 for None; InvalidInput unless it lies in 0..1 (so not for NaN)."""
    if min_score is None:
        return 0.0
    if isinstance(min_score, bool) or not isinstance(min_score, int | float) or not 0 <= min_score <= 1:
        raise InvalidInput(f"min_score must be a number from 0 to 1, not {min_score!r}")
    return float(min_score)
