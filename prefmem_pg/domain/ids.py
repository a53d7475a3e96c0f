"""Ids made here: one function for every UUID of the store."""

import os
import threading
import time
from uuid import UUID

_lock = threading.Lock()
_last = 0


def new_id() -> UUID:
    """Return a UUID of version 7 (RFC 9562), later than every one this process made before.

    48 bits of milliseconds, then a 12-bit fraction of the millisecond that is bumped when two calls meet
    (method 3 of the RFC), then 62 random bits drawn for each id, so forked processes cannot collide.
    """
    global _last
    with _lock:
        nanoseconds = time.time_ns()
        stamp = (nanoseconds // 1_000_000) << 12 | (nanoseconds % 1_000_000) * 4096 // 1_000_000
        _last = stamp = max(stamp, _last + 1)
    milliseconds, fraction = stamp >> 12, stamp & 0xFFF
    random_bits = int.from_bytes(os.urandom(8), "big") & ((1 << 62) - 1)
    return UUID(int=milliseconds << 80 | 0x7 << 76 | fraction << 64 | 0b10 << 62 | random_bits)
