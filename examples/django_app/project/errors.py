"""Errors as clear pages: those of the memory, and requests that lack what a page needs."""

import logging
import uuid

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from prefmem_pg.contrib.django import http_status
from prefmem_pg.errors import InvalidInput, NotFound, PrefmemError

log = logging.getLogger(__name__)


class SignedOut(Exception):
    """Nobody is signed in."""


class MemoryErrors:
    """Say what happened; what is wrong with the database is for the log, not for strangers."""

    def __init__(self, get_response) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        if isinstance(error, SignedOut):
            return render(request, "error.html", {"reason": "Sign in first."}, status=401)
        if not isinstance(error, PrefmemError):
            return None
        status = http_status(error)
        reason = "There is no such preference of yours." if isinstance(error, NotFound) else str(error)
        if status >= 500:
            log.error("the memory cannot answer: %s", error)
            reason = "The memory cannot answer now. Nothing was lost; try again."
        return render(request, "error.html", {"reason": reason}, status=status)


def show_missing(request: HttpRequest, exception: Exception) -> HttpResponse:
    return render(request, "error.html", {"reason": "There is no such page."}, status=404)


def show_foreign(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Refuse a form that is not from our own pages."""
    told = "This form is not ours, or too old: load the page again."
    return render(request, "error.html", {"reason": told}, status=403)


def signed_in(request: HttpRequest) -> str:
    if "user" not in request.session:
        raise SignedOut
    user: str = request.session["user"]
    return user


def uuid_of_form(request: HttpRequest) -> str:
    try:
        return str(uuid.UUID(request.POST.get("form_id", "")))
    except ValueError as exc:
        raise InvalidInput("this form is not ours: load the page again") from exc
