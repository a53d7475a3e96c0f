"""The offline summarizer: the sentences that stand for a conversation, found in the graph of their likeness.

LexRank in its continuous form (Erkan and Radev 2004): sentences vote for what is like them, and a vote counts as much
as the voter. Likeness is the cosine of embeddings about the passage's own centre. As in topic-sensitive PageRank
(Haveliwala 2002) the walk starts anew where it matters: at what the user tells. Of the ranked sentences those are taken
that say something new (maximal marginal relevance, Carbonell and Goldstein 1998), and told in the order in which they
were said.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from prefmem_pg.domain.messages import Message
from prefmem_pg.domain.text import detect_language
from prefmem_pg.providers.offline.mask import mask
from prefmem_pg.providers.offline.questions import asks
from prefmem_pg.providers.offline.sentences import sentences
from prefmem_pg.providers.offline.topics import topic_words
from prefmem_pg.providers.protocols import Abstract, EmbeddingModel, Passage

DAMPING: Final = 0.85
"""How often a walk goes on to a likely neighbour; PageRank's usual value."""
NOVELTY: Final = 0.4
"""What likeness to a sentence that is told already takes from the next one's rank, both on 0..1."""
MOST_READ: Final = 300
"""Sentences of a passage that are ranked: the graph grows with their square (300: about .1 s)."""
READ_CHARACTERS: Final = 4_000
"""What is read of one message: more than that is a document that was pasted."""
LEAST_SENTENCES: Final = 3
MOST_SENTENCES: Final = 8
SENTENCES_EACH: Final = 10
"""A sentence of summary for so many of the passage, within the two bounds."""
MOST_TOKENS: Final = 240
"""Length of a summary, a Chinese character counting as one token and an English word as about one and a half."""

_ROLE_WEIGHT: Final = {"user": 1.0, "other": 0.6, "assistant": 0.4}
_QUESTION_WEIGHT: Final = 0.5
_FIRST_WEIGHT: Final = 1.5
"""What the user opens with usually says what it is about."""
_TELLING_WEIGHT: Final = 1.5
"""A sentence that names things, numbers or names tells more than one that does not."""
_FULL_LENGTH: Final = 12
"""Tokens from which on a sentence is long enough to stand alone."""

_SMALL_TALK: Final = re.compile(
    r"\W*(?:(?:hi|hello|hey|thanks?|thank you|thx|cheers|ok(?:ay)?|sure|great|perfect|awesome|cool|nice|yes|yeah|yep|no"
    r"|nope|bye|good (?:morning|night|evening|afternoon)|see you|got it|sounds good|you'?re welcome|no problem"
    r"|of course|certainly|absolutely|noted|lol|haha+|so much|very much|again|then|a lot|there|later|tomorrow|for now"
    r"|will do|right|exactly|happy to help|glad to help|anytime|my pleasure|welcome)\b[\s,.!~]*)+\W*"
    r"|\W*(?:(?:你好|您好|嗨|谢谢|多谢|谢了|感谢|好的?|行|可以|嗯|哦|哈|对|是的?|没事|没问题|不客气|再见|拜拜|晚安"
    r"|早安?|早上好|晚上好|明白|知道|收到|了解|当然|太好|太棒|辛苦|不用谢|好嘞|好呀|好啊|客气|您|你|了|啦|呀|啊|吧|的"
    r"|哟)"
    r"[\s，。！,.!~～]*)+\W*",
    re.IGNORECASE,
)
_PASTED: Final = re.compile(r"Traceback|\w(?:Error|Exception)\b|^\s*(?:at|File) .*\bline \d|^https?://\S+$")
_NUMBER: Final = re.compile(r"\d|[一二两三四五六七八九十]+[点个天周月号年块元岁]")
_NAME: Final = re.compile(r"(?<=[a-z,] )[A-Z][a-z]+|《[^》]+》")
_LABEL: Final = {"zh": "助手", "en": "Assistant"}
_WORD: Final = re.compile(r"[A-Za-z0-9']+|[^\x00-\x7f]")


@dataclass(frozen=True, slots=True)
class _Sentence:
    message: Message
    text: str
    is_first: bool


