"""Reading by batches: submitted once, collected once, whatever is cut off in between."""

from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest

from prefmem_pg.db.session import Database
from prefmem_pg.domain.reports import BatchReport, ExtractionReport
from prefmem_pg.errors import ConfigurationError, ProviderUnavailable
from prefmem_pg.memory import PreferenceMemory
from prefmem_pg.providers.local_embedder import LocalEmbedder
from prefmem_pg.settings import ClaudeSettings, Settings, Spending
from prefmem_pg.steps.collect_batches import Collecting, collect_batches
from prefmem_pg.steps.extract import Scope
from prefmem_pg.steps.submit_batches import submit_batches
from prefmem_pg.testing import MessagesStub, Reply, Said, dropped, html_page
from tests.conftest import count
from tests.providers.reader import read, shown_to
from tests.providers.test_paid_extraction import talk

Model = Callable[[dict[str, Any]], Said | Reply]


class World:
    """A memory whose batches go to a stub, for one user."""

    def __init__(self, database: Database, database_url: str, embedder: LocalEmbedder, stub: MessagesStub) -> None:
        self.stub = stub
        self.memory = PreferenceMemory(
            database,
            settings=Settings(
                database_url=database_url,
                claude=ClaudeSettings(api_key="sk-ant-test", base_url=stub.url, model="claude-test"),
                spending=Spending(retries=0),
            ),
            embedder=embedder,
            on_close=lambda: None,
        )
        self.collecting: Collecting = self.memory._ready().collecting()

    def submit(self, user_id: str) -> BatchReport:
        one = self.collecting
        return submit_batches(
            one.decider, one.extractor, one.model, Scope(user_id=user_id), orphaned_after=timedelta(0)
        )

    def collect(self) -> ExtractionReport:
        return collect_batches(self.collecting, orphaned_after=timedelta(0))

    def created(self) -> int:
        """Return how many batches were handed in."""
        return sum(1 for r in self.stub.requests if (r.method, r.path) == ("POST", "/v1/messages/batches"))

    def unread(self, user_id: str) -> int:
        unread = "SELECT count(*) FROM prefmem.messages WHERE user_id = :u AND read_by_run_id IS NULL"
        return count(self.memory.database, unread, u=user_id)


@pytest.fixture
def world(database: Database, database_url: str, embedder: LocalEmbedder) -> Iterator[Callable[..., World]]:
    worlds: list[World] = []

    def make(model: Model = read, **settings: Any) -> World:
        worlds.append(World(database, database_url, embedder, MessagesStub(model, **settings)))
        return worlds[-1]

    yield make
    for one in worlds:
        one.memory.close()
        one.stub.close()


def test_a_batch_brings_what_a_call_would_bring_and_is_deleted_at_the_provider(
    world: Callable[..., World], user_id: str
) -> None:
    here = world(holds_batches=True)
    talk(here.memory, user_id, "I like oat milk ☕.", "我喜欢靠窗的座位。")
    talk(here.memory, user_id, "I like jazz.", dialog_id="d-2")
    here.memory.add_messages(user_id, [{"role": "assistant", "content": "好的"}], dialog_id="d-3")

    submitted = here.submit(user_id)
    assert (submitted.batches, submitted.items, submitted.messages, submitted.silent) == (1, 2, 4, 1)
    assert here.collect() == ExtractionReport()  # not there yet
    assert here.memory.extract(user_id=user_id).runs == 0  # what is on its way is left alone
    assert here.submit(user_id).items == 0

    here.stub.holds_batches = False
    report = here.collect()
    assert (report.added, report.runs, report.failed) == (3, 2, 0)
    assert here.stub.batches == {}
    assert here.unread(user_id) == 0
    stored = {p.statement for p in here.memory.list_preferences(user_id).items}
    assert stored == {"I like oat milk ☕", "我喜欢靠窗的座位", "I like jazz"}
    assert here.collect() == ExtractionReport()
    assert (here.submit(user_id).items, here.created()) == (0, 1)
    states = "SELECT count(*) FROM prefmem.llm_batches WHERE state = 'collected' AND counts->>'succeeded' = '2'"
    assert count(here.memory.database, states) == 1


def test_answers_from_batches_are_in_the_ledger_once_and_marked(world: Callable[..., World], user_id: str) -> None:
    here = world()
    talk(here.memory, user_id, "I like oat milk ☕.")
    here.submit(user_id)
    here.collect()
    noted = "SELECT count(*) FROM prefmem.llm_calls WHERE user_id = :u AND purpose = 'extract' AND is_batch"
    assert count(here.memory.database, noted + " AND outcome = 'ok' AND output_tokens > 0", u=user_id) == 1
    of_run = noted + " AND run_id IN (SELECT run_id FROM prefmem.extraction_runs WHERE user_id = :u)"
    assert count(here.memory.database, of_run, u=user_id) == 1


def test_what_expired_or_was_canceled_goes_into_the_next_batch(world: Callable[..., World], user_id: str) -> None:
    becomes = {"tea": "expired", "爬山": "canceled"}

    def model(body: dict[str, Any]) -> Said:
        word = next((word for word in becomes if word in str(body["messages"])), None)
        answer = read(body)
        return Said(json=answer.json, becomes=becomes.pop(word)) if word else answer

    here = world(model)
    talk(here.memory, user_id, "I like tea.", dialog_id="d-1")
    talk(here.memory, user_id, "我喜欢爬山。", dialog_id="d-2")
    talk(here.memory, user_id, "I like jazz 🎷.", dialog_id="d-3")
    here.submit(user_id)
    first = here.collect()
    assert (first.added, first.failed, first.parked) == (1, 2, 0)
    assert here.submit(user_id).items == 2
    assert here.collect().added + here.memory.extract(user_id=user_id).added == 2
    assert here.unread(user_id) == 0


