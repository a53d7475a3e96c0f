"""What is costly to make and made once in a process, however many threads ask for it first."""

import os
from collections.abc import Callable
from functools import wraps
from threading import Lock
from typing import TypeVar

Made = TypeVar("Made")


def once(make: Callable[[], Made]) -> Callable[[], Made]:
    """Keep what a function without arguments returns; threads that ask while it is made wait for it.

    ``functools.cache`` lets each of them make it: a server's first requests then take as many times as long as there
    are threads.
    """
    made: list[Made] = []
    making = Lock()

    def begin_anew() -> None:
        """Forget, in a forked child, a lock that a thread of the parent may hold."""
        nonlocal making
        making = Lock()

    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=begin_anew)

    @wraps(make)
    def get() -> Made:
        if not made:
            with making:
                if not made:
                    made.append(make())
        return made[0]

    return get
