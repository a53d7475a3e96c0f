"""The files of sql/, and the mechanism that brings their objects to head without touching what has not changed."""

import re
from pathlib import Path

import pytest

from prefmem_pg.db.sql_objects import drop_objects, read_objects
from prefmem_pg.db.upgrade import sql_folder
from prefmem_pg.errors import Conflict
from tests.sql_sandbox import Sandbox

FILES = sorted(path for path in sql_folder().glob("*/*.sql"))
OF_THE_MODEL = ("function search_model_1", "function search_model_1_among")


# The files


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_file_makes_the_object_of_its_name_and_no_other_and_says_what_it_is(path: Path) -> None:
    body = re.sub(r"--[^\n]*", "", path.read_text(encoding="utf-8"))
    kind = {"views": "VIEW", "functions": "FUNCTION"}[path.parent.name]
    assert re.findall(r"^CREATE\b.*?\bprefmem\.(\w+)", body, re.MULTILINE) == [path.stem]
    assert re.search(rf"^CREATE OR REPLACE {kind} prefmem\.{path.stem}\b", body, re.MULTILINE)
    assert re.search(rf"^COMMENT ON {kind} prefmem\.{path.stem}\b", body, re.MULTILINE)


def test_every_object_of_the_schema_that_no_revision_makes_has_a_file(sandbox: Sandbox) -> None:
    found = sandbox.ask(
        "SELECT 'view ' || relname FROM pg_class WHERE relnamespace = to_regnamespace('prefmem') AND relkind = 'v'"
        " UNION ALL SELECT 'function ' || proname FROM pg_proc WHERE pronamespace = to_regnamespace('prefmem')"
    )
    without_file = {"function search_vector", "function query_terms", "function simplified", *OF_THE_MODEL}
    assert sorted(set(map(str, found)) - without_file) == sorted(item.key for item in read_objects(sandbox.folder))


def test_every_view_works_with_the_rights_of_who_asks(sandbox: Sandbox) -> None:
    statement = (
        "SELECT relname FROM pg_class WHERE relnamespace = to_regnamespace('prefmem') AND relkind = 'v'"
        " AND NOT coalesce('security_invoker=true' = ANY(reloptions), false)"
    )
    assert sandbox.ask(statement) == []


def test_no_view_reads_another_view(sandbox: Sandbox) -> None:
    statement = (
        "SELECT DISTINCT v.relname || ' reads ' || r.relname FROM pg_rewrite w JOIN pg_class v ON v.oid = w.ev_class"
        " JOIN pg_depend d ON d.classid = CAST('pg_rewrite' AS regclass) AND d.objid = w.oid"
        " AND d.refclassid = CAST('pg_class' AS regclass) JOIN pg_class r ON r.oid = d.refobjid"
        " WHERE v.relnamespace = to_regnamespace('prefmem') AND v.relkind = 'v' AND r.oid <> v.oid"
        " AND r.relnamespace = v.relnamespace AND r.relkind {kinds}"
    )
    assert sandbox.ask(statement.format(kinds="IN ('v', 'm')")) == []
    assert "active_preferences reads preferences" in sandbox.ask(statement.format(kinds="= 'r'"))


def test_no_function_may_be_executed_by_everybody(sandbox: Sandbox) -> None:
    statement = (
        "SELECT CAST(CAST(oid AS regprocedure) AS text) FROM pg_proc WHERE pronamespace = to_regnamespace('prefmem')"
        " AND has_function_privilege('public', oid, 'EXECUTE')"
    )
    sandbox.function("word text")
    sandbox.bring()
    assert sandbox.ask(statement) == []


def test_a_function_with_the_owners_rights_has_a_search_path_of_its_own(sandbox: Sandbox) -> None:
    statement = (
        "SELECT proname FROM pg_proc WHERE pronamespace = to_regnamespace('prefmem') AND prosecdef"
        " AND coalesce(array_to_string(proconfig, ' '), '') NOT LIKE '%search_path=%'"
    )
    assert sandbox.ask(statement) == []


# The mechanism


def test_what_has_not_changed_is_left_alone(sandbox: Sandbox) -> None:
    sandbox.view("preference_id")
    assert sandbox.bring() == ("view tea_drinkers",)
    before = sandbox.view_oid()

    assert sandbox.bring() == ()
    assert sandbox.view_oid() == before


def test_a_colon_a_percent_sign_and_chinese_in_a_file_are_taken_as_they_stand(sandbox: Sandbox) -> None:
    sandbox.view("preference_id")
    sandbox.bring()
    [body] = sandbox.ask("SELECT pg_get_viewdef('prefmem.tea_drinkers')")
    assert "100% tea: %" in str(body)
    assert "%茶%" in str(body)
    assert sandbox.ask("SELECT obj_description(to_regclass('prefmem.tea_drinkers'))") == ["Who likes tea 🍵"]


