"""What the pages find in every template; they are Jinja's, shared with the other examples."""

from django.http import HttpRequest
from django.urls import reverse
from jinja2 import Environment


def environment(**options: object) -> Environment:
    made = Environment(**options)  # noqa: S701 - Django hands autoescape=True over
    made.globals["url_for"] = lambda name, **words: reverse(name, kwargs=words)
    return made


def signed_in_user(request: HttpRequest) -> dict[str, str | None]:
    return {"user": request.session.get("user")}
