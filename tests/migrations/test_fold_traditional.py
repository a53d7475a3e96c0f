"""What was written in traditional characters before the revision that folds them is found after it."""

from collections.abc import Iterator
from typing import Final

import pytest
from alembic import command
from sqlalchemy import Connection, Engine, text

from prefmem_pg.db.local import LocalServer
from prefmem_pg.db.upgrade import alembic_config
from prefmem_pg.domain import hanzi
from tests.databases import empty_database, opened

REVISION: Final = "0007"
BEFORE: Final = "0006"
ROWS: Final = """
INSERT INTO prefmem.users (user_id) VALUES ('ana');
INSERT INTO prefmem.dialogs (user_id, dialog_id) VALUES ('ana', 'd');
INSERT INTO prefmem.messages (user_id, message_id, dialog_id, role, content, occurred_at, external_id)
SELECT 'ana', gen_random_uuid(), 'd', 'user', content, now(), content
FROM unnest(ARRAY['我對花生過敏 🥜', '我喜欢听爵士乐', 'I love jazz']) AS given(content);
INSERT INTO prefmem.message_terms (user_id, lexeme, message_id, frequency, length)
SELECT m.user_id, u.lexeme, m.message_id, cardinality(u.positions),
  (SELECT sum(cardinality(positions)) FROM unnest(m.search_vector))
FROM prefmem.messages m CROSS JOIN LATERAL unnest(m.search_vector) u;
"""
POSTINGS: Final = """
SELECT m.content, array_agg(t.lexeme ORDER BY t.lexeme) = tsvector_to_array(m.search_vector) AS agree,
  array_agg(t.lexeme) && prefmem.query_terms(:query) AS is_found
FROM prefmem.messages m JOIN prefmem.message_terms t USING (user_id, message_id)
GROUP BY m.user_id, m.message_id ORDER BY m.content
"""


@pytest.fixture
def engine(server: LocalServer) -> Iterator[Engine]:
    with empty_database(server) as url, opened(url) as opened_engine:
        yield opened_engine


def found(connection: Connection, query: str) -> set[str]:
    rows = connection.execute(text(POSTINGS), {"query": query}).all()
    assert len(rows) == 3
    assert all(row.agree for row in rows)
    return {row.content for row in rows if row.is_found}


def test_old_rows_are_folded_and_a_downgrade_takes_it_back(engine: Engine) -> None:
    with engine.begin() as connection:
        command.upgrade(alembic_config(connection), BEFORE)
        connection.execution_options(no_parameters=True).exec_driver_sql(ROWS)
        before = found(connection, "过敏"), found(connection, "士樂")
        command.upgrade(alembic_config(connection), REVISION)
        after = found(connection, "过敏"), found(connection, "士樂")
        command.downgrade(alembic_config(connection), BEFORE)
        again = found(connection, "过敏"), found(connection, "士樂")

    assert before == again == (set(), set())
    assert after == ({"我對花生過敏 🥜"}, {"我喜欢听爵士乐"})


def test_sql_and_python_fold_the_same_characters(engine: Engine) -> None:
    with engine.begin() as connection:
        command.upgrade(alembic_config(connection), REVISION)
        given = hanzi.TRADITIONAL + "ASCII 簡体 🥜 乾隆皇帝\n"
        assert connection.scalar(text("SELECT prefmem.simplified(:given)"), {"given": given}) == hanzi.simplify(given)
