"""Putting text of others between tags, so that it is read as data."""

import re
from typing import Final

_TAGS: Final = re.compile(
    r"<(?=\s*/?\s*(?:conversation|context|new|message|pair|candidate|existing|statement|signal|question|dialog|abstract)\b)",
    re.IGNORECASE,
)


def fence(tag: str, text: str, **attributes: object) -> str:
    """Return the text between tags. What looks like one of our tags in it gets another bracket, and closes nothing."""
    shown = "".join(f' {name}="{_attribute(str(value))}"' for name, value in attributes.items())
    return f"<{tag}{shown}>{neutral(text)}</{tag}>"


def neutral(text: str) -> str:
    """Return the text with the brackets of our own tags replaced; nothing else changes, so that quotes stay true."""
    return _TAGS.sub("‹", text)


def _attribute(value: str) -> str:
    return re.sub(r'[<>"\n]', " ", value)[:200]
