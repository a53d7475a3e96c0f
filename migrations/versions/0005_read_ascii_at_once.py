"""Make the lexemes of a text in ASCII at once: folding leaves it as it is, and it holds no run of other characters."""

from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

CJK = r"\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0002fa1f"

# As it was. The result of both is the same, so that no row is made anew.
ANY_TEXT = f"""
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
    FROM (SELECT prefmem.simplified(normalize(left(content, 40000), NFKC)) AS folded OFFSET 0) AS given
    OFFSET 0
  ) AS parts
"""
ASCII_FIRST = f"""
  SELECT CASE
    WHEN octet_length(content) = length(content) THEN to_tsvector('pg_catalog.english'::regconfig, left(content, 40000))
    ELSE ({ANY_TEXT})
  END
"""


def upgrade() -> None:
    replace(ASCII_FIRST)


def downgrade() -> None:
    replace(ANY_TEXT)


def replace(body: str) -> None:
    # As it stands: a colon or a percent sign in it is no parameter.
    statement = f"""CREATE OR REPLACE FUNCTION prefmem.search_vector(content text) RETURNS tsvector
LANGUAGE sql IMMUTABLE PARALLEL SAFE
BEGIN ATOMIC
{body};
END"""
    op.get_bind().execution_options(no_parameters=True).exec_driver_sql(statement)
