"""Enable row-level security on every table that holds rows of users."""

from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

TABLES = (
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

# nullif: after a transaction that set it, the setting reads '' and not NULL. No subquery: a cluster refuses it.
OWN_ROWS = "user_id = nullif(current_setting('prefmem.user_id', true), '')"


def upgrade() -> None:
    for table in TABLES:
        # Enabled, not forced: pg_dump and migrations run as the owner and must see every row.
        op.execute(f"ALTER TABLE prefmem.{table} ENABLE ROW LEVEL SECURITY")
        op.execute(
            f"CREATE POLICY app_own_rows ON prefmem.{table} TO prefmem_app USING ({OWN_ROWS}) WITH CHECK ({OWN_ROWS})"
        )
        op.execute(
            f"CREATE POLICY analyst_reads ON prefmem.{table} FOR SELECT"
            " TO prefmem_analyst, prefmem_analyst_text USING (true)"
        )
        op.execute(
            f"CREATE POLICY pipeline_works ON prefmem.{table} TO prefmem_pipeline USING (true) WITH CHECK (true)"
        )


def downgrade() -> None:
    for table in TABLES:
        for policy in ("pipeline_works", "analyst_reads", "app_own_rows"):
            op.execute(f"DROP POLICY {policy} ON prefmem.{table}")
        op.execute(f"ALTER TABLE prefmem.{table} DISABLE ROW LEVEL SECURITY")
