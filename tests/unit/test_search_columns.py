"""The columns of a search are read by their places: the function's, the reader's and the record's must agree."""

from dataclasses import fields

from prefmem_pg.db.hybrid import Ranked
from prefmem_pg.db.hybrid_template import RESULT
from prefmem_pg.db.rows import PREFERENCE_COLUMNS
from prefmem_pg.domain.preferences import Preference


def test_a_search_returns_a_preference_and_what_it_says_of_it() -> None:
    assert list(RESULT) == [*PREFERENCE_COLUMNS, *(name for name in Ranked._fields if name != "for_safety")]
    assert list(PREFERENCE_COLUMNS) == [field.name for field in fields(Preference)]
