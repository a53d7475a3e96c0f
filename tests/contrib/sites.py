"""The example apps behind one face: the pages are the same, so what is asked of them is asked of both."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from html import unescape
from typing import Any

from prefmem_pg.memory import PreferenceMemory

# Status and text of a page after its redirects.
Answered = tuple[int, str]
HIDDEN = re.compile(r'<input type="hidden" name="([^"]+)" value="([^"]*)">')


@dataclass
class Site:
    """One visitor of an example app."""

    memory: PreferenceMemory
    send: Callable[[str, str, dict[str, str]], Answered]

    def get(self, path: str) -> Answered:
        return self.send("GET", path, {})

    def text(self, path: str) -> str:
        status, text = self.get(path)
        assert status == 200, text
        return text

    def fields(self, path: str = "/") -> dict[str, str]:
        """Return the hidden fields of a page's forms."""
        return {name: unescape(value) for name, value in HIDDEN.findall(self.text(path))}

    def post(self, path: str, **fields: str) -> Answered:
        return self.send("POST", path, {**self.fields(), **fields})

    def sign_in(self, user: str) -> str:
        status, text = self.post("/sign-in", user=user)
        assert status == 200, text
        return user

    def say(self, message: str) -> Answered:
        return self.post("/say", message=message)


def flask_visitor(app: Any, memory: PreferenceMemory) -> Site:  # Any: a Flask app, which need not be installed
    client = app.test_client()

    def send(method: str, path: str, fields: dict[str, str]) -> Answered:
        data = fields if method == "POST" else None
        answered = client.open(path, method=method, data=data, follow_redirects=True)
        return answered.status_code, answered.text

    return Site(memory, send)


def django_visitor(memory: PreferenceMemory) -> Site:
    from django.test import Client

    client = Client(enforce_csrf_checks=True, raise_request_exception=False)

    def send(method: str, path: str, fields: dict[str, str]) -> Answered:
        ask = client.post if method == "POST" else client.get
        answered = ask(path, fields, follow=True)
        return answered.status_code, answered.content.decode()

    return Site(memory, send)
