"""The rules that let the schema be spread by user, read from the catalog; and those of every good schema."""

from collections.abc import Iterator

import pytest
from sqlalchemy import Connection, text

from prefmem_pg.db.manifest import DISTRIBUTED, LOCAL, REFERENCE
from prefmem_pg.db.session import Database
from tests.catalog import tables, tables_of_users

OURS = "connamespace = CAST('prefmem' AS regnamespace)"
# Constraints with their columns, and what they refer to, as names.
CONSTRAINTS = f"""
SELECT c.conname, c.contype, c.confdeltype, c.confupdtype, c.condeferrable,
  r.relname AS table_name, f.relname AS referred,
  ARRAY(SELECT a.attname FROM unnest(c.conkey) WITH ORDINALITY k(number, place)
    JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = k.number ORDER BY k.place) AS columns,
  ARRAY(SELECT a.attname FROM unnest(c.confkey) WITH ORDINALITY k(number, place)
    JOIN pg_attribute a ON a.attrelid = c.confrelid AND a.attnum = k.number ORDER BY k.place) AS referred_columns
FROM pg_constraint c JOIN pg_class r ON r.oid = c.conrelid LEFT JOIN pg_class f ON f.oid = c.confrelid
WHERE {OURS}
"""
INDEXES = """
SELECT i.indexrelid::regclass::text AS name, r.relname AS table_name, i.indisunique,
  ARRAY(SELECT pg_get_indexdef(i.indexrelid, place, false)
    FROM generate_series(1, i.indnkeyatts) AS place ORDER BY place) AS columns
FROM pg_index i JOIN pg_class r ON r.oid = i.indrelid WHERE r.relnamespace = 'prefmem'::regnamespace
""".replace("::", r"\:\:")


@pytest.fixture
def catalog(database: Database) -> Iterator[Connection]:
    with database.engine.connect() as connection:
        yield connection


def test_every_table_is_in_the_manifest_once(catalog: Connection) -> None:
    assert sorted(DISTRIBUTED + REFERENCE + LOCAL) == tables(catalog)


def test_the_distributed_tables_are_those_with_rows_of_users(catalog: Connection) -> None:
    assert sorted(DISTRIBUTED) == tables_of_users(catalog)


def test_parents_come_before_children_in_the_manifest(catalog: Connection) -> None:
    order = {name: place for place, name in enumerate((*REFERENCE, *DISTRIBUTED, *LOCAL))}
    foreign = [row for row in catalog.execute(text(CONSTRAINTS)) if row.contype == "f"]
    assert foreign
    assert [row.conname for row in foreign if order[row.referred] > order[row.table_name]] == []


def test_foreign_keys_stay_within_what_a_cluster_allows(catalog: Connection) -> None:
    kind = {name: label for names, label in zip((DISTRIBUTED, REFERENCE, LOCAL), "dil", strict=True) for name in names}
    found = {kind[row.table_name] + kind[row.referred] for row in catalog.execute(text(CONSTRAINTS)) if row.referred}
    assert found <= {"dd", "di", "ii", "li", "ll"}
    assert "dd" in found


def test_every_table_has_a_primary_key(catalog: Connection) -> None:
    with_key = {row.table_name for row in catalog.execute(text(CONSTRAINTS)) if row.contype == "p"}
    assert sorted(with_key) == tables(catalog)


def test_the_user_comes_first_in_every_key_of_a_table_of_users(catalog: Connection) -> None:
    keys = [
        row
        for row in catalog.execute(text(CONSTRAINTS))
        if row.table_name in DISTRIBUTED and row.contype in ("p", "u", "x")
    ]
    assert len(keys) >= len(DISTRIBUTED)
    assert [row.conname for row in keys if row.columns[0] != "user_id"] == []
    unique = [row for row in catalog.execute(text(INDEXES)) if row.table_name in DISTRIBUTED and row.indisunique]
    assert [row.name for row in unique if row.columns[0] != "user_id"] == []


def test_a_foreign_key_between_tables_of_users_begins_with_the_user(catalog: Connection) -> None:
    foreign = [row for row in catalog.execute(text(CONSTRAINTS)) if row.referred in DISTRIBUTED]
    assert len(foreign) >= len(DISTRIBUTED) - 1
    assert [row.conname for row in foreign if (row.columns[0], row.referred_columns[0]) != ("user_id", "user_id")] == []


