"""grants.sql: it can be run again, and takes nothing that is not its own."""

from textwrap import dedent

from prefmem_pg.db.local import LocalServer
from tests.databases import database_of, superuser
from tests.sql_sandbox import Sandbox


def test_the_grants_can_be_run_again_by_an_owner_without_rights(sandbox: Sandbox) -> None:
    statement = dedent("""
        SELECT relname || CAST(relacl AS text) FROM pg_class WHERE relnamespace = to_regnamespace('prefmem')
        UNION ALL
        SELECT proname || CAST(proacl AS text) FROM pg_proc WHERE pronamespace = to_regnamespace('prefmem')
        UNION ALL
        SELECT attname || CAST(attacl AS text) FROM pg_attribute
        WHERE CAST(CAST(attrelid AS regclass) AS text) LIKE 'prefmem.%' AND attacl IS NOT NULL
        ORDER BY 1
    """)
    assert sandbox.ask("SELECT rolsuper FROM pg_roles WHERE rolname = current_user") == [False]
    before = sandbox.ask(statement)
    sandbox.run((sandbox.folder / "grants.sql").read_text(encoding="utf-8"))
    assert sandbox.ask(statement) == before
    assert len(before) > 50


def test_grants_of_a_dba_to_further_roles_stay(sandbox: Sandbox, reporter: str) -> None:
    sandbox.run(f"GRANT USAGE ON SCHEMA prefmem TO {reporter}; GRANT SELECT ON prefmem.llm_prices TO {reporter}")
    sandbox.bring()
    assert sandbox.ask(f"SELECT has_table_privilege('{reporter}', 'prefmem.llm_prices', 'SELECT')") == [True]


def test_what_somebody_else_has_in_our_schema_does_not_stop_an_upgrade(
    sandbox: Sandbox, server: LocalServer, database_url: str
) -> None:
    sandbox.connection.commit()
    with superuser(server, database_of(database_url)) as dba:
        dba.execute("CREATE VIEW prefmem.dba_view AS SELECT 1 AS one")
        dba.execute("CREATE FUNCTION prefmem.dba_function() RETURNS integer LANGUAGE sql RETURN 1")
        try:
            assert sandbox.bring() == ()
        finally:
            sandbox.connection.rollback()
            dba.execute("DROP VIEW prefmem.dba_view; DROP FUNCTION prefmem.dba_function()")
