"""Commands that write down and find the preferences of a user."""

import json
from typing import Annotated

import typer

from prefmem_pg.cli.opening import open_memory
from prefmem_pg.cli.options import (
    AsJson,
    FilterJson,
    Kinds,
    Now,
    PreferenceId,
    Query,
    Statuses,
    Tags,
    Topics,
    User,
)
from prefmem_pg.cli.output import warn, write_json, write_line, write_raw, write_table
from prefmem_pg.cli.records import (
    HIT_COLUMNS,
    PREFERENCE_COLUMNS,
    explanation_line,
    hit_record,
    hit_row,
    preference_record,
    preference_row,
    recall_record,
)
from prefmem_pg.cli.summaries import print_summaries
from prefmem_pg.domain.filters import SearchFilter
from prefmem_pg.domain.preferences import Kind
from prefmem_pg.domain.search import SearchHit


def remember(
    user: User,
    statement: Annotated[str, typer.Argument(metavar="STATEMENT", help="One sentence about the user.")],
    kind: Annotated[Kind, typer.Option("--kind", help="What sort of statement it is.")] = "explicit",
    topic: Annotated[str | None, typer.Option("--topic", help="What it is about.")] = None,
    tag: Annotated[list[str] | None, typer.Option("--tag", help="A tag; may be repeated.")] = None,
    as_json: AsJson = False,
) -> None:
    """Decide one statement about a user and store it.

    Example: prefmem remember ana "I prefer window seats" --topic travel
    """
    # What is not given is left out, so that it can be found in the statement.
    fields = {"topic": topic, "tags": tag}
    with open_memory() as memory:
        given = {name: value for name, value in fields.items() if value}
        decision = memory.remember(user, statement, kind=kind, **given)
    if as_json:
        write_json(
            {
                "action": decision.action,
                "reason": decision.reason,
                "preference": decision.preference and preference_record(decision.preference),
                "superseded": [preference_record(old) for old in decision.superseded],
            }
        )
        return
    write_line(f"{decision.action}: {decision.reason}")
    if decision.preference is not None:
        write_table(PREFERENCE_COLUMNS, [preference_row(decision.preference)])


def search(
    user: User,
    query: Query,
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, max=1000, help="How many at most.")] = 10,
    min_score: Annotated[
        float | None,
        typer.Option(
            "--min-score", min=0.0, max=1.0, help="The least score, from 0 to 1 (else PREFMEM_SEARCH_THRESHOLD, 0)."
        ),
    ] = None,
    kind: Kinds = None,
    topic: Topics = None,
    tag: Tags = None,
    filter: FilterJson = None,
    explain: Annotated[bool, typer.Option("--explain", help="Say how each score came about.")] = False,
    rerank: Annotated[
        bool, typer.Option("--rerank", help="Let the reranker, if there is one, have the last word.")
    ] = False,
    summaries: Annotated[
        bool, typer.Option("--summaries", help="Find summaries of dialogs and days instead; only --limit counts.")
    ] = False,
    diversity: Annotated[
        float, typer.Option("--diversity", min=0.0, max=1.0, help="How much each hit should be unlike those before it.")
    ] = 0.0,
    learn: Annotated[bool, typer.Option(help="Count the use and learn from the question.")] = True,
    now: Now = None,
    as_json: AsJson = False,
) -> None:
    """Find the preferences of a user that answer a question, best first.

    Example: prefmem search ana "where should she sit?" --limit 3 --explain
    """
    if summaries:
        print_summaries(user, query, limit=limit, now=now, as_json=as_json)
        return
    with open_memory() as memory:
        hits = memory.search(
            user,
            query,
            filter=SearchFilter(kinds=kind, topics=topic, tags=tag, where=filter),
            limit=limit,
            min_score=min_score,
            rerank=rerank,
            diversity=diversity,
            now=now,
            learn=learn,
        )
    _print_hits(user, hits, explain=explain, as_json=as_json)


