"""Link summaries to their messages, make them searchable by words, and find a session's dialogs by index."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index(op.f("ix_dialogs_user_id_session_id"), "dialogs", ["user_id", "session_id"], schema="prefmem")
    for column in (
        sa.Column(
            "sensitivity",
            sa.Text(),
            nullable=False,
            server_default="none",
            comment="The most private thing in it; found with consent unless none",
        ),
        sa.Column(
            "message_ids",
            postgresql.ARRAY(sa.Uuid()),
            nullable=False,
            server_default=sa.text("'{}'::uuid[]"),
            comment="The messages that it is drawn from, in its order",
        ),
        sa.Column(
            "input_hash",
            sa.LargeBinary(),
            comment="What it was made from and by what: equal means up to date; NULL: not known",
        ),
        sa.Column(
            "search_vector",
            postgresql.TSVECTOR(),
            sa.Computed("prefmem.search_vector(text)", persisted=True),
            comment="Lexemes of the text: English stems and CJK bigrams",
        ),
    ):
        op.add_column("summaries", column, schema="prefmem")
    op.create_check_constraint(
        op.f("ck_summaries_sensitivity"),
        "summaries",
        "sensitivity IN ('none', 'health', 'finance', 'identity')",
        schema="prefmem",
    )


def downgrade() -> None:
    op.drop_constraint(op.f("ck_summaries_sensitivity"), "summaries", schema="prefmem")
    for column in ("search_vector", "input_hash", "message_ids", "sensitivity"):
        op.drop_column("summaries", column, schema="prefmem")
    op.drop_index(op.f("ix_dialogs_user_id_session_id"), "dialogs", schema="prefmem")
