"""``prefmem demo``: the whole way on a small file, and what it makes of it."""

import json
import re
import subprocess
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from prefmem_pg.cli.demo import SAMPLE_NEXT, SAMPLE_QUESTIONS, SAMPLE_USERS, SAMPLES, demo_home
from prefmem_pg.cli.demo_questions import questions_from
from prefmem_pg.domain.preferences import Preference
from prefmem_pg.importers.jsonl import read_lines
from prefmem_pg.memory import PreferenceMemory
from tests.cli.conftest import write_lines

Run = Callable[..., subprocess.CompletedProcess[bytes]]


def without_scores(text: str) -> str:
    """A recall learns from its question, which moves later scores by some thousandths."""
    return re.sub(r"0\.\d{3}", "", text)


def preference(**fields: Any) -> Preference:
    values: dict[str, Any] = dict.fromkeys(Preference.__dataclass_fields__)
    now = datetime(2026, 1, 1, tzinfo=UTC)
    return Preference(**{**values, "preference_id": UUID(int=1), "valid_from": now, "language": "en", **fields})


def test_a_file_of_ones_own_is_shown_and_a_second_run_adds_nothing(prefmem: Run, home: Path, tmp_path: Path) -> None:
    texts = ["I love window seats on trains.", "我对花生过敏，不吃辣。", "I can't stand loud restaurants 🔇"]
    lines = [{"user_id": "ana", "role": "user", "content": text, "occurred_at": "2026-05-01T10:00Z"} for text in texts]
    path = str(write_lines(tmp_path / "mine.jsonl", *lines))
    place = {"PREFMEM_DATABASE_URL": None, "PREFMEM_HOME": str(home), "COLUMNS": "200"}

    first = prefmem("demo", path, **place)
    second = prefmem("demo", path, **place)

    assert (first.returncode, first.stderr) == (0, b"")
    shown = first.stdout.decode()
    assert "3 messages on 3 lines: 3 added" in shown
    assert "I love window seats on trains" in shown
    assert "我对花生过敏" in shown
    assert "<user_preferences>" in shown
    assert "prefmem_pg url)" in shown
    again = second.stdout.decode()
    assert "3 messages on 3 lines: 0 added, 3 there before" in again
    assert without_scores(again.partition("ana: ")[2]) == without_scores(shown.partition("ana: ")[2])


def test_what_is_proposed_at_the_end_finds_something(prefmem: Run, home: Path, tmp_path: Path) -> None:
    said = {"user_id": "o'hara 李", "role": "user", "content": "我喜欢靠窗的座位。", "occurred_at": "2026-05-01T10:00Z"}
    place = {"PREFMEM_DATABASE_URL": None, "PREFMEM_HOME": str(home)}
    shown = prefmem("demo", str(write_lines(tmp_path / "seats.jsonl", said)), **place).stdout.decode()

    proposed = shown.rstrip().splitlines()[-1]
    assert "关于" in proposed  # what such a user prefers, not what the users of the samples do
    command = ["bash", "-c", f"COLUMNS=300 {proposed.strip()}"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)

    assert (done.returncode, done.stderr) == (0, "")
    assert "我喜欢靠窗的座位" in done.stdout


def test_nothing_to_ask_is_proposed_where_nothing_was_found(prefmem: Run, home: Path, tmp_path: Path) -> None:
    said = {"user_id": "ana", "role": "user", "content": "Thanks, good night!", "occurred_at": "2026-05-01T10:00Z"}
    place = {"PREFMEM_DATABASE_URL": None, "PREFMEM_HOME": str(home)}

    done = prefmem("demo", str(write_lines(tmp_path / "empty.jsonl", said)), **place)

    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.decode().rstrip().splitlines()[-1].endswith('prefmem_pg url)"')


ANSWERS = {
    "Which seafood and sauces must be left out of her dinner?": "oyster sauce",
    "她旅行时更喜欢坐火车还是飞机？": "I prefer trains over domestic flights",
    "How should code be written for him?": "code first",
    "他现在还吃辣吗？": "辣的彻底别碰",
    "他喝咖啡有什么习惯？": "美式下午两点以后不喝",
    "checked bag or carry-on?": "I never check bags",
}


@pytest.fixture
def samples(memory: PreferenceMemory) -> PreferenceMemory:
    """A memory that has read what the users that are shown said in the samples."""
    for name in ("en.jsonl", "zh.jsonl"):
        for dialog in map(json.loads, (SAMPLES / name).read_text(encoding="utf-8").splitlines()):
            if dialog["user_id"] in SAMPLE_USERS:
                memory.add_messages(**dialog)
    memory.extract()
    return memory


def test_the_samples_answer_what_is_asked_and_what_is_proposed(samples: PreferenceMemory) -> None:
    for question in (*SAMPLE_QUESTIONS, SAMPLE_NEXT):
        best = samples.search(question.user_id, question.text, limit=1, learn=False)[0]
        assert best.score > 0.3, question
        assert ANSWERS[question.text].casefold() in (best.preference.statement or "").casefold()


def test_whoever_eats_nothing_hot_any_more_is_not_said_to_want_it(samples: PreferenceMemory) -> None:
    spice = [row for row in samples.list_preferences("lihua").items if "辣" in (row.statement or "")]

    assert [(row.statement, row.polarity) for row in spice] == [("辣的彻底别碰", "negative")]
    assert all(before in spice[0].context for before in ("我这人无辣不欢", "火锅必须特辣"))


def test_the_samples_hold_the_users_that_are_shown() -> None:
    users = {
        message.user_id
        for name in ("en.jsonl", "zh.jsonl")
        for _, messages, _ in read_lines(SAMPLES / name)
        for message in messages
    }

    assert {*SAMPLE_USERS, *(question.user_id for question in SAMPLE_QUESTIONS)} <= users


def test_a_file_never_shares_a_database_with_the_samples() -> None:
    homes = {demo_home(Path(".prefmem"), file) for file in (None, "a.jsonl", "对话.jsonl")}

    assert len(homes) == 3


def test_questions_are_about_the_commonest_topics_in_the_users_language() -> None:
    chinese = [preference(topic="food", language="zh")] * 2 + [preference(topic="travel", language="zh")]
    english = [preference(topic="music")]

    questions = questions_from({"lihua": (chinese, 3), "ana": (english, 1), "nobody": ([], 0)})

    assert [user for user, _ in questions] == ["lihua", "ana", "lihua"]
    assert questions[0][1].startswith("关于food")
    assert "music" in questions[1][1]


def test_a_preference_without_topic_is_asked_by_its_own_words() -> None:
    assert questions_from({"ana": ([preference(statement="I like tea")], 1)}) == [("ana", "I like tea")]
