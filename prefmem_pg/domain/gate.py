"""The gate's answer: is a message or a dialog worth remembering, and why."""

from dataclasses import dataclass
from typing import Literal

GateKind = Literal["explicit", "implicit", "fact", "goal", "experience", "summary"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Gate:
    """``kind`` is what would be kept: a preference of that kind, or a summary of the dialog; None: nothing."""

    remember: bool
    reason: str
    kind: GateKind | None = None
