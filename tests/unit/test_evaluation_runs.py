"""Evaluations of extraction, deduplication and messages with scripted parts, without a database."""

import json
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from prefmem_pg.domain.preferences import Candidate, EvidenceSpan, Verdict
from prefmem_pg.errors import InvalidInput
from prefmem_pg.evaluation import conversations
from prefmem_pg.evaluation.chunks import read_turns
from prefmem_pg.evaluation.datasets import Dataset, read_dataset
from prefmem_pg.evaluation.deduplication import evaluate_deduplication
from prefmem_pg.evaluation.extraction import evaluate_extraction
from prefmem_pg.evaluation.matching import score_labels
from prefmem_pg.evaluation.metrics import Counts
from prefmem_pg.evaluation.records import Conversation, LabelledPreference, PersonaDialog, Turn
from prefmem_pg.providers.protocols import Chunk, Comparison, Vectors

STATED = {"id": "a", "topic": "t", "preference": "I love tea 🍵.", "question": "What shall I drink?"}
DIALOG = [
    {"role": "user", "content": "Which course?"},
    {"role": "assistant", "content": "1. on site 2. online"},
    {"role": "user", "content": "I take on site."},
]
CHOICE = STATED | {
    "options": ["a course on site", "a course online"],
    "aligned_op": "a course on site",
    "turns": DIALOG,
}
PERSONA = STATED | {"persona": "a cook", "pref_turn": 2, "turns": DIALOG}
PAIR = {"id": "p", "lang": "zh", "kind": "dup", "a": "我吃素。", "b": "我不吃肉。"}
CONVERSATION = {
    "id": "c",
    "speaker_a": "Ana",
    "speaker_b": "Ben",
    "turns": [
        {"dia_id": "D1:1", "speaker": "Ana", "text": "Hi", "session": 1, "session_datetime": "1:56 pm on 8 May, 2023"},
        {
            "dia_id": "D1:2",
            "speaker": "Ben",
            "text": "看",
            "session": 1,
            "session_datetime": "1:56 pm on 8 May, 2023",
            "image_caption": "a red bike",
        },
    ],
    "qa": [{"question": "Which bike?", "answer": "red", "evidence": ["D1:2; D9:9", "D1:2"], "category": 4}],
}


class KeywordExtractor:
    """Finds a preference wherever the user says "love", "take" or 爱."""

    name, version, model = "keyword", "1", None

    def extract(self, chunk: Chunk) -> Sequence[Candidate]:
        return [
            Candidate(
                statement=message.content,
                evidence=(EvidenceSpan(message_id=message.message_id, start=0, end=len(text), quote=text),),
            )
            for message in chunk.messages[chunk.first_new :]
            if message.role == "user" and any(word in (text := message.content) for word in ("love", "take", "爱"))
        ]


class SilentExtractor(KeywordExtractor):
    def extract(self, chunk: Chunk) -> Sequence[Candidate]:
        return []


class FixedJudge:
    """Says "same" of everything."""

    name, version = "fixed", "1"

    def compare(self, comparisons: Sequence[Comparison]) -> Sequence[Verdict]:
        return [Verdict(relation="same", reason="", certainty=1.0) for _ in comparisons]


class FlatEmbedder:
    name, provider, dimensions = "flat", "test", 2

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        return np.tile(np.array([1, 0], dtype=np.float32), (len(texts), 1))

    embed_queries = embed_documents


def write(folder: Path, *records: object, name: str = "data.jsonl") -> Path:
    path = folder / name
    path.write_text("\n".join(json.dumps(record, ensure_ascii=False) for record in records) + "\n", encoding="utf-8")
    return path


# Extraction


def test_a_candidate_is_counted_at_the_turn_of_its_evidence() -> None:
    turns = [
        Turn(role="user", content="我爱茶 🍵"),
        Turn(role="assistant", content="I love it"),
        Turn(role="user", content="ok"),
    ]
    assert [len(found) for found in read_turns(KeywordExtractor(), "d", turns)] == [1, 0, 0]


def test_every_turn_of_a_long_dialog_is_read_once() -> None:
    turns = [Turn(role="user", content=f"I love tea number {n}") for n in range(25)]
    assert [len(found) for found in read_turns(KeywordExtractor(), "d", turns)] == [1] * 25


