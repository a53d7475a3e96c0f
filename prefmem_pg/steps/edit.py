"""What a person does to a preference: edit, archive, restore, approve, reject. Pure: row in, row out."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any, Final

from prefmem_pg.domain.preferences import Event, Preference, Status
from prefmem_pg.domain.text import check_id, detect_language
from prefmem_pg.errors import Conflict, InvalidInput
from prefmem_pg.providers.offline.entities import find_entities
from prefmem_pg.providers.offline.polarity import statement_polarity
from prefmem_pg.providers.offline.topics import find_topic
from prefmem_pg.steps.candidates import check_field, check_statement
from prefmem_pg.steps.screen import classify

RESERVED: Final = frozenset({"user_id", "id", "preference_id", "created_at"})
"""What a row is and whose it is: never changed, and not taken as keys of new metadata either."""
_NULLABLE: Final = frozenset({"topic", "valid_to", "expires_at"})
_EDITABLE: Final = (
    frozenset({"statement", "context", "kind", "polarity", "language", "entities", "tags", "confidence", "importance"})
    | frozenset({"sensitivity", "is_safety", "is_pinned", "valid_from", "metadata"})
    | _NULLABLE
)
_MOVES: Final[Mapping[Event, tuple[Status, frozenset[str], frozenset[str]]]] = {
    "archive": ("archived", frozenset({"activated", "resolving"}), frozenset({"archived"})),
    "restore": ("activated", frozenset({"archived"}), frozenset({"activated"})),
    "approve": ("activated", frozenset({"resolving"}), frozenset({"activated"})),
    "reject": ("rejected", frozenset({"resolving", "activated", "archived"}), frozenset({"rejected"})),
}
"""Event -> the status that it leads to, those that it starts from, and those in which it has nothing left to do."""


def check_edit(fields: Mapping[str, Any]) -> dict[str, Any]:  # Any: fields of a preference by name
    """Return the fields checked, cleaned and redacted; InvalidInput names the one that cannot be changed, and why."""
    if not fields:
        raise InvalidInput("nothing to update: name at least one field")
    values: dict[str, Any] = {}
    for name, value in fields.items():
        if name in RESERVED:
            raise InvalidInput(f"{name} cannot be changed")
        if name not in _EDITABLE:
            raise InvalidInput(f"{name} cannot be updated; these can: {', '.join(sorted(_EDITABLE))}")
        if value is None:
            if name not in _NULLABLE:
                raise InvalidInput(f"{name} must not be None")
            values[name] = None
        else:
            values[name] = check_statement(value) if name == "statement" else check_field(name, value)
    if values.get("topic") == "":
        values["topic"] = None
    return values


def edited(before: Preference, fields: Mapping[str, Any], *, now: datetime) -> Preference:
    """Return the row with checked fields put in; the very same row when they change nothing.

    A new statement takes along what a rule had found for the old one (language, polarity, topic, entities,
    sensitivity, safety); what a person had set otherwise stays.
    """
    if before.status == "deleted":
        raise InvalidInput(f"preference {before.preference_id} is deleted and cannot be changed")
    reserved = {key for key in RESERVED & fields.get("metadata", {}).keys() if key not in before.metadata}
    if reserved:
        raise InvalidInput(f"metadata must not hold the reserved key {min(reserved)}")
    values = dict(fields)
    if "statement" in fields and fields["statement"] != before.statement:
        values = _by_rule(before, fields["statement"]) | values
    after = replace(before, **values)
    if after.valid_to is not None and after.valid_to < after.valid_from:
        raise InvalidInput("valid_to must not lie before valid_from")
    return before if after == before else replace(after, updated_at=now, run_id=None)


def moved(before: Preference, event: Event, *, now: datetime) -> Preference:
    """Return the row with the status that the event leads to; the very same row when it has it already."""
    to, starts, done = _MOVES[event]
    if before.status in done:
        return before
    if before.status not in starts:
        raise InvalidInput(
            f"preference {before.preference_id} is {before.status}; to {event} it, it must be {_either(starts)}"
        )
    is_over = to == "activated" and before.expires_at is not None and before.expires_at <= now
    if is_over and event == "approve":
        raise InvalidInput(
            f"preference {before.preference_id} has expired at {before.expires_at}; give it another expires_at first"
        )
    has_ended = to == "activated" and before.valid_to is not None and before.valid_to <= now
    return replace(
        before,
        status=to,
        # A row that comes back by a person's hand must not end again at once, nor have ended before it came.
        expires_at=None if is_over else before.expires_at,
        valid_to=None if has_ended else before.valid_to,
        updated_at=now,
        run_id=None,
    )


def check_version(preference: Preference, expected: int | None) -> None:
    """Raise Conflict when the row is not at the version that the caller has seen."""
    if expected is not None and preference.version != expected:
        raise Conflict(
            f"preference {preference.preference_id} is at version {preference.version}, not {expected}; read it again"
        )


def check_actor(actor: object) -> str:
    return check_id("actor", actor)


def _by_rule(before: Preference, statement: str) -> dict[str, Any]:
    old = before.statement or ""
    values: dict[str, Any] = {}
    if before.language == detect_language(old):
        values["language"] = detect_language(statement)
    if before.polarity == statement_polarity(old):
        values["polarity"] = statement_polarity(statement)
    if before.topic == find_topic(old):
        values["topic"] = find_topic(statement)
    if before.entities == tuple(find_entities(old)):
        values["entities"] = tuple(find_entities(statement))
    if (before.sensitivity, before.is_safety) == classify(old, before.topic):
        sensitivity, is_safety = classify(statement, values.get("topic", before.topic))
        values |= {"sensitivity": sensitivity, "is_safety": is_safety}
        if is_safety:
            values["importance"] = max(before.importance, 0.9)
    return values


def _either(statuses: frozenset[str]) -> str:
    return " or ".join(sorted(statuses))
