"""Many small preferences -> fewer, clearer ones; repeated behaviour -> implicit ones; and the profile, user by user."""

import logging
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Final

from prefmem_pg.db.session import Database
from prefmem_pg.domain.reports import ConsolidationReport, ProfilesReport
from prefmem_pg.errors import ProviderError, described
from prefmem_pg.providers.offline.choices import MAX_CHARACTERS
from prefmem_pg.providers.offline.options import MAX_READ
from prefmem_pg.steps.behaviour import MAX_REQUEST_CHARACTERS, WORDS, find_habits
from prefmem_pg.steps.choice_habits import find_choice_habits
from prefmem_pg.steps.consolidate_by_model import ConsolidatingModel, consolidate_by_model
from prefmem_pg.steps.decide import Decider
from prefmem_pg.steps.deduplicate import deduplicate_user
from prefmem_pg.steps.profile import refresh
from prefmem_pg.steps.propose_habits import propose_habits
from prefmem_pg.steps.retire import list_users

log = logging.getLogger(__name__)

MAX_REQUESTS: Final = 5_000
"""How many of a user's short requests about answers are looked at, the oldest first."""

MAX_ANSWERS: Final = 2_000
"""How many of a user's short answers are looked at for choices, the newest."""


def consolidate(
    decider: Decider,
    *,
    user_id: str | None,
    model: ConsolidatingModel | None = None,
    on_user: Callable[[ConsolidationReport], None] | None = None,
) -> ConsolidationReport:
    """Merge what says the same, propose what the user does again and again, and refresh the profile; return the counts.

    ``model`` adds what rules do not see. Running it again changes nothing, and asks nothing that was answered. A user
    for whom a model fails is reported and tried again by the next run; what rules found for them is kept.
    """
    total = ConsolidationReport()
    for user in list_users(decider.database, user_id, with_preferences=False):
        try:
            report = _consolidate_user(decider, user, model)
        except ProviderError as exc:
            log.warning("the judge failed", extra={"error": type(exc).__name__})
            report = ConsolidationReport(users=1, failed=1, errors={user: described(exc)})
        total = total.plus(report)
        if on_user is not None:
            on_user(report)
    return total


def refresh_profiles(
    database: Database, *, user_id: str | None, on_user: Callable[[ProfilesReport], None] | None = None
) -> ProfilesReport:
    """Bring the inferred settings of users in step with their preferences; return the counts. Idempotent."""
    total = ProfilesReport()
    for user in list_users(database, user_id, with_preferences=False):
        report = ProfilesReport(users=1, changed=_refresh_profile(database, user))
        total = total.plus(report)
        if on_user is not None:
            on_user(report)
    return total


def _consolidate_user(decider: Decider, user_id: str, model: ConsolidatingModel | None) -> ConsolidationReport:
    pairs = deduplicate_user(decider, user_id)
    implicit = _propose_habits(decider, user_id)
    changed = _refresh_profile(decider.database, user_id)
    report = ConsolidationReport(
        users=1, merged=pairs.merged, superseded=pairs.superseded, implicit=implicit, profile=changed
    )
    return report if model is None else report.plus(consolidate_by_model(decider, model, user_id))


def _propose_habits(decider: Decider, user_id: str) -> int:
    with decider.database.transaction(user_id=user_id) as repositories:
        said = repositories.upkeep.list_said(user_id, WORDS, longest=MAX_REQUEST_CHARACTERS, limit=MAX_REQUESTS)
        entries = repositories.profiles.list_entries(user_id)
        answers = repositories.upkeep.list_answers(
            user_id, longest=MAX_CHARACTERS, longest_offer=MAX_READ, limit=MAX_ANSWERS
        )
        habits = find_habits(said, {entry.key for entry in entries if entry.layer == "explicit"})
        habits += find_choice_habits(answers)
    return propose_habits(decider, user_id, habits)


def _refresh_profile(database: Database, user_id: str) -> int:
    with database.transaction(user_id=user_id) as repositories:
        if not repositories.preferences.user_is_known(user_id):
            return 0
        repositories.preferences.lock_user(user_id)
        return refresh(repositories, user_id, at=datetime.now(UTC))
