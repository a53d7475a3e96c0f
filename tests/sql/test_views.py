"""The analysts' views: sample rows in, expected rows out; their columns; and who may read which."""

import os
from pathlib import Path
from typing import Any

import pytest
from psycopg import errors as pg
from sqlalchemy import Connection, text
from sqlalchemy.exc import DBAPIError

from prefmem_pg.db.manifest import REFERENCE
from prefmem_pg.db.sql_objects import read_objects
from prefmem_pg.db.upgrade import sql_folder
from tests.conftest import RolledBackDatabase
from tests.factories import MARK, UserRows

COLUMNS = Path(__file__).with_name("view_columns.snapshot.txt")
VIEWS = sorted(item.name for item in read_objects(sql_folder()) if item.kind == "VIEW")
OF_THE_SERVER = {"monitor_indexes", "monitor_tables"}
"""Views that tell of the server and not of users."""
OF_USERS = [name for name in VIEWS if name not in OF_THE_SERVER]
TWINS = [name for name in VIEWS if name.endswith("_without_text")]
WITH_TEXT = [name.removesuffix("_without_text") for name in TWINS]
SPOKEN = {"statement", "context", "entities", "tags", "metadata", "quote", "author", "content", "reason", "value"}
"""Columns that show what a user wrote; a twin has none of them."""
NEEDS = {
    "review_queue": "UPDATE prefmem.preferences SET status = 'resolving'",
    "related_preferences": "INSERT INTO prefmem.preferences (user_id, preference_id, kind, statement, statement_hash,"
    " polarity, language, confidence, importance, status, valid_from, created_at, updated_at) SELECT user_id,"
    " version_id, 'goal', '我想去北京 🧳', sha256('other'), 'positive', 'zh', 0.9, 0.5, 'activated', at, at, at"
    " FROM prefmem.preference_versions; INSERT INTO prefmem.preference_evidence (user_id, preference_id, message_id,"
    " start_offset, end_offset, quote) SELECT v.user_id, v.version_id, m.message_id, 0, 6, 'I like'"
    " FROM prefmem.preference_versions v JOIN prefmem.messages m USING (user_id)",
}
"""What a view needs beside one row in each table to have a row of each user."""

USER = UserRows("u-安娜")


@pytest.fixture
def connection(rolled_back: RolledBackDatabase) -> Connection:
    """The owner's connection, with one user who has a row in every table."""
    USER.add_all(rolled_back.connection)
    return rolled_back.connection


def rows(connection: Connection, view: str, columns: str = "*") -> list[dict[str, Any]]:
    return [dict(row) for row in connection.execute(text(f"SELECT {columns} FROM prefmem.{view}")).mappings()]


def prepare(connection: Connection, view: str) -> None:
    statement = NEEDS.get(view.removesuffix("_without_text"), "SELECT 1")
    connection.exec_driver_sql(statement, execution_options={"no_parameters": True})


def change(connection: Connection, statement: str, **values: object) -> None:
    connection.execute(text(statement), {**USER.ids, "user_id": USER.user_id} | values)


def test_active_preferences_shows_what_is_known_with_its_evidence_and_use(connection: Connection) -> None:
    [row] = rows(connection, "active_preferences")
    assert (
        row
        | {
            "user_id": USER.user_id,
            "preference_id": USER.ids["preference_id"],
            "kind": "explicit",
            "statement": f"I like {MARK}",
            "entities": [MARK],
            "evidence_count": 1,
            "access_count": 3,
            "mention_count": 1,
            "dialog_id": "d-1",
            "metadata": {"note": MARK},
        }
        == row
    )


def test_a_preference_that_was_never_used_or_backed_is_shown_with_zeros(connection: Connection) -> None:
    change(connection, "DELETE FROM prefmem.preference_usage")
    change(connection, "DELETE FROM prefmem.preference_evidence")
    columns = "evidence_count, access_count, last_accessed_at"
    for view in ("active_preferences", "active_preferences_without_text"):
        assert rows(connection, view, columns) == [{"evidence_count": 0, "access_count": 0, "last_accessed_at": None}]


@pytest.mark.parametrize("status", ["resolving", "rejected", "archived", "superseded"])
def test_only_activated_preferences_are_active(connection: Connection, status: str) -> None:
    change(connection, "UPDATE prefmem.preferences SET status = :status", status=status)
    assert rows(connection, "active_preferences") == rows(connection, "active_preferences_without_text") == []


