"""From settings to what is asked over the network: the ledger, and embedders and rerankers of providers."""

from typing import Final, cast

from prefmem_pg.db.session import Database
from prefmem_pg.errors import ConfigurationError
from prefmem_pg.providers.metering import Meter
from prefmem_pg.providers.protocols import EmbeddingModel, RerankModel
from prefmem_pg.providers.retry import RetryPolicy
from prefmem_pg.settings import Settings, Spending
from prefmem_pg.steps.meter import DatabaseMeter, Mode
from prefmem_pg.steps.spending import Budgets, ProviderLimits

_NO_KEY_NEEDED: Final = "replay-needs-no-key"


def make_meter(database: Database, spending: Spending) -> DatabaseMeter:
    """Return the ledger of a database, with the budgets and limits of the settings."""
    return DatabaseMeter(
        database=database,
        mode=cast(Mode, spending.mode),  # one of MODES
        budgets=Budgets(run_usd=spending.run_usd, day_usd=spending.day_usd, user_usd=spending.user_usd),
        limits={
            provider: ProviderLimits(
                concurrency=limit.concurrency,
                calls_per_minute=limit.calls_per_minute,
                tokens_per_minute=limit.tokens_per_minute,
            )
            for provider, limit in spending.limits.items()
        },
    )


def make_policy(spending: Spending) -> RetryPolicy:
    """Return how calls are tried again."""
    return RetryPolicy(retries=spending.retries)


def make_remote_embedder(
    provider: str, *, name: str | None, dimensions: int | None, settings: Settings, meter: Meter | None
) -> EmbeddingModel:
    """Return the embedding model of a provider that is asked over the network; None stands for the settings' own.

    Raises ConfigurationError for a provider that is not known, and for a key that is missing.
    """
    from prefmem_pg.providers.remote_embedder import RemoteEmbedder
    from prefmem_pg.providers.services import EmbeddingService

    service: EmbeddingService
    if provider == "voyage":
        from prefmem_pg.providers.voyage import VoyageEmbeddings

        voyage = settings.voyage
        service = VoyageEmbeddings(
            model=name or voyage.model,
            dimensions=dimensions or voyage.dimensions,
            api_key=key_or_none(voyage.api_key, settings),
            base_url=voyage.base_url,
        )
    elif provider == "openai":
        from prefmem_pg.providers.openai_embeddings import OpenAIEmbeddings
        from prefmem_pg.providers.openai_http import OPENAI_URL, Endpoint

        openai = settings.openai
        service = OpenAIEmbeddings(
            Endpoint(base_url=openai.base_url or OPENAI_URL, api_key=key_or_none(openai.api_key, settings)),
            model=name or openai.embedding_model,
            dimensions=dimensions or openai.embedding_dimensions,
            text_tokens=openai.embedding_tokens,
        )
    else:
        raise ConfigurationError(f"there is no embedding provider {provider}; there are: local, voyage, openai")
    return RemoteEmbedder(service, meter=meter, policy=make_policy(settings.spending))


def choose_reranker(settings: Settings, *, is_embedded: bool, meter: Meter | None) -> RerankModel | None:
    """Return the reranker that the settings name; ``auto`` takes Voyage's when its key is there, but never for the
    embedded database, from which nothing is sent unless it was chosen.
    """
    wants = settings.reranker == "voyage" or (
        settings.reranker == "auto" and settings.voyage.api_key is not None and not is_embedded
    )
    if not wants:
        return None
    from prefmem_pg.providers.remote_reranker import RemoteReranker
    from prefmem_pg.providers.voyage import VoyageRerank

    voyage = settings.voyage
    service = VoyageRerank(
        model=voyage.rerank_model, api_key=key_or_none(voyage.api_key, settings), base_url=voyage.base_url
    )
    retries = min(settings.spending.retries, 1)
    return RemoteReranker(
        service, meter=meter, policy=RetryPolicy(retries=retries, longest_wait_seconds=2.0, budget_seconds=10.0)
    )


def key_or_none(key: str | None, settings: Settings) -> str | None:
    """Return the key; a replay sends nothing and needs none."""
    return key or (_NO_KEY_NEEDED if settings.spending.mode == "replay" else None)
