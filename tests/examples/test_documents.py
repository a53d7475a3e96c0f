"""What the documents show is run: Python, shell and SQL, as it stands there."""

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from prefmem_pg.db.local import remove_local
from prefmem_pg.db.session import Database
from prefmem_pg.memory import PreferenceMemory

ROOT = Path(__file__).resolve().parents[2]
MARKED = re.compile(r"<!-- test: (python|shell) -->\n```\w+\n(.*?)```", re.DOTALL)
SQL = re.compile(r"```sql\n(.*?)```", re.DOTALL)
LINK = re.compile(r"\]\(((?!https?:)[^)#]+)\)")
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")), ROOT / "sql" / "README.md"]


def blocks(language: str) -> list[tuple[str, str]]:
    return [
        (f"{path.relative_to(ROOT)} {number}", block)
        for path in DOCUMENTS
        for number, (kind, block) in enumerate(MARKED.findall(path.read_text(encoding="utf-8")))
        if kind == language
    ]


@pytest.fixture(scope="module")
def home() -> Iterator[Path]:
    folder = Path(tempfile.mkdtemp(prefix="prefmem-docs-"))
    folder.chmod(0o711)
    yield folder
    remove_local(folder / ".prefmem")


def run(command: list[str], home: Path, text: str | None = None) -> subprocess.CompletedProcess[str]:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {k: v for k, v in os.environ.items() if not k.startswith("PREFMEM_")}
    environment |= {"PYTHONPATH": str(ROOT), "PATH": path}
    return subprocess.run(
        command, input=text, capture_output=True, text=True, cwd=home, env=environment, timeout=600, check=False
    )


@pytest.mark.parametrize(("name", "block"), blocks("python"), ids=lambda value: value[:40])
def test_the_python_of_the_documents_runs(home: Path, name: str, block: str) -> None:
    done = run([sys.executable, "-W", "error", "-c", block], home)

    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()


def test_the_filters_of_the_documents_find_a_row_that_was_there_before(home: Path) -> None:
    [block] = [block.replace('"mei"', '"li"') for _, block in blocks("python") if "from_mem0" in block]
    assert run(["prefmem", "remember", "li", "我喜欢靠窗的座位"], home).returncode == 0

    done = run([sys.executable, "-c", block], home)

    assert done.stdout.split() == ["1"] * 5, done.stderr


@pytest.mark.parametrize(("name", "block"), blocks("shell"), ids=lambda value: value[:40])
def test_the_commands_of_the_documents_run(home: Path, name: str, block: str) -> None:
    done = run(["bash", "-e"], home, text=block)

    assert done.returncode == 0, done.stderr + done.stdout


CONVERSATIONS = {
    "今天": ["I love green tea. 我不喜欢香菜。", "I like Kyoto and I like Osaka.", "I hate green tea."],
    "long ago": ["我喜欢喝绿茶 🍵", "I prefer window seats"],
    "small talk": ["Thanks, good night!"],
}
LEDGER = """
INSERT INTO prefmem.llm_prices (provider, model, valid_from, input_usd, output_usd)
VALUES ('claude', 'a-model', '-infinity', 3, 15);
INSERT INTO prefmem.llm_calls (user_id, purpose, provider, model, request_hash, input_tokens, output_tokens, outcome,
  run_id)
SELECT user_id, 'extract', 'claude', 'a-model', sha256('request'), 2000, 300, 'ok', run_id FROM prefmem.extraction_runs;
UPDATE prefmem.preference_versions SET at = at - interval '2 minutes'
"""


def fill(memory: PreferenceMemory, database: Database) -> None:
    """Make what the questions ask about: users of today and of long ago, a change of mind, and provider calls."""
    for user_id, contents in CONVERSATIONS.items():
        at = datetime(2020, 5, 1, tzinfo=UTC) if user_id == "long ago" else datetime.now(UTC)
        for minute, content in enumerate(contents):
            said = {"role": "user", "content": content, "occurred_at": at + timedelta(minutes=minute)}
            memory.add_messages(user_id, [said], dialog_id="d-1")
        memory.extract(user_id=user_id)
    with database.engine.begin() as connection:
        connection.exec_driver_sql(LEDGER, execution_options={"no_parameters": True})


def questions() -> list[str]:
    map_of_analysts = (ROOT / "sql" / "README.md").read_text(encoding="utf-8")
    return [statement.strip() for block in SQL.findall(map_of_analysts) for statement in block.split(";")]


def test_the_questions_of_the_analysts_map_have_answers(shared_memory: PreferenceMemory, database: Database) -> None:
    fill(shared_memory, database)

    for statement in filter(None, questions()):
        with database.engine.connect() as connection:
            connection.exec_driver_sql("SET ROLE prefmem_analyst_text")
            rows = connection.exec_driver_sql(statement, execution_options={"no_parameters": True}).all()
        assert rows, statement


def test_there_are_at_least_ten_questions() -> None:
    assert len([statement for statement in questions() if statement.startswith("-- ")]) >= 10


def test_the_analysts_map_names_every_view_and_function() -> None:
    map_of_analysts = (ROOT / "sql" / "README.md").read_text(encoding="utf-8")
    names = sorted(path.stem for path in (ROOT / "sql").glob("*/*.sql"))

    assert len(names) > 30
    assert [name for name in names if f"`{name}`" not in map_of_analysts and f"`{name}(" not in map_of_analysts] == []


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_every_link_of_a_document_leads_somewhere(path: Path) -> None:
    links = LINK.findall(path.read_text(encoding="utf-8"))

    assert [link for link in links if not (path.parent / link).exists()] == []


def test_there_is_something_to_run() -> None:
    assert len(blocks("python")) >= 2
    assert len(blocks("shell")) >= 1