def test_a_preference_that_has_expired_is_not_active_and_one_that_will_is(connection: Connection) -> None:
    change(connection, "UPDATE prefmem.preferences SET expires_at = now() + interval '1 hour'")
    assert len(rows(connection, "active_preferences")) == len(rows(connection, "active_preferences_without_text")) == 1
    change(connection, "UPDATE prefmem.preferences SET expires_at = now() - interval '1 second'")
    assert rows(connection, "active_preferences") == rows(connection, "active_preferences_without_text") == []


def test_preference_history_tells_each_change_with_the_words_before_and_after(connection: Connection) -> None:
    change(
        connection,
        "INSERT INTO prefmem.preference_versions (user_id, preference_id, version, event, state_before, state_after,"
        " actor, reason, at) VALUES (:user_id, :preference_id, 2, 'supersede',"
        " jsonb_build_object('statement', 'I like 茶', 'status', 'activated'), jsonb_build_object('statement',"
        " 'I like 茶', 'status', 'superseded', 'superseded_by', CAST(:successor AS text)), 'api', '改主意了', now())",
        successor=str(USER.ids["message_id"]),
    )
    columns = "version, event, actor, statement_before, statement_after, status_before, status_after, superseded_by"
    assert rows(connection, "preference_history ORDER BY version", columns) == [
        dict(zip(columns.split(", "), values, strict=True))
        for values in (
            (1, "add", "offline", None, f"I like {MARK}", None, "activated", None),
            (2, "supersede", "api", "I like 茶", "I like 茶", "activated", "superseded", USER.ids["message_id"]),
        )
    ]


def test_a_deleted_preference_stays_in_the_history_without_its_words(connection: Connection) -> None:
    change(connection, "UPDATE prefmem.preference_versions SET state_before = NULL, state_after = NULL")
    [row] = rows(connection, "preference_history", "event, statement_before, statement_after")
    assert row == {"event": "add", "statement_before": None, "statement_after": None}


def test_evidence_trail_leads_from_a_preference_to_the_words_and_the_run(connection: Connection) -> None:
    [row] = rows(connection, "evidence_trail")
    assert (
        row
        | {
            "preference_id": USER.ids["preference_id"],
            "message_id": USER.ids["message_id"],
            "statement": f"I like {MARK}",
            "quote": MARK,
            "author": MARK,
            "role": "user",
            "start_offset": 7,
            "end_offset": 7 + len(MARK),
            "extractor_version": "offline-1",
        }
        == row
    )


def test_evidence_without_a_run_is_shown_too(connection: Connection) -> None:
    change(connection, "UPDATE prefmem.preference_evidence SET run_id = NULL")
    for view in ("evidence_trail", "evidence_trail_without_text"):
        assert rows(connection, view, "run_id, extractor_version") == [{"run_id": None, "extractor_version": None}]


@pytest.mark.parametrize("twin", TWINS)
def test_a_twin_has_the_rows_and_columns_of_its_view_but_no_words(connection: Connection, twin: str) -> None:
    prepare(connection, twin)
    whole = rows(connection, twin.removesuffix("_without_text"))
    found = rows(connection, twin)
    assert found
    assert sorted(map(str, found)) == sorted(str({name: row[name] for name in found[0]}) for row in whole)
    assert SPOKEN.isdisjoint(found[0])
    assert MARK not in str(found)
    assert MARK in str(whole)


def columns_of_views(connection: Connection) -> list[str]:
    statement = (
        "SELECT table_name || '.' || column_name || ' ' || udt_name FROM information_schema.columns"
        " JOIN information_schema.views USING (table_schema, table_name)"
        " WHERE table_schema = 'prefmem' ORDER BY table_name, ordinal_position"
    )
    return list(connection.scalars(text(statement)))


def test_the_views_have_the_columns_that_analysts_rely_on(connection: Connection) -> None:
    """PREFMEM_UPDATE_SNAPSHOT=1 writes the list anew and fails once."""
    found = columns_of_views(connection)
    if os.environ.get("PREFMEM_UPDATE_SNAPSHOT") == "1":
        COLUMNS.write_text("\n".join(found) + "\n", encoding="utf-8")
        pytest.fail(f"{COLUMNS.name} was written; read its diff, then run again without PREFMEM_UPDATE_SNAPSHOT")
    assert found == COLUMNS.read_text(encoding="utf-8").splitlines()


