"""Vacuum the tables that search reads index-only early: the visibility map is what makes them fast."""

from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

# Measured: a user with 3,631 heap fetches 10.2 ms, after vacuum 5.4 ms.
SETTINGS = {
    "autovacuum_vacuum_insert_scale_factor": "0.01",
    "autovacuum_vacuum_insert_threshold": "5000",
    "autovacuum_vacuum_scale_factor": "0.02",
}
TABLES = ("preference_embeddings", "message_embeddings", "preference_terms", "message_terms")


def upgrade() -> None:
    for table in TABLES:
        settings = ", ".join(f"{name} = {value}" for name, value in SETTINGS.items())
        op.execute(f"ALTER TABLE prefmem.{table} SET ({settings})")


def downgrade() -> None:
    for table in TABLES:
        op.execute(f"ALTER TABLE prefmem.{table} RESET ({', '.join(SETTINGS)})")
