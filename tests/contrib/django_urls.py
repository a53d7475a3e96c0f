"""The addresses of the project with an async view."""

import asyncio

from django.http import HttpRequest, HttpResponse
from django.urls import path

from prefmem_pg.contrib.django import get_memory


async def recall(request: HttpRequest) -> HttpResponse:
    recalled = await asyncio.to_thread(get_memory().recall, request.GET["user"], request.GET["q"])
    return HttpResponse(recalled.text)


urlpatterns = [path("recall", recall)]
