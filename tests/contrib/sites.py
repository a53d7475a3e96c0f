"""The example apps behind one face: the pages are the same, so what is asked of them is asked of both."""

import re
import socket
from collections.abc import Callable
from dataclasses import dataclass
from html import unescape
from http.client import HTTPConnection
from http.cookies import SimpleCookie
from typing import Any
from urllib.parse import urlencode

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


class _SocketConnection(HTTPConnection):
    """HTTP through a socket of the file system."""

    def __init__(self, path: str) -> None:
        super().__init__("localhost", timeout=600)
        self.path = path

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self.path)


def socket_visitor(path: str, memory: PreferenceMemory) -> Site:
    """Return a visitor of a server that listens at a socket."""
    cookies: SimpleCookie = SimpleCookie()

    def send(method: str, address: str, fields: dict[str, str]) -> Answered:
        connection = _SocketConnection(path)
        told = "; ".join(f"{name}={cookie.value}" for name, cookie in cookies.items())
        headers = {"Cookie": told, "Content-Type": "application/x-www-form-urlencoded"}
        connection.request(method, address, urlencode(fields) if method == "POST" else None, headers)
        answered = connection.getresponse()
        text = answered.read().decode()
        connection.close()
        for cookie in answered.headers.get_all("Set-Cookie", ()):
            cookies.load(cookie)
        where = answered.headers.get("Location")
        return send("GET", where.partition("#")[0], {}) if where else (answered.status, text)

    return Site(memory, send)
