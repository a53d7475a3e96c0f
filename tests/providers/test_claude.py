"""Claude through the true client, against a stub of the API on loopback."""

import logging
import threading
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from prefmem_pg.errors import (
    ConfigurationError,
    NotFound,
    PrefmemError,
    ProviderError,
    ProviderUnavailable,
    Truncated,
)
from prefmem_pg.providers.protocols import ChatRequest
from prefmem_pg.testing import (
    MessagesStub,
    Reply,
    Said,
    dropped,
    html_page,
    overloaded,
    rate_limited,
    server_error,
    slow,
)
from prefmem_pg.testing.stub_server import json_reply
from tests.providers.talk import claude_at

SECRET = "我住在中山路 8 号 🏠"
TEXTS = ("one", "two", "three", "四", "五 🎈")
REQUEST = ChatRequest(
    purpose="extract",
    system="the fixed part 固定部分",
    text=SECRET,
    schema={
        "type": "object",
        "properties": {"a": {"type": "integer"}},
        "required": ["a"],
        "additionalProperties": False,
    },
    schema_name="thing",
    max_tokens=64,
)


def test_the_body_is_what_the_api_publishes() -> None:
    with MessagesStub(lambda body: Said(json={"a": 1})) as stub:
        answer = claude_at(stub).complete(REQUEST)

    [received] = stub.requests
    assert (received.method, received.path) == ("POST", "/v1/messages")
    assert received.headers["authorization"] == "Bearer sk-ant-test" or received.headers["x-api-key"] == "sk-ant-test"
    assert received.body == {
        "model": "claude-test",
        "max_tokens": 64,
        "system": [{"type": "text", "text": REQUEST.system, "cache_control": {"type": "ephemeral"}}],
        "messages": [{"role": "user", "content": SECRET}],
        "output_config": {"format": {"type": "json_schema", "schema": REQUEST.schema}},
    }
    assert (answer.text, answer.stop, answer.model, answer.request_id) == ('{"a": 1}', "end", "claude-test", "r-1")


def test_the_fixed_part_is_read_from_the_cache_the_second_time() -> None:
    with MessagesStub(lambda body: Said(json={"a": 1})) as stub:
        claude = claude_at(stub)
        first, second = claude.complete(REQUEST).usage, claude.complete(REQUEST).usage

    assert first.cache_write_tokens == second.cache_read_tokens > 0
    assert (first.cache_read_tokens, second.cache_write_tokens) == (0, 0)
    assert first.input_tokens == second.input_tokens > 0
    assert first.output_tokens == second.output_tokens > 0


@pytest.mark.parametrize(
    ("reason", "stop"),
    [
        ("end_turn", "end"),
        ("stop_sequence", "end"),
        ("max_tokens", "truncated"),
        ("model_context_window_exceeded", "truncated"),
        ("refusal", "refused"),
        ("pause_turn", "paused"),
        ("something_new", "unknown"),
        (None, "unknown"),
    ],
)
def test_why_it_stopped_comes_first(reason: str | None, stop: str) -> None:
    with MessagesStub(lambda body: Said(text="half an ans", stop_reason=reason)) as stub:
        assert claude_at(stub).complete(REQUEST).stop == stop


def test_a_refusal_comes_without_content_and_with_its_category() -> None:
    said = Said(text="", stop_reason="refusal", stop_details={"type": "refusal", "category": "self_harm"})
    with MessagesStub(lambda body: said) as stub:
        answer = claude_at(stub).complete(REQUEST)
    assert (answer.stop, answer.text, answer.detail) == ("refused", "", "self_harm")


def test_b34_thinking_blocks_are_left_aside() -> None:
    def think(body: dict[str, object]) -> Reply:
        message = stub.message(body, Said(text="x"))
        thought = {"type": "thinking", "thinking": '{"a": 2}', "signature": "s"}
        return json_reply({**message, "content": [thought, {"type": "text", "text": '{"a": 1}'}]})

    with MessagesStub(think) as stub:
        assert claude_at(stub).complete(REQUEST).text == '{"a": 1}'


