"""Connections of steps: bounded, named for the DBA, and waited for when the server has none left."""

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import dagster as dg
from psycopg import sql

from pipelines.assets import (
    consolidated_preferences,
    deduplicated_preferences,
    extracted_preferences,
    preference_embeddings,
)
from pipelines.checks import Floors
from pipelines.resources import APPLICATION_NAME, BudgetResource, DatabaseResource, MemoryResource, ProvidersResource
from prefmem_pg.db.local import LocalServer
from prefmem_pg.memory import PreferenceMemory
from tests.databases import database_of, superuser
from tests.pipelines.conftest import noon, resource, say
from tests.pipelines.test_backfill import LIKED, told_of
from tests.processes import wait_until

STEPS = (extracted_preferences, preference_embeddings, deduplicated_preferences, consolidated_preferences)
UNREAD = "SELECT count(*) FROM prefmem.messages WHERE read_by_run_id IS NULL"
SHOWN = (
    "SELECT application_name, count(*) FROM pg_stat_activity"
    " WHERE datname = %s AND usename = 'prefmem_owner' GROUP BY application_name"
)


@contextmanager
def limited(server: LocalServer, url: str, *, connections: int) -> Iterator[None]:
    """Let so many connect to the database at once; everybody else is refused."""
    change = sql.SQL("ALTER DATABASE {} CONNECTION LIMIT {}")
    name = sql.Identifier(database_of(url))
    with superuser(server) as dba:
        dba.execute(change.format(name, sql.Literal(connections)))
        try:
            yield
        finally:
            dba.execute(change.format(name, sql.Literal(-1)))


class Watch(threading.Thread):
    """Keeps, for each application name, the most connections that were open at once."""

    def __init__(self, server: LocalServer, url: str) -> None:
        super().__init__()
        self.server, self.database = server, database_of(url)
        self.most: dict[str, int] = {}
        self.ended = threading.Event()

    def run(self) -> None:
        with superuser(self.server) as dba:
            while not self.ended.wait(0.005):
                for name, now in dba.execute(SHOWN, (self.database,)):
                    self.most[name] = max(self.most.get(name, 0), now)

    def __enter__(self) -> "Watch":
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.ended.set()
        self.join()


def backfill_day(url: str, day: str, max_connections: int) -> bool:
    memory = MemoryResource(
        database=DatabaseResource(url=url, max_connections=max_connections),
        providers=ProvidersResource(extractor="offline"),
        budget=BudgetResource(),
    )
    with dg.DagsterInstance.ephemeral() as instance:
        resources = {"memory": memory, "floors": Floors()}
        return dg.materialize(list(STEPS), partition_key=day, instance=instance, resources=resources).success


def test_b30_ten_partitions_of_four_steps_at_once_stay_within_the_connections_they_may_have(
    server: LocalServer, database_url: str
) -> None:
    days = [f"2026-02-{day:02}" for day in range(1, 11)]
    with PreferenceMemory.connect(database_url) as memory:
        for day, thing in zip(days, LIKED, strict=True):
            say(memory, "crowd-众", [told_of(thing)], at=noon(day), dialog_id=day)
    with superuser(server) as dba:  # the server lets go a moment after we did
        wait_until(lambda: not dba.execute(SHOWN, (database_of(database_url),)).fetchall())

    with (
        limited(server, database_url, connections=30),
        Watch(server, database_url) as watch,
        ThreadPoolExecutor(len(days)) as pool,
    ):
        succeeded = list(pool.map(backfill_day, [database_url] * 10, days, [2] * 10))

    assert all(succeeded)
    assert set(watch.most) == {APPLICATION_NAME}
    assert 2 < watch.most[APPLICATION_NAME] <= 10 * 2
    with PreferenceMemory.connect(database_url) as memory:
        assert sorted(p.statement for p in memory.list_preferences("crowd-众").items) == sorted(map(told_of, LIKED))


def test_b30_a_step_that_gets_no_connection_is_tried_again_and_leaves_nothing_half_written(
    server: LocalServer, database_url: str, instance: dg.DagsterInstance
) -> None:
    with PreferenceMemory.connect(database_url) as memory:
        say(memory, "refused-拒", ["I love rain 🌧", "我不吃香菜"], at=noon("2026-02-20"))

    with ThreadPoolExecutor(1) as pool:
        with limited(server, database_url, connections=0):
            run = pool.submit(
                dg.materialize,
                [extracted_preferences],
                partition_key="2026-02-20",
                instance=instance,
                resources={"memory": resource(database_url)},
            )
            wait_until(lambda: "STEP_UP_FOR_RETRY" in told(instance))
            assert "too many connections" in told(instance)
            with superuser(server, database_of(database_url)) as dba:
                assert dba.execute(UNREAD).fetchall() == [(2,)]
        assert run.result().success

    with PreferenceMemory.connect(database_url) as memory:
        assert len(memory.list_preferences("refused-拒").items) == 2


def told(instance: dg.DagsterInstance) -> str:
    return "\n".join(str(event) for run in instance.get_runs() for event in instance.all_logs(run.run_id))
