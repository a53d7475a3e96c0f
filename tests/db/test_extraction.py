"""Extraction: read once, nothing lost, one bad message never stops the others."""

from collections.abc import Sequence
from datetime import UTC, datetime

from prefmem_pg.domain.preferences import Candidate, EvidenceSpan
from prefmem_pg.errors import ProviderRefused, ProviderUnavailable
from prefmem_pg.memory import PreferenceMemory
from prefmem_pg.providers.local_embedder import LocalEmbedder
from prefmem_pg.providers.protocols import Chunk
from prefmem_pg.testing import ScriptedExtractor, candidate_from
from tests.conftest import RolledBackDatabase, count


def _said(chunk: Chunk) -> list[Candidate]:
    return [candidate_from(m) for m in chunk.messages[chunk.first_new :] if m.role == "user"]


def _memory(database: RolledBackDatabase, embedder: LocalEmbedder, extractor: ScriptedExtractor) -> PreferenceMemory:
    return PreferenceMemory(database, embedder=embedder, extractor=extractor)


def _talk(memory: PreferenceMemory, user_id: str, contents: Sequence[str], *, dialog_id: str = "d-1") -> None:
    messages = [
        {"role": "user", "content": content, "occurred_at": f"2026-05-01T10:{minute:02}:00Z"}
        for minute, content in enumerate(contents)
    ]
    memory.add_messages(user_id, messages, dialog_id=dialog_id)


def test_chunks_have_ten_new_messages_and_two_of_context(
    rolled_back: RolledBackDatabase, embedder: LocalEmbedder, user_id: str
) -> None:
    extractor = ScriptedExtractor(lambda chunk: [])
    memory = _memory(rolled_back, embedder, extractor)
    _talk(memory, user_id, [f"message {n}" for n in range(23)])

    report = memory.extract(user_id=user_id)

    assert [(c.first_new, len(c.messages)) for c in extractor.chunks] == [(0, 10), (2, 12), (2, 5)]
    assert (report.messages, report.runs) == (23, 3)


def test_later_messages_are_read_with_what_was_read_before_as_context(
    rolled_back: RolledBackDatabase, embedder: LocalEmbedder, user_id: str
) -> None:
    extractor = ScriptedExtractor(_said)
    memory = _memory(rolled_back, embedder, extractor)
    _talk(memory, user_id, ["I like tea", "我喜欢爬山"])
    memory.extract(user_id=user_id)

    memory.add_messages(
        user_id, [{"role": "user", "content": "I hate rain", "occurred_at": "2026-05-02T10:00:00Z"}], dialog_id="d-1"
    )
    report = memory.extract(user_id=user_id)

    assert [m.content for m in extractor.chunks[-1].messages] == ["I like tea", "我喜欢爬山", "I hate rain"]
    assert (report.messages, report.candidates, report.added) == (1, 1, 1)


def test_reading_again_opens_a_new_pass_and_adds_no_row(
    rolled_back: RolledBackDatabase, embedder: LocalEmbedder, user_id: str
) -> None:
    memory = _memory(rolled_back, embedder, ScriptedExtractor(_said))
    _talk(memory, user_id, ["I like tea", "我喜欢爬山"])
    memory.extract(user_id=user_id)

    report = memory.extract(user_id=user_id, again=True)

    assert (report.messages, report.duplicate, report.added) == (2, 2, 0)
    assert {p.mention_count for p in memory.list_preferences(user_id).items} == {1}
    assert count(rolled_back, "SELECT max(pass) FROM prefmem.extraction_runs WHERE user_id = :u", u=user_id) == 2


def test_since_and_until_are_half_open(rolled_back: RolledBackDatabase, embedder: LocalEmbedder, user_id: str) -> None:
    memory = _memory(rolled_back, embedder, ScriptedExtractor(_said))
    _talk(memory, user_id, ["I like tea", "I like rice", "I like salt"])

    report = memory.extract(
        since=datetime(2026, 5, 1, 10, 1, tzinfo=UTC), until=datetime(2026, 5, 1, 10, 2, tzinfo=UTC), user_id=user_id
    )

    assert report.messages == 1
    assert [p.statement for p in memory.list_preferences(user_id).items] == ["I like rice"]


def test_b27_a_poisoned_dialog_is_parked_after_three_tries_and_blocks_nobody(
    rolled_back: RolledBackDatabase, embedder: LocalEmbedder, user_id: str
) -> None:
    def answer(chunk: Chunk) -> list[Candidate]:
        if chunk.dialog_id == "d-bad":
            raise RuntimeError("cannot be read")
        return _said(chunk)

    extractor = ScriptedExtractor(answer)
    memory = _memory(rolled_back, embedder, extractor)
    _talk(memory, user_id, ["I like tea"], dialog_id="d-bad")
    _talk(memory, user_id, ["我喜欢爬山"], dialog_id="d-good")

    reports = [memory.extract(user_id=user_id) for _ in range(4)]

    assert [(r.failed, r.parked, r.added) for r in reports] == [(1, 0, 1), (1, 0, 0), (0, 1, 0), (0, 0, 0)]
    assert "cannot be read" in reports[0].errors[f"{user_id}/d-bad"]
    parked = "SELECT count(*) FROM prefmem.extraction_runs WHERE user_id = :u AND state = 'parked' AND attempts = 3"
    assert count(rolled_back, parked, u=user_id) == 1


