"""Loading many statements without comparing them: all of it there, searchable at once, said once, and reported."""

import threading
from collections import Counter
from collections.abc import Iterator

import pytest
from sqlalchemy import text

from prefmem_pg.db import bulk as db_bulk
from prefmem_pg.domain.preferences import Candidate
from prefmem_pg.domain.states import preference_as_json
from prefmem_pg.errors import InvalidInput, NotFound, ProviderUnavailable
from prefmem_pg.memory import PreferenceMemory
from prefmem_pg.memory.preferences import LOADED_FROM
from prefmem_pg.providers.local_embedder import LocalEmbedder
from prefmem_pg.steps import bulk
from tests.conftest import RolledBackDatabase, count

SAID = ["I like tea 🍵", "我喜欢喝茶", "I never eat cilantro 香菜", '"quoted" \\ back {slash}', "🙂"]
MANY = [f"{said} {n}" for n in range(LOADED_FROM // 2) for said in SAID]


@pytest.fixture
def loaded(memory: PreferenceMemory, user_id: str) -> PreferenceMemory:
    decisions = memory.remember_many(user_id, [{"statement": said} for said in MANY], deduplicate=False)
    assert Counter(d.action for d in decisions) == {"added": len(MANY)}
    return memory


def test_a_load_leaves_the_rows_that_deciding_one_by_one_leaves(memory: PreferenceMemory, user_id: str) -> None:
    items = [
        {
            "statement": said,
            "tags": ["a, b", 'c"d\\', "茶"],
            "metadata": {"n": n, "词": None},
            "confidence": 0.123456789,
        }
        for n, said in enumerate(MANY)
    ]
    by_copy = memory.remember_many(user_id, items, deduplicate=False)
    one_by_one = [memory.remember_many(f"{user_id}-1", [item], deduplicate=False)[0] for item in items]

    def told(decision: object) -> object:
        preference = decision.preference  # type: ignore[attr-defined]
        ignored = {"user_id", "preference_id", "created_at", "updated_at", "valid_from"}
        values = {name: getattr(preference, name) for name in preference.__slots__ if name not in ignored}
        return decision.action, decision.reason, values  # type: ignore[attr-defined]

    assert [told(d) for d in by_copy] == [told(d) for d in one_by_one]
    stored = memory.get_many(user_id, [d.preference.preference_id for d in by_copy if d.preference])
    assert {p.preference_id: p for p in stored} == {d.preference.preference_id: d.preference for d in by_copy}  # type: ignore[union-attr]


def test_what_was_loaded_is_found_at_once_by_word_and_by_meaning(loaded: PreferenceMemory, user_id: str) -> None:
    for said in MANY[:5]:
        first = loaded.search(user_id, said, learn=False)[0]
        assert (first.preference.statement, first.score) == (said, 1.0)
        assert first.explanation.semantic is not None
    by_word = loaded.search(user_id, "香菜 3", learn=False)[0]
    assert by_word.preference.statement == "I never eat cilantro 香菜 3"
    assert by_word.explanation.keyword > 0


def test_each_row_has_its_version_its_postings_and_its_place_in_the_statistics(
    loaded: PreferenceMemory, user_id: str, rolled_back: RolledBackDatabase
) -> None:
    preference = loaded.search(user_id, MANY[1], learn=False)[0].preference
    [version] = loaded.history(user_id, preference.preference_id)

    assert (version.event, version.state_before, version.actor) == ("add", None, "api")
    assert version.state_after["statement"] == MANY[1]
    rows = "SELECT sum(row_count) FROM prefmem.user_stats WHERE user_id = :u AND scope = 'preference'"
    lengths = (
        "SELECT sum(total_length) - (SELECT sum(frequency) FROM prefmem.preference_terms WHERE user_id = :u)"
        " FROM prefmem.user_stats WHERE user_id = :u AND scope = 'preference'"
    )
    assert (count(rolled_back, rows, u=user_id), count(rolled_back, lengths, u=user_id)) == (len(MANY), 0)
    assert count(rolled_back, "SELECT revision FROM prefmem.users WHERE user_id = :u", u=user_id) == 1


def test_the_state_in_a_version_is_that_of_the_row(memory: PreferenceMemory, user_id: str) -> None:
    told = {"big": 2**70, "词": ["🍵", None, 1.5, True], "nested": {"a b": -1}}
    items = [{"statement": said, "metadata": told, "expires_at": "2099-01-02T03:04:05+08:00"} for said in MANY]

    decided = memory.remember_many(user_id, items, deduplicate=False)[0].preference

    assert decided is not None
    stored = memory.get(user_id, decided.preference_id)
    [version] = memory.history(user_id, decided.preference_id)
    assert version.state_after == preference_as_json(stored)
    assert (stored.metadata, version.details) == (told, {"judge": "offline", "compared": []})


def test_the_same_statement_is_a_duplicate_wherever_it_comes_from(loaded: PreferenceMemory, user_id: str) -> None:
    items = [{"statement": said} for said in [MANY[0].upper(), "a new one", "A  new one", *MANY[1:]]]

    decisions = loaded.remember_many(user_id, items, deduplicate=False)

    assert [d.action for d in decisions[:3]] == ["duplicate", "added", "duplicate"]
    assert {d.action for d in decisions[3:]} == {"duplicate"}
    assert decisions[2].preference.preference_id == decisions[1].preference.preference_id  # type: ignore[union-attr]
    assert loaded.list_preferences(user_id).total == len(MANY) + 1


def test_a_wrong_item_holds_up_no_other_and_says_why(memory: PreferenceMemory, user_id: str) -> None:
    items: list[object] = [{"statement": said} for said in MANY]
    items[3] = {"statement": ""}
    items[7] = {"statement": "x", "confidence": float("nan")}
    items[11] = {"statement": "茶", "valid_from": "2024-01-01T00:00:00Z", "valid_to": "2020-01-01T00:00:00Z"}

    decisions = memory.remember_many(user_id, items, deduplicate=False)

    assert Counter(d.action for d in decisions) == {"added": len(MANY) - 3, "rejected": 3}
    assert [(d.preference, d.reason[:8]) for d in (decisions[3], decisions[7], decisions[11])] == [
        (None, "item 3: "),
        (None, "item 7: "),
        (None, "item 11:"),
    ]
    assert "valid_to 2020-01-01T00:00:00+00:00 is before valid_from" in decisions[11].reason
    with pytest.raises(InvalidInput, match="statement is empty"):
        memory.remember_many(user_id, [{"statement": ""}], deduplicate=False)


def test_b42_secrets_are_replaced_on_this_way_too(
    memory: PreferenceMemory, user_id: str, rolled_back: RolledBackDatabase
) -> None:
    secret = "sk-ant-api03-" + "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5bC7dE9fG1h" * 2
    items = [{"statement": f"{said} with key {secret}", "context": secret} for said in MANY]

    memory.remember_many(user_id, items, deduplicate=False)

    for table in ("preferences", "preference_versions", "preference_terms"):
        found = f"SELECT count(*) FROM prefmem.{table} t WHERE user_id = :u AND t::text ILIKE '%aB3dE5fG7hJ9kL1m%'"
        assert count(rolled_back, found, u=user_id) == 0


def test_a_guess_waits_for_a_person_and_a_rejected_statement_stays_out(memory: PreferenceMemory, user_id: str) -> None:
    no = memory.remember(user_id, MANY[0]).preference
    assert no is not None
    memory.reject(user_id, no.preference_id, actor="ana")
    items = [{"statement": said, "kind": "implicit" if n % 2 else "explicit"} for n, said in enumerate(MANY)]

    decisions = memory.remember_many(user_id, items, deduplicate=False)

    assert Counter(d.action for d in decisions) == {
        "rejected": 1, "review": len(MANY) // 2, "added": len(MANY) - len(MANY) // 2 - 1,
    }  # fmt: skip
    assert MANY[1] not in {hit.preference.statement for hit in memory.search(user_id, MANY[1], learn=False)}


def test_without_an_embedder_the_rows_are_stored_and_embedded_later(
    memory: PreferenceMemory, user_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory.stats()

    def fail(self: object, texts: object) -> object:
        raise ProviderUnavailable("down")

    with monkeypatch.context() as patched:
        patched.setattr(LocalEmbedder, "embed_documents", fail)
        memory.remember_many(user_id, [{"statement": said} for said in MANY], deduplicate=False)

    assert memory.search(user_id, "香菜", learn=False)[0].explanation.semantic is None
    assert memory.embed_missing(user_id=user_id).preferences == len(MANY)


def test_a_big_load_goes_in_batches_and_has_the_statistics_made(
    shared_memory: PreferenceMemory, user_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bulk, "COPIED_AT_ONCE", 20)
    monkeypatch.setattr(bulk, "STALE_ROWS", 30)
    monkeypatch.setattr(bulk, "STALE_SHARE", 0.0)

    decisions = shared_memory.remember_many(user_id, [{"statement": said} for said in MANY], deduplicate=False)

    assert Counter(d.action for d in decisions) == {"added": len(MANY)}
    with shared_memory.database.transaction(user_id=user_id) as repositories:
        assert db_bulk.BulkRepository(repositories.session).count_estimated() >= 40


def test_b28_two_loads_of_the_same_statements_leave_each_once(shared_memory: PreferenceMemory, user_id: str) -> None:
    items = [{"statement": said} for said in MANY]
    loads = [
        threading.Thread(target=shared_memory.remember_many, args=(user_id, given), kwargs={"deduplicate": False})
        for given in (items, list(reversed(items)))
    ]
    for load in loads:
        load.start()
    for load in loads:
        load.join(120)

    assert shared_memory.list_preferences(user_id).total == len(MANY)


def test_a_user_who_is_erased_during_a_load_does_not_come_back(
    shared_memory: PreferenceMemory, user_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bulk, "COPIED_AT_ONCE", 10)
    embed = LocalEmbedder.embed_documents
    asked = []

    def embed_and_forget(self: LocalEmbedder, texts: list[str]) -> object:
        asked.append(texts)
        if len(asked) == 4:
            with shared_memory.database.transaction(user_id=user_id) as repositories:
                repositories.session.execute(text("SELECT prefmem.forget_user(:u)"), {"u": user_id})
        return embed(self, texts)

    monkeypatch.setattr(LocalEmbedder, "embed_documents", embed_and_forget)
    with pytest.raises(NotFound, match="erased meanwhile"):
        shared_memory.remember_many(user_id, [{"statement": said} for said in MANY], deduplicate=False)

    assert count(shared_memory.database, "SELECT count(*) FROM prefmem.preferences WHERE user_id = :u", u=user_id) == 0


def test_what_is_ready_is_stored_when_no_more_can_be_read(
    memory: PreferenceMemory, user_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bulk, "COPIED_AT_ONCE", 2)

    def candidates() -> Iterator[tuple[int, Candidate]]:
        for place, said in enumerate(SAID[:4]):
            yield place, Candidate(statement=said)
        raise EOFError

    with pytest.raises(EOFError):
        memory._ready().bulk().store(user_id, candidates(), actor="load")
    assert {one.statement for one in memory.list_preferences(user_id).items} == set(SAID[:4])
