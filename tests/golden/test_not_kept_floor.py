"""What must not be kept (reports, suppositions, others' tastes, code, quotes, parts played, advice, errands, sarcasm).

And what must be, of the user's own right beside such words. Measured by the cues alone and with the model.
"""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from prefmem_pg.domain.preferences import Candidate
from prefmem_pg.evaluation.chunks import read_turns
from prefmem_pg.evaluation.records import Turn
from prefmem_pg.providers.local_embedder import LocalEmbedder
from prefmem_pg.providers.offline.extractor import OfflineExtractor

HERE = Path(__file__).parent
Read = Callable[[str], list[Candidate]]

MOST_STORED = {"en": 0.04, "zh": 0.07}
LEAST_KEPT = {"en": 0.75, "zh": 0.85}
MOST_WRONG_SIGNS = 0.04


def rows(name: str, language: str) -> list[dict[str, str]]:
    lines = (HERE / name).read_text(encoding="utf-8").splitlines()
    return [row for row in map(json.loads, lines) if row["lang"] == language]


@pytest.fixture(scope="module", params=["cues", "cues and model"])
def mode(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def read(mode: str, embedder: LocalEmbedder) -> Read:
    extractor = OfflineExtractor(embedder=embedder if mode == "cues and model" else None)
    return lambda text: read_turns(extractor, "golden", [Turn(role="user", content=text)])[0]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_what_is_not_the_users_own_and_lasting_is_seldom_stored(read: Read, language: str) -> None:
    said = rows("not_kept.jsonl", language)
    stored = [(row["kind"], row["text"]) for row in said if read(row["text"])]

    assert len(said) >= 60
    assert len(stored) <= MOST_STORED[language] * len(said), stored


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_users_own_beside_the_words_of_others_is_kept_with_its_sign(read: Read, mode: str, language: str) -> None:
    said = rows("kept.jsonl", language)
    found = [(row, read(row["text"])) for row in said]
    kept = [(row, candidates) for row, candidates in found if candidates]
    opposite = {"positive": "negative", "negative": "positive"}
    wrong = [
        row["text"]
        for row, candidates in kept
        if row["polarity"] in opposite and candidates[-1].polarity == opposite[row["polarity"]]
    ]

    assert len(kept) >= LEAST_KEPT[language] * len(said), [row["text"] for row, candidates in found if not candidates]
    assert len(wrong) <= MOST_WRONG_SIGNS * len(kept), wrong
