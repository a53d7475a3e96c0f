"""Hits in another order than that of their scores: by a reranker, or each unlike those before it."""

from collections.abc import Sequence
from dataclasses import dataclass

import pytest

from prefmem_pg.errors import InvalidInput, ProviderUnavailable
from prefmem_pg.memory import PreferenceMemory
from prefmem_pg.providers.local_embedder import LocalEmbedder
from prefmem_pg.testing import ScriptedReranker
from tests.conftest import RolledBackDatabase

STATEMENTS = [
    "I love strong espresso in the morning",
    "A strong espresso every morning is what I love",
    "我早上喜欢喝浓缩咖啡 ☕",
    "I take my tea without sugar",
    "下午我只喝绿茶 🍵",
]


@dataclass
class FailingReranker:
    """Fails, or answers what it was given."""

    answer: object
    name: str = "failing"

    def rerank(self, query: str, documents: Sequence[str]) -> Sequence[float]:
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer  # type: ignore[return-value]


def filled(database: RolledBackDatabase, embedder: LocalEmbedder, user_id: str, reranker: object) -> PreferenceMemory:
    memory = PreferenceMemory(database, embedder=embedder, reranker=reranker)  # type: ignore[arg-type]
    memory.remember_many(user_id, [{"statement": text} for text in STATEMENTS], deduplicate=False)
    return memory


def found(
    memory: PreferenceMemory, user_id: str, query: str = "what hot drink? 喝什么", **options: object
) -> list[str]:
    hits = memory.search(user_id, query, learn=False, **options)  # type: ignore[arg-type]
    return [hit.preference.statement or "" for hit in hits]


def test_the_reranker_has_the_last_word_over_more_than_is_asked_for(
    rolled_back: RolledBackDatabase, embedder: LocalEmbedder, user_id: str
) -> None:
    memory = filled(rolled_back, embedder, user_id, ScriptedReranker(lambda _, text: float("绿茶" in text)))

    [hit] = memory.search(user_id, "espresso", limit=1, rerank=True, learn=False)

    assert (hit.preference.statement, hit.rerank_score, hit.note) == (STATEMENTS[4], 1.0, None)


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (ProviderUnavailable("no answer in 10 s"), "no answer in 10 s"),
        ([0.5], "1 scores for 5"),
        ([0.1, 0.2, float("nan"), 0.3, 0.4], "no finite number"),
        ([0.1, 0.2, "much", 0.3, 0.4], "no number"),
    ],
)
def test_a_reranker_that_fails_keeps_the_order_and_each_hit_says_so(
    rolled_back: RolledBackDatabase, embedder: LocalEmbedder, user_id: str, answer: object, says: str
) -> None:
    memory = filled(rolled_back, embedder, user_id, FailingReranker(answer))

    hits = memory.search(user_id, "早上喝什么", limit=3, rerank=True, learn=False)

    assert [hit.preference.statement for hit in hits] == found(memory, user_id, "早上喝什么", limit=3)
    assert all(hit.note is not None and says in hit.note and hit.rerank_score is None for hit in hits)


def test_asking_for_a_reranker_that_is_not_there_is_said(
    rolled_back: RolledBackDatabase, embedder: LocalEmbedder, user_id: str
) -> None:
    memory = filled(rolled_back, embedder, user_id, None)

    [hit] = memory.search(user_id, "tea", limit=1, rerank=True, learn=False)

    assert hit.note == "kept the order of the search: no reranker is set up"
    assert memory.search("nobody", "tea", rerank=True) == []


def test_diversity_puts_what_says_something_new_before_what_says_the_same_again(
    rolled_back: RolledBackDatabase, embedder: LocalEmbedder, user_id: str
) -> None:
    memory = filled(rolled_back, embedder, user_id, None)
    query = "strong espresso in the morning"

    plain, spread = found(memory, user_id, query), found(memory, user_id, query, diversity=0.6)

    assert set(plain[:2]) == set(STATEMENTS[:2])
    assert spread[0] == plain[0]
    assert spread[1] not in STATEMENTS[:3]
    assert sorted(spread) == sorted(plain)
    assert found(memory, user_id, query, diversity=0.6, limit=2) == spread[:2]
    assert found(memory, user_id, query, diversity=0.0) == plain


@pytest.mark.parametrize("diversity", [-0.1, 1.1, float("nan"), "much", True, None])
def test_a_diversity_outside_its_range_is_refused(memory: PreferenceMemory, user_id: str, diversity: object) -> None:
    with pytest.raises(InvalidInput, match="diversity"):
        memory.search(user_id, "tea", diversity=diversity)  # type: ignore[arg-type]
