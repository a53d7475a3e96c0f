"""From choices to rows: a plan of everything that one decision transaction writes. Pure."""

from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Final
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from prefmem_pg.domain.ids import new_id
from prefmem_pg.domain.preferences import Action, Candidate, Event, EvidenceSpan, Preference, Status, Version
from prefmem_pg.domain.states import preference_as_json
from prefmem_pg.steps.choose import Choice
from prefmem_pg.steps.context import adds_context, join_texts, journey
from prefmem_pg.steps.given_metadata import with_metadata
from prefmem_pg.steps.new_row import new_row
from prefmem_pg.steps.screen import classify

_TAKES_METADATA: Final = ("activated", "resolving")


@dataclass(frozen=True, slots=True)
class Outcome:
    """A decision in the making: the preference that stands for the candidate, and those that ended."""

    action: Action
    preference_id: UUID
    reason: str
    superseded: tuple[UUID, ...] = ()


@dataclass
class Plan:
    """What to write, in the order of its fields."""

    user_id: str
    actor: str
    run_id: UUID | None
    now: datetime
    inserts: dict[UUID, Preference] = field(default_factory=dict)
    updates: dict[UUID, Preference] = field(default_factory=dict)
    expected: dict[UUID, int] = field(default_factory=dict)
    versions: list[Version] = field(default_factory=list)
    evidence: list[tuple[UUID, EvidenceSpan]] = field(default_factory=list)
    repeats: list[tuple[UUID, tuple[EvidenceSpan, ...]]] = field(default_factory=list)
    repeated: dict[UUID, Preference] = field(default_factory=dict)
    vectors: dict[UUID, NDArray[np.float32]] = field(default_factory=dict)
    outcomes: list[Outcome] = field(default_factory=list)
    behind: dict[int, list[UUID]] = field(default_factory=dict)
    """Once it is written: rows that need a vector of a further model that is at work, by its number."""

    def current(self, preference: Preference) -> Preference:
        """Return the row as the plan has left it so far."""
        known = self.inserts.get(preference.preference_id) or self.updates.get(preference.preference_id)
        return known or preference

    def spans(self) -> list[tuple[UUID, EvidenceSpan]]:
        """Return where in the messages each row was said, by what the plan writes."""
        return [*self.evidence, *((pid, span) for pid, spans in self.repeats for span in spans)]

    def add(
        self,
        candidate: Candidate,
        choice: Choice,
        vector: NDArray[np.float32] | None,
        *,
        details: dict[str, Any] | None = None,
    ) -> None:
        """Take in what was chosen for a candidate."""
        if choice.action in ("added", "review"):
            status: Status = "activated" if choice.action == "added" else "resolving"
            self._insert(candidate, choice, vector, status=status, details=details or {})
        elif choice.action == "superseded":
            self._supersede(candidate, choice, vector, details=details or {})
        elif choice.action == "updated":
            self._enrich(candidate, choice, vector, details=details or {})
        else:
            assert choice.target is not None
            self._repeat(candidate, choice, self.current(choice.target))

    def tell(self, preference: Preference, text: str, *, reason: str) -> None:
        """Add a text to the context of a row, unless it says so already."""
        current = self.current(preference)
        if text and text not in current.context:
            told = replace(
                current, context=join_texts([current.context, text]), updated_at=self.now, run_id=self.run_id
            )
            if told.context != current.context:
                self.change(current, told, "update", reason, {})

    def _repeat(self, candidate: Candidate, choice: Choice, target: Preference) -> None:
        if choice.action == "duplicate":
            self.repeats.append((target.preference_id, candidate.evidence))
            self.repeated[target.preference_id] = target
            if target.status != "superseded" and target.kind == candidate.kind == "goal" and adds_context(candidate):
                self.tell(target, candidate.context, reason="said again, with a request")
                target = self.current(target)
            if choice.reactivates:
                target = self._reactivate(candidate, target, choice.reason, {})
            elif target.status in _TAKES_METADATA and (told := with_metadata(target, candidate)) is not target:
                told = replace(told, updated_at=self.now, run_id=self.run_id)
                self.change(target, told, "update", "said again, with metadata", {})
                target = self.current(told)
        action: Action = "review" if target.status == "resolving" else choice.action
        self.outcomes.append(Outcome(action, target.preference_id, choice.reason))

    def _reactivate(
        self, candidate: Candidate, row: Preference, reason: str, details: dict[str, Any], *, context: str = ""
    ) -> Preference:
        """Make a row current that waited or was archived, as said now; return it."""
        is_over = row.expires_at is not None and row.expires_at <= self.now
        has_ended = row.valid_to is not None and row.valid_to <= self.now
        said = replace(
            with_metadata(row, candidate),
            status="activated",
            kind=candidate.kind if row.kind == "implicit" else row.kind,
            confidence=max(row.confidence, candidate.confidence),
            context=join_texts([row.context, context]),
            expires_at=candidate.expires_at if is_over else row.expires_at,
            valid_to=candidate.valid_to if has_ended else row.valid_to,
            updated_at=self.now,
            run_id=self.run_id,
        )
        self.change(row, said, "approve" if row.status == "resolving" else "restore", reason, details)
        return self.current(said)

    def _insert(
        self,
        candidate: Candidate,
        choice: Choice,
        vector: NDArray[np.float32] | None,
        *,
        status: Status,
        details: dict[str, Any],
    ) -> Preference:
        row = new_row(candidate, user_id=self.user_id, status=status, now=self.now, run_id=self.run_id)
        self.inserts[row.preference_id] = row
        self._record(None, row, "add", choice.reason, details)
        self.evidence.extend((row.preference_id, span) for span in candidate.evidence)
        if vector is not None:
            self.vectors[row.preference_id] = vector
        self.outcomes.append(Outcome(choice.action, row.preference_id, choice.reason))
        return row

    def _supersede(
        self, candidate: Candidate, choice: Choice, vector: NDArray[np.float32] | None, *, details: dict[str, Any]
    ) -> None:
        if choice.is_late:
            self._insert_into_history(candidate, choice, vector, details=details)
            return
        replaced = [self.current(preference) for preference in choice.replaced]
        before = join_texts([journey(preference, candidate.language) for preference in replaced])
        if choice.target is None:
            told = replace(candidate, context=join_texts([candidate.context, before]))
            row = self._insert(told, choice, vector, status="activated", details=details)
            self.outcomes.pop()
        else:
            known = self.current(choice.target)
            self.repeats.append((known.preference_id, candidate.evidence))
            self.repeated[known.preference_id] = known
            row = self._reactivate(candidate, known, choice.reason, details, context=before)
        since = row.valid_from if choice.target is None else candidate.valid_from or self.now
        for old in replaced:
            ended = replace(
                old,
                status="superseded",
                superseded_by=row.preference_id,
                valid_to=max(since, old.valid_from),
                updated_at=self.now,
                run_id=self.run_id,
            )
            self.change(old, ended, "supersede", choice.reason, details)
        ids = tuple(old.preference_id for old in replaced)
        self.outcomes.append(Outcome(choice.action, row.preference_id, choice.reason, ids))

    def _insert_into_history(
        self, candidate: Candidate, choice: Choice, vector: NDArray[np.float32] | None, *, details: dict[str, Any]
    ) -> None:
        assert choice.target is not None
        standing = self.current(choice.target)
        row = self._insert(candidate, choice, vector, status="superseded", details=details)
        ended = replace(row, superseded_by=standing.preference_id, valid_to=standing.valid_from)
        self.inserts[row.preference_id] = ended
        self.versions[-1] = replace(self.versions[-1], state_after=preference_as_json(ended))
        self.outcomes[-1] = Outcome("superseded", standing.preference_id, choice.reason, (row.preference_id,))

    def _enrich(
        self, candidate: Candidate, choice: Choice, vector: NDArray[np.float32] | None, *, details: dict[str, Any]
    ) -> None:
        assert choice.target is not None
        old = self.current(choice.target)
        sensitivity, is_safety = classify(candidate.statement, candidate.topic)
        richer = replace(
            with_metadata(old, candidate),
            statement=candidate.statement,
            context=join_texts([old.context, candidate.context]),
            topic=candidate.topic or old.topic,
            entities=tuple(dict.fromkeys(old.entities + candidate.entities)),
            confidence=max(old.confidence, candidate.confidence),
            importance=max(old.importance, candidate.importance),
            sensitivity=sensitivity if sensitivity != "none" else old.sensitivity,
            is_safety=old.is_safety or is_safety,
            updated_at=self.now,
            run_id=self.run_id,
        )
        self.change(old, richer, "update", choice.reason, details)
        self.repeats.append((old.preference_id, candidate.evidence))
        if vector is not None:
            self.vectors[old.preference_id] = vector
        self.outcomes.append(Outcome("updated", old.preference_id, choice.reason))

    def change(self, before: Preference, after: Preference, event: Event, reason: str, details: dict[str, Any]) -> None:
        """Put ``after`` in the place of a row as the plan knows it, with its next version."""
        preference_id = before.preference_id
        if preference_id in self.inserts:  # made in this very plan
            after = replace(after, version=before.version + 1)
            self.inserts[preference_id] = after
        else:
            self.expected.setdefault(preference_id, before.version)
            after = replace(after, version=before.version + 1)
            self.updates[preference_id] = after
        self._record(before, after, event, reason, details)

    def _record(
        self, before: Preference | None, after: Preference, event: Event, reason: str, details: dict[str, Any]
    ) -> None:
        self.versions.append(
            Version(
                user_id=self.user_id,
                version_id=new_id(),
                preference_id=after.preference_id,
                version=after.version,
                event=event,
                state_before=None if before is None else preference_as_json(before),
                state_after=preference_as_json(after),
                actor=self.actor,
                reason=reason,
                details=details,
                run_id=self.run_id,
                at=self.now,
            )
        )
