"""The settings of the project: Django's own, and what the memory needs."""

import os
import secrets
from pathlib import Path

from prefmem_pg.contrib.django.databases import database_of

HERE = Path(__file__).resolve().parents[1]

# The memory: its database is DATABASES["default"], or an embedded one when PREFMEM_DATABASE_URL is not set.
database_url = os.environ.get("PREFMEM_DATABASE_URL", "")
PREFMEM = {} if database_url else {"DATABASE_URL": ""}
PREFMEM_PARTS = {"max_connections": 4}
DATABASES = {
    "default": database_of(database_url)
    if database_url
    else {"ENGINE": "django.db.backends.sqlite3", "NAME": Path(".prefmem.sqlite3")}
}

SECRET_KEY = os.environ.get("DJANGO_SECRET_KEY") or secrets.token_hex()  # several workers need the same one
DEBUG = os.environ.get("DJANGO_DEBUG") == "1"
ALLOWED_HOSTS = ["localhost", "127.0.0.1", "testserver"]
ROOT_URLCONF = "project.urls"
CSRF_FAILURE_VIEW = "project.errors.show_foreign"
WSGI_APPLICATION = "project.wsgi.application"
USE_TZ = True
SESSION_ENGINE = "django.contrib.sessions.backends.signed_cookies"
STATIC_URL = "static/"

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "prefmem_pg.contrib.django",
]
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "project.errors.MemoryErrors",
]
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.jinja2.Jinja2",
        "DIRS": [HERE.parent / "pages"],
        "OPTIONS": {
            "environment": "project.pages.environment",
            "context_processors": ["project.pages.signed_in_user"],
        },
    },
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ]
        },
    },
]
