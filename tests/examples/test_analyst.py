"""The analyst's page of charts runs as it stands, on the samples and on a database of one's own."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import text

from prefmem_pg.db.local import remove_local
from prefmem_pg.memory import PreferenceMemory

ROOT = Path(__file__).resolve().parents[2]
TITLES = [
    "What do users like (green) and dislike (red)?",
    "How many preferences are known of each user, by kind?",
    "On how many messages does a preference rest?",
    "Who has changed their mind, and how?",
    "Which dialogs gave the most?",
    "How much can be found by meaning, by language?",
]


@pytest.fixture(scope="module")
def home() -> Iterator[Path]:
    folder = Path(tempfile.mkdtemp(prefix="prefmem-analyst-"))
    folder.chmod(0o711)
    yield folder
    remove_local(folder / ".prefmem" / "analyst")


def draw(home: Path, *arguments: str) -> list[str]:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PREFMEM_")}
    done = subprocess.run(
        [sys.executable, "-W", "error", str(ROOT / "examples" / "analyst.py"), *arguments],
        capture_output=True,
        text=True,
        cwd=home,
        env=environment | {"PYTHONPATH": str(ROOT), "COLUMNS": "160"},
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def charts(lines: list[str]) -> dict[str, list[str]]:
    """Return the lines under each title."""
    found: dict[str, list[str]] = {}
    for line in lines:
        if line.strip() in TITLES:
            found[line.strip()] = []
        elif line.strip():
            found[list(found)[-1]].append(line)
    return found


def test_the_samples_answer_every_question(home: Path) -> None:
    found = charts(draw(home))

    assert list(found) == TITLES
    assert [title for title, lines in found.items() if len(lines) < 2] == []
    assert [title for title, lines in found.items() if title != TITLES[3] and "█" not in "".join(lines)] == []


def test_the_charts_of_a_database_of_ones_own_show_what_is_there(
    shared_memory: PreferenceMemory, database_url: str, home: Path
) -> None:
    shared_memory.add_messages("u-安娜", [{"role": "user", "content": "我不喜欢香菜 🌿"}], dialog_id="d-1")
    shared_memory.extract(user_id="u-安娜")

    found = charts(draw(home, database_url))

    assert "u-安娜" in "".join(found[TITLES[1]])
    assert "█" in "".join(found[TITLES[0]])
    with shared_memory.database.engine.connect() as connection:
        assert connection.execute(text("SELECT count(*) FROM prefmem.preference_usage")).scalar_one() == 0
