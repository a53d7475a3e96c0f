"""Short follow-ups of our own in both languages: what each is searched with, and what is searched as it is."""

import json
from pathlib import Path

import pytest

from prefmem_pg.providers.offline.query_builder import OfflineQueryBuilder
from tests.unit.offline.test_query_builder import turns

CASES = [json.loads(line) for line in (Path(__file__).parent / "follow_ups.jsonl").read_text("utf-8").splitlines()]
# Measured: .945 in English, 1.0 in Chinese; see docs/evaluation.md for what was right before any case was looked at.
RIGHT = 0.90


def is_right(case: dict) -> bool:
    built = OfflineQueryBuilder().build(case["message"], turns(*case["turns"]))
    if case["added"] is None:
        return not built.is_expanded
    added = built.text.removeprefix(case["message"]).lower()
    return built.is_expanded and bool(built.message_ids) and any(word.lower() in added for word in case["added"])


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_follow_up_gets_what_it_leaves_unsaid(language: str) -> None:
    mine = [case for case in CASES if case["language"] == language]

    assert len(mine) == 55
    assert sum(map(is_right, mine)) / len(mine) >= RIGHT


def test_what_says_itself_what_it_is_about_stays_as_it_is() -> None:
    silent = [case for case in CASES if case["added"] is None]

    assert len(silent) >= 15
    assert [case["id"] for case in silent if not is_right(case)] == []


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_an_expansion_says_why_and_from_where(case: dict) -> None:
    before = turns(*case["turns"])
    built = OfflineQueryBuilder().build(case["message"], before)

    assert built.text.startswith(case["message"])
    assert (built.reason == "as asked") == (not built.is_expanded)
    assert set(built.message_ids) <= {message.message_id for message in before}
