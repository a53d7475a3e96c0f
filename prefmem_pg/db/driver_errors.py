"""The one place that turns driver errors into ours."""

import errno
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

import psycopg
import sqlalchemy.exc
from psycopg import errors as pg

from prefmem_pg.errors import ConfigurationError, Conflict, InvalidInput, StoreError, StoreUnavailable

_MOVED_ON = (pg.UniqueViolation, pg.ForeignKeyViolation, pg.ExclusionViolation, pg.DependentObjectsStillExist)
_BAD_VALUE = (pg.DataError, pg.CheckViolation, pg.NotNullViolation, pg.ProgramLimitExceeded)
_TRY_AGAIN = (
    pg.SerializationFailure,
    pg.DeadlockDetected,
    pg.LockNotAvailable,
    pg.QueryCanceled,
    pg.InsufficientResources,
    pg.AdminShutdown,
    pg.CrashShutdown,
    pg.CannotConnectNow,
    pg.IdleInTransactionSessionTimeout,
    pg.ReadOnlySqlTransaction,
)

_DRIVER_LOG: Final = logging.getLogger("psycopg")
_translates: ContextVar[bool] = ContextVar("translates", default=False)


@contextmanager
def translated_errors() -> Iterator[None]:
    """Raise a PrefmemError in place of every error of SQLAlchemy, psycopg or the disk.

    What the driver warns of when it clears up behind an error ("error ignored terminating <psycopg.Pipeline …>:
    pipeline aborted") is no news then, and kept out of its log.
    """
    _DRIVER_LOG.addFilter(_is_news)  # adds it once
    before = _translates.get()
    _translates.set(True)
    try:
        yield
    except sqlalchemy.exc.TimeoutError as exc:
        raise StoreUnavailable("no free connection in the pool; close what is open or make the pool larger") from exc
    except sqlalchemy.exc.DBAPIError as exc:
        raise translate(exc.orig) from exc.orig
    except psycopg.Error as exc:
        raise translate(exc) from exc
    except sqlalchemy.exc.SQLAlchemyError as exc:
        raise StoreError(f"the database layer failed: {type(exc).__name__}") from exc
    except OSError as exc:
        if exc.errno in (errno.ENOSPC, errno.EDQUOT):
            raise StoreUnavailable("no space left on the disk") from exc
        raise
    finally:
        _translates.set(before)  # no token: a host may end in another thread what it began in this one


def _is_news(record: logging.LogRecord) -> bool:
    return not (_translates.get() and str(record.msg).startswith("error ignored"))


def translate(error: BaseException | None) -> StoreError | ConfigurationError | InvalidInput:
    """Return our error for a driver's. Only the server's primary message is kept: details may quote a user's text."""
    if not isinstance(error, psycopg.Error):
        return StoreError(f"the database layer failed: {type(error).__name__}")
    said = (error.diag.message_primary or "").strip()
    if isinstance(error, _MOVED_ON):
        return Conflict(f"the database refused: {said}")
    if isinstance(error, pg.DiskFull):
        return StoreUnavailable("the database server has no space left on its disk")
    if isinstance(error, _TRY_AGAIN):
        return StoreUnavailable(f"the database cannot do it now: {said}")
    if isinstance(error, pg.InsufficientPrivilege):
        return ConfigurationError(f"the database role may not do this: {said}; see: prefmem doctor")
    if isinstance(error, pg.UndefinedFunction) and "search_model_" in said:
        return StoreUnavailable("the embedding model of this search was retired; try again")
    if isinstance(error, (pg.UndefinedTable, pg.InvalidSchemaName, pg.UndefinedFunction, pg.UndefinedColumn)):
        return ConfigurationError(f"the schema is not complete: {said}; run: prefmem upgrade")
    if isinstance(error, (pg.InvalidCatalogName, pg.InvalidPassword, pg.InvalidAuthorizationSpecification)):
        return ConfigurationError(f"cannot connect: {said}")
    if isinstance(error, _BAD_VALUE):
        return InvalidInput(f"the database cannot hold this value: {said or type(error).__name__}")
    if isinstance(error, psycopg.OperationalError):
        return StoreUnavailable(f"cannot reach the database: {said or _without_secrets(error)}")
    return StoreError(f"the database failed: {said or type(error).__name__}")


def _without_secrets(error: psycopg.Error) -> str:
    """The client's own connection errors name host, port and role, never the password."""
    return " ".join(str(error).split())[:300]
