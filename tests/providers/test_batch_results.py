"""Results of a batch that come as no document says: each answer is stored once, and costs what the provider counts."""

import gzip
import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from prefmem_pg.db.session import Database
from prefmem_pg.testing import Received, Reply
from tests.providers.batch_world import World
from tests.providers.ledgers import rows
from tests.providers.test_paid_extraction import talk

Lines = list[dict[str, Any]]
Odd = Callable[[Lines], Reply]
SAID = {"d-1": ("I like tea 🍵.", "ok"), "d-2": ("我喜欢爬山 ⛰。",), "d-3": ("I like jazz.",)}


def jsonl(lines: Lines, *, end: str = "\n", mark: str = "") -> Reply:
    body = mark + end.join(json.dumps(line, ensure_ascii=False) for line in lines)
    return Reply(body=body.encode(), headers={"content-type": "application/x-jsonl"})


def errored(line: dict[str, Any]) -> dict[str, Any]:
    error = {"type": "error", "error": {"type": "api_error", "message": "it broke"}}
    return {**line, "result": {"type": "errored", "error": error}}


def with_usage(line: dict[str, Any], usage: object) -> dict[str, Any]:
    message = {**line["result"]["message"], "usage": usage}
    return {**line, "result": {**line["result"], "message": message}}


def packed(lines: Lines) -> Reply:
    plain = jsonl(lines)
    return replace(plain, body=gzip.compress(plain.body), headers={**plain.headers, "content-encoding": "gzip"})


WHOLE: dict[str, Odd] = {
    "twice": lambda lines: jsonl(lines * 2),
    "and an error for each after it": lambda lines: jsonl(lines + [errored(line) for line in lines]),
    "and an error for each before it": lambda lines: jsonl([errored(line) for line in lines] + lines),
    "with ids of nobody": lambda lines: jsonl(
        [{**lines[0], "custom_id": None}, *lines, {**lines[0], "custom_id": "x"}]
    ),
    "with other ends of line": lambda lines: jsonl(lines, end="\r\n"),
    "with a mark of byte order": lambda lines: jsonl(lines, mark="\ufeff"),
    "compressed": packed,
}
BROKEN: dict[str, Odd] = {
    "cut in a line": lambda lines: replace(jsonl(lines), body=jsonl(lines).body[:-40]),
    "with a line of another kind": lambda lines: Reply(body=b"12\n" + jsonl(lines).body),
    "an error": lambda lines: jsonl([{"type": "error", "error": {"type": "overloaded_error"}}]),  # type: ignore[list-item]
    "a list": lambda lines: Reply(body=b"[]"),
    "too deep": lambda lines: Reply(body=b"[" * 100_000),
}


class Results:
    """Gives the results of a batch in a way of its own, as often as it is told to, and counts what they cost."""

    def __init__(self, here: World, odd: Odd, *, times: int = 9) -> None:
        self.answer, self.odd, self.times, self.tokens = here.stub.answer, odd, times, 0
        here.stub.answer = self

    def __call__(self, received: Received) -> Reply:
        reply = self.answer(received)
        if not received.path.endswith("/results") or self.times == 0:
            return reply
        self.times -= 1
        lines = [json.loads(line) for line in reply.body.splitlines()]
        self.tokens = sum(sum(_counts(line["result"]["message"]["usage"])) for line in lines)
        return self.odd(lines)


def _counts(usage: dict[str, Any]) -> list[int]:
    return [count for name, count in usage.items() if name.endswith("_tokens")]


def hand_in(here: World, user_id: str) -> None:
    for dialog_id, said in SAID.items():
        talk(here.memory, user_id, *said, dialog_id=dialog_id)
    assert here.submit(user_id).items == 3


def stored(here: World, user_id: str) -> list[str]:
    return sorted(one.statement or "" for one in here.memory.list_preferences(user_id).items)


ALL = sorted(["I like tea 🍵", "我喜欢爬山 ⛰", "I like jazz"])


@pytest.mark.parametrize("odd", WHOLE.values(), ids=WHOLE)
def test_whole_results_are_stored_once_however_they_come(
    world: Callable[..., World], user_id: str, database: Database, odd: Odd
) -> None:
    here = world()
    results = Results(here, odd)
    hand_in(here, user_id)
    report = here.collect()
    assert (report.added, report.failed, report.parked, report.errors) == (3, 0, 0, {})
    assert stored(here, user_id) == ALL
    assert here.unread(user_id) == 0
    whose = f"user_id = '{user_id}' AND outcome = 'ok'"
    columns = "sum(input_tokens + output_tokens + cache_read_tokens + cache_write_tokens)"
    assert rows(database, columns, f"llm_calls WHERE {whose}", order="1") == [(results.tokens,)]


@pytest.mark.parametrize("odd", BROKEN.values(), ids=BROKEN)
def test_broken_results_are_asked_for_again_and_nothing_is_lost(
    world: Callable[..., World], user_id: str, odd: Odd
) -> None:
    here = world()
    hand_in(here, user_id)
    Results(here, odd, times=1)
    [error] = here.collect().errors.values()
    assert "tried again later" in error
    report = here.collect()
    assert (report.added, report.failed, report.errors) == (3, 0, {})
    assert stored(here, user_id) == ALL


def test_a_result_of_a_kind_that_is_not_known_is_asked_for_in_the_next_batch(
    world: Callable[..., World], user_id: str
) -> None:
    here = world()
    hand_in(here, user_id)
    Results(here, lambda lines: jsonl([{**lines[0], "result": {"type": "cosmic"}}, *lines[1:]]), times=1)
    report = here.collect()
    assert (report.added, report.failed, report.parked) == (2, 1, 0)
    assert here.submit(user_id).items == 1
    assert here.collect().added == 1


@pytest.mark.parametrize("usage", [None, {"input_tokens": -5, "output_tokens": 3}, {"input_tokens": "9"}])
def test_an_answer_that_does_not_tell_its_tokens_counts_at_its_most(
    world: Callable[..., World], user_id: str, database: Database, usage: object
) -> None:
    here = world()
    hand_in(here, user_id)
    columns, mine = "input_tokens, output_tokens, cost_usd", f"llm_calls WHERE user_id = '{user_id}'"
    before = rows(database, columns, mine, order="call_id")
    Results(here, lambda lines: jsonl([with_usage(line, usage) for line in lines]))
    assert here.collect().added == 3
    assert rows(database, columns, mine, order="call_id") == before
