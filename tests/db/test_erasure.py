"""Forgetting users, messages and preferences, on a real database."""


import pytest

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
