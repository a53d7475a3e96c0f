"""pg_dump and pg_restore as the owner, who is no superuser: every search answers exactly as before.

The roles exist before a restore (``prefmem roles --sql`` prints them), and so does the extension vector, which only a
superuser may install: a DBA runs CREATE EXTENSION once in the new database. The one statement of a dump that the owner
may not run is then the comment on that extension; ``--no-comments`` would take ours along, so pg_restore is told to
leave out the extensions' entries of the dump's table of contents.
"""

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import text

from prefmem_pg.cli.answers import compare_answers, write_answers
from prefmem_pg.db.local import LocalServer, remove_local, start_local
from prefmem_pg.db.roles import roles_sql
from prefmem_pg.db.upgrade import upgrade
from prefmem_pg.errors import InvalidInput
from prefmem_pg.memory import PreferenceMemory
from prefmem_pg.providers.local_embedder import LocalEmbedder
from tests.catalog import describe, tables
from tests.conftest import LOCAL_MODEL, fresh_database, superuser_url, url_of
from tests.databases import empty_database, login_role, opened, superuser

NOW = datetime(2026, 6, 1, tzinfo=UTC)
STATEMENTS = {
    "u-ana": ["I love hiking in the Alps 🏔️", "I am allergic to peanuts", "I prefer window seats", "我喜欢喝绿茶 🍵"],
    "u-博": ["我不喜欢吃香菜", "我每天早上跑步", "我想去北京旅游", "I use VS Code for Python"],
}
QUERIES = ["What may I cook? 做什么菜好？", "mountain trip", "喝什么", "peanuts 花生", "editor"]


@pytest.fixture(scope="module")
def original(server: LocalServer, embedder: LocalEmbedder) -> Iterator[str]:
    """The URL of a database with preferences of two users, found by search and told by dialogs."""
    with fresh_database(server) as url:
        with PreferenceMemory.connect(url, embedder=embedder) as memory:
            for user_id, statements in STATEMENTS.items():
                memory.add_messages(
                    user_id,
                    [{"role": "user", "content": statement, "occurred_at": NOW} for statement in statements],
                    dialog_id="d-1",
                )
                memory.extract(user_id=user_id)
                memory.remember_many(user_id, [{"statement": statement} for statement in statements])
        yield url


def answers(url: str, embedder: LocalEmbedder) -> dict[tuple[str, str], list[tuple[str, float]]]:
    """Return ids and scores of every query of every user."""
    with PreferenceMemory.connect(url, embedder=embedder) as memory:
        return {
            (user_id, query): [
                (str(hit.preference.preference_id), hit.score)
                for hit in memory.search(user_id, query, now=NOW, learn=False)
            ]
            for user_id in STATEMENTS
            for query in QUERIES
        }


def catalog(url: str) -> list[str]:
    with opened(url) as engine, engine.connect() as connection:
        return list(describe(connection))


