"""Extraction with the ledger around it: estimated, paid, stopped by a budget, replayed, compared with a new prompt."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest

from prefmem_pg.db.session import Database
from prefmem_pg.errors import BudgetExceeded, NotRecorded
from prefmem_pg.memory import PreferenceMemory
from prefmem_pg.providers.chat.extractor import ChatExtractor
from prefmem_pg.providers.local_embedder import LocalEmbedder
from prefmem_pg.providers.metered_chat import MeteredChat
from prefmem_pg.settings import Settings, Spending
from prefmem_pg.steps.meter import DatabaseMeter
from prefmem_pg.steps.spending import Budgets
from prefmem_pg.testing import MessagesStub, Said, overloaded
from tests.providers.ledgers import clear, price, rows
from tests.providers.talk import QUICK, claude_at, found, item

SAID = ["我不吃香菜 🌿，请记住", "I always book window seats"]

Open = Callable[..., PreferenceMemory]


@pytest.fixture(autouse=True)
def clean(database: Database) -> None:
    clear(database)
    price(database, provider="claude", model="claude-test", input_usd=Decimal(3), output_usd=Decimal(15))


def model(body: dict[str, Any]) -> Said:
    """Find what the user said in the new messages, as a good model would."""
    text = str(body["messages"])
    return Said(json=found(*(item(place + 1, said) for place, said in enumerate(SAID) if said[:6] in text)))


@pytest.fixture
def stub() -> Iterator[MessagesStub]:
    with MessagesStub(model) as started:
        yield started


@pytest.fixture
def memory_of(database: Database, embedder: LocalEmbedder, stub: MessagesStub) -> Open:
    """Open a memory whose extractor asks the stub through the ledger."""

    def open_with(*, mode: Any = "live", budgets: Budgets | None = None, prompt: str | None = None) -> PreferenceMemory:
        meter = DatabaseMeter(database=database, mode=mode, budgets=budgets or Budgets())
        extractor = ChatExtractor(MeteredChat(claude_at(stub), meter), policy=QUICK)
        if prompt is not None:
            extractor.prompt_version = prompt
        spending = replace(Spending(), day_usd=budgets.day_usd if budgets else None)
        return PreferenceMemory(
            database, embedder=embedder, extractor=extractor, settings=replace(Settings(), spending=spending)
        )

    return open_with


def say(memory: PreferenceMemory, user_id: str, *contents: str) -> None:
    memory.add_messages(user_id, [{"role": "user", "content": content} for content in contents], dialog_id="d-1")


def test_each_call_of_an_extraction_is_in_the_ledger_with_its_run(
    memory_of: Open, stub: MessagesStub, database: Database, user_id: str
) -> None:
    memory = memory_of()
    say(memory, user_id, *SAID)
    assert memory.extract(user_id=user_id).added == 2
    [(purpose, outcome, cost, is_of_run)] = rows(
        database,
        "purpose, outcome, cost_usd, EXISTS (SELECT FROM prefmem.extraction_runs r"
        " WHERE r.user_id = c.user_id AND r.run_id = c.run_id)",
        "llm_calls c",
    )
    assert (purpose, outcome, is_of_run) == ("extract", "ok", True)
    assert cost > 0
    assert rows(database, "kept_count, cost_usd", "cost_per_preference WHERE extractor = 'claude'", "1") == [(2, cost)]


def test_a_further_try_counts_for_the_run_that_keeps_the_record(
    memory_of: Open, stub: MessagesStub, database: Database, user_id: str
) -> None:
    memory = memory_of()
    say(memory, user_id, *SAID)
    stub.faults.extend([overloaded()] * 4)
    assert memory.extract(user_id=user_id).failed == 1
    assert memory.extract(user_id=user_id).added == 2
    runs = rows(database, f"run_id FROM prefmem.extraction_runs WHERE user_id = '{user_id}' --", "x")
    assert len(runs) == 1
    assert rows(database, "DISTINCT run_id", order="1") == runs
    assert len(rows(database, "outcome")) == len(stub.calls) == 5


def test_an_estimate_sends_nothing_and_bounds_what_comes(
    memory_of: Open, stub: MessagesStub, database: Database, user_id: str
) -> None:
    memory = memory_of()
    say(memory, user_id, *SAID)
    before = memory.estimate_extraction(user_id=user_id)
    assert (before.dialogs, before.messages, before.chunks, before.calls) == (1, 2, 1, 1)
    assert (before.provider, before.model, before.usual_usd) == ("claude", "claude-test", None)
    assert stub.calls == []

    memory.extract(user_id=user_id)
    [(cost,)] = rows(database, "cost_usd")
    assert before.most_usd is not None
    assert cost <= before.most_usd

    say(memory, user_id, "我也喜欢安静的座位")
    assert memory.estimate_extraction(user_id=user_id).usual_usd == cost
    assert memory.estimate_extraction(user_id="nobody").calls == 0


def test_an_estimate_says_whether_it_fits_the_budget(memory_of: Open, user_id: str) -> None:
    memory = memory_of(budgets=Budgets(day_usd=Decimal("0.000001")))
    say(memory, user_id, *SAID)
    assert not memory.estimate_extraction(user_id=user_id).fits_budget


def test_a_budget_stops_an_extraction_and_the_messages_stay_unread(
    memory_of: Open, stub: MessagesStub, user_id: str
) -> None:
    poor = memory_of(budgets=Budgets(day_usd=Decimal(0)))
    say(poor, user_id, *SAID)
    for _ in range(5):
        with pytest.raises(BudgetExceeded):
            poor.extract(user_id=user_id)
    assert stub.calls == []
    report = memory_of().extract(user_id=user_id)
    assert (report.added, report.failed, report.parked) == (2, 0, 0)


def test_a_replay_finds_the_same_without_a_call(memory_of: Open, stub: MessagesStub, user_id: str) -> None:
    recording = memory_of(mode="record")
    say(recording, user_id, *SAID)
    recording.extract(user_id=user_id)
    statements = sorted(p.statement for p in recording.list_preferences(user_id).items)
    calls = len(stub.calls)

    replaying = memory_of(mode="replay")
    report = replaying.extract(user_id=user_id, again=True)
    assert (report.runs, report.added, report.failed) == (1, 0, 0)
    assert sorted(p.statement for p in replaying.list_preferences(user_id).items) == statements
    assert len(stub.calls) == calls


def test_a_replay_of_what_was_not_recorded_stops_and_parks_nothing(memory_of: Open, user_id: str) -> None:
    replaying = memory_of(mode="replay")
    say(replaying, user_id, *SAID)
    for _ in range(4):
        with pytest.raises(NotRecorded):
            replaying.extract(user_id=user_id)
    assert memory_of().extract(user_id=user_id).added == 2


@pytest.mark.parametrize(
    "useless", [Said(text="Here you are: {preferences} 🙂"), Said(json={"preferences": "我不吃香菜"}), Said(text="")]
)
def test_an_answer_of_no_use_is_paid_named_and_asked_for_once_more(
    memory_of: Open, stub: MessagesStub, database: Database, user_id: str, useless: Said
) -> None:
    answers = [useless]
    stub.model = lambda body: answers.pop() if answers else model(body)
    memory = memory_of()
    say(memory, user_id, *SAID)
    assert memory.extract(user_id=user_id).added == 2
    assert [row[0] for row in rows(database, "outcome")] == ["invalid", "ok"]
    assert all(cost > 0 for (cost,) in rows(database, "cost_usd"))


def test_replay_diff_is_one_run_under_the_budget(memory_of: Open, stub: MessagesStub, user_id: str) -> None:
    recording = memory_of(mode="record", prompt="old")
    for dialog in ("d-1", "d-2", "d-3"):
        recording.add_messages(user_id, [{"role": "user", "content": SAID[0]}], dialog_id=dialog)
    recording.extract(user_id=user_id)
    most = recording.estimate_extraction(user_id=user_id, again=True).most_usd
    assert most is not None
    one_call = Budgets(run_usd=most / 3 + Decimal("0.0001"))
    calls = len(stub.calls)
    with pytest.raises(BudgetExceeded, match="PREFMEM_BUDGET_RUN_USD"):
        list(memory_of(budgets=one_call, prompt="new").replay_diff(user_id=user_id))
    assert len(stub.calls) - calls == 1


def test_replay_diff_shows_what_a_new_prompt_changes(memory_of: Open, stub: MessagesStub, user_id: str) -> None:
    recording = memory_of(mode="record", prompt="old")
    say(recording, user_id, *SAID)
    recording.extract(user_id=user_id)
    [same] = memory_of(mode="replay", prompt="old").replay_diff(user_id=user_id)
    assert same.is_same
    assert sorted(same.kept) == sorted(SAID)

    stub.model = lambda body: Said(json=found(item(1, SAID[0], "我不吃香菜")))
    [changed] = memory_of(prompt="new").replay_diff(user_id=user_id)
    assert (changed.prompt_before, changed.prompt_now) == ("old", "new")
    assert changed.reworded == ((SAID[0], "我不吃香菜"),)
    assert changed.removed == (SAID[1],)
    assert changed.added == ()
    assert len(recording.list_preferences(user_id).items) == 2
