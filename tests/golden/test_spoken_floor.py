"""Chinese as people say it in a chat: of what they state, how much is found and with how many signs wrong.

The sentences were written in five rounds, each measured once before its kinds of fault were mended.
"""

import json
from pathlib import Path

import pytest

from prefmem_pg.domain.preferences import Candidate
from prefmem_pg.evaluation.chunks import read_turns
from prefmem_pg.evaluation.records import Turn
from prefmem_pg.providers.local_embedder import LocalEmbedder
from prefmem_pg.providers.offline.extractor import OfflineExtractor

SAID = Path(__file__).parent / "spoken.jsonl"
LEAST_FOUND = 0.90
MOST_WRONG_SIGNS = 0.04
OPPOSITE = {"positive": "negative", "negative": "positive"}


@pytest.fixture(scope="module")
def found(embedder: LocalEmbedder) -> list[tuple[dict[str, str], list[Candidate]]]:
    extractor = OfflineExtractor(embedder=embedder)
    rows = [json.loads(line) for line in SAID.read_text(encoding="utf-8").splitlines()]
    return [(row, read_turns(extractor, "golden", [Turn(role="user", content=row["text"])])[0]) for row in rows]


def test_most_of_what_is_said_of_oneself_is_found(found: list[tuple[dict[str, str], list[Candidate]]]) -> None:
    missed = [row["text"] for row, candidates in found if not candidates]

    assert len(missed) <= (1 - LEAST_FOUND) * len(found), missed


def test_few_signs_are_turned(found: list[tuple[dict[str, str], list[Candidate]]]) -> None:
    signs = [(row, {one.polarity for one in candidates}) for row, candidates in found if candidates]
    wrong = [
        row["text"] for row, given in signs if OPPOSITE.get(row["polarity"]) in given and row["polarity"] not in given
    ]

    assert len(wrong) <= MOST_WRONG_SIGNS * len(signs), wrong
