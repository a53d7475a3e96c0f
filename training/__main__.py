"""Trains the sentence model from the corpus: python -m training [--vectors CACHE.npz]. Needs the extra "training"."""

import argparse
import json
import warnings
from collections import Counter
from pathlib import Path
from typing import Final

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold
from sklearn.neural_network import MLPClassifier

from prefmem_pg.evaluation.chunks import read_turns
from prefmem_pg.evaluation.records import Turn
from prefmem_pg.providers.local_embedder import LocalEmbedder
from prefmem_pg.providers.offline import sentence_model
from prefmem_pg.providers.offline.extractor import OfflineExtractor
from prefmem_pg.providers.offline.mask import mask
from prefmem_pg.providers.offline.sentence_model import HELD, holding, leaning, point
from prefmem_pg.providers.offline.traits import Told, as_told, side_of_rules, traits
from training.composed import composed
from training.corpus import LANGUAGES, Example, read_corpus
from training.glances import glances, sides, triage
from training.metrics import measure

TARGET: Final = Path(sentence_model.__file__).parent / "model"
HIDDEN: Final = 256
PENALTY: Final = 0.1
NETWORKS: Final = 3
"""Units, L2 penalty and number of networks; chosen on writers that were held apart (128 and 256; .03, .1, .3 and 1)."""
LEAST_LINES: Final = 60
"""Of a reason to keep nothing, for a class of its own; rarer ones are one class together."""
FOLDS: Final = 4
LOST_BY_PREFILTER: Final = 0.02
"""Of what holds something, the share that a pre-filter may drop by the model alone."""

Matrix = np.ndarray


def main() -> None:
    """Train on the whole corpus, measure on topics and writers that were held apart, and write both down."""
    parser = argparse.ArgumentParser(prog="python -m training", description=__doc__)
    parser.add_argument("--vectors", type=Path, help="a file to keep the vectors in, so that the next run is quick")
    cache = parser.parse_args().vectors
    warnings.simplefilter("ignore", ConvergenceWarning)
    examples = read_corpus()
    examples += composed(examples)
    texts = [mask(example.text).strip() for example in examples]
    vectors = embed(texts, cache)
    found = [found_by_rules(example) for example in examples]
    traits_of = np.array([traits(text, one) for text, one in zip(texts, found, strict=True)], np.float32)
    weights = space(vectors, traits_of)
    languages = [example.language for example in examples]
    points = np.array([point(weights, *one) for one in zip(vectors, traits_of, languages, strict=True)])
    labels = classes(examples)
    part = np.array([example.part for example in examples])
    looks, words = glances(examples)
    side_words, side_weights = sides(examples, part)
    weights |= words | side_weights | networks_as_arrays(fitted(points, labels))
    chances, shares = {}, {}
    for name in ("topic", "part"):
        score, shares[name] = held_apart(points, labels, np.array([getattr(example, name) for example in examples]))
        scores = np.column_stack([score, looks[name]])
        fits, chances[name] = calibrated("calibration", examples, scores, [True] * len(examples))
        weights |= fits  # the last stays: by part
    leanings = np.array([leaning(one) for one in shares["part"]])
    rules = np.array([side_of_rules(one) for one in traits_of])
    is_signed = [example.holds and example.polarity in ("positive", "negative") for example in examples]
    fits, likes = calibrated("side", examples, np.column_stack([leanings, side_words, rules]), is_signed)
    weights |= fits
    for language in LANGUAGES:
        held = [example.language == language and example.holds for example in examples]
        weights[f"kept_{language}"] = np.quantile(chances["part"][held], LOST_BY_PREFILTER)
    weights |= triage(examples, traits_of, looks["topic"], chances["topic"])
    np.savez_compressed(TARGET / "sentences.npz", **{name: smaller(array) for name, array in weights.items()})
    has_cue = np.array([one.confidence > 0 for one in found])
    metrics = measure(examples, weights, chances, shares["part"], likes, has_cue, rules)
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


