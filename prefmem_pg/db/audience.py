"""Search across users: who holds a preference like this one. As the pipeline, which alone sees every user."""

from collections.abc import Mapping, Sequence
from typing import Any, Final
from uuid import UUID

from sqlalchemy import RowMapping, text
from sqlalchemy.orm import Session

from prefmem_pg.db.ranking import MIDPOINT, STEEPNESS

# Every vector of every user is compared: the index holds large users alone. The means are the shipped ones, so that
# the score of a statement is the same whoever holds it. What is under a score is dropped before the rows are sorted.
_WHO_PREFERS: Final = """
WITH
means AS MATERIALIZED (
  SELECT m.language, CAST(m.mean AS halfvec) AS mean, CAST(CAST(:question AS vector) AS halfvec) AS q,
    -(CAST(:question AS vector) <#> CAST(m.mean AS vector)) AS q_mean,
    -(CAST(m.mean AS vector) <#> CAST(m.mean AS vector)) AS mean_squared
  FROM unnest(CAST(:languages AS text[]), CAST(:means AS text[])) AS m(language, mean)
),
near AS MATERIALIZED (
  SELECT e.user_id, e.preference_id, 1 / (1 + exp(-:steepness * (
    (-(e.embedding <#> m.q) - m.q_mean) / sqrt(greatest(1 + 2 * (e.embedding <#> m.mean) + m.mean_squared, 1e-6))
    - :midpoint))) AS score
  FROM prefmem.preference_embeddings e
  JOIN means m ON m.language = CASE WHEN e.language = ANY(CAST(:languages AS text[])) THEN e.language ELSE 'other' END
  WHERE e.model_id = :model_id AND e.is_active
),
held AS (
  SELECT n.*, p.kind, p.statement, p.polarity, p.topic,
    row_number() OVER (PARTITION BY n.user_id ORDER BY n.score DESC, n.preference_id) AS place
  FROM near n
  JOIN prefmem.preferences p ON p.user_id = n.user_id AND p.preference_id = n.preference_id
  JOIN prefmem.users u ON u.user_id = n.user_id
  WHERE n.score >= :min_score AND p.status = 'activated' AND (p.expires_at IS NULL OR p.expires_at > now())
    AND (p.sensitivity = 'none' OR u.may_use_sensitive) AND ({condition})
)
SELECT user_id, preference_id, kind, statement, polarity, topic, score
FROM held
WHERE place <= :per_user
ORDER BY score DESC, user_id, preference_id
LIMIT :limit
"""
_SIMILAR: Final = """
SELECT s.user_id, s.preference_id, s.kind, s.statement, s.polarity, s.topic, s.similarity AS score
FROM prefmem.similar_users(:user_id, :preference_id, :limit) s
"""


def list_holders(
    session: Session,
    *,
    question: str,
    languages: Sequence[str],
    means: Sequence[str],
    model_id: int,
    condition: str,
    condition_values: Mapping[str, Any],
    limit: int,
    per_user: int,
    min_score: float,
) -> list[RowMapping]:
    """Return who holds preferences near to a question, at most ``per_user`` rows of each, best first.

    ``question`` is centred, of length 1; ``means`` are those of statements in each of the ``languages``, "other"
    among them. A sensitive row needs its user's consent, a safety fact too: here nobody is about to be harmed.
    """
    values = {
        **condition_values,
        "question": question,
        "languages": list(languages),
        "means": list(means),
        "model_id": model_id,
        "limit": limit,
        "per_user": per_user,
        "min_score": min_score,
        "steepness": STEEPNESS,
        "midpoint": MIDPOINT,
    }
    return list(session.execute(text(_WHO_PREFERS.format(condition=condition)), values).mappings())


def list_similar_users(session: Session, user_id: str, preference_id: UUID, *, limit: int) -> list[RowMapping]:
    """Return whose nearest preference is most like this one; the score is the cosine of the raw vectors."""
    values = {"user_id": user_id, "preference_id": preference_id, "limit": limit}
    return list(session.execute(text(_SIMILAR), values).mappings())
