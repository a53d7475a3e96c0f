"""Embedding services that talk to a stub through the true clients, and what to expect of them."""

from collections.abc import Callable

import numpy as np

from prefmem_pg.providers.openai_embeddings import OpenAIEmbeddings
from prefmem_pg.providers.openai_http import Endpoint
from prefmem_pg.providers.remote_embedder import RemoteEmbedder
from prefmem_pg.providers.retry import RetryPolicy
from prefmem_pg.providers.services import EmbeddingService
from prefmem_pg.providers.voyage import VoyageEmbeddings
from prefmem_pg.testing import EmbeddingsStub
from prefmem_pg.testing.stub_embeddings import vector_of

KEY = "pa-very-secret-key-0123456789"
TEXTS = ["I prefer window seats", "我不吃香菜 🌿", "以后请用 short answers 回答 👍", "a" * 50]
QUICK = RetryPolicy(retries=3, first_wait_seconds=0.001, longest_wait_seconds=0.002)

Service = Callable[[EmbeddingsStub], EmbeddingService]


def voyage(stub: EmbeddingsStub) -> VoyageEmbeddings:
    return VoyageEmbeddings(model="voyage-4", dimensions=stub.dimensions, api_key=KEY, base_url=f"{stub.url}/v1/")


def openai(stub: EmbeddingsStub) -> OpenAIEmbeddings:
    endpoint = Endpoint(base_url=f"{stub.url}/v1", api_key=KEY)
    return OpenAIEmbeddings(endpoint, model="nomic-embed-text", dimensions=stub.dimensions)


def embed(stub: EmbeddingsStub, service: Service, texts: list[str] = TEXTS) -> np.ndarray:
    return RemoteEmbedder(service(stub), policy=QUICK).embed_documents(texts)


def expected(text: str, dimensions: int = 16) -> np.ndarray:
    vector = vector_of(text, dimensions)
    return vector / np.linalg.norm(vector)