def test_what_fails_by_its_own_fault_is_parked_in_the_end_and_blocks_nobody(
    world: Callable[..., World], user_id: str
) -> None:
    def model(body: dict[str, Any]) -> Said:
        return Said(becomes="errored") if "poison" in str(body["messages"]) else read(body)

    here = world(model)
    talk(here.memory, user_id, "I like poison.", dialog_id="d-1")
    talk(here.memory, user_id, "我喜欢爬山 ⛰。", dialog_id="d-2")
    reports = []
    for _ in range(3):
        here.submit(user_id)
        reports.append(here.collect())
    assert [(r.added, r.failed, r.parked) for r in reports] == [(1, 1, 0), (0, 1, 0), (0, 0, 1)]
    assert here.submit(user_id).items == 0


def test_a_refusal_is_recorded_and_a_cut_answer_is_asked_for_in_halves(
    world: Callable[..., World], user_id: str
) -> None:
    def model(body: dict[str, Any]) -> Said:
        shown = str(body["messages"])
        if "no way" in shown:
            return Said(text="", stop_reason="refusal")
        both = len(shown_to(body)) > 2
        return Said(text='{"pre', stop_reason="max_tokens") if both else read(body)

    here = world(model)
    talk(here.memory, user_id, "I like no way.", dialog_id="d-1")
    talk(here.memory, user_id, "I like tea.", "ok", "我喜欢爬山。", "再见", dialog_id="d-2")
    here.submit(user_id)
    report = here.collect()
    assert (report.parked, report.failed, report.runs) == (1, 0, 2)
    stored = {p.statement for p in here.memory.list_preferences(user_id).items}
    assert stored == {"I like tea", "我喜欢爬山"}
    assert here.unread(user_id) == 0


def test_a_submission_that_arrived_but_was_not_heard_of_is_found_again_and_not_paid_twice(
    world: Callable[..., World], user_id: str
) -> None:
    here = world()
    talk(here.memory, user_id, "I like tea 🍵.")
    take = here.stub.answer

    def arrive_and_hang_up(received: Any) -> Reply:
        take(received)
        here.stub.answer = take
        return dropped()

    here.stub.answer = arrive_and_hang_up
    with pytest.raises(ProviderUnavailable):
        here.submit(user_id)
    for batch in here.stub.batches.values():
        batch["ended_at"] = batch["created_at"]

    assert here.submit(user_id).items == 0
    assert here.collect().added == 1
    assert here.created() == 1


def test_a_submission_that_never_arrived_is_sent_again(world: Callable[..., World], user_id: str) -> None:
    here = world(faults=[dropped()])
    talk(here.memory, user_id, "我喜欢茶 🍵。")
    with pytest.raises(ProviderUnavailable):
        here.submit(user_id)
    again = here.submit(user_id)
    assert (again.released, again.items) == (1, 1)
    assert here.collect().added == 1


def test_results_that_cannot_be_read_are_asked_for_again_and_stored_once(
    world: Callable[..., World], user_id: str
) -> None:
    here = world()
    talk(here.memory, user_id, "I like tea.", "我喜欢爬山。")
    here.submit(user_id)
    here.stub.faults.append(html_page())
    with pytest.raises(ProviderUnavailable):
        here.collect()
    assert here.collect().added == 2
    assert here.collect() == ExtractionReport()


def test_a_batch_that_the_provider_no_longer_has_sets_its_messages_free(
    world: Callable[..., World], user_id: str
) -> None:
    here = world()
    talk(here.memory, user_id, "I like tea 🍵.")
    here.submit(user_id)
    here.stub.batches.clear()
    assert here.collect() == ExtractionReport()
    assert here.memory.extract(user_id=user_id).added == 1


def test_an_erased_user_is_not_brought_back_by_a_batch(world: Callable[..., World], user_id: str) -> None:
    here = world()
    talk(here.memory, user_id, "I like tea 🍵.")
    here.submit(user_id)
    here.memory.forget(user_id)
    assert here.collect() == ExtractionReport()
    assert here.stub.batches == {}
    assert count(here.memory.database, "SELECT count(*) FROM prefmem.users WHERE user_id = :u", u=user_id) == 0


def test_what_was_forgotten_while_it_was_on_its_way_is_read_anew_without_it(
    world: Callable[..., World], user_id: str
) -> None:
    here = world()
    talk(here.memory, user_id, "I like tea.", "我喜欢爬山。")
    here.submit(user_id)
    [first, _] = here.memory.list_messages(user_id).items
    here.memory.forget_messages(user_id, [first.message_id])
    assert here.collect().added == 0
    assert here.memory.extract(user_id=user_id).added == 1
    assert [p.statement for p in here.memory.list_preferences(user_id).items] == ["我喜欢爬山"]


def test_batches_without_a_provider_for_them_are_refused_by_name(memory: PreferenceMemory) -> None:
    with pytest.raises(ConfigurationError, match="PREFMEM_EXTRACTOR=claude"):
        memory.submit_batches()
    with pytest.raises(ConfigurationError, match="ANTHROPIC_API_KEY"):
        memory.collect_batches()
