"""The memory that assets work on: database, providers and budget, each left to the environment unless set here."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any, Final

import dagster as dg
from pydantic import Field

from pipelines.partitions import CONFIGURATION
from prefmem_pg.memory import PreferenceMemory
from prefmem_pg.settings import Settings

APPLICATION_NAME: Final = "prefmem_pg pipelines"
"""What the database server shows of the connections of steps and sensors."""


class DatabaseResource(dg.ConfigurableResource):  # type: ignore[type-arg] # generic in name only
    """Where the memory lives. A step opens at most ``max_connections``, and closes them when it ends."""

    url: str | None = Field(
        default=None, description="Owner's URL; by default PREFMEM_DATABASE_URL, or the embedded database"
    )
    home: str | None = Field(
        default=None, description="Folder of the embedded database; by default PREFMEM_HOME or .prefmem"
    )
    max_connections: int | None = Field(
        default=None, ge=2, description="Connections a step; by default PREFMEM_PIPELINE_MAX_CONNECTIONS or 4"
    )


class ProvidersResource(dg.ConfigurableResource):  # type: ignore[type-arg] # generic in name only
    """Which models do the work. Keys come from the environment alone: no configuration of a run holds one."""

    extractor: str | None = Field(
        default=None, description="auto, offline, claude or openai; by default PREFMEM_EXTRACTOR"
    )
    retries: int | None = Field(default=None, ge=0, description="Tries again of one call to a provider")


class BudgetResource(dg.ConfigurableResource):  # type: ignore[type-arg] # generic in name only
    """US dollars that providers may cost; by default PREFMEM_BUDGET_*."""

    run_usd: float | None = Field(default=None, ge=0, description="For one step of a run")
    day_usd: float | None = Field(default=None, ge=0, description="For a day of UTC, all runs together")
    user_usd: float | None = Field(default=None, ge=0, description="For one user a day")


class MemoryResource(dg.ConfigurableResource):  # type: ignore[type-arg] # generic in name only
    """Opens a PreferenceMemory for the length of one step. Nothing is opened when definitions load."""

    database: DatabaseResource
    providers: ProvidersResource
    budget: BudgetResource

    def settings(self) -> Settings:
        """Return the settings of the environment with what is set here in their place."""
        found = Settings.from_env()
        limits = {
            name: Decimal(str(value))
            for name in ("run_usd", "day_usd", "user_usd")
            if (value := getattr(self.budget, name)) is not None
        }
        if self.providers.retries is not None:
            limits["retries"] = self.providers.retries  # type: ignore[assignment] # a count beside amounts
        return replace(
            found,
            database_url=self.database.url or found.database_url,
            home=Path(self.database.home) if self.database.home else found.home,
            extractor=self.providers.extractor or found.extractor,
            spending=replace(found.spending, **limits),  # type: ignore[arg-type] # by name
        )

    @contextmanager
    def open(self) -> Iterator[PreferenceMemory]:
        """Open the memory; raises what PreferenceMemory raises."""
        settings = self.settings()
        bounds: dict[str, Any] = {  # Any: as PreferenceMemory takes them
            "max_connections": self.database.max_connections or CONFIGURATION.max_connections,
            "application_name": APPLICATION_NAME,
        }
        if settings.database_url is None:
            opened = PreferenceMemory.local(settings=settings, **bounds)
        else:
            opened = PreferenceMemory.connect(settings.database_url, settings=settings, **bounds)
        with opened as memory:
            yield memory


# Each part is a resource of its own in the launchpad: what is set inside another could not be set for one run.
_PARTS: Final = {
    "database": DatabaseResource.configure_at_launch(),
    "providers": ProvidersResource.configure_at_launch(),
    "budget": BudgetResource.configure_at_launch(),
}
RESOURCES: Final[Mapping[str, Any]] = {**_PARTS, "memory": MemoryResource(**_PARTS)}  # Any: as Dagster's
