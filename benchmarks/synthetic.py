"""Users with made-up preferences: clustered vectors, words with Zipf's frequencies, some of it Chinese."""

import hashlib
import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

import numpy as np
from numpy.typing import NDArray

from benchmarks.server import DIMENSIONS

CLUSTERS = 500
ENGLISH_WORDS = 6_000
CHINESE_CHARACTERS = 1_500
CHINESE_SHARE = 0.15
NAMED_SHARE = 0.1
TOPICS = 20
RARE_WORD, FREQUENT_WORD = "quetzal", "habitual"
"""Words that a hundredth and a half of the English statements hold."""
START = datetime(2026, 1, 1, tzinfo=UTC)
_SYLLABLES = [c + v for c in "bdfgklmnprstvz" for v in "aeiou"]


@dataclass(frozen=True)
class SyntheticUser:
    """One user's rows as columns; ``vectors`` have length 1."""

    user_id: str
    ids: Sequence[uuid.UUID]
    statements: Sequence[str]
    languages: Sequence[str]
    entities: Sequence[list[str]]
    topics: Sequence[str]
    vectors: NDArray[np.float32]


@dataclass
class World:
    """Makes users, always the same ones from the same seed."""

    seed: int = 7
    rng: np.random.Generator = field(init=False)
    centres: NDArray[np.float32] = field(init=False)
    common: NDArray[np.float32] = field(init=False)
    words: list[str] = field(init=False)

    def __post_init__(self) -> None:
        self.rng = np.random.default_rng(self.seed)
        self.centres = self.rng.normal(size=(CLUSTERS, DIMENSIONS)).astype(np.float32)
        # Real embeddings share a large part, one for each language: this is what centring takes out.
        self.common = 2 * self.rng.normal(size=(2, DIMENSIONS)).astype(np.float32)
        self.words = ["".join(self.rng.choice(_SYLLABLES, size=self.rng.integers(2, 5))) for _ in range(ENGLISH_WORDS)]

    def user(self, user_id: str, rows: int) -> SyntheticUser:
        is_chinese = self.rng.random(rows) < CHINESE_SHARE
        clusters = self.rng.integers(CLUSTERS, size=rows)
        vectors = self.common[is_chinese.astype(int)] + self.centres[clusters]
        vectors = vectors + self.rng.normal(scale=0.7, size=vectors.shape).astype(np.float32)
        return SyntheticUser(
            user_id=user_id,
            ids=[uuid.UUID(int=int.from_bytes(self.rng.bytes(16), "big")) for _ in range(rows)],
            statements=[self._statement(place, bool(chinese)) for place, chinese in enumerate(is_chinese)],
            languages=["zh" if chinese else "en" for chinese in is_chinese],
            entities=[
                [self.words[-1 - place % 200].title()] * (self.rng.random() < NAMED_SHARE) for place in range(rows)
            ],
            topics=[f"topic-{int(t)}" for t in self.rng.zipf(1.5, size=rows) % TOPICS],
            vectors=_unit(vectors),
        )

    def _statement(self, place: int, is_chinese: bool) -> str:
        if is_chinese:
            picked = (self.rng.zipf(1.3, size=self.rng.integers(6, 14)) % CHINESE_CHARACTERS).astype(int)
            return "我喜欢" + "".join(chr(0x4E00 + int(p)) for p in picked) + f" {place}"
        head = ("I prefer ", "I like ", "I never want ", "")[place % 4]
        marks = [FREQUENT_WORD] * (place % 2) + [RARE_WORD] * (place % 100 == 7)
        return head + " ".join([*self.zipf_words(int(self.rng.integers(5, 15))), *marks]) + f" {place}"

    def zipf_words(self, number: int) -> list[str]:
        return [self.words[int(p)] for p in self.rng.zipf(1.2, size=number) % ENGLISH_WORDS]

    def question(self, user: SyntheticUser, word: str = RARE_WORD) -> tuple[str, NDArray[np.float32]]:
        """Return a question with one keyword, near one of the user's English rows: its vector with noise."""
        places = [place for place, language in enumerate(user.languages) if language == "en"]
        place = places[int(self.rng.integers(len(places)))]
        noise = self.rng.normal(scale=0.03, size=DIMENSIONS).astype(np.float32)
        # No two are the same, so that no cache helps; a number is no word of any statement.
        return f"{word} {self.rng.integers(10**9, 10**10)}", _unit(user.vectors[place] + noise)


def preference_rows(user: SyntheticUser) -> Iterator[tuple[object, ...]]:
    """Yield rows of prefmem.preferences in the order of PREFERENCE_COLUMNS."""
    for place, statement in enumerate(user.statements):
        at = START + timedelta(minutes=place)
        digest = hashlib.sha256(f"{place} {statement}".encode()).digest()
        yield (
            user.user_id, user.ids[place], "explicit", statement, digest, "positive", user.topics[place],
            user.entities[place], user.languages[place], 0.8, 0.5, "none", "activated", at, at, at,
        )  # fmt: skip


PREFERENCE_COLUMNS = (
    "user_id, preference_id, kind, statement, statement_hash, polarity, topic, entities, language, confidence,"
    " importance, sensitivity, status, valid_from, created_at, updated_at"
)
_TYPES = "text uuid text text bytea text text text[] text float4 float4 text text timestamptz timestamptz timestamptz"
PREFERENCE_TYPES = tuple(_TYPES.split())


def _unit(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    unit: NDArray[np.float32] = (vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)).astype(np.float32)
    return unit
