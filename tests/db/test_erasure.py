"""Forgetting users and messages, on a real database."""

import base64
import hmac
import subprocess

import psycopg
import pytest
from sqlalchemy import text

from prefmem_pg.db.local import LocalServer
from prefmem_pg.db.session import Database
from prefmem_pg.errors import ConfigurationError
from prefmem_pg.memory import PreferenceMemory

ENGLISH = [
    {"role": "user", "content": "I love hiking in the Alps, and I can't stand crowded trains. 🏔️", "external_id": "e-1"},
    {"role": "assistant", "content": "You should try the Dolomites then.", "external_id": "e-2"},
]
CHINESE = [
    {"role": "user", "content": "我对花生过敏，另外我不喜欢太甜的点心，谢谢你 😀。", "external_id": "z-1"},
    {"role": "assistant", "content": "好的，那可以试试咸味的饼干。", "external_id": "z-2"},
]
BOTH = pytest.mark.parametrize("messages", [ENGLISH, CHINESE], ids=["en", "zh"])


def rows_of(memory: PreferenceMemory, user_id: str) -> int:
    return sum(memory.verify_erased(user_id).rows.values())


@BOTH
def test_forgetting_a_user_leaves_no_row_and_no_text(
    memory: PreferenceMemory, user_id: str, messages: list[dict[str, str]]
) -> None:
    memory.add_messages(user_id, messages, dialog_id="d-1")
    memory.extract(user_id=user_id)
    memory.embed_missing(user_id=user_id)
    memory.search(user_id, messages[0]["content"])

    erasure = memory.forget(user_id, verify=True)

    assert erasure.counts["messages"] == 2
    assert erasure.counts["preferences"] == 2
    assert erasure.proof.is_clean
    assert erasure.proof.pieces > 0
    assert erasure.proof.unread == ()


@BOTH
def test_the_verifier_finds_rows_and_text_that_are_there(
    memory: PreferenceMemory, user_id: str, messages: list[dict[str, str]]
) -> None:
    memory.add_messages(user_id, messages, dialog_id="d-1")

    proof = memory.verify_erased(user_id, memory.sample_text(user_id))

    assert not proof.is_clean
    assert proof.rows["messages"] == 2
    assert proof.texts["messages"] == proof.pieces


@BOTH
def test_b85_the_same_text_of_another_user_is_untouched(
    memory: PreferenceMemory, user_id: str, messages: list[dict[str, str]]
) -> None:
    other = f"{user_id}-other"
    for user in (user_id, other):
        memory.add_messages(user, messages, dialog_id="d-1")
        memory.extract(user_id=user)
    before = memory.search(other, messages[0]["content"], learn=False)
    pieces = memory.sample_text(user_id)

    memory.forget(user_id)

    assert pieces == ()
    assert memory.search(other, messages[0]["content"], learn=False) == before
    assert memory.list_messages(other).total == 2


@BOTH
def test_b86_a_backfill_does_not_bring_a_user_back_and_new_consent_does(
    memory: PreferenceMemory, user_id: str, messages: list[dict[str, str]]
) -> None:
    memory.add_messages(user_id, messages, dialog_id="d-1")
    memory.forget(user_id)

    assert memory.add_messages(user_id, messages, dialog_id="d-1") == []
    assert rows_of(memory, user_id) == 0

    assert len(memory.add_messages(user_id, messages, dialog_id="d-1", allow_erased=True)) == 2
    assert len(memory.add_messages(user_id, [{"role": "user", "content": "你好 again"}], dialog_id="d-2")) == 1


def test_forgetting_twice_changes_nothing(memory: PreferenceMemory, user_id: str) -> None:
    memory.add_messages(user_id, ENGLISH, dialog_id="d-1")
    memory.forget(user_id)

    assert memory.forget(user_id).counts == {}
    assert rows_of(memory, user_id) == 0


