"""Finds the requests of the user that may belong to a goal: "我想去北京" … "北京有什么小吃？"."""

import re
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from prefmem_pg.domain.preferences import EvidenceSpan
from prefmem_pg.providers.offline.mask import mask
from prefmem_pg.providers.offline.questions import asks
from prefmem_pg.providers.offline.sentences import sentences
from prefmem_pg.providers.protocols import Chunk

MAX_REQUEST_CHARACTERS: Final = 200
_REQUESTS: Final = re.compile(
    r"推荐|介绍|帮我|给我|求|请问|\b(?:recommend|suggest|tell me|find me|show me|give me|help me|look for)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class FollowUp:
    """A question or request of the user, word for word."""

    text: str
    evidence: EvidenceSpan
    at: datetime

    def names(self, entity: str) -> bool:
        """Say whether the request names a thing: as a whole word where it is written in letters."""
        edge = r"\b" if entity.isascii() else ""
        return bool(re.search(edge + re.escape(entity) + edge, self.text, re.IGNORECASE))


def is_request(text: str) -> bool:
    """Say whether a text asks for something, as a question or as a request."""
    return asks(text) or bool(_REQUESTS.search(text))


def find_follow_ups(chunk: Chunk) -> list[FollowUp]:
    """Return the questions and requests of the chunk's new user messages, in order."""
    found = []
    for message in chunk.messages[chunk.first_new :]:
        if message.role != "user":
            continue
        for span in sentences(mask(message.content[:2_000])):
            if len(span.text) > MAX_REQUEST_CHARACTERS or not is_request(span.text):
                continue
            quote = message.content[span.start : span.end]
            evidence = EvidenceSpan(message_id=message.message_id, start=span.start, end=span.end, quote=quote)
            found.append(FollowUp(text=" ".join(quote.split()), evidence=evidence, at=message.occurred_at))
    return found
