"""Hits + profile -> prompt-ready text within a budget."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, TypeVar

from prefmem_pg.domain.recall_template import RecallTemplate, template_for
from prefmem_pg.domain.search import ProfileValue, Recall, SearchHit
from prefmem_pg.domain.sessions import Session
from prefmem_pg.domain.summaries import SummaryHit
from prefmem_pg.domain.text import detect_language
from prefmem_pg.domain.tokens import count_tokens

ALWAYS_SHOWN: Final = 5
SHARE_OF_BEST: Final = 0.3
"""A budget is room, not a quota: the right preference is among the first five in nine of ten questions."""
SAFETY_SHOWN: Final = 5
"""How many safety facts recall() shows whatever is asked, those nearest to the question first."""

_LABELS: Final = {
    "en": {"said": "said in this session", "goal": "goal of this session", "summary": "dialog of"},
    "zh": {"said": "本次会话所说", "goal": "本次会话目标", "summary": "对话摘要"},
}
_Item = TypeVar("_Item")


def worth_showing(hits: Sequence[SearchHit]) -> list[SearchHit]:
    """Return the first hits, and further ones only while they score at least a share of what the best one does."""
    least = SHARE_OF_BEST * hits[0].score if hits else 0.0
    return [hit for place, hit in enumerate(hits) if place < ALWAYS_SHOWN or hit.score >= least]


def safety_first(hits: Sequence[SearchHit], safety: Sequence[SearchHit]) -> list[SearchHit]:
    """Return the safety facts, then the hits that are none: an allergy matters also when nobody asks about it."""
    facts = {hit.preference.preference_id for hit in safety}
    return [*safety, *(hit for hit in hits if hit.preference.preference_id not in facts)]


def compose(
    hits: Sequence[SearchHit],
    profile: Sequence[ProfileValue],
    raised: Sequence[SearchHit],
    *,
    query: str,
    max_tokens: int,
    template: RecallTemplate | None = None,
    session: Session | None = None,
    summaries: Sequence[SummaryHit] = (),
) -> Recall:
    """Return the text: what is raised unasked, the preferences in their order, the session, the profile, summaries.

    Items that do not fit any more are left out whole, so text and hits always agree; with no room or nothing to say
    the text is empty.
    """
    shape = template or template_for(query)
    labels = _LABELS.get(detect_language(query), _LABELS["en"])
    room = max_tokens - count_tokens(f"{shape.opening}\n{shape.notice}\n{shape.closing}\n")
    lines: list[str] = []

    def told(items: Iterable[_Item], write: Callable[[_Item], str]) -> tuple[_Item, ...]:
        nonlocal room
        kept = []
        for item in items:
            line = write(item)
            cost = count_tokens(line) + 1
            if cost <= room:
                room -= cost
                lines.append(line)
                kept.append(item)
        return tuple(kept)

    def labelled(label: str, text: str) -> str:
        return f"- [{labels[label]}] {shape.told(text)}"

    parts: dict[str, Any] = {  # Any: each part has its own type
        "raised": told(raised, lambda hit: f"{shape.item_line(hit)} — {shape.told(hit.reason)}"),
        "hits": told(hits, shape.item_line),
        "said": told([one.statement for one in session.said] if session else (), lambda text: labelled("said", text)),
        "goals": told(session.goals if session else (), lambda goal: labelled("goal", goal.text)),
        "profile": told(profile, shape.setting_line),
        "summaries": told(summaries, lambda hit: _summary_line(shape, hit, labels["summary"])),
    }
    text = "\n".join([shape.opening, shape.notice, *lines, shape.closing]) if lines else ""
    return Recall(text=text, tokens=count_tokens(text), **parts)


def _summary_line(shape: RecallTemplate, hit: SummaryHit, label: str) -> str:
    summary = hit.summary
    return f"- [{summary.summary_id}] ({label} {summary.period_start:%Y-%m-%d}) {shape.told(summary.text)}"
