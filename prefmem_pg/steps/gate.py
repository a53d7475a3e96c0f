"""Is it worth remembering? Yes or no, and the reason; rules in English and Chinese. Pure."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final
from uuid import UUID

from prefmem_pg.domain.gate import Gate, GateKind
from prefmem_pg.domain.messages import Message, Role
from prefmem_pg.providers.offline.extractor import OfflineExtractor
from prefmem_pg.providers.offline.questions import asks
from prefmem_pg.providers.protocols import Chunk
from prefmem_pg.steps.habits import HABITS

REPEATS: Final = 3
"""How often the user must do the same before it counts as behaviour."""
LONG_TOKENS: Final = 2_000

_I = re.IGNORECASE
_STATES: Final[Mapping[str, str]] = {
    "explicit": "the user states a preference",
    "implicit": "the user's behaviour shows a preference",
    "fact": "the user states a lasting circumstance",
    "goal": "the user states a wish or a plan",
    "experience": "a way of answering worked",
}
_INTERRUPTS = re.compile(
    r"^\W*(?:stop|wait|hold on|enough|ok(?:ay)? enough|cut it out|never ?mind|skip (?:that|this|it)|no no|too long"
    r"|get to the point|just (?:tell|give) me"
    r"|停|等等|打住|够了|行了|好了好了|别说了|不用说了|跳过|太长了|说重点|直接说)",
    _I,
)
_PRAISE = re.compile(
    r"\b(?:that|this|the|your) (?:\w+ ){0,3}(?:format|explanation|approach|way|style|method|structure|example|layout"
    r"|step[- ]by[- ]step|table|strategy|summary)s? (?:\w+ ){0,3}?(?:works?|worked|helps?|helped|is|was|are|made)"
    r" (?:\w+ ){0,3}?(?:well|great|perfect\w*|helpful|clear\w*|sense|excellent|best|useful|a lot|brilliant"
    r"|exactly|much better)"
    r"|\b(?:explained|put|laid out|presented) (?:it |that |this )?(?:so |very |really )?(?:well|clearly|perfectly)\b"
    r"|\bexactly (?:how|the way) I (?:like|want|need)"
    r"|(?:这样|这种|你的|这个)\w{0,4}(?:讲法|解释|方式|格式|方法|思路|写法|排版|表格|例子|步骤|总结|讲|说|解释)\w{0,4}"
    r"(?:很|太|非常|真|特别|最)?(?:好懂|清楚|清晰|有用|好用|管用|棒|赞|有效|有帮助|易懂|好)"
    r"|(?:讲|解释|说|总结|整理)得(?:很|太|非常|真|特别)(?:好|清楚|清晰|棒|明白|到位)",
    _I,
)
_NOT_PRAISE = re.compile(
    r"\b(?:not|n't|never|isn't|wasn't)\b|不(?:太|是|够|怎么)?(?:好|清楚|有用|对)|没(?:用|什么用)", _I
)
_ERROR = re.compile(
    r"Traceback \(most recent|^\s*(?:\w+\.)*\w*(?:Error|Exception)\b|\bstack ?trace\b|\bexit code [1-9]"
    r"|\bHTTP [45]\d\d\b|\b(?:error|failed|timeout|refused)\b.{0,200}\b(?:line|code|status)\b"
    r"|报错|异常|调用失败|错误码",
    _I | re.MULTILINE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One message as the gate sees it."""

    role: Role
    content: str
    metadata: Mapping[str, Any]  # the caller's JSON


def should_remember(turns: Sequence[Turn]) -> Gate:
    """Decide by the first of: stated, repeated three times, praised, long; else no, with the reason for that too."""
    said = [turn for turn in turns if turn.role == "user"]
    if kind := _stated(said):
        return Gate(remember=True, reason=_STATES[kind], kind=kind)
    if habit := _repeated(said):
        return Gate(remember=True, reason=habit, kind="implicit")
    if _is_praised(turns):
        return Gate(remember=True, reason=_STATES["experience"], kind="experience")
    tokens = sum(_tokens(turn.content) for turn in turns if turn.role not in ("system", "tool"))
    if tokens > LONG_TOKENS:
        return Gate(remember=True, reason=f"a long dialog (about {tokens} tokens): worth a summary", kind="summary")
    return Gate(remember=False, reason=_why_not(turns, said))


def _stated(said: Sequence[Turn]) -> GateKind | None:
    """Return the kind of the first thing that the offline extractor finds."""
    at = datetime.now(UTC)
    messages = tuple(
        Message(
            user_id="-",
            message_id=UUID(int=place),
            dialog_id="-",
            role="user",
            content=turn.content,
            occurred_at=at,
            ingested_at=at,
            source="gate",
            external_id=str(place),
        )
        for place, turn in enumerate(said)
    )
    found = OfflineExtractor().extract(Chunk(user_id="-", dialog_id="-", messages=messages))
    return found[0].kind if found else None


def _repeated(said: Sequence[Turn]) -> str | None:
    interruptions = sum(1 for turn in said if _INTERRUPTS.search(turn.content))
    if interruptions >= REPEATS:
        return f"the user interrupted {interruptions} times"
    asked = Counter(habit.name for turn in said for habit in HABITS if habit.pattern.search(turn.content))
    for name, count in asked.most_common(1):
        if count >= REPEATS:
            return f"the user asked for {name} {count} times"
    return None


def _is_praised(turns: Sequence[Turn]) -> bool:
    for before, turn in zip((None, *turns), turns, strict=False):
        if turn.role != "user" and turn.role != "assistant":
            continue
        if "positive" in (turn.metadata.get("feedback"), turn.metadata.get("user_feedback")):
            return True
        answers = before is None or before.role == "assistant"
        if turn.role == "user" and answers and _PRAISE.search(turn.content) and not _NOT_PRAISE.search(turn.content):
            return True
    return False


def _why_not(turns: Sequence[Turn], said: Sequence[Turn]) -> str:
    if not said:
        return "nothing that the user said" if turns else "no message"
    if any(_ERROR.search(turn.content) for turn in turns if turn.role in ("tool", "user")):
        return "an error, of no lasting value"
    if any(asks(turn.content.strip()) for turn in said):
        return "an ordinary question"
    return "this occasion only: nothing lasting about the user"


def _tokens(text: str) -> int:
    """Return about how many tokens a text has: four ASCII characters or one other each."""
    ascii_count = sum(1 for character in text if character < "\x80")
    return len(text) - ascii_count + ascii_count // 4
