"""``prefmem doctor --after-restore``: whether everything has arrived, agrees with itself and is found."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from prefmem_pg.cli.checks import Check
from prefmem_pg.errors import PrefmemError

if TYPE_CHECKING:
    from prefmem_pg.evaluation.probe import Sample
    from prefmem_pg.memory import PreferenceMemory

LEAST_OVERLAP: Final = 0.9
"""What of the right answers the index of a large user has to find, over all samples: it is approximate."""

_ADVICE: Final = {
    "users whose counts are off": "prefmem reindex --counts",
    "users whose vectors are only in part in the index": "restore again; the dump was not read to its end",
}
_RESTORE_AGAIN: Final = "restore again with: pg_restore --exit-on-error"


def examine_restored(memory: "PreferenceMemory") -> Iterator[Check]:
    """Check the constraints, what is kept twice, and the answers to sampled searches; changes nothing."""
    from prefmem_pg.db.consistency import count_contradictions
    from prefmem_pg.db.reindex import find_missing_constraints
    from prefmem_pg.evaluation.probe import sample_searches

    yield check_constraints(find_missing_constraints(memory.database.engine))
    with memory.database.transaction(user_id=None) as repositories:
        counts = count_contradictions(repositories.session)
    yield from check_contradictions(counts)
    try:
        yield check_samples(sample_searches(memory))
    except PrefmemError as exc:
        yield Check("sampled searches", "wrong", str(exc))


def check_constraints(missing: Sequence[str]) -> Check:
    if not missing:
        return Check("constraints", "ok", "all are there")
    return Check("constraints", "wrong", f"missing: {', '.join(missing)}", _RESTORE_AGAIN)


def check_contradictions(counts: Mapping[str, int]) -> Iterator[Check]:
    """Judge how many rows contradict what they were made from."""
    for name, count in counts.items():
        advice = _ADVICE.get(name, _RESTORE_AGAIN)
        yield Check(name, "wrong" if count else "ok", f"{count:,}", advice if count else "")


def check_samples(samples: "Sequence[Sample]") -> Check:
    """Say whether stored statements are found by themselves, and the usual way finds what comparing all finds."""
    from prefmem_pg.evaluation.probe import index_recall

    if not samples:
        return Check("sampled searches", "note", "there is nothing to search for")
    lost = sum(sample.preference_id not in sample.exact[:1] for sample in samples)
    overlap = index_recall(samples)
    is_well = lost == 0 and overlap >= LEAST_OVERLAP
    told = f"{len(samples):,} searched, {lost:,} not found by their own words, the indexes find {overlap:.1%}"
    return Check("sampled searches", "ok" if is_well else "wrong", told, "" if is_well else "prefmem reindex --all")
