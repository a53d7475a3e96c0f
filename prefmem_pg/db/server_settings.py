"""What of a server's settings and of its tables' state makes searches slow, or loses what was written."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from sqlalchemy import text
from sqlalchemy.orm import Session

DEAD_SHARE: Final = 0.2
DEAD_ROWS: Final = 10_000
"""So many dead rows and such a share of all: autovacuum does not keep up. It begins at a fiftieth here."""
VISIBLE_SHARE: Final = 0.8
"""What of a table that is read index-only should be marked all-visible; else the rows are read one by one."""
VISIBLE_PAGES: Final = 200
"""Smaller tables are not worth a word."""
BUFFERS_MB: Final = 128

_SETTINGS: Final = """
SELECT name, setting, unit FROM pg_settings WHERE name = ANY(CAST(:names AS text[]))
"""
# What must not be, and why.
_HARMFUL: Final = {
    "fsync": ("off", "a crash of the machine destroys the database"),
    "full_page_writes": ("off", "a crash of the machine may destroy the database"),
    "autovacuum": ("off", "searches get slower with every change"),
    "synchronous_commit": ("off", "a crash loses the last acknowledged writes"),
    "row_security": ("off", "every query of the application fails"),
    "enable_indexscan": ("off", "searches read every row"),
    "enable_indexonlyscan": ("off", "searches read every row"),
    "enable_nestloop": ("off", "searches read every row"),
    "default_transaction_read_only": ("on", "nothing can be written"),
    "lc_ctype": ("C", "names are not compared beyond ASCII letters; make the database with LC_CTYPE 'C.UTF-8'"),
}
_TABLES: Final = """
SELECT c.relname, coalesce(s.n_live_tup, 0) AS live, coalesce(s.n_dead_tup, 0) AS dead, c.relpages,
  greatest(c.relallvisible, 0) AS visible, c.reloptions @> ARRAY['autovacuum_enabled=off']
    OR c.reloptions @> ARRAY['autovacuum_enabled=false'] AS is_never_vacuumed
FROM pg_class c LEFT JOIN pg_stat_all_tables s ON s.relid = c.oid
WHERE c.relnamespace = to_regnamespace('prefmem') AND c.relkind = 'r'
ORDER BY c.relname
"""
_READ_INDEX_ONLY: Final = frozenset(
    {"preference_embeddings", "message_embeddings", "preference_terms", "message_terms"}
)


@dataclass(frozen=True, slots=True)
class Hindrance:
    """A setting or a table that makes things worse: what it is, what follows, and what to run."""

    name: str
    found: str
    advice: str


def find_harmful_settings(session: Session) -> list[Hindrance]:
    """Return the settings of the connection's role on this server that hurt."""
    names = [*_HARMFUL, "shared_buffers"]
    found = {row.name: row for row in session.execute(text(_SETTINGS), {"names": names})}
    if (ctype := session.scalar(text("SELECT datctype FROM pg_database WHERE datname = current_database()"))) == "C":
        harmful = [Hindrance("lc_ctype", f"is {ctype}: {_HARMFUL['lc_ctype'][1]}", "dump, make it anew, restore")]
    else:
        harmful = []
    for name, (value, follows) in _HARMFUL.items():
        row = found.get(name)
        if name != "lc_ctype" and row is not None and row.setting == value:
            harmful.append(
                Hindrance(name, f"is {value}: {follows}", f"set {name} = {'on' if value == 'off' else 'off'}")
            )
    buffers = found.get("shared_buffers")
    if buffers is not None and int(buffers.setting) * 8 // 1024 < BUFFERS_MB:
        small = f"is {int(buffers.setting) * 8 // 1024} MB"
        harmful.append(Hindrance("shared_buffers", small, "a quarter of the machine's memory is usual"))
    return harmful


def find_tired_tables(session: Session) -> Iterator[Hindrance]:
    """Yield the tables with many dead rows, or whose index-only scans have to look at the rows."""
    for row in session.execute(text(_TABLES)):
        if row.is_never_vacuumed:
            yield Hindrance(
                row.relname, "is never vacuumed", f"ALTER TABLE prefmem.{row.relname} RESET (autovacuum_enabled)"
            )
        if row.dead >= DEAD_ROWS and row.dead >= DEAD_SHARE * (row.live + row.dead):
            told = f"has {row.dead:,} dead rows beside {row.live:,}"
            yield Hindrance(row.relname, told, f"VACUUM prefmem.{row.relname}")
        is_hidden = row.relpages >= VISIBLE_PAGES and row.visible < VISIBLE_SHARE * row.relpages
        if row.relname in _READ_INDEX_ONLY and is_hidden:
            told = f"is all-visible in {row.visible / row.relpages:.0%} of its pages"
            yield Hindrance(row.relname, told, f"VACUUM prefmem.{row.relname}")