def _print_hits(user: str, hits: list[SearchHit], *, explain: bool, as_json: bool) -> None:
    if as_json:
        write_json([hit_record(hit) for hit in hits])
    elif not hits:
        warn(f"nothing found for user {user}")
    else:
        write_table(HIT_COLUMNS, [hit_row(hit) for hit in hits])
        if hits[0].note:
            warn(hits[0].note)
        if explain:
            for place, hit in enumerate(hits, start=1):
                write_line(f"{place}. {explanation_line(hit)}")


def recall(
    user: User,
    query: Query,
    max_tokens: Annotated[int, typer.Option("--max-tokens", min=1, help="How long the text may be.")] = 800,
    session: Annotated[
        str | None, typer.Option("--session", metavar="SESSION", help="The sitting that the message belongs to.")
    ] = None,
    proactive: Annotated[
        bool, typer.Option("--proactive", help="Also raise what was not asked for and must be heard.")
    ] = False,
    summaries: Annotated[int, typer.Option("--summaries", min=0, help="How many summaries of dialogs at most.")] = 0,
    now: Now = None,
    as_json: AsJson = False,
) -> None:
    """Print the text to put into a prompt before answering a user.

    Example: prefmem recall ana "Plan a dinner for Saturday" --max-tokens 300 --proactive
    """
    with open_memory() as memory:
        found = memory.recall(
            user,
            query,
            session_id=session,
            max_tokens=max_tokens,
            proactive=proactive,
            summaries=summaries,
            now=now,
        )
    if as_json:
        write_json(recall_record(found))
    elif found.text:
        write_raw(found.text)
    else:
        warn(f"nothing to recall for user {user}")


def list_preferences(
    user: User,
    status: Statuses = None,
    kind: Kinds = None,
    topic: Topics = None,
    tag: Tags = None,
    filter: FilterJson = None,
    page_size: Annotated[int, typer.Option("--page-size", help="How many at most.")] = 50,
    after: Annotated[str | None, typer.Option("--after", metavar="KEY", help="Go on after the page before.")] = None,
    as_json: AsJson = False,
) -> None:
    """List the preferences of a user, newest first; only activated ones unless a status is asked for.

    Example: prefmem list ana --status activated --status archived --json
    """
    with open_memory() as memory:
        page = memory.list_preferences(
            user,
            filter=SearchFilter(statuses=status, kinds=kind, topics=topic, tags=tag, where=filter),
            page_size=page_size,
            after=after,
        )
    if as_json:
        write_json([preference_record(item) for item in page.items])
    elif page.items:
        write_table(PREFERENCE_COLUMNS, [preference_row(item) for item in page.items])
    if not as_json or page.after is not None:
        warn(f"{len(page.items)} of {page.total} preferences of user {user}")
    if page.after is not None:
        warn(f"the next page: --after {page.after}")


def history(user: User, preference_id: PreferenceId, as_json: AsJson = False) -> None:
    """Show every change of a preference, oldest first.

    Example: prefmem history ana 019a0c2e-…
    """
    with open_memory() as memory:
        versions = memory.history(user, preference_id)
    if as_json:
        write_json(versions)
        return
    write_table(
        ("at", "version", "event", "statement", "status", "actor", "reason"),
        [
            (
                version.at,
                version.version,
                version.event,
                (version.state_after or {}).get("statement"),
                (version.state_after or {}).get("status"),
                version.actor,
                version.reason,
            )
            for version in versions
        ],
    )


def profile(user: User, as_json: AsJson = False) -> None:
    """Show the settings of a user, each with the layer that won and why.

    Example: prefmem profile ana --json
    """
    with open_memory() as memory:
        found = memory.profile(user)
    if as_json:
        write_json(found)
    elif found.values:
        rows = [
            (value.key, json.dumps(value.value, ensure_ascii=False), value.layer, value.reason)
            for value in found.values
        ]
        write_table(("setting", "value", "layer", "reason"), rows)
    else:
        warn(f"user {user} has no profile")
