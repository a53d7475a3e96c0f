"""Reading by batches: submitted once, collected once, whatever is cut off in between."""

from collections.abc import Callable
from typing import Any

import pytest

from prefmem_pg.db.session import Database
from prefmem_pg.domain.reports import ExtractionReport
from prefmem_pg.errors import ConfigurationError, ProviderUnavailable
from prefmem_pg.memory import PreferenceMemory
from prefmem_pg.providers.local_embedder import LocalEmbedder
from prefmem_pg.settings import Settings, Spending
from prefmem_pg.testing import Reply, dropped, html_page
from tests.conftest import count
from tests.providers.batch_world import World
from tests.providers.test_paid_extraction import talk


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


def test_an_answer_is_collected_without_a_question_that_nobody_keeps(
    world: Callable[..., World], user_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = world()
    talk(here.memory, user_id, "I like tea.")
    here.submit(user_id)
    asked: list[object] = []
    monkeypatch.setattr(here.reader.extractor, "question", asked.append)
    assert here.collect().added == 1
    assert asked == []


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
    [(name, error)] = here.collect().errors.items()
    assert name.startswith("batch msgbatch_")
    assert "tried again later" in error
    assert here.collect().added == 2
    assert here.collect() == ExtractionReport()


def test_a_batch_that_the_provider_no_longer_has_sets_its_messages_free(
    world: Callable[..., World], user_id: str
) -> None:
    here = world()
    talk(here.memory, user_id, "I like tea 🍵.")
    here.submit(user_id)
    [lost] = here.stub.batches
    here.stub.batches.clear()
    assert here.collect() == ExtractionReport(
        errors={f"batch {lost}": "the provider has it no more: 1 requests are unread again"}
    )
    assert here.memory.extract(user_id=user_id).added == 1


def test_a_batch_that_cannot_be_collected_is_named_and_holds_up_no_other(
    world: Callable[..., World], user_id: str
) -> None:
    here = world()
    talk(here.memory, user_id, "I like tea.", dialog_id="d-1")
    here.submit(user_id)
    [first] = here.stub.batches
    talk(here.memory, user_id, "我喜欢爬山 ⛰。", dialog_id="d-2")
    here.submit(user_id)
    here.stub.faults.extend([None, None, html_page()])  # its list, its state, then its results

    report = here.collect()
    assert report.added == 1
    assert list(report.errors) == [f"batch {first}"]
    assert list(here.stub.batches) == [first]
    assert here.collect().added == 1


def test_results_that_are_kept_no_longer_set_messages_free(world: Callable[..., World], user_id: str) -> None:
    here = world()
    talk(here.memory, user_id, "I like tea 🍵.")
    here.submit(user_id)
    for batch in here.stub.batches.values():
        batch["archived_at"] = batch["created_at"]
    report = here.collect()
    assert [error for error in report.errors.values() if "unread again" in error]
    assert here.collect() == ExtractionReport()
    assert here.memory.extract(user_id=user_id).added == 1


def test_answers_that_were_paid_are_read_whatever_the_prefilter_or_the_prompt_says_by_then(
    world: Callable[..., World], user_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = world(settings={"spending": Spending(mode="record", retries=0)})
    talk(here.memory, user_id, "I like tea.", "我喜欢爬山 ⛰。")
    here.submit(user_id)
    monkeypatch.setattr(here.reader.extractor, "_keeps", lambda messages, language: [False] * len(messages))
    monkeypatch.setattr("prefmem_pg.providers.chat.extractor.PROMPTS", ("extract_implicit", "extract_explicit"))
    assert here.collect().added == 2
    noted = "SELECT count(*) FROM prefmem.llm_calls WHERE user_id = :u AND is_batch AND outcome = 'ok'"
    assert count(here.memory.database, noted, u=user_id) == 1
    recorded = f"{noted} AND response IS NOT NULL"  # an answer to another question is no answer to today's
    assert count(here.memory.database, recorded, u=user_id) == 0


def test_a_recorded_batch_is_replayed_without_a_call(world: Callable[..., World], user_id: str) -> None:
    here = world(settings={"spending": Spending(mode="record", retries=0)})
    talk(here.memory, user_id, "I like tea.", "我喜欢爬山 ⛰。")
    here.submit(user_id)
    assert here.collect().added == 2
    replaying = world(settings={"spending": Spending(mode="replay")})
    report = replaying.memory.extract(user_id=user_id, again=True)
    assert (report.runs, report.candidates, report.failed) == (1, 2, 0)
    assert replaying.stub.requests == []


def test_nothing_is_handed_in_by_a_replay(database: Database, database_url: str, embedder: LocalEmbedder) -> None:
    settings = Settings(database_url=database_url, extractor="claude", spending=Spending(mode="replay"))
    with PreferenceMemory(database, settings=settings, embedder=embedder, on_close=lambda: None) as memory:
        with pytest.raises(ConfigurationError, match="PREFMEM_LLM_MODE"):
            memory.submit_batches()
        with pytest.raises(ConfigurationError, match="PREFMEM_LLM_MODE"):
            memory.collect_batches()


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
