"""Where each table lives when the schema is spread over a cluster; on a single server it changes nothing."""

from typing import Final

DISTRIBUTED: Final = (
    "users",
    "dialogs",
    "messages",
    "message_terms",
    "message_embeddings",
    "preferences",
    "preference_versions",
    "preference_evidence",
    "preference_usage",
    "preference_terms",
    "preference_embeddings",
    "candidates",
    "session_state",
    "profile_entries",
    "summaries",
    "summary_embeddings",
    "user_stats",
    "extraction_runs",
    "llm_calls",
    "llm_batch_items",
)
"""Spread by user_id, beside the user's row; parents before children."""

REFERENCE: Final = ("embedding_models", "llm_prices")
"""Small and rarely written: a copy on every node."""

LOCAL: Final = (
    "alembic_version",
    "settings",
    "erasures",
    "llm_shared_calls",
    "llm_batches",
    "evaluation_runs",
    "evaluation_results",
)
"""Without a user: on the coordinator alone."""
