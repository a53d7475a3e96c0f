"""Every body that the true clients send, held against the shapes that the providers publish."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any

import pytest
from pydantic import BaseModel, ValidationError

from prefmem_pg.domain.ids import new_id
from prefmem_pg.providers.chat.asking import ask
from prefmem_pg.providers.chat.consolidator import find_habits, propose_merges
from prefmem_pg.providers.chat.extractor import ChatExtractor
from prefmem_pg.providers.chat.judge import ChatJudge
from prefmem_pg.providers.chat.profiler import propose_profile
from prefmem_pg.providers.chat.query_expansion import expand_query
from prefmem_pg.providers.chat.summarizer import ChatSummarizer
from prefmem_pg.providers.openai_chat import OpenAIChat
from prefmem_pg.providers.openai_embeddings import OpenAIEmbeddings
from prefmem_pg.providers.openai_http import Endpoint
from prefmem_pg.providers.protocols import Abstract, ChatModel, Comparison, Passage, Statement
from prefmem_pg.providers.remote_embedder import RemoteEmbedder
from prefmem_pg.providers.remote_reranker import RemoteReranker
from prefmem_pg.providers.voyage import VoyageEmbeddings, VoyageRerank
from prefmem_pg.testing import EmbeddingsStub, MessagesStub, OpenAIChatStub, Said, ScriptedSummarizer
from tests.providers.talk import QUICK, chunk_of, claude_at
from tests.providers.wire_shapes import (
    BatchBody,
    MessagesBody,
    OpenAIChatBody,
    OpenAIEmbeddingsBody,
    VoyageEmbeddingsBody,
    VoyageRerankBody,
)

SAID = {"en": "I always take the window seat 🪟", "zh": "我总是坐靠窗的座位 🪟"}
USES = ("extract", "judge_fast", "judge_fine", "merge", "habits", "dialog", "day", "expand", "profile")
VERDICT = {"relation": "same", "reason": "同", "certainty": "high"}
ANSWER = {
    "preferences": [],
    "merges": [],
    "settings": [],
    "queries": [],
    "verdicts": [{"id": 1, **VERDICT}],
    **VERDICT,
}


def use(chat: ChatModel, name: str, language: str) -> None:
    """Ask a chat model for something of each kind that is asked of one."""
    said = SAID[language]
    chunk, statement = chunk_of(("user", said), ("assistant", "好的, ok")), Statement(text=said, language=language)
    pair = Comparison(candidate=statement, existing=statement)
    passage = Passage(scope="day", messages=chunk.messages, language=language)
    offline = ScriptedSummarizer(lambda passage: Abstract(text=said, message_ids=()))
    summarizer = ChatSummarizer(chat, offline=offline, policy=QUICK)
    asking = partial(ask, chat, policy=QUICK)
    asks: dict[str, Callable[[], object]] = {
        "extract": lambda: ChatExtractor(chat, policy=QUICK).extract(chunk),
        "judge_fast": lambda: ChatJudge(chat, policy=QUICK).compare([pair]),
        "judge_fine": lambda: ChatJudge(chat, policy=QUICK).compare([pair, pair]),
        "merge": lambda: propose_merges(asking, [statement, statement]),
        "habits": lambda: find_habits(asking, chunk.messages),
        "dialog": lambda: summarizer.summarize(replace(passage, scope="dialog")),
        "day": lambda: summarizer.summarize(passage),
        "expand": lambda: expand_query(chat, said, policy=QUICK),
        "profile": lambda: propose_profile(asking, [statement]),
    }
    asks[name]()


@pytest.mark.parametrize("language", SAID)
@pytest.mark.parametrize("name", USES)
def test_a_message_to_claude_is_what_anthropic_publishes_and_its_fixed_part_is_marked_for_the_cache(
    name: str, language: str
) -> None:
    with MessagesStub(lambda body: Said(json={**ANSWER, "summary": SAID[language]})) as stub:
        use(claude_at(stub), name, language)
    for received in stub.requests:
        body = MessagesBody.model_validate(received.body)
        assert isinstance(body.system, list)
        assert [block.cache_control is not None for block in body.system] == [True]
        assert SAID[language] not in body.system[0].text
        assert [turn.role for turn in body.messages] == ["user"]
        assert body.output_config is not None
        assert (received.method, received.path) == ("POST", "/v1/messages")
        assert received.headers["content-type"] == "application/json"
        assert received.headers["anthropic-version"]
    assert stub.requests


@pytest.mark.parametrize("language", SAID)
def test_a_batch_is_what_anthropic_publishes(language: str) -> None:
    with MessagesStub(lambda body: Said(json=ANSWER)) as stub:
        claude = claude_at(stub)
        request = ChatExtractor(claude).question(chunk_of(("user", SAID[language])))
        claude.submit({str(new_id()): request, str(new_id()): request})
    [received] = stub.requests
    body = BatchBody.model_validate(received.body)
    assert len({item.custom_id for item in body.requests}) == 2
    assert (received.method, received.path) == ("POST", "/v1/messages/batches")


@pytest.mark.parametrize("language", SAID)
@pytest.mark.parametrize("name", USES)
def test_a_chat_completion_is_what_openai_publishes(name: str, language: str) -> None:
    with OpenAIChatStub(lambda body: Said(json={**ANSWER, "summary": SAID[language]})) as stub:
        chat = OpenAIChat(Endpoint(base_url=f"{stub.url}/v1", api_key="sk-test"), model="qwen-test")
        use(chat, name, language)
        chat.close()
    for received in stub.requests:
        body = OpenAIChatBody.model_validate(received.body)
        assert [turn.role for turn in body.messages] == ["system", "user"]
        assert body.response_format is not None
        assert body.response_format.json_schema.strict
        assert (received.method, received.path) == ("POST", "/v1/chat/completions")
    assert stub.requests


@pytest.fixture
def embeddings() -> Iterator[EmbeddingsStub]:
    with EmbeddingsStub(dimensions=256) as stub:
        yield stub


def test_embeddings_are_what_voyage_publishes_and_say_which_side_they_are(embeddings: EmbeddingsStub) -> None:
    service = VoyageEmbeddings(model="voyage-4", dimensions=256, api_key="pa-test", base_url=f"{embeddings.url}/v1")
    embedder = RemoteEmbedder(service, policy=QUICK)
    embedder.embed_documents(list(SAID.values()))
    embedder.embed_queries(["靠窗还是过道？ 🤔"])
    bodies = [VoyageEmbeddingsBody.model_validate(received.body) for received in embeddings.requests]
    assert [body.input_type for body in bodies] == ["document", "query"]
    assert {received.headers["authorization"] for received in embeddings.requests} == {"Bearer pa-test"}


def test_reranking_is_what_voyage_publishes(embeddings: EmbeddingsStub) -> None:
    service = VoyageRerank(model="rerank-2.5", api_key="pa-test", base_url=f"{embeddings.url}/v1")
    RemoteReranker(service, policy=QUICK).rerank("靠窗还是过道？ 🤔", list(SAID.values()))
    [received] = embeddings.requests
    assert VoyageRerankBody.model_validate(received.body).documents == list(SAID.values())


@pytest.mark.parametrize(("model", "dimensions"), [("text-embedding-3-small", 256), ("nomic-embed-text", None)])
def test_embeddings_are_what_openai_publishes(embeddings: EmbeddingsStub, model: str, dimensions: int | None) -> None:
    service = OpenAIEmbeddings(Endpoint(base_url=f"{embeddings.url}/v1"), model=model, dimensions=256)
    RemoteEmbedder(service, policy=QUICK).embed_documents(list(SAID.values()))
    [received] = embeddings.requests
    assert OpenAIEmbeddingsBody.model_validate(received.body).dimensions == dimensions


@pytest.mark.parametrize(
    ("shape", "body"),
    [
        (MessagesBody, {"model": "m", "max_tokens": 8, "messages": [{"role": "user", "content": "喂"}], "top_q": 1}),
        (MessagesBody, {"model": "m", "max_tokens": "8", "messages": [{"role": "user", "content": "喂"}]}),
        (VoyageEmbeddingsBody, {"input": ["喂"], "model": "m", "input_type": "question"}),
        (OpenAIEmbeddingsBody, {"input": [], "model": "m"}),
    ],
)
def test_a_body_of_another_shape_would_be_noticed(shape: type[BaseModel], body: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        shape.model_validate(body)
