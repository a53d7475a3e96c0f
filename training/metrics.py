"""What the sentence model reaches on topics, and on registers, that it was not trained on."""

from typing import Any

import numpy as np

from prefmem_pg.providers.offline.sentence_model import KINDS, SIGNS
from training.corpus import LANGUAGES, Example

Matrix = np.ndarray


def measure(
    examples: list[Example],
    weights: dict[str, Matrix],
    decisions: dict[str, Matrix],
    cue_confidence: Matrix,
    points: Matrix,
) -> dict[str, Any]:
    """Return the counts of the corpus and the quality by what was held apart and by language, as JSON."""
    report: dict[str, Any] = {"examples": {}, "held apart by": {}, "kind and sign, fitted": {}}
    for language in LANGUAGES:
        here = np.array([example.language == language for example in examples])
        holds = np.array([example.holds for example in examples])[here]
        report["examples"][language] = {"all": int(here.sum()), "hold something": int(holds.sum())}
        cued = cue_confidence[here] > 0
        for name, values in decisions.items():
            slope, offset = weights[f"platt_{language}"]
            chances = 1 / (1 + np.exp(-(slope * values[here] + offset)))
            found = float(weights[f"found_{language}"])
            doubted = float(weights[f"doubted_{language}"])
            told = np.where(cued, chances >= doubted, chances >= found)
            kept = (chances >= float(weights[f"kept_{language}"])) | cued
            report["held apart by"].setdefault(name, {})[language] = {
                "cues alone": scores(cued, holds),
                "cues and model": scores(told, holds),
                "pre-filter": {"kept": share(kept[holds]), "dropped": share(~kept[~holds])},
                "found from": round(found, 3),
                "calibration error": round(calibration_error(chances, holds), 3),
            }
        own = [i for i in np.flatnonzero(here) if examples[i].holds]
        report["kind and sign, fitted"][language] = {
            "kind": share([KINDS[guess(weights["kind"], points[i])] == examples[i].kind for i in own]),
            "sign opposite": share(
                [
                    {SIGNS[guess(weights["sign"], points[i])], examples[i].polarity} == {"positive", "negative"}
                    for i in own
                ]
            ),
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


def guess(rows: Matrix, point: Matrix) -> int:
    """Return the row that a point fits best."""
    return int((rows[:, :-1] @ point + rows[:, -1]).argmax())


def share(values: Matrix | list[bool]) -> float:
    """Return the share of what is true."""
    return round(float(np.mean(values)), 3)