def test_forgetting_an_unknown_user_leaves_a_tombstone_and_no_row(memory: PreferenceMemory, user_id: str) -> None:
    assert memory.forget(user_id).counts == {}

    assert memory.add_messages(user_id, CHINESE) == []
    assert rows_of(memory, user_id) == 0


def test_an_erased_user_who_speaks_to_the_application_is_remembered(memory: PreferenceMemory, user_id: str) -> None:
    memory.remember(user_id, "I love green tea")
    memory.forget(user_id)

    decision = memory.remember(user_id, "我喜欢乌龙茶")

    assert decision.action == "added"
    assert [p.statement for p in memory.list_preferences(user_id).items] == ["我喜欢乌龙茶"]


def test_every_table_of_users_is_emptied_in_bulk(memory: PreferenceMemory, user_id: str) -> None:
    """A table that is missing in forget_user.sql would be emptied row by row, by the cascade alone."""
    with memory.database.transaction(user_id=None) as repositories:
        source = repositories.session.scalar(
            text("SELECT prosrc FROM pg_proc WHERE proname = 'forget_user' AND pronamespace = 'prefmem'::regnamespace")
        )
        tables, _ = repositories.traces.list_tables()

    assert [table.name for table in tables if table.has_user and f"'{table.name}'" not in source] == []


@BOTH
def test_forgetting_messages_takes_the_preferences_that_rest_on_them_alone(
    memory: PreferenceMemory, user_id: str, messages: list[dict[str, str]]
) -> None:
    first, second = memory.add_messages(user_id, messages, dialog_id="d-1")
    memory.add_messages(user_id, [{"role": "user", "content": "I love jazz 爵士 music."}], dialog_id="d-2")
    memory.extract(user_id=user_id)
    memory.embed_missing(user_id=user_id)
    pieces = memory.sample_text(user_id)

    erasure = memory.forget_messages(user_id, [first.message_id, str(second.message_id)])

    assert erasure.counts["messages"] == 2
    assert erasure.counts["preferences"] == 2
    assert erasure.counts["dialogs"] == 1
    [kept] = memory.list_preferences(user_id).items
    assert "jazz" in kept.statement
    assert memory.list_messages(user_id).total == 1
    lost = [piece for piece in pieces if piece in messages[0]["content"] + messages[1]["content"]]
    assert lost
    assert memory.verify_erased(f"{user_id}-nobody", lost).texts == {}
    assert memory.add_messages(user_id, messages, dialog_id="d-1") == []
    assert len(memory.add_messages(user_id, messages, dialog_id="d-1", allow_erased=True)) == 2


def test_a_preference_that_another_message_supports_stays(memory: PreferenceMemory, user_id: str) -> None:
    said = [{"role": "user", "content": "I love hiking.", "external_id": "1"}]
    [first] = memory.add_messages(user_id, said, dialog_id="d-1")
    memory.extract(user_id=user_id)
    memory.add_messages(user_id, [{**said[0], "external_id": "2"}], dialog_id="d-2")
    memory.extract(user_id=user_id)

    memory.forget_messages(user_id, [first.message_id])

    [kept] = memory.list_preferences(user_id).items
    assert [e.message_id for e in memory.evidence(user_id, kept.preference_id)] != [first.message_id]
    assert len(memory.evidence(user_id, kept.preference_id)) == 1


def test_messages_of_others_are_not_forgotten(memory: PreferenceMemory, user_id: str) -> None:
    [message, _] = memory.add_messages(f"{user_id}-other", ENGLISH, dialog_id="d-1")

    assert memory.forget_messages(user_id, [message.message_id]).counts == {}
    assert memory.forget_messages(user_id, []).counts == {}
    assert memory.list_messages(f"{user_id}-other").total == 2


