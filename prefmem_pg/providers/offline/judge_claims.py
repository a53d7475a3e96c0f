"""Whether a statement says that the user has a thing, wishes for one, or hopes to do something."""

import re
from typing import Final

_CLAIMS: Final = {
    "hopes": re.compile(
        r"\b(?:want|hope|intend|plan|planning|goal|aim|ambition|target|would like|wish)\b|想|希望|打算|准备|计划|目标",
        re.I,
    ),
    "has": re.compile(
        r"\b(?:i|we)(?:'ve| have)(?: got)? (?:an? |two |three |\d )|\bi own\b|\blives? with me\b"
        r"|养了|养着|^我?(?:家里?)?有",
        re.I,
    ),
    "wants": re.compile(
        r"\bi(?:'d| would)? (?:want|like to (?:have|get|own)|wish for|dream of)\b|想(?:养|买|有|要)", re.I
    ),
}
"""To wish for a thing is not to have it, though both speak of nothing else."""


def claims(text: str) -> frozenset[str]:
    """Return "has", "wants" and "hopes", as far as they are said."""
    return frozenset(name for name, pattern in _CLAIMS.items() if pattern.search(text))
