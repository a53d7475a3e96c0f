"""Tells the style of one task, which the same message gives, from a wish about all answers."""

import re
from collections.abc import Sequence
from typing import Final

from prefmem_pg.providers.offline.finding import Finding
from prefmem_pg.providers.offline.idle_zh import CHINESE_TASK
from prefmem_pg.providers.offline.questions import asks
from prefmem_pg.providers.offline.sentences import Span

_REASONS: Final = frozenset(
    {
        "tells the assistant which style to use",
        "tells the assistant which style not to use",
        "tells the assistant the manner of its words",
    }
)
_LASTS: Final = re.compile(
    r"\b(?:always|from now on|in (?:the )?future|every time|going forward|all (?:your )?(?:answers|replies))\b|以后"
    r"|今后|往后|每次|一直|一律|总是",
    re.IGNORECASE,
)
_ENGLISH_TASK: Final = re.compile(
    r"^(?:(?:and|so|now|then|ok|okay|please|hi|hey|hello|can you|could you|would you|will you|help me"
    r"|I need you to)[,!. ]+)*"
    r"(?:to )?(?:write|summari[sz]e|translate|draft|compose|list|compare|describe|rewrite|rephrase|proofread|create"
    r"|generate"
    r"|find|suggest|recommend|plan|design|prepare|outline|fix|edit|check|review|turn|convert|analy[sz]e|tell me"
    r"|give me (?:an?"
    r"|some|the|three|five|ten|\d+)|show me (?:how|the|an?)|explain (?!stuff|things|everything|like)|make (?:me )?an?"
    r"|what"
    r"|how|why|who|when|where|which)\b",
    re.IGNORECASE,
)


def is_of_task(finding: Finding, masked: str, spans: Sequence[Span]) -> bool:
    """Say whether a finding is the style of a task that the same message gives ("Summarise this. Keep it short.")."""
    if finding.cue.reason not in _REASONS:
        return False
    own = next(span for span in spans if span.start <= finding.start < max(span.end, span.start + 1))
    if _LASTS.search(own.text):
        return False
    before = masked[own.start : finding.start]
    return _is_task(before) or any(span != own and (_is_task(span.text) or asks(span.text)) for span in spans)


def _is_task(text: str) -> bool:
    return bool(_ENGLISH_TASK.match(text) or CHINESE_TASK.match(text))
