"""Says which messages may hold a preference, so that a paid model reads only those."""

import re
from collections.abc import Sequence
from typing import Final

from prefmem_pg.domain.messages import Message
from prefmem_pg.providers.offline.extractor import MAX_READ, OfflineExtractor
from prefmem_pg.providers.offline.mask import mask
from prefmem_pg.providers.offline.questions import asks
from prefmem_pg.providers.offline.sentences import sentences
from prefmem_pg.providers.protocols import Chunk

_SPEAKS_OF_SELF: Final = re.compile(
    r"\b(?:I|I'm|I've|I'd|Im|me|my|mine|we|our|us|always|never|only|please|no|not|don't|every|without|instead|rather"
    r"|over|better|best|worst|first|usual|fan|person|forever|prefer\w*)\b|[我俺咱]|以后|别|不|只|都|最|请|就|爱|喜欢|宁",
    re.IGNORECASE,
)


class PreferencePrefilter:
    """Keeps every message that may hold a preference and drops most that hold none; offline, the same each time."""

    def __init__(self) -> None:
        self._extractor = OfflineExtractor()

    def keeps(self, messages: Sequence[Message], language: str | None = None) -> list[bool]:
        """Say for each message, in order, whether it may hold a preference; False for all that the user did not say.

        ``messages`` are of one dialog, in order of time: an answer of a few words is read beside its question.
        ``language`` is that of the user's turns; None tells it from each message. Never raises on any text.
        """
        if not messages:
            return []
        chunk = Chunk(
            user_id=messages[0].user_id,
            dialog_id=messages[0].dialog_id,
            messages=tuple(messages),
            language=language or "en",
        )
        found = {span.message_id for candidate in self._extractor.extract(chunk) for span in candidate.evidence}
        return [
            message.role == "user" and (message.message_id in found or _may_hold(message.content[:MAX_READ]))
            for message in messages
        ]


def _may_hold(content: str) -> bool:
    return any(_SPEAKS_OF_SELF.search(span.text) and not asks(span.text) for span in sentences(mask(content)))
