"""Reranking by Voyage: the true client against a real HTTP server."""

from collections.abc import Iterator

import pytest

from prefmem_pg.errors import ConfigurationError, InvalidAnswer, ProviderUnavailable
from prefmem_pg.providers.remote_reranker import RemoteReranker
from prefmem_pg.providers.retry import RetryPolicy
from prefmem_pg.providers.voyage import VoyageRerank
from prefmem_pg.testing import EmbeddingsStub, Reply, html_page, overloaded, rate_limited
from prefmem_pg.testing.stub_server import json_reply

KEY = "pa-very-secret-key-0123456789"
DOCUMENTS = ["I drink tea 🍵", "窗边的座位我最喜欢", "", "tea and seats"]


def reranker(stub: EmbeddingsStub) -> RemoteReranker:
    service = VoyageRerank(model="rerank-2.5", api_key=KEY, base_url=f"{stub.url}/v1")
    return RemoteReranker(service, policy=RetryPolicy(retries=1, first_wait_seconds=0.001))


@pytest.fixture
def stub() -> Iterator[EmbeddingsStub]:
    with EmbeddingsStub() as started:
        yield started


def test_each_document_gets_its_own_relevance(stub: EmbeddingsStub) -> None:
    assert reranker(stub).rerank("tea seats", DOCUMENTS) == [0.5, 0.0, 0.0, 1.0]
    assert reranker(stub).rerank("窗边座位", DOCUMENTS)[1] == 1.0


def test_what_voyage_is_sent_is_what_its_api_takes(stub: EmbeddingsStub) -> None:
    reranker(stub).rerank("喝什么？", DOCUMENTS)
    [request] = stub.requests
    assert (request.method, request.path) == ("POST", "/v1/rerank")
    assert request.headers["authorization"] == f"Bearer {KEY}"
    assert request.body == {
        "query": "喝什么？",
        "documents": [document for document in DOCUMENTS if document],
        "model": "rerank-2.5",
        "truncation": True,
    }


def test_nothing_to_rank_is_no_call(stub: EmbeddingsStub) -> None:
    assert reranker(stub).rerank("tea", ["", " "]) == [0.0, 0.0]
    assert stub.calls == []


@pytest.mark.parametrize("fault", [rate_limited(0), overloaded(), html_page(), json_reply({})])
def test_a_passing_fault_is_tried_again_once(fault: Reply) -> None:
    with EmbeddingsStub(faults=[fault]) as stub:
        assert reranker(stub).rerank("tea", DOCUMENTS) == [1.0, 0.0, 0.0, 1.0]
        assert len(stub.calls) == 2


def test_a_fault_without_end_is_unavailable() -> None:
    with EmbeddingsStub(faults=[overloaded()] * 9) as stub, pytest.raises(ProviderUnavailable):
        reranker(stub).rerank("tea", DOCUMENTS)


@pytest.mark.parametrize(
    "items",
    [
        [{"index": 0, "relevance_score": 0.5}],
        [{"index": place, "relevance_score": 1.5} for place in range(3)],
        [{"index": 0, "relevance_score": 0.5}] * 3,
        [{"index": place, "relevance_score": None} for place in range(3)],
    ],
)
def test_an_answer_that_does_not_fit_is_refused(items: object) -> None:
    with EmbeddingsStub(faults=[json_reply({"data": items})] * 9) as stub, pytest.raises(InvalidAnswer):
        reranker(stub).rerank("tea", DOCUMENTS)


def test_a_model_that_does_not_exist_is_named_with_its_setting() -> None:
    with (
        EmbeddingsStub(faults=[json_reply({"detail": "no such model"}, status=404)]) as stub,
        pytest.raises(ConfigurationError, match="PREFMEM_VOYAGE_RERANK_MODEL"),
    ):
        reranker(stub).rerank("tea", DOCUMENTS)
