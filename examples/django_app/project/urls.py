"""The addresses of the project. No user is named in them: who asks is in the session."""

from django.contrib import admin
from django.urls import path

from project import views

handler404 = "project.errors.show_missing"

urlpatterns = [
    path("", views.chat, name="chat"),
    path("sign-in", views.sign_in, name="sign_in"),
    path("say", views.say, name="say"),
    path("about", views.about, name="about"),
    path("about/<uuid:preference_id>", views.about_one, name="why"),
    path("about/<uuid:preference_id>", views.about_one, name="change"),
    path("forget", views.forget, name="forget"),
    path("admin/", admin.site.urls),
]
