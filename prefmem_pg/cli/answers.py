"""Answers of sampled searches in a file, to be compared with those of a restored database: ids, order and scores."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from prefmem_pg.cli.checks import Check
from prefmem_pg.errors import InvalidInput, NotFound

if TYPE_CHECKING:
    from prefmem_pg.memory import PreferenceMemory

USERS: Final = 20
EACH: Final = 10
LIMIT: Final = 10
_FORMAT: Final = "prefmem_pg answers 1"
# Nothing ages between two searches of the same sample.
_NOW: Final = datetime(2100, 1, 1, tzinfo=UTC)

Answer = list[list[Any]]
"""(id, score) of each hit, as JSON has it."""


def write_answers(memory: "PreferenceMemory", path: Path) -> int:
    """Ask for stored statements of the users with most preferences, 200 at most; return how many.

    The file holds ids and scores and no word. Nothing is learnt from the searches.
    """
    from prefmem_pg.db.consistency import sample_statements
    from prefmem_pg.db.overview import list_users_with_most

    with memory.database.transaction(user_id=None) as repositories:
        user_ids = [user_id for user_id, _ in list_users_with_most(repositories.session, limit=USERS)]
        chosen = sample_statements(repositories.session, user_ids=user_ids, each=EACH)
    answers = [
        {"user_id": user_id, "preference_id": preference_id, "hits": _ask(memory, user_id, statement)}
        for user_id, preference_id, statement in chosen
    ]
    path.write_text(json.dumps({"format": _FORMAT, "answers": answers}, ensure_ascii=False), encoding="utf-8")
    return len(answers)


def compare_answers(memory: "PreferenceMemory", path: Path) -> Check:
    """Ask the same of this database; wrong unless every id, its place and its score are the same."""
    asked = 0
    different: list[str] = []
    for answer in _read(path):
        asked += 1
        user_id, preference_id = answer["user_id"], answer["preference_id"]
        try:
            statement = memory.get(user_id, preference_id).statement or ""
        except NotFound:
            different.append(preference_id)
            continue
        if _ask(memory, user_id, statement) != answer["hits"]:
            different.append(preference_id)
    if different:
        told = f"{len(different):,} of {asked:,} differ, such as the one for the statement of {different[0]}"
        return Check(
            "answers", "wrong", told, "restore again with: pg_restore --exit-on-error; then prefmem reindex --all"
        )
    return Check("answers", "ok", f"{asked:,} searches give the same ids, order and scores as before")


def _ask(memory: "PreferenceMemory", user_id: str, statement: str) -> Answer:
    hits = memory.search(user_id, statement, limit=LIMIT, min_score=0, exact=True, now=_NOW, learn=False)
    return [[str(hit.preference.preference_id), hit.score] for hit in hits]


def _read(path: Path) -> Iterator[dict[str, Any]]:
    try:
        given = json.loads(path.read_text(encoding="utf-8"))
        if given["format"] != _FORMAT:
            raise InvalidInput(f"{path.name} holds no answers of this version; write it anew with --write-answers")
        yield from given["answers"]
    except (OSError, ValueError, KeyError, TypeError) as exc:
        if isinstance(exc, InvalidInput):
            raise
        raise InvalidInput(f"{path.name} cannot be read as answers: {exc}") from exc
