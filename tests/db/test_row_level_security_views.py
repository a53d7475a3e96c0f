"""Row-level security of every view and function of the catalog, and what each role may do to every table.

Tables by rows of two users: ``test_row_level_security.py``. Here nothing is listed by hand that the catalog knows: a
new view or function without rows, or without a call, fails.
"""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from psycopg import errors as pg
from sqlalchemy import Connection, text
from sqlalchemy.exc import DBAPIError

from prefmem_pg.db.hybrid_template import PARAMETERS
from prefmem_pg.db.manifest import DISTRIBUTED, LOCAL, REFERENCE
from prefmem_pg.db.session import Database
from prefmem_pg.db.upgrade import sql_folder
from tests.factories import MARK, UserRows

ANA, BO = UserRows("u-ana"), UserRows("u-博 🙂")
VIEWS = sorted(path.stem for path in (sql_folder() / "views").glob("*.sql"))
OF_THE_SERVER = {"monitor_tables", "monitor_indexes"}
VIEWS_OF_USERS = [name for name in VIEWS if name not in OF_THE_SERVER]
WITH_TEXT = {name for name in VIEWS if f"{name}_without_text" in VIEWS}
ROLES = ("app", "pipeline", "analyst", "analyst_text")
VERBS = {
    "SELECT": "SELECT * FROM prefmem.{table} LIMIT 1",
    "INSERT": "INSERT INTO prefmem.{table} ({column}) SELECT {column} FROM prefmem.{table} WHERE false",
    "UPDATE": "UPDATE prefmem.{table} SET {column} = {column} WHERE false",
    "DELETE": "DELETE FROM prefmem.{table} WHERE false",
    "TRUNCATE": "TRUNCATE prefmem.{table} CASCADE",
}
# Every view shows something: a second current preference about the same thing, and one that waits for a person.
MORE = """
INSERT INTO prefmem.preferences (user_id, preference_id, kind, statement, statement_hash, polarity, topic, entities,
  language, confidence, importance, status, valid_from, created_at, updated_at, run_id)
SELECT user_id, gen_random_uuid(), kind, statement || more, sha256(convert_to(statement || more, 'UTF8')), polarity,
  topic, entities, language, confidence, importance, state, valid_from, created_at, updated_at, run_id
FROM prefmem.preferences CROSS JOIN (VALUES (' and 咖啡', 'activated'), (' perhaps', 'resolving')) AS m (more, state);
INSERT INTO prefmem.preference_evidence (user_id, preference_id, message_id, start_offset, end_offset, quote, run_id)
SELECT p.user_id, p.preference_id, e.message_id, e.start_offset, e.end_offset, e.quote, e.run_id
FROM prefmem.preferences p JOIN prefmem.preference_evidence e ON e.user_id = p.user_id
WHERE p.statement LIKE '%咖啡';
INSERT INTO prefmem.preference_embeddings (user_id, preference_id, model_id, embedding, language, kind)
SELECT p.user_id, p.preference_id, 1, e.embedding, e.language, e.kind
FROM prefmem.preferences p JOIN prefmem.preference_embeddings e ON e.user_id = p.user_id
WHERE p.statement LIKE '%咖啡';
UPDATE prefmem.user_stats SET memory_mean = CAST(array_fill(0.01, ARRAY[384]) AS vector), row_count = 2,
  total_length = 4
"""
_VECTOR = "CAST(array_fill(0.05, ARRAY[384]) AS vector)"
_SEARCH = {
    "user_id": "'{user}'",
    "query": "'tea'",
    "statement_hash": "sha256('')",
    "limit": "10",
    "min_score": "0.0",
    "now": "now()",
    "exact": "false",
    "language": "'en'",
    "vector": _VECTOR,
    "shipped_mean": _VECTOR,
    "smoothing": _VECTOR,
}
_ARGUMENTS = ", ".join(f"CAST({_SEARCH[name]} AS {kind})" for name, kind in PARAMETERS.items())
IDS = "ARRAY(SELECT preference_id FROM prefmem.preferences)"
CALLS = {
    "search_model_1": f"SELECT preference_id FROM prefmem.search_model_1({_ARGUMENTS})",
    "search_model_1_among": f"SELECT preference_id FROM prefmem.search_model_1_among({_ARGUMENTS}, {{ids}})",
    "search_preferences_text": "SELECT preference_id FROM prefmem.search_preferences_text('{user}', 'I like')",
    "preferences_as_of": "SELECT preference_id FROM prefmem.preferences_as_of('{user}', now())",
    "similar_preferences": "SELECT preference_id FROM prefmem.similar_preferences('{user}', '{preference}')",
    "similar_users": "SELECT preference_id FROM prefmem.similar_users('{user}', '{preference}')",
    "forget_user": "SELECT prefmem.forget_user('{user}') AS done",
    "forget_messages": "SELECT prefmem.forget_messages('{user}', ARRAY['{message}']::uuid[]) AS done",
    "blank_preferences": "SELECT prefmem.blank_preferences('{user}', ARRAY['{preference}']::uuid[]) AS done",
    "take_from_stats": "SELECT prefmem.take_from_stats('{user}', 'preference', ARRAY['{preference}']::uuid[])",
}
"""How to ask each function that reads or changes rows of users for those of a user."""
HARMLESS = {
    "works_with",
    "simplified",
    "search_vector",
    "query_terms",
    "call_cost",
    "erasure_mark",
    "shares_text",
    "without_journey",
}
"""Functions of their arguments alone (and of the key of the tombstones)."""
READING = ("search_model_1", "search_model_1_among", "search_preferences_text", "preferences_as_of")
COMPARING = ("similar_preferences", "similar_users")
CHANGING = ("forget_user", "forget_messages", "blank_preferences")


