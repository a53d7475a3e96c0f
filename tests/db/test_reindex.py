"""Indexes that are missing or invalid are found, and built while others read and write."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from time import sleep

import psycopg
import pytest
from sqlalchemy import Engine, text

from prefmem_pg.db import model_indexes
from prefmem_pg.db.engine import make_engine
from prefmem_pg.db.local import LocalServer
from prefmem_pg.db.reindex import IndexFault, find_index_faults, find_missing_constraints, reindex
from prefmem_pg.db.upgrade import upgrade
from prefmem_pg.errors import Conflict
from prefmem_pg.memory import PreferenceMemory
from prefmem_pg.providers.local_embedder import LocalEmbedder
from tests.catalog import describe
from tests.conftest import LOCAL_MODEL, fresh_database
from tests.databases import database_of, superuser
from tests.factories import UserRows


@pytest.fixture
def url(server: LocalServer) -> Iterator[str]:
    with fresh_database(server) as url:
        yield url


@pytest.fixture
def engine(url: str) -> Iterator[Engine]:
    engine = make_engine(url)
    yield engine
    engine.dispose()


def run(engine: Engine, statement: str) -> None:
    with engine.begin() as connection:
        connection.execute(text(statement))


def catalog(engine: Engine) -> list[str]:
    with engine.connect() as connection:
        return list(describe(connection))


def make_invalid(server: LocalServer, url: str, name: str) -> None:
    """Mark an index as an interrupted CREATE INDEX CONCURRENTLY leaves it."""
    with superuser(server, database_of(url)) as dba:
        dba.execute(
            "UPDATE pg_index SET indisvalid = false WHERE indexrelid = CAST(%s AS regclass)", [f"prefmem.{name}"]
        )


def test_a_database_that_is_well_has_no_faults_and_nothing_to_do(engine: Engine) -> None:
    before = catalog(engine)

    assert find_index_faults(engine) == []
    assert find_missing_constraints(engine) == []
    report = reindex(engine)
    assert (report.created, report.rebuilt, report.dropped) == ((), (), ())
    assert catalog(engine) == before


def test_b111_an_invalid_index_is_found_and_built_again(server: LocalServer, url: str, engine: Engine) -> None:
    before = catalog(engine)
    make_invalid(server, url, "ix_model_1_preference_hnsw_en")
    make_invalid(server, url, "ix_preferences_topic")

    assert find_index_faults(engine) == [
        IndexFault("ix_model_1_preference_hnsw_en", "invalid"),
        IndexFault("ix_preferences_topic", "invalid"),
    ]
    told: list[str] = []
    assert reindex(engine, on_index=told.append).rebuilt == ("ix_model_1_preference_hnsw_en", "ix_preferences_topic")
    assert told == ["ix_model_1_preference_hnsw_en", "ix_preferences_topic"]
    assert catalog(engine) == before


def test_indexes_that_are_gone_are_made_as_they_were(engine: Engine) -> None:
    before = catalog(engine)
    names = [
        "ix_model_1_message_exact",
        "ix_model_1_preference_exact",
        "ix_model_1_preference_hnsw_en",
        "ix_preferences_entities",
        "ux_preferences_activated_statement",
    ]
    for name in names:
        run(engine, f"DROP INDEX prefmem.{name}")

    assert find_index_faults(engine) == [IndexFault(name, "missing") for name in names]
    assert reindex(engine).created == tuple(names)
    assert catalog(engine) == before


OLD = "CREATE INDEX {} ON prefmem.preference_embeddings USING hnsw ((embedding::halfvec(384)) halfvec_l2_ops)"


def test_an_index_that_an_older_version_made_otherwise_is_made_anew(engine: Engine) -> None:
    before = catalog(engine)
    for rebuild in (lambda: upgrade(engine, model=LOCAL_MODEL), lambda: reindex(engine)):
        run(engine, "DROP INDEX prefmem.ix_model_1_preference_hnsw_zh")
        run(engine, OLD.format("ix_model_1_preference_hnsw_zh"))
        assert find_index_faults(engine) == [IndexFault("ix_model_1_preference_hnsw_zh", "outdated")]
        rebuild()
        assert (find_index_faults(engine), catalog(engine)) == ([], before)


def test_an_index_that_is_not_used_any_more_goes_with_the_upgrade(engine: Engine) -> None:
    before = catalog(engine)
    run(engine, OLD.format("ix_model_1_preference_hnsw"))

    upgrade(engine, model=LOCAL_MODEL)

    assert catalog(engine) == before


def test_an_index_of_a_big_table_is_left_to_reindex(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(model_indexes, "BUILT_AT_ONCE", -2)
    run(engine, "DROP INDEX prefmem.ix_model_1_preference_hnsw_zh")

    upgrade(engine, model=LOCAL_MODEL)
    assert find_index_faults(engine) == [IndexFault("ix_model_1_preference_hnsw_zh", "missing")]

    assert reindex(engine).created == ("ix_model_1_preference_hnsw_zh",)


def test_what_an_interrupted_reindex_left_behind_is_dropped(server: LocalServer, url: str, engine: Engine) -> None:
    before = catalog(engine)
    run(engine, "CREATE INDEX ix_preferences_topic_ccnew ON prefmem.preferences (user_id, topic)")
    make_invalid(server, url, "ix_preferences_topic_ccnew")

    assert reindex(engine).dropped == ("ix_preferences_topic_ccnew",)
    assert catalog(engine) == before


def test_all_the_indexes_of_the_model_can_be_built_anew(engine: Engine, url: str, embedder: LocalEmbedder) -> None:
    with PreferenceMemory.connect(url, embedder=embedder) as memory:
        memory.remember("u-博", "我喜欢绿茶 🍵")
        nodes = (
            "SELECT string_agg(relfilenode::text, ',' ORDER BY relname) FROM pg_class WHERE relname LIKE 'ix_model%'"
        )
        with engine.connect() as connection:
            before = connection.exec_driver_sql(nodes.replace("%", "%%")).scalar_one()
        assert len(reindex(engine, rebuild_all=True).rebuilt) == 7
        with engine.connect() as connection:
            assert connection.exec_driver_sql(nodes.replace("%", "%%")).scalar_one() != before
        assert [hit.preference.statement for hit in memory.search("u-博", "茶")] == ["我喜欢绿茶 🍵"]


def test_only_one_reindex_works_at_a_time(engine: Engine) -> None:
    def start_another(_: str) -> None:
        with pytest.raises(Conflict, match="another reindex is at work"):
            reindex(engine)

    run(engine, "DROP INDEX prefmem.ix_preferences_topic")
    assert reindex(engine, on_index=start_another).created == ("ix_preferences_topic",)
    assert reindex(engine).created == ()


def test_rows_that_contradict_a_unique_index_are_a_conflict_and_the_index_is_told_as_invalid(engine: Engine) -> None:
    name = "ux_preferences_activated_statement"
    run(engine, f"DROP INDEX prefmem.{name}")
    with engine.begin() as connection:
        UserRows("u-1").add_all(connection)
        copied = (
            "kind, statement, statement_hash, polarity, language, confidence, importance, status, valid_from,"
            " created_at, updated_at"
        )
        connection.execute(
            text(
                f"INSERT INTO prefmem.preferences (user_id, {copied}) SELECT user_id, {copied} FROM prefmem.preferences"
            )
        )

    with pytest.raises(Conflict):
        reindex(engine)

    assert find_index_faults(engine) == [IndexFault(name, "invalid")]
    run(engine, "DELETE FROM prefmem.preferences WHERE topic IS NULL")
    assert reindex(engine).rebuilt == (name,)
    assert find_index_faults(engine) == []


def test_writers_are_not_held_up(server: LocalServer, url: str, engine: Engine) -> None:
    with engine.begin() as connection:
        UserRows("u-1").add_all(connection)

    def write(name: str) -> None:
        with psycopg.connect(url) as writer:
            writer.execute("SET lock_timeout = '5s'")
            writer.execute("UPDATE prefmem.users SET locale = 'zh-CN'")

    make_invalid(server, url, "ix_preferences_topic")
    assert reindex(engine, on_index=write).rebuilt == ("ix_preferences_topic",)


def test_an_index_that_is_being_built_is_no_fault(url: str, engine: Engine) -> None:
    run(engine, "DROP INDEX prefmem.ix_preferences_topic")
    building = "SELECT count(*) FROM pg_stat_progress_create_index WHERE index_relid <> 0"
    with ThreadPoolExecutor() as pool, psycopg.connect(url, autocommit=True) as watcher, psycopg.connect(url) as writer:
        # The build waits for a transaction that has written to the table.
        writer.execute("LOCK TABLE prefmem.preferences IN ROW EXCLUSIVE MODE")
        report = pool.submit(reindex, engine)
        for _ in range(600):
            if watcher.execute(building).fetchone() == (1,):
                break
            sleep(0.05)
        assert find_index_faults(engine) == []
        assert not report.done()
        writer.commit()
        assert report.result(timeout=600).created == ("ix_preferences_topic",)


def test_a_constraint_that_is_gone_is_named(engine: Engine) -> None:
    run(engine, "ALTER TABLE prefmem.preference_evidence DROP CONSTRAINT fk_preference_evidence_user_id_message_id")
    assert find_missing_constraints(engine) == ["fk_preference_evidence_user_id_message_id"]
