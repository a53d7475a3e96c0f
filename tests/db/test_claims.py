"""A dialog is held by one reader at a time, whatever becomes of the connection that holds it."""

import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import text

from prefmem_pg.db.claims import Claims, dialog_claims
from prefmem_pg.db.engine import make_engine
from prefmem_pg.db.local import LocalServer
from prefmem_pg.db.session import Database
from tests.databases import database_of, superuser

HERE = "locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
HELD = f"SELECT count(*) FROM pg_locks WHERE {HERE}"
END_IT = f"SELECT pg_terminate_backend(pid) FROM pg_locks WHERE {HERE}"


def held(database: Database) -> int:
    with database.engine.connect() as connection:
        return int(connection.scalar(text(HELD)) or 0)


def test_another_waits_for_the_dialog_and_not_for_others(database: Database) -> None:
    order: list[str] = []

    def read(claims: Claims, dialog_id: str) -> None:
        with claims.hold("ana 安", dialog_id):
            order.append(dialog_id)

    with (
        dialog_claims(database.engine, are_needed=True) as first,
        dialog_claims(database.engine, are_needed=True) as second,
        ThreadPoolExecutor(1) as pool,
    ):
        with first.hold("ana 安", "d 对话"):
            read(second, "another")
            waits = pool.submit(read, second, "d 对话")
            order.append("first ends")
        waits.result(timeout=300)

    assert order == ["another", "first ends", "d 对话"]
    assert held(database) == 0


def test_what_fails_inside_gives_the_dialog_back(database: Database) -> None:
    with dialog_claims(database.engine, are_needed=True) as claims:
        with pytest.raises(RuntimeError), claims.hold("ana", "d-1"):
            raise RuntimeError
        assert held(database) == 0


def test_a_lost_connection_keeps_nobody_from_reading(
    database: Database, server: LocalServer, database_url: str
) -> None:
    with dialog_claims(database.engine, are_needed=True) as claims:
        with claims.hold("ana", "d-1"), superuser(server, database_of(database_url)) as connection:
            assert connection.execute(END_IT).fetchall() == [(True,)]
        with claims.hold("ana", "d-2"):
            pass
    assert held(database) == 0


def test_no_connection_is_taken_where_reading_costs_nothing(database: Database) -> None:
    with dialog_claims(database.engine, are_needed=False) as claims, claims.hold("ana", "d-1"):
        assert held(database) == 0


def test_b11_who_holds_dialogs_leaves_the_pool_to_the_work(database_url: str) -> None:
    small = make_engine(database_url, pool_size=1, max_overflow=0)
    with (
        dialog_claims(small, are_needed=True) as first,
        dialog_claims(small, are_needed=True) as second,
        first.hold("ana", "d-1"),
        second.hold("bo 波", "d-1"),
        small.connect() as connection,
    ):
        assert connection.scalar(text("SELECT 1")) == 1
    assert small.pool.checkedout() == 0  # type: ignore[attr-defined]
    small.dispose()


@pytest.mark.parametrize("limit", ["transaction_timeout", "idle_in_transaction_session_timeout"])
def test_a_limit_of_the_hosts_ends_no_claim(database_url: str, limit: str) -> None:
    hurried, other = make_engine(f"{database_url}&options=-c%20{limit}%3D200ms"), make_engine(database_url)
    with dialog_claims(hurried, are_needed=True) as claims, claims.hold("ana 安", "d-1"), other.connect() as connection:
        time.sleep(0.6)
        held = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND granted AND pid <> pg_backend_pid()"
        assert connection.scalar(text(held)) == 1
    hurried.dispose()
    other.dispose()
