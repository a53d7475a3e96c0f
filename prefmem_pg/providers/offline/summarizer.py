"""The offline summarizer: the sentences that stand for a conversation, found in the graph of their likeness.

LexRank in its continuous form (Erkan and Radev 2004): sentences vote for what is like them, and a vote counts as much
as the voter. Likeness is the cosine of embeddings about the passage's own centre. As in topic-sensitive PageRank
(Haveliwala 2002) the walk starts anew where it matters: at what the user tells. Of the ranked sentences those are taken
that say something new (maximal marginal relevance, Carbonell and Goldstein 1998), and told in the order in which they
were said: first what the user opens with, and beside a question that is told its answer.
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
from prefmem_pg.providers.offline.summary_words import (
    BINDS,
    CLAUSE,
    FAREWELL,
    LEAD,
    LEANS,
    NAME,
    NUMBER,
    PASTED,
    SETTLED,
    SMALL_TALK,
)
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
SENTENCES_EACH: Final = 2
"""A sentence of summary for so many of the passage, within the two bounds."""
MOST_TOKENS: Final = 240
"""Length of a summary, a Chinese character counting as one token and an English word as about one and a half."""

_ROLE_WEIGHT: Final = {"user": 1.0, "other": 0.6, "assistant": 0.4}
_QUESTION_WEIGHT: Final = 0.35
_SETTLED_WEIGHT: Final = 1.8
"""What was agreed on, done or dropped is what one looks for later."""
_BINDING_WEIGHT: Final = 1.5
"""What the answer has to keep to must not be lost: an allergy, a budget."""
_LEANING_WEIGHT: Final = 0.6
"""A sentence that begins with what the one before it named says less by itself."""
_TELLING_WEIGHT: Final = 1.5
"""A sentence that names things, numbers or names tells more than one that does not."""
_FULL_LENGTH: Final = 9
"""Tokens from which on a sentence is long enough to stand alone."""

_LABEL: Final = {"zh": "助手", "en": "Assistant"}
_WORD: Final = re.compile(r"[A-Za-z0-9']+|[^\x00-\x7f]")


@dataclass(frozen=True, slots=True)
class _Sentence:
    message: Message
    text: str
    opens: bool
    """It is what the user says first in its dialog."""
    answers: int | None = None
    """The place of the user's question right before."""


@dataclass
class OfflineSummarizer:
    """Tells a passage by its own most central sentences; the same passage gives the same summary."""

    embedder: EmbeddingModel
    name: str = "offline"
    version: str = "2"

    def summarize(self, passage: Passage) -> Abstract | None:
        """Return up to eight sentences, a line each, in the order in which they were said; None for small talk alone.

        What others than the user said is led by who said it. Raises a ProviderError when the embedder does.
        """
        said = _sentences(passage.messages)
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


def _sentences(messages: Sequence[Message]) -> list[_Sentence]:
    """Return what may be told: whole sentences, without small talk, code, repetitions and fillers before them."""
    said: list[_Sentence] = []
    seen: set[str] = set()
    opened: set[str] = set()
    question: int | None = None
    for message in messages:
        if message.role not in _ROLE_WEIGHT:
            continue
        is_user = message.role == "user"
        asked, question = (None if is_user else question), None
        for text in _told(message.content[:READ_CHARACTERS]):
            if text.casefold() in seen:
                continue
            seen.add(text.casefold())
            said.append(_Sentence(message, text, is_user and message.dialog_id not in opened, asked))
            if is_user:
                opened.add(message.dialog_id)
                question = len(said) - 1 if asks(text) else question
    return said


def _told(content: str) -> Iterator[str]:
    hidden = mask(content)  # code and what was pasted are blank in it
    for span in sentences(content):
        text = " ".join(span.text.split())
        if not hidden[span.start : span.end].strip() or PASTED.search(text) or SMALL_TALK.fullmatch(text):
            continue
        lead = LEAD.match(text)
        told = text[lead.end() :] if lead else text
        if _tokens(told) > 1 and not FAREWELL.search(told):
            yield told[0].upper() + told[1:] if lead else told


def _weight(sentence: _Sentence) -> float:
    """Return how often a walk starts at a sentence, before normalising."""
    text = sentence.text
    weight = _ROLE_WEIGHT[sentence.message.role] * min(1.0, _tokens(text) / _FULL_LENGTH)
    if asks(text) and not CLAUSE.search(text):  # "…不吃辣，吃饭怎么办？" tells something as well
        weight *= _QUESTION_WEIGHT
    if SETTLED.search(text):
        weight *= _SETTLED_WEIGHT
    if BINDS.search(text):
        weight *= _BINDING_WEIGHT
    if LEANS.match(text):
        weight *= _LEANING_WEIGHT
    if any(word.is_thing for word in topic_words(text)) or NUMBER.search(text):
        weight *= _TELLING_WEIGHT
    return weight * (_TELLING_WEIGHT if NAME.search(text) else 1.0)


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
    rank = np.array([found[place] for place in range(len(prior))]) * (prior / prior.max())
    return np.asarray(rank / rank.max())


def _choose(said: Sequence[_Sentence], rank: NDArray[np.float64], likeness: NDArray[np.float64]) -> list[int]:
    """Return the places of what is told: the openings, then the best, questions with answers; at least one."""
    most = min(max(LEAST_SENTENCES, -(-len(said) // SENTENCES_EACH)), MOST_SENTENCES)
    openings = [place for place, sentence in enumerate(said) if sentence.opens][: most // 2]
    chosen: list[int] = []
    room = MOST_TOKENS
    left = list(range(len(said)))
    answered = {sentence.answers for sentence in said}
    while left and len(chosen) < most:
        worth = {i: rank[i] - NOVELTY * max((likeness[i, j] for j in chosen), default=0.0) for i in left}
        answers = [i for i in left if chosen and said[i].answers == chosen[-1]]
        # A question for which there is no room to tell its answer is not begun.
        free = left if len(chosen) + 1 < most else [i for i in left if i not in answered] or left
        best = openings.pop(0) if openings else max(answers or free, key=lambda i: (worth[i], -i))
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
