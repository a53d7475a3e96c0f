"""Replay: the same answers without a provider."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from sqlalchemy import text

from prefmem_pg.db.session import Database
from prefmem_pg.errors import (
    NotRecorded,
)
from prefmem_pg.providers.metered_chat import MeteredChat
from prefmem_pg.providers.protocols import ChatAnswer, ChatRequest, Usage
from prefmem_pg.providers.serving import serving
from prefmem_pg.steps.meter import DatabaseMeter
from prefmem_pg.testing import EmbeddingsStub
from tests.providers.ledgers import TEA, TRAINS, clear, embedder, rows


@pytest.fixture(autouse=True)
def clean(database: Database) -> None:
    clear(database)


@pytest.fixture
def stub() -> Iterator[EmbeddingsStub]:
    with EmbeddingsStub() as started:
        yield started


def test_a_replay_gives_the_same_bits_and_opens_no_socket(stub: EmbeddingsStub, database: Database) -> None:
    with serving("ana"):
        recorded = embedder(stub, database, mode="record").embed_documents([TEA, TRAINS])
        before = rows(database, "count(*)", order="1")
        replaying = embedder(stub, database, mode="replay")
        stub.close()
        replayed = replaying.embed_documents([TEA, TRAINS])
    np.testing.assert_array_equal(recorded, replayed)
    assert rows(database, "count(*)", order="1") == before


def test_a_text_is_replayed_whatever_it_travelled_with(stub: EmbeddingsStub, database: Database) -> None:
    recording = embedder(stub, database, mode="record")
    with serving(["ana", "小明", "ana"]):
        first = recording.embed_documents([TEA, "他的茶", TRAINS])
    with serving("ana"):
        found = embedder(stub, database, mode="replay").embed_documents([TRAINS, TEA])
        np.testing.assert_array_equal(found, first[[2, 0]])
        with pytest.raises(NotRecorded):
            embedder(stub, database, mode="replay").embed_documents(["他的茶"])
        with pytest.raises(NotRecorded):
            embedder(stub, database, mode="replay").embed_queries([TEA])
    assert len(stub.calls) == 1


def test_a_miss_fails_clearly_and_quotes_nothing(stub: EmbeddingsStub, database: Database) -> None:
    with serving("ana"), pytest.raises(NotRecorded, match="PREFMEM_LLM_MODE=record") as caught:
        embedder(stub, database, mode="replay").embed_documents([TEA])
    assert not caught.value.retryable
    assert "茶" not in str(caught.value)
    assert stub.calls == []


def test_each_user_keeps_the_own_part_of_a_recorded_call_alone(stub: EmbeddingsStub, database: Database) -> None:
    with serving(["ana", "小明"]):
        embedder(stub, database, mode="record").embed_documents([TEA, TRAINS])
    found = dict(rows(database, "user_id, request ->> 'input'"))
    assert TEA in found["ana"]
    assert TRAINS not in found["ana"]
    assert TRAINS in found["小明"]


def test_what_was_recorded_is_erased_with_the_user(stub: EmbeddingsStub, database: Database) -> None:
    with database.engine.begin() as connection:
        connection.exec_driver_sql("INSERT INTO prefmem.users (user_id) VALUES ('leaving')")
    with serving("leaving"):
        embedder(stub, database, mode="record").embed_documents([TEA])
    with database.transaction(user_id="leaving") as repositories:
        repositories.session.execute(text("SELECT prefmem.forget_user('leaving')"))
    assert rows(database, "user_id") == []


class Chat:
    """A chat model that says one thing."""

    name, provider = "claude-x", "claude"

    def __init__(self, answer: ChatAnswer) -> None:
        self.answer = answer
        self.asked: list[ChatRequest] = []

    def complete(self, request: ChatRequest) -> ChatAnswer:
        self.asked.append(request)
        return self.answer


REQUEST = ChatRequest(
    purpose="extract",
    system="Find preferences. 找出偏好。",
    text=TEA,
    schema={"type": "object", "properties": {"said": {"type": "string"}}, "required": ["said"]},
    schema_name="preferences",
    max_tokens=500,
    prompt_version="v1",
)


@pytest.mark.parametrize(("stop", "outcome"), [("end", "ok"), ("truncated", "truncated"), ("refused", "refused")])
def test_a_chat_answer_is_noted_and_replayed_as_it_was(database: Database, stop: Any, outcome: str) -> None:
    usage = Usage(input_tokens=90, output_tokens=20, cache_read_tokens=400, cache_write_tokens=7)
    answer = ChatAnswer(
        text='{"said": "好 👌"}', stop=stop, model="claude-x-1", usage=usage, request_id="r", latency_ms=3
    )
    model = Chat(answer)
    with serving("ana"):
        assert MeteredChat(model, DatabaseMeter(database=database, mode="record")).complete(REQUEST) == answer
        assert MeteredChat(model, DatabaseMeter(database=database, mode="replay")).complete(REQUEST) == answer
    assert len(model.asked) == 1
    columns = "purpose, prompt_version, outcome, input_tokens, output_tokens, cache_read_tokens, cache_write_tokens"
    assert rows(database, columns) == [("extract", "v1", outcome, 90, 20, 400, 7)]


def test_an_answer_that_jsonb_cannot_hold_is_recorded_all_the_same(database: Database) -> None:
    answer = ChatAnswer(text="nul \0 half \ud83c 茶", stop="end", model="m")
    with serving("ana"):
        MeteredChat(Chat(answer), DatabaseMeter(database=database, mode="record")).complete(REQUEST)
        again = MeteredChat(Chat(answer), DatabaseMeter(database=database, mode="replay")).complete(REQUEST)
    assert again.text == "nul \N{REPLACEMENT CHARACTER} half \N{REPLACEMENT CHARACTER} 茶"


def test_live_mode_keeps_no_payload(database: Database) -> None:
    with serving("ana"):
        MeteredChat(Chat(ChatAnswer(text="{}", stop="end", model="m")), DatabaseMeter(database=database)).complete(
            REQUEST
        )
    assert rows(database, "request, response") == [(None, None)]
