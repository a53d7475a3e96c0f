"""What the user takes back, and what only sounds like it."""

from datetime import UTC, datetime
from uuid import UUID

import pytest

from prefmem_pg.domain.messages import Message, Role
from prefmem_pg.domain.withdrawals import Withdrawal
from prefmem_pg.providers.offline.extractor import OfflineExtractor
from prefmem_pg.providers.offline.withdrawal_phrases import is_command
from prefmem_pg.providers.offline.withdrawals import find_withdrawals
from prefmem_pg.providers.protocols import Chunk

AT = datetime(2026, 5, 1, tzinfo=UTC)


def said(place: int, content: str, role: Role = "user") -> Message:
    return Message(
        user_id="u",
        message_id=UUID(int=place),
        dialog_id="d",
        role=role,
        content=content,
        occurred_at=AT,
        ingested_at=AT,
        source="api",
        external_id=str(place),
    )


def withdrawals(*contents: str) -> list[Withdrawal]:
    chunk = Chunk(user_id="u", dialog_id="d", messages=tuple(said(i, c) for i, c in enumerate(contents)))
    return find_withdrawals(chunk, OfflineExtractor().extract(chunk))


@pytest.mark.parametrize(
    "content",
    [
        "Forget that.",
        "please forget what I just said 🙏".replace(" 🙏", ""),
        "That was my sister, not me",
        "Sorry, that was about my best friend, not me.",
        "that's not me, it's my brother",
        "I take that back",
        "别记这个",
        "别记这个了",
        "忘掉我刚才说的",
        "那是我妹妹，不是我",
        "当我没说",
        "刚才说的是我老婆，不是我自己",
        "strike that",
        "Forget I said that",
        "Please delete that from your memory",
        "that was a joke, don't remember it",
        "You got that wrong, forget that",
        "这个别记",
        "刚才那句别记",
        "刚才的话不算数",
        "请把刚才那条删了",
        "帮我忘掉刚才的话",
        "请不要保存刚才的内容",
        "那句话当我没说",
    ],
)
def test_that_means_what_was_said_last(content: str) -> None:
    [found] = withdrawals("I love durian", content)

    assert found.subject is None
    assert found.places == ((UUID(int=0), len("I love durian")),)


def test_behind_a_statement_that_means_the_statement() -> None:
    [found] = withdrawals("I play chess", "I love durian. Forget that.")

    assert found.places[0] == (UUID(int=1), len("I love durian. "))


@pytest.mark.parametrize(
    ("content", "subject"),
    [
        ("I don't like fruit any more, drop what I said before.", "I don't like fruit any more"),
        ("我不喜欢水果了，之前说的都不算。", "我不喜欢水果了"),
        ("Please forget everything I told you about my diet", "diet"),
        ("Delete all my music preferences", "music"),
        ("忘掉我之前说过的关于音乐的一切", "音乐"),
        ("I'm back on espresso, so forget the tea-only thing ☕", "tea-only"),
        ("Scrap that no-sugar rule please", "no-sugar"),
        ("我又喝咖啡了，那个不加糖的要求取消吧", "不加糖"),
        ("Forget that I like coffee", "I like coffee"),
        ("Please don't remember that I work nights", "I work nights"),
        ("别记我喜欢咖啡的事", "我喜欢咖啡"),
        ("把我对花生过敏这件事忘了吧", "我对花生过敏"),
        ("忘掉我喜欢喝咖啡 ☕", "我喜欢喝咖啡"),
        ("我之前说的水果的事都作废", "水果"),
    ],
)
def test_what_was_said_of_a_subject(content: str, subject: str) -> None:
    [found] = withdrawals("hello", content)

    assert found.subject == subject
    assert found.said == {UUID(int=0)}


@pytest.mark.parametrize(
    "content",
    [
        "Don't forget that I'm allergic to nuts",
        "别忘了我之前说的",
        "I'll never forget that trip",
        "Forget about the weather, what shall we cook?",
        "Delete this file please",
        "Remove the last line of the function",
        "删掉这个文件",
        "删掉我不用的文件",
        "别忘了这个",
        "别忘了我喜欢咖啡",
        "Don't forget that I like coffee",
        "I forget that I like coffee sometimes",
        "My sister hates fish, not me though I avoid it",
        "not bad 😀",
        "不是我说你",
        "> forget that",
        "How do I delete my account?",
    ],
)
def test_other_talk_takes_nothing_back(content: str) -> None:
    assert withdrawals("I love durian", content) == []


def test_what_the_assistant_says_takes_nothing_back() -> None:
    chunk = Chunk(user_id="u", dialog_id="d", messages=(said(0, "I love durian"), said(1, "Forget that.", "assistant")))

    assert find_withdrawals(chunk) == []


def test_a_withdrawal_in_the_overlap_is_not_read_again() -> None:
    chunk = Chunk(user_id="u", dialog_id="d", messages=(said(0, "Forget that."), said(1, "hello")), first_new=1)

    assert find_withdrawals(chunk) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("之前说的都别记了", True),
        ("Forget that I like coffee", True),
        ("把我喜欢咖啡这件事忘了", True),
        ("我喜欢咖啡，之前说的都别记了", False),
        ("I don't like fruit any more, drop what I said before", False),
        ("别用表情符号", False),
    ],
)
def test_a_command_to_forget_is_told_from_a_statement_with_one(text: str, expected: bool) -> None:
    assert is_command(text) is expected
