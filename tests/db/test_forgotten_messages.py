"""What forgetting messages does to everything that was made from them, on a real database."""

from collections.abc import Sequence
from uuid import UUID

import pytest
from sqlalchemy import text

from prefmem_pg.memory import PreferenceMemory

FIRST = {
    "en": {"role": "user", "content": "I love hiking in the snowy Alps 🏔️.", "external_id": "1"},
    "zh": {"role": "user", "content": "我特别喜欢在雪山里徒步旅行 🏔️。", "external_id": "1"},
}
SECOND = {
    "en": {"role": "user", "content": "I love mountains, again and again.", "external_id": "2"},
    "zh": {"role": "user", "content": "我喜欢大山，一去再去。", "external_id": "2"},
}
BOTH = pytest.mark.parametrize("language", ["en", "zh"])


def run(memory: PreferenceMemory, user_id: str, statement: str, **values: object) -> Sequence[object]:
    with memory.database.transaction(user_id=user_id) as repositories:
        result = repositories.session.execute(text(statement), {"user_id": user_id, **values})
        return result.all() if result.returns_rows else []


def support(memory: PreferenceMemory, user_id: str, preference_id: UUID, message_id: UUID) -> None:
    """Make a message support a preference with the whole of its words."""
    run(
        memory,
        user_id,
        "INSERT INTO prefmem.preference_evidence"
        " (user_id, preference_id, message_id, start_offset, end_offset, quote)"
        " SELECT user_id, :preference_id, message_id, 0, length(content), content FROM prefmem.messages"
        " WHERE user_id = :user_id AND message_id = :message_id",
        preference_id=preference_id,
        message_id=message_id,
    )


@BOTH
def test_a_statement_in_the_words_of_a_forgotten_message_goes_and_what_else_supports_it_is_read_again(
    memory: PreferenceMemory, user_id: str, language: str
) -> None:
    [first] = memory.add_messages(user_id, [FIRST[language]], dialog_id="d-1")
    memory.extract(user_id=user_id)
    [preference] = memory.list_preferences(user_id).items
    [second] = memory.add_messages(user_id, [SECOND[language]], dialog_id="d-2")
    memory.extract(user_id=user_id)
    memory.delete_many(user_id, {"dialog_id": "d-2"})
    support(memory, user_id, preference.preference_id, second.message_id)

    memory.forget_messages(user_id, [first.message_id])

    assert memory.get(user_id, preference.preference_id).status == "deleted"
    assert memory.verify_erased("u-nobody", [preference.statement]).texts == {}
    assert memory.extract(user_id=user_id).messages == 1
    [again] = memory.list_preferences(user_id).items
    assert [e.message_id for e in memory.evidence(user_id, again.preference_id)] == [second.message_id]


@BOTH
def test_a_statement_that_stays_keeps_no_context_and_no_earlier_wording(
    memory: PreferenceMemory, user_id: str, language: str
) -> None:
    said = FIRST[language]
    [first] = memory.add_messages(user_id, [said], dialog_id="d-1")
    memory.extract(user_id=user_id)
    [preference] = memory.list_preferences(user_id).items
    earlier, reason = "an earlier wording 先前的说法", "because of my knees 因为膝盖"
    memory.update(user_id, preference.preference_id, statement=earlier, context=reason)
    memory.update(user_id, preference.preference_id, statement=preference.statement)
    [second] = memory.add_messages(user_id, [{**said, "external_id": "2"}], dialog_id="d-2")
    memory.extract(user_id=user_id)

    memory.forget_messages(user_id, [first.message_id])

    kept = memory.get(user_id, preference.preference_id)
    assert (kept.status, kept.statement, kept.context) == ("activated", preference.statement, "")
    assert memory.verify_erased("u-nobody", [earlier, reason]).texts == {}
    assert [e.message_id for e in memory.evidence(user_id, kept.preference_id)] == [second.message_id]


@BOTH
def test_a_context_that_quotes_a_forgotten_message_of_the_dialog_is_blanked(
    memory: PreferenceMemory, user_id: str, language: str
) -> None:
    [first] = memory.add_messages(user_id, [FIRST[language]], dialog_id="d-1")
    quoting = memory.remember(
        user_id, "I collect stamps 集邮", dialog_id="d-1", context=f"said after: {FIRST[language]['content']}"
    ).preference
    elsewhere = memory.remember(user_id, "I own a boat 有条船", dialog_id="d-1", context="它叫 Poppy").preference

    memory.forget_messages(user_id, [first.message_id])

    assert memory.get(user_id, quoting.preference_id).context == ""
    assert memory.get(user_id, elsewhere.preference_id).context == "它叫 Poppy"
    assert memory.verify_erased("u-nobody", [FIRST[language]["content"][:12]]).texts == {}


