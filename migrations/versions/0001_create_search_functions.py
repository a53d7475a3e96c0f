"""Create the extensions and the functions that generated columns depend on."""

from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

# CJK: kana, Han with its extensions, and Hangul.
CJK = r"\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0002fa1f"

# A run of CJK characters becomes its bigrams: the pairs from its first character on, and those from its second on
# ("|" parts them). What is left over at the end of a run is dropped; a run of one character is kept as it is.
# OFFSET 0 keeps each step from being computed again wherever it is named.
# Everything else becomes English stems. A tsvector ends at 1 MB and bigrams fill it: 40,000 characters count.
SEARCH_VECTOR = f"""
CREATE FUNCTION prefmem.search_vector(content text) RETURNS tsvector
LANGUAGE sql IMMUTABLE PARALLEL SAFE
BEGIN ATOMIC
  SELECT CASE
    WHEN runs = '' THEN to_tsvector('pg_catalog.english'::regconfig, folded)
    ELSE to_tsvector('pg_catalog.english'::regconfig, regexp_replace(folded, '[{CJK}]+', ' ', 'g'))
      || to_tsvector('pg_catalog.simple'::regconfig, regexp_replace(
        regexp_replace(runs, '([{CJK}])([{CJK}])', '\\1\\2|', 'g'), '\\|[{CJK}]( |$)', ' ', 'g'))
      || to_tsvector('pg_catalog.simple'::regconfig, regexp_replace(
        regexp_replace(regexp_replace(runs, '(^| )[{CJK}]', ' ', 'g'), '([{CJK}])([{CJK}])', '\\1\\2|', 'g'),
        '(^|[ |])[{CJK}]( |$)', ' ', 'g'))
  END
  FROM (
    SELECT folded, CASE WHEN folded ~ '[{CJK}]' THEN btrim(regexp_replace(folded, '[^{CJK}]+', ' ', 'g')) ELSE '' END
      AS runs
    FROM (SELECT normalize(left(content, 40000), NFKC) AS folded OFFSET 0) AS given
    OFFSET 0
  ) AS parts;
END;
"""

QUERY_TERMS = """
CREATE FUNCTION prefmem.query_terms(query text) RETURNS text[]
LANGUAGE sql IMMUTABLE PARALLEL SAFE
BEGIN ATOMIC
  SELECT tsvector_to_array(prefmem.search_vector(left(query, 4000)));
END;
"""

COMMENTS = """
COMMENT ON FUNCTION prefmem.search_vector(text) IS
  'Lexemes of a text: English stems, and for Chinese, Japanese and Korean the pairs of neighbouring characters';
COMMENT ON FUNCTION prefmem.query_terms(text) IS
  'Lexemes of a question, made like those of the texts that it is matched with';
"""


def upgrade() -> None:
    for extension in ("vector", "pg_trgm"):
        op.execute(f"CREATE EXTENSION IF NOT EXISTS {extension}")
    for statement in (SEARCH_VECTOR, QUERY_TERMS, COMMENTS):
        run(statement)


def downgrade() -> None:
    # The extensions stay: others may use them.
    op.execute("DROP FUNCTION prefmem.query_terms(text)")
    op.execute("DROP FUNCTION prefmem.search_vector(text)")


def run(statement: str) -> None:
    """Run SQL as it stands: a colon or a percent sign in it is no parameter."""
    op.get_bind().execution_options(no_parameters=True).exec_driver_sql(statement)
