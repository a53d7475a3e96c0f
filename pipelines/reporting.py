"""From reports and errors to what Dagster shows: counts and kinds of errors, never an id or a word of a user."""

import traceback
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import fields
from decimal import Decimal
from typing import Any, Final

import dagster as dg

from pipelines.partitions import CONFIGURATION
from prefmem_pg.errors import CallWithheld, ConfigurationError, PrefmemError, SchemaOutOfDate, StoreUnavailable

# Their texts are ours and speak of settings and servers only.
_TELLABLE: Final = (ConfigurationError, SchemaOutOfDate, StoreUnavailable)

RETRY: Final = dg.RetryPolicy(
    max_retries=3,
    delay=CONFIGURATION.retry_seconds,
    backoff=dg.Backoff.EXPONENTIAL,
    jitter=dg.Jitter.PLUS_MINUS,
)
"""For errors that may pass by themselves; a Failure that says otherwise is not tried again."""


def counts(report: object) -> dict[str, Any]:  # Any: numbers, as Dagster takes them
    """Return the numbers of a report by name. Its errors stay in the database: their keys are ids of users."""
    values = {field.name: getattr(report, field.name) for field in fields(report)}  # type: ignore[arg-type] # a dataclass
    return {
        name: float(value) if isinstance(value, Decimal) else value
        for name, value in values.items()
        if _is_number(value)
    }


def kinds(errors: Mapping[str, str]) -> dict[str, int]:
    """Return how often each kind of error occurred: the part of its text before the first colon, without ids."""
    found: dict[str, int] = {}
    for error in errors.values():
        kind = error.split(":", 1)[0]
        name = kind if kind.isidentifier() else "other"
        found[name] = found.get(name, 0) + 1
    return found


def scores(metrics: Mapping[str, Mapping[str, float]]) -> dg.TableMetadataValue:
    """Return the metrics of an evaluation as a table: a row for each group, a column for each measure."""
    names = list(dict.fromkeys(name for found in metrics.values() for name in found))
    records = [
        dg.TableRecord({"group": group, **{name: f"{found[name]:.4g}" if name in found else "" for name in names}})
        for group, found in metrics.items()
    ]
    columns = [dg.TableColumn(name) for name in ("group", *names)]
    return dg.MetadataValue.table(records, schema=dg.TableSchema(columns))


@contextmanager
def told() -> Iterator[None]:
    """Turn an error into a Failure without anybody's text, which is tried again when that can help.

    The chain of causes is cut: Dagster would store their messages, and a driver's quotes rows.
    """
    try:
        yield
    except dg.Failure:
        raise
    except PrefmemError as exc:
        text = f"{type(exc).__name__}: {exc}" if isinstance(exc, _TELLABLE) else type(exc).__name__
        # What a budget holds back waits for tomorrow, or for a higher one: trying again at once is in vain.
        passes = exc.retryable and not isinstance(exc, CallWithheld)
        raise dg.Failure(description=text, allow_retries=passes) from None
    except Exception as exc:
        place = traceback.extract_tb(exc.__traceback__)[-1]
        text = f"{type(exc).__name__} in {place.name}, line {place.lineno} of {place.filename.rsplit('/', 1)[-1]}"
        raise dg.Failure(description=text, allow_retries=False) from None


def require_done(*, undone: int, metadata: Mapping[str, Any], what: str) -> None:  # Any: as Dagster's
    """Raise a Failure when part of the work is left: a half-done partition must not look done. The rest is kept."""
    if undone:
        why = ", ".join(f"{name} {count:,}" for name, count in metadata.get("kinds_of_errors", {}).items())
        left = f"{undone:,} {what} are left{f' ({why})' if why else ''}"
        raise dg.Failure(
            description=f"{left}; what was done is stored, and the next run goes on",
            metadata=dict(metadata),
            allow_retries=True,
        )


def _is_number(value: object) -> bool:
    return isinstance(value, int | float | Decimal) and not isinstance(value, bool)
