"""The settings: read once from the environment, then handed on as plain values."""

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from prefmem_pg.settings.providers import ClaudeSettings as ClaudeSettings
from prefmem_pg.settings.providers import OpenAISettings as OpenAISettings
from prefmem_pg.settings.providers import VoyageSettings as VoyageSettings
from prefmem_pg.settings.reading import Environment, choice, fraction, switch, whole_number
from prefmem_pg.settings.spending import Limits as Limits
from prefmem_pg.settings.spending import Spending as Spending

EXTRACTORS: Final = ("auto", "offline", "claude", "openai")
EMBEDDERS: Final = ("auto", "local", "voyage", "openai")
RERANKERS: Final = ("auto", "voyage", "none")
DEDUP_MODES: Final = ("fast", "fine")


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What the environment says. ``database_url`` None means the embedded database in ``home``.

    ``read_url`` is a replica's, for searches; None: they go where everything goes.
    """

    database_url: str | None = None
    read_url: str | None = None
    home: Path = Path(".prefmem")
    extractor: str = "auto"
    embedder: str = "auto"
    reranker: str = "auto"
    dedup_mode: str = "fast"
    dedup_across_kinds: bool = True
    search_threshold: float = 0.0
    large_user_rows: int = 20_000
    prefilter: bool = False
    query_expansion: bool = False
    extract_workers: int = 4
    claude: ClaudeSettings = field(default_factory=ClaudeSettings)
    voyage: VoyageSettings = field(default_factory=VoyageSettings)
    openai: OpenAISettings = field(default_factory=OpenAISettings)
    spending: Spending = field(default_factory=Spending)

    @classmethod
    def from_env(cls, environ: Environment | None = None, *, given: Environment | None = None) -> "Settings":
        """Read the variables PREFMEM_* and the keys; raises ConfigurationError for a value that is not allowed.

        ``given`` are variables that an application sets itself; they win. The only reader of the environment in the
        package, except for what the providers' own SDKs read.
        """
        env: Environment = {**(os.environ if environ is None else environ), **(given or {})}
        return cls(
            database_url=env.get("PREFMEM_DATABASE_URL") or None,
            read_url=env.get("PREFMEM_READ_URL") or None,
            home=Path(env.get("PREFMEM_HOME") or ".prefmem"),
            extractor=choice(env, "PREFMEM_EXTRACTOR", EXTRACTORS),
            embedder=choice(env, "PREFMEM_EMBEDDER", EMBEDDERS),
            reranker=choice(env, "PREFMEM_RERANKER", RERANKERS),
            dedup_mode=choice(env, "PREFMEM_DEDUP_MODE", DEDUP_MODES),
            dedup_across_kinds=switch(env, "PREFMEM_DEDUP_ACROSS_KINDS", default=True),
            search_threshold=fraction(env, "PREFMEM_SEARCH_THRESHOLD", default=0.0),
            large_user_rows=whole_number(env, "PREFMEM_LARGE_USER_ROWS", default=20_000),
            prefilter=switch(env, "PREFMEM_PREFILTER", default=False),
            query_expansion=switch(env, "PREFMEM_QUERY_EXPANSION", default=False),
            extract_workers=whole_number(env, "PREFMEM_EXTRACT_WORKERS", default=4),
            claude=ClaudeSettings.from_env(env),
            voyage=VoyageSettings.from_env(env),
            openai=OpenAISettings.from_env(env),
            spending=Spending.from_env(env),
        )
