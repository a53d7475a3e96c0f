"""Pages of preferences and messages, by key: each row once, none missed, whatever is written meanwhile."""

from typing import Any

from prefmem_pg.db.filters import compile_filter
from prefmem_pg.db.session import Database
from prefmem_pg.domain.filter_conditions import names_column
from prefmem_pg.domain.filters import Expression, SearchFilter, read_filter
from prefmem_pg.domain.search import Page
from prefmem_pg.steps.paging import Key, check_page_size, decode_key, encode_key


def list_preferences(
    database: Database, user_id: str, given: SearchFilter | Expression | None, *, page_size: int, after: str | None
) -> Page:
    """Return a page of preferences, newest first; activated ones unless the filter names a status."""
    size, key = check_page_size(page_size), decode_key(after)
    compiled = compile_filter(given)
    condition = compiled.condition
    if not names_column(read_filter(given), "status"):
        condition = f"p.status = 'activated' AND ({condition})"
    with database.transaction(user_id=user_id) as repositories:
        items = repositories.preferences.list_page(
            user_id, condition=condition, values=compiled.values, after=key, limit=size + 1
        )
        total = repositories.preferences.count(user_id, condition=condition, values=compiled.values)
    return _page(items, size, total, [(p.created_at, p.preference_id) for p in items])


def list_messages(
    database: Database, user_id: str, *, dialog_id: str | None, page_size: int, after: str | None
) -> Page:
    """Return a page of messages, oldest first."""
    size, key = check_page_size(page_size), decode_key(after)
    with database.transaction(user_id=user_id) as repositories:
        items = repositories.messages.list_page(user_id, dialog_id=dialog_id, after=key, limit=size + 1)
        total = repositories.messages.count(user_id, dialog_id=dialog_id)
    return _page(items, size, total, [(m.occurred_at, m.message_id) for m in items])


def _page(items: list[Any], size: int, total: int, keys: list[Key]) -> Page:  # Any: Preference or Message
    return Page(items=tuple(items[:size]), total=total, after=encode_key(keys[size - 1]) if len(items) > size else None)
