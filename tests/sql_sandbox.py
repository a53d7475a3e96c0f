"""A copy of sql/ with a view and a function of its own, and a connection to bring it to head on."""

from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import Connection, text

from prefmem_pg.db.sql_objects import bring_objects_to_head

VIEW = """
CREATE OR REPLACE VIEW prefmem.tea_drinkers WITH (security_invoker = true) AS
SELECT user_id, {columns} FROM prefmem.preferences WHERE statement LIKE '%茶%' OR statement LIKE '100% tea: %';
COMMENT ON VIEW prefmem.tea_drinkers IS 'Who likes tea 🍵';
"""
FUNCTION = """
CREATE OR REPLACE FUNCTION prefmem.tea_words({arguments}) RETURNS {result} LANGUAGE sql IMMUTABLE
BEGIN ATOMIC
  SELECT {value};
END;
COMMENT ON FUNCTION prefmem.tea_words({arguments}) IS 'Words for tea';
"""


@dataclass
class Sandbox:
    """A copy of sql/ and a transaction on the database, which is rolled back."""

    connection: Connection
    folder: Path

    def view(self, columns: str) -> None:
        (self.folder / "views" / "tea_drinkers.sql").write_text(VIEW.format(columns=columns), encoding="utf-8")

    def function(self, arguments: str, *, result: str = "text", value: str = "'tea 茶'") -> None:
        body = FUNCTION.format(arguments=arguments, result=result, value=value)
        (self.folder / "functions" / "tea_words.sql").write_text(body, encoding="utf-8")

    def bring(self) -> tuple[str, ...]:
        return bring_objects_to_head(self.connection, self.folder)

    def run(self, statement: str) -> None:
        self.connection.exec_driver_sql(statement, execution_options={"no_parameters": True})

    def ask(self, statement: str) -> list[object]:
        return list(self.connection.scalars(text(statement)))

    def signatures(self) -> list[object]:
        return self.ask("SELECT CAST(CAST(oid AS regprocedure) AS text) FROM pg_proc WHERE proname = 'tea_words'")

    def view_oid(self) -> list[object]:
        return self.ask("SELECT oid FROM pg_class WHERE relname = 'tea_drinkers'")
