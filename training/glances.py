"""Trains the quick look by words, then by words and traits, that says which sentences are worth a vector."""

from collections.abc import Iterator
from importlib.resources import files

import numpy as np
from scipy.sparse import csr_matrix, diags
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold

from prefmem_pg.providers.offline.mask import mask
from prefmem_pg.providers.offline.model_reading import FOUND, told_part
from prefmem_pg.providers.offline.sentences import sentences
from prefmem_pg.providers.offline.word_grams import BUCKETS, gram_buckets
from training.corpus import LANGUAGES, Example

PENALTY = 0.3
WEIGHT_OF_BANK = 0.15
"""The bank is made of patterns, so that one of its lines tells less than one of the corpus; .15 and .4 were tried."""
FOLDS = 4
LOST_BY_WORDS, LOST_BY_TRAITS = 0.03, 0.17
"""Of what the model would find without a cue on topics that it has not seen, the share that each look may miss."""

Matrix = np.ndarray


def glances(examples: list[Example]) -> tuple[dict[str, Matrix], dict[str, Matrix]]:
    """Return the scores of every example by words alone, from weights that have not seen its group, and the weights.

    The scores are by what was held apart, "topic" or "part".
    """
    bank = [*bank_lines()]
    points = rows([*(mask(example.text).strip() for example in examples), *(text for text, _ in bank)])
    holds = np.array([*(example.holds for example in examples), *(is_told for _, is_told in bank)])
    weighs = np.r_[np.ones(len(holds) - len(bank)), np.full(len(bank), WEIGHT_OF_BANK)]
    of_bank = np.arange(len(holds) - len(bank), len(holds))
    found = {}
    for name in ("topic", "part"):
        apart = np.array([getattr(example, name) for example in examples])
        scores = np.zeros(len(apart))
        for train, test in GroupKFold(FOLDS).split(apart, groups=apart):
            weights = linear(points, np.r_[train, of_bank], holds, weighs)
            scores[test] = by_words(points[test], *weights)
        found[name] = scores
    weights = linear(points, np.arange(len(holds)), holds, weighs)
    return found, {"grams": weights[0], "grams_offset": weights[1]}


def sides(examples: list[Example], part: Matrix) -> tuple[Matrix, dict[str, Matrix]]:
    """Return the side of every example by words alone, from weights that have not seen its part, and the weights."""
    points = rows([mask(example.text).strip() for example in examples])
    likes = np.array([example.polarity == "positive" for example in examples])
    signed = np.array([example.holds and example.polarity in ("positive", "negative") for example in examples])
    ones = np.ones(len(examples))
    scores = np.zeros(len(examples))
    for train, test in GroupKFold(FOLDS).split(part, groups=part):
        scores[test] = by_words(points[test], *linear(points, train[signed[train]], likes, ones))
    weights = linear(points, np.flatnonzero(signed), likes, ones)
    return scores, {"side_grams": weights[0], "side_grams_offset": weights[1]}


def linear(points: csr_matrix, places: Matrix, wanted: Matrix, weighs: Matrix) -> tuple[Matrix, Matrix]:
    """Return the weight of each bucket and the offset. Runs that stand in one line alone stay unknown.

    A run counts the more the rarer it is, as in a search; that is in its weight.
    """
    lines = points[places]
    met = np.asarray(lines.sum(axis=0)).ravel()
    rarity = np.where(met >= 2, np.log(1 + len(places) / np.maximum(met, 1)), 0)
    machine = LogisticRegression(C=PENALTY, max_iter=3000)
    machine.fit(scaled(lines, rarity > 0) @ diags(rarity), wanted[places], sample_weight=weighs[places])
    return machine.coef_[0] * rarity, machine.intercept_[0]


def by_words(points: csr_matrix, weights: Matrix, offset: Matrix) -> Matrix:
    """Return the scores as the model makes them."""
    return scaled(points, weights != 0) @ weights + offset


def scaled(points: csr_matrix, is_known: Matrix) -> csr_matrix:
    """Return the rows divided by the root of how many known runs each has."""
    known = points @ is_known.astype(float)
    return diags(np.maximum(known, 1) ** -0.5) @ points @ diags(is_known.astype(float))


def triage(examples: list[Example], traits_of: Matrix, scores: Matrix, chances: Matrix) -> dict[str, Matrix]:
    """Return the weights and thresholds of the quick look by words and traits.

    ``scores`` are those of ``glances`` by topic, ``chances`` those of the model on topics that it has not seen.
    """
    holds = np.array([example.holds for example in examples])
    topics = np.array([example.topic for example in examples])
    languages = np.array([example.language for example in examples])
    points = np.hstack([traits_of, scores[:, None]])
    weights = {}
    for language in LANGUAGES:
        # Both languages teach each: what a trait means is mostly the same, the differences are learned beside it.
        here = languages == language
        both = np.hstack([points, points * here[:, None], here[:, None]])
        apart, whole = held_apart(both, holds, topics)
        taught, own = whole.coef_[0, : points.shape[1]], whole.coef_[0, points.shape[1] : -1]
        weights[f"triage_{language}"] = np.r_[taught + own, whole.intercept_[0] + whole.coef_[0, -1]]
        told = here & holds & (traits_of[:, 0] == 0) & (chances >= FOUND)  # the first trait: a cue's confidence
        weights[f"glanced_{language}"] = np.quantile(scores[told], LOST_BY_WORDS)
        weights[f"pays_{language}"] = np.quantile(apart[told], LOST_BY_TRAITS)
    return weights


def held_apart(points: Matrix, holds: Matrix, topics: Matrix) -> tuple[Matrix, LogisticRegression]:
    """Return the score of each line by a machine that has not seen its topic, and the machine that has seen all."""
    scores = np.zeros(len(holds))
    for train, test in GroupKFold(FOLDS).split(points, holds, topics):
        fitted = LogisticRegression(C=1, max_iter=3000).fit(points[train], holds[train])
        scores[test] = fitted.decision_function(points[test])
    return scores, LogisticRegression(C=1, max_iter=3000).fit(points, holds)


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
    """Return one row a text: a one for each of its buckets."""
    found = [gram_buckets(text) for text in texts]
    return csr_matrix(
        (np.ones(sum(map(len, found))), np.concatenate(found), np.cumsum([0, *map(len, found)])),
        shape=(len(texts), BUCKETS),
    )
