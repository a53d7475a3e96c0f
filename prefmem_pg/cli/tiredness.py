"""What the doctor says of a server that works and could work better: settings, dead rows, plans, models, replicas."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from prefmem_pg.cli.checks import Check

if TYPE_CHECKING:
    from prefmem_pg.db.embedding_models import ModelRow
    from prefmem_pg.db.health import Replica
    from prefmem_pg.db.plan_check import PlanCheck
    from prefmem_pg.db.server_settings import Hindrance
    from prefmem_pg.memory import PreferenceMemory

BEHIND_SECONDS: Final = 10.0
"""A replica that is so far behind answers from what has been."""


def examine_upkeep(memory: "PreferenceMemory") -> Iterator[Check]:
    """Look at settings, dead rows and plans, and for a model that is on its way in or out; changes nothing."""
    from prefmem_pg.db.overview import list_users_with_most
    from prefmem_pg.db.plan_check import check_plans, is_large
    from prefmem_pg.db.server_settings import find_harmful_settings, find_tired_tables

    with memory.database.transaction(user_id=None) as repositories:
        harmful = find_harmful_settings(repositories.session)
        tired = list(find_tired_tables(repositories.session))
        models = repositories.embeddings.list_live_models()
        most = list_users_with_most(repositories.session, limit=1)
    yield from check_hindrances("settings of the server", harmful, well="none that hurts")
    yield from check_hindrances("dead rows", tired, well="vacuum keeps up")
    yield from check_models(models)
    if most:
        user_id = most[0][0]
        active = next(model for model in models if model.state == "active")
        with memory.database.transaction(user_id=user_id) as repositories:
            large = is_large(repositories.session, user_id=user_id, model_id=active.model_id)
            plans = check_plans(
                repositories.session,
                user_id=user_id,
                model_id=active.model_id,
                dimensions=active.dimensions,
                is_large=large,
            )
        yield check_ways(plans)


def check_hindrances(name: str, found: "Sequence[Hindrance]", *, well: str) -> Iterator[Check]:
    """Name what hurts: not wrong, since answers stay right, but somebody should know."""
    if not found:
        yield Check(name, "ok", well)
    for one in found:
        yield Check(name, "note", f"{one.name} {one.found}", one.advice)


def check_models(models: "Sequence[ModelRow]") -> Iterator[Check]:
    """Say that a second model is kept up to date, which costs a vector more with every write."""
    for model in models:
        if model.state == "building":
            name = f"{model.provider}/{model.name} with {model.dimensions} dimensions is kept beside the active one"
            yield Check("further model", "note", name, "go on with prefmem reembed, or let it go: --retire")


def check_ways(plans: "Sequence[PlanCheck]") -> Check:
    """Say whether the planner goes by the indexes that searches are made for."""
    told = [plan for plan in plans if plan.taken is not None]
    astray = [plan for plan in told if not plan.is_well]
    if astray:
        found = "; ".join(f"{plan.way} goes by {plan.taken}, not {plan.index}" for plan in astray)
        return Check(
            "plans", "wrong", found, "VACUUM ANALYZE the schema's tables, then prefmem doctor; or prefmem reindex"
        )
    if not told:
        return Check("plans", "ok", "too few rows to tell, or to matter")
    return Check("plans", "ok", f"{len(told)} ways of the largest user go by their indexes")


def check_replica(replica: "Replica") -> Check:
    if replica.behind_seconds is None:
        return Check("replica", "note", "PREFMEM_READ_URL is no replica", "fine, when it is meant")
    is_near = replica.behind_seconds <= BEHIND_SECONDS
    told = f"{replica.behind_seconds:.1f} seconds behind"
    return Check(
        "replica", "ok" if is_near else "note", told, "" if is_near else "see pg_stat_replication on the primary"
    )
