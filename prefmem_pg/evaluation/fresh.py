"""A database of its own for one measurement: fresh, in a temporary folder, gone afterwards."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from prefmem_pg.memory import PreferenceMemory
from prefmem_pg.providers.protocols import EmbeddingModel


@contextmanager
def fresh_memory(*, embedder: EmbeddingModel | None = None) -> Iterator[PreferenceMemory]:
    """Open an empty embedded database that no user's rows are in, and remove it at the end.

    Raises ConfigurationError when the extra ``local`` is not installed.
    """
    with tempfile.TemporaryDirectory(prefix="prefmem-eval-", ignore_cleanup_errors=True) as folder:
        # Where another account runs the server it has to pass through this folder; nobody may list it.
        Path(folder).chmod(0o711)
        with PreferenceMemory.local(Path(folder) / "home", embedder=embedder) as memory:
            yield memory
