"""Row-level security of every table of users, each with a row of two users; and the roles that work under it."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from psycopg import errors as pg
from sqlalchemy import Connection, text
from sqlalchemy.exc import DBAPIError

from prefmem_pg.db.engine import make_engine
from prefmem_pg.db.manifest import DISTRIBUTED, LOCAL, REFERENCE
from prefmem_pg.db.session import EF_SEARCH, Database
from tests.catalog import tables_of_users
from tests.factories import MARK, UserRows

ANA, BO = UserRows("u-ana"), UserRows("u-博 🙂")
every_table = pytest.mark.parametrize("table", DISTRIBUTED)


@pytest.fixture(scope="module")
def filled(database: Database) -> Database:
    """The module's database with a row of Ana and one of Bo in every table of users."""
    with database.engine.begin() as connection:
        for user in (ANA, BO):
            user.add_all(connection)
    return database


@contextmanager
def acting_as(database: Database, role: str, user_id: str | None = None) -> Iterator[Connection]:
    """Give a connection that has taken on a role; what it does is rolled back."""
    with database.engine.connect() as connection:
        connection.exec_driver_sql(f"SET LOCAL ROLE prefmem_{role}")
        if user_id is not None:
            connection.exec_driver_sql(f"SET LOCAL prefmem.user_id = '{user_id}'")
        yield connection
        connection.rollback()


@contextmanager
def refused() -> Iterator[None]:
    with pytest.raises(DBAPIError) as caught:
        yield
    assert isinstance(caught.value.orig, pg.InsufficientPrivilege), caught.value.orig


def owners(connection: Connection, table: str) -> set[str]:
    return set(connection.scalars(text(f"SELECT user_id FROM prefmem.{table}")))


def test_the_owner_is_no_superuser_and_does_not_bypass_row_level_security(database: Database) -> None:
    statement = "SELECT rolsuper OR rolbypassrls OR rolcreaterole FROM pg_roles WHERE rolname = current_user"
    with database.engine.connect() as connection:
        assert connection.scalar(text(statement)) is False


def test_the_factory_knows_every_table_of_the_catalog(filled: Database) -> None:
    with acting_as(filled, "pipeline") as connection:
        assert sorted(DISTRIBUTED) == tables_of_users(connection)


@every_table
def test_a_user_sees_the_own_row_and_no_other(filled: Database, table: str) -> None:
    for user in (ANA, BO):
        with acting_as(filled, "app", user.user_id) as connection:
            assert owners(connection, table) == {user.user_id}


@every_table
def test_without_a_user_there_is_nothing_to_see(filled: Database, table: str) -> None:
    for nobody in (None, "", "u-nobody"):
        with acting_as(filled, "app", nobody) as connection:
            assert owners(connection, table) == set()


@every_table
def test_the_pipeline_sees_every_row(filled: Database, table: str) -> None:
    with acting_as(filled, "pipeline") as connection:
        assert owners(connection, table) == {ANA.user_id, BO.user_id}


@every_table
def test_a_user_cannot_change_or_delete_anothers_row(filled: Database, table: str) -> None:
    with acting_as(filled, "app", ANA.user_id) as connection:
        values = {"user_id": BO.user_id}
        changed = connection.execute(
            text(f"UPDATE prefmem.{table} SET user_id = user_id WHERE user_id = :user_id"), values
        )
        assert changed.rowcount == 0
        deleted = connection.execute(text(f"DELETE FROM prefmem.{table} WHERE user_id = :user_id"), values)
        assert deleted.rowcount == 0
        # The same statement without a condition reaches the own row alone.
        assert connection.execute(text(f"UPDATE prefmem.{table} SET user_id = user_id")).rowcount == 1


@every_table
def test_a_user_cannot_add_a_row_for_another_or_give_one_away(filled: Database, table: str) -> None:
    with acting_as(filled, "app", ANA.user_id) as connection, refused():
        BO.add(connection, table)
    with acting_as(filled, "app", ANA.user_id) as connection, refused():
        connection.execute(text(f"UPDATE prefmem.{table} SET user_id = :user_id"), {"user_id": BO.user_id})


@every_table
@pytest.mark.parametrize("role", ["analyst", "analyst_text"])
def test_an_analyst_writes_nothing(filled: Database, table: str, role: str) -> None:
    for statement in (
        f"INSERT INTO prefmem.{table} DEFAULT VALUES",
        f"UPDATE prefmem.{table} SET user_id = user_id",
        f"DELETE FROM prefmem.{table}",
        f"TRUNCATE prefmem.{table} CASCADE",
    ):
        with acting_as(filled, role) as connection, refused():
            connection.execute(text(statement))


