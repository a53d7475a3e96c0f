"""Which way a search goes for users of every size, and that it finds as many as were asked for on each."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from datetime import UTC, datetime

import pytest
from sqlalchemy import text

from prefmem_pg.db import hybrid
from prefmem_pg.db.engine import make_engine
from prefmem_pg.db.local import LocalServer
from prefmem_pg.db.promotion import PromotionRepository
from prefmem_pg.db.ranking import FEW_IDS, MIN_POOL
from prefmem_pg.db.search_function import search_function, search_function_name
from prefmem_pg.db.session import Database
from prefmem_pg.db.upgrade import ModelSpec, upgrade
from prefmem_pg.domain.search import SearchHit
from prefmem_pg.errors import ConfigurationError, InvalidInput
from prefmem_pg.memory import PreferenceMemory
from prefmem_pg.providers.bank import load_bank
from prefmem_pg.settings import Settings
from prefmem_pg.testing import HashEmbedder
from tests.databases import database_of, empty_database, opened, superuser
from tests.db.filling import fill, vacuum
from tests.db.plans import Explainer, branches, explaining, scans

EXACT, HNSW, HNSW_ZH = (f"ix_model_1_preference_{kind}" for kind in ("exact", "hnsw_en", "hnsw_zh"))
THRESHOLD = 1_000
LARGE_ROWS = FEW_IDS + 700
LATER = datetime(2027, 6, 1, tzinfo=UTC)
QUERIES = ["tea on the train 🚆", "爬山喝茶", "garden river chess", "which opera?", "zzz", "coffee 咖啡馆"]


@pytest.fixture(scope="module")
def embedder() -> HashEmbedder:
    return HashEmbedder(dimensions=32)


@pytest.fixture(scope="module")
def url(server: LocalServer) -> Iterator[str]:
    with empty_database(server) as url, opened(url) as engine:
        upgrade(engine, model=ModelSpec(name="hash", provider="test", dimensions=32))
        yield url


@pytest.fixture(scope="module")
def memory(url: str, embedder: HashEmbedder) -> Iterator[PreferenceMemory]:
    """Users of 30, 600 and 5,700 preferences, the last one promoted; vacuumed."""
    with PreferenceMemory(Database(make_engine(url)), embedder=embedder) as memory:
        for user_id, rows in (("small", 30), ("mid", 600), ("large", LARGE_ROWS)):
            fill(memory.database, user_id, rows)
        memory.promote_large_users(threshold=THRESHOLD)
        vacuum(memory.database)
        yield memory


@pytest.fixture(scope="module")
def explainer(server: LocalServer, url: str, memory: PreferenceMemory, embedder: HashEmbedder) -> Iterator[Explainer]:
    with explaining(server, url, embedder, load_bank(embedder)) as explainer:
        yield explainer


def found(memory: PreferenceMemory, user_id: str, query: str, **options: object) -> list[SearchHit]:
    return memory.search(user_id, query, learn=False, **options)  # type: ignore[arg-type]


def scored(hits: list[SearchHit]) -> list[tuple[object, float]]:
    return [(hit.preference.preference_id, round(hit.score, 6)) for hit in hits]


# Which way


@pytest.mark.parametrize("user_id", ["small", "mid"])
@pytest.mark.parametrize("query", QUERIES[:2])
def test_users_below_the_threshold_are_compared_index_only(explainer: Explainer, user_id: str, query: str) -> None:
    plan, rows = explainer.search(user_id, query)

    assert {ranked.plan for _, ranked in rows} == {"exact"}
    assert scans(plan, HNSW) == []
    compared = scans(plan, EXACT)
    assert {node["Node Type"] for node in compared} == {"Index Only Scan"}
    assert [node["Heap Fetches"] for node in compared] == [0]


@pytest.mark.parametrize("query", QUERIES[:2])
def test_a_large_user_is_searched_by_the_hnsw_index_alone(explainer: Explainer, query: str) -> None:
    plan, rows = explainer.search("large", query)

    assert {ranked.plan for _, ranked in rows} == {"hnsw"}
    assert [len(scans(plan, HNSW)), len(scans(plan, HNSW_ZH))] == [1, 1]
    assert scans(plan, EXACT) == []


def test_a_search_starts_no_more_of_a_plan_than_it_needs(explainer: Explainer) -> None:
    plan, _ = explainer.search("mid", "tea 茶")
    assert branches(plan, HNSW) == []

    plan, _ = explainer.search("large", "tea 茶")
    assert [node["Actual Loops"] for node in branches(plan, EXACT)] == [0]  # for when the index has too few


def test_exact_on_request_leaves_the_index_alone(explainer: Explainer) -> None:
    for options in ({}, {"filter": {"topic": "most"}}):
        plan, rows = explainer.search("large", "喝茶", exact=True, **options)
        assert ({ranked.plan for _, ranked in rows}, scans(plan, HNSW)) == ({"exact"}, [])


def test_a_filter_that_leaves_few_of_a_large_user_compares_those(explainer: Explainer) -> None:
    plan, rows = explainer.search("large", "tea 茶", filter={"topic": "few"})

    assert ({ranked.plan for _, ranked in rows}, len(rows)) == ({"exact"}, 10)
    assert scans(plan, HNSW) == []
    assert scans(plan, EXACT) == []


def test_a_filter_that_leaves_many_stands_inside_the_index_scan(explainer: Explainer) -> None:
    plan, rows = explainer.search("large", "tea 茶", filter={"topic": "most"})

    assert ({ranked.plan for _, ranked in rows}, len(rows)) == ({"hnsw"}, 10)
    assert [len(scans(plan, HNSW)), len(scans(plan, HNSW_ZH))] == [1, 1]


def test_words_are_read_from_postings(explainer: Explainer) -> None:
    plan, _ = explainer.search("mid", "tea on the train 火车")

    assert scans(plan, "pk_preference_terms")


@pytest.mark.parametrize("user_id", ["small", "mid", "large"])
@pytest.mark.parametrize("given", [{}, {"topic": "most"}, {"topic": "few"}])
def test_no_table_is_read_through_not_even_one_that_is_empty_yet(
    explainer: Explainer, user_id: str, given: dict[str, str]
) -> None:
    """A connection keeps its plan while a table fills: usage and evidence of all users, gone through for each row."""
    plan, _ = explainer.search(user_id, "tea on the train 火车", filter=given or None)

    assert [node["Relation Name"] for node in plan if node["Node Type"] == "Seq Scan"] == []


# The same answers


@pytest.mark.parametrize("query", QUERIES)
@pytest.mark.parametrize("user_id", ["small", "mid"])
def test_a_filter_that_all_pass_changes_nothing(memory: PreferenceMemory, user_id: str, query: str) -> None:
    plain = found(memory, user_id, query, limit=25, now=LATER)
    filtered = found(memory, user_id, query, limit=25, now=LATER, filter={"metadata.n": {"gte": 0}})

    assert len(plain) == 25
    assert [(h.preference, h.score, h.explanation) for h in filtered] == [
        (h.preference, h.score, h.explanation) for h in plain
    ]


@pytest.mark.parametrize(
    "given", [None, {"topic": "most"}, {"topic": "few"}, {"metadata.n": {"lt": 3}}, {"topic": "none"}]
)
@pytest.mark.parametrize("query", QUERIES)
def test_the_way_for_few_rows_says_what_the_way_for_many_does(
    memory: PreferenceMemory, monkeypatch: pytest.MonkeyPatch, query: str, given: dict[str, object] | None
) -> None:
    few = found(memory, "small", query, limit=12, now=LATER, filter=given)
    with without_the_way_for_few(memory, monkeypatch):
        many = found(memory, "small", query, limit=12, now=LATER, filter=given)

    assert [(hit.preference, told(hit)) for hit in few] == [(hit.preference, told(hit)) for hit in many]


@pytest.mark.parametrize("query", QUERIES)
def test_no_row_is_left_out_that_its_factors_lift_among_the_best(
    memory: PreferenceMemory, monkeypatch: pytest.MonkeyPatch, query: str
) -> None:
    """The way for many looks up only rows that are near enough; importance, age and use may put the last first."""
    with of_uneven_rank(memory, "small"):
        few = [found(memory, "small", query, limit=limit, now=LATER) for limit in (1, 3, 12)]
        with without_the_way_for_few(memory, monkeypatch):
            many = [found(memory, "small", query, limit=limit, now=LATER) for limit in (1, 3, 12)]

    assert [[(hit.preference, told(hit)) for hit in hits] for hits in few] == [
        [(hit.preference, told(hit)) for hit in hits] for hits in many
    ]


@contextmanager
def of_uneven_rank(memory: PreferenceMemory, user_id: str) -> Iterator[None]:
    """Let every other row of a user be as important, sure, young and much used as can be, and the rest as little."""
    lift = (
        "UPDATE prefmem.preferences SET importance = n % 2, confidence = n % 2,"
        " valid_from = valid_from - (1 - n % 2) * interval '9 years'"
        " FROM (SELECT preference_id AS id, CAST(metadata ->> 'n' AS integer) AS n FROM prefmem.preferences"
        "  WHERE user_id = :user_id) AS numbered WHERE user_id = :user_id AND preference_id = id"
    )
    use = (
        "INSERT INTO prefmem.preference_usage (user_id, preference_id, access_count)"
        " SELECT user_id, preference_id, 1000 FROM prefmem.preferences WHERE user_id = :user_id AND importance = 1"
    )
    settle = (
        "UPDATE prefmem.preferences SET importance = 0.5, confidence = 0.8, valid_from = created_at"
        " WHERE user_id = :user_id"
    )
    unuse = "DELETE FROM prefmem.preference_usage WHERE user_id = :user_id"

    def execute(*statements: str) -> None:
        with memory.database.transaction(user_id=user_id) as repositories:
            for statement in statements:
                repositories.session.execute(text(statement), {"user_id": user_id})

    execute(lift, use)
    try:
        yield
    finally:
        execute(settle, unuse)


def told(hit: SearchHit) -> dict[str, object]:
    """Return the explanation, its numbers as far as both ways of adding them up agree."""
    given = asdict(hit.explanation)
    given |= given.pop("factors")
    return {name: round(value, 5) if isinstance(value, float) else value for name, value in given.items()}


@contextmanager
def without_the_way_for_few(memory: PreferenceMemory, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Search by functions that treat every user as one of many rows."""

    def name(model_id: int, *, among: bool = False) -> str:
        return f"for_many_{model_id}" + ("_among" if among else "")

    holders = (
        "SELECT DISTINCT nspname FROM pg_extension JOIN pg_namespace n ON n.oid = extnamespace"
        " WHERE extname IN ('vector', 'pg_trgm')"
    )
    with memory.database.engine.begin() as owner:
        schemas = list(owner.scalars(text(holders)))
        for among in (False, True):
            body = search_function(model_id=1, dimensions=32, among=among, extension_schemas=schemas)
            body = body.replace(search_function_name(1, among=among), name(1, among=among))
            before, when, after = body.partition(f"IF _names IS NULL AND _n <= {MIN_POOL}")
            assert when
            body = f"{before}IF false{after}"
            owner.execution_options(no_parameters=True).exec_driver_sql(body)
    for cached in (hybrid._call, hybrid._call_among):
        cached.cache_clear()
    monkeypatch.setattr(hybrid, "search_function_name", name)
    try:
        yield
    finally:
        monkeypatch.undo()
        for cached in (hybrid._call, hybrid._call_among):
            cached.cache_clear()


