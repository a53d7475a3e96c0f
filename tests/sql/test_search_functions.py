"""The functions that find preferences: by words, and by meaning within a user and between users."""

from uuid import UUID

import pytest
from psycopg import errors as pg
from sqlalchemy import Connection, text
from sqlalchemy.exc import DBAPIError

from prefmem_pg.memory import PreferenceMemory
from tests.conftest import RolledBackDatabase

STATEMENTS = {
    "u-安娜": ["I love green tea 🍵", "我喜欢喝绿茶", "I like hiking in the Alps", "I prefer window seats"],
    "u-bo": ["I adore green tea", "Tea with milk is great", "我每天早上跑步"],
    "u-cy": ["I like mountain walks", "My dog is called Rex"],
}
ANALYSTS = ("prefmem_analyst", "prefmem_analyst_text", "prefmem_app", "prefmem_pipeline")


@pytest.fixture
def connection(memory: PreferenceMemory, rolled_back: RolledBackDatabase) -> Connection:
    """The owner's connection; three users have preferences with vectors and postings."""
    for user_id, statements in STATEMENTS.items():
        memory.remember_many(user_id, [{"statement": statement} for statement in statements], deduplicate=False)
    rolled_back.connection.exec_driver_sql("RESET ROLE")
    return rolled_back.connection


def preference_id(connection: Connection, statement: str) -> UUID:
    found = text("SELECT preference_id FROM prefmem.preferences WHERE statement = :statement")
    return UUID(str(connection.scalar(found, {"statement": statement})))


def by_words(connection: Connection, user_id: str, query: str, k: int = 10) -> list[str]:
    statement = text("SELECT statement FROM prefmem.search_preferences_text(:user_id, :query, :k)")
    return list(connection.scalars(statement, {"user_id": user_id, "query": query, "k": k}))


@pytest.mark.parametrize(
    ("query", "statements"),
    [
        ("tea", ["I love green tea 🍵"]),
        ("HIKES", ["I like hiking in the Alps"]),
        ("绿茶", ["我喜欢喝绿茶"]),
        ("茶", ["我喜欢喝绿茶"]),
        ("🍵", ["I love green tea 🍵"]),
        ("喝绿茶 or window", ["我喜欢喝绿茶", "I prefer window seats"]),
        ("100%_ ' \\ :tea; --", ["I love green tea 🍵"]),
        ("", []),
        ("   ", []),
        ("跑步", []),
    ],
)
def test_words_are_found_in_english_and_chinese_alike(
    connection: Connection, query: str, statements: list[str]
) -> None:
    assert by_words(connection, "u-安娜", query) == statements


@pytest.mark.parametrize(
    ("query", "first"), [("tea milk", "Tea with milk is great"), ("green tea", "I adore green tea")]
)
def test_the_rarer_word_counts_more(connection: Connection, query: str, first: str) -> None:
    assert len(by_words(connection, "u-bo", query)) == 2
    assert by_words(connection, "u-bo", query, k=1) == [first]


def test_what_is_not_current_is_not_found_by_words(connection: Connection) -> None:
    connection.exec_driver_sql(
        "UPDATE prefmem.preferences SET expires_at = now() WHERE statement = 'I love green tea 🍵'"
    )
    assert by_words(connection, "u-安娜", "green tea") == []


def test_what_is_like_a_preference_comes_in_order_of_likeness(connection: Connection) -> None:
    tea = preference_id(connection, "I love green tea 🍵")
    statement = text("SELECT statement, similarity FROM prefmem.similar_preferences(:user_id, :id, 3)")
    found = connection.execute(statement, {"user_id": "u-安娜", "id": tea}).all()
    assert found[0].statement == "我喜欢喝绿茶"
    assert len(found) == 3
    assert 1 >= found[0].similarity > found[1].similarity >= found[2].similarity > 0


def test_the_likeness_is_the_cosine_of_the_vectors(connection: Connection) -> None:
    one, other = (preference_id(connection, s) for s in ("I love green tea 🍵", "I prefer window seats"))
    of = text(
        "SELECT similarity FROM prefmem.similar_preferences('u-安娜', :one, 10) WHERE preference_id = :other"
        " UNION ALL SELECT 1 - (a.embedding <=> b.embedding) FROM prefmem.preference_embeddings a,"
        " prefmem.preference_embeddings b WHERE a.preference_id = :one AND b.preference_id = :other"
    )
    shown, computed = connection.scalars(of, {"one": one, "other": other})
    assert shown == pytest.approx(computed, abs=0.002)  # a halfvec keeps about three digits of its length


