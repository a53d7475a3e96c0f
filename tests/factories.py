"""Rows for tests, put in by SQL: one in every table that holds rows of users."""

from dataclasses import dataclass
from typing import Final
from uuid import NAMESPACE_URL, UUID, uuid5

from sqlalchemy import Connection, text

MARK: Final = "🍵茶tea"
"""Stands in everything that a user wrote, so that a test can tell whether it was shown."""

_VECTOR: Final = "CAST(array_fill(0.05, ARRAY[384]) AS halfvec)"
_ROWS: Final = {
    "users": "(user_id, locale, metadata) VALUES (:user_id, 'zh-CN', jsonb_build_object('note', :mark))",
    "dialogs": "(user_id, dialog_id, session_id, title, metadata)"
    " VALUES (:user_id, 'd-1', 's-1', :mark, jsonb_build_object('note', :mark))",
    "messages": "(user_id, message_id, dialog_id, role, author, content, occurred_at, external_id, metadata)"
    " VALUES (:user_id, :message_id, 'd-1', 'user', :mark, 'I like ' || :mark, '2026-05-01T10:00:00Z', 'm-1',"
    " jsonb_build_object('note', :mark))",
    "message_terms": "(user_id, lexeme, message_id, frequency, length) VALUES (:user_id, :mark, :message_id, 1, 2)",
    "message_embeddings": f"(user_id, message_id, model_id, embedding, language)"
    f" VALUES (:user_id, :message_id, 1, {_VECTOR}, 'zh')",
    "preferences": "(user_id, preference_id, kind, statement, statement_hash, context, polarity, topic, entities, tags,"
    " language, confidence, importance, status, valid_from, created_at, updated_at, dialog_id, run_id, metadata)"
    " VALUES (:user_id, :preference_id, 'explicit', 'I like ' || :mark, sha256(convert_to(:mark, 'UTF8')), :mark,"
    " 'positive', 'food', ARRAY[:mark], ARRAY[:mark], 'en', 0.9, 0.5, 'activated', '2026-05-01T10:00:00Z',"
    " '2026-05-01T10:01:00Z', '2026-05-01T10:01:00Z', 'd-1', :run_id, jsonb_build_object('note', :mark))",
    "preference_versions": "(user_id, version_id, preference_id, version, event, state_after, actor, reason, details,"
    " run_id, at) VALUES (:user_id, :version_id, :preference_id, 1, 'add',"
    " jsonb_build_object('statement', 'I like ' || :mark, 'status', 'activated'), 'offline', :mark,"
    " jsonb_build_object('note', :mark), :run_id, '2026-05-01T10:01:00Z')",
    "preference_evidence": "(user_id, preference_id, message_id, start_offset, end_offset, quote, run_id)"
    " VALUES (:user_id, :preference_id, :message_id, 7, 7 + length(:mark), :mark, :run_id)",
    "preference_usage": "(user_id, preference_id, access_count, last_accessed_at)"
    " VALUES (:user_id, :preference_id, 3, '2026-05-02T00:00:00Z')",
    "preference_terms": "(user_id, lexeme, preference_id, frequency, length)"
    " VALUES (:user_id, :mark, :preference_id, 1, 2)",
    "preference_embeddings": f"(user_id, preference_id, model_id, embedding, language, kind)"
    f" VALUES (:user_id, :preference_id, 1, {_VECTOR}, 'en', 'explicit')",
    "candidates": "(user_id, payload, payload_hash, error)"
    " VALUES (:user_id, jsonb_build_object('statement', :mark), sha256('candidate'), :mark)",
    "session_state": "(user_id, session_id, goals, recalled, expires_at)"
    " VALUES (:user_id, 's-1', jsonb_build_array(:mark), '[]', '2099-01-01T00:00:00Z')",
    "profile_entries": "(user_id, layer, key, value, confidence, preference_id, reason, stated_at)"
    " VALUES (:user_id, 'explicit', 'drink', to_jsonb(:mark), 0.9, :preference_id, :mark, '2026-05-01T10:00:00Z')",
    "summaries": "(user_id, summary_id, scope, dialog_id, period_start, period_end, text)"
    " VALUES (:user_id, :summary_id, 'dialog', 'd-1', '2026-05-01T10:00:00Z', '2026-05-01T11:00:00Z', :mark)",
    "summary_embeddings": f"(user_id, summary_id, model_id, embedding, language)"
    f" VALUES (:user_id, :summary_id, 1, {_VECTOR}, 'zh')",
    "user_stats": "(user_id, scope, model_id, language, row_count) VALUES (:user_id, 'preference', 1, 'en', 1)",
    "extraction_runs": "(user_id, run_id, dialog_id, input_hash, extractor, extractor_version, state, error)"
    " VALUES (:user_id, :run_id, 'd-1', sha256('input'), 'offline', 'offline-1', 'done', :mark)",
    "llm_calls": "(user_id, purpose, provider, model, request_hash, outcome, request, response)"
    " VALUES (:user_id, 'extract', 'claude', 'a-model', sha256('request'), 'ok', to_jsonb(:mark), to_jsonb(:mark))",
    "llm_batch_items": "(user_id, batch_id, request_hash, error)"
    " VALUES (:user_id, gen_random_uuid(), sha256('request'), :mark)",
}
"""For each table what follows its name in an INSERT; parents before children."""


@dataclass(frozen=True)
class UserRows:
    """A user with one row in each table, and the ids of those rows."""

    user_id: str

    @property
    def ids(self) -> dict[str, UUID]:
        names = ("message_id", "preference_id", "version_id", "summary_id", "run_id")
        return {name: uuid5(NAMESPACE_URL, f"{self.user_id}/{name}") for name in names}

    def add(self, connection: Connection, table: str) -> None:
        """Put the user's row into one table; what it refers to must be there."""
        statement = text(f"INSERT INTO prefmem.{table} {_ROWS[table].replace(':mark', 'CAST(:mark AS text)')}")
        values = {"user_id": self.user_id, "mark": MARK, **self.ids}
        names = statement.compile().params
        connection.execute(statement, {name: value for name, value in values.items() if name in names})

    def add_all(self, connection: Connection) -> None:
        """Put a row into every table of users."""
        for table in _ROWS:
            self.add(connection, table)
