"""What the sentence model reaches on topics, and on registers, that it was not trained on."""

from typing import Any

import numpy as np

from prefmem_pg.providers.offline.model_reading import DOUBTED, FOUND
from prefmem_pg.providers.offline.sentence_model import HELD, polarity
from training.corpus import LANGUAGES, Example

Matrix = np.ndarray


def measure(
    examples: list[Example],
    weights: dict[str, Matrix],
    chances: dict[str, Matrix],
    shares: Matrix,
    likes: Matrix,
    has_cue: Matrix,
    rules: Matrix,
) -> dict[str, Any]:
    """Return the counts of the corpus and the quality by what was held apart and by language, as JSON.

    ``chances`` are those of holding anything, by what was held apart; ``shares`` of HELD and ``likes``, the chance of
    a liking, by models that have not seen the part. ``rules`` are the sides that the rules take.
    """
    report: dict[str, Any] = {"examples": {}, "held apart by": {name: {} for name in chances}, "kind and side": {}}
    languages = np.array([example.language for example in examples])
    holds = np.array([example.holds for example in examples])
    truth = np.array([{"positive": 1, "negative": -1}.get(example.polarity, 0) for example in examples])
    kinds = np.array([HELD[place][0] == one.kind for place, one in zip(shares.argmax(axis=1), examples, strict=True)])
    names = {"positive": 1, "negative": -1, "neutral": 0}
    side = np.array([names[polarity(*one)] for one in zip(shares, likes, rules, strict=True)])
    for language in LANGUAGES:
        here = languages == language
        report["examples"][language] = {"all": int(here.sum()), "hold something": int((here & holds).sum())}
        for name, given in chances.items():
            found = np.where(has_cue, given >= DOUBTED, given >= FOUND)[here]
            kept = ((given >= float(weights[f"kept_{language}"])) | has_cue)[here]
            report["held apart by"][name][language] = {
                "cues alone": scores(has_cue[here], holds[here]),
                "cues and model": scores(found, holds[here]),
                "pre-filter": {"kept": share(kept[holds[here]]), "dropped": share(~kept[~holds[here]])},
                "calibration error": round(calibration_error(given[here], holds[here]), 3),
            }
        own = here & holds
        signed = own & (truth != 0)
        report["kind and side"][language] = {
            "kind": share(kinds[own]),
            "side opposite": share((side * truth)[signed] < 0),
            "no side": share(side[signed] == 0),
            "rules opposite, of those that take a side": share((rules * truth)[signed & (rules != 0)] < 0),
            "model opposite, of the same": share((side * truth)[signed & (rules != 0)] < 0),
        }
    return report


def scores(told: Matrix, holds: Matrix) -> dict[str, float]:
    """Return precision, recall and F1."""
    right = (told & holds).sum()
    precision, recall = right / max(told.sum(), 1), right / holds.sum()
    return {
        "precision": round(float(precision), 3),
        "recall": round(float(recall), 3),
        "f1": round(float(2 * precision * recall / max(precision + recall, 1e-9)), 3),
    }


def calibration_error(chances: Matrix, holds: Matrix) -> float:
    """Return how far stated probabilities lie from what came true, over ten bins weighted by their size."""
    bins = np.minimum((chances * 10).astype(int), 9)
    return sum(
        abs(chances[bins == one].mean() - holds[bins == one].mean()) * (bins == one).mean() for one in np.unique(bins)
    )


def share(values: Matrix | list[bool]) -> float:
    """Return the share of what is true."""
    return round(float(np.mean(values)), 3)
