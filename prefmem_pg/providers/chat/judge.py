"""The judge over any chat model: one pair by a short prompt, several by one that sees them together."""

import logging
from collections.abc import Sequence
from dataclasses import replace
from typing import Final, cast, get_args

from prefmem_pg.domain.preferences import Relation, Verdict
from prefmem_pg.errors import Truncated
from prefmem_pg.prompts import load, version_of
from prefmem_pg.providers.chat.asking import ask
from prefmem_pg.providers.chat.fencing import fence
from prefmem_pg.providers.chat.schemas import JUDGE_FAST, JUDGE_FINE
from prefmem_pg.providers.chat.shapes import Fields, choice, level, number, objects, text
from prefmem_pg.providers.protocols import ChatModel, ChatRequest, Comparison, Statement
from prefmem_pg.providers.retry import RetryPolicy

log = logging.getLogger(__name__)

MOST_PAIRS: Final = 20
"""Pairs in one question: more than a candidate ever has neighbours in doubt."""
MAX_TOKENS_A_PAIR: Final = 200
MORE_ROOM: Final = 4
"""How many times the room a verdict on one pair gets when the first one was cut."""

_RELATIONS: Final[tuple[str, ...]] = get_args(Relation)


class ChatJudge:
    """Asks a chat model how statements stand to each other. Thread-safe.

    A relation that is none of ours counts as unsure; ids that the model makes up are left aside, and pairs that it
    passes over are unsure. What was cut, or names none of the pairs, is asked again about fewer pairs, and about one
    pair with more room, once. Raises Truncated when that is cut, too.
    """

    version: str = "1"
    calls_provider: Final = True

    def __init__(self, chat: ChatModel, *, policy: RetryPolicy | None = None) -> None:
        self.chat = chat
        self.name = chat.provider
        self.prompt_version = version_of("judge_fast", "judge_fine")
        self._policy = policy

    def compare(self, comparisons: Sequence[Comparison]) -> Sequence[Verdict]:
        """Return one verdict for each comparison, in their order; see Judge."""
        verdicts: list[Verdict] = []
        for first in range(0, len(comparisons), MOST_PAIRS):
            verdicts += self._judge(comparisons[first : first + MOST_PAIRS])
        return [as_allowed(verdict, pair) for verdict, pair in zip(verdicts, comparisons, strict=True)]

    def _judge(self, pairs: Sequence[Comparison]) -> list[Verdict]:
        if len(pairs) == 1:
            return [_as_verdict(self._ask_of_one(pairs[0]))]
        try:
            verdicts = _by_id(ask(self.chat, self._request("judge_fine", pairs), policy=self._policy), len(pairs))
        except Truncated:
            verdicts = []
        if verdicts:
            return verdicts
        middle = len(pairs) // 2
        return self._judge(pairs[:middle]) + self._judge(pairs[middle:])

    def _ask_of_one(self, pair: Comparison) -> Fields:
        request = self._request("judge_fast", [pair])
        try:
            return ask(self.chat, request, policy=self._policy)
        except Truncated:
            roomier = replace(request, max_tokens=MORE_ROOM * request.max_tokens)
            return ask(self.chat, roomier, policy=self._policy)

    def _request(self, name: str, pairs: Sequence[Comparison]) -> ChatRequest:
        language = pairs[0].candidate.language
        is_fast = name == "judge_fast"
        shown = [_pair(pair) if is_fast else f'<pair id="{i}">\n{_pair(pair)}\n</pair>' for i, pair in _numbered(pairs)]
        return ChatRequest(
            purpose="judge",
            system=load(name, language).text,
            text="\n".join(shown),
            schema=JUDGE_FAST if is_fast else JUDGE_FINE,
            schema_name="verdict" if is_fast else "verdicts",
            max_tokens=MAX_TOKENS_A_PAIR * len(pairs) + MAX_TOKENS_A_PAIR,
            prompt_version=self.prompt_version,
            language=language,
        )


def as_allowed(verdict: Verdict, pair: Comparison) -> Verdict:
    """Return the verdict; for and against one thing are never the same, whatever a model says."""
    poles = {pair.candidate.polarity, pair.existing.polarity}
    if verdict.relation in ("same", "richer") and poles == {"positive", "negative"}:
        return Verdict(relation="unsure", reason="one is for it and one against", certainty=verdict.certainty)
    return verdict


def _numbered(pairs: Sequence[Comparison]) -> list[tuple[int, Comparison]]:
    return list(enumerate(pairs, 1))


def _pair(pair: Comparison) -> str:
    return f"{_statement('candidate', pair.candidate)}\n{_statement('existing', pair.existing)}"


def _statement(tag: str, statement: Statement) -> str:
    return fence(tag, statement.text, kind=statement.kind, polarity=statement.polarity)


def _as_verdict(fields: Fields) -> Verdict:
    relation = choice(fields, "relation", _RELATIONS, "")
    if not relation:
        log.warning("the judge named a relation that is none")
        relation = "unsure"
    reason = text(fields, "reason")[:300] or "the model gave no reason"
    return Verdict(relation=cast(Relation, relation), reason=reason, certainty=level(fields, "certainty"))


def _by_id(answer: Fields, count: int) -> list[Verdict]:
    """Return a verdict for each of so many pairs, or none at all when the answer names no pair that was asked of."""
    known: dict[int, Verdict] = {}
    invented = 0
    for fields in objects(answer, "verdicts"):
        place = number(fields, "id")
        if place is None or not 1 <= place <= count:
            invented += 1
        else:
            known.setdefault(place, _as_verdict(fields))
    if invented:
        log.warning("the judge named pairs that do not exist", extra={"invented": invented})
    if not known:
        return []
    passed_over = Verdict(relation="unsure", reason="the model passed it over", certainty=0.0)
    return [known.get(place, passed_over) for place in range(1, count + 1)]