@pytest.fixture(scope="module")
def filled(database: Database) -> Database:
    """The module's database with rows of Ana and of Bo in every table of users and in every view."""
    with database.engine.begin() as connection:
        for user in (ANA, BO):
            user.add_all(connection)
        connection.exec_driver_sql(MORE, execution_options={"no_parameters": True})
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


def is_refused(connection: Connection, statement: str) -> bool:
    """Say whether a statement is refused for want of a right, or because nobody may; it is taken back."""
    try:
        with connection.begin_nested() as savepoint:
            connection.exec_driver_sql(statement, execution_options={"no_parameters": True})
            savepoint.rollback()
    except DBAPIError as exc:
        # A view of several tables is written by nobody.
        if not isinstance(exc.orig, (pg.InsufficientPrivilege, pg.ObjectNotInPrerequisiteState)):
            raise
        return True
    return False


def call(function: str, user: UserRows) -> str:
    return CALLS[function].format(
        user=user.user_id, preference=user.ids["preference_id"], message=user.ids["message_id"], ids=IDS
    )


def everything(database: Database) -> dict[str, int]:
    """Return how many rows each table holds, and a mark of what stands in them."""
    with database.engine.connect() as connection:
        return {
            table: connection.execute(
                text(f"SELECT coalesce(sum(hashtextextended(CAST(t AS text), 0)), 0) FROM prefmem.{table} t")
            ).scalar_one()
            for table in (*DISTRIBUTED, *LOCAL, *REFERENCE)
        }


# Views


def test_every_view_of_the_catalog_is_tried_and_tells_of_users_or_of_the_server(filled: Database) -> None:
    statement = (
        "SELECT c.relname, EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'user_id')"
        " AS has FROM pg_class c WHERE c.relnamespace = to_regnamespace('prefmem') AND c.relkind = 'v'"
    )
    with filled.engine.connect() as connection:
        found = {row.relname: row.has for row in connection.execute(text(statement))}
    assert sorted(found) == VIEWS
    assert {name for name, has in found.items() if not has} == OF_THE_SERVER


@pytest.mark.parametrize("view", sorted(OF_THE_SERVER))
def test_what_the_server_tells_of_itself_is_for_everybody(filled: Database, view: str) -> None:
    for role in ROLES:
        with acting_as(filled, role) as connection:
            assert len(list(connection.execute(text(f"SELECT * FROM prefmem.{view}")))) > 20


