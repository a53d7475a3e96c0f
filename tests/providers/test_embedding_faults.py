"""Embeddings that fail or do not fit: tried again, refused, or told by the setting to change."""

import logging
import re
from collections.abc import Iterator

import numpy as np
import pytest

from prefmem_pg.errors import (
    ConfigurationError,
    InvalidAnswer,
    PrefmemError,
    ProviderError,
    ProviderUnavailable,
)
from prefmem_pg.providers.openai_http import Endpoint
from prefmem_pg.providers.remote_embedder import RemoteEmbedder
from prefmem_pg.providers.voyage import VoyageEmbeddings
from prefmem_pg.testing import (
    EmbeddingsStub,
    Reply,
    dropped,
    html_page,
    overloaded,
    rate_limited,
    server_error,
)
from prefmem_pg.testing.stub_server import json_reply
from tests.providers.embedding_services import KEY, QUICK, TEXTS, Service, embed, expected


@pytest.fixture
def stub() -> Iterator[EmbeddingsStub]:
    with EmbeddingsStub() as started:
        yield started


@pytest.mark.parametrize(
    "fault",
    [rate_limited(0), overloaded(), server_error(), server_error(502), server_error(504), dropped(), html_page(),
     html_page(503), json_reply({}), json_reply([]), json_reply({"data": []}), Reply(body=b""),
     Reply(status=204, body=b"")],
    ids=["429", "529", "500", "502", "504", "dropped", "html", "html-503", "{}", "[]", "too-few", "empty", "204"],
)  # fmt: skip
def test_b45_a_passing_fault_is_tried_again_and_nothing_is_lost(service: Service, fault: Reply) -> None:
    with EmbeddingsStub(faults=[fault, fault]) as stub:
        found = embed(stub, service)
        assert len(stub.calls) == 3
    np.testing.assert_allclose(found, np.stack([expected(text) for text in TEXTS]), rtol=1e-5)


@pytest.mark.parametrize("fault", [rate_limited(0), overloaded(), server_error(), dropped()])
def test_b43_a_fault_without_end_costs_as_many_calls_as_the_policy_says(service: Service, fault: Reply) -> None:
    with EmbeddingsStub(faults=[fault] * 50) as stub:
        with pytest.raises(ProviderUnavailable):
            embed(stub, service)
        assert len(stub.calls) == QUICK.retries + 1


def test_a_server_that_is_not_there_is_unavailable(stub: EmbeddingsStub, service: Service) -> None:
    made = service(stub)
    stub.close()
    with pytest.raises(ProviderUnavailable):
        RemoteEmbedder(made, policy=QUICK).embed_documents(["tea"])


@pytest.mark.parametrize(
    ("status", "error", "names"),
    [
        (401, ConfigurationError, "_API_KEY"),
        (403, ConfigurationError, "_API_KEY"),
        (404, ConfigurationError, "_MODEL"),
        (405, ConfigurationError, "_BASE_URL"),
        (400, ProviderError, "400"),
        (422, ProviderError, "422"),
    ],
)
def test_an_error_names_the_setting_and_is_not_tried_again(
    service: Service, status: int, error: type[PrefmemError], names: str
) -> None:
    quoting = json_reply({"detail": f"{KEY} and {TEXTS[1]}", "error": {"message": f"{KEY} {TEXTS[1]}"}}, status=status)
    with EmbeddingsStub(faults=[quoting] * 50) as stub:
        with pytest.raises(error, match=names) as caught:
            embed(stub, service, [TEXTS[1]])
        assert len(stub.calls) == 1
    assert KEY not in str(caught.value)
    assert "香菜" not in str(caught.value)


@pytest.mark.parametrize(
    "items",
    [
        [{"index": 0, "embedding": [1.0] * 16}] * 2,
        [{"index": 7, "embedding": [1.0] * 16}, {"index": 0, "embedding": [1.0] * 16}],
        [{"index": 0, "embedding": [float("nan")] * 16}, {"index": 1, "embedding": [1.0] * 16}],
        [{"index": 0, "embedding": [0.0] * 16}, {"index": 1, "embedding": [1.0] * 16}],
        [{"index": 0, "embedding": "!!!"}, {"index": 1, "embedding": [1.0] * 16}],
        [{"index": 0, "embedding": None}, {"index": 1, "embedding": [1.0] * 16}],
        [{"index": 0, "embedding": [["x"]]}, {"index": 1, "embedding": [1.0] * 16}],
        ["tea", "茶"],
        {"0": "tea"},
    ],
)
def test_an_answer_that_does_not_fit_is_never_stored(service: Service, items: object) -> None:
    wrong = json_reply({"data": items, "usage": {"total_tokens": -1}})
    with EmbeddingsStub(faults=[wrong] * 50) as stub, pytest.raises(InvalidAnswer):
        embed(stub, service, ["tea", "茶"])


def test_other_dimensions_than_the_database_has_are_an_error_of_the_settings(service: Service) -> None:
    wrong = json_reply({"data": [{"index": 0, "embedding": [1.0] * 8}]})
    with EmbeddingsStub(faults=[wrong]) as stub, pytest.raises(ConfigurationError, match="8 dimensions, not 16"):
        embed(stub, service, ["tea"])


def test_vectors_as_lists_of_numbers_are_taken_too(service: Service) -> None:
    plain = json_reply({"data": [{"embedding": [3.0] + [0.0] * 15}]})
    with EmbeddingsStub(faults=[plain]) as stub:
        assert embed(stub, service, ["tea"]).tolist() == [[1.0] + [0.0] * 15]


def test_b89_nothing_that_was_said_and_no_key_is_logged_or_shown(
    service: Service, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    with EmbeddingsStub(faults=[rate_limited(0), html_page()]) as stub:
        made = service(stub)
        RemoteEmbedder(made, policy=QUICK).embed_documents(["我不吃香菜 🌿 cilantro"])
        shown = caplog.text + repr(made) + repr(Endpoint(base_url=stub.url, api_key=KEY))
    assert KEY not in shown
    assert not re.search("香菜|cilantro|\\\\u9999", shown)


@pytest.mark.parametrize("key", ["pa-密钥", "pa-a b", "pa-line\nbreak"])
def test_a_key_that_no_header_can_carry_is_refused_without_being_shown(key: str) -> None:
    with pytest.raises(ConfigurationError, match="VOYAGE_API_KEY") as caught:
        VoyageEmbeddings(model="voyage-4", dimensions=16, api_key=key)
    assert key not in str(caught.value)
    with pytest.raises(ConfigurationError, match="OPENAI_API_KEY"):
        Endpoint(api_key=key)


def test_a_missing_key_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("VOYAGE_API_KEY", raising=False)
    monkeypatch.delenv("VOYAGE_API_KEY_PATH", raising=False)
    with pytest.raises(ConfigurationError, match="VOYAGE_API_KEY"):
        VoyageEmbeddings(model="voyage-4", dimensions=16)
    with pytest.raises(ConfigurationError, match="OPENAI_API_KEY"):
        Endpoint()


def test_an_address_that_is_none_is_named(stub: EmbeddingsStub) -> None:
    with pytest.raises(ConfigurationError, match="PREFMEM_OPENAI_BASE_URL"):
        Endpoint(base_url="localhost:11434", api_key=KEY)
    with pytest.raises(ConfigurationError, match="PREFMEM_VOYAGE_BASE_URL"):
        VoyageEmbeddings(model="voyage-4", dimensions=16, api_key=KEY, base_url="localhost")
