"""The long-term memory of what users prefer, kept in your own PostgreSQL."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from prefmem_pg.domain.filters import SearchFilter
    from prefmem_pg.domain.messages import Message, NewMessage
    from prefmem_pg.domain.preferences import Candidate, Decision, Evidence, EvidenceSpan, Preference, Verdict, Version
    from prefmem_pg.domain.recall_template import RecallTemplate
    from prefmem_pg.domain.search import Page, Recall, SearchHit
    from prefmem_pg.memory import PreferenceMemory
    from prefmem_pg.memory.tending import Retirement
    from prefmem_pg.settings import Settings

__version__ = "0.1.0"

_HOMES = {
    "Candidate": "domain.preferences",
    "Decision": "domain.preferences",
    "Evidence": "domain.preferences",
    "EvidenceSpan": "domain.preferences",
    "Message": "domain.messages",
    "NewMessage": "domain.messages",
    "Page": "domain.search",
    "Preference": "domain.preferences",
    "PreferenceMemory": "memory",
    "Recall": "domain.search",
    "RecallTemplate": "domain.recall_template",
    "Retirement": "memory.tending",
    "SearchFilter": "domain.filters",
    "SearchHit": "domain.search",
    "Settings": "settings",
    "Verdict": "domain.preferences",
    "Version": "domain.preferences",
}

__all__ = [
    "Candidate",
    "Decision",
    "Evidence",
    "EvidenceSpan",
    "Message",
    "NewMessage",
    "Page",
    "Preference",
    "PreferenceMemory",
    "Recall",
    "RecallTemplate",
    "Retirement",
    "SearchFilter",
    "SearchHit",
    "Settings",
    "Verdict",
    "Version",
]


def __getattr__(name: str) -> Any:  # Any: whichever public name is asked for
    """Import a public name when it is first used, so that importing the package costs next to nothing."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
