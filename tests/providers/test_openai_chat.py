"""Chat by OpenAI's protocol, against a stub on loopback."""

import pytest

from prefmem_pg.errors import ConfigurationError, PrefmemError, ProviderError, ProviderUnavailable, Truncated
from prefmem_pg.providers.chat.extractor import ChatExtractor
from prefmem_pg.providers.openai_chat import OpenAIChat
from prefmem_pg.providers.openai_http import Endpoint
from prefmem_pg.testing import OpenAIChatStub, Reply, Said, dropped, rate_limited, server_error
from prefmem_pg.testing.stub_server import json_reply
from tests.providers.talk import QUICK, chunk_of, found, item
from tests.providers.test_claude import REQUEST, SECRET


def ask(stub: OpenAIChatStub) -> object:
    chat = OpenAIChat(Endpoint(base_url=f"{stub.url}/v1", api_key="sk-secret"), model="qwen-test")
    try:
        return chat.complete(REQUEST)
    finally:
        chat.close()


def test_the_body_is_what_the_protocol_says() -> None:
    with OpenAIChatStub(lambda body: Said(json={"a": 1})) as stub:
        answer = ask(stub)
    [received] = stub.requests
    assert received.path == "/v1/chat/completions"
    assert received.headers["authorization"] == "Bearer sk-secret"
    assert received.body == {
        "model": "qwen-test",
        "messages": [{"role": "system", "content": REQUEST.system}, {"role": "user", "content": SECRET}],
        "max_tokens": 64,
        "response_format": {
            "type": "json_schema",
            "json_schema": {"name": "thing", "strict": True, "schema": REQUEST.schema},
        },
    }
    assert (answer.text, answer.stop, answer.model) == ('{"a": 1}', "end", "qwen-test")  # type: ignore[attr-defined]
    assert answer.usage.input_tokens > 0  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("reason", "stop"),
    [("end_turn", "end"), ("max_tokens", "truncated"), ("refusal", "refused"), ("odd", "unknown"), (None, "unknown")],
)
def test_why_it_stopped_comes_first(reason: str | None, stop: str) -> None:
    with OpenAIChatStub(lambda body: Said(text="half", stop_reason=reason)) as stub:
        assert ask(stub).stop == stop  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("fault", "expected"),
    [
        (rate_limited(2), ProviderUnavailable),
        (server_error(), ProviderUnavailable),
        (dropped(), ProviderUnavailable),
        (json_reply({"error": {"message": f"bad key sk-secret {SECRET}"}}, status=401), ConfigurationError),
        (json_reply({"error": {"message": "no such model"}}, status=404), ConfigurationError),
        (json_reply({"error": {"code": "context_length_exceeded", "message": SECRET}}, status=400), Truncated),
        (json_reply({"error": {"message": SECRET}}, status=400), ProviderError),
        (Reply(body=b"<html>", headers={"content-type": "text/html"}), ProviderError),
    ],
    ids=range(8),
)
def test_each_fault_is_a_typed_error_after_one_attempt_and_quotes_nothing(
    fault: Reply, expected: type[PrefmemError]
) -> None:
    with OpenAIChatStub(lambda body: Said(json={}), faults=[fault]) as stub, pytest.raises(expected) as caught:
        ask(stub)
    assert len(stub.requests) == 1
    assert SECRET not in str(caught.value)
    assert "sk-secret" not in str(caught.value)


@pytest.mark.parametrize(
    "body", [{}, {"choices": []}, {"choices": [None]}, {"choices": [{"message": {"content": None}}]}]
)
def test_an_answer_without_choices_is_of_no_use_and_nothing_worse(body: dict[str, object]) -> None:
    with OpenAIChatStub(lambda _: json_reply(body)) as stub:
        assert ask(stub).text == ""  # type: ignore[attr-defined]


def test_the_extractor_works_over_it_in_both_languages() -> None:
    chunk = chunk_of(("user", "I only drink decaf ☕"), ("user", "我不吃香菜"))
    answer = found(item(1, "I only drink decaf"), item(2, "我不吃香菜", polarity="negative"))
    with OpenAIChatStub(
        lambda body: Said(text=f"<think>好</think>```json\n{Said(json=answer).content()}\n```")
    ) as stub:
        chat = OpenAIChat(Endpoint(base_url=f"{stub.url}/v1"), model="qwen-test")
        candidates = ChatExtractor(chat, policy=QUICK).extract(chunk)
        chat.close()
    assert [c.statement for c in candidates] == ["I only drink decaf", "我不吃香菜"]
    assert "authorization" not in stub.requests[0].headers
