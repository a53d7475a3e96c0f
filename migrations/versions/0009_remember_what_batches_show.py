"""Remember which messages the items of provider batches show, and find those that are on their way."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    for column in (
        sa.Column(
            "message_ids",
            postgresql.ARRAY(sa.Uuid()),
            nullable=False,
            server_default=sa.text("'{}'::uuid[]"),
            comment="The messages that the request shows, in its order",
        ),
        sa.Column(
            "first_new",
            sa.Integer(),
            nullable=False,
            server_default=sa.text("0"),
            comment="How many of them come first as context only",
        ),
    ):
        op.add_column("llm_batch_items", column, schema="prefmem")
    op.add_column(
        "llm_batches",
        sa.Column("prompt_version", sa.Text(), nullable=True, comment="Version of the prompt; NULL: none"),
        schema="prefmem",
    )
    op.create_index(
        op.f("ix_llm_batch_items_waiting"),
        "llm_batch_items",
        ["user_id"],
        schema="prefmem",
        postgresql_where=sa.text("state = 'waiting'"),
    )


def downgrade() -> None:
    op.drop_index(op.f("ix_llm_batch_items_waiting"), "llm_batch_items", schema="prefmem")
    op.drop_column("llm_batches", "prompt_version", schema="prefmem")
    for column in ("first_new", "message_ids"):
        op.drop_column("llm_batch_items", column, schema="prefmem")
