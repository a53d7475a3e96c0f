"""Sentences of every sort, written apart from the rules: what is found in them, and what is rightly left alone."""

import csv
from collections.abc import Sequence
from pathlib import Path

import pytest

from prefmem_pg.domain.preferences import Candidate
from prefmem_pg.providers.offline.extractor import OfflineExtractor
from prefmem_pg.providers.protocols import Chunk

HERE = Path(__file__).parent


def sentences_said(language: str, *sorts: str) -> list[dict[str, str]]:
    with (HERE / f"said_{language}.tsv").open(encoding="utf-8", newline="") as file:
        return [row for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE) if row["sort"] in sorts]


@pytest.fixture
def find(make_message):
    """Extract from a sentence, said after the assistant's words before it where there are any."""

    def run(row: dict[str, str]) -> Sequence[Candidate]:
        asked = [make_message(row["before"], role="assistant", number=1)] if row["before"] else []
        messages = (*asked, make_message(row["text"], number=2))
        return OfflineExtractor().extract(Chunk(user_id="u-1", dialog_id="d-1", messages=messages, time_zone="UTC"))

    return run


def share(results: Sequence[bool]) -> float:
    return sum(results) / len(results)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_nothing_is_kept_of_jokes_questions_errands_and_other_people(find, language):
    kept = [found for row in sentences_said(language, "none") for found in find(row)]

    assert [found.statement for found in kept] == []


@pytest.mark.parametrize(
    ("language", "sort", "floor"),
    [(one, *two) for one in ("en", "zh") for two in (("stated", 0.9), ("elliptical", 0.75))],
)
def test_most_of_what_is_said_is_found_with_the_word_that_it_is_about(find, language, sort, floor):
    rows = sentences_said(language, sort)
    named = [any(row["words"].lower() in found.statement.lower() for found in find(row)) for row in rows]

    assert share(named) >= floor, [row["text"] for row, is_named in zip(rows, named, strict=True) if not is_named]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_what_is_said_has_the_sign_that_the_speaker_gave_it(find, language):
    rows = [row for row in sentences_said(language, "stated", "elliptical") if row["polarity"]]
    pairs = [(row, [one for one in find(row) if row["words"].lower() in one.statement.lower()]) for row in rows]
    wrong = [row["text"] for row, found in pairs if found and all(one.polarity != row["polarity"] for one in found)]

    assert wrong == []


@pytest.mark.parametrize("language", ["en", "zh"])
def test_each_quote_is_in_the_message_word_for_word(find, language):
    for row in sentences_said(language, "stated", "elliptical"):
        for found in find(row):
            (span,) = found.evidence
            assert row["text"][span.start : span.end] == span.quote