@pytest.mark.parametrize(
    ("fault", "expected"),
    [
        (rate_limited(2), ProviderUnavailable),
        (overloaded(), ProviderUnavailable),
        (server_error(500), ProviderUnavailable),
        (server_error(503), ProviderUnavailable),
        (dropped(), ProviderUnavailable),
        (html_page(), ProviderUnavailable),
        (html_page(502), ProviderUnavailable),
        (Reply(body=b'{"id": "msg', headers={"content-type": "application/json"}), ProviderUnavailable),
        (Reply(body=b"[]", headers={"content-type": "application/json"}), ProviderUnavailable),
        (json_reply({"error": {"type": "authentication_error", "message": "bad key"}}, status=401), ConfigurationError),
        (json_reply({"error": {"type": "permission_error", "message": "no"}}, status=403), ConfigurationError),
        (json_reply({"error": {"type": "not_found_error", "message": "model"}}, status=404), ConfigurationError),
        (json_reply({"error": {"type": "request_too_large", "message": "big"}}, status=413), Truncated),
        (
            json_reply(
                {"type": "error", "error": {"type": "invalid_request_error", "message": "prompt is too long: 9 > 8"}},
                status=400,
            ),
            Truncated,
        ),
        (json_reply({"error": {"type": "invalid_request_error", "message": SECRET}}, status=400), ProviderError),
    ],
    ids=range(15),
)
def test_each_fault_is_a_typed_error_after_one_attempt_and_quotes_nothing(
    fault: Reply, expected: type[PrefmemError], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG, logger="prefmem_pg")
    with MessagesStub(lambda body: Said(json={"a": 1}), faults=[fault]) as stub, pytest.raises(expected) as caught:
        claude_at(stub).complete(REQUEST)

    assert len(stub.requests) == 1
    shown = str(caught.value) + repr(claude_at(stub)) + caplog.text
    assert SECRET not in shown
    assert "sk-ant-test" not in shown


def test_retry_after_is_handed_on_and_not_slept() -> None:
    stub = MessagesStub(lambda body: Said(json={}), faults=[rate_limited(3600)])
    with stub, pytest.raises(ProviderUnavailable) as caught:
        claude_at(stub).complete(REQUEST)
    assert caught.value.retry_after_seconds == 3600


def test_a_message_without_anything_in_it_is_an_answer_of_no_use() -> None:
    with MessagesStub(lambda body: Said(json={}), faults=[json_reply({})]) as stub:
        answer = claude_at(stub).complete(REQUEST)
    assert (answer.text, answer.stop) == ("", "unknown")


def test_a_call_that_hangs_is_given_up() -> None:
    stub = MessagesStub(lambda body: slow(json_reply({}), 120))
    with stub, pytest.raises(ProviderUnavailable, match=r"within 0\.2 seconds"):
        claude_at(stub, timeout_seconds=0.2).complete(REQUEST)


def test_nobody_listening_is_unavailable() -> None:
    with MessagesStub(lambda body: Said(json={})) as stub:
        claude = claude_at(stub)
    with pytest.raises(ProviderUnavailable, match="ANTHROPIC_BASE_URL"):
        claude.complete(REQUEST)


def test_a_missing_key_names_its_setting(monkeypatch: pytest.MonkeyPatch, tmp_path: object) -> None:
    for name in ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_PROFILE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    with MessagesStub(lambda body: Said(json={})) as stub:
        with pytest.raises(ConfigurationError, match="ANTHROPIC_API_KEY"):
            claude_at(stub, api_key=None).complete(REQUEST)
        assert stub.requests == []


def test_threads_share_one_model() -> None:
    with MessagesStub(lambda body: Said(json={"a": 1})) as stub:
        claude, texts = claude_at(stub), []
        threads = [
            threading.Thread(target=lambda: texts.append(claude.complete(replace(REQUEST, text="你好 👋")).text))
            for _ in range(8)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(120)
    assert texts == ['{"a": 1}'] * 8


def test_a_batch_goes_out_in_parts_and_comes_back_by_its_ids() -> None:
    def model(body: dict[str, str]) -> Said:
        asked = body["messages"][0]["content"]  # type: ignore[index]
        becomes = {"two": "errored", "three": "expired", "四": "canceled"}.get(asked, "succeeded")
        return Said(json={"said": asked}, becomes=becomes)

    began = datetime.now(UTC) - timedelta(minutes=1)
    with MessagesStub(model, holds_batches=True) as stub:
        claude = claude_at(stub)
        batch_id = claude.submit({f"id-{i}": replace(REQUEST, text=n) for i, n in enumerate(TEXTS)})
        assert not claude.has_ended(batch_id)
        assert [(b.provider_batch_id, b.items, b.has_ended) for b in claude.list_since(began)] == [(batch_id, 5, False)]
        assert claude.list_since(datetime.now(UTC) + timedelta(hours=1)) == []

        stub.holds_batches = False
        assert claude.has_ended(batch_id)
        results = {result.item_id: result for result in claude.results(batch_id)}
        claude.delete(batch_id)
        claude.delete(batch_id)
        with pytest.raises(NotFound):
            claude.results(batch_id)

    assert {item_id: result.state for item_id, result in results.items()} == {
        "id-0": "succeeded",
        "id-1": "errored",
        "id-2": "expired",
        "id-3": "canceled",
        "id-4": "succeeded",
    }
    answer = results["id-4"].answer
    assert answer is not None
    assert answer.text == '{"said": "五 🎈"}'
    assert results["id-1"].is_lasting
    assert not results["id-2"].is_lasting
