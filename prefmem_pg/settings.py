"""The settings: read once from the environment, then handed on as plain values."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from prefmem_pg.errors import ConfigurationError

EXTRACTORS: Final = ("auto", "offline", "claude", "openai")
EMBEDDERS: Final = ("auto", "local", "voyage", "openai")
RERANKERS: Final = ("auto", "voyage", "none")
DEDUP_MODES: Final = ("fast", "fine")

_TRUE: Final = {"1", "true", "yes", "on"}
_FALSE: Final = {"0", "false", "no", "off"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What the environment says. ``database_url`` None means the embedded database in ``home``."""

    database_url: str | None = None
    home: Path = Path(".prefmem")
    extractor: str = "auto"
    embedder: str = "auto"
    reranker: str = "auto"
    dedup_mode: str = "fast"
    dedup_across_kinds: bool = True
    search_threshold: float = 0.0
    large_user_rows: int = 20_000

    @classmethod
    def from_env(cls, environ: Mapping[str, str] | None = None) -> "Settings":
        """Read the variables PREFMEM_*; raises ConfigurationError for a value that is not one of those allowed.

        The only reader of the environment in the package, except for what the providers' own SDKs read.
        """
        env = os.environ if environ is None else environ
        return cls(
            database_url=env.get("PREFMEM_DATABASE_URL") or None,
            home=Path(env.get("PREFMEM_HOME") or ".prefmem"),
            extractor=_choice(env, "PREFMEM_EXTRACTOR", EXTRACTORS),
            embedder=_choice(env, "PREFMEM_EMBEDDER", EMBEDDERS),
            reranker=_choice(env, "PREFMEM_RERANKER", RERANKERS),
            dedup_mode=_choice(env, "PREFMEM_DEDUP_MODE", DEDUP_MODES),
            dedup_across_kinds=_switch(env, "PREFMEM_DEDUP_ACROSS_KINDS", default=True),
            search_threshold=_fraction(env, "PREFMEM_SEARCH_THRESHOLD", default=0.0),
            large_user_rows=_whole_number(env, "PREFMEM_LARGE_USER_ROWS", default=20_000),
        )


def _choice(env: Mapping[str, str], name: str, allowed: tuple[str, ...]) -> str:
    value = (env.get(name) or allowed[0]).strip().lower()
    if value not in allowed:
        raise ConfigurationError(f"{name} is {value!r}; it must be one of: {', '.join(allowed)}")
    return value


def _switch(env: Mapping[str, str], name: str, *, default: bool) -> bool:
    value = (env.get(name) or "").strip().lower()
    if not value:
        return default
    if value not in _TRUE | _FALSE:
        raise ConfigurationError(f"{name} is {value!r}; it must be on or off")
    return value in _TRUE


def _fraction(env: Mapping[str, str], name: str, *, default: float) -> float:
    raw = (env.get(name) or "").strip()
    try:
        value = float(raw) if raw else default
    except ValueError:
        value = -1.0
    if not 0 <= value <= 1:
        raise ConfigurationError(f"{name} is {raw!r}; it must be a number from 0 to 1")
    return value


def _whole_number(env: Mapping[str, str], name: str, *, default: int) -> int:
    raw = (env.get(name) or "").strip()
    if raw and not (raw.isascii() and raw.isdigit() and int(raw) > 0):
        raise ConfigurationError(f"{name} is {raw!r}; it must be a whole number above 0")
    return int(raw) if raw else default
