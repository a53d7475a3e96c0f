"""Create the tables."""

import pgvector.sqlalchemy  # autogenerate writes its types by their full name
import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "embedding_models",
        sa.Column(
            "model_id", sa.SmallInteger(), autoincrement=False, nullable=False, comment="Small number of the model"
        ),
        sa.Column("name", sa.Text(), nullable=False, comment="Name of the model at its provider"),
        sa.Column("provider", sa.Text(), nullable=False, comment="local, voyage or openai"),
        sa.Column("dimensions", sa.Integer(), nullable=False, comment="Length of its vectors, at most 4000"),
        sa.Column(
            "state",
            sa.Text(),
            nullable=False,
            comment="building (kept up to date beside the active one: on its way in, or out), active (searched by) or retired",
        ),
        sa.Column(
            "created_at",
            postgresql.TIMESTAMP(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
            comment="When it was registered",
        ),
        sa.Column(
            "activated_at",
            postgresql.TIMESTAMP(timezone=True),
            nullable=True,
            comment="When searches last began to use it; NULL: never since it was last built",
        ),
        sa.Column(
            "bank",
            sa.LargeBinary(),
            nullable=True,
            comment="What questions and statements look like to it; NULL: the package brings it along",
        ),
        sa.CheckConstraint("state IN ('building', 'active', 'retired')", name=op.f("ck_embedding_models_state")),
        sa.CheckConstraint("dimensions BETWEEN 1 AND 4000", name=op.f("ck_embedding_models_dimensions")),
        sa.PrimaryKeyConstraint("model_id", name=op.f("pk_embedding_models")),
        sa.UniqueConstraint(
            "provider", "name", "dimensions", name=op.f("uq_embedding_models_provider_name_dimensions")
        ),
        schema="prefmem",
        comment="Embedding models; several may live side by side, one is active",
    )
    op.create_index(
        "ux_embedding_models_active",
        "embedding_models",
        ["state"],
        unique=True,
        schema="prefmem",
        postgresql_where=sa.text("state = 'active'"),
    )
    op.create_table(
        "erasures",
        sa.Column(
            "erasure_id",
            sa.Uuid(),
            server_default=sa.text("gen_random_uuid()"),
            nullable=False,
            comment="Id of the erasure",
        ),
        sa.Column("scope", sa.Text(), nullable=False, comment="user or message"),
        sa.Column(
            "subject_hmac",
            sa.LargeBinary(),
            nullable=False,
            comment="HMAC of the user id, or of user, source and external id, under a key kept in settings",
        ),
        sa.Column(
            "counts",
            postgresql.JSONB(astext_type=sa.Text()),
            server_default=sa.text("'{}'::jsonb"),
            nullable=False,
            comment="How many rows of each table went",
        ),
        sa.Column(
            "at",
            postgresql.TIMESTAMP(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
            comment="When it was erased",
        ),
        sa.CheckConstraint("scope IN ('user', 'message')", name=op.f("ck_erasures_scope")),
        sa.PrimaryKeyConstraint("erasure_id", name=op.f("pk_erasures")),
        sa.UniqueConstraint("scope", "subject_hmac", name=op.f("uq_erasures_scope_subject_hmac")),
        schema="prefmem",
        comment="Tombstones of what was erased on request; ingestion refuses what they match",
    )
    op.create_table(
        "evaluation_runs",
        sa.Column(
            "evaluation_id",
            sa.Uuid(),
            server_default=sa.text("gen_random_uuid()"),
            nullable=False,
            comment="Id of the evaluation",
        ),
        sa.Column("task", sa.Text(), nullable=False, comment="retrieval, extraction or dedup"),
        sa.Column("dataset", sa.Text(), nullable=False, comment="Name of the dataset"),
        sa.Column(
            "configuration",
            postgresql.JSONB(astext_type=sa.Text()),
            server_default=sa.text("'{}'::jsonb"),
            nullable=False,
            comment="Models, weights and versions that were measured",
        ),
        sa.Column(
            "metrics",
            postgresql.JSONB(astext_type=sa.Text()),
            server_default=sa.text("'{}'::jsonb"),
            nullable=False,
            comment="Metric name to value",
        ),
        sa.Column(
            "started_at",
            postgresql.TIMESTAMP(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
            comment="When it started",
        ),
        sa.Column(
            "finished_at", postgresql.TIMESTAMP(timezone=True), nullable=True, comment="When it ended; NULL: it has not"
        ),
        sa.CheckConstraint("task IN ('retrieval', 'extraction', 'dedup')", name=op.f("ck_evaluation_runs_task")),
        sa.PrimaryKeyConstraint("evaluation_id", name=op.f("pk_evaluation_runs")),
        schema="prefmem",
        comment="Evaluations: a dataset measured under a configuration",
    )
    op.create_table(
        "llm_batches",
        sa.Column(
            "batch_id",
            sa.Uuid(),
            server_default=sa.text("gen_random_uuid()"),
            nullable=False,
            comment="Id of the batch here",
        ),
        sa.Column("provider", sa.Text(), nullable=False, comment="Who runs it"),
        sa.Column("provider_batch_id", sa.Text(), nullable=True, comment="Id at the provider; NULL: not accepted yet"),
        sa.Column("purpose", sa.Text(), nullable=False, comment="What it is for"),
        sa.Column("model", sa.Text(), nullable=False, comment="Model that is asked"),
        sa.Column("state", sa.Text(), nullable=False, comment="submitting, submitted, ended, collected or failed"),
        sa.Column(
            "counts",
            postgresql.JSONB(astext_type=sa.Text()),
            server_default=sa.text("'{}'::jsonb"),
            nullable=False,
            comment="Items by outcome",
        ),
        sa.Column("error", sa.Text(), nullable=True, comment="Why it failed; NULL: it did not"),
        sa.Column(
            "created_at",
            postgresql.TIMESTAMP(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
            comment="When it was made",
        ),
        sa.Column(
            "submitted_at",
            postgresql.TIMESTAMP(timezone=True),
            nullable=True,
            comment="When the provider took it; NULL: not yet",
        ),
        sa.Column(
            "ended_at", postgresql.TIMESTAMP(timezone=True), nullable=True, comment="When it ended; NULL: not yet"
        ),
        sa.Column("prompt_version", sa.Text(), nullable=True, comment="Version of the prompt; NULL: none"),
        sa.CheckConstraint(
            "state IN ('submitting', 'submitted', 'ended', 'collected', 'failed')", name=op.f("ck_llm_batches_state")
        ),
        sa.PrimaryKeyConstraint("batch_id", name=op.f("pk_llm_batches")),
        schema="prefmem",
        comment="Provider batches in flight; what belongs to users stands in llm_batch_items",
    )
    op.create_table(
        "llm_prices",
        sa.Column("provider", sa.Text(), nullable=False, comment="Who sells it"),
        sa.Column("model", sa.Text(), nullable=False, comment="Name of the model"),
        sa.Column(
            "valid_from", postgresql.TIMESTAMP(timezone=True), nullable=False, comment="Since when the price holds"
        ),
        sa.Column("input_usd", sa.Numeric(precision=12, scale=6), nullable=False, comment="A million input tokens"),
        sa.Column("output_usd", sa.Numeric(precision=12, scale=6), nullable=False, comment="A million output tokens"),
        sa.Column(
            "cache_read_usd",
            sa.Numeric(precision=12, scale=6),
            nullable=True,
            comment="A million tokens read from the cache; NULL: as input",
        ),
        sa.Column(
            "cache_write_usd",
            sa.Numeric(precision=12, scale=6),
            nullable=True,
            comment="A million tokens written to the cache; NULL: as input",
        ),
        sa.Column(
            "batch_factor",
            sa.Numeric(precision=6, scale=4),
            server_default=sa.text("1"),
            nullable=False,
            comment="What a batch costs of the normal price",
        ),
        sa.PrimaryKeyConstraint("provider", "model", "valid_from", name=op.f("pk_llm_prices")),
        schema="prefmem",
        comment="Prices of models by date, in US dollars for a million tokens",
    )
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
        sa.Column(
            "input_tokens",
            sa.Integer(),
            server_default=sa.text("0"),
            nullable=False,
            comment="Tokens sent and not read from a cache",
        ),
        sa.Column(
            "output_tokens", sa.Integer(), server_default=sa.text("0"), nullable=False, comment="Tokens received"
        ),
        sa.Column(
            "cache_read_tokens",
            sa.Integer(),
            server_default=sa.text("0"),
            nullable=False,
            comment="Tokens read from the provider's cache",
        ),
        sa.Column(
            "cache_write_tokens",
            sa.Integer(),
            server_default=sa.text("0"),
            nullable=False,
            comment="Tokens written to the provider's cache",
        ),
        sa.Column(
            "latency_ms",
            sa.Integer(),
            server_default=sa.text("0"),
            nullable=False,
            comment="How long it took, in milliseconds",
        ),
        sa.Column(
            "outcome", sa.Text(), nullable=False, comment="running, ok, truncated, refused, invalid, unavailable …"
        ),
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
    op.create_index(op.f("ix_llm_shared_calls_at"), "llm_shared_calls", ["at"], unique=False, schema="prefmem")
    op.create_table(
        "settings",
        sa.Column("name", sa.Text(), nullable=False, comment="Name of the setting"),
        sa.Column("value", postgresql.JSONB(astext_type=sa.Text()), nullable=False, comment="Its value"),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_settings")),
        schema="prefmem",
        comment="Facts about this database (keys of tombstones, hashes of views); no user data",
    )
    op.create_table(
        "users",
        sa.Column("user_id", sa.Text(), nullable=False, comment="The user whom this row belongs to"),
        sa.Column(
            "created_at",
            postgresql.TIMESTAMP(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
            comment="When the user was first seen",
        ),
        sa.Column("locale", sa.Text(), nullable=True, comment="Preferred locale, such as zh-CN; NULL: not known"),
        sa.Column(
            "time_zone",
            sa.Text(),
            server_default=sa.text("'UTC'"),
            nullable=False,
            comment="IANA time zone that decides what a day is",
        ),
        sa.Column(
            "may_use_sensitive",
            sa.Boolean(),
            server_default=sa.text("false"),
            nullable=False,
            comment="The user's consent that health, finance and identity preferences are recalled",
        ),
        sa.Column(
            "revision",
            sa.BigInteger(),
            server_default=sa.text("0"),
            nullable=False,
            comment="Raised by every decision on a preference",
        ),
        sa.Column(
            "metadata",
            postgresql.JSONB(astext_type=sa.Text()),
            server_default=sa.text("'{}'::jsonb"),
            nullable=False,
            comment="Free JSON of the caller; filters can reach into it",
        ),
        sa.CheckConstraint("length(user_id) BETWEEN 1 AND 200", name=op.f("ck_users_user_id")),
        sa.PrimaryKeyConstraint("user_id", name=op.f("pk_users")),
        schema="prefmem",
        comment="The users whose preferences are remembered; deleting one deletes all that is theirs",
    )
    op.create_table(
        "candidates",
        sa.Column("user_id", sa.Text(), nullable=False, comment="The user whom this row belongs to"),
        sa.Column(
            "candidate_id",
            sa.Uuid(),
            server_default=sa.text("gen_random_uuid()"),
            nullable=False,
            comment="Id of the candidate",
        ),
        sa.Column(
            "payload",
            postgresql.JSONB(astext_type=sa.Text()),
            server_default=sa.text("'{}'::jsonb"),
            nullable=False,
            comment="The candidate as JSON: statement, kind, evidence and the rest",
        ),
        sa.Column(
            "payload_hash",
            sa.LargeBinary(),
            nullable=False,
            comment="SHA-256 of the payload: the same candidate waits once",
        ),
        sa.Column(
            "state",
            sa.Text(),
            server_default=sa.text("'waiting'"),
            nullable=False,
            comment="waiting (tried again by the next run) or parked (given up)",
        ),
        sa.Column(
            "attempts",
            sa.Integer(),
            server_default=sa.text("0"),
            nullable=False,
            comment="How many times deciding was tried",
        ),
        sa.Column("error", sa.Text(), nullable=True, comment="Why the last attempt failed; NULL: not tried yet"),
        sa.Column("run_id", sa.Uuid(), nullable=True, comment="The run that extracted it; NULL: a direct call"),
        sa.Column(
            "created_at",
            postgresql.TIMESTAMP(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
            comment="When it was extracted",
        ),
        sa.Column(
            "updated_at",
            postgresql.TIMESTAMP(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
            comment="When it was last tried",
        ),
        sa.CheckConstraint("state IN ('waiting', 'parked')", name=op.f("ck_candidates_state")),
        sa.ForeignKeyConstraint(
            ["user_id"], ["prefmem.users.user_id"], name=op.f("fk_candidates_user_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("user_id", "candidate_id", name=op.f("pk_candidates")),
        sa.UniqueConstraint("user_id", "payload_hash", name=op.f("uq_candidates_user_id_payload_hash")),
        schema="prefmem",
        comment="What was extracted and could not be decided yet",
    )
    op.create_table(
        "dialogs",
        sa.Column("user_id", sa.Text(), nullable=False, comment="The user whom this row belongs to"),
        sa.Column("dialog_id", sa.Text(), nullable=False, comment="The caller's id, or default:<session or day>"),
        sa.Column("session_id", sa.Text(), nullable=True, comment="The sitting that the dialog belongs to; NULL: none"),
        sa.Column(
            "source",
            sa.Text(),
            server_default=sa.text("'api'"),
            nullable=False,
            comment="Where the dialog came from: api, or an importer's name",
        ),
        sa.Column(
            "started_at",
            postgresql.TIMESTAMP(timezone=True),
            nullable=True,
            comment="Time of the first message; NULL: no message yet",
        ),
        sa.Column(
            "ended_at",
            postgresql.TIMESTAMP(timezone=True),
            nullable=True,
            comment="Time of the last message; NULL: no message yet",
        ),
        sa.Column("agent_id", sa.Text(), nullable=True, comment="The agent that took part; NULL: not given"),
        sa.Column("mem_cube_id", sa.Text(), nullable=True, comment="The caller's memory container; NULL: not given"),
        sa.Column("title", sa.Text(), nullable=True, comment="Title of the dialog; NULL: none"),
        sa.Column(
            "metadata",
            postgresql.JSONB(astext_type=sa.Text()),
            server_default=sa.text("'{}'::jsonb"),
            nullable=False,
            comment="Free JSON of the caller; filters can reach into it",
        ),
        sa.ForeignKeyConstraint(
            ["user_id"], ["prefmem.users.user_id"], name=op.f("fk_dialogs_user_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("user_id", "dialog_id", name=op.f("pk_dialogs")),
        schema="prefmem",
        comment="Dialogs: ordered groups of messages",
    )
    op.create_index(
        op.f("ix_dialogs_user_id_session_id"), "dialogs", ["user_id", "session_id"], unique=False, schema="prefmem"
    )
    op.create_table(
        "evaluation_results",
        sa.Column("evaluation_id", sa.Uuid(), nullable=False, comment="The evaluation"),
        sa.Column("question_id", sa.Text(), nullable=False, comment="Id of the question in the dataset"),
        sa.Column(
            "category",
            sa.Text(),
            server_default=sa.text("''"),
            nullable=False,
            comment="Kind or language that the question belongs to",
        ),
        sa.Column(
            "outcome",
            postgresql.JSONB(astext_type=sa.Text()),
            server_default=sa.text("'{}'::jsonb"),
            nullable=False,
            comment="Rank of the right answer, or what was found and expected",
        ),
        sa.ForeignKeyConstraint(
            ["evaluation_id"],
            ["prefmem.evaluation_runs.evaluation_id"],
            name=op.f("fk_evaluation_results_evaluation_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("evaluation_id", "question_id", name=op.f("pk_evaluation_results")),
        schema="prefmem",
        comment="Results of an evaluation, question by question",
    )
    op.create_table(
        "llm_batch_items",
        sa.Column("user_id", sa.Text(), nullable=False, comment="The user whom this row belongs to"),
        sa.Column(
            "item_id",
            sa.Uuid(),
            server_default=sa.text("gen_random_uuid()"),
            nullable=False,
            comment="Id of the item; sent as the provider's custom id",
        ),
        sa.Column("batch_id", sa.Uuid(), nullable=False, comment="The batch that it travels in"),
        sa.Column("run_id", sa.Uuid(), nullable=True, comment="The run that it serves; NULL: none"),
        sa.Column(
            "request_hash",
            sa.LargeBinary(),
            nullable=False,
            comment="SHA-256 of the request: the same input is never submitted twice",
        ),
        sa.Column(
            "state",
            sa.Text(),
            server_default=sa.text("'waiting'"),
            nullable=False,
            comment="waiting, succeeded, errored, expired or canceled",
        ),
        sa.Column("error", sa.Text(), nullable=True, comment="Why it failed; NULL: it did not"),
        sa.Column(
            "created_at",
            postgresql.TIMESTAMP(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
            comment="When it was made",
        ),
        sa.Column(
            "updated_at",
            postgresql.TIMESTAMP(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
            comment="When it last changed",
        ),
        sa.Column(
            "message_ids",
            postgresql.ARRAY(sa.Uuid()),
            server_default=sa.text("'{}'::uuid[]"),
            nullable=False,
            comment="The messages that the request shows, in its order",
        ),
        sa.Column(
            "first_new",
            sa.Integer(),
            server_default=sa.text("0"),
            nullable=False,
            comment="How many of them come first as context only",
        ),
        sa.CheckConstraint(
            "state IN ('waiting', 'succeeded', 'errored', 'expired', 'canceled')", name=op.f("ck_llm_batch_items_state")
        ),
        sa.ForeignKeyConstraint(
            ["user_id"], ["prefmem.users.user_id"], name=op.f("fk_llm_batch_items_user_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("user_id", "item_id", name=op.f("pk_llm_batch_items")),
        sa.UniqueConstraint("user_id", "request_hash", name=op.f("uq_llm_batch_items_user_id_request_hash")),
        schema="prefmem",
        comment="Items of provider batches: one request of one user each",
    )
    op.create_index(
        op.f("ix_llm_batch_items_batch_id"), "llm_batch_items", ["batch_id"], unique=False, schema="prefmem"
    )
    op.create_index(
        "ix_llm_batch_items_waiting",
        "llm_batch_items",
        ["user_id"],
        unique=False,
        schema="prefmem",
        postgresql_where=sa.text("state = 'waiting'"),
    )
    op.create_table(
        "llm_calls",
        sa.Column("user_id", sa.Text(), nullable=False, comment="The user whom this row belongs to"),
        sa.Column(
            "call_id", sa.Uuid(), server_default=sa.text("gen_random_uuid()"), nullable=False, comment="Id of the call"
        ),
        sa.Column(
            "purpose",
            sa.Text(),
            nullable=False,
            comment="What it was for: extract, judge, embed, rerank, consolidate, summarize …",
        ),
        sa.Column("provider", sa.Text(), nullable=False, comment="Who was called"),
        sa.Column("model", sa.Text(), nullable=False, comment="Model that was asked"),
        sa.Column("prompt_version", sa.Text(), nullable=True, comment="Version of the prompt; NULL: none"),
        sa.Column("request_hash", sa.LargeBinary(), nullable=False, comment="SHA-256 of the request body"),
        sa.Column(
            "input_tokens",
            sa.Integer(),
            server_default=sa.text("0"),
            nullable=False,
            comment="Tokens sent and not read from a cache",
        ),
        sa.Column(
            "output_tokens", sa.Integer(), server_default=sa.text("0"), nullable=False, comment="Tokens received"
        ),
        sa.Column(
            "cache_read_tokens",
            sa.Integer(),
            server_default=sa.text("0"),
            nullable=False,
            comment="Tokens read from the provider's cache",
        ),
        sa.Column(
            "cache_write_tokens",
            sa.Integer(),
            server_default=sa.text("0"),
            nullable=False,
            comment="Tokens written to the provider's cache",
        ),
        sa.Column(
            "latency_ms",
            sa.Integer(),
            server_default=sa.text("0"),
            nullable=False,
            comment="How long it took, in milliseconds",
        ),
        sa.Column(
            "outcome", sa.Text(), nullable=False, comment="running, ok, truncated, refused, invalid, unavailable …"
        ),
        sa.Column(
            "cost_usd",
            sa.Numeric(precision=18, scale=9),
            nullable=True,
            comment="What it cost; NULL: no price is known for the model",
        ),
        sa.Column(
            "request",
            postgresql.JSONB(astext_type=sa.Text()),
            nullable=True,
            comment="The request, in record mode only; NULL: not recorded",
        ),
        sa.Column(
            "response",
            postgresql.JSONB(astext_type=sa.Text()),
            nullable=True,
            comment="The answer, in record mode only; NULL: not recorded",
        ),
        sa.Column("run_id", sa.Uuid(), nullable=True, comment="The run that it served; NULL: a direct call"),
        sa.Column(
            "at",
            postgresql.TIMESTAMP(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
            comment="When it was made",
        ),
        sa.Column(
            "is_batch",
            sa.Boolean(),
            server_default=sa.text("false"),
            nullable=False,
            comment="True: in a batch, which has a price of its own",
        ),
        sa.ForeignKeyConstraint(
            ["user_id"], ["prefmem.users.user_id"], name=op.f("fk_llm_calls_user_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("user_id", "call_id", name=op.f("pk_llm_calls")),
        schema="prefmem",
        comment="Ledger of provider calls: a call that serves several users has one row each with its share",
    )
    op.create_index(op.f("ix_llm_calls_at"), "llm_calls", ["at"], unique=False, schema="prefmem")
    op.create_index(
        op.f("ix_llm_calls_user_id_request_hash"),
        "llm_calls",
        ["user_id", "request_hash"],
        unique=False,
        schema="prefmem",
    )
    op.create_table(
        "message_terms",
        sa.Column("user_id", sa.Text(), nullable=False, comment="The user whom this row belongs to"),
        sa.Column("lexeme", sa.Text(), nullable=False, comment="An English stem or a CJK bigram"),
        sa.Column("message_id", sa.Uuid(), nullable=False, comment="The message that holds the lexeme"),
        sa.Column("frequency", sa.Integer(), nullable=False, comment="How often the message holds the lexeme"),
        sa.Column("length", sa.Integer(), nullable=False, comment="How many lexemes the message has in all"),
        sa.ForeignKeyConstraint(
            ["user_id"], ["prefmem.users.user_id"], name=op.f("fk_message_terms_user_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint(
            "user_id", "lexeme", "message_id", name=op.f("pk_message_terms"), postgresql_include=["frequency", "length"]
        ),
        schema="prefmem",
        comment="Postings of messages for keyword ranking (BM25)",
    )
    op.create_table(
        "preference_terms",
        sa.Column("user_id", sa.Text(), nullable=False, comment="The user whom this row belongs to"),
        sa.Column("lexeme", sa.Text(), nullable=False, comment="An English stem or a CJK bigram"),
        sa.Column("preference_id", sa.Uuid(), nullable=False, comment="The preference that holds the lexeme"),
        sa.Column("frequency", sa.Integer(), nullable=False, comment="How often the statement holds the lexeme"),
        sa.Column("length", sa.Integer(), nullable=False, comment="How many lexemes the statement has in all"),
        sa.ForeignKeyConstraint(
            ["user_id"], ["prefmem.users.user_id"], name=op.f("fk_preference_terms_user_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint(
            "user_id",
            "lexeme",
            "preference_id",
            name=op.f("pk_preference_terms"),
            postgresql_include=["frequency", "length"],
        ),
        schema="prefmem",
        comment="Postings of activated preferences for keyword ranking (BM25)",
    )
    op.create_table(
        "preferences",
        sa.Column("user_id", sa.Text(), nullable=False, comment="The user whom this row belongs to"),
        sa.Column(
            "preference_id",
            sa.Uuid(),
            server_default=sa.text("gen_random_uuid()"),
            nullable=False,
            comment="Id of the preference; it stays when the wording is updated",
        ),
        sa.Column(
            "kind",
            sa.Text(),
            nullable=False,
            comment="explicit (said), implicit (inferred), fact (circumstance), goal (wish or plan) or experience (what worked)",
        ),
        sa.Column("statement", sa.Text(), nullable=True, comment="The preference in the user's words; NULL: deleted"),
        sa.Column(
            "statement_hash",
            sa.LargeBinary(),
            nullable=True,
            comment="SHA-256 of the statement after NFKC, case and space folding; NULL: deleted",
        ),
        sa.Column(
            "context",
            sa.Text(),
            server_default=sa.text("''"),
            nullable=False,
            comment="Short summary that surrounds it: reason, journey, requests of a goal",
        ),
        sa.Column("polarity", sa.Text(), nullable=False, comment="positive, negative or neutral"),
        sa.Column("topic", sa.Text(), nullable=True, comment="Topic id, such as food or travel; NULL: none found"),
        sa.Column(
            "entities",
            sa.ARRAY(sa.Text()),
            server_default=sa.text("'{}'::text[]"),
            nullable=False,
            comment="Names, brands and models that the statement mentions",
        ),
        sa.Column(
            "tags",
            sa.ARRAY(sa.Text()),
            server_default=sa.text("'{}'::text[]"),
            nullable=False,
            comment="Free tags of the caller",
        ),
        sa.Column(
            "language", sa.Text(), nullable=False, comment="Language of the statement by script: en, zh, ja or ko"
        ),
        sa.Column("confidence", sa.REAL(), nullable=False, comment="How sure it is, 0 to 1"),
        sa.Column("importance", sa.REAL(), nullable=False, comment="How much it matters, 0 to 1"),
        sa.Column(
            "sensitivity",
            sa.Text(),
            server_default=sa.text("'none'"),
            nullable=False,
            comment="none, health, finance or identity: the last three need consent",
        ),
        sa.Column(
            "is_safety",
            sa.Boolean(),
            server_default=sa.text("false"),
            nullable=False,
            comment="An allergy or the like: always recalled, never decays",
        ),
        sa.Column(
            "is_pinned",
            sa.Boolean(),
            server_default=sa.text("false"),
            nullable=False,
            comment="Kept by a person: never decays",
        ),
        sa.Column(
            "status",
            sa.Text(),
            nullable=False,
            comment="activated, resolving, rejected, archived, superseded or deleted",
        ),
        sa.Column("superseded_by", sa.Uuid(), nullable=True, comment="The preference that replaced it; NULL: none"),
        sa.Column(
            "mention_count",
            sa.Integer(),
            server_default=sa.text("1"),
            nullable=False,
            comment="How many times the user has stated it",
        ),
        sa.Column("valid_from", postgresql.TIMESTAMP(timezone=True), nullable=False, comment="Since when it is true"),
        sa.Column(
            "valid_to",
            postgresql.TIMESTAMP(timezone=True),
            nullable=True,
            comment="Until when it was true; NULL: still true",
        ),
        sa.Column("created_at", postgresql.TIMESTAMP(timezone=True), nullable=False, comment="When it was stored"),
        sa.Column("updated_at", postgresql.TIMESTAMP(timezone=True), nullable=False, comment="When it last changed"),
        sa.Column(
            "expires_at",
            postgresql.TIMESTAMP(timezone=True),
            nullable=True,
            comment="When it ends by itself; NULL: never",
        ),
        sa.Column(
            "source",
            sa.Text(),
            server_default=sa.text("'api'"),
            nullable=False,
            comment="Where it came from: api, or an importer's name",
        ),
        sa.Column("dialog_id", sa.Text(), nullable=True, comment="The dialog that it came from; NULL: none"),
        sa.Column("session_id", sa.Text(), nullable=True, comment="The session that it came from; NULL: none"),
        sa.Column("agent_id", sa.Text(), nullable=True, comment="The agent that took part; NULL: not given"),
        sa.Column("mem_cube_id", sa.Text(), nullable=True, comment="The caller's memory container; NULL: not given"),
        sa.Column(
            "version",
            sa.Integer(),
            server_default=sa.text("1"),
            nullable=False,
            comment="Raised by every change; a stale one is a conflict",
        ),
        sa.Column("run_id", sa.Uuid(), nullable=True, comment="The run that last wrote it; NULL: a direct call"),
        sa.Column(
            "metadata",
            postgresql.JSONB(astext_type=sa.Text()),
            server_default=sa.text("'{}'::jsonb"),
            nullable=False,
            comment="Free JSON of the caller; filters can reach into it",
        ),
        sa.Column(
            "search_vector",
            postgresql.TSVECTOR(),
            sa.Computed("prefmem.search_vector(statement)", persisted=True),
            nullable=True,
            comment="Lexemes of the statement: English stems and CJK bigrams; NULL: deleted",
        ),
        sa.CheckConstraint(
            "(status = 'deleted') = (statement IS NULL) AND (statement IS NULL) = (statement_hash IS NULL)",
            name=op.f("ck_preferences_deleted_has_no_text"),
        ),
        sa.CheckConstraint(
            "kind IN ('explicit', 'implicit', 'fact', 'goal', 'experience')", name=op.f("ck_preferences_kind")
        ),
        sa.CheckConstraint("polarity IN ('positive', 'negative', 'neutral')", name=op.f("ck_preferences_polarity")),
        sa.CheckConstraint(
            "sensitivity IN ('none', 'health', 'finance', 'identity')", name=op.f("ck_preferences_sensitivity")
        ),
        sa.CheckConstraint(
            "status IN ('activated', 'resolving', 'rejected', 'archived', 'superseded', 'deleted')",
            name=op.f("ck_preferences_status"),
        ),
        sa.CheckConstraint("confidence BETWEEN 0 AND 1", name=op.f("ck_preferences_confidence")),
        sa.CheckConstraint("importance BETWEEN 0 AND 1", name=op.f("ck_preferences_importance")),
        sa.CheckConstraint("length(statement) BETWEEN 1 AND 4000", name=op.f("ck_preferences_statement")),
        sa.CheckConstraint("valid_to >= valid_from", name=op.f("ck_preferences_valid_to")),
        sa.CheckConstraint("version >= 1 AND mention_count >= 1", name=op.f("ck_preferences_counts")),
        sa.ForeignKeyConstraint(
            ["user_id", "superseded_by"],
            ["prefmem.preferences.user_id", "prefmem.preferences.preference_id"],
            name=op.f("fk_preferences_user_id_superseded_by"),
        ),
        sa.ForeignKeyConstraint(
            ["user_id"], ["prefmem.users.user_id"], name=op.f("fk_preferences_user_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("user_id", "preference_id", name=op.f("pk_preferences")),
        schema="prefmem",
        comment="Preferences: one atomic, self-contained statement to know about the user each",
    )
    op.create_index(
        "ix_preferences_entities",
        "preferences",
        ["user_id", "preference_id"],
        unique=False,
        schema="prefmem",
        postgresql_include=["entities"],
        postgresql_where=sa.text("status = 'activated' AND cardinality(entities) > 0"),
    )
    op.create_index(
        "ix_preferences_ending",
        "preferences",
        ["user_id", "expires_at"],
        unique=False,
        schema="prefmem",
        postgresql_where=sa.text("status = 'activated' AND expires_at IS NOT NULL"),
    )
    op.create_index(
        "ix_preferences_listed",
        "preferences",
        ["user_id", "status", "created_at", "preference_id"],
        unique=False,
        schema="prefmem",
    )
    op.create_index(
        "ix_preferences_statement", "preferences", ["user_id", "statement_hash"], unique=False, schema="prefmem"
    )
    op.create_index(
        "ix_preferences_topic",
        "preferences",
        ["user_id", "topic"],
        unique=False,
        schema="prefmem",
        postgresql_where=sa.text("status = 'activated'"),
    )
    op.create_index(
        op.f("ix_preferences_user_id_superseded_by"),
        "preferences",
        ["user_id", "superseded_by"],
        unique=False,
        schema="prefmem",
    )
    op.create_index(
        "ux_preferences_activated_statement",
        "preferences",
        ["user_id", "statement_hash"],
        unique=True,
        schema="prefmem",
        postgresql_where=sa.text("status = 'activated'"),
    )
    op.create_table(
        "session_state",
        sa.Column("user_id", sa.Text(), nullable=False, comment="The user whom this row belongs to"),
        sa.Column("session_id", sa.Text(), nullable=False, comment="The sitting of the user"),
        sa.Column(
            "goals",
            postgresql.JSONB(astext_type=sa.Text()),
            server_default=sa.text("'[]'::jsonb"),
            nullable=False,
            comment="What the user wants to reach in this session",
        ),
        sa.Column(
            "recalled",
            postgresql.JSONB(astext_type=sa.Text()),
            server_default=sa.text("'[]'::jsonb"),
            nullable=False,
            comment="Ids of preferences recalled already",
        ),
        sa.Column(
            "updated_at",
            postgresql.TIMESTAMP(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
            comment="When it last changed",
        ),
        sa.Column("expires_at", postgresql.TIMESTAMP(timezone=True), nullable=False, comment="When it ends"),
        sa.ForeignKeyConstraint(
            ["user_id"], ["prefmem.users.user_id"], name=op.f("fk_session_state_user_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("user_id", "session_id", name=op.f("pk_session_state")),
        schema="prefmem",
        comment="Working memory of a session; ends by itself",
    )
    op.create_index(
        op.f("ix_session_state_expires_at"), "session_state", ["expires_at"], unique=False, schema="prefmem"
    )
    op.create_table(
        "user_stats",
        sa.Column("user_id", sa.Text(), nullable=False, comment="The user whom this row belongs to"),
        sa.Column("scope", sa.Text(), nullable=False, comment="preference or message"),
        sa.Column("model_id", sa.SmallInteger(), nullable=False, comment="The embedding model"),
        sa.Column(
            "language", sa.Text(), nullable=False, comment="Language by script of the memories (or of the questions)"
        ),
        sa.Column(
            "row_count",
            sa.BigInteger(),
            server_default=sa.text("0"),
            nullable=False,
            comment="How many rows are searched",
        ),
        sa.Column(
            "total_length",
            sa.BigInteger(),
            server_default=sa.text("0"),
            nullable=False,
            comment="Sum of their lengths in lexemes",
        ),
        sa.Column(
            "vector_count",
            sa.BigInteger(),
            server_default=sa.text("0"),
            nullable=False,
            comment="How many vectors memory_mean stands for",
        ),
        sa.Column(
            "memory_mean",
            pgvector.sqlalchemy.vector.VECTOR(),
            nullable=True,
            comment="Mean of the memories' vectors, drawn to the shipped mean by ten; NULL: none embedded yet",
        ),
        sa.Column(
            "question_count",
            sa.Float(),
            server_default=sa.text("0"),
            nullable=False,
            comment="Decayed number of questions behind question_mean",
        ),
        sa.Column(
            "question_mean",
            pgvector.sqlalchemy.vector.VECTOR(),
            nullable=True,
            comment="Decayed mean of the questions' vectors, drawn to the shipped mean by ten; NULL: none asked yet",
        ),
        sa.Column(
            "in_hnsw",
            sa.Boolean(),
            server_default=sa.text("false"),
            nullable=False,
            comment="True: every row of the user is in the HNSW index",
        ),
        sa.Column(
            "updated_at",
            postgresql.TIMESTAMP(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
            comment="When it was last brought up to date",
        ),
        sa.CheckConstraint("scope IN ('preference', 'message')", name=op.f("ck_user_stats_scope")),
        sa.ForeignKeyConstraint(
            ["model_id"], ["prefmem.embedding_models.model_id"], name=op.f("fk_user_stats_model_id")
        ),
        sa.ForeignKeyConstraint(
            ["user_id"], ["prefmem.users.user_id"], name=op.f("fk_user_stats_user_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("user_id", "scope", "model_id", "language", name=op.f("pk_user_stats")),
        schema="prefmem",
        comment="Running statistics of a user that ranking reads by key; they may lag behind the rows",
    )
    op.create_table(
        "extraction_runs",
        sa.Column("user_id", sa.Text(), nullable=False, comment="The user whom this row belongs to"),
        sa.Column(
            "run_id", sa.Uuid(), server_default=sa.text("gen_random_uuid()"), nullable=False, comment="Id of the run"
        ),
        sa.Column("dialog_id", sa.Text(), nullable=False, comment="The dialog that was read"),
        sa.Column(
            "input_hash",
            sa.LargeBinary(),
            nullable=False,
            comment="SHA-256 of the ids and texts of the messages that were read as new",
        ),
        sa.Column("extractor", sa.Text(), nullable=False, comment="Name of the extractor"),
        sa.Column("extractor_version", sa.Text(), nullable=False, comment="Name and version of the extractor"),
        sa.Column("model", sa.Text(), nullable=True, comment="Model behind it; NULL: none"),
        sa.Column("prompt_version", sa.Text(), nullable=True, comment="Version of the prompt; NULL: none"),
        sa.Column(
            "pass",
            sa.SmallInteger(),
            server_default=sa.text("1"),
            nullable=False,
            comment="1, or higher when asked to read again",
        ),
        sa.Column(
            "state", sa.Text(), nullable=False, comment="running, done, failed (tried again) or parked (given up)"
        ),
        sa.Column(
            "attempts", sa.Integer(), server_default=sa.text("0"), nullable=False, comment="How many times it was tried"
        ),
        sa.Column(
            "counts",
            postgresql.JSONB(astext_type=sa.Text()),
            server_default=sa.text("'{}'::jsonb"),
            nullable=False,
            comment="Messages read, candidates found, and decisions by action",
        ),
        sa.Column("error", sa.Text(), nullable=True, comment="Why it failed; NULL: it did not"),
        sa.Column(
            "started_at",
            postgresql.TIMESTAMP(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
            comment="When it started",
        ),
        sa.Column(
            "finished_at", postgresql.TIMESTAMP(timezone=True), nullable=True, comment="When it ended; NULL: it has not"
        ),
        sa.CheckConstraint("state IN ('running', 'done', 'failed', 'parked')", name=op.f("ck_extraction_runs_state")),
        sa.ForeignKeyConstraint(
            ["user_id", "dialog_id"],
            ["prefmem.dialogs.user_id", "prefmem.dialogs.dialog_id"],
            name=op.f("fk_extraction_runs_user_id_dialog_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("user_id", "run_id", name=op.f("pk_extraction_runs")),
        sa.UniqueConstraint(
            "user_id",
            "input_hash",
            "extractor_version",
            "pass",
            name=op.f("uq_extraction_runs_user_id_input_hash_extractor_version_pass"),
        ),
        schema="prefmem",
        comment="Executions of extraction: what was read, by what, with which result",
    )
    op.create_index(
        "ix_extraction_runs_state",
        "extraction_runs",
        ["state", "started_at"],
        unique=False,
        schema="prefmem",
        postgresql_where=sa.text("state <> 'done'"),
    )
    op.create_index(
        op.f("ix_extraction_runs_user_id_dialog_id"),
        "extraction_runs",
        ["user_id", "dialog_id"],
        unique=False,
        schema="prefmem",
    )
    op.create_table(
        "messages",
        sa.Column("user_id", sa.Text(), nullable=False, comment="The user whom this row belongs to"),
        sa.Column(
            "message_id",
            sa.Uuid(),
            server_default=sa.text("gen_random_uuid()"),
            nullable=False,
            comment="Id of the message; a UUID of version 7, so ids of one load are in order",
        ),
        sa.Column("dialog_id", sa.Text(), nullable=False, comment="The dialog that the message belongs to"),
        sa.Column(
            "role",
            sa.Text(),
            nullable=False,
            comment="user, assistant, other (a person who is not the user), system or tool",
        ),
        sa.Column("author", sa.Text(), nullable=True, comment="Name of the speaker; NULL: not given"),
        sa.Column("content", sa.Text(), nullable=False, comment="What was said; secrets stand as [secret:KIND]"),
        sa.Column("occurred_at", postgresql.TIMESTAMP(timezone=True), nullable=False, comment="When it was said"),
        sa.Column(
            "occurred_at_is_assumed",
            sa.Boolean(),
            server_default=sa.text("false"),
            nullable=False,
            comment="True when no time was given and the time of ingestion stands in its place",
        ),
        sa.Column(
            "ingested_at",
            postgresql.TIMESTAMP(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
            comment="When it was stored",
        ),
        sa.Column(
            "source",
            sa.Text(),
            server_default=sa.text("'api'"),
            nullable=False,
            comment="Where it came from: api, or an importer's name",
        ),
        sa.Column(
            "external_id",
            sa.Text(),
            nullable=False,
            comment="The caller's id, or a hash of the message: makes ingesting again free",
        ),
        sa.Column(
            "read_by_run_id",
            sa.Uuid(),
            nullable=True,
            comment="The extraction run that covered it as new; NULL: unread",
        ),
        sa.Column(
            "metadata",
            postgresql.JSONB(astext_type=sa.Text()),
            server_default=sa.text("'{}'::jsonb"),
            nullable=False,
            comment="Free JSON of the caller; filters can reach into it",
        ),
        sa.Column(
            "search_vector",
            postgresql.TSVECTOR(),
            sa.Computed("prefmem.search_vector(content)", persisted=True),
            nullable=False,
            comment="Lexemes of the content: English stems and CJK bigrams",
        ),
        sa.CheckConstraint("content <> ''", name=op.f("ck_messages_content")),
        sa.CheckConstraint("role IN ('user', 'assistant', 'other', 'system', 'tool')", name=op.f("ck_messages_role")),
        sa.ForeignKeyConstraint(
            ["user_id", "dialog_id"],
            ["prefmem.dialogs.user_id", "prefmem.dialogs.dialog_id"],
            name=op.f("fk_messages_user_id_dialog_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("user_id", "message_id", name=op.f("pk_messages")),
        sa.UniqueConstraint("user_id", "source", "external_id", name=op.f("uq_messages_user_id_source_external_id")),
        schema="prefmem",
        comment="Messages: one turn said by someone, secrets already replaced",
    )
    op.create_index(
        "ix_messages_unread",
        "messages",
        ["user_id", "dialog_id", "occurred_at"],
        unique=False,
        schema="prefmem",
        postgresql_where=sa.text("read_by_run_id IS NULL"),
    )
    op.create_index(
        op.f("ix_messages_user_id_dialog_id_occurred_at_message_id"),
        "messages",
        ["user_id", "dialog_id", "occurred_at", "message_id"],
        unique=False,
        schema="prefmem",
    )
    op.create_table(
        "preference_embeddings",
        sa.Column("user_id", sa.Text(), nullable=False, comment="The user whom this row belongs to"),
        sa.Column("preference_id", sa.Uuid(), nullable=False, comment="The preference that was embedded"),
        sa.Column("model_id", sa.SmallInteger(), nullable=False, comment="The embedding model"),
        sa.Column(
            "embedding",
            pgvector.sqlalchemy.halfvec.HALFVEC(),
            nullable=False,
            comment="The raw vector of length 1; centred at query time",
        ),
        sa.Column(
            "language", sa.Text(), nullable=False, comment="Copy: language by script; chooses the mean to subtract"
        ),
        sa.Column("kind", sa.Text(), nullable=False, comment="Copy: kind of the preference"),
        sa.Column(
            "is_active",
            sa.Boolean(),
            server_default=sa.text("true"),
            nullable=False,
            comment="Copy: status is activated",
        ),
        sa.Column(
            "needs_consent",
            sa.Boolean(),
            server_default=sa.text("false"),
            nullable=False,
            comment="Copy: sensitive and not a safety preference",
        ),
        sa.Column(
            "hub_en",
            sa.REAL(),
            server_default=sa.text("0"),
            nullable=False,
            comment="Hubness: how near it lies to everything that is asked (English); taken off its score",
        ),
        sa.Column(
            "hub_zh",
            sa.REAL(),
            server_default=sa.text("0"),
            nullable=False,
            comment="Hubness: how near it lies to everything that is asked (Chinese); taken off its score",
        ),
        sa.Column(
            "in_hnsw",
            sa.Boolean(),
            server_default=sa.text("false"),
            nullable=False,
            comment="True: the row is in the model's HNSW index",
        ),
        sa.Column(
            "created_at",
            postgresql.TIMESTAMP(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
            comment="When it was embedded",
        ),
        sa.ForeignKeyConstraint(
            ["model_id"], ["prefmem.embedding_models.model_id"], name=op.f("fk_preference_embeddings_model_id")
        ),
        sa.ForeignKeyConstraint(
            ["user_id", "preference_id"],
            ["prefmem.preferences.user_id", "prefmem.preferences.preference_id"],
            name=op.f("fk_preference_embeddings_user_id_preference_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("user_id", "preference_id", "model_id", name=op.f("pk_preference_embeddings")),
        schema="prefmem",
        comment="Vectors of preferences, one a model, with copies of what ranking needs without a join",
    )
    op.create_table(
        "preference_usage",
        sa.Column("user_id", sa.Text(), nullable=False, comment="The user whom this row belongs to"),
        sa.Column("preference_id", sa.Uuid(), nullable=False, comment="The preference"),
        sa.Column(
            "access_count",
            sa.BigInteger(),
            server_default=sa.text("0"),
            nullable=False,
            comment="How many searches returned it",
        ),
        sa.Column(
            "last_accessed_at",
            postgresql.TIMESTAMP(timezone=True),
            nullable=True,
            comment="When a search last returned it; NULL: never",
        ),
        sa.ForeignKeyConstraint(
            ["user_id", "preference_id"],
            ["prefmem.preferences.user_id", "prefmem.preferences.preference_id"],
            name=op.f("fk_preference_usage_user_id_preference_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("user_id", "preference_id", name=op.f("pk_preference_usage")),
        schema="prefmem",
        comment="How often a preference was found; apart, so that reading never rewrites a preference",
    )
    op.create_table(
        "preference_versions",
        sa.Column("user_id", sa.Text(), nullable=False, comment="The user whom this row belongs to"),
        sa.Column(
            "version_id",
            sa.Uuid(),
            server_default=sa.text("gen_random_uuid()"),
            nullable=False,
            comment="Id of the change",
        ),
        sa.Column("preference_id", sa.Uuid(), nullable=False, comment="The preference that changed"),
        sa.Column("version", sa.Integer(), nullable=False, comment="Its version number after the change"),
        sa.Column(
            "event",
            sa.Text(),
            nullable=False,
            comment="What happened: add, update, merge, supersede, archive, restore, delete, approve, reject",
        ),
        sa.Column(
            "state_before",
            postgresql.JSONB(astext_type=sa.Text()),
            nullable=True,
            comment="The whole row before; NULL: it did not exist, or was deleted on request",
        ),
        sa.Column(
            "state_after",
            postgresql.JSONB(astext_type=sa.Text()),
            nullable=True,
            comment="The whole row after; NULL: deleted on request",
        ),
        sa.Column("actor", sa.Text(), nullable=False, comment="Who or what made the change"),
        sa.Column("reason", sa.Text(), server_default=sa.text("''"), nullable=False, comment="Why, in words"),
        sa.Column(
            "details",
            postgresql.JSONB(astext_type=sa.Text()),
            server_default=sa.text("'{}'::jsonb"),
            nullable=False,
            comment="Scores, judge and candidates behind the change, as JSON",
        ),
        sa.Column("run_id", sa.Uuid(), nullable=True, comment="The run that made the change; NULL: a direct call"),
        sa.Column("at", postgresql.TIMESTAMP(timezone=True), nullable=False, comment="When the change was stored"),
        sa.CheckConstraint(
            "event IN ('add', 'update', 'merge', 'supersede', 'archive', 'restore', 'delete', 'approve', 'reject')",
            name=op.f("ck_preference_versions_event"),
        ),
        sa.ForeignKeyConstraint(
            ["user_id", "preference_id"],
            ["prefmem.preferences.user_id", "prefmem.preferences.preference_id"],
            name=op.f("fk_preference_versions_user_id_preference_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("user_id", "version_id", name=op.f("pk_preference_versions")),
        schema="prefmem",
        comment="Every change of every preference, with the whole state before and after",
    )
    op.create_index(
        op.f("ix_preference_versions_user_id_at"),
        "preference_versions",
        ["user_id", "at"],
        unique=False,
        schema="prefmem",
    )
    op.create_index(
        op.f("ix_preference_versions_user_id_preference_id_at"),
        "preference_versions",
        ["user_id", "preference_id", "at"],
        unique=False,
        schema="prefmem",
    )
    op.create_table(
        "profile_entries",
        sa.Column("user_id", sa.Text(), nullable=False, comment="The user whom this row belongs to"),
        sa.Column("layer", sa.Text(), nullable=False, comment="explicit (said or set) or inferred (from behaviour)"),
        sa.Column("key", sa.Text(), nullable=False, comment="Name of the setting, such as language or max_length"),
        sa.Column("value", postgresql.JSONB(astext_type=sa.Text()), nullable=False, comment="Value of the setting"),
        sa.Column("confidence", sa.REAL(), nullable=False, comment="How sure it is, 0 to 1"),
        sa.Column("preference_id", sa.Uuid(), nullable=True, comment="The preference it came from; NULL: set directly"),
        sa.Column(
            "reason", sa.Text(), server_default=sa.text("''"), nullable=False, comment="Why it has this value, in words"
        ),
        sa.Column(
            "stated_at",
            postgresql.TIMESTAMP(timezone=True),
            nullable=False,
            comment="When it was stated: an older write never replaces a newer one",
        ),
        sa.Column(
            "updated_at",
            postgresql.TIMESTAMP(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
            comment="When it was stored",
        ),
        sa.CheckConstraint("layer IN ('explicit', 'inferred')", name=op.f("ck_profile_entries_layer")),
        sa.CheckConstraint("confidence BETWEEN 0 AND 1", name=op.f("ck_profile_entries_confidence")),
        sa.ForeignKeyConstraint(
            ["user_id", "preference_id"],
            ["prefmem.preferences.user_id", "prefmem.preferences.preference_id"],
            name=op.f("fk_profile_entries_user_id_preference_id"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["user_id"], ["prefmem.users.user_id"], name=op.f("fk_profile_entries_user_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("user_id", "layer", "key", name=op.f("pk_profile_entries")),
        schema="prefmem",
        comment="The structured settings of a user, in layers",
    )
    op.create_index(
        op.f("ix_profile_entries_user_id_preference_id"),
        "profile_entries",
        ["user_id", "preference_id"],
        unique=False,
        schema="prefmem",
    )
    op.create_table(
        "summaries",
        sa.Column("user_id", sa.Text(), nullable=False, comment="The user whom this row belongs to"),
        sa.Column(
            "summary_id",
            sa.Uuid(),
            server_default=sa.text("gen_random_uuid()"),
            nullable=False,
            comment="Id of the summary",
        ),
        sa.Column("scope", sa.Text(), nullable=False, comment="dialog or day"),
        sa.Column("dialog_id", sa.Text(), nullable=True, comment="The dialog; NULL: the summary of a day"),
        sa.Column(
            "period_start", postgresql.TIMESTAMP(timezone=True), nullable=False, comment="Start of what it covers"
        ),
        sa.Column("period_end", postgresql.TIMESTAMP(timezone=True), nullable=False, comment="End of what it covers"),
        sa.Column("text", sa.Text(), nullable=False, comment="The summary"),
        sa.Column("language", sa.Text(), server_default=sa.text("'en'"), nullable=False, comment="Language by script"),
        sa.Column(
            "counts",
            postgresql.JSONB(astext_type=sa.Text()),
            server_default=sa.text("'{}'::jsonb"),
            nullable=False,
            comment="How many messages and preferences it covers",
        ),
        sa.Column("run_id", sa.Uuid(), nullable=True, comment="The run that wrote it; NULL: a direct call"),
        sa.Column(
            "created_at",
            postgresql.TIMESTAMP(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
            comment="When it was written",
        ),
        sa.Column(
            "sensitivity",
            sa.Text(),
            server_default=sa.text("'none'"),
            nullable=False,
            comment="The most private thing in it; found with consent unless none",
        ),
        sa.Column(
            "message_ids",
            postgresql.ARRAY(sa.Uuid()),
            server_default=sa.text("'{}'::uuid[]"),
            nullable=False,
            comment="The messages that it is drawn from, in its order",
        ),
        sa.Column(
            "input_hash",
            sa.LargeBinary(),
            nullable=True,
            comment="What it was made from and by what: equal means up to date; NULL: not known",
        ),
        sa.Column(
            "search_vector",
            postgresql.TSVECTOR(),
            sa.Computed("prefmem.search_vector(text)", persisted=True),
            nullable=False,
            comment="Lexemes of the text: English stems and CJK bigrams",
        ),
        sa.CheckConstraint("(scope = 'dialog') = (dialog_id IS NOT NULL)", name=op.f("ck_summaries_dialog")),
        sa.CheckConstraint("scope IN ('dialog', 'day')", name=op.f("ck_summaries_scope")),
        sa.CheckConstraint(
            "sensitivity IN ('none', 'health', 'finance', 'identity')", name=op.f("ck_summaries_sensitivity")
        ),
        sa.CheckConstraint("period_end >= period_start", name=op.f("ck_summaries_period")),
        sa.ForeignKeyConstraint(
            ["user_id", "dialog_id"],
            ["prefmem.dialogs.user_id", "prefmem.dialogs.dialog_id"],
            name=op.f("fk_summaries_user_id_dialog_id"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["user_id"], ["prefmem.users.user_id"], name=op.f("fk_summaries_user_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("user_id", "summary_id", name=op.f("pk_summaries")),
        sa.UniqueConstraint(
            "user_id",
            "scope",
            "period_start",
            "dialog_id",
            name=op.f("uq_summaries_user_id_scope_period_start_dialog_id"),
            postgresql_nulls_not_distinct=True,
        ),
        schema="prefmem",
        comment="Summaries of dialogs and days",
    )
    op.create_index(
        op.f("ix_summaries_user_id_dialog_id"), "summaries", ["user_id", "dialog_id"], unique=False, schema="prefmem"
    )
    op.create_table(
        "message_embeddings",
        sa.Column("user_id", sa.Text(), nullable=False, comment="The user whom this row belongs to"),
        sa.Column("message_id", sa.Uuid(), nullable=False, comment="The message that was embedded"),
        sa.Column("model_id", sa.SmallInteger(), nullable=False, comment="The embedding model"),
        sa.Column(
            "embedding",
            pgvector.sqlalchemy.halfvec.HALFVEC(),
            nullable=False,
            comment="The raw vector of length 1; centred at query time",
        ),
        sa.Column(
            "language", sa.Text(), nullable=False, comment="Copy: language by script; chooses the mean to subtract"
        ),
        sa.Column(
            "in_hnsw",
            sa.Boolean(),
            server_default=sa.text("false"),
            nullable=False,
            comment="True: the row is in the model's HNSW index",
        ),
        sa.Column(
            "created_at",
            postgresql.TIMESTAMP(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
            comment="When it was embedded",
        ),
        sa.ForeignKeyConstraint(
            ["model_id"], ["prefmem.embedding_models.model_id"], name=op.f("fk_message_embeddings_model_id")
        ),
        sa.ForeignKeyConstraint(
            ["user_id", "message_id"],
            ["prefmem.messages.user_id", "prefmem.messages.message_id"],
            name=op.f("fk_message_embeddings_user_id_message_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("user_id", "message_id", "model_id", name=op.f("pk_message_embeddings")),
        schema="prefmem",
        comment="Vectors of messages, one a model; the speaker and the time are part of the embedded text",
    )
    op.create_table(
        "preference_evidence",
        sa.Column("user_id", sa.Text(), nullable=False, comment="The user whom this row belongs to"),
        sa.Column("preference_id", sa.Uuid(), nullable=False, comment="The preference that is supported"),
        sa.Column("message_id", sa.Uuid(), nullable=False, comment="The message that supports it"),
        sa.Column(
            "start_offset", sa.Integer(), nullable=False, comment="Where the quote starts in the message, in characters"
        ),
        sa.Column("end_offset", sa.Integer(), nullable=False, comment="Where it ends: one after the last character"),
        sa.Column("quote", sa.Text(), nullable=False, comment="The text at that place"),
        sa.Column("run_id", sa.Uuid(), nullable=True, comment="The run that found it; NULL: a direct call"),
        sa.Column(
            "created_at",
            postgresql.TIMESTAMP(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
            comment="When it was stored",
        ),
        sa.CheckConstraint(
            "start_offset >= 0 AND end_offset - start_offset = length(quote)",
            name=op.f("ck_preference_evidence_offsets"),
        ),
        sa.ForeignKeyConstraint(
            ["user_id", "message_id"],
            ["prefmem.messages.user_id", "prefmem.messages.message_id"],
            name=op.f("fk_preference_evidence_user_id_message_id"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["user_id", "preference_id"],
            ["prefmem.preferences.user_id", "prefmem.preferences.preference_id"],
            name=op.f("fk_preference_evidence_user_id_preference_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint(
            "user_id", "preference_id", "message_id", "start_offset", name=op.f("pk_preference_evidence")
        ),
        schema="prefmem",
        comment="The message spans that support a preference",
    )
    op.create_index(
        op.f("ix_preference_evidence_user_id_message_id"),
        "preference_evidence",
        ["user_id", "message_id"],
        unique=False,
        schema="prefmem",
    )
    op.create_table(
        "summary_embeddings",
        sa.Column("user_id", sa.Text(), nullable=False, comment="The user whom this row belongs to"),
        sa.Column("summary_id", sa.Uuid(), nullable=False, comment="The summary that was embedded"),
        sa.Column("model_id", sa.SmallInteger(), nullable=False, comment="The embedding model"),
        sa.Column(
            "embedding",
            pgvector.sqlalchemy.halfvec.HALFVEC(),
            nullable=False,
            comment="The raw vector of length 1; centred at query time",
        ),
        sa.Column(
            "language", sa.Text(), nullable=False, comment="Copy: language by script; chooses the mean to subtract"
        ),
        sa.Column(
            "in_hnsw",
            sa.Boolean(),
            server_default=sa.text("false"),
            nullable=False,
            comment="True: the row is in the model's HNSW index",
        ),
        sa.Column(
            "created_at",
            postgresql.TIMESTAMP(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
            comment="When it was embedded",
        ),
        sa.ForeignKeyConstraint(
            ["model_id"], ["prefmem.embedding_models.model_id"], name=op.f("fk_summary_embeddings_model_id")
        ),
        sa.ForeignKeyConstraint(
            ["user_id", "summary_id"],
            ["prefmem.summaries.user_id", "prefmem.summaries.summary_id"],
            name=op.f("fk_summary_embeddings_user_id_summary_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("user_id", "summary_id", "model_id", name=op.f("pk_summary_embeddings")),
        schema="prefmem",
        comment="Vectors of summaries, one a model",
    )


def downgrade() -> None:
    op.drop_table("summary_embeddings", schema="prefmem")
    op.drop_index(op.f("ix_preference_evidence_user_id_message_id"), table_name="preference_evidence", schema="prefmem")
    op.drop_table("preference_evidence", schema="prefmem")
    op.drop_table("message_embeddings", schema="prefmem")
    op.drop_index(op.f("ix_summaries_user_id_dialog_id"), table_name="summaries", schema="prefmem")
    op.drop_table("summaries", schema="prefmem")
    op.drop_index(op.f("ix_profile_entries_user_id_preference_id"), table_name="profile_entries", schema="prefmem")
    op.drop_table("profile_entries", schema="prefmem")
    op.drop_index(
        op.f("ix_preference_versions_user_id_preference_id_at"), table_name="preference_versions", schema="prefmem"
    )
    op.drop_index(op.f("ix_preference_versions_user_id_at"), table_name="preference_versions", schema="prefmem")
    op.drop_table("preference_versions", schema="prefmem")
    op.drop_table("preference_usage", schema="prefmem")
    op.drop_table("preference_embeddings", schema="prefmem")
    op.drop_index(op.f("ix_messages_user_id_dialog_id_occurred_at_message_id"), table_name="messages", schema="prefmem")
    op.drop_index(
        "ix_messages_unread",
        table_name="messages",
        schema="prefmem",
        postgresql_where=sa.text("read_by_run_id IS NULL"),
    )
    op.drop_table("messages", schema="prefmem")
    op.drop_index(op.f("ix_extraction_runs_user_id_dialog_id"), table_name="extraction_runs", schema="prefmem")
    op.drop_index(
        "ix_extraction_runs_state",
        table_name="extraction_runs",
        schema="prefmem",
        postgresql_where=sa.text("state <> 'done'"),
    )
    op.drop_table("extraction_runs", schema="prefmem")
    op.drop_table("user_stats", schema="prefmem")
    op.drop_index(op.f("ix_session_state_expires_at"), table_name="session_state", schema="prefmem")
    op.drop_table("session_state", schema="prefmem")
    op.drop_index(
        "ux_preferences_activated_statement",
        table_name="preferences",
        schema="prefmem",
        postgresql_where=sa.text("status = 'activated'"),
    )
    op.drop_index(op.f("ix_preferences_user_id_superseded_by"), table_name="preferences", schema="prefmem")
    op.drop_index(
        "ix_preferences_topic",
        table_name="preferences",
        schema="prefmem",
        postgresql_where=sa.text("status = 'activated'"),
    )
    op.drop_index("ix_preferences_statement", table_name="preferences", schema="prefmem")
    op.drop_index("ix_preferences_listed", table_name="preferences", schema="prefmem")
    op.drop_index(
        "ix_preferences_ending",
        table_name="preferences",
        schema="prefmem",
        postgresql_where=sa.text("status = 'activated' AND expires_at IS NOT NULL"),
    )
    op.drop_index(
        "ix_preferences_entities",
        table_name="preferences",
        schema="prefmem",
        postgresql_include=["entities"],
        postgresql_where=sa.text("status = 'activated' AND cardinality(entities) > 0"),
    )
    op.drop_table("preferences", schema="prefmem")
    op.drop_table("preference_terms", schema="prefmem")
    op.drop_table("message_terms", schema="prefmem")
    op.drop_index(op.f("ix_llm_calls_user_id_request_hash"), table_name="llm_calls", schema="prefmem")
    op.drop_index(op.f("ix_llm_calls_at"), table_name="llm_calls", schema="prefmem")
    op.drop_table("llm_calls", schema="prefmem")
    op.drop_index(
        "ix_llm_batch_items_waiting",
        table_name="llm_batch_items",
        schema="prefmem",
        postgresql_where=sa.text("state = 'waiting'"),
    )
    op.drop_index(op.f("ix_llm_batch_items_batch_id"), table_name="llm_batch_items", schema="prefmem")
    op.drop_table("llm_batch_items", schema="prefmem")
    op.drop_table("evaluation_results", schema="prefmem")
    op.drop_index(op.f("ix_dialogs_user_id_session_id"), table_name="dialogs", schema="prefmem")
    op.drop_table("dialogs", schema="prefmem")
    op.drop_table("candidates", schema="prefmem")
    op.drop_table("users", schema="prefmem")
    op.drop_table("settings", schema="prefmem")
    op.drop_index(op.f("ix_llm_shared_calls_at"), table_name="llm_shared_calls", schema="prefmem")
    op.drop_table("llm_shared_calls", schema="prefmem")
    op.drop_table("llm_prices", schema="prefmem")
    op.drop_table("llm_batches", schema="prefmem")
    op.drop_table("evaluation_runs", schema="prefmem")
    op.drop_table("erasures", schema="prefmem")
    op.drop_index(
        "ux_embedding_models_active",
        table_name="embedding_models",
        schema="prefmem",
        postgresql_where=sa.text("state = 'active'"),
    )
    op.drop_table("embedding_models", schema="prefmem")