@pytest.mark.parametrize("query", QUERIES)
def test_a_filtered_search_of_a_large_user_ranks_as_the_exact_one(memory: PreferenceMemory, query: str) -> None:
    few = {"filter": {"topic": "few"}, "limit": 20}

    assert scored(found(memory, "large", query, **few)) == scored(found(memory, "large", query, exact=True, **few))


def test_the_index_finds_what_comparing_all_finds(memory: PreferenceMemory) -> None:
    kept = total = 0
    for query in QUERIES * 2:
        exact = {hit.preference.preference_id for hit in found(memory, "large", query, exact=True)}
        kept += len(exact & {hit.preference.preference_id for hit in found(memory, "large", query)})
        total += len(exact)

    # Random vectors are the hardest there are: nothing lies near anything.
    assert kept / total >= 0.8


def test_b95_the_same_statement_comes_first_and_scores_fall_from_there(memory: PreferenceMemory) -> None:
    for user_id in ("small", "large"):
        said = memory.remember(user_id, "我刚刚买了一台 Nintendo Swich 🎮").preference
        assert said is not None
        [first, *others] = found(memory, user_id, said.statement or "", limit=10)
        assert (first.preference.preference_id, first.score) == (said.preference_id, 1.0)
        assert first.explanation.semantic_rank == 1
        assert [hit.score for hit in others] == sorted((hit.score for hit in others), reverse=True)
        assert others[0].score < 1


