"""Random filters on random rows: SQL must say what plain Python says."""

from typing import Any

import hypothesis.strategies as st
from hypothesis import HealthCheck, given, settings

from prefmem_pg.db.session import Database
from tests.filter_oracle import matches
from tests.filter_rows import Given, found
from tests.filter_strategies import expressions, keywords, random_rows


@settings(max_examples=80, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
@given(
    filters=st.lists(expressions | keywords, min_size=4, max_size=12),
    candidates=st.lists(random_rows, min_size=2, max_size=8),
)
def test_sql_and_plain_python_agree(database: Database, filters: list[Given], candidates: list[dict[str, Any]]) -> None:
    answers = found(database, filters, candidates)

    for each, answer in zip(filters, answers, strict=True):
        assert answer == [matches(each, candidate) for candidate in candidates], each
