"""Add what changing the embedding model needs: when a model was last switched to, and its bank."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

STATE = "building (kept up to date beside the active one: on its way in, or out), active (searched by) or retired"
STATE_BEFORE = "building, active or retired"


def upgrade() -> None:
    op.add_column(
        "embedding_models",
        sa.Column(
            "activated_at",
            sa.TIMESTAMP(timezone=True),
            nullable=True,
            comment="When searches last began to use it; NULL: never since it was last built",
        ),
        schema="prefmem",
    )
    op.add_column(
        "embedding_models",
        sa.Column(
            "bank",
            sa.LargeBinary(),
            nullable=True,
            comment="What questions and statements look like to it; NULL: the package brings it along",
        ),
        schema="prefmem",
    )
    op.execute("UPDATE prefmem.embedding_models SET activated_at = created_at WHERE state = 'active'")
    op.execute(f"COMMENT ON COLUMN prefmem.embedding_models.state IS '{STATE}'")


def downgrade() -> None:
    op.execute(f"COMMENT ON COLUMN prefmem.embedding_models.state IS '{STATE_BEFORE}'")
    op.drop_column("embedding_models", "bank", schema="prefmem")
    op.drop_column("embedding_models", "activated_at", schema="prefmem")