def test_every_table_of_users_goes_with_its_user(catalog: Connection) -> None:
    parents = {
        row.table_name: row.referred
        for row in catalog.execute(text(CONSTRAINTS))
        if row.referred in DISTRIBUTED and row.confdeltype == "c" and row.table_name != row.referred
    }
    assert sorted({*parents, "users"}) == sorted(DISTRIBUTED)


def test_foreign_keys_never_set_null_and_are_never_deferred(catalog: Connection) -> None:
    foreign = [row for row in catalog.execute(text(CONSTRAINTS)) if row.contype == "f"]
    # a: no action, r: restrict, c: cascade
    assert {row.confdeltype for row in foreign} <= {"a", "r", "c"}
    assert {row.confupdtype for row in foreign} == {"a"}
    assert [row.conname for row in foreign if row.condeferrable] == []


def test_every_foreign_key_to_messages_or_preferences_has_an_index_of_its_columns(catalog: Connection) -> None:
    indexes = list(catalog.execute(text(INDEXES)))
    foreign = [
        row for row in catalog.execute(text(CONSTRAINTS)) if row.referred in ("messages", "preferences", "dialogs")
    ]
    assert len(foreign) >= 10
    missing = [
        row.conname
        for row in foreign
        if not any(
            index.table_name == row.table_name and index.columns[: len(row.columns)] == row.columns for index in indexes
        )
    ]
    assert missing == []


def test_the_user_id_is_text_and_never_null(catalog: Connection) -> None:
    statement = (
        "SELECT table_name, data_type, is_nullable, column_default FROM information_schema.columns"
        " WHERE table_schema = 'prefmem' AND column_name = 'user_id' AND table_name = ANY(:names)"
    )
    found = {tuple(row)[1:] for row in catalog.execute(text(statement), {"names": list(DISTRIBUTED)})}
    assert found == {("text", "NO", None)}


@pytest.mark.parametrize(
    ("what", "statement"),
    [
        ("sequences", "SELECT relname FROM pg_class WHERE relnamespace = {ours} AND relkind = 'S'"),
        (
            "identity columns",
            "SELECT a.attname FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid"
            " WHERE c.relnamespace = {ours} AND a.attidentity <> ''",
        ),
        (
            "triggers",
            "SELECT tgname FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid"
            " WHERE c.relnamespace = {ours} AND NOT t.tgisinternal",
        ),
        (
            "rules",
            "SELECT rulename FROM pg_rewrite r JOIN pg_class c ON c.oid = r.ev_class"
            " WHERE c.relnamespace = {ours} AND c.relkind <> 'v'",
        ),
        (
            "unlogged tables",
            "SELECT relname FROM pg_class WHERE relnamespace = {ours} AND relkind = 'r' AND relpersistence <> 'p'",
        ),
        (
            "inherited tables",
            "SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE c.relnamespace = {ours}",
        ),
        (
            "policies with subqueries",
            "SELECT policyname FROM pg_policies WHERE schemaname = 'prefmem'"
            " AND concat(qual, with_check) ILIKE '%select%'",
        ),
        (
            "tables of users without row-level security",
            "SELECT relname FROM pg_class WHERE relnamespace = {ours} AND relname = ANY(:distributed)"
            " AND NOT relrowsecurity",
        ),
        (
            "tables with forced row-level security, which the owner's dump cannot read",
            "SELECT relname FROM pg_class WHERE relnamespace = {ours} AND relforcerowsecurity",
        ),
        (
            "functions over tables that a cluster cannot run",
            "SELECT p.proname FROM pg_proc p JOIN pg_language l ON l.oid = p.prolang"
            " WHERE p.pronamespace = {ours} AND l.lanname = 'sql' AND p.provolatile <> 'i'",
        ),
        (
            "plpgsql functions without a search_path of their own",
            "SELECT p.proname FROM pg_proc p JOIN pg_language l ON l.oid = p.prolang WHERE p.pronamespace = {ours}"
            " AND l.lanname = 'plpgsql' AND coalesce(array_to_string(p.proconfig, ' '), '') NOT LIKE '%search_path=%'",
        ),
        (
            "functions that a non-superuser could not restore",
            "SELECT proname FROM pg_proc WHERE pronamespace = {ours} AND array_to_string(proconfig, ' ') LIKE '%hnsw%'",
        ),
    ],
)
def test_the_schema_has_none_of(catalog: Connection, what: str, statement: str) -> None:
    found = catalog.scalars(
        text(statement.format(ours="CAST('prefmem' AS regnamespace)")),
        {"distributed": list(DISTRIBUTED)} if ":distributed" in statement else {},
    )
    assert (what, list(found)) == (what, [])
