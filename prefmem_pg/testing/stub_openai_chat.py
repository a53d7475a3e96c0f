"""A stub of OpenAI's chat completions, as vLLM and Ollama speak them too."""

import itertools
import json
from collections.abc import Callable, Iterable
from typing import Any, Final

from prefmem_pg.testing.stub_messages import Said, tokens_of
from prefmem_pg.testing.stub_server import Received, Reply, StubServer, json_reply

_FINISH: Final = {"end_turn": "stop", "max_tokens": "length", "refusal": "content_filter"}


class OpenAIChatStub(StubServer):
    """Answers ``…/chat/completions`` by a function of the request's body."""

    def __init__(self, model: Callable[[dict[str, Any]], Said | Reply], *, faults: Iterable[Reply | None] = ()) -> None:
        self.model = model
        self._numbers = itertools.count(1)
        super().__init__(self._answer, faults=faults)

    @property
    def calls(self) -> list[dict[str, Any]]:
        """The bodies of all calls, in the order of their arrival."""
        return [received.body for received in self.requests]

    def _answer(self, received: Received) -> Reply:
        if not received.path.endswith("/chat/completions"):
            return json_reply({"error": {"message": "not found", "type": "invalid_request_error"}}, status=404)
        said = self.model(received.body)
        if isinstance(said, Reply):
            return said
        text = said.content()
        asked = json.dumps(received.body["messages"], ensure_ascii=False)
        usage = {"prompt_tokens": tokens_of(asked), "completion_tokens": tokens_of(text)}
        return json_reply(
            {
                "id": f"chatcmpl-{next(self._numbers)}",
                "object": "chat.completion",
                "model": received.body["model"],
                "choices": [
                    {
                        "index": 0,
                        "message": {"role": "assistant", "content": text or None},
                        "finish_reason": _FINISH.get(said.stop_reason or "", said.stop_reason),
                    }
                ],
                "usage": {**usage, "total_tokens": sum(usage.values())},
            }
        )
