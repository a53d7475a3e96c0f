"""A candidate -> the row that it becomes when nothing like it was known. Pure."""

from datetime import datetime
from uuid import UUID

from prefmem_pg.domain.ids import new_id
from prefmem_pg.domain.preferences import Candidate, Preference, Status
from prefmem_pg.steps.context import MAX_CONTEXT_CHARACTERS
from prefmem_pg.steps.screen import classify


def new_row(candidate: Candidate, *, user_id: str, status: Status, now: datetime, run_id: UUID | None) -> Preference:
    """Return the row, with an id of its own; what the statement says of sensitivity and safety is found here."""
    sensitivity, is_safety = classify(candidate.statement, candidate.topic)
    return Preference(
        user_id=user_id,
        preference_id=new_id(),
        kind=candidate.kind,
        statement=candidate.statement,
        context=candidate.context[:MAX_CONTEXT_CHARACTERS],
        polarity=candidate.polarity,
        topic=candidate.topic,
        entities=candidate.entities,
        tags=candidate.tags,
        language=candidate.language,
        confidence=candidate.confidence,
        importance=max(candidate.importance, 0.9) if is_safety else candidate.importance,
        sensitivity=candidate.sensitivity if candidate.sensitivity != "none" else sensitivity,
        is_safety=candidate.is_safety or is_safety,
        is_pinned=candidate.is_pinned,
        status=status,
        superseded_by=None,
        mention_count=max(1, len(candidate.evidence)),
        valid_from=candidate.valid_from or now,
        valid_to=candidate.valid_to,
        created_at=now,
        updated_at=now,
        expires_at=candidate.expires_at,
        source=candidate.source,
        dialog_id=candidate.dialog_id,
        session_id=candidate.session_id,
        agent_id=candidate.agent_id,
        mem_cube_id=candidate.mem_cube_id,
        version=1,
        run_id=run_id,
        metadata=candidate.metadata,
    )
