"""Trains the sentence model from the corpus: python -m training [--vectors CACHE.npz]. Needs the extra "training"."""

import argparse
import json
from collections.abc import Callable
from pathlib import Path
from typing import Final

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold
from sklearn.svm import SVC

from prefmem_pg.evaluation.chunks import read_turns
from prefmem_pg.evaluation.records import Turn
from prefmem_pg.providers.local_embedder import LocalEmbedder
from prefmem_pg.providers.offline import sentence_model
from prefmem_pg.providers.offline.extractor import OfflineExtractor
from prefmem_pg.providers.offline.mask import mask
from prefmem_pg.providers.offline.traits import traits
from training.corpus import LANGUAGES, Example, read_corpus
from training.glances import quick_look
from training.metrics import measure

TARGET: Final = Path(sentence_model.__file__).parent / "model"
COMPONENTS: Final = 128
PENALTY: Final = 2.0
GAMMA: Final = 0.3
"""C and gamma of the support vector machine; chosen by cross-validation over topics."""
FOLDS: Final = 6

Matrix = np.ndarray


def main() -> None:
    """Train on the whole corpus, measure on topics and registers that were held apart, and write both down."""
    parser = argparse.ArgumentParser(prog="python -m training", description=__doc__)
    parser.add_argument("--vectors", type=Path, help="a file to keep the vectors in, so that the next run is quick")
    cache = parser.parse_args().vectors
    examples = read_corpus()
    texts = [mask(example.text).strip() for example in examples]
    vectors = embed(texts, cache)
    traits_of = np.array(
        [traits(text, cue_confidence=cues(example)) for text, example in zip(texts, examples, strict=True)], np.float32
    )
    weights = space(vectors, traits_of)
    points = np.array(
        [place(weights, *given) for given in zip(vectors, traits_of, (e.language for e in examples), strict=True)]
    )
    holds = np.array([example.holds for example in examples])
    by_topic = held_apart(points, holds, np.array([example.topic for example in examples]))
    by_register = held_apart(points, holds, np.array([example.register for example in examples]))
    weights |= fit(points, traits_of, examples, by_topic)
    np.savez_compressed(TARGET / "sentences.npz", **{name: smaller(array) for name, array in weights.items()})
    metrics = measure(examples, weights, {"topic": by_topic, "register": by_register}, traits_of[:, -1], points)
    (TARGET / "metrics.json").write_text(json.dumps(metrics, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    print(json.dumps(metrics, indent=1, ensure_ascii=False))


def embed(texts: list[str], cache: Path | None) -> Matrix:
    """Return the vectors of the texts; only those that the cache does not know are made."""
    known: dict[str, Matrix] = {}
    if cache and cache.exists():
        with np.load(cache) as kept:
            known = dict(zip(kept["texts"].tolist(), kept["vectors"], strict=True))
    if new := sorted(set(texts) - known.keys()):
        known |= zip(new, LocalEmbedder(cache_size=0).embed_queries(new), strict=True)
    if cache and new:
        np.savez(cache, texts=np.array(list(known)), vectors=np.stack(list(known.values())))
    return np.stack([known[text] for text in texts])


def cues(example: Example) -> float:
    """Return the confidence of the strongest cue that the rules alone find."""
    before = [Turn(role="assistant", content=example.before)] if example.before else []
    found = read_turns(OfflineExtractor(embedder=None), "-", [*before, Turn(role="user", content=example.text)])
    return max((candidate.confidence for candidate in found[-1]), default=0.0)


def space(vectors: Matrix, traits_of: Matrix) -> dict[str, Matrix]:
    """Return what places a sentence: mean, main components, and the mean of the traits."""
    mean = vectors.mean(axis=0)
    _, _, rows = np.linalg.svd(vectors - mean, full_matrices=False)
    return {"mean": mean, "components": rows[:COMPONENTS].T.copy(), "trait_mean": traits_of.mean(axis=0)}


def place(weights: dict[str, Matrix], vector: Matrix, given: Matrix, language: str) -> Matrix:
    """Return the point of a sentence as the model itself places it."""
    unused = np.zeros(1)
    none = {"support": np.zeros((1, COMPONENTS + len(given) + 1), np.float32), "grams": unused, "common": unused}
    return sentence_model.SentenceModel({**weights, **none}).point(vector, given, language)


def machine() -> SVC:
    return SVC(C=PENALTY, gamma=GAMMA)


def held_apart(points: Matrix, holds: Matrix, groups: Matrix) -> Matrix:
    """Return the decision for every example by a machine that has seen no example of its group."""
    decisions = np.zeros(len(points))
    for train, test in GroupKFold(FOLDS).split(points, holds, groups):
        decisions[test] = machine().fit(points[train], holds[train]).decision_function(points[test])
    return decisions


def fit(points: Matrix, traits_of: Matrix, examples: list[Example], decisions: Matrix) -> dict[str, Matrix]:
    """Return the weights of all models, trained on the whole corpus; calibrated on ``decisions`` of unseen topics."""
    holds = np.array([example.holds for example in examples])
    fitted = machine().fit(points, holds)
    weights: dict[str, Matrix] = {
        "support": fitted.support_vectors_,
        "dual": fitted.dual_coef_[0],
        "intercept": fitted.intercept_[0],
        "gamma": np.array(GAMMA),
        "kind": linear(points, examples, lambda e: e.kind if e.holds else None, sentence_model.KINDS),
        "sign": linear(points, examples, lambda e: e.polarity or None, sentence_model.SIGNS),
        "durable": linear(points, examples, lambda e: str(e.is_durable), ("False", "True"))[1],
        "own": linear(points, examples, lambda e: str(e.is_own), ("False", "True"))[1],
    }
    chances = np.zeros(len(examples))
    for language in LANGUAGES:
        here = np.array([example.language == language for example in examples])
        platt = LogisticRegression(C=100).fit(decisions[here, None], holds[here])
        weights[f"platt_{language}"] = np.array([platt.coef_[0, 0], platt.intercept_[0]])
        chances[here] = platt.predict_proba(decisions[here, None])[:, 1]
        weights |= thresholds(language, chances[here], holds[here], traits_of[here, -1] > 0)
    return weights | quick_look(examples, traits_of, chances, {name: weights[f"found_{name}"] for name in LANGUAGES})


def linear(
    points: Matrix, examples: list[Example], label: Callable[[Example], str | None], names: tuple[str, ...]
) -> Matrix:
    """Return one row of weights with its offset for each name, for the examples that have a label."""
    labels = [label(example) for example in examples]
    rows = [index for index, name in enumerate(labels) if name in names]
    fitted = LogisticRegression(C=3, max_iter=3000, class_weight="balanced" if len(names) == 2 else None).fit(
        points[rows], [names.index(labels[index] or "") for index in rows]
    )
    found = np.hstack([fitted.coef_, fitted.intercept_[:, None]])
    return np.vstack([-found, found]) if len(names) == 2 else found


def thresholds(language: str, chances: Matrix, holds: Matrix, has_cue: Matrix) -> dict[str, Matrix]:
    """Return from which probability on a sentence counts, by what it costs on topics that were not seen.

    found: without any cue, 85 of 100 that are taken are right. doubted: of the sentences with a cue that fall below,
    at least 4 of 5 hold nothing. kept: 97 of 100 that hold something lie above.
    """
    alone = ~has_cue
    steps = np.linspace(0.02, 0.98, 193)
    right = [holds[alone & (chances >= step)].mean() if (alone & (chances >= step)).any() else 1.0 for step in steps]
    found = next(step for step, share in zip(steps, right, strict=True) if share >= 0.85)
    below = [holds[has_cue & (chances < step)].mean() if (has_cue & (chances < step)).any() else 0.0 for step in steps]
    doubted = max((step for step, share in zip(steps, below, strict=True) if share <= 0.2), default=0.0)
    return {
        f"found_{language}": np.array(found),
        f"doubted_{language}": np.array(min(doubted, 0.4)),
        f"kept_{language}": np.array(np.quantile(chances[holds], 0.03)),
    }


def smaller(array: Matrix) -> Matrix:
    """Return the array in half precision where it is large; single numbers keep theirs."""
    return array.astype(np.float16 if array.size > 1_000 else np.float32)


if __name__ == "__main__":
    main()
