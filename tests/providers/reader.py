"""A stub model that reads like an honest one: what begins with "I like" or 我喜欢 is a preference, word by word."""

import itertools
import random
import re
import threading
from collections import Counter
from collections.abc import Callable
from typing import Any

from prefmem_pg.testing import Reply, Said, dropped, html_page, overloaded, rate_limited, server_error
from tests.providers.talk import found, item

_MESSAGE = re.compile(r'<message n="(\d+)" speaker="user"[^>]*>(.*?)</message>', re.DOTALL)
_LIKING = re.compile(r"I like [^.!。]+|我喜欢[^.!。]+")


def shown_to(body: dict[str, Any]) -> list[tuple[int, str]]:
    """Return (number, text) of the user's new messages in a request."""
    text = body["messages"][0]["content"]
    return [(int(number), said) for number, said in _MESSAGE.findall(text[text.find("<new>") :])]


def read(body: dict[str, Any]) -> Said:
    """Answer extraction by what is said, and judging by "different"."""
    if "preferences" not in body["output_config"]["format"]["schema"]["required"]:
        count = body["messages"][0]["content"].count("<pair ")
        verdict = {"relation": "different", "reason": "不同", "certainty": "high"}
        return Said(json={"verdicts": [{**verdict, "id": n} for n in range(1, count + 1)]} if count else verdict)
    return Said(
        json=found(*(item(number, quote.strip()) for number, said in shown_to(body) for quote in _LIKING.findall(said)))
    )


class Faulty:
    """The reader, with a share of faults at random places, each kind in its turn.

    Counts successful readings by what they read. ``hang_seconds`` is how long the silent one says nothing, to hang up
    then: longer than the client waits, it is a timeout.
    """

    def __init__(self, share: float, *, seed: int = 7, hang_seconds: float = 0.5) -> None:
        self.share = share
        self.readings: Counter[tuple[str, ...]] = Counter()
        self.faults: Counter[str] = Counter()
        self._random = random.Random(seed)
        self._lock = threading.Lock()
        self._kinds: dict[str, Callable[[], Reply | Said]] = {
            "429": lambda: rate_limited(0.01),
            "invalid": lambda: Said(text="Here you are: {preferences}"),
            "529": overloaded,
            "hang": lambda: dropped(hang_seconds),
            "dropped": dropped,
            "html": html_page,
            "500": server_error,
            "cut": lambda: Said(text='{"preferences": [{"message": 1, "quo', stop_reason="max_tokens"),
        }
        self._next = itertools.cycle(self._kinds)

    def __call__(self, body: dict[str, Any]) -> Said | Reply:
        with self._lock:
            if self._random.random() < self.share:
                kind = next(self._next)
                self.faults[kind] += 1
                return self._kinds[kind]()
            self.readings[tuple(text for _, text in shown_to(body))] += 1
        return read(body)
