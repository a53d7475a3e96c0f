"""Read-only models over the analysts' views, for the admin and for queries of the project."""

from typing import Any

from django.db import models

from prefmem_pg.contrib.django.opening import alias_of_models
from prefmem_pg.errors import InvalidInput


class _OnOurDatabase(models.Manager):
    """Reads where the memory lives, which need not be Django's default."""

    def get_queryset(self) -> "models.QuerySet[Any]":
        alias = alias_of_models()
        return super().get_queryset() if alias is None else super().get_queryset().using(alias)


class _Shown(models.Model):
    """What the views of preferences have in common."""

    preference_id = models.UUIDField(primary_key=True)
    user_id = models.TextField()
    kind = models.TextField()
    statement = models.TextField()
    context = models.TextField()
    polarity = models.TextField()
    topic = models.TextField(null=True)
    language = models.TextField()
    confidence = models.FloatField()
    created_at = models.DateTimeField()
    updated_at = models.DateTimeField()
    version = models.IntegerField()

    objects = _OnOurDatabase()

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return str(self.statement)

    def save(self, *args: Any, **kwargs: Any) -> None:  # Any: Django's own arguments
        """Refuse: every change goes through the memory, which keeps history."""
        raise InvalidInput("preferences are changed through get_memory(), which keeps their history")

    def delete(self, *args: Any, **kwargs: Any) -> tuple[int, dict[str, int]]:  # Any: as above
        """Refuse, for the same reason."""
        raise InvalidInput("preferences are deleted through get_memory().delete(user_id, preference_id)")


class ActivePreference(_Shown):
    """What is known now."""

    class Meta:
        managed = False
        db_table = '"prefmem"."active_preferences"'
        verbose_name = "preference"


class WaitingPreference(_Shown):
    """What waits for a person."""

    reason = models.TextField(null=True)

    class Meta:
        managed = False
        db_table = '"prefmem"."review_queue"'
        verbose_name = "preference to review"
        verbose_name_plural = "preferences to review"
