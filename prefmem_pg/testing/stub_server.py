"""A real HTTP server on loopback that answers by a function, with scripted faults first and a log of what it was asked.

The providers' true clients talk to it, so that what is tested is what will run.
"""

import json
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Final, Self

_POLL_SECONDS: Final = 0.01


@dataclass(frozen=True, slots=True, kw_only=True)
class Received:
    """A request as it arrived. ``headers`` have lower-case names; ``body`` is its JSON, None when it had none."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: Any  # the JSON of whoever asked


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What to send back. ``drops`` closes the connection without a word, after ``delay_seconds``."""

    status: int = 200
    body: bytes = b"{}"
    headers: Mapping[str, str] = field(default_factory=dict)
    delay_seconds: float = 0.0
    drops: bool = False


def json_reply(body: object, *, status: int = 200, **headers: str) -> Reply:
    """Return a reply of JSON; underscores in the names of headers stand for hyphens."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    content = {"content-type": "application/json", **named}
    return Reply(status=status, body=json.dumps(body, ensure_ascii=False).encode(), headers=content)


def rate_limited(retry_after: float | None = None) -> Reply:
    """Return a 429, with the seconds after which to come back."""
    reply = json_reply(_error("rate_limit_error", "too many requests"), status=429)
    return reply if retry_after is None else replace(reply, headers={**reply.headers, "retry-after": str(retry_after)})


def overloaded() -> Reply:
    return json_reply(_error("overloaded_error", "overloaded"), status=529)


def server_error(status: int = 500) -> Reply:
    return json_reply(_error("api_error", "something broke"), status=status)


def html_page(status: int = 200) -> Reply:
    """Return a page for people where JSON is expected, as proxies send."""
    page = b"<html><body><h1>Please sign in</h1></body></html>"
    return Reply(status=status, body=page, headers={"content-type": "text/html"})


def dropped(after_seconds: float = 0.0) -> Reply:
    """Return what closes the connection instead of answering."""
    return Reply(drops=True, delay_seconds=after_seconds)


def slow(reply: Reply, seconds: float) -> Reply:
    return replace(reply, delay_seconds=seconds)


def _error(kind: str, message: str) -> dict[str, Any]:  # Any: JSON
    return {"type": "error", "error": {"type": kind, "message": message}, "request_id": "req_stub"}


class StubServer:
    """Answers by ``answer``; while ``faults`` lasts, its replies come first (None lets a request through).

    ``requests`` is the log. Use it in a ``with``; ``url`` is its address.
    """

    def __init__(self, answer: Callable[[Received], Reply], *, faults: Iterable[Reply | None] = ()) -> None:
        self.answer = answer
        self.faults: deque[Reply | None] = deque(faults)
        self.requests: list[Received] = []
        self._lock = threading.Lock()
        self._closing = threading.Event()
        self._server = _Server(("127.0.0.1", 0), _handler_of(self))
        self._thread = threading.Thread(target=self._server.serve_forever, args=(_POLL_SECONDS,), daemon=True)
        self._thread.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def close(self) -> None:
        self._closing.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def take(self, received: Received) -> Reply:
        """Log a request and return the reply to it."""
        with self._lock:
            self.requests.append(received)
            fault = self.faults.popleft() if self.faults else None
        reply = fault or self.answer(received)
        if reply.delay_seconds:
            self._closing.wait(reply.delay_seconds)
        return reply


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def handle_error(self, request: object, client_address: object) -> None:
        """Keep quiet: clients that hang up are what is tested."""


def _handler_of(stub: StubServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def _serve(self) -> None:
            length = int(self.headers.get("content-length") or 0)
            raw = self.rfile.read(length) if length else b""
            reply = stub.take(
                Received(
                    method=self.command,
                    path=self.path,
                    headers={name.lower(): value for name, value in self.headers.items()},
                    body=_as_json(raw),
                )
            )
            if reply.drops:
                self.close_connection = True
                return
            self.send_response(reply.status)
            for name, value in reply.headers.items():
                self.send_header(name, value)
            self.send_header("content-length", str(len(reply.body)))
            self.end_headers()
            self.wfile.write(reply.body)

        do_GET = do_POST = do_DELETE = _serve  # noqa: N815  # named by the base class

        def log_message(self, format: str, *args: object) -> None:
            """Keep quiet: ``requests`` is the log."""

    return Handler


def _as_json(raw: bytes) -> Any:  # Any: JSON
    try:
        return json.loads(raw) if raw else None
    except ValueError:
        return None


def now_iso() -> str:
    """Return the time as the providers write it."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