# Not erasures: who forgets a user, or lets one come back, writes the tombstone.
@pytest.mark.parametrize("table", sorted({*LOCAL, *REFERENCE} - {"erasures"}))
def test_the_application_changes_no_table_without_users(filled: Database, table: str) -> None:
    with acting_as(filled, "app", ANA.user_id) as connection, refused():
        connection.execute(text(f"DELETE FROM prefmem.{table}"))


@every_table
def test_an_analyst_reads_the_granted_columns_of_every_user_and_no_words(filled: Database, table: str) -> None:
    for role in ("analyst", "analyst_text"):
        readable, closed = columns(filled, table, f"prefmem_{role}")
        with acting_as(filled, role) as connection:
            for column in readable:
                shown = list(connection.scalars(text(f'SELECT CAST("{column}" AS text) FROM prefmem.{table}')))
                assert len(shown) == 2
                assert role == "analyst_text" or MARK not in "".join(filter(None, shown)), column
        for column in closed:
            with acting_as(filled, role) as connection, refused():
                connection.execute(text(f'SELECT "{column}" FROM prefmem.{table}'))


def columns(database: Database, table: str, role: str) -> tuple[list[str], list[str]]:
    """Return the columns of a table that a role may read, and those that it may not."""
    statement = (
        "SELECT attname, has_column_privilege(:role, attrelid, attnum, 'SELECT') AS may FROM pg_attribute"
        " WHERE attrelid = CAST(:table AS regclass) AND attnum > 0 AND NOT attisdropped"
    )
    with database.engine.connect() as connection:
        rows = connection.execute(text(statement), {"role": role, "table": f"prefmem.{table}"}).all()
    return [row.attname for row in rows if row.may], [row.attname for row in rows if not row.may]


def test_an_analyst_with_text_may_read_what_was_said(filled: Database) -> None:
    with acting_as(filled, "analyst_text") as connection:
        shown = connection.scalars(text("SELECT statement FROM prefmem.preferences ORDER BY user_id"))
        assert list(shown) == [f"I like {MARK}"] * 2


@pytest.mark.parametrize(("user_id", "role"), [("u-ana", "prefmem_app"), (None, "prefmem_pipeline")])
def test_a_transaction_works_as_the_role_of_its_user(filled: Database, user_id: str | None, role: str) -> None:
    statement = "SELECT current_user, session_user, nullif(current_setting('prefmem.user_id', true), '')"
    with filled.transaction(user_id=user_id) as repositories:
        assert tuple(repositories.session.execute(text(statement)).one()) == (role, "prefmem_owner", user_id)


@pytest.mark.parametrize("user_id", ["o'brien", 'a"b', "100%", ":user", "博 🙂", "a\\b", "x'; RESET ROLE; --"])
def test_any_user_id_is_taken_as_it_stands(database: Database, user_id: str) -> None:
    with database.transaction(user_id=user_id) as repositories:
        statement = "SELECT current_user, current_setting('prefmem.user_id')"
        assert tuple(repositories.session.execute(text(statement)).one()) == ("prefmem_app", user_id)


@pytest.mark.parametrize("fails", [False, True])
def test_b18_nothing_of_a_transaction_stays_with_its_connection(database_url: str, fails: bool) -> None:
    settings = (
        "SELECT pg_backend_pid(), current_user, nullif(current_setting('prefmem.user_id', true), ''),"
        " current_setting('hnsw.ef_search', true), current_setting('hnsw.iterative_scan', true),"
        " current_setting('timezone')"
    )
    engine = make_engine(database_url, pool_size=1, max_overflow=0)
    database = Database(engine)
    try:
        with engine.connect() as connection:
            connection.execute(text("SELECT CAST('[1]' AS halfvec)"))  # loads the library, which defines hnsw.*
            connection.exec_driver_sql("SET timezone = 'America/New_York'")
            connection.commit()
            before = tuple(connection.execute(text(settings)).one())
        try:
            with database.transaction(user_id="u-ana") as repositories:
                inside = tuple(repositories.session.execute(text(settings)).one())
                if fails:
                    raise LookupError
        except LookupError:
            pass
        with engine.connect() as connection:
            assert tuple(connection.execute(text(settings)).one()) == before
        assert inside == (before[0], "prefmem_app", "u-ana", str(EF_SEARCH), "relaxed_order", "UTC")
        assert before[1:] == ("prefmem_owner", None, "40", "off", "America/New_York")
    finally:
        engine.dispose()