def found_by_rules(example: Example) -> Told:
    """Return what the rules alone find."""
    before = [Turn(role="assistant", content=example.before)] if example.before else []
    found = read_turns(OfflineExtractor(embedder=None), "-", [*before, Turn(role="user", content=example.text)])
    return as_told((candidate.confidence, candidate.polarity, candidate.kind) for candidate in found[-1])


def space(vectors: Matrix, traits_of: Matrix) -> dict[str, Matrix]:
    """Return what places a sentence: the mean of the vectors, their scale, and the mean of the traits."""
    return {
        "mean": vectors.mean(axis=0),
        "scale": 1 / vectors.std(axis=0).mean(),
        "trait_mean": traits_of.mean(axis=0),
    }


def classes(examples: list[Example]) -> Matrix:
    """Return the class of each example: its place in HELD, or behind those one for each reason to keep nothing."""
    counted = Counter(example.label for example in examples)
    held: list[tuple[str, str]] = [*HELD]
    reasons = sorted(label for label in counted if label[0] == "none" and counted[label] >= LEAST_LINES)
    place_of = {label: n for n, label in enumerate([*held, *reasons])}
    kinds = {kind: n for n, (kind, _) in reversed([*enumerate(held)])}
    other = len(place_of)
    return np.array([place_of.get(e.label, kinds.get(e.kind, other)) for e in examples])


def fitted(points: Matrix, labels: Matrix) -> list[MLPClassifier]:
    """Return the networks, each from other first weights and with another tenth kept back to stop in time."""
    return [
        MLPClassifier(
            (HIDDEN,), alpha=PENALTY, early_stopping=True, n_iter_no_change=6, max_iter=60, random_state=seed
        ).fit(points, labels)
        for seed in range(NETWORKS)
    ]


def networks_as_arrays(networks: list[MLPClassifier]) -> dict[str, Matrix]:
    """Return the weights of the networks in the form that the model reads."""
    return {
        "hidden": np.hstack([one.coefs_[0] for one in networks]),
        "hidden_offset": np.concatenate([one.intercepts_[0] for one in networks]),
        "output": np.stack([one.coefs_[1] for one in networks]),
        "output_offset": np.stack([one.intercepts_[1] for one in networks]),
    }


def held_apart(points: Matrix, labels: Matrix, groups: Matrix) -> tuple[Matrix, Matrix]:
    """Return score and shares of HELD of every example by networks that have seen no example of its group."""
    scores, shares = np.zeros(len(points)), np.zeros((len(points), len(HELD)))
    for train, test in GroupKFold(FOLDS).split(points, labels, groups):
        told = np.stack([one.predict_proba(points[test]) for one in fitted(points[train], labels[train])], axis=1)
        scores[test] = [holding(one) for one in told]
        shares[test] = told.mean(axis=1)[:, : len(HELD)]
    return scores, shares


def calibrated(
    name: str, examples: list[Example], scores: Matrix, asked: list[bool]
) -> tuple[dict[str, Matrix], Matrix]:
    """Return what makes a probability of the scores for each language, and the probabilities of the examples.

    Fitted to the examples that are ``asked``: that they hold something, or if name is "side", that they are likings.
    """
    chances = np.zeros(len(examples))
    found: dict[str, Matrix] = {}
    truth = np.array([example.polarity == "positive" if name == "side" else example.holds for example in examples])
    for language in LANGUAGES:
        here = np.array([example.language == language for example in examples])
        taught = here & np.array(asked)
        fit = LogisticRegression(C=100).fit(scores[taught], truth[taught])
        found[f"{name}_{language}"] = np.append(fit.coef_[0], fit.intercept_)
        chances[here] = fit.predict_proba(scores[here])[:, 1]
    return found, chances


def smaller(array: Matrix) -> Matrix:
    """Return the array in half precision where it is large; single numbers keep theirs."""
    array = np.asarray(array)
    return array.astype(np.float16 if array.size > 1_000 else np.float32)


if __name__ == "__main__":
    main()