@pytest.mark.parametrize("view", VIEWS_OF_USERS)
def test_the_application_sees_its_users_rows_in_every_view_and_no_others(filled: Database, view: str) -> None:
    statement = f"SELECT user_id FROM prefmem.{view}"
    for user in (ANA, BO):
        with acting_as(filled, "app", user.user_id) as connection:
            assert set(connection.scalars(text(statement))) == {user.user_id}
    for nobody in (None, "", "u-nobody"):
        with acting_as(filled, "app", nobody) as connection:
            assert list(connection.scalars(text(statement))) == []


@pytest.mark.parametrize("view", VIEWS_OF_USERS)
def test_the_pipeline_and_the_analysts_see_every_user_in_the_views_that_are_theirs(filled: Database, view: str) -> None:
    statement = f"SELECT DISTINCT user_id FROM prefmem.{view}"
    for role in ROLES[1:]:
        with acting_as(filled, role) as connection:
            if role == "analyst" and view in WITH_TEXT:
                assert is_refused(connection, statement)
            else:
                assert set(connection.scalars(text(statement))) == {ANA.user_id, BO.user_id}


@pytest.mark.parametrize("view", [name for name in VIEWS if name not in WITH_TEXT])
def test_no_view_of_the_analysts_without_text_shows_a_word(filled: Database, view: str) -> None:
    with acting_as(filled, "analyst") as connection:
        shown = list(connection.scalars(text(f"SELECT CAST(v AS text) FROM prefmem.{view} v")))
    assert shown
    assert MARK not in "".join(shown)


@pytest.mark.parametrize("view", VIEWS)
def test_nobody_writes_through_a_view(filled: Database, view: str) -> None:
    column = {"monitor_tables": "table_name", "monitor_indexes": "index_name"}.get(view, "user_id")
    for role in ROLES:
        with acting_as(filled, role, ANA.user_id) as connection:
            for verb in ("INSERT", "UPDATE", "DELETE"):
                assert is_refused(connection, VERBS[verb].format(table=view, column=column)), (role, verb)


# Functions


def test_every_function_of_the_catalog_is_tried(filled: Database) -> None:
    statement = "SELECT proname FROM pg_proc WHERE pronamespace = to_regnamespace('prefmem')"
    with filled.engine.connect() as connection:
        known = set(connection.scalars(text(statement)))
    assert known == {*CALLS, *HARMLESS}
    assert {*READING, *COMPARING, *CHANGING, "take_from_stats"} == set(CALLS)


@pytest.mark.parametrize("function", READING)
def test_a_function_gives_the_application_its_users_rows_and_no_others(filled: Database, function: str) -> None:
    for user, other in ((ANA, BO), (BO, ANA)):
        with acting_as(filled, "app", user.user_id) as connection:
            assert len(list(connection.scalars(text(call(function, user).replace(":", r"\:"))))) >= 1
            assert list(connection.scalars(text(call(function, other).replace(":", r"\:")))) == []
    for nobody in (None, "", "u-nobody"):
        with acting_as(filled, "app", nobody) as connection:
            assert list(connection.scalars(text(call(function, ANA).replace(":", r"\:")))) == []


@pytest.mark.parametrize("function", CHANGING)
def test_a_function_that_changes_rows_changes_those_of_the_own_user_alone(filled: Database, function: str) -> None:
    before = everything(filled)
    for user_id in (BO.user_id, "u-nobody", "", None):
        with filled.engine.connect() as connection:
            connection.exec_driver_sql("SET LOCAL ROLE prefmem_app")
            if user_id is not None:
                connection.exec_driver_sql(f"SET LOCAL prefmem.user_id = '{user_id}'")
            if not is_refused(connection, call(function, ANA)):
                connection.exec_driver_sql(call(function, ANA), execution_options={"no_parameters": True})
                connection.exec_driver_sql("RESET ROLE")
                # A tombstone of somebody else's message would be an effect too.
                gone = connection.scalar(text("SELECT count(*) FROM prefmem.preferences WHERE status = 'deleted'"))
                assert (gone, connection.scalar(text("SELECT count(*) FROM prefmem.messages"))) == (0, 2)
            connection.rollback()
    assert everything(filled) == before
    with acting_as(filled, "app", ANA.user_id) as connection:
        assert not is_refused(connection, call(function, ANA))


