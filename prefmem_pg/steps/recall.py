"""Hits + profile -> prompt-ready text within a budget."""

from collections.abc import Sequence
from typing import Final

from prefmem_pg.domain.recall_template import RecallTemplate, template_for
from prefmem_pg.domain.search import ProfileValue, Recall, SearchHit
from prefmem_pg.domain.tokens import count_tokens

ALWAYS_SHOWN: Final = 5
SHARE_OF_BEST: Final = 0.3
"""A budget is room, not a quota: the right preference is among the first five in nine of ten questions."""
SAFETY_SHOWN: Final = 5
"""How many safety facts recall() shows whatever is asked, those nearest to the question first."""


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
) -> Recall:
    """Return the text: preferences first, in their order, then what is raised unasked, then the profile.

    Items that do not fit any more are left out whole, so text and hits always agree; with no room or nothing to say
    the text is empty.
    """
    shape = template or template_for(query)
    room = max_tokens - count_tokens(f"{shape.opening}\n{shape.notice}\n{shape.closing}\n")
    lines: list[str] = []
    shown: list[SearchHit] = []
    for hit in [*hits, *raised]:
        line = shape.item_line(hit)
        cost = count_tokens(line) + 1
        if cost <= room:
            room -= cost
            lines.append(line)
            shown.append(hit)
    kept = []
    for value in profile:
        line = shape.setting_line(value)
        cost = count_tokens(line) + 1
        if cost <= room:
            room -= cost
            lines.append(line)
            kept.append(value)
    text = "\n".join([shape.opening, shape.notice, *lines, shape.closing]) if lines else ""
    return Recall(
        text=text,
        hits=tuple(hit for hit in hits if hit in shown),
        raised=tuple(hit for hit in raised if hit in shown),
        profile=tuple(kept),
        tokens=count_tokens(text),
    )
