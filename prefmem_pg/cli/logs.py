"""The log on stderr: a line a record, facts as name=value, never a traceback."""

import logging
from typing import Final

from prefmem_pg.cli.output import warn

_STANDARD: Final = {*vars(logging.makeLogRecord({})), "message", "asctime"}


def log_to_stderr(level: int) -> None:
    """Print what the package logs from this level on; the host's other loggers are left alone."""
    logger = logging.getLogger("prefmem_pg")
    logger.setLevel(level)
    logger.propagate = False
    logger.handlers = [_Lines()]


class _Lines(logging.Handler):
    def emit(self, record: logging.LogRecord) -> None:
        facts = [f"{key}={value}" for key, value in vars(record).items() if key not in _STANDARD]
        if record.exc_info and record.exc_info[0] is not None:
            facts.append(f"error={record.exc_info[0].__name__}")
        warn(" ".join([f"{record.levelname.lower()}: {record.getMessage()}", *facts]))