def run(server: LocalServer, program: str, *arguments: str | Path) -> str:
    command = [str(server.binaries / program), *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def restore(server: LocalServer, dump: Path, url: str, *options: str) -> None:
    """Restore as the owner, without the entries of the extensions, which are there already."""
    contents = run(server, "pg_restore", "--list", dump).splitlines()
    chosen = dump.with_suffix(".list")
    chosen.write_text("\n".join(line for line in contents if " EXTENSION " not in line), encoding="utf-8")
    run(server, "pg_restore", "--exit-on-error", "--no-owner", "-L", chosen, *options, "-d", url, dump)


@pytest.mark.parametrize(
    ("what", "how"),
    [
        ([], []),
        (["-n", "prefmem", "-e", "vector", "-e", "pg_trgm"], []),
        ([], ["-j", "2"]),
        (["-Fd", "-j", "2"], ["-j", "2"]),
    ],
    ids=["whole", "schema and extensions", "in parallel", "a directory"],
)
def test_b109_a_dump_restored_by_the_owner_answers_every_query_as_before(
    server: LocalServer, original: str, embedder: LocalEmbedder, tmp_path: Path, what: list[str], how: list[str]
) -> None:
    before = answers(original, embedder)
    assert sum(map(len, before.values())) >= 30
    run(server, "pg_dump", "-Fc", *what, "-f", tmp_path / "dump", "-d", original)

    with empty_database(server) as url:
        restore(server, tmp_path / "dump", url, *how)

        assert answers(url, embedder) == before
        assert catalog(url) == catalog(original)
        with opened(url) as engine:
            report = upgrade(engine, model=LOCAL_MODEL)
            assert report.objects == ()
            with engine.connect() as connection:
                statement = "SELECT current_user, rolsuper FROM pg_roles WHERE rolname = current_user"
                assert tuple(connection.execute(text(statement)).one()) == ("prefmem_owner", False)


def test_b109_without_a_list_pg_restore_complains_of_the_extensions_alone(
    server: LocalServer, original: str, embedder: LocalEmbedder, tmp_path: Path
) -> None:
    run(server, "pg_dump", "-Fc", "-f", tmp_path / "dump", "-d", original)
    with empty_database(server) as url:
        command = [server.binaries / "pg_restore", "--no-owner", "-d", url, tmp_path / "dump"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)

        errors = [line for line in done.stderr.splitlines() if "ERROR:" in line]
        assert done.returncode == 1
        assert [line.split("ERROR:")[1].strip() for line in errors] == [
            "must be owner of extension pg_trgm",
            "must be owner of extension vector",
        ]
        assert answers(url, embedder) == answers(original, embedder)


def test_b109_a_restored_database_goes_on_working(
    server: LocalServer, original: str, embedder: LocalEmbedder, tmp_path: Path
) -> None:
    run(server, "pg_dump", "-Fc", "-f", tmp_path / "dump", "-d", original)
    with empty_database(server) as url:
        restore(server, tmp_path / "dump", url)
        with PreferenceMemory.connect(url, embedder=embedder) as memory:
            assert memory.remember("u-ana", "我喜欢喝绿茶 🍵").action == "duplicate"
            assert memory.remember("u-博", "I like jazz 🎷").action == "added"
            assert memory.search("u-ana", "jazz", limit=50, learn=False) != []
            assert "jazz" not in str(memory.search("u-ana", "jazz", limit=50, learn=False))


def test_b109_a_dump_of_the_schema_alone_needs_the_extensions_first(
    server: LocalServer, original: str, embedder: LocalEmbedder, tmp_path: Path
) -> None:
    run(server, "pg_dump", "-Fc", "-n", "prefmem", "-f", tmp_path / "dump", "-d", original)
    with empty_database(server, extensions=()) as url, pytest.raises(AssertionError, match="halfvec"):
        restore(server, tmp_path / "dump", url)
    with empty_database(server) as url:
        restore(server, tmp_path / "dump", url)
        assert answers(url, embedder) == answers(original, embedder)


def test_b109_another_owner_can_restore_it(
    server: LocalServer, original: str, embedder: LocalEmbedder, tmp_path: Path
) -> None:
    run(server, "pg_dump", "-Fc", "-f", tmp_path / "dump", "-d", original)
    with login_role(server) as owner:
        with superuser(server) as dba:
            dba.execute(roles_sql(owner))
        with empty_database(server, owner=owner) as url:
            restore(server, tmp_path / "dump", url)

            assert answers(url, embedder) == answers(original, embedder)
            with opened(url) as engine, engine.connect() as connection:
                statement = "SELECT DISTINCT tableowner FROM pg_tables WHERE schemaname = 'prefmem'"
                assert list(connection.scalars(text(statement))) == [owner]


QUESTIONS = [
    f"{first} {second}"
    for first in (
        "What do I like about",
        "我喜欢的",
        "where to go with",
        "怎么安排",
        "peanuts and",
        "window",
        "跑步",
        "绿茶",
        "Python",
        "🍵",
    )
    for second in (
        "tea 茶",
        "mountains 山",
        "the train",
        "北京",
        "编辑器",
        "food",
        "allergies",
        "香菜",
        "morning",
        "seats 座位",
    )
]


def all_answers(url: str, embedder: LocalEmbedder) -> list[list[tuple[str, float]]]:
    """Return ids and scores of two hundred searches."""
    with PreferenceMemory.connect(url, embedder=embedder) as memory:
        return [
            [(str(hit.preference.preference_id), hit.score) for hit in memory.search(u, q, now=NOW, learn=False)]
            for u in STATEMENTS
            for q in QUESTIONS
        ]


def test_a_new_server_with_another_owner_gives_the_same_answers_to_two_hundred_searches(
    server: LocalServer, original: str, embedder: LocalEmbedder, tmp_path: Path
) -> None:
    before = all_answers(original, embedder)
    assert (len(before), min(map(len, before))) == (200, 4)
    dump = tmp_path / "dump"
    run(server, "pg_dump", "-Fc", "-f", dump, "-d", original)
    home = Path(tempfile.mkdtemp(prefix="prefmem-new-"))
    home.chmod(0o711)
    try:
        with start_local(home) as new_server:
            with superuser(new_server) as dba:
                dba.execute(roles_sql("another_owner"))
            with empty_database(new_server, owner="another_owner") as url:
                restore(server, dump, url)
                assert all_answers(url, embedder) == before
    finally:
        remove_local(home)


@pytest.mark.parametrize("what", [[], ["-n", "prefmem"]], ids=["whole", "by schema"])
def test_b109_a_plain_dump_is_restored_by_psql_in_one_transaction(
    server: LocalServer, original: str, embedder: LocalEmbedder, tmp_path: Path, what: list[str]
) -> None:
    run(server, "pg_dump", "--format=plain", "--no-owner", *what, "-f", tmp_path / "sql", "-d", original)
    lines = (tmp_path / "sql").read_text(encoding="utf-8").splitlines()
    kept = [line for line in lines if "EXTENSION" not in line]
    (tmp_path / "sql").write_text("\n".join(kept), encoding="utf-8")
    with empty_database(server) as url:
        run(server, "psql", "-q", "-v", "ON_ERROR_STOP=1", "--single-transaction", "-f", tmp_path / "sql", "-d", url)
        assert answers(url, embedder) == answers(original, embedder)


def test_b110_every_table_comes_back_with_every_row(server: LocalServer, original: str, tmp_path: Path) -> None:
    def rows(url: str) -> dict[str, int]:
        with opened(url) as engine, engine.connect() as connection:
            return {
                table: connection.execute(text(f"SELECT count(*) FROM prefmem.{table}")).scalar_one()
                for table in tables(connection)
            }

    run(server, "pg_dump", "-Fc", "-f", tmp_path / "dump", "-d", original)
    with empty_database(server) as url:
        restore(server, tmp_path / "dump", url)
        assert rows(url) == rows(original)
        assert sum(rows(url).values()) > 100


def test_answers_that_differ_are_told(
    server: LocalServer, original: str, embedder: LocalEmbedder, tmp_path: Path
) -> None:
    file = tmp_path / "before.answers"
    with fresh_database(server) as url, PreferenceMemory.connect(url, embedder=embedder) as memory:
        memory.remember_many("u-ana", [{"statement": said} for said in STATEMENTS["u-ana"]])
        assert write_answers(memory, file) == 3
        assert "tea" not in file.read_text(encoding="utf-8")
        assert compare_answers(memory, file).state == "ok"

        memory.remember("u-ana", "I love ramen 🍜")
        assert compare_answers(memory, file).state == "wrong"

        file.write_text("{}", encoding="utf-8")
        with pytest.raises(InvalidInput, match="cannot be read as answers"):
            compare_answers(memory, file)


# The commands of the document, as they stand there


DOCUMENT = Path(__file__).parents[2] / "docs" / "backup.md"


def shell(server: LocalServer, folder: Path, script: str, **urls: str) -> subprocess.CompletedProcess[str]:
    path = f"{server.binaries}{os.pathsep}{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PREFMEM_", "PG"))}
    return subprocess.run(
        ["bash", "-e", "-o", "pipefail"],
        input=script,
        capture_output=True,
        text=True,
        cwd=folder,
        env=environment | urls | {"PATH": path, "PYTHONPATH": str(DOCUMENT.parents[1])},
        check=False,
    )