def test_other_users_come_once_each_with_the_nearest_preference(connection: Connection) -> None:
    tea = preference_id(connection, "I love green tea 🍵")
    statement = text("SELECT user_id, statement FROM prefmem.similar_users('u-安娜', :id, 10)")
    found = [tuple(row) for row in connection.execute(statement, {"id": tea})]
    assert found[0] == ("u-bo", "I adore green tea")
    assert [user_id for user_id, _ in found] == ["u-bo", "u-cy"]
    first = text("SELECT user_id FROM prefmem.similar_users('u-安娜', :id, 1)")
    assert list(connection.scalars(first, {"id": tea})) == ["u-bo"]


def test_archived_and_expired_preferences_of_others_are_passed_over(connection: Connection) -> None:
    tea = preference_id(connection, "I love green tea 🍵")
    connection.exec_driver_sql(
        "UPDATE prefmem.preferences SET expires_at = now() WHERE statement = 'I adore green tea'"
    )
    statement = text("SELECT statement FROM prefmem.similar_users('u-安娜', :id, 1)")
    assert connection.scalar(statement, {"id": tea}) == "Tea with milk is great"


@pytest.mark.parametrize("function", ["similar_preferences", "similar_users"])
def test_a_preference_without_a_vector_or_of_somebody_else_is_like_nothing(
    connection: Connection, function: str
) -> None:
    tea = preference_id(connection, "I love green tea 🍵")
    asked = text(f"SELECT count(*) FROM prefmem.{function}(:user_id, :id, 10)")
    assert connection.scalar(asked, {"user_id": "u-安娜", "id": tea}) > 0
    assert connection.scalar(asked, {"user_id": "u-bo", "id": tea}) == 0
    connection.exec_driver_sql("DELETE FROM prefmem.preference_embeddings WHERE user_id = 'u-安娜'")
    assert connection.scalar(asked, {"user_id": "u-安娜", "id": tea}) == 0


@pytest.mark.parametrize(
    "call",
    [
        "similar_preferences('u-bo', gen_random_uuid(), {})",
        "similar_users('u-bo', gen_random_uuid(), {})",
        "search_preferences_text('u-bo', 'tea', {})",
    ],
)
@pytest.mark.parametrize("k", ["0", "-1", "1001", "NULL"])
def test_a_number_of_rows_that_makes_no_sense_is_an_error(connection: Connection, call: str, k: str) -> None:
    with pytest.raises(DBAPIError, match=f"k must be from 1 to 1000, not {k}") as refused, connection.begin_nested():
        connection.exec_driver_sql(f"SELECT * FROM prefmem.{call.format(k)}")
    assert isinstance(refused.value.orig, pg.InvalidParameterValue)


@pytest.mark.parametrize(
    ("call", "allowed"),
    [
        ("similar_preferences('u-安娜', '{id}')", {"prefmem_analyst_text", "prefmem_pipeline"}),
        ("similar_users('u-安娜', '{id}')", {"prefmem_analyst_text", "prefmem_pipeline"}),
        (
            "search_preferences_text('u-安娜', 'tea')",
            {"prefmem_analyst_text", "prefmem_pipeline", "prefmem_app"},
        ),
    ],
)
@pytest.mark.parametrize("role", ANALYSTS)
def test_only_who_may_read_words_finds_them(connection: Connection, call: str, allowed: set[str], role: str) -> None:
    statement = f"SELECT count(*) FROM prefmem.{call.format(id=preference_id(connection, 'I love green tea 🍵'))}"
    connection.exec_driver_sql(f"SET LOCAL ROLE {role}; SET LOCAL prefmem.user_id = 'u-安娜'")
    if role in allowed:
        assert connection.exec_driver_sql(statement).scalar_one() > 0
        return
    with pytest.raises(DBAPIError) as refused, connection.begin_nested():
        connection.exec_driver_sql(statement)
    assert isinstance(refused.value.orig, pg.InsufficientPrivilege)


def test_the_application_finds_words_of_its_own_user_alone(connection: Connection) -> None:
    connection.exec_driver_sql("SET LOCAL ROLE prefmem_app; SET LOCAL prefmem.user_id = 'u-安娜'")
    assert by_words(connection, "u-bo", "tea") == []
    assert by_words(connection, "u-安娜", "tea") == ["I love green tea 🍵"]