def test_a_view_that_gains_a_column_stays_the_same_object(sandbox: Sandbox) -> None:
    sandbox.view("preference_id")
    sandbox.bring()
    before = sandbox.view_oid()
    sandbox.run("CREATE VIEW prefmem.my_report AS SELECT user_id FROM prefmem.tea_drinkers")

    sandbox.view("preference_id, kind")

    assert sandbox.bring() == ("view tea_drinkers",)
    assert sandbox.view_oid() == before


def test_a_view_whose_columns_change_is_made_anew_with_the_grants_that_it_had(sandbox: Sandbox, reporter: str) -> None:
    sandbox.view("preference_id, kind")
    sandbox.bring()
    before = sandbox.view_oid()
    sandbox.run(f"GRANT SELECT ON prefmem.tea_drinkers TO {reporter}, prefmem_analyst WITH GRANT OPTION")

    sandbox.view("kind")
    sandbox.bring()

    assert sandbox.view_oid() != before
    right = "SELECT has_table_privilege('{}', 'prefmem.tea_drinkers', 'SELECT WITH GRANT OPTION')"
    assert sandbox.ask(right.format(reporter)) == [True]


def test_an_analysts_own_view_stops_a_change_and_is_named(sandbox: Sandbox) -> None:
    sandbox.view("preference_id, kind")
    sandbox.bring()
    sandbox.run("CREATE VIEW prefmem.my_report AS SELECT kind FROM prefmem.tea_drinkers")

    sandbox.view("kind")
    with pytest.raises(Conflict, match=re.escape("view prefmem.my_report depends on view prefmem.tea_drinkers")):
        sandbox.bring()

    # What the analyst made is still there, and so is ours.
    assert sandbox.ask("SELECT count(*) FROM prefmem.my_report") == [0]


def test_an_object_whose_file_is_gone_is_dropped(sandbox: Sandbox) -> None:
    sandbox.view("preference_id")
    sandbox.function("word text")
    sandbox.bring()
    (sandbox.folder / "views" / "tea_drinkers.sql").unlink()
    (sandbox.folder / "functions" / "tea_words.sql").unlink()

    assert sandbox.bring() == ("view tea_drinkers", "function tea_words")
    assert sandbox.view_oid() == []
    assert sandbox.ask("SELECT proname FROM pg_proc WHERE proname = 'tea_words'") == []
    assert sandbox.bring() == ()


def test_a_function_that_a_view_used_until_now_can_go(sandbox: Sandbox) -> None:
    sandbox.function("word text")
    sandbox.view("prefmem.tea_words(kind) AS words")
    sandbox.bring()
    (sandbox.folder / "functions" / "tea_words.sql").unlink()
    sandbox.view("kind AS words")

    assert sandbox.bring() == ("view tea_drinkers", "function tea_words")


def test_a_function_that_a_view_uses_can_take_other_arguments(sandbox: Sandbox) -> None:
    sandbox.function("word text")
    sandbox.view("prefmem.tea_words(kind) AS words")
    sandbox.bring()
    sandbox.function("word text, language text")
    sandbox.view("prefmem.tea_words(kind, 'zh') AS words")

    assert sandbox.bring() == ("function tea_words", "view tea_drinkers")
    assert sandbox.signatures() == ["prefmem.tea_words(text,text)"]


def test_a_function_with_other_arguments_replaces_the_one_before(sandbox: Sandbox) -> None:
    sandbox.function("word text")
    sandbox.bring()
    sandbox.function("word text, amount integer")
    sandbox.bring()
    assert sandbox.signatures() == ["prefmem.tea_words(text,integer)"]


def test_a_function_with_another_result_is_made_anew(sandbox: Sandbox, reporter: str) -> None:
    sandbox.function("word text")
    sandbox.bring()
    sandbox.run(f"GRANT EXECUTE ON FUNCTION prefmem.tea_words(text) TO {reporter}")
    sandbox.function("word text", result="integer", value="1")
    sandbox.bring()
    assert sandbox.ask("SELECT prefmem.tea_words('茶')") == [1]
    assert sandbox.ask(f"SELECT has_function_privilege('{reporter}', 'prefmem.tea_words(text)', 'EXECUTE')") == [True]


def test_an_object_that_somebody_dropped_is_made_again(sandbox: Sandbox) -> None:
    sandbox.view("preference_id")
    sandbox.bring()
    sandbox.run("DROP VIEW prefmem.tea_drinkers")
    assert sandbox.bring() == ("view tea_drinkers",)
    assert len(sandbox.view_oid()) == 1


def test_drop_objects_takes_every_object_and_the_next_time_brings_them_back(sandbox: Sandbox) -> None:
    drop_objects(sandbox.connection)
    assert sandbox.ask("SELECT count(*) FROM pg_views WHERE schemaname = 'prefmem'") == [0]

    assert sandbox.bring() == (*(item.key for item in read_objects(sandbox.folder)), *OF_THE_MODEL)