@pytest.mark.parametrize("function", COMPARING)
def test_comparing_by_meaning_is_for_those_who_may_read_words(filled: Database, function: str) -> None:
    for role in ROLES:
        with acting_as(filled, role, ANA.user_id) as connection:
            if role in ("app", "analyst"):
                assert is_refused(connection, call(function, ANA))
            else:
                assert len(list(connection.scalars(text(call(function, ANA))))) >= 1


@pytest.mark.parametrize("function", [*CHANGING, "take_from_stats"])
@pytest.mark.parametrize("role", ["analyst", "analyst_text"])
def test_no_analyst_changes_anything_by_a_function(filled: Database, role: str, function: str) -> None:
    with acting_as(filled, role) as connection:
        assert is_refused(connection, call(function, ANA))


def test_an_analyst_without_text_calls_no_function_that_shows_words(filled: Database) -> None:
    with acting_as(filled, "analyst") as connection:
        for function in READING:
            assert is_refused(connection, call(function, ANA)), function


# What each role may do to each table


def granted(connection: Connection, role: str, table: str) -> dict[str, bool]:
    statement = (
        "SELECT verb, has_table_privilege(:role, :table, verb) AS may FROM unnest(CAST(:verbs AS text[])) AS verb"
    )
    values = {"role": f"prefmem_{role}", "table": f"prefmem.{table}", "verbs": list(VERBS)}
    return {row.verb: row.may for row in connection.execute(text(statement), values)}


def may_read_all(connection: Connection, role: str, table: str) -> bool:
    """Say whether every column is granted; which those are is tested by ``test_row_level_security.py``."""
    statement = (
        "SELECT bool_and(has_column_privilege(:role, attrelid, attnum, 'SELECT')) FROM pg_attribute"
        " WHERE attrelid = CAST(:table AS regclass) AND attnum > 0 AND NOT attisdropped"
    )
    return bool(connection.scalar(text(statement), {"role": f"prefmem_{role}", "table": f"prefmem.{table}"}))


def expected(role: str, table: str) -> set[str]:
    """What grants.sql gives, said once more."""
    if role in ("analyst", "analyst_text"):
        reads_all = {"llm_prices", "embedding_models"} | ({"preference_terms"} if role == "analyst_text" else set())
        return {"SELECT"} if table in reads_all else set()
    if table in DISTRIBUTED or table == "erasures":
        return {"SELECT", "INSERT", "UPDATE", "DELETE"}
    if table in {*REFERENCE, "alembic_version"}:
        return {"SELECT"}
    if table == "llm_shared_calls":
        return {"SELECT", "INSERT", "UPDATE"}
    if role == "pipeline" and table in {"llm_batches", "evaluation_runs", "evaluation_results"}:
        return {"SELECT", "INSERT", "UPDATE", "DELETE"}
    return set()


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("table", [*DISTRIBUTED, *REFERENCE, *LOCAL])
def test_a_role_has_the_verbs_that_are_granted_and_no_others(filled: Database, role: str, table: str) -> None:
    with filled.engine.connect() as connection:
        column = connection.scalar(
            text("SELECT attname FROM pg_attribute WHERE attrelid = CAST(:table AS regclass) AND attnum = 1"),
            {"table": f"prefmem.{table}"},
        )
        may = {verb for verb, has in granted(connection, role, table).items() if has}
        if may_read_all(connection, role, table):
            may.add("SELECT")
    assert may - {"SELECT"} == expected(role, table) - {"SELECT"}
    assert may >= expected(role, table)
    with acting_as(filled, role, ANA.user_id) as connection:
        for verb, statement in VERBS.items():
            refused = is_refused(connection, statement.format(table=table, column=column))
            assert refused == (verb not in may), (verb, table)
