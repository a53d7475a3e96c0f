"""What the documents show is run: Python, shell and SQL, as it stands there."""

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
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
        command, input=text, capture_output=True, text=True, cwd=home, env=environment, timeout=120, check=False
    )


@pytest.mark.parametrize(("name", "block"), blocks("python"), ids=lambda value: value[:40])
def test_the_python_of_the_documents_runs(home: Path, name: str, block: str) -> None:
    done = run([sys.executable, "-W", "error", "-c", block], home)

    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()


@pytest.mark.parametrize(("name", "block"), blocks("shell"), ids=lambda value: value[:40])
def test_the_commands_of_the_documents_run(home: Path, name: str, block: str) -> None:
    done = run(["bash", "-e"], home, text=block)

    assert done.returncode == 0, done.stderr + done.stdout


def test_the_questions_of_the_analysts_map_have_answers(
    shared_memory: PreferenceMemory, database: Database, user_id: str
) -> None:
    shared_memory.add_messages(
        user_id, [{"role": "user", "content": "I love tea. 我不喜欢香菜。"}, {"role": "user", "content": "I hate tea."}]
    )
    shared_memory.extract(user_id=user_id)
    statements = [
        s for block in SQL.findall((ROOT / "sql" / "README.md").read_text(encoding="utf-8")) for s in block.split(";")
    ]

    for statement in filter(str.strip, statements):
        with database.engine.connect() as connection:
            connection.exec_driver_sql("SET ROLE prefmem_analyst_text")
            rows = connection.exec_driver_sql(statement, execution_options={"no_parameters": True}).all()
        assert rows, statement


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_every_link_of_a_document_leads_somewhere(path: Path) -> None:
    links = LINK.findall(path.read_text(encoding="utf-8"))

    assert [link for link in links if not (path.parent / link).exists()] == []


def test_there_is_something_to_run() -> None:
    assert len(blocks("python")) >= 2
    assert len(blocks("shell")) >= 1