def test_a_provider_that_is_down_loses_nothing(
    rolled_back: RolledBackDatabase, embedder: LocalEmbedder, user_id: str
) -> None:
    answers = [ProviderUnavailable("overloaded") for _ in range(5)]

    def answer(chunk: Chunk) -> list[Candidate]:
        if answers:
            raise answers.pop(0)
        return _said(chunk)

    memory = _memory(rolled_back, embedder, ScriptedExtractor(answer))
    _talk(memory, user_id, ["I like tea"])

    reports = [memory.extract(user_id=user_id) for _ in range(6)]

    assert [(r.failed, r.parked) for r in reports] == [(1, 0)] * 5 + [(0, 0)]
    assert reports[-1].added == 1


def test_what_a_model_declined_is_recorded_and_not_tried_again(
    rolled_back: RolledBackDatabase, embedder: LocalEmbedder, user_id: str
) -> None:
    def answer(chunk: Chunk) -> list[Candidate]:
        raise ProviderRefused("the model declined")

    extractor = ScriptedExtractor(answer)
    memory = _memory(rolled_back, embedder, extractor)
    _talk(memory, user_id, ["I like tea"])

    reports = [memory.extract(user_id=user_id) for _ in range(2)]

    assert [(r.failed, r.parked) for r in reports] == [(0, 1), (0, 0)]
    assert len(extractor.chunks) == 1


def test_candidates_without_sound_evidence_are_refused(
    rolled_back: RolledBackDatabase, embedder: LocalEmbedder, user_id: str
) -> None:
    def answer(chunk: Chunk) -> list[Candidate]:
        message = chunk.messages[-1]
        wrong = EvidenceSpan(message_id=message.message_id, start=0, end=5, quote="never")
        return [
            Candidate(statement="I like invented things", evidence=(wrong,)),
            Candidate(statement="I like things without evidence"),
            candidate_from(message, "  "),
            candidate_from(message, "like " * 60_000),
            candidate_from(message),
        ]

    memory = _memory(rolled_back, embedder, ScriptedExtractor(answer))
    _talk(memory, user_id, ["I like tea 🍵"])

    memory.extract(user_id=user_id)

    assert [p.statement for p in memory.list_preferences(user_id).items] == ["I like tea 🍵"]


def test_b06_the_same_item_three_times_in_one_answer_is_one_row(
    rolled_back: RolledBackDatabase, embedder: LocalEmbedder, user_id: str
) -> None:
    def answer(chunk: Chunk) -> list[Candidate]:
        return [candidate_from(chunk.messages[0], text) for text in ("likes tea", "likes tea", "Likes  tea ", "爱喝茶")]

    memory = _memory(rolled_back, embedder, ScriptedExtractor(answer))
    _talk(memory, user_id, ["I am fond of tea"])

    report = memory.extract(user_id=user_id)

    assert report.candidates == 4
    assert "likes tea" in [p.statement for p in memory.list_preferences(user_id).items]
    assert memory.list_preferences(user_id).total <= 2


def test_a_late_message_does_not_overwrite_what_was_said_after_it(memory: PreferenceMemory, user_id: str) -> None:
    newer = {"role": "user", "content": "I prefer aisle seats on flights.", "occurred_at": "2026-09-01T10:00:00Z"}
    older = {"role": "user", "content": "I prefer window seats on flights.", "occurred_at": "2026-02-01T10:00:00Z"}
    memory.add_messages(user_id, [newer], dialog_id="d-2")
    memory.extract(user_id=user_id)
    memory.add_messages(user_id, [older], dialog_id="d-1")

    memory.extract(user_id=user_id)

    [current] = memory.list_preferences(user_id).items
    [past] = memory.list_preferences(user_id, filter={"status": "superseded"}).items
    assert "aisle" in current.statement
    assert "window" in past.statement
    assert (past.superseded_by, past.valid_to) == (current.preference_id, current.valid_from)


def test_dialogs_are_read_in_order_of_time_whatever_their_ids(memory: PreferenceMemory, user_id: str) -> None:
    for dialog_id, content, month in (("z", "我喜欢吃辣", 1), ("a", "我不喜欢吃辣了", 6)):
        memory.add_messages(
            user_id,
            [{"role": "user", "content": content, "occurred_at": f"2026-0{month}-01T10:00:00+08:00"}],
            dialog_id=dialog_id,
        )

    memory.extract(user_id=user_id)

    assert [p.polarity for p in memory.list_preferences(user_id).items] == ["negative"]