@dataclass
class OfflineSummarizer:
    """Tells a passage by its own most central sentences; the same passage gives the same summary."""

    embedder: EmbeddingModel
    name: str = "offline"
    version: str = "1"

    def summarize(self, passage: Passage) -> Abstract | None:
        """Return up to eight sentences, a line each, in the order in which they were said; None for small talk alone.

        What others than the user said is led by who said it. Raises a ProviderError when the embedder does.
        """
        said = list(_sentences(passage.messages))
        if not said:
            return None
        prior = np.array([_weight(sentence) for sentence in said])
        if len(said) > MOST_READ:
            kept = sorted(np.argsort(-prior, kind="stable")[:MOST_READ].tolist())
            said, prior = [said[i] for i in kept], prior[kept]
        likeness = _likeness(self.embedder.embed_documents([sentence.text for sentence in said]))
        chosen = _choose(said, _rank(likeness, prior), likeness)
        told = [said[place] for place in sorted(chosen)]
        return Abstract(
            text="\n".join(_line(sentence, passage.language) for sentence in told),
            message_ids=tuple(dict.fromkeys(sentence.message.message_id for sentence in told)),
        )


def _sentences(messages: Sequence[Message]) -> Iterator[_Sentence]:
    """Yield what may be told: whole sentences, without small talk, code and repetitions."""
    seen: set[str] = set()
    is_first = True
    for message in messages:
        if message.role not in _ROLE_WEIGHT:
            continue
        content = message.content[:READ_CHARACTERS]
        hidden = mask(content)  # code and what was pasted are blank in it
        for span in sentences(content):
            text = " ".join(span.text.split())
            told = hidden[span.start : span.end].strip()
            if (
                not told
                or _PASTED.search(text)
                or _SMALL_TALK.fullmatch(text)
                or _tokens(text) < 2
                or text.casefold() in seen
            ):
                continue
            seen.add(text.casefold())
            opens = is_first and message.role == "user"
            is_first = is_first and not opens
            yield _Sentence(message, text, opens)


def _weight(sentence: _Sentence) -> float:
    """Return how often a walk starts at a sentence, before normalising."""
    weight = _ROLE_WEIGHT[sentence.message.role] * min(1.0, _tokens(sentence.text) / _FULL_LENGTH)
    if asks(sentence.text):
        weight *= _QUESTION_WEIGHT
    if sentence.is_first:
        weight *= _FIRST_WEIGHT
    if any(word.is_thing for word in topic_words(sentence.text)) or _NUMBER.search(sentence.text):
        weight *= _TELLING_WEIGHT
    return weight * (_TELLING_WEIGHT if _NAME.search(sentence.text) else 1.0)


def _likeness(vectors: NDArray[np.float32]) -> NDArray[np.float64]:
    """Return the likeness of each pair in 0..1, 0 on the diagonal: cosines about the centre of the passage."""
    centred = vectors - vectors.mean(axis=0)
    centred /= np.maximum(np.linalg.norm(centred, axis=1, keepdims=True), 1e-6)
    likeness: NDArray[np.float64] = np.clip(centred.astype(np.float64) @ centred.T.astype(np.float64), 0.0, 1.0)
    np.fill_diagonal(likeness, 0.0)
    return likeness


def _rank(likeness: NDArray[np.float64], prior: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the rank of each sentence in 0..1, the best having 1."""
    import rustworkx  # when it is first used: only summaries need it

    graph = rustworkx.PyDiGraph.from_adjacency_matrix(likeness)
    start = dict(enumerate((prior / prior.sum()).tolist()))
    found = rustworkx.pagerank(graph, alpha=DAMPING, weight_fn=float, personalization=start, dangling=start)
    # A vote for a sentence that says little is a vote for its subject: the words themselves still have to tell it.
    rank = np.array([found[place] for place in range(len(prior))]) * np.sqrt(prior / prior.max())
    return np.asarray(rank / rank.max())


def _choose(said: Sequence[_Sentence], rank: NDArray[np.float64], likeness: NDArray[np.float64]) -> list[int]:
    """Return the places of the sentences that are told, the best first; at least one."""
    most = min(max(LEAST_SENTENCES, -(-len(said) // SENTENCES_EACH)), MOST_SENTENCES)
    chosen: list[int] = []
    room = MOST_TOKENS
    left = list(range(len(said)))
    while left and len(chosen) < most:
        worth = {i: rank[i] - NOVELTY * max((likeness[i, j] for j in chosen), default=0.0) for i in left}
        best = max(left, key=lambda i: (worth[i], -i))
        left.remove(best)
        cost = _tokens(said[best].text)
        if chosen and cost > room:
            continue
        chosen.append(best)
        room -= cost
    return chosen


def _line(sentence: _Sentence, language: str) -> str:
    message = sentence.message
    if message.role == "user":
        return sentence.text
    mark = "：" if detect_language(sentence.text) == "zh" else ": "
    return f"{message.author or _LABEL.get(language, _LABEL['en'])}{mark}{sentence.text}"


def _tokens(text: str) -> int:
    """Return about how many tokens a text has: one for a Chinese character, one and a half for an English word."""
    return sum(2 if word[0].isascii() and len(word) > 6 else 1 for word in _WORD.findall(text))
