"""Answers of providers that come as no document says: a typed error, or what there is of use in them."""

import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from prefmem_pg.errors import ConfigurationError, PrefmemError, ProviderUnavailable
from prefmem_pg.providers.openai_chat import OpenAIChat
from prefmem_pg.providers.openai_http import Endpoint
from prefmem_pg.providers.protocols import ChatAnswer
from prefmem_pg.providers.remote_embedder import RemoteEmbedder
from prefmem_pg.providers.remote_reranker import RemoteReranker
from prefmem_pg.providers.retry import NEVER
from prefmem_pg.providers.voyage import VoyageRerank
from prefmem_pg.testing import EmbeddingsStub, MessagesStub, OpenAIChatStub, Reply
from prefmem_pg.testing.stub_server import json_reply
from tests.providers.embedding_services import KEY, TEXTS, Service
from tests.providers.talk import claude_at
from tests.providers.test_claude import REQUEST

Ask = Callable[[Reply], ChatAnswer]
JSON = {"content-type": "application/json"}
DEEP = Reply(body=b"[" * 100_000, headers=JSON)
OVERLOADED = json_reply({"type": "error", "error": {"type": "overloaded_error", "message": "忙"}})
NO_CREDIT = {"type": "invalid_request_error", "message": "Your credit balance is too low to access the API"}
MESSAGE = {
    "type": "message",
    "role": "assistant",
    "model": "claude-test",
    "content": [{"type": "text", "text": '{"a": 1}'}],
    "stop_reason": "end_turn",
    "usage": {"input_tokens": 10, "output_tokens": 5},
}
COMPLETION = {
    "choices": [{"message": {"role": "assistant", "content": '{"a": 1}'}, "finish_reason": "stop"}],
    "usage": {"prompt_tokens": 10, "completion_tokens": 5},
}


def ask_claude(reply: Reply) -> ChatAnswer:
    with MessagesStub(lambda body: reply) as stub:
        return claude_at(stub).complete(REQUEST)


def ask_openai(reply: Reply) -> ChatAnswer:
    with OpenAIChatStub(lambda body: reply) as stub:
        return OpenAIChat(Endpoint(base_url=f"{stub.url}/v1"), model="m").complete(REQUEST)


@pytest.mark.parametrize("ask", [ask_claude, ask_openai])
@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        (OVERLOADED, ProviderUnavailable),
        (json_reply({"error": {"message": "x", "type": "server_error"}}), ProviderUnavailable),
        (json_reply({}, status=425), ProviderUnavailable),
        (json_reply({}, status=520), ProviderUnavailable),
        (json_reply({"error": NO_CREDIT}, status=402), ConfigurationError),
        (json_reply({}, status=304), ConfigurationError),
        (json_reply({}, status=405), ConfigurationError),
        (json_reply({}, status=410), ConfigurationError),
    ],
    ids=["overloaded", "error", "425", "520", "402", "304", "405", "410"],
)
def test_what_is_no_fault_of_the_text_is_not_taken_for_one(
    ask: Ask, reply: Reply, expected: type[PrefmemError]
) -> None:
    with pytest.raises(expected):
        ask(reply)


def test_an_account_without_credit_is_named() -> None:
    with pytest.raises(ConfigurationError, match="account"):
        ask_claude(json_reply({"type": "error", "error": NO_CREDIT}, status=400))


@pytest.mark.parametrize("ask", [ask_claude, ask_openai])
def test_json_that_is_too_deep_is_a_typed_error(ask: Ask) -> None:
    with pytest.raises(PrefmemError):
        ask(DEEP)


@pytest.mark.parametrize(
    "odd",
    [
        {"content": [{"type": "text", "text": None}, {"type": "text"}, *MESSAGE["content"]]},  # type: ignore[misc]
        {"content": [{"type": "hologram", "text": "x"}, *MESSAGE["content"]]},  # type: ignore[misc]
        {"stop_reason": ["end_turn"]},
        {"stop_details": {"category": 5}, "model": 7},
    ],
    ids=["texts of none", "an unknown block", "several reasons", "numbers for words"],
)
def test_what_there_is_of_use_in_a_message_is_taken(odd: dict[str, Any]) -> None:
    answer = ask_claude(json_reply({**MESSAGE, **odd}))
    assert (answer.text, answer.model, answer.detail) == ('{"a": 1}', "claude-test", None)


