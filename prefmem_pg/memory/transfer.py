"""The part of the front door that takes users out and in."""

from pathlib import Path

from prefmem_pg.domain.text import check_id
from prefmem_pg.domain.transfers import TransferReport
from prefmem_pg.memory.opening import Opening


class Transfer(Opening):
    """The part of PreferenceMemory that dumps and loads."""

    def dump(self, path: str | Path, *, user_id: str | None = None, embeddings: bool = True) -> TransferReport:
        """Write all users, or one, to a file of JSON lines; ``.gz`` packs it. The file appears once it is complete.

        It holds what was said: it can be read by its owner alone. Without ``embeddings`` it is a quarter as large, and
        embed_missing() makes them again after loading. Settings and tombstones stay. NotFound for an unknown user.
        """
        from prefmem_pg.steps.transfer import dump

        self._ready()
        wanted = None if user_id is None else check_id("user_id", user_id)
        return dump(self.database, Path(path), user_id=wanted, embeddings=embeddings)

    def load(
        self,
        path: str | Path,
        *,
        user_id: str | None = None,
        replace: bool = False,
        allow_erased: bool = False,
    ) -> TransferReport:
        """Store the users of a dump, in one transaction: all or nothing.

        ``user_id`` gives the user of a one-user dump another name. Conflict when a user is here already (``replace``
        puts the dump in their place), or was erased here (``allow_erased`` lifts the tombstone). InvalidInput for a
        file that is damaged or not complete, SchemaOutOfDate for one of a newer schema.
        """
        from prefmem_pg.steps.transfer import Loading, load

        self._ready()
        wanted = None if user_id is None else check_id("user_id", user_id)
        return load(self.database, Path(path), Loading(wanted, replace, allow_erased))