# As many as asked for


@pytest.mark.parametrize("limit", [1, 100, 1_000])
@pytest.mark.parametrize("given", [None, {"topic": "most"}], ids=["all", "filtered"])
def test_b93_as_many_come_back_as_were_asked_for(
    memory: PreferenceMemory, limit: int, given: dict[str, str] | None
) -> None:
    hits = found(memory, "large", "tea 茶", limit=limit, filter=given)

    assert len({hit.preference.preference_id for hit in hits}) == len(hits) == limit


def test_b91_a_filter_inside_the_index_hides_nobody(memory: PreferenceMemory) -> None:
    for least in (LARGE_ROWS - 5, LARGE_ROWS - 300, 200):
        hits = found(memory, "large", "tea 茶", filter={"metadata.n": {"gte": least}}, limit=10)
        assert len(hits) == min(10, LARGE_ROWS - least)
        assert all(hit.preference.metadata["n"] >= least for hit in hits)


def test_b94_rows_that_were_just_deleted_hide_no_others(server: LocalServer, url: str, embedder: HashEmbedder) -> None:
    with PreferenceMemory(Database(make_engine(url)), embedder=embedder) as memory:
        with superuser(server, database_of(url)) as dba:
            dba.execute("ALTER TABLE prefmem.preference_embeddings SET (autovacuum_enabled = off)")
            dba.commit()
        fill(memory.database, "thinned", 1_100, chinese=0)
        memory.promote_large_users(threshold=THRESHOLD)
        nearest = [hit.preference.preference_id for hit in found(memory, "thinned", "tea", limit=500)]
        with memory.database.transaction(user_id="thinned") as repositories:
            repositories.session.execute(
                text("DELETE FROM prefmem.preferences WHERE user_id = 'thinned' AND preference_id = ANY(:ids)"),
                {"ids": nearest},
            )

        before = found(memory, "thinned", "tea", limit=100)
        vacuum(memory.database)
        after = found(memory, "thinned", "tea", limit=100)

        assert len(before) == len(after) == 100
        assert not {hit.preference.preference_id for hit in before} & set(nearest)
        assert before[0].explanation.plan in ("hnsw", "hnsw, then exact")


