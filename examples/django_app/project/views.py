"""The pages: the chat, what is known about whoever is signed in, and each change of it."""

import uuid

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from prefmem_pg.contrib.django import answer_offline, carry_out, explain, get_memory, last_turns
from prefmem_pg.domain.chats import ChatContext
from project.errors import signed_in, uuid_of_form


def answer(context: ChatContext) -> str:
    """Answer without a model. Yours gets ``context.system`` and ``context.messages``."""
    return answer_offline(context)


@require_GET
def chat(request: HttpRequest) -> HttpResponse:
    user = request.session.get("user")
    turns = last_turns(get_memory(), user, request.session["dialog"]) if user else []
    return render(request, "chat.html", {"turns": turns, "form_id": uuid.uuid4()})


@require_POST
def sign_in(request: HttpRequest) -> HttpResponse:
    user = request.POST.get("user", "").strip()
    get_memory().list_preferences(user, page_size=1)  # an id that cannot be one is refused here
    request.session.update({"user": user, "dialog": f"web-{uuid.uuid4()}"})
    return redirect("chat")


@require_POST
def say(request: HttpRequest) -> HttpResponse:
    """Recall before the answer, remember after it. The form's id makes a form that is posted twice one message."""
    user, form_id = signed_in(request), uuid_of_form(request)
    dialog, message = request.session["dialog"], request.POST.get("message", "")
    memory = get_memory()
    context = memory.chat_context(user, message, session_id=dialog)

    answered = answer(context)

    turns = [
        {"role": "user", "content": message, "external_id": form_id},
        {"role": "assistant", "content": answered, "external_id": f"{form_id}:answer"},
    ]
    memory.add_messages(user, turns, dialog_id=dialog, session_id=dialog)
    memory.extract(user_id=user)
    return redirect(reverse("chat") + "#message")


@require_GET
def about(request: HttpRequest) -> HttpResponse:
    user, memory = signed_in(request), get_memory()
    known = memory.list_preferences(user, after=request.GET.get("after"))
    return render(request, "about.html", {"waiting": memory.review(user), "known": known})


@require_http_methods(["GET", "POST"])
def about_one(request: HttpRequest, preference_id: uuid.UUID) -> HttpResponse:
    """Tell why one is believed; or correct, approve, reject or forget it. A form that comes twice changes it once."""
    user, memory, form = signed_in(request), get_memory(), request.POST
    if request.method == "GET":
        return render(request, "why.html", {"explained": explain(memory, user, preference_id)})
    statement, version = form.get("statement", ""), form.get("version")
    carry_out(memory, user, preference_id, form.get("act", ""), statement=statement, version=version)
    return redirect("about")


@require_POST
def forget(request: HttpRequest) -> HttpResponse:
    """Erase all of the user; nothing more is stored of them from then on."""
    get_memory().forget(signed_in(request))
    request.session.flush()
    return redirect("chat")
