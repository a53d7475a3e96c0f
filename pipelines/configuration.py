"""What the definitions need before any database is opened: time zone, first day, where messages land."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from prefmem_pg.errors import ConfigurationError


@dataclass(frozen=True, slots=True, kw_only=True)
class Configuration:
    """Read once, when the code location loads; a change needs a reload.

    ``unread_threshold`` messages are read at once; ``retry_seconds`` is the first wait before a step is tried again;
    ``max_connections`` is what one step may hold open at once.
    ``landing_folder`` None: only the table is taken from.
    ``time_zone`` decides what a day is. Messages from before ``first_day`` have no partition: extract() takes them.
    """

    time_zone: str = "UTC"
    first_day: date = date(2023, 1, 1)
    landing_folder: Path | None = Path("landing")
    landing_table: str | None = None
    evaluation_data: tuple[str, ...] = ("samples",)
    unread_threshold: int = 500
    retry_seconds: int = 30
    max_connections: int = 4

    @classmethod
    def from_env(cls, environ: Mapping[str, str] | None = None) -> "Configuration":
        """Read the variables PREFMEM_PIPELINE_*; raises ConfigurationError for a value that cannot be used."""
        env = os.environ if environ is None else environ
        default = cls()
        data = env.get("PREFMEM_PIPELINE_EVALUATION_DATA", "")
        folder, table = env.get("PREFMEM_PIPELINE_LANDING"), env.get("PREFMEM_PIPELINE_LANDING_TABLE") or None
        return cls(
            time_zone=_zone(env.get("PREFMEM_PIPELINE_TIME_ZONE") or default.time_zone),
            first_day=_day(env.get("PREFMEM_PIPELINE_FIRST_DAY") or default.first_day.isoformat()),
            # Whoever names a table alone has no folder; naming both takes from both.
            landing_folder=Path(folder) if folder else None if table else default.landing_folder,
            landing_table=table,
            evaluation_data=tuple(data.split(os.pathsep)) if data else default.evaluation_data,
            unread_threshold=_count(env, "PREFMEM_PIPELINE_UNREAD", default.unread_threshold),
            retry_seconds=_count(env, "PREFMEM_PIPELINE_RETRY_SECONDS", default.retry_seconds),
            max_connections=_count(env, "PREFMEM_PIPELINE_MAX_CONNECTIONS", default.max_connections, least=2),
        )


def _zone(value: str) -> str:
    try:
        ZoneInfo(value)
    except (ZoneInfoNotFoundError, ValueError) as exc:
        raise ConfigurationError(
            f"PREFMEM_PIPELINE_TIME_ZONE is {value!r}; it must be a name like Asia/Shanghai"
        ) from exc
    return value


def _day(value: str) -> date:
    try:
        return date.fromisoformat(value)
    except ValueError as exc:
        raise ConfigurationError(f"PREFMEM_PIPELINE_FIRST_DAY is {value!r}; it must be a day like 2025-01-31") from exc


def _count(env: Mapping[str, str], name: str, default: int, *, least: int = 1) -> int:
    value = env.get(name) or str(default)
    if not (value.isascii() and value.isdigit() and int(value) >= least):
        raise ConfigurationError(f"{name} is {value!r}; it must be a whole number from {least} on")
    return int(value)
