"""Pages of a list: the key of the next page as an opaque word."""

import base64
import binascii
import json
from datetime import datetime
from typing import Final
from uuid import UUID

from prefmem_pg.errors import InvalidInput

MAX_PAGE_SIZE: Final = 1_000

Key = tuple[datetime, UUID]


def check_page_size(page_size: int) -> int:
    if isinstance(page_size, bool) or not isinstance(page_size, int) or not 1 <= page_size <= MAX_PAGE_SIZE:
        raise InvalidInput(f"page_size must be a whole number from 1 to {MAX_PAGE_SIZE}, not {page_size!r}")
    return page_size


def encode_key(key: Key) -> str:
    """Return the word that stands for the last row of a page."""
    return base64.urlsafe_b64encode(json.dumps([key[0].isoformat(), str(key[1])]).encode()).decode()


def decode_key(after: str | None) -> Key | None:
    """Return the key behind the word; InvalidInput when it is not one that a page has given."""
    if after is None:
        return None
    try:
        at, row_id = json.loads(base64.urlsafe_b64decode(after.encode()))
        return datetime.fromisoformat(at), UUID(row_id)
    except (ValueError, TypeError, AttributeError, binascii.Error) as exc:
        raise InvalidInput("after is not the key of a page; pass on what the page before gave") from exc
