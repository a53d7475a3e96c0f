"""The admin: search, filter, history and evidence; approve, reject, delete and forget through the memory."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from prefmem_pg.contrib.answers import explain
from prefmem_pg.contrib.django.models import ActivePreference, WaitingPreference
from prefmem_pg.contrib.django.opening import alias_of_models, get_memory
from prefmem_pg.errors import PrefmemError

Act = Callable[..., object]


class _ReadOnly(admin.ModelAdmin):
    list_display = ("statement", "user_id", "kind", "topic", "confidence", "updated_at")
    list_filter = ("kind", "polarity", "topic", "language")
    search_fields = ("statement", "context", "user_id")
    ordering = ("-updated_at", "preference_id")
    readonly_fields = ("changes", "said")
    show_full_result_count = False

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:  # Any: Django's own argument
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:  # Any: as above
        return False

    def has_forget_permission(self, request: HttpRequest) -> bool:
        """Whether this person may erase users: who holds Django's own permission to delete from the model."""
        return bool(request.user.has_perm(f"{self.opts.app_label}.delete_{self.opts.model_name}"))

    def has_act_permission(self, request: HttpRequest) -> bool:
        """Whether this person may act: who holds Django's own permission to change the model."""
        return bool(request.user.has_perm(f"{self.opts.app_label}.change_{self.opts.model_name}"))

    @admin.display(description="history")
    def changes(self, shown: ActivePreference) -> SafeString:
        versions = explain(get_memory(), shown.user_id, shown.preference_id).versions
        rows = ((one.event, one.actor, one.at.isoformat(" ", "seconds"), one.reason) for one in versions)
        return format_html("<ol>{}</ol>", format_html_join("", "<li>{} by {}, {}: {}</li>", rows))

    @admin.display(description="evidence")
    def said(self, shown: ActivePreference) -> SafeString:
        quoted = explain(get_memory(), shown.user_id, shown.preference_id).messages
        return format_html_join("", "<blockquote>{}</blockquote>", ((_marked(one.pieces),) for one in quoted))

    @admin.action(description="Delete for good, text and all", permissions=["act"])
    def forget(self, request: HttpRequest, chosen: "QuerySet[Any]") -> None:
        self._carry_out(request, chosen, get_memory().delete, "deleted")

    @admin.action(description="Reject: never again", permissions=["act"])
    def reject(self, request: HttpRequest, chosen: "QuerySet[Any]") -> None:
        self._carry_out(request, chosen, get_memory().reject, "rejected")

    @admin.action(description="Forget these users: all that is stored of them", permissions=["forget"])
    def forget_users(self, request: HttpRequest, chosen: "QuerySet[Any]") -> HttpResponse | None:
        """Ask first, with what would go; then erase."""
        users = sorted(set(chosen.values_list("user_id", flat=True)))
        if request.POST.get("confirmed") != "yes":
            context = {
                **self.admin_site.each_context(request),
                "title": "Forget users for good",
                "users": [(user, get_memory().list_messages(user, page_size=1).total) for user in users],
                "chosen": [str(one) for one in chosen.values_list("preference_id", flat=True)],
                "opts": self.opts,
            }
            return TemplateResponse(request, "admin/prefmem/forget_users.html", context)
        count = 0
        for user in users:
            try:
                get_memory().forget(user)
                count += 1
            except PrefmemError as exc:
                self.message_user(request, f"{user}: {exc}", messages.ERROR)
        self.message_user(request, f"{count} forgotten", messages.SUCCESS)
        return None

    def _carry_out(self, request: HttpRequest, chosen: "QuerySet[Any]", act: Act, done: str) -> None:
        rows: list[tuple[str, UUID]] = list(chosen.values_list("user_id", "preference_id"))
        count = 0
        for user_id, preference_id in rows:
            try:
                act(user_id, preference_id, actor=f"admin:{request.user.get_username()}")
                count += 1
            except PrefmemError as exc:
                self.message_user(request, str(exc), messages.ERROR)
        self.message_user(request, f"{count} {done}", messages.SUCCESS)


class ActivePreferenceAdmin(_ReadOnly):
    """What is known."""

    actions = ("reject", "forget", "forget_users")


class WaitingPreferenceAdmin(_ReadOnly):
    """What waits for a person."""

    actions = ("approve", "reject", "forget", "forget_users")

    @admin.action(description="Approve", permissions=["act"])
    def approve(self, request: HttpRequest, chosen: "QuerySet[Any]") -> None:
        self._carry_out(request, chosen, get_memory().approve, "approved")


def _marked(pieces: tuple[tuple[str, bool], ...]) -> SafeString:
    return format_html_join("", "{}", ((format_html("<mark>{}</mark>", text) if on else text,) for text, on in pieces))


if alias_of_models() is not None:  # else there is nothing that the models could read
    admin.site.register(ActivePreference, ActivePreferenceAdmin)
    admin.site.register(WaitingPreference, WaitingPreferenceAdmin)
