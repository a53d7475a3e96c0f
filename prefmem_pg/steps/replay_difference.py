"""Recorded dialogs, read again: what would a new prompt or model change? Nothing is decided."""

from collections.abc import Iterator, Sequence

from prefmem_pg.db.recordings import RecordedRun
from prefmem_pg.db.runs import UnreadDialog
from prefmem_pg.db.session import Database
from prefmem_pg.domain.preferences import Candidate
from prefmem_pg.domain.spending import ReplayDifference
from prefmem_pg.domain.text import fold
from prefmem_pg.errors import CallWithheld, ConfigurationError, InvalidInput, ProviderError, Truncated
from prefmem_pg.providers.metered_chat import answer_from_json
from prefmem_pg.providers.protocols import Chunk, PreferenceExtractor
from prefmem_pg.providers.serving import serving
from prefmem_pg.steps.chunks import as_chunk, cut_chunks
from prefmem_pg.steps.estimate import AsksAModel
from prefmem_pg.steps.ground import ground
from prefmem_pg.steps.reading import halve
from prefmem_pg.steps.spending import joining, tally


def replay_differences(
    database: Database, extractor: PreferenceExtractor, *, user_id: str | None, limit: int
) -> Iterator[ReplayDifference]:
    """Yield, for the last recorded runs of extraction, what was found then and what is found now.

    Then: the recorded answers, read and checked as they are today. Now: the extractor as it is, which is asked in
    live and in record mode, and in replay mode only finds what was recorded with this very prompt. Raises InvalidInput
    for an extractor that asks no model, BudgetExceeded or ConfigurationError when it may not be asked.
    """
    if not isinstance(extractor, AsksAModel):
        raise InvalidInput("the extractor asks no model, so there is nothing to replay; see PREFMEM_EXTRACTOR")
    with database.transaction(user_id=user_id) as repositories:
        runs = repositories.recordings.list_runs(user_id=user_id, limit=limit)
    spent = tally()  # all of it is one run
    for run in runs:
        with joining(spent):
            found = list(_differences(database, extractor, run))
        yield from found


def _differences(database: Database, extractor: AsksAModel, run: RecordedRun) -> Iterator[ReplayDifference]:
    with database.transaction(user_id=run.user_id) as repositories:
        messages = repositories.messages.list_dialog(run.user_id, run.dialog_id)
        read = frozenset(repositories.recordings.list_read(run.user_id, run.run_id))
        answers = repositories.recordings.list_answers(run.user_id, run.run_id)
    dialog = UnreadDialog(run.user_id, run.dialog_id, len(read), run.time_zone)
    for chunk in (as_chunk(dialog, *cut) for cut in cut_chunks(messages, read)):
        before = [found for answer in answers for found in _read_again(extractor, chunk, answer)]
        try:
            with serving(run.user_id):
                now, error = _read_now(extractor, chunk), None
        except (CallWithheld, ConfigurationError) as exc:
            if isinstance(exc, ConfigurationError) or exc.retryable:
                raise
            now, error = [], str(exc)
        except ProviderError as exc:
            now, error = [], str(exc)
        yield difference(run, before, now, prompt_now=getattr(extractor, "prompt_version", None), error=error)


def _read_again(extractor: AsksAModel, chunk: Chunk, answer: object) -> list[Candidate]:
    try:
        found = extractor.read(chunk, answer_from_json(answer))
    except (ProviderError, KeyError, TypeError):  # an answer that was no use then, or is none of today's shape
        return []
    return ground(found, chunk, by_model=True)[0]


def _read_now(extractor: AsksAModel, chunk: Chunk) -> list[Candidate]:
    assert isinstance(extractor, PreferenceExtractor)
    try:
        found = extractor.extract(chunk)
    except Truncated:
        halves = halve(chunk)
        if not halves:
            raise
        return [one for half in halves for one in _read_now(extractor, half)]
    return ground(found, chunk, by_model=True)[0]


def difference(
    run: RecordedRun,
    before: Sequence[Candidate],
    now: Sequence[Candidate],
    *,
    prompt_now: str | None,
    error: str | None = None,
) -> ReplayDifference:
    """Return what differs: the same statement is kept, another one from overlapping words of the user is reworded."""
    known = {fold(one.statement) for one in before}
    found = {fold(one.statement) for one in now}
    gone = [one for one in before if fold(one.statement) not in found]
    new = [one for one in now if fold(one.statement) not in known]
    reworded = []
    for one in list(new):
        other = next((old for old in gone if _share_words(old, one)), None)
        if other is not None:
            reworded.append((other.statement, one.statement))
            gone.remove(other)
            new.remove(one)
    return ReplayDifference(
        user_id=run.user_id,
        dialog_id=run.dialog_id,
        run_id=str(run.run_id),
        prompt_before=run.prompt_version,
        prompt_now=prompt_now,
        kept=tuple(one.statement for one in now if fold(one.statement) in known),
        reworded=tuple(reworded),
        added=tuple(one.statement for one in new),
        removed=() if error else tuple(one.statement for one in gone),
        error=error,
    )


def _share_words(one: Candidate, other: Candidate) -> bool:
    return any(
        a.message_id == b.message_id and a.start < b.end and b.start < a.end
        for a in one.evidence
        for b in other.evidence
    )
