"""From settings to stored preferences through a provider: what is paid once is stored once, whatever breaks."""

from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

from prefmem_pg.db.session import Database
from prefmem_pg.errors import ConfigurationError
from prefmem_pg.memory import PreferenceMemory
from prefmem_pg.providers.local_embedder import LocalEmbedder
from prefmem_pg.settings import ClaudeSettings, Settings, Spending
from prefmem_pg.testing import MessagesStub, Said, overloaded
from tests.conftest import count
from tests.providers.reader import read


@pytest.fixture
def memory_at(
    database: Database, database_url: str, embedder: LocalEmbedder
) -> Iterator[Callable[[MessagesStub], PreferenceMemory]]:
    """Make memories as the environment would, with a key and a URL: extraction and judging go to the stub."""
    opened: list[PreferenceMemory] = []

    def make(stub: MessagesStub, **changes: object) -> PreferenceMemory:
        settings = Settings(
            database_url=database_url,
            claude=ClaudeSettings(api_key="sk-ant-test", base_url=stub.url, model="claude-test"),
            extract_workers=2,
            spending=Spending(retries=1),
        )
        changed = replace(settings, **changes)  # type: ignore[arg-type]
        opened.append(PreferenceMemory(database, settings=changed, embedder=embedder, on_close=lambda: None))
        return opened[-1]

    yield make
    for memory in opened:
        memory.close()


def talk(memory: PreferenceMemory, user_id: str, *said: str, dialog_id: str = "d") -> None:
    memory.add_messages(user_id, [{"role": "user", "content": text} for text in said], dialog_id=dialog_id)


def test_a_key_switches_on_extraction_and_judging(memory_at: Callable[..., PreferenceMemory], user_id: str) -> None:
    with MessagesStub(read) as stub:
        memory = memory_at(stub)
        talk(memory, user_id, "I like oat milk in my coffee ☕.", "我喜欢靠窗的座位。")
        report = memory.extract(user_id=user_id)

    assert (report.added, report.failed, report.runs) == (2, 0, 1)
    stored = {p.statement: p for p in memory.list_preferences(user_id).items}
    assert set(stored) == {"I like oat milk in my coffee ☕", "我喜欢靠窗的座位"}
    run = (
        "SELECT count(*) FROM prefmem.extraction_runs WHERE user_id = :u AND extractor = 'claude'"
        " AND model = 'claude-test' AND prompt_version IS NOT NULL"
    )
    assert count(memory.database, run, u=user_id) == 1
    assert len(stub.calls) == 1


def test_the_embedded_database_stays_offline_unless_told_otherwise(
    memory_at: Callable[..., PreferenceMemory], user_id: str
) -> None:
    with MessagesStub(read) as stub:
        offline = memory_at(stub, database_url=None)
        talk(offline, user_id, "I like green tea.")
        offline.extract(user_id=user_id)
        assert stub.requests == []
        chosen = memory_at(stub, database_url=None, extractor="claude")
        talk(chosen, user_id, "I like jazz.", dialog_id="d-2")
        chosen.extract(user_id=user_id)
        assert len(stub.requests) == 1


def test_reading_again_costs_nothing(memory_at: Callable[..., PreferenceMemory], user_id: str) -> None:
    with MessagesStub(read) as stub:
        memory = memory_at(stub)
        talk(memory, user_id, "I like tea.", "nothing of note 😶")
        memory.extract(user_id=user_id)
        report = memory.extract(user_id=user_id)
    assert (report.dialogs, report.runs) == (0, 0)
    assert len(stub.calls) == 1


def test_b41_b50_what_the_text_does_not_carry_is_counted_in_the_report_and_in_the_run(
    memory_at: Callable[..., PreferenceMemory], user_id: str
) -> None:
    from tests.providers.talk import found, item

    answer = found(item(1, "I like tea"), item(1, "I like coffee"), item(9, "x"), item(1, "I like tea", "我喜欢茶"))
    with MessagesStub(lambda body: Said(json=answer)) as stub:
        memory = memory_at(stub)
        talk(memory, user_id, "I like tea. 🍵")
        report = memory.extract(user_id=user_id)
    assert (report.added, report.ungrounded) == (1, 3)
    reasons = (
        "SELECT (counts->>'refused: quote')::int + (counts->>'refused: message')::int * 10"
        " + (counts->>'refused: language')::int * 100 FROM prefmem.extraction_runs WHERE user_id = :u"
    )
    assert count(memory.database, reasons, u=user_id) == 111


def test_a_wrong_key_is_told_by_its_setting_and_nothing_is_half_stored(
    memory_at: Callable[..., PreferenceMemory], user_id: str
) -> None:
    from prefmem_pg.testing.stub_server import json_reply

    denied = json_reply({"error": {"type": "authentication_error", "message": "invalid"}}, status=401)
    with MessagesStub(lambda body: denied) as stub:
        memory = memory_at(stub)
        talk(memory, user_id, "I like tea.")
        with pytest.raises(ConfigurationError, match="ANTHROPIC_API_KEY"):
            memory.extract(user_id=user_id)
        assert len(stub.requests) == 1
    assert count(memory.database, "SELECT count(*) FROM prefmem.extraction_runs WHERE user_id = :u", u=user_id) == 0
    unread = "SELECT count(*) FROM prefmem.messages WHERE user_id = :u AND read_by_run_id IS NULL"
    assert count(memory.database, unread, u=user_id) == 1


def test_b45_a_poisoned_dialog_does_not_keep_the_others_from_being_read(
    memory_at: Callable[..., PreferenceMemory], user_id: str
) -> None:
    with MessagesStub(lambda body: overloaded() if "poison" in str(body) else read(body)) as stub:
        memory = memory_at(stub)
        talk(memory, user_id, "I like poison.", dialog_id="d-1")
        talk(memory, user_id, "我喜欢爬山。", dialog_id="d-2")
        report = memory.extract(user_id=user_id)
    assert (report.failed, report.added) == (1, 1)
    assert "529" in report.errors[f"{user_id}/d-1"]


def test_a_provider_that_is_down_is_not_asked_about_everything(
    memory_at: Callable[..., PreferenceMemory], user_id: str
) -> None:
    with MessagesStub(lambda body: overloaded()) as stub:
        memory = memory_at(stub, spending=Spending(retries=0))
        for number in range(8):
            talk(memory, user_id, f"I like number {number}.", dialog_id=f"d-{number}")
        report = memory.extract(user_id=user_id)
        assert len(stub.requests) == 3
    assert report.failed == 3
    assert "not available" in report.errors["provider"]