def test_every_view_and_each_of_its_columns_says_what_it_is(connection: Connection) -> None:
    statement = (
        "SELECT c.relname || '.' || a.attname FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid"
        " WHERE c.relnamespace = to_regnamespace('prefmem') AND c.relkind = 'v' AND a.attnum > 0"
        " AND (col_description(c.oid, a.attnum) IS NULL OR obj_description(c.oid) IS NULL)"
    )
    assert list(connection.scalars(text(statement))) == []


def test_every_view_of_users_begins_with_the_user(connection: Connection) -> None:
    first = {line.split(".")[0]: line for line in reversed(columns_of_views(connection))}
    assert first == first | {view: f"{view}.user_id text" for view in OF_USERS}
    assert first.keys() == set(VIEWS)


def test_nobody_reads_words_or_vectors_past_the_twins(connection: Connection) -> None:
    # Every column that the analyst may read, of tables and views: nothing in them shows what the user wrote.
    readable = connection.execute(
        text(
            "SELECT CAST(c.oid AS regclass) AS relation, quote_ident(a.attname) AS attname FROM pg_class c"
            " JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped"
            " WHERE c.relnamespace = to_regnamespace('prefmem') AND c.relkind IN ('r', 'v')"
            " AND has_column_privilege('prefmem_analyst', c.oid, a.attnum, 'SELECT')"
        )
    ).all()
    assert len(readable) > 150
    prepare(connection, "related_preferences")
    connection.exec_driver_sql("SET LOCAL ROLE prefmem_analyst")
    for relation, column in readable:
        shown = connection.scalars(text(f"SELECT CAST({column} AS text) FROM {relation}")).all()
        assert "tea" not in "".join(map(str, shown)), f"{relation}.{column}"
    names = {f"{relation}.{column}" for relation, column in readable}
    assert "prefmem.preference_embeddings.embedding" not in names
    assert "prefmem.llm_prices.input_usd" in names


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("role", ["analyst", "analyst_text"])
def test_the_analyst_reads_views_without_text_and_the_analyst_with_text_reads_all(
    connection: Connection, role: str, view: str
) -> None:
    connection.exec_driver_sql(f"SET LOCAL ROLE prefmem_{role}")
    if role == "analyst_text" or view not in WITH_TEXT:
        assert isinstance(rows(connection, view), list)
        return
    with pytest.raises(DBAPIError) as refused, connection.begin_nested():
        rows(connection, view)
    assert isinstance(refused.value.orig, pg.InsufficientPrivilege)


@pytest.mark.parametrize("view", OF_USERS)
def test_row_level_security_holds_through_a_view(connection: Connection, view: str) -> None:
    UserRows("u-other").add_all(connection)
    prepare(connection, view)
    assert {row["user_id"] for row in rows(connection, view, "user_id")} == {USER.user_id, "u-other"}

    connection.exec_driver_sql(f"GRANT SELECT ON prefmem.{view} TO prefmem_app")
    connection.exec_driver_sql("SET LOCAL ROLE prefmem_app; SET LOCAL prefmem.user_id = 'u-other'")

    assert {row["user_id"] for row in rows(connection, view, "user_id")} == {"u-other"}


def scans(plan: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the nodes of a plan that read a table."""
    here = [plan] if "Relation Name" in plan else []
    return [*here, *(node for child in plan.get("Plans", ()) for node in scans(child))]


@pytest.mark.parametrize("view", OF_USERS)
def test_a_view_that_is_asked_for_one_user_reads_that_users_rows_alone(connection: Connection, view: str) -> None:
    connection.exec_driver_sql("SET LOCAL ROLE prefmem_analyst_text; SET LOCAL enable_seqscan = off")
    explained = connection.scalar(text(f"EXPLAIN (FORMAT JSON) SELECT * FROM prefmem.{view} WHERE user_id = 'u-安娜'"))
    read = [node for node in scans(explained[0]["Plan"]) if node["Relation Name"] not in REFERENCE]
    assert read
    for node in read:
        conditions = [str(value) for name, value in node.items() if name in ("Index Cond", "Recheck Cond", "Filter")]
        assert "user_id = " in "".join(conditions), node
