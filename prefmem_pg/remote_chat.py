"""From settings to the chat models, and to the extractor and judge over them."""

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Literal

from prefmem_pg.errors import ConfigurationError
from prefmem_pg.providers.chat.extractor import ChatExtractor
from prefmem_pg.providers.chat.judge import ChatJudge
from prefmem_pg.providers.chat.query_expansion import ChatQueryBuilder
from prefmem_pg.providers.chat.summarizer import ChatSummarizer
from prefmem_pg.providers.claude import Claude
from prefmem_pg.providers.metered_chat import MeteredChat
from prefmem_pg.providers.metering import Meter, Unmetered
from prefmem_pg.providers.offline.query_builder import OfflineQueryBuilder
from prefmem_pg.providers.openai_chat import OpenAIChat
from prefmem_pg.providers.openai_http import OPENAI_URL, Endpoint
from prefmem_pg.providers.protocols import (
    BatchModel,
    ChatModel,
    EmbeddingModel,
    Judge,
    PreferenceExtractor,
    QueryBuilder,
    Summarizer,
)
from prefmem_pg.providers.retry import RetryPolicy
from prefmem_pg.remote import key_or_none, make_policy
from prefmem_pg.settings import Settings
from prefmem_pg.steps.consolidate_by_model import ConsolidatingModel

if TYPE_CHECKING:
    from prefmem_pg.providers.offline.prefilter import PreferencePrefilter

ChatProvider = Literal["claude", "openai"]


def chat_provider(settings: Settings) -> ChatProvider | None:
    """Return who reads and judges; None for the offline parts.

    ``auto`` takes Claude when its key is set and the database is not the embedded one, from which nothing is sent
    unless it was chosen. A key of OpenAI alone chooses nothing: it is set for many reasons.
    """
    if settings.extractor == "claude":
        return "claude"
    if settings.extractor == "openai":
        return "openai"
    is_keyed = settings.extractor == "auto" and settings.claude.api_key is not None
    return "claude" if is_keyed and settings.database_url is not None else None


def who_sees_text(settings: Settings, embedding_provider: str) -> dict[str, str]:
    """Return the provider of each use for which text leaves this machine."""
    is_auto = settings.reranker == "auto" and settings.voyage.api_key is not None and settings.database_url is not None
    uses = {
        "reading, judging, consolidating and summing up": chat_provider(settings),
        "embeddings": embedding_provider if embedding_provider not in ("local", "test") else None,
        "reranking": "voyage" if settings.reranker == "voyage" or is_auto else None,
    }
    return {use: provider for use, provider in uses.items() if provider is not None}


def make_chat(settings: Settings, provider: ChatProvider) -> ChatModel:
    """Return the chat model of a provider; raises ConfigurationError for a missing key or a wrong address."""
    timeout = float(settings.spending.timeout_seconds)
    if provider == "claude":
        claude = settings.claude
        key = key_or_none(claude.api_key, settings)
        return Claude(claude.model, api_key=key, base_url=claude.base_url, timeout_seconds=timeout)
    openai = settings.openai
    key = key_or_none(openai.api_key, settings)
    endpoint = Endpoint(base_url=openai.base_url or OPENAI_URL, api_key=key, timeout_seconds=timeout)
    return OpenAIChat(endpoint, model=openai.chat_model)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reader:
    """A provider's model with the extractor and the judge over it; every call of theirs is in the ledger.

    ``metered`` is the model as all parts ask it, ``chat`` the bare one; ``policy`` is how calls are tried again.
    """

    chat: ChatModel
    metered: MeteredChat
    policy: RetryPolicy
    extractor: ChatExtractor
    judge: Judge

    def close(self) -> None:
        """Close the connections; a later call opens them anew."""
        if isinstance(self.chat, Claude | OpenAIChat):
            self.chat.close()


def make_reader(settings: Settings, meter: Meter) -> Reader | None:
    """Return who reads and judges by the settings; None for the offline parts."""
    provider = chat_provider(settings)
    if provider is None:
        return None
    chat, policy = make_chat(settings, provider), make_policy(settings.spending)
    metered = MeteredChat(chat, meter)
    keeps = choose_prefilter().keeps if settings.prefilter else None
    extractor = ChatExtractor(metered, policy=policy, keeps=keeps)
    return Reader(
        chat=chat, metered=metered, policy=policy, extractor=extractor, judge=ChatJudge(metered, policy=policy)
    )


def batch_model(reader: Reader | None, settings: Settings) -> tuple[ChatExtractor, BatchModel]:
    """Return who reads and what takes batches; ConfigurationError when it is not Claude, and when nothing is sent."""
    if reader is None or not isinstance(reader.chat, BatchModel):
        raise ConfigurationError("only Claude takes batches: set PREFMEM_EXTRACTOR=claude and ANTHROPIC_API_KEY")
    if settings.spending.mode == "replay":
        raise ConfigurationError("nothing is sent with PREFMEM_LLM_MODE=replay: batches need live or record")
    return reader.extractor, reader.chat


def choose_summarizer(reader: Reader | None, embedder: EmbeddingModel) -> Summarizer:
    """Return who tells dialogs and days: the chat model when one was chosen, with the offline one behind it."""
    from prefmem_pg.providers.offline.summarizer import OfflineSummarizer  # its patterns take time to compile

    offline = OfflineSummarizer(embedder)
    return offline if reader is None else ChatSummarizer(reader.metered, offline=offline, policy=reader.policy)


def choose_consolidating(reader: Reader | None, settings: Settings) -> ConsolidatingModel | None:
    """Return the chat model that consolidates beside the rules; None when none was chosen."""
    if reader is None:
        return None
    is_replay = settings.spending.mode == "replay"
    return ConsolidatingModel(chat=reader.metered, policy=reader.policy, replays=is_replay)


def choose_query_builder(reader: Reader | None, settings: Settings) -> QueryBuilder:
    """Return what expands follow-ups: by a chat model only where that is set, since recall waits for it."""
    offline = OfflineQueryBuilder()
    if reader is None or not settings.query_expansion:
        return offline
    return ChatQueryBuilder(reader.metered, offline=offline, policy=reader.policy)


def choose_extractor(settings: Settings) -> PreferenceExtractor:
    """Return the extractor that the settings name, without a database and so without a ledger."""
    reader = make_reader(settings, Unmetered())
    return offline_extractor() if reader is None else reader.extractor


def offline_extractor() -> PreferenceExtractor:
    from prefmem_pg.providers.offline.extractor import OfflineExtractor  # its patterns take time to compile

    return OfflineExtractor(embedder=_reading_embedder())


def choose_prefilter() -> "PreferencePrefilter":
    """Return what tells which messages may hold a preference; offline always."""
    from prefmem_pg.providers.offline.prefilter import PreferencePrefilter  # its patterns take time to compile

    return PreferencePrefilter(embedder=_reading_embedder())


@cache
def _reading_embedder() -> EmbeddingModel:
    """Return the embedder that the sentence model was trained on, whatever the database's: one for the process."""
    from prefmem_pg.providers.local_embedder import LocalEmbedder

    return LocalEmbedder()
