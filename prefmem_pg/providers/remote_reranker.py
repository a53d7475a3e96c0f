"""A reranker behind a service: cut documents, retries and the ledger around its requests."""

from collections.abc import Sequence

from prefmem_pg.domain.text import clean_text
from prefmem_pg.domain.tokens import count_tokens
from prefmem_pg.errors import InvalidAnswer, PrefmemError
from prefmem_pg.providers.metering import JSON, Made, Meter, PlannedCall, Unmetered, only_share, unusable, usable
from prefmem_pg.providers.pieces import split_text
from prefmem_pg.providers.retry import RetryPolicy, with_retries
from prefmem_pg.providers.services import RerankService


class RemoteReranker:
    """A RerankModel over a service. A search waits for it, so the default policy tries twice and within seconds."""

    def __init__(
        self, service: RerankService, *, meter: Meter | None = None, policy: RetryPolicy | None = None
    ) -> None:
        self.name = service.name
        self.provider = service.provider
        self._service = service
        self._meter = meter or Unmetered()
        self._policy = policy or RetryPolicy(retries=1, longest_wait_seconds=2.0, budget_seconds=10.0)

    def rerank(self, query: str, documents: Sequence[str]) -> list[float]:
        """Return one relevance in 0..1 for each document, in their order; blank documents have 0.

        Raises a ProviderError or ConfigurationError.
        """
        longest = self._service.sizes.text_tokens // 2
        asked = split_text(clean_text(query).strip() or " ", longest)[0]
        shown = {
            place: split_text(clean_text(document), longest)[0]
            for place, document in enumerate(documents)
            if document.strip()
        }
        if not shown:
            return [0.0] * len(documents)
        scores = with_retries(lambda: self._attempt(asked, list(shown.values())), self._policy, also=(InvalidAnswer,))
        found = dict(zip(shown, scores, strict=True))
        return [found.get(place, 0.0) for place in range(len(documents))]

    def _attempt(self, query: str, documents: Sequence[str]) -> tuple[float, ...]:
        tokens = sum(map(count_tokens, documents)) + len(documents) * (count_tokens(query) + 8)
        share = only_share(self._service.request(query, documents), tokens)
        planned = PlannedCall(purpose="rerank", provider=self.provider, model=self.name, shares=(share,))

        def attempt() -> Made[tuple[float, ...] | PrefmemError]:
            answer = self._service.ask(query, documents)
            if isinstance(answer.scores, PrefmemError):
                return unusable(answer.scores, answer.usage, planned)
            return Made(answer.scores, answer.usage, [{"scores": list(answer.scores)}])

        def replay(responses: Sequence[JSON]) -> tuple[float, ...] | PrefmemError:
            [response] = responses
            return tuple(map(float, response["scores"]))

        return usable(self._meter.run(planned, attempt, replay))
