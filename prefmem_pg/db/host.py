"""The repositories inside a transaction of the host application's own."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from psycopg import sql
from psycopg.pq import TransactionStatus
from sqlalchemy import text
from sqlalchemy.orm import Session

from prefmem_pg.db.driver_errors import translated_errors
from prefmem_pg.db.session import Repositories, begin_as
from prefmem_pg.errors import ConfigurationError

_CHANGED: Final = ("role", "TimeZone", "prefmem.user_id", "hnsw.iterative_scan", "hnsw.ef_search")
"""What ``begin_as`` sets."""


@contextmanager
def repositories_in(session: Session, user_id: str, *, enforce_rls: bool = True) -> Iterator[Repositories]:
    """Give the repositories of one user inside the session's transaction, which stays the host's to commit.

    What they write is there when the host commits and is not when it rolls back. At the end the host's role and
    settings are back, so that it goes on with its own tables, also when an error leaves the block. After an error of
    the server's the transaction can only be rolled back, to its beginning or to a savepoint of the host's; that brings
    them back as well. Raises a PrefmemError in
    place of the driver's errors, and ConfigurationError on a connection in autocommit, which has no transaction.
    """
    with translated_errors():
        session.flush()  # what waits of the host's own is written in its own role
        driver: Any = session.connection().connection.driver_connection  # any driver: begin_as says which it must be
        if getattr(driver, "autocommit", False):
            raise ConfigurationError("repositories_in() needs a transaction; this connection is in autocommit")
        told = ", ".join(f"current_setting('{name}', true)" for name in _CHANGED)
        before = dict(zip(_CHANGED, session.execute(text(f"SELECT {told}")).one(), strict=True))
        begin_as(session, user_id, enforce_rls=enforce_rls)
        try:
            yield Repositories(session)
            session.flush()
        finally:
            if driver.info.transaction_status == TransactionStatus.INTRANS:
                driver.execute(_restoring(before, driver), prepare=False)


def _restoring(before: dict[str, str | None], driver: Any) -> str:
    parts = [
        sql.SQL("SET LOCAL {} = {}").format(sql.SQL(name), sql.SQL("DEFAULT") if value is None else sql.Literal(value))
        for name, value in before.items()
    ]
    return sql.SQL("; ").join(parts).as_string(driver)