@pytest.mark.parametrize(
    ("told", "is_told"),
    [((10, 5), True), ((10.0, 5.0), True), ((-1, 5), False), ((True, 5), False), (("10", "5"), False),
     ((None, 5), False), ((10**12, 5), False), ((1.5, 5), False)],
)  # fmt: skip
def test_numbers_of_tokens_that_cannot_be_are_not_told(told: tuple[object, object], is_told: bool) -> None:
    asked, said = told
    usage = {"input_tokens": asked, "output_tokens": said, "prompt_tokens": asked, "completion_tokens": said}
    for ask, whole in ((ask_claude, MESSAGE), (ask_openai, COMPLETION)):
        answer = ask(json_reply({**whole, "usage": usage}))
        assert answer.usage.is_told == is_told
        assert answer.usage.output_tokens == 5 if is_told else answer.usage.input_tokens == 0


@pytest.mark.parametrize("usage", [None, [], "much"])
def test_usage_of_another_kind_is_not_told(usage: object) -> None:
    assert not ask_claude(json_reply({**MESSAGE, "usage": usage})).usage.is_told
    assert not ask_openai(json_reply({**COMPLETION, "usage": usage})).usage.is_told


def test_no_more_is_read_from_the_cache_than_was_asked() -> None:
    usage = {"prompt_tokens": 3, "completion_tokens": 1, "prompt_tokens_details": {"cached_tokens": 9}}
    found = ask_openai(json_reply({**COMPLETION, "usage": usage})).usage
    assert (found.input_tokens, found.cache_read_tokens) == (0, 3)


# Vectors and relevance


def vectors(*embeddings: object, indexes: tuple[object, ...] = (0, 1)) -> Reply:
    items = [{"index": index, "embedding": one} for index, one in zip(indexes, embeddings, strict=True)]
    return Reply(body=json.dumps({"data": items}).encode(), headers=JSON)


@pytest.mark.parametrize(
    "fault",
    [
        vectors([1] * 16, [1] * 16, indexes=([0], {})),
        vectors([10**400] * 16, [1] * 16),
        vectors([1e39] * 16, [1] * 16),
        DEEP,
        OVERLOADED,
    ],
    ids=["indexes of another kind", "too large a number", "too large for single precision", "too deep", "overloaded"],
)
def test_vectors_that_are_none_are_asked_for_again(service: Service, fault: Reply) -> None:
    with EmbeddingsStub(faults=[fault]) as stub:
        with pytest.raises(PrefmemError):
            RemoteEmbedder(service(stub), policy=NEVER).embed_documents(TEXTS[:2])
        assert len(stub.calls) == 1


@pytest.mark.parametrize("number", [1e38, 1e-30, 1e-44])
def test_vectors_at_the_ends_of_single_precision_get_length_one(service: Service, number: float) -> None:
    with EmbeddingsStub(faults=[vectors([number] * 16, [1] * 16)]) as stub:
        found = RemoteEmbedder(service(stub), policy=NEVER).embed_documents(TEXTS[:2])
    np.testing.assert_allclose(found, np.full((2, 16), 0.25), rtol=1e-6)


@pytest.mark.parametrize("status", [302, 304, 402, 410])
def test_a_status_that_no_text_is_to_blame_for_is_asked_once(service: Service, status: int) -> None:
    with EmbeddingsStub(faults=[json_reply({}, status=status)] * 9) as stub:
        with pytest.raises(ConfigurationError):
            RemoteEmbedder(service(stub), policy=NEVER).embed_documents(TEXTS[:2])
        assert len(stub.calls) == 1


@pytest.mark.parametrize("index", [[0], {}, None, "0", 7])
def test_a_relevance_of_no_document_is_refused(index: object) -> None:
    items = [{"index": index, "relevance_score": 0.5}, {"index": 1, "relevance_score": 0.5}]
    with EmbeddingsStub(faults=[json_reply({"data": items})]) as stub:
        reranker = VoyageRerank(model="rerank", api_key=KEY, base_url=f"{stub.url}/v1")
        with pytest.raises(PrefmemError):
            RemoteReranker(reranker, policy=NEVER).rerank("茶 tea?", ["I like tea 🍵", "我喜欢爬山"])
