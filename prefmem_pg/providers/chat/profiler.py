"""A user's preferences -> the few settings that every answer should know, by a chat model."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from prefmem_pg.prompts import load, version_of
from prefmem_pg.providers.chat.asking import Ask
from prefmem_pg.providers.chat.fencing import fence
from prefmem_pg.providers.chat.schemas import PROFILE
from prefmem_pg.providers.chat.shapes import numbers, objects, text
from prefmem_pg.providers.protocols import ChatRequest, Statement

MOST: Final = 12
MAX_TOKENS: Final = 1_024
_KEY = re.compile(r"[a-z][a-z0-9_]{0,39}")


@dataclass(frozen=True, slots=True)
class Setting:
    """One line of a profile, and the places of the statements that it follows from."""

    key: str
    value: str
    places: tuple[int, ...]


def propose_profile(ask: Ask, statements: Sequence[Statement]) -> list[Setting] | None:
    """Return up to twelve settings, each key once; what names no statement that was given is left out.

    The statements come in order of time: of two that contradict each other the later holds. None: this needs no asking,
    what was answered before holds. Raises a ProviderError.
    """
    language = statements[0].language if statements else "en"
    request = ChatRequest(
        purpose="profile",
        system=load("profile", language).text,
        text="\n".join(fence("statement", one.text, id=place) for place, one in enumerate(statements, 1)),
        schema=PROFILE,
        schema_name="settings",
        max_tokens=MAX_TOKENS,
        prompt_version=version_of("profile"),
        language=language,
    )
    answer = ask(request)
    if answer is None:
        return None
    settings: dict[str, Setting] = {}
    for fields in objects(answer, "settings"):
        key = text(fields, "key").lower().replace(" ", "_").replace("-", "_")
        places = tuple(place - 1 for place in numbers(fields, "ids") if 1 <= place <= len(statements))
        value = text(fields, "value")
        if _KEY.fullmatch(key) and value and len(value) <= 200 and places:
            settings.setdefault(key, Setting(key, value, places))
    return list(settings.values())[:MOST]
