"""The settings of spending: the mode, budgets in US dollars, retries, and limits for each provider."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Final

from prefmem_pg.settings.reading import Environment, choice, dollars, whole_number, whole_number_or_none

MODES: Final = ("live", "record", "replay")
LIMITED: Final = ("claude", "openai", "voyage")


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What one provider may be asked by all threads and processes on one database together; None: no limit."""

    concurrency: int | None = None
    calls_per_minute: int | None = None
    tokens_per_minute: int | None = None

    @classmethod
    def from_env(cls, env: Environment, provider: str) -> "Limits":
        def number(name: str) -> int | None:
            return whole_number_or_none(env, f"PREFMEM_{provider.upper()}_{name}")

        return cls(
            concurrency=number("CONCURRENCY"),
            calls_per_minute=number("CALLS_PER_MINUTE"),
            tokens_per_minute=number("TOKENS_PER_MINUTE"),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Spending:
    """How providers are called. A budget of None is none; one of 0 lets no call with a price through.

    ``run_usd`` holds for one call of extract(), embed_missing() and the like, ``day_usd`` for all users together and
    ``user_usd`` for each of them; days are of UTC. ``timeout_seconds`` is how long a chat model may take to answer.
    """

    mode: str = "live"
    retries: int = 3
    timeout_seconds: int = 60
    run_usd: Decimal | None = None
    day_usd: Decimal | None = None
    user_usd: Decimal | None = None
    limits: Mapping[str, Limits] = field(default_factory=dict)

    @classmethod
    def from_env(cls, env: Environment) -> "Spending":
        limits = {provider: Limits.from_env(env, provider) for provider in LIMITED}
        return cls(
            mode=choice(env, "PREFMEM_LLM_MODE", MODES),
            retries=whole_number(env, "PREFMEM_RETRIES", default=cls().retries, least=0),
            timeout_seconds=whole_number(env, "PREFMEM_TIMEOUT_SECONDS", default=cls().timeout_seconds),
            run_usd=dollars(env, "PREFMEM_BUDGET_RUN_USD"),
            day_usd=dollars(env, "PREFMEM_BUDGET_DAY_USD"),
            user_usd=dollars(env, "PREFMEM_BUDGET_USER_USD"),
            limits={provider: limit for provider, limit in limits.items() if limit != Limits()},
        )
