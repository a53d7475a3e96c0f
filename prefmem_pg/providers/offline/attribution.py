"""Whose a sentence is, in either language: the user's own, or what somebody else likes, says, writes or advises."""

import re
from typing import Final

from prefmem_pg.domain.text import detect_language
from prefmem_pg.providers.offline import attribution_en, attribution_zh

_COMMA: Final = re.compile("[，,]")
_OPENING: Final = 12
"""Characters of a Chinese sentence in which its subject is looked for."""


def begins_with_others(text: str) -> bool:
    """Say whether a sentence begins with what others like, say or advise."""
    if detect_language(text) == "zh":
        return attribution_zh.is_of_others(text, min(_OPENING, len(text)), before=False) or _is_of_them_alone(text)
    return attribution_en.is_of_others(text, before=False)


def _is_of_them_alone(text: str) -> bool:
    """Say whether the first clause of a Chinese sentence is of somebody else, and no later one of the user."""
    others = False
    for clause in _COMMA.split(text.rstrip("。！!.")):
        others = attribution_zh.is_of_others(clause, len(clause), before=others)
        if not others:
            return False
    return True
