"""The last vectors by the hash of their text, so that the same text is not embedded twice."""

import os
import threading
from collections import OrderedDict
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray


class VectorCache:
    """The longest unused vector goes first. Threads may share it; a forked process begins with an empty one."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._begin()

    def _begin(self) -> None:
        self._pid = os.getpid()
        self._lock = threading.Lock()
        self._vectors: OrderedDict[bytes, NDArray[np.float32]] = OrderedDict()

    def find(self, keys: Iterable[bytes]) -> dict[bytes, NDArray[np.float32]]:
        with self._guard():
            found = {key: self._vectors[key] for key in keys if key in self._vectors}
            for key in found:
                self._vectors.move_to_end(key)
            return found

    def add(self, vectors: dict[bytes, NDArray[np.float32]]) -> None:
        with self._guard():
            self._vectors.update(vectors)
            while len(self._vectors) > self._size:
                self._vectors.popitem(last=False)

    def _guard(self) -> threading.Lock:
        """Return the lock; one that another thread held at a fork would stay locked in the child for ever."""
        if self._pid != os.getpid():
            self._begin()
        return self._lock
