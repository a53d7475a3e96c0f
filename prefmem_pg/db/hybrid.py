"""Hybrid search over preferences: by the model's functions, or by the same statement with a large user's filter."""

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
import psycopg
from numpy.typing import NDArray

from prefmem_pg.db.engine import prepares
from prefmem_pg.db.hybrid_template import PARAMETERS, RESULT, render_filtered
from prefmem_pg.db.rows import PREFERENCE_COLUMNS, as_leading_preference
from prefmem_pg.db.search_function import search_function_name
from prefmem_pg.db.vectors import as_binary_vector, make_quick
from prefmem_pg.domain.preferences import Preference

_BIND: Final = re.compile(r"(?<![:\w\\]):(\w+)(?!:)")
# The function sets this for itself: see there.
_OFF: Final = ("enable_sort", "jit")
_FOR_THE_INDEX: Final = tuple(f"SET LOCAL {name} = off" for name in _OFF)
_FOR_THE_INDEX_AT_ONCE: Final = ("SELECT " + ", ".join(f"set_config('{name}', 'off', true)" for name in _OFF),)
# By their names: a prepared statement must not find other columns after an upgrade than before.
_COLUMNS: Final = ", ".join(f"s.{name}" for name in RESULT)
_IS_LARGE: Final = """(
  SELECT coalesce(bool_or(s.in_hnsw), false) FROM prefmem.user_stats s
  WHERE s.user_id = %(user_id)s AND s.scope = 'preference' AND s.model_id = {model_id})"""
_PASSING: Final = """ARRAY(
  SELECT p.preference_id FROM prefmem.preferences p
  WHERE p.user_id = %(user_id)s AND p.status = 'activated' AND ({condition}) AND (
    p.sensitivity = 'none' OR p.is_safety
    OR (SELECT u.may_use_sensitive FROM prefmem.users u WHERE u.user_id = %(user_id)s))
)"""

Cursor: TypeAlias = psycopg.Cursor[Any]


class Ranked(NamedTuple):
    """What a search says of a preference: the columns of RESULT behind the preference's own; see Explanation.

    ``for_safety``: it is not one of the best rows but one of the safety facts that were asked for beside them.
    """

    score: float
    semantic: float | None
    keyword: float
    fuzzy: float
    relevance: float
    recency: float
    importance_factor: float
    confidence_factor: float
    heat: float
    semantic_rank: int | None
    keyword_rank: int | None
    is_exact: bool
    plan: str
    evidence: Sequence[Any] | None  # Any: JSON
    for_safety: bool = False


def ask_preferences(
    cursor: Cursor,
    *,
    user_id: str,
    model_id: int,
    query: str,
    statement_hash: bytes,
    vector: NDArray[np.float32],
    shipped_mean: NDArray[np.float32],
    smoothing: NDArray[np.float32],
    language: str,
    condition: str,
    condition_values: Mapping[str, Any],
    limit: int,
    min_score: float,
    now: datetime,
    exact: bool = False,
    is_large: bool = False,
    safety_limit: int = 0,
) -> None:
    """Ask for the best rows of one user, best first, ties by id; fewer than ``limit`` only when fewer match.

    ``condition`` is a compiled filter on alias p ("true" for none); it counts in every arm. ``language`` ("en" or
    "zh") is that of the question: it chooses the mean and the hubness. A large user's vectors are found through the
    HNSW index, everybody else's, or with ``exact``, by comparing all of them. Only that of a large user with a
    condition must be asked for, by ``is_large``: without it ``is_for_large`` of the rows is true, and nothing else.
    ``safety_limit`` adds, behind the others and for a search without a condition, that many of the safety facts as a
    search among them alone would; their ``for_safety`` is true. ``found_preferences`` reads the rows.
    """
    values: dict[str, Any] = {
        "user_id": user_id,
        "query": query,
        "statement_hash": statement_hash,
        "vector": as_binary_vector(vector),
        "shipped_mean": as_binary_vector(shipped_mean),
        "smoothing": as_binary_vector(smoothing),
        "language": language,
        "limit": limit,
        "min_score": min_score,
        "now": now,
        "exact": exact,
        "safety_limit": safety_limit,
    }
    make_quick(cursor)
    # Whatever the host's engine says: behind a pooler the next transaction may be on another connection.
    prepare = prepares(cursor.connection)
    if condition == "true" and safety_limit:
        cursor.execute(_call_with_safety(model_id), values, prepare=prepare)
    elif condition == "true":
        cursor.execute(_call(model_id), values, prepare=prepare)
    elif is_large:
        # One by one, in a pipeline, where they cost no round trip; where that is the transaction, there is no BEGIN.
        for setting in _FOR_THE_INDEX_AT_ONCE if prepare else _FOR_THE_INDEX:
            cursor.execute(setting, prepare=False)
        statement = filtered_statement(condition, model_id=model_id, dimensions=len(vector))
        cursor.execute(statement.encode(), values | dict(condition_values), prepare=False)
    else:
        call = _call_among(condition, model_id, is_any=exact)
        cursor.execute(call, values | dict(condition_values), prepare=prepare)


