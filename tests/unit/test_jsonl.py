"""JSON lines in, new messages and line errors out."""

import gzip
import io
import json
from datetime import UTC, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from prefmem_pg.domain.messages import NewMessage
from prefmem_pg.errors import InvalidInput
from prefmem_pg.importers.fields import LineError, carries_no_text, new_message
from prefmem_pg.importers.jsonl import parse_dialog, parse_line, read_lines
from prefmem_pg.importers.times import parse_time

MESSAGE = {"user_id": "u-1", "role": "user", "content": "I like tea 🍵"}


def line(**changes: object) -> str:
    return json.dumps({**MESSAGE, **changes}, ensure_ascii=False)


def test_a_line_with_every_field_becomes_one_message() -> None:
    text = (
        '{"user_id": "u-1", "dialog_id": "d-1", "session_id": "s-1", "role": "user", "author": "Ana",'
        ' "content": "我爱喝茶", "occurred_at": "2026-05-01T10:00:00+02:00", "external_id": "m-1",'
        ' "metadata": {"channel": "app"}}'
    )
    assert parse_line(text) == [
        NewMessage(
            user_id="u-1",
            dialog_id="d-1",
            session_id="s-1",
            role="user",
            author="Ana",
            content="我爱喝茶",
            occurred_at=datetime(2026, 5, 1, 8, tzinfo=UTC),
            occurred_at_text="2026-05-01T10:00:00+02:00",
            external_id="m-1",
            metadata={"channel": "app"},
        )
    ]


def test_user_role_and_content_are_enough_as_text_or_bytes() -> None:
    expected = [NewMessage(user_id="u-1", role="user", content="I like tea 🍵")]
    assert parse_line(line()) == expected
    assert parse_line(b"\xef\xbb\xbf" + line().encode() + b"\r\n") == expected


