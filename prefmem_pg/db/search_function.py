"""The search over preferences as a function of each embedding model: its plan is made once a connection."""

from collections.abc import Sequence
from typing import Final

from prefmem_pg.db.hybrid_template import PARAMETERS, RESULT, render

# force_generic_plan: planning costs a small user more than running, and the switches between the ways to search stand
# in the statement. enable_sort: the order of the HNSW index is then the only cheap one, whatever the planner thinks of
# "one user's rows". No SET hnsw.*: only superusers may create or restore such a clause, transactions set it themselves.
_FUNCTION: Final = """CREATE OR REPLACE FUNCTION prefmem.{name}(
  {parameters}
)
RETURNS TABLE (
  {result}
)
LANGUAGE plpgsql STABLE
SET search_path = {search_path}
SET plan_cache_mode = force_generic_plan
SET enable_sort = off
SET jit = off
AS $search$
#variable_conflict use_column
BEGIN
  RETURN QUERY
{statement};
END;
$search$;

COMMENT ON FUNCTION prefmem.{name} IS
  'Search of one user''s preferences ({which}) by meaning, words and names; called by the package';

REVOKE ALL ON FUNCTION prefmem.{name} FROM PUBLIC;
GRANT EXECUTE ON FUNCTION prefmem.{name} TO prefmem_app, prefmem_pipeline;
"""


def search_function_name(model_id: int, *, among: bool = False) -> str:
    """Return the function's name; ``among`` is the one that is given the ids that have passed a filter."""
    return f"search_model_{int(model_id)}" + ("_among" if among else "")


def search_function(
    *, model_id: int, dimensions: int, among: bool = False, extension_schemas: Sequence[str] = ()
) -> str:
    """Return the script that makes a model's function, with its comment and grants.

    ``extension_schemas`` are those of the extensions vector and pg_trgm.
    """
    types = PARAMETERS | ({"allowed": "uuid[]"} if among else {})
    statement = render(model_id=model_id, dimensions=dimensions, parameter={name: f"_{name}" for name in types})
    return _FUNCTION.format(
        name=search_function_name(model_id, among=among),
        parameters=",\n  ".join(f"_{name} {kind}" for name, kind in types.items()),
        search_path=", ".join(["pg_catalog", *map(_quoted, extension_schemas), "pg_temp"]),
        result=",\n  ".join(f"{name} {kind}" for name, kind in RESULT.items()),
        statement=statement.strip(),
        which="those that have passed a filter" if among else "all",
    )


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
