"""What a database says about its own schema, as plain lines and rows."""

from collections.abc import Iterator

from sqlalchemy import Connection, text

# Fixed, so that PostgreSQL qualifies every name the same way.
_SEARCH_PATH = "SET LOCAL search_path = pg_catalog, public"
_PARTS = {
    "tables": """
        SELECT format('%s kind=%s persistence=%s row_security=%s forced=%s options=%s', oid::regclass, relkind,
          relpersistence, relrowsecurity, relforcerowsecurity, array_to_string(reloptions, ' '))
        FROM pg_class WHERE relnamespace = 'prefmem'::regnamespace AND relkind IN ('r', 'p', 'S', 'm', 'f')""",
    "columns": """
        SELECT format('%s.%s %s%s%s', a.attrelid::regclass, a.attname, format_type(a.atttypid, a.atttypmod),
          CASE WHEN a.attnotnull THEN ' NOT NULL' END,
          CASE WHEN d.oid IS NULL THEN '' WHEN a.attgenerated = '' THEN ' DEFAULT ' ELSE ' GENERATED ' END
            || coalesce(pg_get_expr(d.adbin, d.adrelid), ''))
        FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
        LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
        WHERE c.relnamespace = 'prefmem'::regnamespace AND c.relkind = 'r' AND a.attnum > 0 AND NOT a.attisdropped""",
    "constraints": """
        SELECT format('%s.%s %s', conrelid::regclass, conname, pg_get_constraintdef(oid))
        FROM pg_constraint WHERE connamespace = 'prefmem'::regnamespace AND contype <> 'n'""",
    "indexes": """
        SELECT pg_get_indexdef(i.indexrelid) || CASE WHEN i.indisvalid THEN '' ELSE ' INVALID' END
        FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid WHERE c.relnamespace = 'prefmem'::regnamespace""",
    "policies": """
        SELECT format('%s.%s %s %s TO %s USING %s CHECK %s', tablename, policyname, permissive, cmd,
          array_to_string(roles, ', '), qual, with_check)
        FROM pg_policies WHERE schemaname = 'prefmem'""",
    "functions that columns depend on": """
        SELECT pg_get_functiondef(oid) FROM pg_proc
        WHERE pronamespace = 'prefmem'::regnamespace AND proname IN ('search_vector', 'query_terms')""",
    "triggers and rules": """
        SELECT format('trigger %s.%s', tgrelid::regclass, tgname) FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
        WHERE c.relnamespace = 'prefmem'::regnamespace AND NOT t.tgisinternal
        UNION ALL
        SELECT format('rule %s.%s', ev_class::regclass, rulename) FROM pg_rewrite r JOIN pg_class c ON c.oid = ev_class
        WHERE c.relnamespace = 'prefmem'::regnamespace AND c.relkind <> 'v'""",
}


def describe(connection: Connection) -> Iterator[str]:
    """Yield the schema line by line, in a fixed order: also what Alembic's comparison cannot see."""
    connection.execute(text(_SEARCH_PATH))
    for title, statement in _PARTS.items():
        yield f"# {title}"
        yield from sorted(connection.scalars(text(statement.replace("::", r"\:\:"))))
        yield ""


def tables(connection: Connection) -> list[str]:
    """Return the tables of the schema."""
    statement = (
        "SELECT relname FROM pg_class WHERE relnamespace = CAST('prefmem' AS regnamespace) AND relkind IN ('r', 'p')"
        " ORDER BY relname"
    )
    return list(connection.scalars(text(statement)))


def tables_of_users(connection: Connection) -> list[str]:
    """Return the tables whose rows belong to a user: those with a column user_id."""
    statement = (
        "SELECT table_name FROM information_schema.columns c JOIN pg_tables t"
        " ON t.schemaname = c.table_schema AND t.tablename = c.table_name"
        " WHERE table_schema = 'prefmem' AND column_name = 'user_id' ORDER BY table_name"
    )
    return list(connection.scalars(text(statement)))
