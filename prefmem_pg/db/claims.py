"""Dialogs that one reader at a time reads: what two asked a paid model at once would be paid twice."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final

from sqlalchemy import Connection, Engine, text
from sqlalchemy.exc import SQLAlchemyError

from prefmem_pg.db.driver_errors import translated_errors

LOOK_AGAIN_SECONDS: Final = 0.25
_SEED: Final = 7_021_955
_TAKE: Final = f"SELECT pg_try_advisory_lock(hashtextextended(:key, {_SEED}))"
_GIVE_BACK: Final = f"SELECT pg_advisory_unlock(hashtextextended(:key, {_SEED}))"

# Limits of the host's that would end the transaction, and with it the claims; the second came with PostgreSQL 17.
_WITHOUT_END: Final = """
SELECT set_config(name, '0', true) FROM pg_settings
WHERE name IN ('idle_in_transaction_session_timeout', 'transaction_timeout')
"""


class Claims:
    """What one call of extract() holds, for all of its workers. Thread-safe.

    They save money and nothing else: without a connection, or when it is lost, everything may be read.
    """

    def __init__(self, connection: Connection | None) -> None:
        self._connection = connection
        self._one_at_a_time = threading.Lock()

    @contextmanager
    def hold(self, user_id: str, dialog_id: str) -> Iterator[None]:
        """Wait until no other call reads the dialog, and keep others from it; what is unread is looked up inside."""
        key = f"{user_id}\n{dialog_id}"
        while not self._ask(_TAKE, key):
            time.sleep(LOOK_AGAIN_SECONDS)
        try:
            yield
        finally:
            self._ask(_GIVE_BACK, key)

    def _ask(self, statement: str, key: str) -> bool:
        with self._one_at_a_time:
            if self._connection is None:
                return True
            try:
                return bool(self._connection.scalar(text(statement), {"key": key}))
            except SQLAlchemyError:
                self._connection = None
                return True


@contextmanager
def dialog_claims(engine: Engine, *, are_needed: bool) -> Iterator[Claims]:
    """Give what holds dialogs until the block ends, by one connection; by none when they are not needed.

    The connection is none of the pool's, and is closed at the end. Its transaction stays open, does nothing else and
    keeps no row: so a pooler leaves the server's connection, which has the locks, with us, and gives it up with us.
    """
    if not are_needed:
        yield Claims(None)
        return
    options = {"isolation_level": "READ COMMITTED"}  # not the host's, which may be autocommit
    with translated_errors():
        connection = engine.connect().execution_options(**options)
        connection.detach()  # its place in the pool is free again: calls at once would else take all, and wait for ever
    with connection:
        with translated_errors():
            connection.execute(text(_WITHOUT_END))
        try:
            yield Claims(connection)
        finally:
            with suppress(SQLAlchemyError):  # one that was lost has given them back
                connection.execute(text("SELECT pg_advisory_unlock_all()"))
                connection.rollback()
