"""Pieces of Chinese that several cues share."""

import re

from prefmem_pg.domain.preferences import Kind, Polarity
from prefmem_pg.providers.offline.cue import CLEAR, TASTE, Cue

FAMILY = (
    r"(?:老婆|老公|妻子|丈夫|太太|先生|爱人|对象|男朋友|女朋友|男友|女友|妈妈|爸爸|母亲|父亲|妈|爸|爷爷"
    r"|奶奶|外公|外婆|姥姥|姥爷|哥哥|姐姐|弟弟"
    r"|妹妹|儿子|女儿|孩子|小孩|宝宝|闺女|娃|家里人|家人)"
)


def cue(
    reason: str,
    pattern: str,
    polarity: Polarity = "positive",
    confidence: float = CLEAR,
    importance: float = TASTE,
    *,
    kind: Kind = "explicit",
    is_safety: bool = False,
) -> Cue:
    return Cue(reason, re.compile(pattern, re.IGNORECASE), kind, polarity, confidence, importance, is_safety)
