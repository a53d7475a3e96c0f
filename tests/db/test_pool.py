"""A connection that the server has closed is replaced before it is used, without asking each time."""

import pytest
from sqlalchemy import text

from prefmem_pg.db import engine as engines
from prefmem_pg.db.engine import make_engine
from prefmem_pg.db.local import LocalServer
from prefmem_pg.db.session import Database
from tests.databases import superuser


@pytest.mark.parametrize("asked_after", [30.0, 0.0], ids=["looked at", "asked"])
def test_closed_connections_are_replaced_unseen(
    server: LocalServer, database_url: str, monkeypatch: pytest.MonkeyPatch, asked_after: float
) -> None:
    monkeypatch.setattr(engines, "ASKED_AFTER_SECONDS", asked_after)
    database = Database(make_engine(database_url, pool_size=1, max_overflow=0))
    seen = set()
    with superuser(server) as dba:
        for _ in range(3):
            with database.transaction(user_id="u-我") as repositories:
                seen.add(repositories.session.scalar(text("SELECT pg_backend_pid()")))
            [(pid,)] = database.read(lambda cursor: cursor.execute("SELECT pg_backend_pid()"), user_id="u-我")
            assert pid in seen
            dba.execute("SELECT pg_terminate_backend(%s, 5000)", (pid,))
    database.close()

    assert len(seen) == 3


def test_a_reader_cannot_write_and_leaves_the_connection_as_it_was(database: Database) -> None:
    with pytest.raises(Exception, match="read-only"):
        database.read(
            lambda cursor: cursor.execute("INSERT INTO prefmem.users (user_id) VALUES ('u-1')"), user_id="u-1"
        )
    with database.transaction(user_id="u-2") as repositories:
        assert repositories.session.scalar(text("SELECT current_setting('prefmem.user_id')")) == "u-2"
        assert repositories.session.scalar(text("SHOW transaction_read_only")) == "off"
