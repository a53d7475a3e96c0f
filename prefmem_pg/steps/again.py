"""A short transaction that lost to another is done again."""

import time
from collections.abc import Callable
from typing import Final, TypeVar

from prefmem_pg.errors import StoreUnavailable

TRIES: Final = 3
PAUSE_SECONDS: Final = 0.2

Done = TypeVar("Done")


def again(act: Callable[[], Done]) -> Done:
    """Do ``act``, a transaction of its own, up to three times: a deadlock should not end a job of hours.

    Raises the third StoreUnavailable. Nothing else is tried again.
    """
    for tries_left in range(TRIES - 1, -1, -1):
        try:
            return act()
        except StoreUnavailable:
            if not tries_left:
                raise
            time.sleep(PAUSE_SECONDS)
    raise AssertionError("the last try returns or raises")
