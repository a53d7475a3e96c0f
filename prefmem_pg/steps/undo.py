"""Taking a change back: the fields that it changed get their old values, later changes of others stay. Pure."""

from collections.abc import Sequence
from dataclasses import fields, replace
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from prefmem_pg.domain.preferences import Event, Preference, Version
from prefmem_pg.domain.states import preference_as_json, preference_from_json
from prefmem_pg.errors import Conflict, InvalidInput

_BOOKKEEPING: Final = frozenset({"version", "updated_at", "run_id", "confidence", "mention_count"})
"""What moves by itself: it neither keeps a change from being undone nor counts as a change."""
_LINKED: Final = frozenset({"add", "supersede", "merge", "approve", "restore"})
"""Changes that one decision makes to several rows, which go back together."""


def anchor_of(version: Version) -> UUID | None:
    """Return the row around which a decision changed others, or None when the change stands alone."""
    if version.event not in _LINKED:
        return None
    replaced_by = (version.state_after or {}).get("superseded_by")
    return UUID(replaced_by) if replaced_by else version.preference_id


def to_undo(version: Version, together: Sequence[Version]) -> dict[UUID, list[Version]]:
    """Return the changes to take back, by row; InvalidInput when what was is not there any more."""
    wanted = [other for other in together if other.event in _LINKED] if len(together) > 1 else [version]
    for one in wanted:
        if one.event == "delete" or one.state_after is None or (one.state_before is None and one.event != "add"):
            raise InvalidInput(f"version {version.version_id} cannot be undone: the preference was deleted")
    found: dict[UUID, list[Version]] = {}
    for one in sorted(wanted, key=lambda v: v.version):
        found.setdefault(one.preference_id, []).append(one)
    return found


def undone(current: Preference, versions: Sequence[Version], *, now: datetime) -> Preference:
    """Return the row without these changes, which follow one another; the very same row when they are undone already.

    Raises Conflict when a field that they changed has been changed again since. A row that they made is archived.
    """
    first, last = versions[0].state_before, versions[-1].state_after
    assert last is not None
    if current.status == "deleted":
        raise InvalidInput(f"preference {current.preference_id} is deleted; a deletion cannot be undone")
    if first is None:
        if current.status == "archived":
            return current
        if current.status != last["status"]:
            raise _moved_on(current, ["status"])
        return replace(current, status="archived", updated_at=now, run_id=None)
    now_as_json = preference_as_json(current)
    before = preference_as_json(preference_from_json(first))
    after = preference_as_json(preference_from_json(last))
    changed = [f.name for f in fields(Preference) if f.name not in _BOOKKEEPING and before[f.name] != after[f.name]]
    if all(now_as_json[name] == before[name] for name in changed) and changed:
        return current
    moved = [name for name in changed if now_as_json[name] != after[name]]
    if moved:
        raise _moved_on(current, moved)
    values: dict[str, Any] = {name: before[name] for name in changed}
    mentions = current.mention_count - (after["mention_count"] - before["mention_count"])
    values["mention_count"] = max(1, mentions)
    if abs(current.confidence - after["confidence"]) < 1e-5:
        values["confidence"] = before["confidence"]
    back = preference_from_json(now_as_json | values)
    return current if back == current else replace(back, updated_at=now, run_id=None)


def event_of(before: Preference, after: Preference) -> Event:
    """Return the event that names what the undoing does to the row."""
    if before.status == after.status:
        return "update"
    events: dict[str, Event] = {"archived": "archive", "activated": "restore", "rejected": "reject"}
    return events.get(after.status, "update")


def _moved_on(current: Preference, names: Sequence[str]) -> Conflict:
    return Conflict(
        f"preference {current.preference_id} has changed since in {', '.join(names)};"
        " undo the later change first, or update the preference"
    )
