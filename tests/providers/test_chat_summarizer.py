"""Summaries by a chat model, from the settings on: what is told, what it costs, and what is told when it cannot."""

import logging
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest

from prefmem_pg.db.session import Database
from prefmem_pg.errors import BudgetExceeded, ConfigurationError
from prefmem_pg.settings import Spending
from prefmem_pg.testing import Reply, Said, overloaded
from prefmem_pg.testing.stub_server import json_reply
from tests.conftest import count
from tests.providers.batch_world import World
from tests.providers.ledgers import price

SAID = {
    "en": ("We are planning a hiking trip to the Dolomites in September 🥾.", "We sleep in mountain huts only."),
    "zh": ("我们打算九月去云南徒步，想找个向导 🥾。", "只住客栈，每天走路不超过六个小时。"),
}
TOLD = {"en": "The user plans a trip to the Dolomites.", "zh": "用户打算九月去云南徒步。"}
EACH = pytest.mark.parametrize("language", SAID)


def telling(language: str) -> Callable[[dict[str, Any]], Said]:
    return lambda body: Said(json={"summary": TOLD[language]})


def say(here: World, user_id: str, language: str, dialog_id: str = "d-1") -> None:
    said = [{"role": "user", "content": one, "occurred_at": "2026-05-01T09:00:00+00:00"} for one in SAID[language]]
    here.memory.add_messages(user_id, said, dialog_id=dialog_id)


def texts(here: World, user_id: str) -> set[str]:
    return {hit.summary.text for hit in here.memory.search_summaries(user_id, "hiking 徒步")}


@EACH
def test_b58_the_model_that_was_chosen_tells_dialogs_and_days_in_their_language(
    world: Callable[..., World], user_id: str, language: str
) -> None:
    here = world(telling(language))
    say(here, user_id, language, "d-1")
    say(here, user_id, language, "d-2")
    report = here.memory.summarize(user_id=user_id)
    assert (report.dialogs, report.days, report.failed) == (2, 1, 0)
    assert texts(here, user_id) == {TOLD[language]}
    assert len(here.stub.calls) == 3
    noted = "SELECT count(*) FROM prefmem.llm_calls WHERE user_id = :u AND purpose = 'summarize' AND outcome = 'ok'"
    assert count(here.memory.database, noted, u=user_id) == 3
    here.memory.summarize(user_id=user_id)
    assert len(here.stub.calls) == 3


@EACH
@pytest.mark.parametrize(
    "answer",
    [
        Said(text="", stop_reason="refusal"),
        Said(text="no JSON 🙂"),
        Said(json={"summary": ""}),
        Said(json={"summary": "word 词 " * 1_000}),
        Said(text='{"summ', stop_reason="max_tokens"),
    ],
)
def test_what_the_model_cannot_tell_is_told_offline_and_the_log_says_so(
    world: Callable[..., World], user_id: str, language: str, answer: Said, caplog: pytest.LogCaptureFixture
) -> None:
    here = world(lambda body: answer)
    say(here, user_id, language)
    with caplog.at_level(logging.WARNING):
        report = here.memory.summarize(user_id=user_id)
    assert (report.dialogs, report.failed) == (1, 0)
    [told] = texts(here, user_id)
    assert told.splitlines()[0] in SAID[language]
    assert "told offline" in caplog.text
    calls = len(here.stub.calls)
    assert here.memory.summarize(user_id=user_id).dialogs == 0  # and paid for once
    assert len(here.stub.calls) == calls


@EACH
def test_b58_a_summary_in_another_language_is_told_offline(
    world: Callable[..., World], user_id: str, language: str
) -> None:
    here = world(telling("zh" if language == "en" else "en"))
    say(here, user_id, language)
    here.memory.summarize(user_id=user_id)
    [told] = texts(here, user_id)
    assert told.splitlines()[0] in SAID[language]


def test_what_nobody_answers_is_told_by_the_next_run(world: Callable[..., World], user_id: str) -> None:
    here = world(telling("zh"), faults=[overloaded()] * 2)
    say(here, user_id, "zh")
    report = here.memory.summarize(user_id=user_id)
    assert (report.dialogs, report.failed) == (0, 2)
    assert here.memory.summarize(user_id=user_id).dialogs == 1
    assert texts(here, user_id) == {TOLD["zh"]}


@pytest.mark.parametrize("status", [401, 404])
def test_a_wrong_key_or_model_is_raised_and_nothing_is_stored(
    world: Callable[..., World], user_id: str, status: int
) -> None:
    refusal = json_reply({"type": "error", "error": {"type": "x", "message": "no"}}, status=status)
    here = world(telling("zh"), faults=[refusal])
    say(here, user_id, "zh")
    with pytest.raises(ConfigurationError, match=r"ANTHROPIC_API_KEY|PREFMEM_CLAUDE_MODEL"):
        here.memory.summarize(user_id=user_id)
    assert texts(here, user_id) == set()


def test_a_spent_budget_is_raised_and_the_rest_waits(
    world: Callable[..., World], user_id: str, database: Database
) -> None:
    price(database, provider="claude", model="claude-test", output_usd=Decimal(5))
    here = world(telling("en"), settings={"spending": Spending(retries=0, user_usd=Decimal(0))})
    say(here, user_id, "en")
    with pytest.raises(BudgetExceeded, match="PREFMEM_BUDGET_USER_USD"):
        here.memory.summarize(user_id=user_id)
    assert here.stub.calls == []
    assert world(telling("en")).memory.summarize(user_id=user_id).dialogs == 1


def test_a_long_dialog_is_told_in_parts_first(world: Callable[..., World], user_id: str) -> None:
    def model(body: dict[str, Any]) -> Said | Reply:
        return Said(json={"summary": f"The user told part {len(here.stub.calls)}."})

    here = world(model)
    long = [f"Point {n}: " + "we walk from one hut to the next. " * 55 for n in range(30)]
    here.memory.add_messages(user_id, [{"role": "user", "content": one} for one in long], dialog_id="long")
    report = here.memory.summarize(user_id=user_id)
    shown = [body["messages"][0]["content"] for body in here.stub.calls]
    assert report.dialogs == 1
    assert [text.count("<message ") for text in shown] == [21, 9, 0]
    assert shown[-1].count("<abstract>") == 2


def test_what_has_nothing_to_tell_is_not_sent(world: Callable[..., World], user_id: str) -> None:
    here = world(telling("zh"))
    here.memory.add_messages(user_id, [{"role": "user", "content": "谢谢！👍"}], dialog_id="d-1")
    assert here.memory.summarize(user_id=user_id).empty >= 1
    assert here.stub.calls == []
