"""Forgetting: a user, messages or preferences; with the verifier that proves a user is gone."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Final
from uuid import UUID

from prefmem_pg.db.filters import compile_filter
from prefmem_pg.db.session import Database
from prefmem_pg.domain.erasures import Erasure, ErasureProof
from prefmem_pg.domain.filters import Expression, SearchFilter
from prefmem_pg.domain.preferences import Preference

PIECES: Final = 50
"""Pieces of a user's text that a proof looks for."""


def forget_user(database: Database, user_id: str, *, verify: bool = False) -> Erasure:
    """Erase everything of a user and leave a tombstone. ``verify`` takes pieces of the text before, and the proof."""
    pieces = sample_pieces(database, user_id) if verify else ()

    with database.transaction(user_id=user_id) as repositories:
        counts = repositories.erasures.forget_user(user_id)

    proof = verify_erased(database, user_id, pieces) if verify else None
    return Erasure(scope="user", counts=counts, at=datetime.now(UTC), proof=proof)


def forget_messages(database: Database, user_id: str, message_ids: Sequence[UUID]) -> Erasure:
    """Erase messages of a user with what rests on them alone; leave tombstones. Ids of nobody's are passed over."""
    with database.transaction(user_id=user_id) as repositories:
        counts = repositories.erasures.forget_messages(user_id, message_ids)
    return Erasure(scope="messages", counts=counts, at=datetime.now(UTC))


def delete_preference(database: Database, user_id: str, preference_id: UUID, *, actor: str, reason: str) -> Preference:
    """Delete a preference for good and return what is left of it; NotFound when the user has none of that id."""
    with database.transaction(user_id=user_id) as repositories:
        repositories.preferences.get(user_id, preference_id)
        repositories.erasures.blank_preferences(user_id, [preference_id], actor=actor, reason=reason)
        return repositories.preferences.get(user_id, preference_id)


def delete_matching(
    database: Database, user_id: str, given: SearchFilter | Expression, *, actor: str, reason: str
) -> int:
    """Delete the preferences that meet a filter, of any status unless it names one; return how many."""
    compiled = compile_filter(given)
    with database.transaction(user_id=user_id) as repositories:
        repositories.preferences.lock_known_user(user_id)
        ids = repositories.preferences.list_ids(user_id, condition=compiled.condition, values=compiled.values)
        return repositories.erasures.blank_preferences(user_id, ids, actor=actor, reason=reason)


def sample_pieces(database: Database, user_id: str, *, count: int = PIECES) -> tuple[str, ...]:
    """Return up to ``count`` pieces of 12 characters of the user's text that no row of anyone else holds."""
    with database.transaction(user_id=None) as repositories:
        pieces = repositories.traces.sample_pieces(user_id, count=count)
        held = repositories.traces.find_pieces(pieces, except_user=user_id)
    elsewhere = set().union(*held.values()) if held else set()
    return tuple(piece for piece in pieces if piece not in elsewhere)


def verify_erased(database: Database, user_id: str, pieces: Sequence[str]) -> ErasureProof:
    """Look for what is left of a user: rows by user id in every table of the catalog, and pieces of text anywhere.

    ``pieces`` are what ``sample_pieces`` gave before. Every table is read as a whole.
    """
    with database.transaction(user_id=None) as repositories:
        tables, unread = repositories.traces.list_tables()
        rows = repositories.traces.count_rows(user_id)
        held = repositories.traces.find_pieces(pieces, except_user=None)
    return ErasureProof(
        tables=len(tables),
        pieces=len(pieces),
        rows=rows,
        texts={table: len(found) for table, found in held.items()},
        unread=unread,
    )
