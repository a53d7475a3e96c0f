"""What becomes of the items of a batch that have no answer of use: asked again, parked, or asked for in parts."""

from collections.abc import Callable
from typing import Any

import pytest

from prefmem_pg.testing import Said
from prefmem_pg.testing.stub_server import json_reply
from tests.providers.batch_world import World
from tests.providers.reader import read, shown_to
from tests.providers.test_paid_extraction import talk


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


@pytest.mark.parametrize(
    ("error", "message"),
    [
        ("request_too_large", "Request exceeds the maximum size"),
        ("invalid_request_error", "prompt is too long: 210000 tokens > 200000 maximum"),
    ],
)
def test_an_item_that_is_too_long_is_asked_for_in_halves(
    world: Callable[..., World], user_id: str, error: str, message: str
) -> None:
    def model(body: dict[str, Any]) -> Said:
        is_long = len(shown_to(body)) > 2
        return Said(becomes="errored", error=error, error_message=message) if is_long else read(body)

    here = world(model)
    talk(here.memory, user_id, "I like tea.", "ok", "我喜欢爬山 ⛰。", "再见")
    here.submit(user_id)
    report = here.collect()
    assert (report.added, report.runs, report.parked, report.failed) == (2, 2, 0, 0)
    assert here.unread(user_id) == 0


def test_a_batch_that_is_too_large_is_handed_in_as_two(world: Callable[..., World], user_id: str) -> None:
    too_large = {"type": "error", "error": {"type": "request_too_large", "message": "too large"}}
    here = world(faults=[json_reply(too_large, status=413)])
    for place, thing in enumerate(("tea 🍵", "jazz", "爬山")):
        talk(here.memory, user_id, f"I like {thing}.", dialog_id=f"d-{place}")
    report = here.submit(user_id)
    assert (report.batches, report.items, report.messages) == (2, 3, 3)
    assert here.submit(user_id).items == 0
    assert here.collect().added == 3
