"""Trains the quick look by words, then by words and traits, that says which sentences are worth a vector."""

from collections import Counter
from collections.abc import Iterator
from importlib.resources import files

import numpy as np
from scipy.sparse import csr_matrix, vstack
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold

from prefmem_pg.domain.text import detect_language
from prefmem_pg.providers.offline.mask import mask
from prefmem_pg.providers.offline.model_reading import told_part
from prefmem_pg.providers.offline.sentences import sentences
from prefmem_pg.providers.offline.traits import traits
from prefmem_pg.providers.offline.word_grams import BUCKETS, gram_buckets, word_bucket, words
from training.corpus import FOLDER, LANGUAGES, Example

PENALTY = 10.0
WEIGHT_OF_BANK = 0.15
"""The bank is made of patterns, so that one of its lines tells less than one of the corpus; .15 and .4 were tried."""
COMMON = 12
"""Lines of corpus and plain talk that have a word, for a frame to keep it; 6, 12 and 20 were tried."""
FOLDS = 6
LOST_BY_WORDS, LOST_BY_TRAITS = 0.03, 0.05
"""Of what the model would find without a cue on topics that it has not seen, the share that each look may miss."""

Matrix = np.ndarray


def quick_look(
    examples: list[Example], traits_of: Matrix, chances: Matrix, found: dict[str, float]
) -> dict[str, Matrix]:
    """Return the weights and thresholds of both looks.

    ``chances`` are those of the model on topics that it has not seen, ``found`` by language from which of them on it
    takes a sentence for a preference.
    """
    plain = [*plain_lines()]
    texts = [*(mask(example.text).strip() for example in examples), *plain]
    seen = Counter(word_bucket(word) for text in texts for word in set(words(text)))
    common = {bucket for bucket, count in seen.items() if count >= COMMON}
    holds = np.r_[[example.holds for example in examples], np.zeros(len(plain), bool)]
    topics = np.array([*(example.topic for example in examples), *(f"plain {i % FOLDS}" for i in range(len(plain)))])
    languages = np.array([*(example.language for example in examples), *map(detect_language, plain)])
    all_traits = np.vstack([traits_of, [traits(text, cue_confidence=0.0) for text in plain]])
    glances, grams = _glance(texts, holds, topics, common)
    points = np.hstack([all_traits, glances[:, None]])
    weights = {"grams": grams, "common": np.isin(np.arange(BUCKETS), [*common])}
    for language in LANGUAGES:
        # Both languages teach each: what a trait means is mostly the same, the differences are learned beside it.
        here = languages == language
        both = np.hstack([points, points * here[:, None], here[:, None]])
        scores, whole = held_apart(both, holds, topics)
        taught, own = whole.coef_[0, : points.shape[1]], whole.coef_[0, points.shape[1] : -1]
        weights[f"triage_{language}"] = np.r_[taught + own, whole.intercept_[0] + whole.coef_[0, -1]]
        told = here & holds & (all_traits[:, -1] == 0)
        told[: len(examples)] &= chances >= found[language]
        weights[f"glanced_{language}"] = np.quantile(glances[told], LOST_BY_WORDS)
        weights[f"pays_{language}"] = np.quantile(scores[told], LOST_BY_TRAITS)
    return weights


def held_apart(points: Matrix, holds: Matrix, topics: Matrix) -> tuple[Matrix, LogisticRegression]:
    """Return the score of each line by a machine that has not seen its topic, and the machine that has seen all."""
    scores = np.zeros(len(holds))
    for train, test in GroupKFold(FOLDS).split(points, holds, topics):
        fitted = LogisticRegression(C=1, max_iter=3000).fit(points[train], holds[train])
        scores[test] = fitted.decision_function(points[test])
    return scores, LogisticRegression(C=1, max_iter=3000).fit(points, holds)


def _glance(texts: list[str], holds: Matrix, topics: Matrix, common: set[int]) -> tuple[Matrix, Matrix]:
    """Return the score of every line by weights that have not seen its topic, and the weights of all."""
    points = rows(texts, common)
    bank = [*bank_lines()]
    others = rows([text for text, _ in bank], common)
    told = np.array([is_told for _, is_told in bank])

    def fit(places: Matrix) -> LogisticRegression:
        weights = np.r_[np.ones(len(places)), np.full(len(told), WEIGHT_OF_BANK)]
        machine = LogisticRegression(C=PENALTY, max_iter=3000)
        return machine.fit(vstack([points[places], others]), np.r_[holds[places], told], sample_weight=weights)

    scores = np.zeros(len(texts))
    for train, test in GroupKFold(FOLDS).split(points, holds, topics):
        scores[test] = fit(train).decision_function(points[test])
    whole = fit(np.arange(len(texts)))
    return scores, np.append(whole.coef_[0], whole.intercept_)


def plain_lines() -> Iterator[str]:
    """Yield what is said all day and holds nothing, masked: too plain to teach the model, but most of what is read."""
    for language in LANGUAGES:
        for line in (FOLDER / f"plain.{language}.txt").read_text(encoding="utf-8").splitlines():
            if line and not line.startswith("#"):
                yield from (part.text for part in map(told_part, sentences(mask(line))) if part)


def bank_lines() -> Iterator[tuple[str, bool]]:
    """Yield statements, and what is told inside questions, with whether it holds something."""
    for language in LANGUAGES:
        for name, is_told in (("statements", True), ("questions", False)):
            text = (files("prefmem_pg.providers.bank") / f"{name}.{language}.txt").read_text(encoding="utf-8")
            for line in text.splitlines():
                if line and not line.startswith("#"):
                    parts = [told_part(span) for span in sentences(mask(line))]
                    yield from ((part.text, is_told) for part in parts if part)


def rows(texts: list[str], common: set[int]) -> csr_matrix:
    """Return one row a text: its buckets, scaled to length 1."""
    found = [gram_buckets(text, common) for text in texts]
    values = np.concatenate([np.full(len(one), len(one) ** -0.5) for one in found])
    return csr_matrix(
        (values, np.concatenate(found), np.cumsum([0, *map(len, found)])), shape=(len(texts), 2 * BUCKETS)
    )
