"""The plan of a search as it really ran: read from auto_explain, under row-level security."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import partial
from typing import Any

import psycopg

from prefmem_pg.db.filters import compile_filter
from prefmem_pg.db.hybrid import Ranked, ask_preferences, found_preferences, is_for_large
from prefmem_pg.db.local import LocalServer
from prefmem_pg.domain.preferences import Preference
from prefmem_pg.domain.text import statement_hash
from prefmem_pg.providers.bank import Bank
from prefmem_pg.providers.protocols import EmbeddingModel
from prefmem_pg.steps.retrieve import prepare_question
from tests.databases import database_of, superuser

AS_APP = (
    "BEGIN; SET LOCAL ROLE prefmem_app; SET LOCAL prefmem.user_id = '{user_id}'; SET LOCAL timezone = 'UTC';"
    " SET LOCAL enable_seqscan = off; SET LOCAL hnsw.iterative_scan = 'relaxed_order'; SET LOCAL hnsw.ef_search = 200"
)
EXPLAIN = """
LOAD 'auto_explain';
SET auto_explain.log_min_duration = 0; SET auto_explain.log_nested_statements = on; SET auto_explain.log_analyze = on;
SET auto_explain.log_format = json; SET client_min_messages = log
"""

Node = dict[str, Any]


class Explainer:
    """Runs searches on a connection that says how each was run."""

    def __init__(self, connection: psycopg.Connection, embedder: EmbeddingModel, bank: Bank) -> None:
        self._connection = connection
        self._embedder = embedder
        self._bank = bank
        self._said: list[str] = []
        connection.add_notice_handler(lambda notice: self._said.append(notice.message_primary or ""))
        connection.execute(EXPLAIN)

    def search(self, user_id: str, query: str, **options: Any) -> tuple[list[Node], list[tuple[Preference, Ranked]]]:
        """Return the nodes of the search's plan, and its rows."""
        question = prepare_question(query, self._embedder, self._bank)
        condition = compile_filter(options.pop("filter", None))
        self._connection.execute(AS_APP.format(user_id=user_id))
        self._said.clear()
        cursor = self._connection.cursor()
        ask = partial(
            ask_preferences,
            cursor,
            user_id=user_id,
            model_id=1,
            query=question.text,
            statement_hash=statement_hash(question.text),
            vector=question.raw,
            shipped_mean=question.shipped_mean,
            smoothing=question.smoothing,
            language=question.language,
            condition=condition.condition,
            condition_values=condition.values,
            min_score=0.0,
            now=datetime.now(UTC),
            **({"limit": 10} | options),
        )
        ask()
        if is_for_large(told := cursor.fetchall()):
            ask(is_large=True)
            told = cursor.fetchall()
        rows = found_preferences(told)
        self._connection.rollback()  # what ran last is told about when it is put away
        plans = [json.loads(said[said.index("{") :]) for said in self._said if "plan:" in said]
        [plan] = [plan for plan in plans if "weighted AS MATERIALIZED" in plan["Query Text"]]
        return list(nodes(plan["Plan"])), rows


@contextmanager
def explaining(server: LocalServer, url: str, embedder: EmbeddingModel, bank: Bank) -> Iterator[Explainer]:
    with superuser(server, database_of(url)) as connection:
        yield Explainer(connection, embedder, bank)


def nodes(plan: Node) -> Iterator[Node]:
    """Yield a plan and all below it."""
    yield plan
    for child in plan.get("Plans", ()):
        yield from nodes(child)


def branches(found: list[Node], index: str) -> list[Node]:
    """Return the scans of an index, also those in branches not taken; looking up a row by its id is no scan."""
    return [
        node
        for node in found
        if node.get("Index Name") == index and "preference_id =" not in node.get("Index Cond", "")
    ]


def scans(found: list[Node], index: str) -> list[Node]:
    """Return the scans of an index that ran; those in branches not taken have no loops."""
    return [node for node in branches(found, index) if node["Actual Loops"] > 0]
