"""The short text that surrounds a preference: its reason, what was before it, the requests of a goal. Pure."""

from collections.abc import Sequence
from typing import Final

from prefmem_pg.domain.preferences import Candidate, Preference
from prefmem_pg.providers.offline.follow_ups import is_request

MAX_CONTEXT_CHARACTERS: Final = 2_000

_JOURNEY: Final = {"zh": "以前：“{statement}”（自{since}）。", "en": 'Before: "{statement}" (since {since}).'}


def adds_context(candidate: Candidate) -> bool:
    """Say whether the context tells more than the statement's own sentence: a request that came with it."""
    return is_request(candidate.context) or candidate.statement not in candidate.context


def journey(old: Preference, language: str) -> str:
    """Return what was before, in the language of what is now, with what was before that."""
    line = _JOURNEY.get(language, _JOURNEY["en"]).format(
        statement=old.statement, since=old.valid_from.date().isoformat()
    )
    return join_texts([line, old.context])


def join_texts(parts: Sequence[str]) -> str:
    """Return the texts one after another, each once, cut where a context ends."""
    seen = dict.fromkeys(part.strip() for part in parts if part.strip())
    return " ".join(seen)[:MAX_CONTEXT_CHARACTERS]
