"""The example apps as gunicorn serves them, with an extractor that can take its worker along."""

import os
import signal
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from prefmem_pg.domain.preferences import Candidate
from prefmem_pg.providers.offline.extractor import OfflineExtractor
from prefmem_pg.providers.protocols import Chunk

DEADLY = "take the worker along 💀"
PARTS = {"max_connections": 4}


class DeadlyExtractor(OfflineExtractor):
    """Kills its process at the first message that says so; the file of PREFMEM_TEST_DEATH tells that it has."""

    def extract(self, chunk: Chunk) -> Sequence[Candidate]:
        mark = Path(os.environ["PREFMEM_TEST_DEATH"])
        if any(DEADLY in message.content for message in chunk.messages) and not mark.exists():
            mark.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return super().extract(chunk)


def flask_app() -> Any:  # Any: a WSGI application
    from app import create_app  # type: ignore[import-not-found]

    return create_app(extractor=DeadlyExtractor(), **PARTS)


def django_app() -> Any:  # Any: a WSGI application
    from django.conf import settings
    from project.wsgi import application

    settings.PREFMEM_PARTS |= {"extractor": DeadlyExtractor(), **PARTS}
    return application
