"""Says which messages may hold a preference, so that a paid model reads only those."""

import re
from collections.abc import Sequence
from typing import Final

from prefmem_pg.domain.messages import Message
from prefmem_pg.providers.offline.extractor import MAX_READ, OfflineExtractor
from prefmem_pg.providers.offline.mask import mask
from prefmem_pg.providers.offline.model_reading import AROUND_CHARACTERS, MOST_LOOKS, ModelReader, told_part
from prefmem_pg.providers.offline.questions import asks
from prefmem_pg.providers.offline.reject import refuses_message
from prefmem_pg.providers.offline.sentences import sentences
from prefmem_pg.providers.protocols import Chunk, EmbeddingModel

_ANSWER_CHARACTERS: Final = 60
_SAYS_LITTLE: Final = re.compile(
    r"\W*(?:(?:yes|yeah|yep|no|nope|ok|okay|sure|thanks|thank you|great|good|fine|perfect|done|right|got it|hi|hello"
    r"|haha|lol|sounds good|go ahead|please"
    r"|好的?|行|可以|嗯+|对|是的?|不用?|谢谢|没有|哈+|明白|知道)(?:了|啦|呀)?\W*)+",
    re.IGNORECASE,
)


class PreferencePrefilter:
    """Keeps the messages that may hold a preference and drops most that hold none; offline, the same each time.

    What it loses is measured: see the pre-filter's figures in docs/evaluation.md.
    """

    def __init__(self, *, embedder: EmbeddingModel | None = None) -> None:
        """``embedder``: the local one. Without it more is kept, since cues alone are no ground to drop a statement."""
        self._extractor = OfflineExtractor(embedder=embedder)
        self._reader = ModelReader(embedder)

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
            message.role == "user"
            and (message.message_id in found or self._may_hold(message, messages[place - 1] if place else None))
            for place, message in enumerate(messages)
        ]

    def _may_hold(self, message: Message, before: Message | None) -> bool:
        masked = mask(message.content[:MAX_READ])
        if refuses_message(masked):
            return False
        if before and before.role == "assistant" and _answers(masked, before.content):
            return True
        spans = [span for span in sentences(masked) if not _SAYS_LITTLE.fullmatch(span.text)]
        told = [part.text for part in map(told_part, spans[:MOST_LOOKS]) if part]
        if len(masked) <= AROUND_CHARACTERS:  # its question may be a wish, and what it tells may need its neighbour
            told.append(masked.strip())
        is_asking = any(asks(span.text) for span in spans)
        return bool(spans) and any(
            self._reader.may_hold(text, leads_to_question=is_asking) for text in dict.fromkeys(told)
        )


def _answers(text: str, question: str) -> bool:
    """Say whether a few words answer a question that was put to the user, so that they say more than they show."""
    told = text.strip()
    is_short = 0 < len(told) <= _ANSWER_CHARACTERS and not asks(told) and not _SAYS_LITTLE.fullmatch(told)
    return is_short and question.rstrip().endswith(("?", "？"))