def test_the_application_can_forget_its_own_user_alone(database: Database, user_id: str) -> None:
    with database.transaction(user_id=user_id) as repositories:
        repositories.preferences.lock_user(user_id)
        assert repositories.erasures.forget_user(user_id) == {"users": 1}

    with pytest.raises(ConfigurationError), database.transaction(user_id=user_id) as repositories:
        repositories.erasures.forget_user(f"{user_id}-other")


def test_the_pipeline_can_forget_any_user(database: Database, user_id: str) -> None:
    with database.transaction(user_id=None) as repositories:
        repositories.preferences.lock_user(user_id)
        assert repositories.erasures.forget_user(user_id) == {"users": 1}


@pytest.mark.parametrize("user", ["u-1", None], ids=["app", "pipeline"])
def test_the_key_of_the_tombstones_cannot_be_read(database: Database, user: str | None) -> None:
    with pytest.raises(ConfigurationError), database.transaction(user_id=user) as repositories:
        repositories.session.execute(text("SELECT value FROM prefmem.settings WHERE name = 'erasure_key'"))


def test_a_mark_is_the_hmac_of_scope_and_subject(database: Database, database_url: str) -> None:
    with psycopg.connect(database_url) as connection:
        [padded] = connection.execute("SELECT value FROM prefmem.settings WHERE name = 'erasure_key'").fetchone()
        [mark] = connection.execute("SELECT prefmem.erasure_mark('user', '用户 1')").fetchone()
    key = bytes(byte ^ 0x36 for byte in base64.b64decode(padded["inner"]))

    assert mark == hmac.digest(key, "user:用户 1".encode(), "sha256")


def test_the_owner_can_forget_in_sql_and_an_analyst_cannot(
    shared_memory: PreferenceMemory, database_url: str, user_id: str
) -> None:
    shared_memory.remember(user_id, "I love tea 茶")
    with psycopg.connect(database_url) as connection:
        connection.execute("SET ROLE prefmem_analyst")
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            connection.execute("SELECT prefmem.forget_user(%s)", [user_id])
        connection.rollback()
        [counted] = connection.execute("SELECT prefmem.forget_user(%s)", [user_id]).fetchone()

    assert counted["preferences"] == 1
    assert rows_of(shared_memory, user_id) == 0


def test_the_verifier_reads_tables_that_nobody_told_it_of(
    shared_memory: PreferenceMemory, database_url: str, user_id: str
) -> None:
    with psycopg.connect(database_url) as connection:
        connection.execute("CREATE TABLE prefmem.notes (user_id text, about jsonb)")
        connection.execute("INSERT INTO prefmem.notes VALUES (%s, %s)", [user_id, '{"喜欢": "a very particular tea"}'])
    try:
        proof = shared_memory.verify_erased(user_id, ["particular t", "something el"])
    finally:
        with psycopg.connect(database_url) as connection:
            connection.execute("DROP TABLE prefmem.notes")

    assert (proof.rows, proof.texts) == ({"notes": 1}, {"notes": 1})


def test_a_full_dump_holds_nothing_of_an_erased_user(
    shared_memory: PreferenceMemory, server: LocalServer, database_url: str, user_id: str
) -> None:
    english = {"role": "user", "content": f"I love the quiet zither music of {user_id} in the evening. 🎶"}
    chinese = {"role": "user", "content": f"我特别喜欢在 {user_id} 的小茶馆里喝陈年普洱茶听评弹。"}
    shared_memory.add_messages(user_id, [english, chinese], dialog_id="d-1")
    shared_memory.extract(user_id=user_id)
    pieces = shared_memory.sample_text(user_id)
    assert all(piece in dump(server, database_url) for piece in pieces)

    shared_memory.forget(user_id)

    after = dump(server, database_url)
    assert len(pieces) >= 4
    assert [piece for piece in (*pieces, user_id) if piece in after] == []


def dump(server: LocalServer, url: str) -> str:
    command = [server.binaries / "pg_dump", "--no-owner", url]
    return subprocess.run(command, check=True, capture_output=True, text=True, encoding="utf-8").stdout