@BOTH
def test_what_was_made_from_a_conversation_goes_with_its_messages(
    memory: PreferenceMemory, user_id: str, language: str
) -> None:
    said = FIRST[language]["content"]
    [first, _] = memory.add_messages(user_id, [FIRST[language], SECOND[language]], dialog_id="d-1", session_id="s-1")
    statements = [
        "INSERT INTO prefmem.summaries (user_id, scope, dialog_id, period_start, period_end, text)"
        " VALUES (:user_id, 'dialog', 'd-1', now(), now(), :said)",
        "INSERT INTO prefmem.summaries (user_id, scope, period_start, period_end, text)"
        " VALUES (:user_id, 'day', now() - interval '1 day', now() + interval '1 day', :said)",
        "INSERT INTO prefmem.summaries (user_id, scope, period_start, period_end, text)"
        " VALUES (:user_id, 'day', now() - interval '9 days', now() - interval '8 days', 'another day 另一天')",
        "INSERT INTO prefmem.session_state (user_id, session_id, goals, expires_at)"
        " VALUES (:user_id, 's-1', jsonb_build_array(CAST(:said AS text)), now())",
        "INSERT INTO prefmem.candidates (user_id, payload, payload_hash) VALUES (:user_id, jsonb_build_object("
        "'statement', CAST(:said AS text), 'evidence', jsonb_build_array("
        "jsonb_build_object('message_id', CAST(:id AS text)))), '')",
        "INSERT INTO prefmem.llm_calls (user_id, purpose, provider, model, request_hash, outcome, request, response)"
        " VALUES (:user_id, 'extract', 'p', 'm', '', 'ok', to_jsonb(CAST(:said AS text)), 'null')",
        "INSERT INTO prefmem.extraction_runs"
        " (user_id, dialog_id, input_hash, extractor, extractor_version, state, error)"
        " VALUES (:user_id, 'd-1', '', 'x', 'x/1', 'failed', :said)",
        "UPDATE prefmem.dialogs SET title = :said WHERE user_id = :user_id",
    ]
    for statement in statements:
        run(memory, user_id, statement, said=said, id=str(first.message_id))

    counts = memory.forget_messages(user_id, [first.message_id]).counts

    assert (counts["summaries"], counts["candidates"], counts["dialogs"]) == (2, 1, 0)
    assert memory.verify_erased("u-nobody", [said[:12], said]).texts == {}
    assert run(memory, user_id, "SELECT text FROM prefmem.summaries") == [("another day 另一天",)]
    assert run(memory, user_id, "SELECT purpose FROM prefmem.llm_calls") == [("extract",)]


@BOTH
def test_statistics_stand_for_what_is_left(memory: PreferenceMemory, user_id: str, language: str) -> None:
    stats = (
        "SELECT sum(row_count), sum(total_length), sum(vector_count) FROM prefmem.user_stats WHERE scope = 'message'"
    )
    memory.add_messages(user_id, [FIRST[language]], dialog_id="d-1")
    memory.embed_missing(user_id=user_id)
    before = run(memory, user_id, stats)
    [second] = memory.add_messages(user_id, [SECOND[language]], dialog_id="d-1")
    memory.embed_missing(user_id=user_id)
    assert run(memory, user_id, stats) != before

    memory.forget_messages(user_id, [second.message_id])

    assert run(memory, user_id, stats) == before
    assert run(memory, user_id, "SELECT DISTINCT message_id FROM prefmem.message_terms") == run(
        memory, user_id, "SELECT message_id FROM prefmem.messages"
    )


def test_pieces_in_common_are_found_in_either_language(memory: PreferenceMemory, user_id: str) -> None:
    shares = "SELECT prefmem.shares_text('{}', '{}'), prefmem.shares_text('{}', '{}')"
    pairs = [
        ("I love hiking in the Alps", "The user loves hiking in the Alps", True),
        ("I love hiking in the Alps", "I love hiking", True),
        ("I love tea", "I love hiking", False),
        ("我想去北京旅游", "用户想去北京旅游", True),
        ("我想去北京旅游", "我想去上海旅游", False),
        ("喝茶", "我喜欢喝茶 🍵", True),
        ("", "anything", False),
    ]
    for one, other, expected in pairs:
        assert run(memory, user_id, shares.format(one, other, other, one)) == [(expected, expected)]
