"""Whether the planner goes the ways that searches are made for."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import text
from sqlalchemy.orm import Session

ENOUGH_ROWS: Final = 5_000
"""Fewer rows are read through whatever indexes there are, and rightly so."""
MOST: Final = 0.25
"""Who has more than this share of a table is read by whatever is cheapest, the whole table too, and rightly so."""

# As the application asks, under row-level security; what comes back does not matter.
_EXACT: Final = """
SELECT e.embedding FROM prefmem.preference_embeddings e
WHERE e.user_id = '{user_id}' AND e.model_id = {model_id} AND e.is_active AND e.language = 'en'
"""
_TERMS: Final = """
SELECT t.preference_id, t.frequency, t.length FROM prefmem.preference_terms t
WHERE t.user_id = '{user_id}' AND t.lexeme = 'tea'
"""
_NEAREST: Final = """
SELECT e.preference_id FROM prefmem.preference_embeddings e
WHERE e.user_id = '{user_id}' AND e.model_id = {model_id} AND e.is_active AND e.in_hnsw AND e.language = 'en'
ORDER BY CAST(e.embedding AS halfvec({dimensions}))
  <#> CAST(array_fill(0.1, ARRAY[{dimensions}]) AS halfvec({dimensions}))
LIMIT 10
"""


@dataclass(frozen=True, slots=True)
class PlanCheck:
    """One way, the index that it should go by, and what the planner took.

    ``taken`` None: too few rows to tell, or the user has most of them.
    """

    way: str
    index: str
    taken: str | None

    @property
    def is_well(self) -> bool:
        return self.taken is None or self.index in self.taken


def is_large(session: Session, *, user_id: str, model_id: int) -> bool:
    """Say whether searches of the user go by the HNSW index."""
    statement = (
        "SELECT coalesce(bool_or(in_hnsw), false) FROM prefmem.user_stats"
        " WHERE user_id = :user_id AND scope = 'preference' AND model_id = :model_id"
    )
    return bool(session.scalar(text(statement), {"user_id": user_id, "model_id": model_id}))


def check_plans(session: Session, *, user_id: str, model_id: int, dimensions: int, is_large: bool) -> list[PlanCheck]:
    """Explain the parts of a search of one user, in a transaction of that user; nothing is run."""
    given = {"user_id": user_id.replace("'", "''"), "model_id": int(model_id), "dimensions": int(dimensions)}
    ways = {
        "comparing a user's vectors": (f"ix_model_{int(model_id)}_preference_exact", _EXACT, ""),
        "looking up words": ("pk_preference_terms", _TERMS, ""),
    }
    if is_large:
        hnsw = f"ix_model_{int(model_id)}_preference_hnsw"
        ways["finding the nearest of a large user"] = (hnsw, _NEAREST, "SET LOCAL enable_sort = off")
    checks = []
    for way, (index, statement, before) in ways.items():
        plan = _explain(session, statement.format_map(given), before)
        rows = session.scalar(
            text("SELECT reltuples FROM pg_class WHERE oid = to_regclass(:table)"),
            {"table": "prefmem.preference_terms" if statement is _TERMS else "prefmem.preference_embeddings"},
        )
        taken = ", ".join(_ways_taken(plan))
        tells = (rows or 0) >= ENOUGH_ROWS and plan["Plan Rows"] <= MOST * rows
        checks.append(PlanCheck(way, index, taken if tells else None))
    return checks


def _explain(session: Session, statement: str, before: str) -> dict[str, Any]:  # Any: a plan is JSON
    connection = session.connection()
    with connection.begin_nested() as savepoint:
        if before:
            connection.exec_driver_sql(before)
        found = connection.exec_driver_sql(
            f"EXPLAIN (FORMAT JSON) {statement}", execution_options={"no_parameters": True}
        ).scalar_one()
        savepoint.rollback()
    plan = json.loads(found) if isinstance(found, str) else found
    return dict(plan[0]["Plan"])


def _ways_taken(node: dict[str, Any]) -> Iterator[str]:
    if "Relation Name" in node or "Index Name" in node:
        yield f"{node['Node Type']} {node.get('Index Name') or node.get('Relation Name')}"
    for child in node.get("Plans", ()):
        yield from _ways_taken(child)
