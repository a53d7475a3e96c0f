"""A stub of the Anthropic API: Messages and Message Batches."""

import itertools
import json
import math
import uuid
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Final

from prefmem_pg.testing.stub_server import Received, Reply, StubServer, json_reply, now_iso

CHARACTERS_A_TOKEN: Final = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """What the stub's model says: JSON, or text as it is; and why it stopped.

    ``becomes`` is what becomes of it in a batch: succeeded, errored, expired, canceled.
    """

    json: Any = None  # whatever the model shall answer
    text: str | None = None
    stop_reason: str | None = "end_turn"
    stop_details: dict[str, Any] | None = None
    becomes: str = "succeeded"
    error: str = "invalid_request_error"
    error_message: str = "it broke"

    def content(self) -> str:
        return self.text if self.text is not None else json.dumps(self.json, ensure_ascii=False)


class MessagesStub(StubServer):
    """Answers ``/v1/messages`` by a function of the request's body, and keeps batches until they are deleted.

    A batch ends when it is first asked about, unless ``holds_batches``. Tokens are characters divided by four; the
    fixed part counts as written to the cache when it is new and as read from it afterwards, when it asks for caching.
    """

    def __init__(
        self,
        model: Callable[[dict[str, Any]], Said | Reply],
        *,
        faults: Iterable[Reply | None] = (),
        holds_batches: bool = False,
    ) -> None:
        self.model = model
        self.holds_batches = holds_batches
        self.batches: dict[str, dict[str, Any]] = {}
        self._cached: set[str] = set()
        self._numbers = itertools.count(1)
        super().__init__(self._answer, faults=faults)

    @property
    def calls(self) -> list[dict[str, Any]]:
        """The bodies of all calls of ``/v1/messages``, in the order of their arrival."""
        return [received.body for received in self.requests if received.path.split("?")[0] == "/v1/messages"]

    def _answer(self, received: Received) -> Reply:
        path = received.path.split("?")[0].rstrip("/")
        if path == "/v1/messages":
            said = self.model(received.body)
            return said if isinstance(said, Reply) else json_reply(self.message(received.body, said), request_id="r-1")
        if path == "/v1/messages/batches":
            return self._create(received.body) if received.method == "POST" else self._list()
        batch_id, _, rest = path.removeprefix("/v1/messages/batches/").partition("/")
        batch = self.batches.get(batch_id)
        if batch is None:
            return json_reply(
                {"type": "error", "error": {"type": "not_found_error", "message": f"no batch {batch_id}"}}, status=404
            )
        if received.method == "DELETE":
            del self.batches[batch_id]
            return json_reply({"id": batch_id, "type": "message_batch_deleted"})
        if rest == "results":
            return self._results(batch)
        if not self.holds_batches and rest != "cancel":
            batch["ended_at"] = batch["ended_at"] or now_iso()
        return json_reply(self._shown(batch))

    def message(self, body: dict[str, Any], said: Said) -> dict[str, Any]:
        """Return a Message as the API shapes it."""
        text = said.content()
        content = [{"type": "text", "text": text}] if text else []
        return {
            "id": f"msg_{next(self._numbers)}",
            "type": "message",
            "role": "assistant",
            "model": body["model"],
            "content": content,
            "stop_reason": said.stop_reason,
            "stop_sequence": None,
            **({"stop_details": said.stop_details} if said.stop_details else {}),
            "usage": self._usage(body, text),
        }

    def _usage(self, body: dict[str, Any], text: str) -> dict[str, Any]:
        system = body.get("system") or []
        blocks = [{"text": system}] if isinstance(system, str) else system
        fixed = "".join(block["text"] for block in blocks)
        caches = any("cache_control" in block for block in blocks)
        is_known = fixed in self._cached
        if caches:
            self._cached.add(fixed)
        asked = json.dumps(body["messages"], ensure_ascii=False) + ("" if caches else fixed)
        return {
            "input_tokens": tokens_of(asked),
            "output_tokens": tokens_of(text),
            "cache_read_input_tokens": tokens_of(fixed) if caches and is_known else 0,
            "cache_creation_input_tokens": tokens_of(fixed) if caches and not is_known else 0,
            "service_tier": "standard",
        }

    def _create(self, body: dict[str, Any]) -> Reply:
        batch_id = f"msgbatch_{uuid.uuid4().hex}"
        batch = {"id": batch_id, "requests": body["requests"], "created_at": now_iso(), "ended_at": None}
        self.batches[batch_id] = batch
        return json_reply(self._shown(batch))

    def _list(self) -> Reply:
        newest_first = [self._shown(batch) for batch in reversed(self.batches.values())]
        ids = [shown["id"] for shown in newest_first]
        first, last = (ids[0], ids[-1]) if ids else (None, None)
        return json_reply({"data": newest_first, "has_more": False, "first_id": first, "last_id": last})

    def _shown(self, batch: dict[str, Any]) -> dict[str, Any]:
        has_ended, total = batch["ended_at"] is not None, len(batch["requests"])
        counts = {"processing": 0 if has_ended else total, "succeeded": total if has_ended else 0}
        return {
            "id": batch["id"],
            "type": "message_batch",
            "processing_status": "ended" if has_ended else "in_progress",
            "request_counts": {**counts, "errored": 0, "canceled": 0, "expired": 0},
            "created_at": batch["created_at"],
            "expires_at": batch["created_at"],
            "ended_at": batch["ended_at"],
            "archived_at": batch.get("archived_at"),
            "cancel_initiated_at": None,
            "results_url": f"{self.url}/v1/messages/batches/{batch['id']}/results" if has_ended else None,
        }

    def _results(self, batch: dict[str, Any]) -> Reply:
        lines = []
        for request in reversed(batch["requests"]):  # in another order than they were sent in
            said = self.model(request["params"])
            assert isinstance(said, Said), "in a batch the model says something"
            result: dict[str, Any] = {"type": said.becomes}
            if said.becomes == "succeeded":
                result["message"] = self.message(request["params"], said)
            elif said.becomes == "errored":
                result["error"] = {"type": "error", "error": {"type": said.error, "message": said.error_message}}
            lines.append(json.dumps({"custom_id": request["custom_id"], "result": result}, ensure_ascii=False))
        return Reply(body="\n".join(lines).encode(), headers={"content-type": "application/x-jsonl"})


def tokens_of(text: str) -> int:
    """Return how many tokens the stubs say that a text has."""
    return math.ceil(len(text) / CHARACTERS_A_TOKEN)
