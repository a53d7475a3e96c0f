"""Everything that speaks SQL; knows nothing of models. The repositories are public, for a host's own transaction."""

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from prefmem_pg.db.embeddings import EmbeddingRepository as EmbeddingRepository
    from prefmem_pg.db.host import repositories_in as repositories_in
    from prefmem_pg.db.messages import MessageRepository as MessageRepository
    from prefmem_pg.db.preferences import PreferenceRepository as PreferenceRepository

_HOMES: Final = {
    "EmbeddingRepository": "embeddings",
    "MessageRepository": "messages",
    "PreferenceRepository": "preferences",
    "repositories_in": "host",
}


def __getattr__(name: str) -> Any:  # Any: whichever public name is asked for
    """Import a public name when it is first used: the embedded server's keeper needs no driver."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
