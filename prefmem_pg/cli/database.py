"""Commands on the database as a whole."""

import os
import re
import shutil
import signal
import subprocess
from collections.abc import Sequence
from enum import StrEnum
from typing import Annotated

import typer

from prefmem_pg.cli.opening import local_server, open_as_it_is, open_memory, read_settings
from prefmem_pg.cli.options import AsJson
from prefmem_pg.cli.output import write_json, write_line, write_raw, write_table
from prefmem_pg.errors import ConfigurationError, InvalidInput


class DatabaseRole(StrEnum):
    """The roles that the embedded database can be entered as."""

    owner = "owner"
    app = "app"
    analyst = "analyst"
    analyst_text = "analyst_text"
    pipeline = "pipeline"


Role = Annotated[
    DatabaseRole | None,
    typer.Option("--role", help="Whom to connect as; only for the embedded database.", show_default="owner"),
]


def upgrade(as_json: AsJson = False) -> None:
    """Bring the database to this version: roles, tables, views, functions. Running it again changes nothing.

    Needs the owner of the schema (never a superuser). The embedded database upgrades itself.
    """
    with open_as_it_is(read_settings()) as memory:
        report = memory.upgrade()
    if as_json:
        write_json(report)
        return
    if report.before == report.after:
        write_line(f"the schema is at {report.after}, as it was")
    else:
        write_line(f"the schema went from {report.before or 'nothing'} to {report.after}")
    for name in report.objects:
        write_line(f"made anew: {name}")


def stats(as_json: AsJson = False) -> None:
    """Count what is stored and what waits."""
    with open_memory() as memory:
        counts = memory.stats()
    if as_json:
        write_json(counts)
    else:
        write_table(("what", "count"), [(name.replace("_", " "), value) for name, value in counts.items()])


def url(role: Role = None) -> None:
    """Print the URL of the database, which psql and other programs accept.

    The embedded server then stays up until five minutes after the last connection.

    Example: psql "$(prefmem url --role analyst)"
    """
    write_raw(_url(role))


def psql(
    arguments: Annotated[
        list[str] | None, typer.Argument(metavar="ARGUMENT", help="What psql itself takes, after --.")
    ] = None,
    role: Role = None,
) -> None:
    """Open psql on the database.

    Example: prefmem psql --role analyst_text -- -c "SELECT * FROM prefmem.active_preferences LIMIT 5"
    """
    settings = read_settings()
    if settings.database_url is None:
        with open_memory(), local_server(settings) as server:
            address = server.url((role or DatabaseRole.owner).value)
            code = _run_psql(str(server.binaries / "psql"), address, arguments or ())
    else:
        code = _run_psql(shutil.which("psql") or "", _url(role), arguments or ())
    raise typer.Exit(code)


def _run_psql(program: str, address: str, arguments: Sequence[str]) -> int:
    """Run psql beside this process, which keeps the embedded server up for as long and no longer."""
    if not program:
        raise ConfigurationError("psql is not on the PATH; install PostgreSQL's client, or use: prefmem url")
    address, password = without_password(address)
    environment = os.environ if password is None else {**os.environ, "PGPASSWORD": password}
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is psql's, to stop a query
    try:
        return subprocess.run([program, address, *arguments], env=environment, check=False).returncode  # noqa: S603
    finally:
        signal.signal(signal.SIGINT, before)


def roles(
    sql: Annotated[bool, typer.Option("--sql", help="Print the SQL that makes them, for a DBA to run.")] = False,
    owner: Annotated[
        str, typer.Option("--owner", help="The role that will own the schema, for --sql.")
    ] = "prefmem_owner",
    as_json: AsJson = False,
) -> None:
    """Show the roles that the schema names, and whether they can be taken on; or print the SQL that makes them.

    Example: prefmem roles --sql | psql -U postgres
    """
    if sql:
        from prefmem_pg.db.roles import roles_sql

        if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_$-]*", owner):
            raise InvalidInput(f"{owner!r} is no name for a role; use letters, digits and _")
        write_raw(roles_sql(owner).rstrip("\n"))
        return
    from prefmem_pg.db.health import examine

    with open_as_it_is(read_settings()) as memory:
        health = examine(memory.database.engine)
    if as_json:
        write_json({"role": health.role, "roles": health.roles})
    else:
        write_table(("role", f"for {health.role}"), health.roles.items())


def without_password(address: str) -> tuple[str, str | None]:
    """Return an address that other users may see in the list of processes, and the password that was in it."""
    from psycopg.conninfo import make_conninfo

    from prefmem_pg.db.engine import connection_arguments

    arguments = dict(connection_arguments(address))
    password = arguments.pop("password", None)
    if password is None:
        return address, None
    del arguments["fallback_application_name"], arguments["connect_timeout"]
    return make_conninfo(**arguments), password


def _url(role: DatabaseRole | None) -> str:
    settings = read_settings()
    if settings.database_url is not None:
        if role is not None:
            raise ConfigurationError(
                "--role is for the embedded database; PREFMEM_DATABASE_URL says itself whom to connect as, "
                f"and there SET ROLE prefmem_{role} does the same"
            )
        # SQLAlchemy's way to name a driver is not libpq's.
        return re.sub(r"^postgres(ql)?\+[a-z0-9_]+://", "postgresql://", settings.database_url.strip())
    from prefmem_pg.db.local import hold_local

    with open_memory(), local_server(settings) as server:
        hold_local(settings.home)
        return server.url((role or DatabaseRole.owner).value)
