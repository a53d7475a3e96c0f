"""Preferences and hits as the objects that ``--json`` prints, and as rows of a table."""

from collections.abc import Sequence
from typing import Any

from prefmem_pg.cli.output import as_json
from prefmem_pg.domain.preferences import Evidence, Preference
from prefmem_pg.domain.search import Recall, SearchHit
from prefmem_pg.domain.summaries import SummaryHit

_FIRST = ("preference_id", "kind", "statement", "polarity", "topic", "status")

PREFERENCE_COLUMNS = ("statement", "kind", "polarity", "topic", "status", "said", "preference_id")
HIT_COLUMNS = ("score", "statement", "kind", "polarity", "topic", "evidence", "preference_id")


def preference_record(preference: Preference) -> dict[str, Any]:  # Any: JSON
    """Return a preference as JSON, the fields that matter most first."""
    fields: dict[str, Any] = as_json(preference)  # Any: JSON
    return {name: fields.pop(name) for name in _FIRST} | fields


def hit_record(hit: SearchHit) -> dict[str, Any]:  # Any: JSON
    """Return a hit as JSON: the preference's own fields, its score, why it has it and what supports it."""
    fields = preference_record(hit.preference)
    first = {name: fields.pop(name) for name in _FIRST}
    return (
        first
        | {"score": hit.score}
        | fields
        | {"rerank_score": hit.rerank_score, "note": hit.note}
        | {"explanation": as_json(hit.explanation), "evidence": as_json(hit.evidence)}
    )


def recall_record(recall: Recall) -> dict[str, Any]:  # Any: JSON
    """Return a recall as JSON: its text, what the text shows, and how the message was searched."""
    return {
        "text": recall.text,
        "hits": [hit_record(hit) for hit in recall.hits],
        "raised": [hit_record(hit) | {"reason": hit.reason} for hit in recall.raised],
        "said": list(recall.said),
        "goals": as_json(recall.goals),
        "profile": as_json(recall.profile),
        "summaries": [summary_record(hit) for hit in recall.summaries],
        "query": as_json(recall.query),
        "left_out": as_json(recall.details),
        "tokens": recall.tokens,
    }


def summary_record(hit: SummaryHit) -> dict[str, Any]:  # Any: JSON
    """Return a found summary as JSON."""
    summary = hit.summary
    return {
        "summary_id": summary.summary_id,
        "scope": summary.scope,
        "dialog_id": summary.dialog_id,
        "period_start": summary.period_start,
        "period_end": summary.period_end,
        "text": summary.text,
        "language": summary.language,
        "message_ids": list(summary.message_ids),
        "score": hit.score,
    }


def preference_row(preference: Preference) -> Sequence[object]:
    return (
        preference.statement,
        preference.kind,
        preference.polarity,
        preference.topic,
        preference.status,
        preference.valid_from,
        preference.preference_id,
    )


def hit_row(hit: SearchHit) -> Sequence[object]:
    preference = hit.preference
    return (
        hit.score,
        preference.statement,
        preference.kind,
        preference.polarity,
        preference.topic,
        evidence_note(hit.evidence, preference.statement),
        preference.preference_id,
    )


def evidence_note(evidence: Sequence[Evidence], statement: str | None) -> str:
    """Return when and where the user said it last, in their words where they are not the statement's."""
    if not evidence:
        return ""
    latest = max(evidence, key=lambda span: (span.occurred_at, span.message_id))
    quote = "" if latest.quote == statement else f"“{latest.quote}” "
    more = f" and {len(evidence) - 1} more" if len(evidence) > 1 else ""
    return f"{quote}{latest.occurred_at:%Y-%m-%d} in {latest.dialog_id}{more}"


def explanation_line(hit: SearchHit) -> str:
    """Return in one line how a score came about."""
    why = hit.explanation
    arms = [
        "semantic -" if why.semantic is None else f"semantic {why.semantic:.3f} (rank {why.semantic_rank or '-'})",
        f"keyword {why.keyword:.3f} (rank {why.keyword_rank or '-'})",
        f"fuzzy {why.fuzzy:.3f}",
        f"relevance {why.relevance:.3f}",
    ]
    factors = [f"{name} ×{value:.3f}" for name, value in why.factors.items()]
    return ", ".join([*arms, *factors, f"plan {why.plan}"])
