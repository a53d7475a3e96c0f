"""The database folds traditional Chinese characters as the package does."""

from sqlalchemy import text

from prefmem_pg.db.session import Database
from prefmem_pg.domain import hanzi


def test_sql_and_python_fold_the_same_characters(database: Database) -> None:
    given = hanzi.TRADITIONAL + "ASCII 簡体 🥜 乾隆皇帝\n"
    with database.engine.connect() as connection:
        folded = connection.scalar(text("SELECT prefmem.simplified(:given)"), {"given": given})
    assert folded == hanzi.simplify(given)
    assert folded != given
