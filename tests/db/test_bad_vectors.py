"""An embedder that answers nonsense is a provider's failure, typed; nothing is lost by it, and nothing stored."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

from prefmem_pg.errors import InvalidAnswer
from prefmem_pg.memory import PreferenceMemory
from prefmem_pg.providers.local_embedder import DIMENSIONS, LocalEmbedder
from tests.conftest import RolledBackDatabase, count

NONSENSE: dict[str, Callable[[int], Any]] = {
    "not a number": lambda n: np.full((n, DIMENSIONS), np.nan),
    "infinite": lambda n: np.full((n, DIMENSIONS), np.inf),
    "too short": lambda n: np.ones((n, 16)),
    "too few": lambda n: np.ones((n - 1, DIMENSIONS)),
    "too many": lambda n: np.ones((n + 1, DIMENSIONS)),
    "flat": lambda n: np.ones(n * DIMENSIONS),
    "text": lambda n: ["0.1"] * n,
    "ragged": lambda n: [[0.1], [0.1, 0.2]],
    "nothing": lambda n: None,
}
VECTORS = "SELECT count(*) FROM prefmem.preference_embeddings WHERE user_id = :u"


class Odd(LocalEmbedder):
    """Answers by a function of how many texts it is given."""

    def __init__(self, answer: Callable[[int], Any]) -> None:
        super().__init__()
        self.answer = answer

    def embed_documents(self, texts: Sequence[str]) -> Any:
        return self.answer(len(texts))

    def embed_queries(self, texts: Sequence[str]) -> Any:
        return self.answer(len(texts))


@pytest.mark.parametrize("name", NONSENSE)
def test_nonsense_from_an_embedder_is_an_invalid_answer(
    rolled_back: RolledBackDatabase, user_id: str, name: str
) -> None:
    memory = PreferenceMemory(rolled_back, embedder=Odd(NONSENSE[name]))
    memory.remember(user_id, "我喜欢喝茶 and tea 🍵")

    for ask in (memory.search, memory.search_messages, memory.recall):
        with pytest.raises(InvalidAnswer, match="embedder"):
            ask(user_id, "茶 tea")

    assert count(rolled_back, VECTORS, u=user_id) == 0
    report = memory.embed_missing(user_id=user_id)
    assert (report.preferences, report.failed) == (0, 1)
    assert [p.statement for p in memory.list_preferences(user_id).items] == ["我喜欢喝茶 and tea 🍵"]
