"""The seam at which every call to a provider is recorded, paid for, held back or replayed."""

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar
from uuid import UUID

from prefmem_pg.errors import ConfigurationError, PrefmemError
from prefmem_pg.providers.protocols import Usage
from prefmem_pg.providers.serving import served

T = TypeVar("T")
JSON = Any  # whatever a provider takes and gives


@dataclass(frozen=True, slots=True)
class Share:
    """The part of a call that serves one user: what is asked for them. ``tokens`` is an upper bound of its input.

    ``message_ids`` and ``preference_ids`` name what is stored of the user and shown.
    """

    user_id: str | None
    request: Mapping[str, JSON]
    tokens: int
    message_ids: tuple[UUID, ...] = ()
    preference_ids: tuple[UUID, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedCall:
    """A call that is about to be made, in its shares; ``most_output_tokens`` is an upper bound for all of it.

    ``items`` names the lists in a request and in its response that go together item by item, if there are such: then
    an item's answer may be replayed from any call that held it.
    """

    purpose: str
    provider: str
    model: str
    shares: tuple[Share, ...]
    most_output_tokens: int = 0
    prompt_version: str | None = None
    is_batch: bool = False
    items: tuple[str, str] | None = None

    def request_hash(self, share: Share) -> bytes:
        """Return the 32 bytes by which a stored answer is found again: SHA-256 of provider, model and request."""
        body = {"provider": self.provider, "model": self.model, "request": share.request}
        return hashlib.sha256(json.dumps(body, sort_keys=True, ensure_ascii=False).encode()).digest()


def only_share(request: Mapping[str, JSON], tokens: int) -> Share:
    """Return the share of a call that is all for the user who is served here."""
    whom = served()
    return Share(whom.owners(1)[0], request, tokens, whom.message_ids, whom.preference_ids)


@dataclass(frozen=True, slots=True)
class Made(Generic[T]):
    """A call that was answered. ``responses`` are what a replay needs, for each share; ``outcome`` ok, truncated …"""

    value: T
    usage: Usage
    responses: Sequence[JSON]
    outcome: str = "ok"


def unusable(error: PrefmemError, usage: Usage, planned: PlannedCall) -> "Made[T | PrefmemError]":
    """Return a call whose answer is of no use and has to be paid all the same; ``usable`` raises its error."""
    outcome = "misconfigured" if isinstance(error, ConfigurationError) else "invalid"
    return Made(error, usage, [None] * len(planned.shares), outcome)


def usable(value: T | PrefmemError) -> T:
    """Return what a call has brought; raises when that is why it is of no use."""
    if isinstance(value, PrefmemError):
        raise value
    return value


class Meter(Protocol):
    """Stands before every attempt."""

    def run(self, planned: PlannedCall, attempt: Callable[[], Made[T]], replay: Callable[[Sequence[JSON]], T]) -> T:
        """Make the attempt and return its value, or give the stored responses to ``replay``.

        Raises BudgetExceeded or NotRecorded when the attempt is not made, ConfigurationError when a price is missing
        that a budget needs, and whatever the attempt raises. Must not be called while a transaction is open.
        """
        ...


class Unmetered:
    """A Meter that only makes the attempt: for models used without a database."""

    def run(self, planned: PlannedCall, attempt: Callable[[], Made[T]], replay: Callable[[Sequence[JSON]], T]) -> T:
        return attempt().value


def split_tokens(total: int, weights: Sequence[int]) -> list[int]:
    """Return whole parts of a total by weight, which add up to it exactly."""
    whole = sum(weights)
    if whole <= 0:
        weights, whole = [1] * len(weights), len(weights)
    parts, given, reached = [], 0, 0
    for weight in weights:
        reached += weight
        up_to = total * reached // whole
        parts.append(up_to - given)
        given = up_to
    return parts
