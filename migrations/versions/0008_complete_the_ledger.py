"""Complete the ledger: calls that serve no user, and which calls went in a batch."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

OUTCOMES = "ok, truncated, refused, invalid, unavailable …"


def upgrade() -> None:
    op.add_column(
        "llm_calls",
        sa.Column(
            "is_batch",
            sa.Boolean(),
            server_default=sa.false(),
            nullable=False,
            comment="True: in a batch, which has a price of its own",
        ),
        schema="prefmem",
    )
    _comment_outcome(f"running, {OUTCOMES}")
    _create_shared_calls()


def downgrade() -> None:
    op.drop_table("llm_shared_calls", schema="prefmem")
    _comment_outcome(OUTCOMES)
    op.drop_column("llm_calls", "is_batch", schema="prefmem")


def _comment_outcome(comment: str) -> None:
    op.alter_column(
        "llm_calls", "outcome", existing_type=sa.Text(), existing_nullable=False, comment=comment, schema="prefmem"
    )


def _create_shared_calls() -> None:
    op.create_table(
        "llm_shared_calls",
        sa.Column(
            "call_id", sa.Uuid(), server_default=sa.text("gen_random_uuid()"), nullable=False, comment="Id of the call"
        ),
        sa.Column("purpose", sa.Text(), nullable=False, comment="What it was for: embed, rerank …"),
        sa.Column("provider", sa.Text(), nullable=False, comment="Who was called"),
        sa.Column("model", sa.Text(), nullable=False, comment="Model that was asked"),
        sa.Column("prompt_version", sa.Text(), nullable=True, comment="Version of the prompt; NULL: none"),
        sa.Column("request_hash", sa.LargeBinary(), nullable=False, comment="SHA-256 of the request"),
        *(
            sa.Column(name, sa.Integer(), server_default=sa.text("0"), nullable=False, comment=comment)
            for name, comment in (
                ("input_tokens", "Tokens sent and not read from a cache"),
                ("output_tokens", "Tokens received"),
                ("cache_read_tokens", "Tokens read from the provider's cache"),
                ("cache_write_tokens", "Tokens written to the provider's cache"),
                ("latency_ms", "How long it took, in milliseconds"),
            )
        ),
        sa.Column("outcome", sa.Text(), nullable=False, comment=f"running, {OUTCOMES}"),
        sa.Column(
            "cost_usd",
            sa.Numeric(precision=18, scale=9),
            nullable=True,
            comment="What it cost; NULL: no price is known for the model",
        ),
        sa.Column(
            "at",
            postgresql.TIMESTAMP(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
            comment="When it was made",
        ),
        sa.PrimaryKeyConstraint("call_id", name=op.f("pk_llm_shared_calls")),
        schema="prefmem",
        comment="Provider calls that serve no stored user: what comes with a model, questions of strangers",
    )
    op.create_index(op.f("ix_llm_shared_calls_at"), "llm_shared_calls", ["at"], schema="prefmem")
