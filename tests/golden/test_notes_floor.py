"""Notes in a few words, mostly without a subject, given to an assistant; and reports that look like them."""

import json
from pathlib import Path

import pytest

from prefmem_pg.evaluation.chunks import as_messages, read_turns
from prefmem_pg.evaluation.records import Turn
from prefmem_pg.providers.local_embedder import LocalEmbedder
from prefmem_pg.providers.offline.extractor import OfflineExtractor
from prefmem_pg.providers.offline.prefilter import PreferencePrefilter

NOTES = Path(__file__).with_name("notes.jsonl")
LEAST_FOUND = {"en": 0.43, "zh": 0.7}
LEAST_PREFILTERED = 0.89
MOST_STORED = 0.1


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_notes_are_found_and_reports_are_not(embedder: LocalEmbedder, lang: str) -> None:
    extractor, prefilter = OfflineExtractor(embedder=embedder), PreferencePrefilter(embedder=embedder)
    rows = [row for row in map(json.loads, NOTES.read_text(encoding="utf-8").splitlines()) if row["lang"] == lang]
    told = [row["text"] for row in rows if row["kind"] == "keep"]
    idle = [row["text"] for row in rows if row["kind"] == "drop"]

    def is_found(text: str) -> bool:
        return bool(read_turns(extractor, "notes", [Turn(role="user", content=text)])[0])

    missed = [text for text in told if not is_found(text)]
    stored = [text for text in idle if is_found(text)]
    dropped = [t for t in told if not prefilter.keeps(as_messages("notes", [Turn(role="user", content=t)]))[0]]

    assert len(told) >= 16
    assert len(idle) == 10
    assert len(missed) <= (1 - LEAST_FOUND[lang]) * len(told), missed
    assert len(stored) <= MOST_STORED * len(idle), stored
    assert len(dropped) <= (1 - LEAST_PREFILTERED) * len(told), dropped
