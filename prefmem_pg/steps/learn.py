"""What searches teach, off their way: the use of what was found and the mean of questions, kept and written later."""

import atexit
import logging
import os
import threading
import time
import weakref
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from itertools import groupby
from operator import attrgetter
from typing import Final
from uuid import UUID

import numpy as np

from prefmem_pg.db.embeddings import Scope
from prefmem_pg.db.session import Database
from prefmem_pg.errors import PrefmemError
from prefmem_pg.steps.retrieve import Question

log = logging.getLogger(__name__)

FLUSH_SECONDS: Final = 1.0
"""The next search writes what has waited for so long."""
FLUSH_LESSONS: Final = 100
"""So many are written at once, however young."""
MOST_LESSONS: Final = 10_000
"""More than that are not kept while the database cannot be written: the oldest go first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lesson:
    """One search: its question, and which preferences it found (of messages none: nobody counts their use).

    ``asked_at`` is the real time, ``at`` what the caller calls now.
    """

    user_id: str
    scope: Scope
    question: Question
    preference_ids: Sequence[UUID]
    model_id: int
    at: datetime
    asked_at: datetime


class Lessons:
    """Lessons of one process that wait to be written. Thread-safe; a forked child begins with none.

    They are written by a search that comes a second later or when a hundred wait, by ``flush``, and at a normal exit.
    A killed process, or a memory that is let go without being closed, loses what waited: counts of use and a running
    mean, never anything that a user said.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._lock = threading.Lock()
        self._waiting: list[Lesson] = []
        self._since = 0.0
        _ALIVE.add(self)
        _watch_the_process()

    def add(self, lesson: Lesson) -> None:
        """Keep a lesson, and write what is due."""
        with self._lock:
            if not self._waiting:
                self._since = time.monotonic()
            self._waiting.append(lesson)
            is_due = len(self._waiting) % FLUSH_LESSONS == 0 or time.monotonic() - self._since >= FLUSH_SECONDS
        if is_due:
            self.flush()

    def flush(self) -> None:
        """Write what waits. What cannot be written now is kept and logged: it is no reason to fail a search."""
        with self._lock:
            taken, self._waiting = self._waiting, []
        failed: list[Lesson] = []
        by_user = attrgetter("user_id")
        for user_id, of_user in groupby(sorted(taken, key=by_user), key=by_user):
            lessons = list(of_user)
            try:
                _write(self._database, user_id, lessons)
            except PrefmemError as exc:
                failed += lessons
                log.warning("the use of preferences is not counted yet", extra={"reason": str(exc)})
                if exc.retryable:
                    failed += [lesson for lesson in taken if lesson.user_id > user_id]
                    break
        if failed:
            with self._lock:
                self._waiting = (failed + self._waiting)[-MOST_LESSONS:]
                self._since = time.monotonic()

    def begin_anew(self) -> None:
        """Forget what waits, in a forked child: it is the parent's, and so is the thread that may hold the lock."""
        self._lock = threading.Lock()
        self._waiting = []


_ALIVE: Final[weakref.WeakSet[Lessons]] = weakref.WeakSet()


def _write(database: Database, user_id: str, lessons: Sequence[Lesson]) -> None:
    """Write a user's lessons in one transaction; nothing for one who is unknown, or was erased since the question."""
    with database.transaction(user_id=user_id) as repositories:
        known_since = repositories.preferences.hold_user(user_id)
        # One who was erased and came back is another: what the first asked is forgotten.
        lessons = [lesson for lesson in lessons if known_since is not None and known_since <= lesson.asked_at]
        if not lessons:
            return
        uses = Counter(preference_id for lesson in lessons for preference_id in lesson.preference_ids)
        repositories.history.count_use(user_id, uses, at=max(lesson.at for lesson in lessons))
        # Counts are locked in one order by all who lock several (user_stats by scope, language and model): a search in
        # each of two languages would else wait for a writer who waits for it.
        by_count = attrgetter("scope", "question.language", "model_id")
        for (scope, language, model_id), of_count in groupby(sorted(lessons, key=by_count), key=by_count):
            asked = list(of_count)
            repositories.embeddings.learn_questions(
                user_id,
                np.stack([lesson.question.raw for lesson in asked]),
                asked[-1].question.shipped_mean,
                language=language,
                scope=scope,
                model_id=model_id,
                at=max(lesson.at for lesson in asked),
            )


def _flush_all() -> None:
    for lessons in list(_ALIVE):
        lessons.flush()


def _begin_anew_all() -> None:
    for lessons in list(_ALIVE):
        lessons.begin_anew()


@cache
def _watch_the_process() -> None:
    atexit.register(_flush_all)
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=_begin_anew_all)
