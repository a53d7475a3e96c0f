"""The running mean of a user's memories, one for each language, and what it makes of their vectors. Pure."""

import numpy as np
from numpy.typing import NDArray

from prefmem_pg.db.embeddings import PRIOR_WEIGHT, MemoryMean
from prefmem_pg.providers.bank import Bank, bank_language
from prefmem_pg.steps.centring import hub

Vector = NDArray[np.float32]


def next_mean(old: MemoryMean | None, total: Vector, count: int, *, language: str, bank: Bank) -> Vector:
    """Return the mean when ``count`` vectors have come that add up to ``total``; the bank's mean is the prior."""
    known = old.count if old else 0
    before = old.mean if old else bank.statement_mean[bank_language(language)]
    mean = (before * (known + PRIOR_WEIGHT) + total) / (known + count + PRIOR_WEIGHT)
    return mean.astype(np.float32, copy=False)


def both_hubs(vectors: Vector, mean: Vector, bank: Bank) -> list[tuple[float, float]]:
    """Return the hubness of each row for questions in English and in Chinese."""
    centred = vectors - mean
    centred /= np.maximum(np.linalg.norm(centred, axis=1, keepdims=True), 1e-6)
    return list(zip(hub(bank, centred, "en").tolist(), hub(bank, centred, "zh").tolist(), strict=True))