def test_a_quote_that_is_not_in_its_message_counts_for_nothing() -> None:
    class Liar(KeywordExtractor):
        def extract(self, chunk: Chunk) -> Sequence[Candidate]:
            span = EvidenceSpan(message_id=chunk.messages[0].message_id, start=0, end=3, quote="xyz")
            return [Candidate(statement="I love xyz", evidence=(span,))]

    assert read_turns(Liar(), "d", [Turn(role="user", content="hello")]) == [[]]


def test_stated_preferences_are_told_from_neutral_questions(tmp_path: Path) -> None:
    rows = (STATED, STATED | {"id": "b", "preference": "Tea is best.", "question": "Would you take milk?"})
    metrics = evaluate_extraction(read_dataset(write(tmp_path, *rows)), KeywordExtractor()).metrics
    assert metrics["turns"] == {"found": 1, "false": 1, "missed": 1, "precision": 0.5, "recall": 0.5, "f1": 0.5}


def test_a_goal_in_a_question_is_reported_apart(tmp_path: Path) -> None:
    class Goals(KeywordExtractor):
        def extract(self, chunk: Chunk) -> Sequence[Candidate]:
            found = super().extract(chunk)
            return [Candidate(statement=c.statement, kind="goal", evidence=c.evidence) for c in found]

    metrics = evaluate_extraction(read_dataset(write(tmp_path, STATED)), Goals()).metrics
    assert (metrics["turns"]["found"], metrics["turns with goals"]["found"]) == (0, 1)


def test_a_persona_without_a_label_is_not_counted(tmp_path: Path) -> None:
    path = write(tmp_path, PERSONA, PERSONA | {"id": "b", "pref_turn": None})
    assert [row.preference_turn for row in read_dataset(path).rows if isinstance(row, PersonaDialog)] == [2, None]
    metrics = evaluate_extraction(read_dataset(path), KeywordExtractor()).metrics
    assert (metrics["turns"]["found"], metrics["turns"]["false"]) == (1, 0)


def test_a_choice_is_right_when_the_statement_shares_most_words_with_the_option(tmp_path: Path) -> None:
    wrong = CHOICE | {"id": "b", "aligned_op": "a course online"}
    metrics = evaluate_extraction(read_dataset(write(tmp_path, CHOICE, wrong)), KeywordExtractor()).metrics
    assert metrics["choices"] == {"n": 2, "choosing_turn_found": 1.0, "option_right_when_found": 0.5}


def test_choices_that_an_extractor_never_finds_are_not_supported_rather_than_zero(tmp_path: Path) -> None:
    evaluation = evaluate_extraction(read_dataset(write(tmp_path, CHOICE)), SilentExtractor())
    assert evaluation.metrics == {}
    assert evaluation.notes == ("choices: not supported, the extractor found nothing in 1 choosing turns",)


def test_pairs_hold_no_turns_to_extract_from(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="extraction cannot be measured on rows of StatementPair"):
        evaluate_extraction(read_dataset(write(tmp_path, PAIR)), KeywordExtractor())


def test_outcomes_hold_no_text_of_the_data(tmp_path: Path) -> None:
    evaluation = evaluate_extraction(read_dataset(write(tmp_path, STATED, STATED | {"id": "b"})), KeywordExtractor())
    assert "tea" not in json.dumps([dict(outcome.details) for outcome in evaluation.outcomes])


def found_at(statement: str, start: int, end: int, *, polarity: str = "positive") -> Candidate:
    span = EvidenceSpan(message_id=None, start=start, end=end, quote="x")  # type: ignore[arg-type]
    return Candidate(statement=statement, polarity=polarity, evidence=(span,))  # type: ignore[arg-type]


def label(statement: str, start: int, end: int) -> LabelledPreference:
    return LabelledPreference(statement=statement, kind="explicit", polarity="positive", start=start, end=end)


def test_each_label_takes_its_closest_candidate_once() -> None:
    labels = [label("I love tea", 0, 10), label("我爱咖啡", 20, 24)]
    scores = score_labels(labels, [found_at("我爱咖啡", 20, 24), found_at("I love tea", 0, 10), found_at("tea", 6, 9)])
    assert scores.counts == Counts(found=2, false=1, missed=0)
    assert scores.numbers["statement_overlap"] == [1.0, 1.0]


