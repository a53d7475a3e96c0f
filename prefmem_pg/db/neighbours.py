"""What the store holds near a candidate: the same statement, the nearest by vector, and what names the same."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final
from uuid import UUID

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import text

from prefmem_pg.db.rows import as_json_parameter, as_preference, as_vector_text, preference_columns, recordset
from prefmem_pg.db.users import UserRows
from prefmem_pg.domain.preferences import Preference
from prefmem_pg.domain.text import statement_hash

MAX_REJECTED: Final = 50
"""How many of a user's rejected statements a new one is compared with, the newest first."""

_IS_HEARD: Final = """EXISTS (
    SELECT FROM prefmem.preference_evidence e
    WHERE e.user_id = :user_id AND e.preference_id = p.preference_id AND e.message_id = ANY(b.message_ids)
  )"""
# Per probe: whatever has the very same statement, the nearest by vector, and those about the same names.
_NEIGHBOURS: Final = f"""
WITH probes AS MATERIALIZED (
  -- Cast here, once a probe: in ORDER BY the text would be read again for every row that is compared.
  SELECT r.ordinal, r.statement_hash, CAST(r.vector AS halfvec) AS vector, r.topic, r.kind, r.entities, r.message_ids
  FROM {{probes}}
),
found AS (
  SELECT b.ordinal, p.preference_id, true AS is_exact
  FROM probes b
  JOIN prefmem.preferences p ON p.user_id = :user_id AND p.statement_hash = b.statement_hash
    AND p.status IN ('activated', 'resolving', 'rejected', 'archived')
  UNION ALL
  SELECT b.ordinal, p.preference_id, true
  FROM probes b
  JOIN prefmem.preferences p ON p.user_id = :user_id AND p.statement_hash = b.statement_hash
    AND p.status = 'superseded'
  WHERE {_IS_HEARD}
  UNION ALL
  SELECT b.ordinal, n.preference_id, false
  FROM probes b
  CROSS JOIN (
    SELECT p.preference_id
    FROM prefmem.preferences p
    WHERE p.user_id = :user_id AND p.status = 'rejected'
    ORDER BY p.created_at DESC, p.preference_id DESC
    LIMIT :rejected
  ) n
  UNION ALL
  SELECT b.ordinal, n.preference_id, false
  FROM probes b
  CROSS JOIN LATERAL (
    SELECT e.preference_id
    FROM prefmem.preference_embeddings e
    WHERE e.user_id = :user_id AND e.model_id = :model_id AND e.is_active AND b.vector IS NOT NULL
    ORDER BY e.embedding <#> b.vector, e.preference_id
    LIMIT :nearest
  ) n
  UNION ALL
  SELECT b.ordinal, n.preference_id, false
  FROM probes b
  CROSS JOIN LATERAL (
    SELECT p.preference_id
    FROM prefmem.preferences p
    WHERE p.user_id = :user_id AND p.status = 'activated' AND p.topic = b.topic
      AND (b.kind = 'goal' AND p.kind = 'goal' OR p.entities && b.entities)
    ORDER BY p.updated_at DESC, p.preference_id
    LIMIT :nearest
  ) n
)
SELECT f.ordinal, f.is_exact, f.similarity, f.is_exact AND {_IS_HEARD} AS is_heard, {preference_columns("p")}
FROM (
  SELECT f.ordinal, f.preference_id, bool_or(f.is_exact) AS is_exact,
    max(-(e.embedding <#> b.vector)) AS similarity
  FROM found f
  JOIN probes b USING (ordinal)
  LEFT JOIN prefmem.preference_embeddings e
    ON e.user_id = :user_id AND e.preference_id = f.preference_id AND e.model_id = :model_id
  GROUP BY f.ordinal, f.preference_id
) f
JOIN prefmem.preferences p ON p.user_id = :user_id AND p.preference_id = f.preference_id
JOIN probes b USING (ordinal)
ORDER BY f.ordinal, f.is_exact DESC, f.similarity DESC NULLS LAST, p.preference_id
"""
_PROBE_COLUMNS: Final = {
    "ordinal": "integer",
    "statement_hash": "bytea",
    "vector": "text",
    "topic": "text",
    "kind": "text",
    "entities": "text[]",
    "message_ids": "uuid[]",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Probe:
    """What to look for: the neighbours of a candidate. ``vector`` None: the embedder did not answer.

    ``message_ids`` are the messages that support it.
    """

    statement: str
    kind: str
    topic: str | None
    entities: tuple[str, ...]
    vector: NDArray[np.float32] | None
    message_ids: tuple[UUID, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Neighbour:
    """A stored preference near a probe. ``similarity`` is the raw cosine, None when a vector is missing.

    ``is_heard``: the same statement, from the same message, so that it is read again and not said again.
    """

    preference: Preference
    similarity: float | None
    is_exact: bool
    is_heard: bool = False


class NeighbourRows(UserRows):
    """Neighbours of candidates, inside the caller's transaction."""

    def find_neighbours(
        self, user_id: str, probes: Sequence[Probe], *, model_id: int, nearest: int = 10
    ) -> list[list[Neighbour]]:
        """Return for each probe its neighbours of all kinds: the same statement first, then by similarity.

        Same statement: activated, resolving, rejected or archived, or superseded when it is from the same message;
        the newest rejected ones, be they near or not; all others activated only.
        """
        rows = [
            {
                "ordinal": ordinal,
                "statement_hash": statement_hash(probe.statement),
                "vector": None if probe.vector is None else as_vector_text(probe.vector),
                "topic": probe.topic,
                "kind": probe.kind,
                "entities": probe.entities,
                "message_ids": probe.message_ids,
            }
            for ordinal, probe in enumerate(probes)
        ]
        values = {
            "user_id": user_id,
            "model_id": model_id,
            "nearest": nearest,
            "rejected": MAX_REJECTED,
            "rows": as_json_parameter(rows),
        }
        statement = _NEIGHBOURS.format(probes=recordset(_PROBE_COLUMNS))
        found: list[list[Neighbour]] = [[] for _ in probes]
        for row in self.session.execute(text(statement), values).mappings():
            found[row["ordinal"]].append(
                Neighbour(
                    preference=as_preference(row),
                    similarity=row["similarity"],
                    is_exact=row["is_exact"],
                    is_heard=row["is_heard"],
                )
            )
        return found
