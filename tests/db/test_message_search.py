"""Messages are found by words, by meaning, by what stands beside them, and by when they were said."""

from datetime import UTC, datetime

import pytest

from prefmem_pg.errors import InvalidFilter, InvalidInput
from prefmem_pg.memory import PreferenceMemory
from tests.conftest import RolledBackDatabase, count

ASKED = "SELECT coalesce(sum(question_count), 0) FROM prefmem.user_stats WHERE user_id = :u AND scope = 'message'"
NOW = datetime(2026, 5, 20, tzinfo=UTC)
TALK = [
    ("Ana", "user", "Did you find a place to stay for the trip?", "2026-03-02T10:00:00Z"),
    ("Ben", "other", "Yes, a small cabin beside the lake near Annecy.", "2026-03-02T10:01:00Z"),
    ("Ana", "user", "我买了 Auralis X-200 耳机，降噪很好 🎧", "2026-04-03T10:00:00Z"),
    ("Ben", "other", "Nice! My old headphones broke last winter.", "2026-04-03T10:01:00Z"),
    ("Ana", "user", "The dentist appointment moved to Thursday.", "2026-05-04T09:00:00Z"),
]


@pytest.fixture
def talk(memory: PreferenceMemory, user_id: str) -> PreferenceMemory:
    for place, (author, role, content, at) in enumerate(TALK):
        memory.add_messages(
            user_id,
            [{"role": role, "author": author, "content": content, "occurred_at": at, "external_id": f"m{place}"}],
            dialog_id=f"d-{at[:7]}",
        )
    return memory


def found(memory: PreferenceMemory, user_id: str, query: str, **options: object) -> list[str]:
    hits = memory.search_messages(user_id, query, now=NOW, **options)  # type: ignore[arg-type]
    return [hit.message.external_id for hit in hits]


def test_b59_words_find_messages_before_anything_is_embedded(talk: PreferenceMemory, user_id: str) -> None:
    assert found(talk, user_id, "降噪")[0] == "m2"
    assert found(talk, user_id, "X-200")[0] == "m2"
    assert found(talk, user_id, "dentist appointments")[0] == "m4"


def test_meaning_finds_what_no_word_does(talk: PreferenceMemory, user_id: str) -> None:
    report = talk.embed_missing(user_id=user_id)

    assert report.messages == len(TALK)
    assert found(talk, user_id, "Where will they sleep on holiday?")[0] in {"m0", "m1"}
    assert found(talk, user_id, "When do they see the doctor for the teeth?")[0] == "m4"


def test_a_period_that_the_question_names_lifts_what_was_said_in_it(talk: PreferenceMemory, user_id: str) -> None:
    talk.embed_missing(user_id=user_id)

    assert found(talk, user_id, "What did they talk about in March?")[0] in {"m0", "m1"}
    assert found(talk, user_id, "上个月聊了什么？")[0] in {"m2", "m3"}
    assert found(talk, user_id, "上個月聊了什麼？")[0] in {"m2", "m3"}
    assert found(talk, user_id, "what was said on 4 May?")[0] == "m4"


def test_questions_move_the_users_mean_unless_told_otherwise(
    talk: PreferenceMemory, rolled_back: RolledBackDatabase, user_id: str
) -> None:
    found(talk, user_id, "Where did they sleep? 🛏", learn=False)
    found(talk, "nobody-else", "Where did they sleep?")
    talk.flush()
    before = count(rolled_back, ASKED, u=user_id)
    found(talk, user_id, "Where did they sleep? 🛏")
    found(talk, user_id, "他们住在哪里？")
    talk.flush()

    assert (before, count(rolled_back, ASKED, u=user_id)) == (0, 2)
    assert found(talk, user_id, "dentist") != []


def test_a_filter_stands_in_every_arm(talk: PreferenceMemory, user_id: str) -> None:
    talk.embed_missing(user_id=user_id)

    assert set(found(talk, user_id, "headphones", filter={"author": "Ana"})) == {"m0", "m2", "m4"}
    with pytest.raises(InvalidFilter):
        talk.search_messages(user_id, "headphones", filter={"speaker": "Ana"})


def test_the_answer_may_stand_beside_the_words_that_find_it_unless_a_filter_hides_it(
    talk: PreferenceMemory, user_id: str
) -> None:
    talk.embed_missing(user_id=user_id)

    hits = talk.search_messages(user_id, "a place to stay", now=NOW, learn=False)
    beside = {hit.message.external_id: hit.factors for hit in hits}["m1"]

    assert beside["neighbours"] > 0
    assert beside["session"] > 0
    assert found(talk, user_id, "a place to stay", filter={"role": "user"}, limit=5).count("m1") == 0


def test_a_speaker_whom_the_question_names_is_preferred(talk: PreferenceMemory, user_id: str) -> None:
    talk.embed_missing(user_id=user_id)

    hits = talk.search_messages(user_id, "What did Ben say about headphones?", now=NOW, learn=False)

    assert hits[0].message.external_id == "m3"
    assert {hit.message.author: hit.factors["speaker"] for hit in hits} == {"Ana": 1.0, "Ben": 1.1}
    assert found(talk, user_id, "Ben?", learn=False) != []


def test_traditional_characters_find_simplified_ones(talk: PreferenceMemory, user_id: str) -> None:
    assert found(talk, user_id, "買了耳機")[0] == "m2"


def test_a_least_score_shortens_the_list(talk: PreferenceMemory, user_id: str) -> None:
    talk.embed_missing(user_id=user_id)
    hits = talk.search_messages(user_id, "dentist appointment 牙医 🦷", now=NOW, learn=False)

    assert found(talk, user_id, "dentist appointment 牙医 🦷", learn=False, min_score=hits[0].score) == ["m4"]
    assert all(0 <= hit.score <= 1 for hit in hits)


@pytest.mark.parametrize(
    "query",
    ["", " ", "the of and", "的", "茶", "🎧", "x" * 20_000, "降噪" * 10_000,
     "don't like C:\\tmp & (", "a:*", "!!!", "%_\\",
     "'; DROP TABLE prefmem.messages; --", "ok \ud83d", "\x00", '" OR 1=1', "耳机 & | ! ( ) <-> :*"],
)  # fmt: skip
def test_b67_any_text_can_be_asked_of_messages(talk: PreferenceMemory, user_id: str, query: str) -> None:
    talk.embed_missing(user_id=user_id)

    assert len(found(talk, user_id, query, learn=False)) == len(TALK)


@pytest.mark.parametrize("options", [
    {"limit": 0}, {"limit": -1}, {"limit": 10**6}, {"limit": True}, {"min_score": 2}, {"min_score": float("nan")},
    {"now": NOW.replace(tzinfo=None)}, {"filter": {"occurred_at": {"gte": "soon"}}}, {"filter": {"metadata": 3}},
])  # fmt: skip
def test_what_a_message_search_cannot_do_is_refused(
    talk: PreferenceMemory, user_id: str, options: dict[str, object]
) -> None:
    with pytest.raises(InvalidInput):
        talk.search_messages(user_id, "headphones", **options)  # type: ignore[arg-type]


def test_another_user_finds_nothing(talk: PreferenceMemory) -> None:
    assert found(talk, "nobody-else", "headphones") == []
