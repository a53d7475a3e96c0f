"""For our tests and for yours: scripted doubles for the seams, and stub servers that speak the providers' protocols."""

from prefmem_pg.testing.doubles import (
    HashEmbedder,
    ScriptedExtractor,
    ScriptedJudge,
    ScriptedReranker,
    ScriptedSummarizer,
    candidate_from,
)
from prefmem_pg.testing.stub_embeddings import EmbeddingsStub
from prefmem_pg.testing.stub_messages import MessagesStub, Said
from prefmem_pg.testing.stub_openai_chat import OpenAIChatStub
from prefmem_pg.testing.stub_server import (
    Received,
    Reply,
    StubServer,
    dropped,
    html_page,
    overloaded,
    rate_limited,
    server_error,
    slow,
)

__all__ = [
    "EmbeddingsStub",
    "HashEmbedder",
    "MessagesStub",
    "OpenAIChatStub",
    "Received",
    "Reply",
    "Said",
    "ScriptedExtractor",
    "ScriptedJudge",
    "ScriptedReranker",
    "ScriptedSummarizer",
    "StubServer",
    "candidate_from",
    "dropped",
    "html_page",
    "overloaded",
    "rate_limited",
    "server_error",
    "slow",
]
