"""Wrong keys, models, addresses and budgets: a typed error that names the setting, and nothing half-stored."""

from collections.abc import Callable
from typing import Any

import pytest

from prefmem_pg.errors import ConfigurationError, ProviderUnavailable
from prefmem_pg.settings import ClaudeSettings, OpenAISettings, VoyageSettings
from prefmem_pg.testing import EmbeddingsStub, Reply, Said, html_page
from prefmem_pg.testing.stub_server import json_reply
from tests.conftest import count
from tests.providers.batch_world import World
from tests.providers.test_paid_extraction import talk

SAID = ("I like tea 🍵.", "我喜欢爬山 ⛰。")
STORED = (
    "SELECT (SELECT count(*) FROM prefmem.preferences WHERE user_id = :u)"
    " + (SELECT count(*) FROM prefmem.candidates WHERE user_id = :u)"
    " + (SELECT count(*) FROM prefmem.extraction_runs WHERE user_id = :u AND state <> 'failed')"
)


def refusal(status: int) -> Reply:
    return json_reply({"type": "error", "error": {"type": "some_error", "message": "no"}}, status=status)


def untouched(here: World, user_id: str) -> bool:
    """Say whether nothing is stored and all that was said is still to be read, by calls and by batches."""
    waiting = "SELECT count(*) FROM prefmem.llm_batch_items WHERE user_id = :u AND state = 'waiting'"
    database = here.memory.database
    stored = count(database, STORED, u=user_id) + count(database, waiting, u=user_id)
    return (stored, here.unread(user_id)) == (0, len(SAID))


def by_call(here: World, user_id: str) -> object:
    return here.memory.extract(user_id=user_id)


def by_batch(here: World, user_id: str) -> object:
    return here.submit(user_id)


BOTH = pytest.mark.parametrize("work", [by_call, by_batch])


@BOTH
def test_a_missing_key_is_named(
    world: Callable[..., World], user_id: str, work: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    here = world(settings={"extractor": "claude", "claude": ClaudeSettings(api_key=None, model="claude-test")})
    talk(here.memory, user_id, *SAID)
    with pytest.raises(ConfigurationError, match="ANTHROPIC_API_KEY"):
        work(here, user_id)
    assert untouched(here, user_id)


@BOTH
@pytest.mark.parametrize(
    ("status", "setting"), [(401, "ANTHROPIC_API_KEY"), (403, "ANTHROPIC_API_KEY"), (404, "PREFMEM_CLAUDE_MODEL")]
)
def test_a_wrong_key_or_model_is_named_and_the_next_call_reads_all(
    world: Callable[..., World], user_id: str, work: Callable[..., Any], status: int, setting: str
) -> None:
    here = world(faults=[refusal(status)])
    talk(here.memory, user_id, *SAID)
    with pytest.raises(ConfigurationError, match=setting):
        work(here, user_id)
    assert untouched(here, user_id)
    work(here, user_id)
    here.collect()
    assert len(here.memory.list_preferences(user_id).items) == 2


NO_ANSWER = pytest.mark.parametrize(
    "answer", [Reply(body=b""), Reply(status=204, body=b""), html_page(), html_page(502)]
)


@NO_ANSWER
def test_an_empty_answer_or_a_page_for_people_is_no_answer(
    world: Callable[..., World], user_id: str, answer: Reply
) -> None:
    here = world(faults=[answer])
    talk(here.memory, user_id, *SAID)
    assert here.memory.extract(user_id=user_id).failed == 1
    assert untouched(here, user_id)
    assert here.memory.extract(user_id=user_id).added == 2


@NO_ANSWER
def test_a_batch_that_was_answered_so_may_have_arrived_and_is_looked_up_first(
    world: Callable[..., World], user_id: str, answer: Reply
) -> None:
    here = world(faults=[answer])
    talk(here.memory, user_id, *SAID)
    with pytest.raises(ProviderUnavailable):
        here.submit(user_id)
    assert here.submit(user_id).released == 1
    assert here.collect().added == 2


def test_a_model_that_does_not_exist_parks_nothing_that_came_back_from_a_batch(
    world: Callable[..., World], user_id: str
) -> None:
    here = world(lambda body: Said(becomes="errored", error="not_found_error"))
    talk(here.memory, user_id, *SAID)
    for _ in range(4):
        here.submit(user_id)
        report = here.collect()
        assert (report.failed, report.parked) == (1, 0)
        assert all("PREFMEM_CLAUDE_MODEL" in error for error in report.errors.values())
    assert untouched(here, user_id)


@pytest.mark.parametrize(
    ("status", "setting"),
    [(401, "OPENAI_API_KEY"), (404, "PREFMEM_OPENAI_CHAT_MODEL"), (405, "PREFMEM_OPENAI_BASE_URL")],
)
def test_settings_of_an_openai_endpoint_are_named_too(
    world: Callable[..., World], user_id: str, status: int, setting: str
) -> None:
    with EmbeddingsStub(faults=[refusal(status)]) as stub:
        openai = OpenAISettings(base_url=f"{stub.url}/v1", chat_model="qwen-test")
        here = world(settings={"extractor": "openai", "openai": openai})
        talk(here.memory, user_id, *SAID)
        with pytest.raises(ConfigurationError, match=setting):
            here.memory.extract(user_id=user_id)
    assert untouched(here, user_id)


@pytest.mark.parametrize(("status", "setting"), [(401, "VOYAGE_API_KEY"), (404, "PREFMEM_VOYAGE_RERANK_MODEL")])
def test_settings_of_the_reranker_are_named_too(
    world: Callable[..., World], user_id: str, status: int, setting: str
) -> None:
    with EmbeddingsStub(faults=[refusal(status)]) as stub:
        voyage = VoyageSettings(api_key="pa-test", base_url=f"{stub.url}/v1")
        here = world(settings={"voyage": voyage, "reranker": "voyage"})
        here.memory.remember_many(user_id, [{"statement": said} for said in SAID])
        with pytest.raises(ConfigurationError, match=setting):
            here.memory.search(user_id, "喝什么？", rerank=True, learn=False)
        assert here.memory.search(user_id, "喝什么？", rerank=True, learn=False)[0].note is None
