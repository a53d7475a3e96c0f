"""The search over preferences as a function of each embedding model: its plans are made once a connection."""

from collections.abc import Sequence
from typing import Final

from prefmem_pg.db.hybrid_template import PARAMETERS, RESULT, VARIABLES, Way, render_function, render_names
from prefmem_pg.db.ranking import MIN_POOL

# force_generic_plan: planning costs a small user more than running. The way to search is chosen here, by what is known
# of the user: starting a plan costs for each of its nodes, also for those in branches that are not taken, and to a
# small user that is most of a search. enable_sort: the order of the HNSW index is then the only cheap one, whatever
# the planner thinks of "one user's rows". enable_seqscan: a plan that was made while a table was nearly empty stays,
# and would read all of it for each row later. ASCII is folded already: query_terms would make the same of it, and cost
# a small user a twentieth of a search. No SET hnsw.*: only superusers may create or restore such a clause,
# transactions set it themselves.
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
SET enable_seqscan = off
SET jit = off
AS $search$
#variable_conflict use_column
DECLARE
  {variables}
BEGIN
  {nothing}SELECT coalesce(sum(s.row_count), 0), coalesce(sum(s.total_length) / nullif(sum(s.row_count), 0), 10),
    coalesce(bool_or(s.in_hnsw), false) AND NOT _exact,
    coalesce((SELECT u.may_use_sensitive FROM prefmem.users u WHERE u.user_id = _user_id), false),
    l2_normalize(l2_normalize(_vector - coalesce(
      (array_agg(s.question_mean) FILTER (WHERE s.language = _language))[1], _shipped_mean)) + _smoothing)
  INTO _n, _average_length, _by_index, _may_see, _q
  FROM prefmem.user_stats s
  WHERE s.user_id = _user_id AND s.scope = 'preference' AND s.model_id = {model_id};

  _terms := CASE WHEN octet_length(_query) = length(_query) THEN {ascii_terms} ELSE prefmem.query_terms(_query) END;

  SELECT array_agg(name), array_agg(likeness) INTO _names, _likeness FROM ({names}) AS alike;

  {small}SELECT count(*) INTO _expired
  FROM prefmem.preferences p
  WHERE p.user_id = _user_id AND p.status = 'activated' AND p.expires_at <= _now;

  SELECT _names IS NULL AND count(*) >= _limit + _expired INTO _is_simple
  FROM (
    SELECT FROM {embedded}
    WHERE e.user_id = _user_id AND e.model_id = {model_id} AND e.is_active{seen}
    LIMIT _limit + _expired
  ) AS embedded;

  {searches}
END;
$search$;

COMMENT ON FUNCTION prefmem.{name} IS
  'Search of one user''s preferences ({which}) by meaning, words and names; called by the package';

REVOKE ALL ON FUNCTION prefmem.{name} FROM PUBLIC;
GRANT EXECUTE ON FUNCTION prefmem.{name} TO prefmem_app, prefmem_pipeline;
"""
ASCII_TERMS: Final = "tsvector_to_array(to_tsvector('english', left({query}, 4000)))"
"""What query_terms makes of a question in ASCII."""
# A row of nothing but NULL says that the user is large: see hybrid.is_for_large.
_NOTHING: Final = """IF _allowed IS NULL THEN
    RETURN NEXT;
    RETURN;
  ELSIF cardinality(_allowed) = 0 THEN
    RETURN;
  END IF;

  """
_ALL: Final = "prefmem.preference_embeddings e"
_SEEN: Final = " AND (_may_see OR NOT e.needs_consent)"
_AMONG: Final = "unnest(_allowed) AS a(preference_id) JOIN prefmem.preference_embeddings e USING (preference_id)"


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
    parameter = {name: f"_{name}" for name in types}

    def statement(way: Way, *, is_simple: bool) -> str:
        rendered = render_function(
            way, model_id=model_id, dimensions=dimensions, parameter=parameter, is_simple=is_simple
        )
        return f"RETURN QUERY {rendered.strip()};"

    def either(way: Way) -> str:
        simple, whole = statement(way, is_simple=True), statement(way, is_simple=False)
        return f"IF _is_simple THEN\n{simple}\nELSE\n{whole}\nEND IF;"

    when = f"_names IS NULL AND _n <= {MIN_POOL} AND NOT _by_index"
    few: Way = "small among" if among else "small"
    small = f"IF {when} THEN\n{statement(few, is_simple=True)}\nRETURN;\nEND IF;\n\n"
    searches = either("among") if among else f"IF _by_index THEN\n{either('index')}\nELSE\n{either('exact')}\nEND IF;"
    return _FUNCTION.format(
        name=search_function_name(model_id, among=among),
        parameters=",\n  ".join(f"_{name} {kind}" for name, kind in types.items()),
        search_path=", ".join(["pg_catalog", *map(_quoted, extension_schemas), "pg_temp"]),
        result=",\n  ".join(f"{name} {kind}" for name, kind in RESULT.items()),
        variables="\n  ".join(f"_{name} {kind};" for name, kind in VARIABLES.items()),
        model_id=int(model_id),
        names=render_names(model_id=model_id, dimensions=dimensions, parameter=parameter),
        embedded=_AMONG if among else _ALL,
        seen="" if among else _SEEN,
        nothing=_NOTHING if among else "",
        small=small,
        ascii_terms=ASCII_TERMS.format(query="_query"),
        searches=searches,
        which="those that have passed a filter" if among else "all",
    )


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
