"""Closes the models that a test has opened."""

from collections.abc import Iterator

import pytest

from tests.providers.talk import opened


@pytest.fixture(autouse=True)
def closed() -> Iterator[None]:
    yield
    while opened:
        opened.pop().close()