# Promotion


def test_promotion_changes_nothing_the_second_time(memory: PreferenceMemory) -> None:
    again = memory.promote_large_users(threshold=THRESHOLD)

    assert (again.users, again.rows) == (0, 0)
    assert memory.promote_large_users().users == 0
    with pytest.raises(InvalidInput, match="threshold"):
        memory.promote_large_users(threshold=0)


def test_a_half_promoted_user_is_still_compared(memory: PreferenceMemory) -> None:
    fill(memory.database, "half", 60)
    with memory.database.transaction(user_id="half") as repositories:
        assert PromotionRepository(repositories.session).add_rows("half", model_id=1, limit=30) == 30
        assert not PromotionRepository(repositories.session).mark_user("half", model_id=1)

    assert {hit.explanation.plan for hit in found(memory, "half", "tea 茶")} == {"exact"}
    report = memory.promote_large_users(threshold=60)

    assert report.users >= 1
    assert {hit.explanation.plan for hit in found(memory, "half", "tea 茶", limit=60)} <= {"hnsw", "hnsw, then exact"}
    assert len(found(memory, "half", "tea 茶", limit=60)) == 60


def test_what_a_large_user_says_later_is_in_the_index(memory: PreferenceMemory) -> None:
    new = memory.remember("large", "我昨天开始学吹长笛 🎶").preference
    assert new is not None

    [first, *_] = found(memory, "large", "我昨天开始学吹长笛 🎶")

    assert (first.preference.preference_id, first.explanation.plan) == (new.preference_id, "hnsw")
    assert first.explanation.semantic_rank == 1


def test_a_name_with_a_slip_is_found_among_many_rows(memory: PreferenceMemory) -> None:
    hits = found(memory, "large", "where is my Nintendo Swich?", limit=100)

    named = [hit for hit in hits if hit.preference.entities]
    assert named
    assert all(hit.explanation.fuzzy > 0.6 for hit in named)


def test_the_size_of_a_large_user_is_a_setting() -> None:
    assert Settings.from_env({"PREFMEM_LARGE_USER_ROWS": "500"}).large_user_rows == 500
    assert Settings.from_env({}).large_user_rows == 20_000
    for wrong in ("0", "-1", "many", "1.5"):
        with pytest.raises(ConfigurationError, match="PREFMEM_LARGE_USER_ROWS"):
            Settings.from_env({"PREFMEM_LARGE_USER_ROWS": wrong})
