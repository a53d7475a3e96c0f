"""One memory for an application: opened when it is first needed, closed once."""

from collections.abc import Callable

from prefmem_pg.memory import PreferenceMemory


class OpenedOnce:
    """A memory that is made at its first use. Threads may share it, and so may processes forked before or after."""

    def __init__(self, make: Callable[[], PreferenceMemory]) -> None:
        self._make = make
        self._opened: dict[str, PreferenceMemory] = {}

    def get(self) -> PreferenceMemory:
        """Return the memory, made now when it is not there yet."""
        found = self._opened.get("memory")
        if found is not None:
            return found
        # No lock: one that another thread holds at a fork would stay locked in the child for ever. Whoever comes
        # second has opened no connection yet, and closes what it made.
        made = self._make()
        kept = self._opened.setdefault("memory", made)
        if kept is not made:
            made.close()
        return kept

    def close(self) -> None:
        """Close the memory, if there is one; the next ``get`` makes another."""
        found = self._opened.pop("memory", None)
        if found is not None:
            found.close()