def commands(mark: str) -> str:
    marked = re.findall(rf"<!-- test: {mark} -->\n```sh\n(.*?)```", DOCUMENT.read_text(encoding="utf-8"), re.DOTALL)
    return "".join(marked)


def test_b109_the_commands_of_the_document_back_up_restore_and_check(
    server: LocalServer, original: str, embedder: LocalEmbedder, tmp_path: Path
) -> None:
    new_url = url_of(server, "prefmem_new")
    try:
        done = shell(
            server,
            tmp_path,
            commands("backup"),
            OLD_URL=original,
            NEW_URL=new_url,
            DBA_URL=superuser_url(server, "postgres"),
            DBA_NEW_URL=superuser_url(server, "prefmem_new"),
        )

        assert done.returncode == 0, done.stdout + done.stderr
        assert "✓ sampled searches: " in done.stdout
        assert "searches give the same ids, order and scores as before" in done.stdout
        assert "made anew" not in done.stdout
        assert answers(new_url, embedder) == answers(original, embedder)
    finally:
        with superuser(server) as dba:
            dba.execute("DROP DATABASE IF EXISTS prefmem_new WITH (FORCE)")


def test_b109_a_plain_dump_is_restored_by_the_commands_of_the_document(
    server: LocalServer, original: str, embedder: LocalEmbedder, tmp_path: Path
) -> None:
    with empty_database(server) as url:
        done = shell(server, tmp_path, commands("plain"), OLD_URL=original, NEW_URL=url)

        assert done.returncode == 0, done.stderr
        assert answers(url, embedder) == answers(original, embedder)
        assert catalog(url) == catalog(original)


def test_a_restore_that_lost_rows_is_told(
    server: LocalServer, original: str, embedder: LocalEmbedder, tmp_path: Path
) -> None:
    run(server, "pg_dump", "-Fc", "-f", tmp_path / "dump", "-d", original)
    with empty_database(server) as url:
        contents = run(server, "pg_restore", "--list", tmp_path / "dump").splitlines()
        lost = (" EXTENSION ", "TABLE DATA prefmem preference_terms", "ux_preferences_activated_statement")
        chosen = tmp_path / "list"
        chosen.write_text("\n".join(line for line in contents if not any(one in line for one in lost)))
        run(server, "pg_restore", "--exit-on-error", "--no-owner", "-L", chosen, "-d", url, tmp_path / "dump")

        done = shell(server, tmp_path, "prefmem doctor --after-restore", PREFMEM_DATABASE_URL=url)

        assert done.returncode == 1
        assert "✗ indexes: ux_preferences_activated_statement is missing  ->  prefmem reindex" in done.stdout
        assert "✗ preferences without postings: " in done.stdout
