"""Messages are stored once, whoever sends them how often."""

from dataclasses import replace

import pytest

from prefmem_pg.db.session import Database
from prefmem_pg.domain.messages import NewMessage
from prefmem_pg.errors import InvalidInput
from prefmem_pg.memory import PreferenceMemory
from prefmem_pg.steps.ingest import OrdinalCounter, ingest
from tests.conftest import RolledBackDatabase, count


def test_a_repeated_message_is_stored_once(memory: PreferenceMemory, user_id: str) -> None:
    message = {"role": "user", "content": "我喜欢安静的咖啡馆 ☕", "external_id": "m-1"}

    [first] = memory.add_messages(user_id, [message])
    [second] = memory.add_messages(user_id, [message])

    assert second == first
    assert memory.list_messages(user_id).total == 1


def test_the_same_external_id_with_other_content_keeps_what_is_stored(
    rolled_back: RolledBackDatabase, user_id: str
) -> None:
    message = NewMessage(user_id=user_id, role="user", content="I like tea", external_id="m-1")

    twice = [message, replace(message, content="I like coffee")]

    batches = list(ingest(rolled_back, twice, user_id=user_id, source="api", model_id=1))

    assert batches[0].result.added == 1
    assert batches[0].result.conflicts == (1,)
    assert count(rolled_back, "SELECT count(*) FROM prefmem.messages WHERE content = 'I like tea'") == 1


def test_equal_messages_of_one_call_are_two_and_of_two_calls_are_not(memory: PreferenceMemory, user_id: str) -> None:
    ok = {"role": "user", "content": "ok", "occurred_at": "2026-05-01T10:00:00Z"}

    memory.add_messages(user_id, [ok, ok], dialog_id="d-1")
    memory.add_messages(user_id, [ok, ok], dialog_id="d-1")

    assert memory.list_messages(user_id).total == 2


def test_a_secret_is_nowhere_in_what_is_stored(memory: PreferenceMemory, user_id: str) -> None:
    secret = "sk_test_ABCDEFGH12345678"

    [stored] = memory.add_messages(
        user_id,
        [
            {
                "role": "user",
                "content": f"凭证为{secret}，请保存",
                "author": secret,
                "metadata": {"note": f"key {secret}"},
            }
        ],
    )

    assert secret not in repr(stored)
    assert "[secret:" in stored.content


def test_a_message_without_time_says_that_it_was_assumed(memory: PreferenceMemory, user_id: str) -> None:
    [stored] = memory.add_messages(user_id, [{"role": "user", "content": "hello"}])

    assert stored.occurred_at_is_assumed
    assert stored.dialog_id == f"default:{stored.occurred_at.date().isoformat()}"


def test_a_message_without_dialog_goes_into_that_of_its_session(memory: PreferenceMemory, user_id: str) -> None:
    [stored] = memory.add_messages(user_id, [{"role": "user", "content": "hello"}], session_id="s-9")

    assert (stored.dialog_id, stored.session_id) == ("default:s-9", "s-9")


def test_one_bad_message_stores_nothing_and_is_named(memory: PreferenceMemory, user_id: str) -> None:
    with pytest.raises(InvalidInput, match=r"message 1: role is unknown"):
        memory.add_messages(user_id, [{"role": "user", "content": "a"}, {"role": "robot", "content": "b"}])

    assert memory.list_messages(user_id).total == 0


def test_a_message_of_five_megabytes_is_stored_whole(memory: PreferenceMemory, user_id: str) -> None:
    content = "长话短说, a very long story 😀 " * 180_000

    [stored] = memory.add_messages(user_id, [{"role": "user", "content": content}])

    assert stored.content == content


def test_many_messages_take_the_copy_path_with_the_same_result(database: Database, user_id: str) -> None:
    messages = [
        NewMessage(user_id=f"{user_id}-{n % 7}", role="user", content=f"message 号 {n} 😀\t\\N", external_id=str(n))
        for n in range(2_500)
    ]

    results = [
        [batch.result for batch in ingest(database, messages, user_id=None, source="api", model_id=1)] for _ in range(2)
    ]

    assert [sum(result.added for result in round_) for round_ in results] == [2_500, 0]
    assert count(database, "SELECT count(*) FROM prefmem.messages WHERE user_id LIKE :u", u=f"{user_id}-%") == 2_500
    assert count(database, "SELECT count(*) FROM prefmem.messages WHERE content = :c", c="message 号 8 😀\t\\N") == 1


def test_external_ids_are_the_same_for_the_same_file_read_twice() -> None:
    message = NewMessage(user_id="u-1", role="user", content="好", dialog_id="d-1")
    first, second = OrdinalCounter(), OrdinalCounter()

    ids = [first.external_id(message), first.external_id(message)]

    assert ids == [second.external_id(message), second.external_id(message)]
    assert len(set(ids)) == 2


def test_the_postings_count_what_the_search_vector_holds(memory: PreferenceMemory, user_id: str) -> None:
    memory.add_messages(user_id, [{"role": "user", "content": "apples and apples, 苹果"}])

    with memory.database.transaction(user_id=user_id) as repositories:
        terms = repositories.session.connection().exec_driver_sql(
            "SELECT lexeme, frequency, length FROM prefmem.message_terms ORDER BY lexeme"
        )
        assert [tuple(row) for row in terms] == [("appl", 2, 3), ("苹果", 1, 3)]
