"""File locks that the kernel drops when a process dies, however it dies."""

import contextlib
import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import ClassVar
from weakref import WeakSet

from prefmem_pg.errors import StoreUnavailable


@contextmanager
def exclusive(path: Path, *, timeout_seconds: float) -> Iterator[None]:
    """Hold the lock alone; wait for it at most ``timeout_seconds``, then raise StoreUnavailable."""
    descriptor = _open(path)
    try:
        deadline = time.monotonic() + timeout_seconds
        while not _try_lock(descriptor, alone=True):
            if time.monotonic() > deadline:
                raise StoreUnavailable(f"another process has held {path} for {timeout_seconds:g} s; try again")
            time.sleep(0.01)
        try:
            yield
        finally:
            # Unlocked by name: a child forked meanwhile by another thread has the same open file.
            _unlock(descriptor)
    finally:
        os.close(descriptor)


# The hooks of one fork run in one thread; several threads may fork at once.
_forking = threading.local()


class Hold:
    """A lock kept until it is let go or the process ends; a forked child gets one of its own."""

    _living: ClassVar["WeakSet[Hold]"] = WeakSet()
    _follows_forks: ClassVar[bool] = False

    def __init__(self, path: Path) -> None:
        self._path = path
        self._descriptor: int | None = _open(path)

    @classmethod
    def shared(cls, path: Path) -> "Hold":
        """Be one of the holders. Only called when nobody can hold it alone, so it never waits long."""
        hold = cls(path)
        _wait_shared(hold._file())
        cls._living.add(hold)
        if not cls._follows_forks:
            os.register_at_fork(
                before=cls._before_fork,
                after_in_parent=cls._after_fork_in_parent,
                after_in_child=cls._after_fork_in_child,
            )
            cls._follows_forks = True
        return hold

    @classmethod
    def alone(cls, path: Path) -> "Hold | None":
        """Be the only holder, or return None."""
        hold = cls(path)
        if _try_lock(hold._file(), alone=True):
            return hold
        hold.close()
        return None

    def is_last(self) -> bool:
        """Say whether nobody else holds it. Loses the shared lock on a no: only ask before closing."""
        return _try_lock(self._file(), alone=True)

    def close(self) -> None:
        """Let go; again is free."""
        self._living.discard(self)
        if self._descriptor is not None:
            _unlock(self._descriptor)
            os.close(self._descriptor)
            self._descriptor = None

    @property
    def is_closed(self) -> bool:
        return self._descriptor is None

    def _file(self) -> int:
        assert self._descriptor is not None
        return self._descriptor

    @classmethod
    def _before_fork(cls) -> None:
        # Taken before, not in the child: a parent that closes at once would find itself the last one.
        _forking.pairs = pairs = []
        for hold in list(cls._living):
            with contextlib.suppress(OSError):  # the folder is gone, or no descriptor is free: the fork goes on
                pairs.append((hold, _open(hold._path)))
                _wait_shared(pairs[-1][1])

    @classmethod
    def _after_fork_in_parent(cls) -> None:
        for _, descriptor in _forking.pairs:
            os.close(descriptor)

    @classmethod
    def _after_fork_in_child(cls) -> None:
        # An inherited lock is one lock in two processes: whoever lets go, lets go for both.
        for hold, descriptor in _forking.pairs:
            if hold._descriptor is not None:
                os.close(hold._descriptor)
            hold._descriptor = descriptor


def _open(path: Path) -> int:
    return os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)


def _try_lock(descriptor: int, *, alone: bool) -> bool:
    import fcntl  # not on Windows, where this module must still import

    kind = fcntl.LOCK_EX if alone else fcntl.LOCK_SH
    try:
        fcntl.flock(descriptor, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _wait_shared(descriptor: int) -> None:
    import fcntl

    fcntl.flock(descriptor, fcntl.LOCK_SH)


def _unlock(descriptor: int) -> None:
    import fcntl

    fcntl.flock(descriptor, fcntl.LOCK_UN)