def is_for_large(rows: Sequence[Sequence[Any]]) -> bool:
    """Say whether rows only tell that the user is large, and must be asked for so."""
    return bool(rows) and rows[0][0] is None


def found_preferences(rows: Iterable[Sequence[Any]]) -> list[tuple[Preference, Ranked]]:
    """Return the rows that were asked for, in their order."""
    width = len(PREFERENCE_COLUMNS)
    return [(as_leading_preference(row), Ranked(*row[width:])) for row in rows]


@lru_cache(maxsize=256)
def filtered_statement(condition: str, *, model_id: int, dimensions: int) -> str:
    """Return the statement for the driver, with the parameters of the search and those of the condition."""
    # The driver sends small numbers as small types and text without one.
    parameter = {name: f"CAST(%({name})s AS {kind})" for name, kind in PARAMETERS.items()}
    parameter |= {"user_id": "%(user_id)s"}
    return render_filtered(
        model_id=model_id, dimensions=dimensions, parameter=parameter, condition=_for_the_driver(condition)
    )


@lru_cache(maxsize=8)
def _call(model_id: int) -> bytes:
    return f"SELECT {_COLUMNS} FROM prefmem.{search_function_name(model_id)}({_given()}) AS s".encode()


@lru_cache(maxsize=8)
def _call_with_safety(model_id: int) -> bytes:
    """Return a call of both functions; the second only runs for a user who has safety facts."""
    among = search_function_name(model_id, among=True)
    safety = f"SELECT {_PASSING.format_map({'condition': 'p.is_safety'})} AS allowed OFFSET 0"
    given = _given().replace("%(limit)s", "%(safety_limit)s").replace("%(min_score)s", "0")
    return (
        f"SELECT {_COLUMNS}, false FROM prefmem.{search_function_name(model_id)}({_given()}) AS s UNION ALL"
        f" SELECT {_COLUMNS}, true FROM ({safety}) AS a CROSS JOIN LATERAL prefmem.{among}({given}, a.allowed) AS s"
        " WHERE cardinality(a.allowed) > 0"
    ).encode()


@lru_cache(maxsize=256)
def _call_among(condition: str, model_id: int, *, is_any: bool) -> bytes:
    """Return a call with the ids that pass; with NULL, unless for ``is_any``, for a large user: all would be read."""
    name = search_function_name(model_id, among=True)
    passing = _PASSING.format_map({"condition": _for_the_driver(condition)})
    if not is_any:
        passing = f"CASE WHEN {_IS_LARGE.format(model_id=int(model_id))} THEN NULL ELSE {passing} END"
    return f"SELECT {_COLUMNS} FROM prefmem.{name}({_given()}, {passing}) AS s".encode()


def _given() -> str:
    return ", ".join(f"CAST(%({name})s AS {kind})" for name, kind in PARAMETERS.items())


def _for_the_driver(condition: str) -> str:
    """Return a condition that has SQLAlchemy's parameters with the driver's; a percent sign in it is left alone."""
    return _BIND.sub(r"%(\1)s", condition.replace("%", "%%")).replace("\\:", ":")
