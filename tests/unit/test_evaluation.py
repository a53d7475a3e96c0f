"""Datasets: how files become rows, and rows become stores."""

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from prefmem_pg.errors import InvalidInput
from prefmem_pg.evaluation.datasets import read_dataset
from prefmem_pg.evaluation.formats import parse_session_time
from prefmem_pg.evaluation.records import Conversation, LabelledDialog
from prefmem_pg.evaluation.stores import STORE_SIZE, make_stores

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
MEMORY = {"id": "m", "kind": "zh", "memory": "我不吃辣。", "query": "晚饭吃什么？"}
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


def write(folder: Path, *records: object, name: str = "data.jsonl") -> Path:
    path = folder / name
    path.write_text("\n".join(json.dumps(record, ensure_ascii=False) for record in records) + "\n", encoding="utf-8")
    return path


# Loaders


@pytest.mark.parametrize(
    ("record", "format"),
    [
        (STATED, "prefeval_explicit"),
        (CHOICE, "prefeval_choice"),
        (PERSONA, "prefeval_persona"),
        (MEMORY, "memory_questions"),
        (PAIR, "statement_pairs"),
        (CONVERSATION, "locomo"),
    ],
)
def test_a_dataset_is_recognised_by_its_fields(tmp_path: Path, record: object, format: str) -> None:
    dataset = read_dataset(write(tmp_path, record))
    assert (dataset.name, dataset.format, len(dataset.rows)) == ("data", format, 1)


def test_a_limit_keeps_the_first_rows(tmp_path: Path) -> None:
    path = write(tmp_path, STATED, STATED | {"id": "b"}, STATED | {"id": "c"})
    assert [row.id for row in read_dataset(path, limit=2).rows] == ["a", "b"]


@pytest.mark.parametrize(
    ("records", "complaint"),
    [
        (({"hello": 1},), "line 1: not a known dataset: it has hello"),
        ((STATED, MEMORY), "line 2: the file began as prefeval_explicit"),
        ((STATED | {"preference": ""},), "line 1: preference must be text"),
        ((PAIR | {"kind": "similar"},), "kind must be one of light, dup, contradict, different"),
        ((PERSONA | {"pref_turn": 1},), "pref_turn 1 is no user turn"),
        ((["a", "list"],), "must be an object"),
        ((), "holds no rows"),
    ],
)
def test_what_is_no_dataset_is_refused_with_its_line(
    tmp_path: Path, records: tuple[object, ...], complaint: str
) -> None:
    with pytest.raises(InvalidInput, match=complaint):
        read_dataset(write(tmp_path, *records))


def test_broken_json_is_refused_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "data.jsonl"
    path.write_text('{"id": 1', encoding="utf-8")
    with pytest.raises(InvalidInput, match=r"data.jsonl, line 1: not JSON"):
        read_dataset(path)


def test_a_missing_file_is_refused_with_its_name(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match=r"absent.jsonl cannot be read: No such file"):
        read_dataset(tmp_path / "absent.jsonl")


def test_a_file_that_is_not_utf8_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "data.jsonl"
    path.write_bytes('{"id": "é"}'.encode("latin-1"))
    with pytest.raises(InvalidInput, match="not UTF-8"):
        read_dataset(path)


def test_the_turns_of_a_conversation_keep_their_order_time_and_captions(tmp_path: Path) -> None:
    (row,) = read_dataset(write(tmp_path, CONVERSATION)).rows
    assert isinstance(row, Conversation)
    assert [turn.text for turn in row.turns] == ["Hi", "看 [a red bike]"]
    assert row.turns[0].occurred_at == datetime(2023, 5, 8, 13, 56, tzinfo=UTC)
    assert row.turns[0].occurred_at < row.turns[1].occurred_at


def test_evidence_that_names_no_turn_is_dropped_and_each_turn_counts_once(tmp_path: Path) -> None:
    (row,) = read_dataset(write(tmp_path, CONVERSATION)).rows
    assert isinstance(row, Conversation)
    assert row.questions[0].evidence == ("D1:2",)


def test_midnight_and_noon_of_a_session_are_told_apart() -> None:
    assert parse_session_time("12:05 am on 1 January, 2024").hour == 0
    assert parse_session_time("12:05 pm on 1 January, 2024").hour == 12


def test_a_session_time_of_another_form_is_refused() -> None:
    with pytest.raises(InvalidInput, match="session_datetime must look like"):
        parse_session_time("2024-01-01")


def test_the_samples_come_with_a_label_for_every_message_of_a_user() -> None:
    rows = read_dataset("samples").rows
    users = [
        (row, turn) for row in rows if isinstance(row, LabelledDialog) for turn in row.turns if turn.role == "user"
    ]
    assert len(users) > 700
    assert [turn.external_id for row, turn in users if turn.external_id not in row.labels] == []


def test_dialogs_without_labels_beside_are_refused(tmp_path: Path) -> None:
    path = write(tmp_path, {"user_id": "u", "messages": []})
    with pytest.raises(InvalidInput, match=r"put their labels into data.labels.jsonl"):
        read_dataset(path)


def test_a_label_whose_quote_is_not_in_its_message_is_refused(tmp_path: Path) -> None:
    message = {"role": "user", "content": "我爱火锅 😋", "external_id": "1"}
    label = {"statement": "我爱火锅", "kind": "explicit", "polarity": "positive", "quote": "我爱烤鸭"}
    write(tmp_path, {"external_id": "1", "preferences": [label], "note": ""}, name="data.labels.jsonl")
    path = write(tmp_path, {"user_id": "u", "dialog_id": "d", "messages": [message]})
    with pytest.raises(InvalidInput, match="quote of a label is not in message '1'"):
        read_dataset(path)


def test_a_label_of_no_message_is_refused(tmp_path: Path) -> None:
    write(tmp_path, {"external_id": "9", "preferences": [], "note": ""}, name="data.labels.jsonl")
    path = write(tmp_path, {"user_id": "u", "dialog_id": "d", "messages": []})
    with pytest.raises(InvalidInput, match=r"data.labels.jsonl, line 1: no message has external_id '9'"):
        read_dataset(path)


# Stores


def test_preferences_go_into_stores_of_fifty_over_mixed_topics(tmp_path: Path) -> None:
    rows = [STATED | {"id": str(n), "topic": str(n // 60), "preference": f"I love tea {n}."} for n in range(120)]
    stores = make_stores(read_dataset(write(tmp_path, *rows)))
    assert [len(store.memories) for store in stores] == [STORE_SIZE, STORE_SIZE, 20]
    assert all({int(q.id) // 60 for q in store.questions} == {0, 1} for store in stores)
    assert len({store.user_id for store in stores}) == 3


def test_the_same_file_makes_the_same_stores(tmp_path: Path) -> None:
    path = write(tmp_path, *(STATED | {"id": str(n), "preference": f"I love tea {n}."} for n in range(60)))
    assert make_stores(read_dataset(path)) == make_stores(read_dataset(path))


def test_memories_of_several_users_make_a_store_each(tmp_path: Path) -> None:
    rows = (MEMORY | {"user": "a"}, MEMORY | {"id": "n", "user": "b"}, MEMORY | {"id": "o", "user": "a", "kind": "xl"})
    stores = make_stores(read_dataset(write(tmp_path, *rows)))
    assert [[(q.id, q.group) for q in store.questions] for store in stores] == [
        [("m", "zh"), ("o", "xl")],
        [("n", "zh")],
    ]


def test_pairs_hold_no_questions_to_retrieve(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="retrieval is measured on prefeval_explicit"):
        make_stores(read_dataset(write(tmp_path, PAIR)))
