"""Arguments and options that several commands share."""

import json
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Annotated, Any
from zoneinfo import ZoneInfo

import typer

from prefmem_pg.domain.preferences import KINDS, STATUSES
from prefmem_pg.errors import InvalidInput
from prefmem_pg.importers.times import parse_time


def parse_moment(text: str) -> datetime:
    """Read a time of the command line: ISO 8601; UTC where it names no zone."""
    try:
        return parse_time(text, default_zone=UTC)
    except InvalidInput as exc:
        raise typer.BadParameter(str(exc).removeprefix("occurred_at ")) from exc


def parse_zone(text: str) -> ZoneInfo:
    """Read an IANA time zone such as Europe/Vienna."""
    try:
        return ZoneInfo(text)
    # A folder of the zone database is an OSError, a path a ValueError, an unknown name a KeyError.
    except (OSError, ValueError, KeyError) as exc:
        raise typer.BadParameter(
            f"{text!r} is no time zone; use a name such as Europe/Vienna or Asia/Shanghai"
        ) from exc


def parse_filter(text: str) -> dict[str, Any]:  # Any: JSON
    """Read a filter expression; what stands in it is checked where it is used."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as exc:
        raise typer.BadParameter(f"not JSON: {exc}") from exc
    if not isinstance(value, dict):
        raise typer.BadParameter('a filter is a JSON object, such as {"topic": "food"}')
    return value


def one_of(words: Sequence[str]) -> Callable[[str], str]:
    """Return a reader that takes these words only."""

    def word(text: str) -> str:
        if text not in words:
            raise typer.BadParameter(f"{text!r} is none of {', '.join(words)}")
        return text

    return word


User = Annotated[str, typer.Argument(metavar="USER", help="The user's id, exactly as given.", show_default=False)]
PreferenceId = Annotated[str, typer.Argument(metavar="ID", help="The id of a preference.", show_default=False)]
Query = Annotated[str, typer.Argument(metavar="QUERY", help="A question or some words, in any language.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON, and nothing else, to stdout.")]
Kinds = Annotated[
    list[str] | None,
    typer.Option("--kind", metavar="KIND", parser=one_of(KINDS), help=f"Only {', '.join(KINDS)}; may be repeated."),
]
Topics = Annotated[
    list[str] | None, typer.Option("--topic", metavar="TOPIC", help="Only of this topic; may be repeated.")
]
Tags = Annotated[
    list[str] | None, typer.Option("--tag", metavar="TAG", help="Only with one of these tags; may be repeated.")
]
Statuses = Annotated[
    list[str] | None,
    typer.Option(
        "--status",
        metavar="STATUS",
        parser=one_of(STATUSES),
        help=f"Instead of activated: {', '.join(STATUSES)}; may be repeated.",
    ),
]
FilterJson = Annotated[
    Any,  # Any: the parser's result; typer wants a class here
    typer.Option(
        "--filter", metavar="JSON", parser=parse_filter, help='A filter expression, e.g. {"created_at": {"gte": "…"}}.'
    ),
]
Now = Annotated[
    datetime | None,
    typer.Option("--now", metavar="TIME", parser=parse_moment, help="Rank as at this time (ISO 8601, UTC if no zone)."),
]
Since = Annotated[
    datetime | None,
    typer.Option("--since", metavar="TIME", parser=parse_moment, help="Messages said at or after this time."),
]
Until = Annotated[
    datetime | None,
    typer.Option("--until", metavar="TIME", parser=parse_moment, help="Messages said before this time."),
]
Zone = Annotated[
    ZoneInfo | None,
    typer.Option("--time-zone", metavar="ZONE", parser=parse_zone, help="The zone of times that name none (IANA)."),
]