def test_null_counts_as_absent_where_a_field_is_optional() -> None:
    optional = (
        "dialog_id",
        "session_id",
        "author",
        "occurred_at",
        "external_id",
        "metadata",
        "agent_id",
        "mem_cube_id",
    )
    assert parse_line(line(**dict.fromkeys(optional))) == parse_line(line())


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("{", "not JSON"),
        ("[1]", "must be a JSON object, not list"),
        ("null", "must be a JSON object"),
        (line(user_id=None), "user_id is missing"),
        (line(user_id=7), "user_id must be a string, not int"),
        (line(user_id=" u"), "user_id must not be empty or have white space"),
        (line(user_id="u" * 201), "at most 200"),
        (line(dialog_id=""), "dialog_id must not be empty"),
        (line(role="robot"), "role is unknown: 'robot'"),
        (line(role=["user"]), "role is unknown"),
        (line(role=None), "role is missing"),
        (line(content=None), "content is missing"),
        (line(content=5), "content must be a string or a list of parts, not int"),
        (line(content=" 　\n\u200b"), "content is empty"),
        (line(content=[]), "content is empty"),
        (line(content=[5]), "neither a string nor an object"),
        (line(content=[{"type": "text", "text": 5}]), "text is not a string"),
        (line(author=5), "author must be a string, not int"),
        (line(occurred_at="2026-05-01T10:00:00"), "occurred_at has no zone"),
        (line(occurred_at="yesterday"), "occurred_at is not an ISO 8601 time"),
        (line(occurred_at=True), "occurred_at must be"),
        (line(metadata=[]), "metadata must be an object, not list"),
        (line(metadata={f"k{n}": 1 for n in range(101)}), "metadata has 101 keys; at most 100"),
        (line(metadata={"a": {"b": {"c": {"d": {"e": {}}}}}}), "nested deeper than 5"),
        (line(metadata={"a": "字" * 30_000}), "at most 65536"),
        (line(metadata={"a": float("nan")}), "NaN"),
        (line(occured_at="2026-05-01"), "unknown field 'occured_at'; did you mean 'occurred_at'?"),
        (line(favourite="tea"), "unknown field 'favourite'; put fields of your own into metadata"),
        ('{"user_id":"a","user_id":"b","role":"user","content":"x"}', "the same key twice"),
        ('{"user_id":"u","role":"user","content":"x","metadata":{"n":1e999}}', "number that JSON cannot hold"),
        ('{"a":' + "[" * 100_000, "nested too deeply"),
        ('{"occurred_at":' + "9" * 10_000 + "}", "not usable JSON"),
    ],
)
def test_a_bad_line_is_refused_with_field_and_reason(text: str, reason: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        parse_line(text)
    assert reason in str(caught.value)


def test_metadata_at_its_limits_is_accepted() -> None:
    metadata = {**{f"k{n}": None for n in range(95)}, "a": {"b": {"c": {"d": {"e": 1}}}}}
    assert parse_line(line(metadata=metadata))[0].metadata == metadata


def test_half_an_emoji_and_nul_are_replaced_everywhere() -> None:
    text = r'{"user_id":"u","role":"user","content":"ok \ud83d","author":"A\u0000","metadata":{"k\ud83d":["茶\u0000"]}}'
    (message,) = parse_line(text)
    assert (message.content, message.author, message.metadata) == ("ok �", "A�", {"k�": ["茶�"]})
    message.content.encode()


def test_two_halves_of_an_emoji_are_joined() -> None:
    assert parse_line(r'{"user_id":"u","role":"user","content":"\ud83d\ude02"}')[0].content == "😂"


def test_text_is_stored_composed() -> None:
    (message,) = parse_line(line(content="cafe\u0301 咖啡", author=" Jose\u0301 "))
    assert (message.content, message.author) == ("café 咖啡", "José")


def test_an_id_with_half_a_surrogate_is_refused() -> None:
    with pytest.raises(InvalidInput, match="user_id holds"):
        parse_line(r'{"user_id":"u\ud83d","role":"user","content":"x"}')


def test_a_message_of_five_megabytes_is_read() -> None:
    content = "我喜欢茶。" * 1_000_000
    assert parse_line(line(content=content))[0].content == content


@pytest.mark.parametrize(
    ("given_role", "role"),
    [("human", "user"), ("ai", "assistant"), ("developer", "system"), ("function", "tool"), ("other", "other")],
)
def test_other_names_of_a_role_are_understood(given_role: str, role: str) -> None:
    assert parse_line(line(role=given_role))[0].role == role


def test_parts_of_a_provider_message_are_joined_and_others_skipped() -> None:
    content = [
        {"type": "text", "text": "Look at this"},
        {"type": "image_url", "image_url": {"url": "data:"}},
        "我的猫",
        {"type": "input_text", "text": "cute 😺"},
    ]
    message = new_message({**MESSAGE, "content": content, "name": "Ana", "tool_calls": []})
    assert (message.content, message.author) == ("Look at this\n我的猫\ncute 😺", "Ana")


def test_a_message_of_tool_calls_alone_is_passed_over() -> None:
    call = {"role": "assistant", "content": None, "tool_calls": [{"id": "c1"}]}
    result = {"role": "user", "content": [{"type": "tool_result", "content": "42"}]}
    record = {"user_id": "u", "messages": [call, result, {"role": "user", "content": "谢谢"}]}
    assert [message.content for message in parse_line(json.dumps(record))] == ["谢谢"]
    assert not carries_no_text({"role": "user", "content": None})
    assert not carries_no_text({"role": "user", "content": " "})


def test_a_dialog_gives_its_ids_to_its_messages() -> None:
    record = {"user_id": "u", "dialog_id": "d", "session_id": "s", "messages": [{"role": "user", "content": "hi"}] * 2}
    expected = NewMessage(user_id="u", dialog_id="d", session_id="s", role="user", content="hi")
    assert parse_line(json.dumps(record)) == [expected, expected]


def test_a_message_of_another_user_in_a_dialog_is_refused() -> None:
    record = {"user_id": "u", "messages": [{"user_id": "v", "role": "user", "content": "hi"}]}
    with pytest.raises(
        InvalidInput, match=r"messages\[0\]: user_id of the message \('v'\) is not that around it \('u'\)"
    ):
        parse_line(json.dumps(record))


def test_one_bad_message_does_not_lose_the_others() -> None:
    good = {"role": "user", "content": "喜欢茶"}
    results = list(parse_dialog({"user_id": "u", "messages": [good, {"role": "user"}, 5, good]}))
    assert [index for index, result in results if isinstance(result, NewMessage)] == [0, 3]
    assert [str(result) for _, result in results[1:3]] == ["content is missing", "a message must be an object, not int"]


@pytest.mark.parametrize(
    ("record", "reason"),
    [
        ({"messages": []}, "user_id is missing"),
        ({"user_id": "u", "messages": {}}, "messages must be a list, not dict"),
        ({"user_id": "u", "messages": [], "role": "user"}, "unknown field 'role'"),
    ],
)
def test_a_fault_of_the_dialog_itself_is_raised_at_once(record: dict[str, object], reason: str) -> None:
    with pytest.raises(InvalidInput, match=reason):
        parse_dialog(record)


def test_a_file_is_read_line_by_line_with_its_errors() -> None:
    dialog = {"user_id": "u", "messages": [{"role": "user", "content": "a"}, {"role": "user", "content": ""}]}
    data = b"\xef\xbb\xbf" + line().encode() + b"\r\n\r\n\xff\xfe\n" + json.dumps(dialog).encode() + b"\nnope"
    read = list(read_lines(io.BytesIO(data)))
    assert [(number, [m.content for m in messages]) for number, messages, _ in read] == [
        (1, ["I like tea 🍵"]),
        (3, []),
        (4, ["a"]),
        (5, []),
    ]
    assert [error for _, _, errors in read for error in errors] == [
        LineError(3, "not UTF-8: invalid start byte at byte 0"),
        LineError(4, "content is empty: there is no text in it", index=1),
        LineError(5, "not JSON: Expecting value at character 0"),
    ]


def test_a_line_separator_inside_a_text_does_not_end_the_line() -> None:
    read = list(read_lines(io.BytesIO(line(content="a\u2028b\x85c").encode())))
    assert [messages[0].content for _, messages, _ in read] == ["a\u2028b\x85c"]


def test_a_packed_file_is_read_up_to_where_it_is_broken(tmp_path) -> None:
    packed = gzip.compress((line() + "\n").encode() * 2)
    whole, broken = tmp_path / "whole.jsonl.gz", tmp_path / "broken.jsonl.gz"
    whole.write_bytes(packed)
    broken.write_bytes(packed[:-6])
    assert [len(messages) for _, messages, _ in read_lines(whole)] == [1, 1]
    assert "cannot be read any further" in list(read_lines(str(broken)))[-1][2][0].reason


def test_a_line_beyond_the_limit_is_an_error_and_the_next_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("prefmem_pg.importers.jsonl.MAX_LINE_BYTES", 100)
    data = (line(content="x" * 500) + "\n" + line() + "\n").encode()
    read = list(read_lines(io.BytesIO(data)))
    assert [(number, len(messages), len(errors)) for number, messages, errors in read] == [(1, 0, 1), (2, 1, 0)]


def test_a_missing_file_is_named(tmp_path) -> None:
    with pytest.raises(InvalidInput, match=r"none\.jsonl cannot be opened"):
        list(read_lines(tmp_path / "none.jsonl"))


@pytest.mark.parametrize(
    "value",
    [
        "2026-03-01T00:30:00Z",
        "2026-03-01 00:30:00z",
        "2026-03-01 06:00:00 +05:30",
        "20260301T003000Z",
        "2026-03-01T00:30+00",
        1772325000,
        1772325000000,
        1772325000.0,
        datetime(2026, 3, 1, 6, 0, tzinfo=timezone(timedelta(hours=5, minutes=30))),
    ],
)
def test_the_same_instant_is_read_from_every_way_to_write_it(value: object) -> None:
    parsed = parse_time(value)
    assert (parsed, parsed.tzinfo) == (datetime(2026, 3, 1, 0, 30, tzinfo=UTC), UTC)


@pytest.mark.parametrize("value", ["2026-03-01 00:30", "2026-03-01", datetime(2026, 3, 1, 0, 30)])  # noqa: DTZ001
def test_a_time_without_zone_needs_a_default_one(value: object) -> None:
    with pytest.raises(InvalidInput, match="has no zone"):
        parse_time(value)
    assert parse_time(value, default_zone=ZoneInfo("Asia/Shanghai")).day == 28


def test_an_hour_shown_twice_is_the_first_one() -> None:
    parsed = parse_time("2026-10-25T02:30:00", default_zone=ZoneInfo("Europe/Berlin"))
    assert parsed == datetime(2026, 10, 25, 0, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    "value",
    [
        *("", "now", "2026-13-01T00:00Z", "2026-02-30", "10000-01-01T00:00Z", "2026-03-01X00:30Z", "1772325000"),
        *("0001-01-01T00:00+05:00", "9999-12-31T23:59-05:00", "２０２６-03-01T00:00Z", "2026-03-01T00:30:61Z"),
        *(float("nan"), float("inf"), 10**400, -(10**15), 1e300, None, False, b"2026-03-01", [1]),
    ],
)
def test_what_is_no_time_is_refused(value: object) -> None:
    with pytest.raises(InvalidInput, match="occurred_at"):
        parse_time(value, default_zone=UTC)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)
fields = st.sampled_from(["user_id", "role", "content", "author", "occurred_at", "metadata", "messages", "dialog_id"])
sensible = st.sampled_from(["user", "u-1", "喜欢", "2026-05-01T10:00:00Z", {"role": "user"}, [{"role": "user"}]])


@settings(max_examples=300, deadline=None)
@given(st.dictionaries(fields, json_values | sensible, max_size=8).map(json.dumps) | st.text() | st.binary())
def test_a_line_is_read_or_refused_and_nothing_else_happens(text: str | bytes) -> None:
    try:
        messages = parse_line(text)
    except InvalidInput:
        return
    for message in messages:
        json.dumps(message.metadata, allow_nan=False)
        message.content.encode()
