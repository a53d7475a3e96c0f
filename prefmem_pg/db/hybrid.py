"""Hybrid search over preferences: the model's function without a filter, the same statement with one."""

import re
from collections.abc import Mapping
from datetime import datetime
from functools import lru_cache
from typing import Any, Final

import numpy as np
import psycopg
from numpy.typing import NDArray
from sqlalchemy.orm import Session

from prefmem_pg.db.hybrid_template import PARAMETERS, RESULT, render
from prefmem_pg.db.search_function import search_function_name
from prefmem_pg.db.vectors import accept_vectors, as_binary_vector

_BIND: Final = re.compile(r"(?<![:\w\\]):(\w+)(?!:)")
_COLUMNS: Final = tuple(RESULT)
# The function sets this for itself: see there.
_FOR_THE_INDEX: Final = "SET LOCAL enable_sort = off; SET LOCAL jit = off"


def search_preferences(
    session: Session,
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
) -> list[dict[str, Any]]:
    """Return the best rows of one user, best first, ties by id; fewer than ``limit`` only when fewer match.

    ``condition`` is a compiled filter on alias p ("true" for none); it stands in every arm. ``language`` ("en" or
    "zh") is that of the question: it chooses the mean and the hubness. A large user's vectors are found through the
    HNSW index, everybody else's, or with ``exact``, by comparing all of them. Rows have the columns RESULT.
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
    }
    driver = session.connection().connection.driver_connection
    assert isinstance(driver, psycopg.Connection), "prefmem_pg needs the psycopg driver"
    accept_vectors(driver)
    # The driver itself, since SQLAlchemy's share of a small user's search would be a third; never prepared on the
    # server, whatever the host's engine says: behind a pooler the next transaction may be on another connection.
    with driver.cursor() as cursor:
        if condition == "true":
            cursor.execute(_call(model_id), values, prepare=False)
        else:
            cursor.execute(_FOR_THE_INDEX, prepare=False)
            statement = filtered_statement(condition, model_id=model_id, dimensions=len(vector))
            cursor.execute(statement.encode(), values | dict(condition_values), prepare=False)
        return [dict(zip(_COLUMNS, row, strict=True)) for row in cursor.fetchall()]


@lru_cache(maxsize=256)
def filtered_statement(condition: str, *, model_id: int, dimensions: int) -> str:
    """Return the statement for the driver, with the parameters of the search and those of the condition."""
    # The condition has SQLAlchemy's parameters; every other percent sign in it is the driver's to leave alone.
    bound = _BIND.sub(r"%(\1)s", condition.replace("%", "%%")).replace("\\:", ":")
    parameter = {name: f"%({name})s" for name in PARAMETERS}
    # The driver sends small numbers as small types and text without one.
    parameter |= {name: f"CAST(%({name})s AS {PARAMETERS[name]})" for name in ("query", "limit", "language", "exact")}
    return render(model_id=model_id, dimensions=dimensions, parameter=parameter, condition=bound)


@lru_cache(maxsize=8)
def _call(model_id: int) -> bytes:
    given = ", ".join(f"CAST(%({name})s AS {kind})" for name, kind in PARAMETERS.items())
    return f"SELECT * FROM prefmem.{search_function_name(model_id)}({given})".encode()
