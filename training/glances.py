"""Trains the quick look by words alone, on the corpus and on the questions and statements of the bank."""

from collections.abc import Iterator
from importlib.resources import files

import numpy as np
from scipy.sparse import csr_matrix, vstack
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold

from prefmem_pg.providers.offline.mask import mask
from prefmem_pg.providers.offline.model_reading import told_part
from prefmem_pg.providers.offline.sentences import sentences
from prefmem_pg.providers.offline.word_grams import BUCKETS, gram_buckets
from training.corpus import LANGUAGES, Example

PENALTY = 10.0
WEIGHT_OF_BANK = 0.15
"""The bank is made of patterns, so that one of its lines tells less than one of the corpus; .15 and .4 were tried."""
FOLDS = 6


def glance(examples: list[Example]) -> tuple[np.ndarray, np.ndarray]:
    """Return the score of every example by weights that have not seen its topic, and the weights of all."""
    points = rows([mask(example.text).strip() for example in examples])
    holds = np.array([example.holds for example in examples])
    topics = np.array([example.topic for example in examples])
    bank = [*bank_lines()]
    others = rows([text for text, _ in bank])
    told = np.array([is_told for _, is_told in bank])

    def fit(places: np.ndarray) -> LogisticRegression:
        weights = np.r_[np.ones(len(places)), np.full(len(told), WEIGHT_OF_BANK)]
        machine = LogisticRegression(C=PENALTY, max_iter=3000)
        return machine.fit(vstack([points[places], others]), np.r_[holds[places], told], sample_weight=weights)

    scores = np.zeros(len(examples))
    for train, test in GroupKFold(FOLDS).split(points, holds, topics):
        scores[test] = fit(train).decision_function(points[test])
    whole = fit(np.arange(len(examples)))
    return scores, np.append(whole.coef_[0], whole.intercept_)


def bank_lines() -> Iterator[tuple[str, bool]]:
    """Yield statements, and what is told inside questions, with whether it holds something."""
    for language in LANGUAGES:
        for name, is_told in (("statements", True), ("questions", False)):
            text = (files("prefmem_pg.providers.bank") / f"{name}.{language}.txt").read_text(encoding="utf-8")
            for line in text.splitlines():
                if line and not line.startswith("#"):
                    parts = [told_part(span) for span in sentences(mask(line))]
                    yield from ((part.text, is_told) for part in parts if part)


def rows(texts: list[str]) -> csr_matrix:
    """Return one row a text: its buckets, scaled to length 1."""
    found = [gram_buckets(text) for text in texts]
    values = np.concatenate([np.full(len(one), len(one) ** -0.5) for one in found])
    return csr_matrix((values, np.concatenate(found), np.cumsum([0, *map(len, found)])), shape=(len(texts), BUCKETS))
