"""What is worth remembering, and why, in both languages."""

import pytest

from prefmem_pg.domain.messages import Role
from prefmem_pg.steps.gate import Turn, should_remember


def dialog(*said: str) -> list[Turn]:
    """Turns of user and assistant; those of the assistant begin with "> ", those of a tool with "$ "."""
    roles: dict[str, Role] = {"> ": "assistant", "$ ": "tool"}
    return [
        Turn(
            role=roles.get(text[:2], "user"),
            content=text.removeprefix(text[:2]) if text[:2] in roles else text,
            metadata={},
        )
        for text in said
    ]


WORTH = [
    ("explicit", ["以后都用英文回答"]),
    ("explicit", ["I love hiking in the Alps 🏔️"]),
    ("fact", ["I'm allergic to peanuts"]),
    ("goal", ["我想去北京旅游，有什么推荐？"]),
    (
        "implicit",
        ["what is DNS?", "> DNS is…", "stop", "> …", "ok, what about TCP?", "> …", "Stop.", "> …", "Wait, enough"],
    ),
    ("implicit", ["什么是DNS？", "> …", "停", "> …", "打住", "> …", "够了够了"]),
    ("implicit", ["shorter", "> …", "what is TCP? shorter than before", "> …", "too long again"]),
    ("implicit", ["短一点", "> …", "再短一点 😅", "> …", "还是太长"]),
    ("experience", ["> step one…", "This step-by-step explanation is very clear!"]),
    ("experience", ["> 先看图…", "这种讲法很好懂 👍"]),
    ("summary", ["What is this text about? " + "The weather was grey and the sea was calm. " * 250]),
    ("summary", ["这段文字讲什么？" + "天色灰暗海面平静。" * 300]),
]
NOT_WORTH = [
    ("question", ["What is the capital of Peru?", "> Lima."]),
    ("question", ["秘鲁的首都是哪里？", "> 利马。"]),
    ("error", ["$ Traceback (most recent call last): KeyError", "go on"]),
    ("error", ["ConnectionError: HTTP 503 from the API"]),
    ("error", ["工具调用失败，报错了"]),
    ("occasion", ["Translate this into French: the cat sleeps"]),
    ("occasion", ["帮我把这段话翻译成英文"]),
    ("occasion", ["make it shorter"]),
    ("occasion", ["thanks 👍"]),
    ("occasion", ["> …", "This explanation is not helpful"]),
    ("nothing", ["> I love green tea myself"]),
    ("no message", []),
]


@pytest.mark.parametrize(("kind", "said"), WORTH)
def test_what_lasts_is_worth_remembering(kind: str, said: list[str]) -> None:
    gate = should_remember(dialog(*said))

    assert (gate.remember, gate.kind) == (True, kind)
    assert gate.reason


@pytest.mark.parametrize(("reason", "said"), NOT_WORTH)
def test_what_does_not_last_is_not(reason: str, said: list[str]) -> None:
    gate = should_remember(dialog(*said))

    assert (gate.remember, gate.kind) == (False, None)
    assert reason in gate.reason


def test_feedback_of_the_host_application_counts_as_praise() -> None:
    turns = [Turn(role="assistant", content="…", metadata={"user_feedback": "positive"})]

    assert should_remember(turns).kind == "experience"
