"""Every statement over tables of users names the user of each, or stands in the list of those that serve many users.

Read from the text of the package: what is spread by user_id can then be sent to where that user lives.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from prefmem_pg.db.manifest import DISTRIBUTED

ROOT = Path(__file__).parents[2]
NEXT = "WHERE|SET|ON|USING|JOIN|CROSS|LEFT|ORDER|GROUP|VALUES|SELECT|FOR|LIMIT|RETURNING|UNION"
TABLE = re.compile(
    rf"\b(FROM|JOIN|INTO|UPDATE|USING)\s+prefmem\.({'|'.join(DISTRIBUTED)})\b(?:\s+(?:AS\s+)?(?!(?:{NEXT})\b)([a-z_]+))?"
)
# The user as a parameter or as a template's, the argument of a function, the column of given rows, or many by name.
BOUND = re.compile(
    r":user_id\b|%\(user_id\)s|user_id = %s|'?\{(?:user_id|owner|_BY_ID|variables)\}|\bof_user_id\b"
    r"|\buser_id = \w+\.user_id\b"
    r"|\buser_id = ANY\(|USING \(user_id|\{recordset\(|pg_temp\.staged_|\{staged\}|\{counts\}|\$1\b"
)
# Jobs and dashboards: they read over all users, as prefmem_pipeline or as the owner, and are sent to every node.
SERVE_MANY = {
    "batches.py:release": "ends what waits in a batch, which is of many users",
    "calls.py:_BOTH": "the load and the budget of a provider",
    "calls.py:usual_cost": "what a call usually costs",
    "indicators.py:_INDICATORS": "figures of a day",
    "indicators.py:_SPENT": "what a day has cost",
    "overview.py:_USERS_WITH_MOST": "whom prefmem doctor looks at",
    "promotion.py:_LARGE": "who has become large",
    "runs.py:counts": "what waits or failed",
}
# Whole clauses that another text completes with the user; what they are put into is read too.
COMPLETED = {
    "preferences.py:_SELECT": "a WHERE by user follows",
    "search_function.py:_AMONG": "the user's own vectors have been chosen",
}


def statements() -> Iterator[tuple[str, str]]:
    """Yield where a text stands (file and outermost name) and the text, of every text over tables of users."""
    for path in sorted((ROOT / "prefmem_pg/db").glob("*.py")):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            for name, found in named_texts(node, ""):
                if TABLE.search(found):
                    yield f"{path.name}:{name}", found
    for path in sorted((ROOT / "sql/functions").glob("*.sql")):
        found = path.read_text(encoding="utf-8")
        if TABLE.search(found):
            yield path.name, found


def named_texts(node: ast.AST, name: str) -> Iterator[tuple[str, str]]:
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        name = node.name
    elif isinstance(node, ast.Assign | ast.AnnAssign) and not name:
        name = ast.unparse(node.targets[0] if isinstance(node, ast.Assign) else node.target)
    if isinstance(node, ast.JoinedStr):
        parts = (str(v.value) if isinstance(v, ast.Constant) else f"{{{shown(v)}}}" for v in node.values)
        yield name, "".join(parts)
    elif isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield name, node.value
    else:
        for child in ast.iter_child_nodes(node):
            yield from named_texts(child, name)


def shown(value: ast.expr) -> str:
    return ast.unparse(value.value) if isinstance(value, ast.FormattedValue) else ast.unparse(value)


def unrouted(statement: str) -> list[str]:
    """Return the tables of users for which the statement names no user, and "" when the user is not given at all."""
    found = [table[2] for table in TABLE.finditer(statement) if not names_user(statement, table)]
    return found if BOUND.search(statement) else [*found, ""]


def names_user(statement: str, table: re.Match[str]) -> bool:
    alias = table[3]
    if table[1] == "INTO":
        # The columns come next; a template's list of them is that of the table.
        return bool(re.match(r"\s*\((?:[^)]*\buser_id\b|\{|[^)]*\{)", statement[table.end() :]))
    by_alias = alias is not None and re.search(rf"\b{alias}\.user_id\b", statement)
    return bool(by_alias or re.search(r"(?<![\w.:{(])user_id\b|USING \(user_id|\{_BY_ID\}", statement))


def test_every_statement_names_the_user_of_each_table() -> None:
    astray = {place: tables for place, found in statements() if (tables := unrouted(found))}
    assert {place: tables for place, tables in astray.items() if place not in SERVE_MANY | COMPLETED} == {}


def test_the_lists_hold_nothing_that_is_routed_by_now() -> None:
    astray = {place for place, found in statements() if unrouted(found)}
    assert {*SERVE_MANY, *COMPLETED} - astray == set()


@pytest.mark.parametrize(
    ("statement", "tables"),
    [
        ("SELECT 1 FROM prefmem.messages m WHERE m.user_id = :user_id", []),
        ("SELECT 1 FROM prefmem.messages WHERE content = '茶 🍵'", ["messages", ""]),
        (
            "SELECT 1 FROM prefmem.messages m JOIN prefmem.dialogs d ON d.dialog_id = m.dialog_id"
            " WHERE m.user_id = :user_id",
            ["dialogs"],
        ),
        ("DELETE FROM prefmem.preferences p WHERE p.user_id IS NOT NULL", [""]),
        ("INSERT INTO prefmem.users (user_id) VALUES (:user_id)", []),
    ],
)
def test_a_statement_without_the_user_of_a_table_is_seen(statement: str, tables: list[str]) -> None:
    assert unrouted(statement) == tables
