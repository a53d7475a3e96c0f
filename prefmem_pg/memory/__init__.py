"""PreferenceMemory: the front door, put together from its parts, a file a part."""

from prefmem_pg.memory.audience import Audience
from prefmem_pg.memory.batches import BatchedExtraction
from prefmem_pg.memory.chat import Chat
from prefmem_pg.memory.gate import Gating
from prefmem_pg.memory.jobs import Jobs
from prefmem_pg.memory.landing import Landing
from prefmem_pg.memory.lifecycle import Lifecycle
from prefmem_pg.memory.messages import Messages
from prefmem_pg.memory.models import Models
from prefmem_pg.memory.preferences import Filter, Preferences
from prefmem_pg.memory.privacy import Privacy
from prefmem_pg.memory.profile import Profiles
from prefmem_pg.memory.spending import SpendingPart
from prefmem_pg.memory.summaries import Summaries
from prefmem_pg.memory.tending import Tending
from prefmem_pg.memory.transfer import Transfer
from prefmem_pg.memory.upkeep import Upkeep

__all__ = ["Filter", "PreferenceMemory"]


class PreferenceMemory(
    Messages,
    BatchedExtraction,
    Preferences,
    Lifecycle,
    Profiles,
    Gating,
    Tending,
    Privacy,
    Chat,
    Audience,
    Summaries,
    SpendingPart,
    Transfer,
    Upkeep,
    Models,
    Jobs,
    Landing,
):
    """The long-term memory of what users prefer. Open it by ``local``, ``connect``, ``from_engine`` or ``from_env``.

    Thread-safe, and safe to share with forked processes. Nothing is opened before the first call. Close it, or use it
    in a ``with``. All times are aware; naive ones are refused.
    """
