"""The chat of the examples: it remembers, raises what must be heard, and gives Claude what it should."""

import importlib.util
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest
from anthropic import Anthropic

from prefmem_pg.db.local import remove_local
from prefmem_pg.memory import PreferenceMemory
from prefmem_pg.testing import MessagesStub, Said

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def example() -> ModuleType:
    spec = importlib.util.spec_from_file_location("chat_example", ROOT / "examples" / "chat.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def home() -> Iterator[Path]:
    folder = Path(tempfile.mkdtemp(prefix="prefmem-chat-"))
    folder.chmod(0o711)
    yield folder
    remove_local(folder / ".prefmem")


@pytest.mark.parametrize(
    ("stated", "planned", "nothing", "mind"),
    [
        (
            "I'm allergic to pollen.",
            "We want to go on a hike on Saturday, what should we pack?",
            "I know nothing",
            "Mind this: ",
        ),
        ("我对花粉过敏。", "周末想去爬山，要带什么？🏔️", "这方面我还什么都不知道", "请注意："),
    ],
)
def test_what_was_said_in_one_session_is_heard_in_the_next(
    memory: PreferenceMemory, user_id: str, example: ModuleType, stated: str, planned: str, nothing: str, mind: str
) -> None:
    first = example.chat(memory, user_id, [stated], example.answer_offline, session_id="s-1")
    second = example.chat(memory, user_id, [planned], example.answer_offline, session_id="s-2")

    assert first[0].startswith(nothing)
    assert second[0].startswith(mind)
    assert stated.rstrip(".。") in second[0]


def test_claude_is_given_the_user_as_data_and_the_last_turns(
    memory: PreferenceMemory, user_id: str, example: ModuleType
) -> None:
    memory.remember(user_id, "我对花生过敏")
    stub = MessagesStub(lambda body: Said(text=f"好的 {len(body['messages'])}"))
    with stub, Anthropic(api_key="test", base_url=stub.url, max_retries=0) as client:
        model = example.claude(client)
        answers = example.chat(memory, user_id, ["今晚想吃泰国菜", "What about dessert? 🍰"], model, session_id="s-1")

    assert answers == ["好的 1", "好的 3"]
    first, second = stub.calls
    assert "<user_preferences>" in first["system"][1]["text"]
    assert "花生" in first["system"][1]["text"]
    assert [turn["role"] for turn in second["messages"]] == ["user", "assistant", "user"]


def test_the_script_chats_in_a_terminal(home: Path) -> None:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PREFMEM_")}
    done = subprocess.run(
        [sys.executable, "-W", "error", str(ROOT / "examples" / "chat.py")],
        input="我不吃香菜\n推荐一道菜\n\n",
        capture_output=True,
        text=True,
        cwd=home,
        env=environment | {"PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8"},
        timeout=300,
        check=False,
    )

    assert done.returncode == 0, done.stderr
    assert "香菜" in done.stdout.splitlines()[1]
