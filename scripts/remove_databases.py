"""Delete the embedded databases of a home and of the folders in it: python scripts/remove_databases.py .prefmem.

One that is in use stays, and so does all that would have come after it; the exit code then is 1.
"""

import sys
from pathlib import Path

from prefmem_pg.db.local import remove_local
from prefmem_pg.errors import PrefmemError


def homes(home: Path) -> list[Path]:
    """Return the home and the folders in it, as far as a database was begun there."""
    folders = [path for path in (home, *sorted(home.glob("*"))) if path.is_dir()]
    return [path for path in folders if (path / "pg.start.lock").exists() or (path / "pg.location").exists()]


def main(home: Path) -> None:
    for place in homes(home):
        try:
            remove_local(place)
        except PrefmemError as exc:
            sys.exit(f"error: {exc}")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
