"""A chat with memory in Flask, with a page where users see, correct, approve and forget what is known about them.

    pip install 'prefmem-pg[local,flask]'
    flask --app examples/flask_app/app.py run

Offline: a stand-in answers with what it was given; put your model into ``answer``. The database is the one of
PREFMEM_DATABASE_URL (``flask --app … prefmem upgrade`` makes its tables), or else an embedded one in ./.prefmem.
Whoever signs in is believed to be who they say: put your own login in its place.
"""

import secrets
import uuid
from collections.abc import Mapping
from typing import Any

from flask import Flask, abort, current_app, redirect, render_template, request, session, url_for
from markupsafe import Markup
from werkzeug.exceptions import HTTPException
from werkzeug.wrappers import Response

from prefmem_pg.contrib.flask import answer_offline, carry_out, explain, get_memory, http_status, init_app, last_turns
from prefmem_pg.domain.chats import ChatContext
from prefmem_pg.errors import NotFound, PrefmemError


def create_app(config: Mapping[str, Any] | None = None, **parts: Any) -> Flask:
    """Make the app; ``parts`` go to its PreferenceMemory."""
    app = Flask(__name__, template_folder="../pages")
    app.config.update(SECRET_KEY=secrets.token_hex(), SESSION_COOKIE_SAMESITE="Lax")
    app.config.from_prefixed_env()  # FLASK_SECRET_KEY: several workers need the same one
    app.config.from_mapping(config or {})
    init_app(app, **parts)
    app.before_request(refuse_foreign_forms)
    app.register_error_handler(PrefmemError, show_error)
    app.register_error_handler(HTTPException, show_refusal)
    app.context_processor(lambda: {"user": session.get("user"), "csrf_input": csrf_input()})
    app.add_url_rule("/", view_func=chat)
    app.add_url_rule("/sign-in", view_func=sign_in, methods=["POST"])
    app.add_url_rule("/say", view_func=say, methods=["POST"])
    app.add_url_rule("/about", view_func=about)
    app.add_url_rule("/about/<uuid:preference_id>", view_func=why)
    app.add_url_rule("/about/<uuid:preference_id>", view_func=change, methods=["POST"])
    app.add_url_rule("/forget", view_func=forget, methods=["POST"])
    return app


def answer(context: ChatContext) -> str:
    """Answer without a model. Yours gets ``context.system`` and ``context.messages``."""
    return answer_offline(context)


def chat() -> str:
    turns = last_turns(get_memory(), session["user"], session["dialog"]) if "user" in session else []
    return render_template("chat.html", turns=turns, form_id=uuid.uuid4())


def sign_in() -> Response:
    user = request.form["user"].strip()
    get_memory().list_preferences(user, page_size=1)  # an id that cannot be one is refused here
    session["user"], session["dialog"] = user, f"web-{uuid.uuid4()}"
    return redirect(url_for("chat"))


def say() -> Response:
    """Recall before the answer, remember after it. The form's id makes a form that is posted twice one message."""
    user, dialog, message = signed_in(), session["dialog"], request.form["message"]
    form_id = as_form_id(request.form["form_id"])
    memory = get_memory()
    context = memory.chat_context(user, message, session_id=dialog)

    answered = answer(context)

    turns = [
        {"role": "user", "content": message, "external_id": form_id},
        {"role": "assistant", "content": answered, "external_id": f"{form_id}:answer"},
    ]
    memory.add_messages(user, turns, dialog_id=dialog, session_id=dialog)
    memory.extract(user_id=user)
    return redirect(url_for("chat", _anchor="message"))


def about() -> str:
    user, memory = signed_in(), get_memory()
    waiting = memory.review(user)
    known = memory.list_preferences(user, after=request.args.get("after"))
    return render_template("about.html", waiting=waiting, known=known)


def why(preference_id: uuid.UUID) -> str:
    explained = explain(get_memory(), signed_in(), preference_id)
    return render_template("why.html", explained=explained)


def change(preference_id: uuid.UUID) -> Response:
    """Correct, approve, reject or forget one; posting the same form twice changes it once."""
    form = request.form
    version = form.get("version")
    carry_out(
        get_memory(), signed_in(), preference_id, form["act"], statement=form.get("statement", ""), version=version
    )
    return redirect(url_for("about"))


def forget() -> Response:
    """Erase all of the user; nothing more is stored of them from then on."""
    get_memory().forget(signed_in())
    session.clear()
    return redirect(url_for("chat"))


def signed_in() -> str:
    if "user" not in session:
        abort(401, "Sign in first.")
    user: str = session["user"]
    return user


def as_form_id(given: str) -> str:
    try:
        return str(uuid.UUID(given))
    except ValueError:
        abort(400, "This form is not ours: load the page again.")


def csrf_input() -> Markup:
    token: str = session.setdefault("token", secrets.token_urlsafe())
    return Markup('<input type="hidden" name="token" value="{}">').format(token)


def refuse_foreign_forms() -> None:
    """Take forms only from our own pages."""
    if request.method == "POST":
        known, given = session.get("token", ""), request.form.get("token", "")
        if not known or not secrets.compare_digest(known.encode(), given.encode()):
            abort(400, "This form is not ours, or too old: load the page again.")


def show_error(error: PrefmemError) -> tuple[str, int]:
    """Say what happened; what is wrong with the database is for the log, not for strangers."""
    status = http_status(error)
    reason = "There is no such preference of yours." if isinstance(error, NotFound) else str(error)
    if status >= 500:
        current_app.logger.error("the memory cannot answer: %s", error)
        reason = "The memory cannot answer now. Nothing was lost; try again."
    return render_template("error.html", reason=reason), status


def show_refusal(error: HTTPException) -> tuple[str, int] | HTTPException:
    """Say what was wrong with the request, on a page like all others."""
    if error.code is None or error.code < 400:
        return error  # a redirect
    reason = "There is no such page." if error.code == 404 else error.description or error.name
    return render_template("error.html", reason=reason), error.code


app = create_app()
