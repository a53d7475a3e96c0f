"""Stored vectors of preferences, read back to compare hits with each other."""

from collections.abc import Sequence
from typing import Final
from uuid import UUID

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import text
from sqlalchemy.orm import Session

from prefmem_pg.db.rows import from_vector_text

_DIRECTIONS: Final = """
SELECT e.preference_id, CAST(l2_normalize(CAST(e.embedding AS vector) - s.memory_mean) AS text) AS direction
FROM prefmem.preference_embeddings e
JOIN prefmem.user_stats s
  ON s.user_id = :user_id AND s.scope = 'preference' AND s.model_id = :model_id AND s.language = e.language
WHERE e.user_id = :user_id AND e.model_id = :model_id AND e.preference_id = ANY(:ids) AND s.memory_mean IS NOT NULL
"""


def list_directions(
    session: Session, user_id: str, preference_ids: Sequence[UUID], *, model_id: int
) -> dict[UUID, NDArray[np.float32]]:
    """Return the vector of each preference that has one, less the mean of its language, of length 1."""
    values = {"user_id": user_id, "model_id": model_id, "ids": list(preference_ids)}
    rows = session.execute(text(_DIRECTIONS), values)
    return {row.preference_id: from_vector_text(row.direction) for row in rows}
