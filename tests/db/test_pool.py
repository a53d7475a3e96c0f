"""A connection that the server has closed is replaced before it is used; a reader leaves it as it was, or closes it."""

import logging
import signal
from collections.abc import Callable
from typing import Any

import psycopg
import pytest
from sqlalchemy import text

from prefmem_pg.db import engine as engines
from prefmem_pg.db.engine import make_engine
from prefmem_pg.db.local import LocalServer
from prefmem_pg.db.session import Database
from prefmem_pg.errors import PrefmemError
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


class TimeIsUp(Exception):
    """What a host raises in the middle of a call, as a soft time limit does."""


def test_a_hosts_own_exception_comes_out_of_a_reader_as_it_is(database: Database) -> None:
    def stop(signum: int, frame: object) -> None:
        raise TimeIsUp

    before = signal.signal(signal.SIGALRM, stop)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.3)
        with pytest.raises(TimeIsUp):
            database.read(lambda cursor: cursor.execute("SELECT pg_sleep(5)"), user_id="用户 🍵")
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert database.read(lambda cursor: cursor.execute("SELECT 1"), user_id="用户 🍵") == [(1,)]


def test_a_reader_inside_the_handling_of_another_error_fails_with_its_own(database: Database) -> None:
    try:
        raise KeyError("the host's own")
    except KeyError:
        with pytest.raises(PrefmemError):
            database.read(lambda cursor: cursor.execute("SELECT 1 / 0"), user_id="u-1")
        assert database.read(lambda cursor: cursor.execute("SELECT 1"), user_id="u-1") == [(1,)]


def test_a_statement_that_fails_in_a_reader_leaves_the_connection_usable(database: Database) -> None:
    with pytest.raises(PrefmemError):
        database.read(lambda cursor: cursor.execute("SELECT 1 / 0"), user_id="u-1")
    assert database.read(lambda cursor: cursor.execute("SELECT 1"), user_id="u-1") == [(1,)]


def fails_in_a_reader(database: Database) -> None:
    def ask(cursor: psycopg.Cursor[Any]) -> None:
        cursor.execute("SELECT 1 / 0")
        raise TimeIsUp

    database.read(ask, user_id="用户 🍵")


def fails_among_many_rows(database: Database) -> None:
    with database.transaction(user_id="用户 🍵") as repositories:
        rows = [{"n": n % 3} for n in range(2_000)]
        repositories.session.connection().execute(text("SELECT 1 / CAST(:n AS integer)"), rows)


@pytest.mark.parametrize(
    ("fail", "error"), [(fails_in_a_reader, TimeIsUp), (fails_among_many_rows, PrefmemError)], ids=["reader", "rows"]
)
def test_what_the_driver_clears_up_behind_an_error_is_no_news_for_its_log(
    database: Database,
    caplog: pytest.LogCaptureFixture,
    fail: Callable[[Database], None],
    error: type[Exception],
) -> None:
    with pytest.raises(error):
        fail(database)

    assert caplog.messages == []
    logging.getLogger("psycopg").warning("error ignored terminating what a host has begun")
    assert len(caplog.messages) == 1