def test_an_opposite_polarity_is_wrong_and_a_neutral_one_is_not() -> None:
    labels = [label("I love tea", 0, 10), label("我爱咖啡", 20, 24)]
    candidates = [
        found_at("I love tea", 0, 10, polarity="negative"),
        found_at("我爱咖啡", 20, 24, polarity="neutral"),
    ]
    assert score_labels(labels, candidates).numbers["wrong_polarity"] == [1.0, 0.0]


# Deduplication


def test_merging_is_right_for_duplicates_and_wrong_for_contradictions(tmp_path: Path) -> None:
    path = write(tmp_path, PAIR, PAIR | {"id": "q", "kind": "contradict"}, PAIR | {"id": "r", "lang": "en"})
    evaluation = evaluate_deduplication(read_dataset(path), FixedJudge(), FlatEmbedder())
    merged = {name: (scores["pairs"], scores["merged"], scores["right"]) for name, scores in evaluation.metrics.items()}
    assert merged == {
        "all/contradict": (1, 1.0, 0.0),
        "all/dup": (2, 1.0, 1.0),
        "en/dup": (1, 1.0, 1.0),
        "zh/contradict": (1, 1.0, 0.0),
        "zh/dup": (1, 1.0, 1.0),
    }


def test_progress_adds_up_to_the_number_of_pairs(tmp_path: Path) -> None:
    steps: list[int] = []
    path = write(tmp_path, *(PAIR | {"id": str(n)} for n in range(40)))
    evaluate_deduplication(read_dataset(path), FixedJudge(), FlatEmbedder(), on_progress=steps.append)
    assert sum(steps) == 40


def test_questions_are_no_pairs() -> None:
    with pytest.raises(InvalidInput, match="deduplication is measured on statement_pairs"):
        evaluate_deduplication(Dataset(name="x", format="locomo", rows=()), FixedJudge(), FlatEmbedder())


# Messages


class ScriptedMemory:
    """Keeps the messages, and finds all of them in the order in which they were said."""

    def __init__(self) -> None:
        self.stored: list[dict[str, object]] = []

    def add_messages(self, user_id: str, messages: list[dict[str, object]], **ids: str) -> None:
        self.stored += [message | ids | {"user_id": user_id} for message in messages]

    def embed_missing(self, *, user_id: str) -> None:
        return

    def flush(self) -> None:
        return

    def search_messages(self, user_id: str, query: str, *, limit: int, learn: bool) -> list[SimpleNamespace]:
        return [
            SimpleNamespace(message=SimpleNamespace(external_id=message["external_id"]))
            for message in self.stored[:limit]
        ]


def conversation(folder: Path) -> Conversation:
    (row,) = read_dataset(write(folder, CONVERSATION)).rows
    assert isinstance(row, Conversation)
    return row


def test_each_turn_is_one_message_with_its_speaker_and_time(tmp_path: Path) -> None:
    memory, row = ScriptedMemory(), conversation(tmp_path)
    conversations.add(memory, row)  # type: ignore[arg-type]
    kept = [(message["role"], message["author"], message["external_id"]) for message in memory.stored]
    assert kept == [("user", "Ana", "D1:1"), ("other", "Ben", "D1:2")]
    assert [message["occurred_at"] for message in memory.stored] == [turn.occurred_at for turn in row.turns]
    assert {message["dialog_id"] for message in memory.stored} == {"session-1"}


def test_the_ranks_of_the_evidence_turns_are_reported(tmp_path: Path) -> None:
    memory, row = ScriptedMemory(), conversation(tmp_path)
    conversations.add(memory, row)  # type: ignore[arg-type]
    (cold,) = conversations.ask(memory, row, learn=False)  # type: ignore[arg-type]
    (outcome,) = conversations.ask(memory, row, learn=True)  # type: ignore[arg-type]
    assert (cold.question_id, cold.category, cold.details) == ("cold:c:0", "cold/single-hop", outcome.details)
    assert (outcome.question_id, outcome.category) == ("messages:c:0", "messages/single-hop")
    assert outcome.details == {"ranks": [2], "relevant": 1}
