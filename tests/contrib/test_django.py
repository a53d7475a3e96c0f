"""The Django door: settings, commands, checks, models over the views, and the admin."""

import io
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import django
import psycopg
import pytest
from django.conf import settings
from django.core.management import call_command
from psycopg.conninfo import conninfo_to_dict

from prefmem_pg.db.local import LocalServer
from prefmem_pg.errors import ConfigurationError, InvalidInput
from prefmem_pg.memory import PreferenceMemory
from prefmem_pg.providers.local_embedder import LocalEmbedder
from tests.conftest import superuser_url

USER = "a/b//c 🍵?x=1&安娜"


def database_of(url: str) -> dict[str, Any]:
    words = conninfo_to_dict(url)
    names = {"dbname": "NAME", "user": "USER", "password": "PASSWORD", "host": "HOST", "port": "PORT"}
    options = {"options": "-c search_path=project,public"}  # the owner of our schema owns nothing in public
    found = {names[word]: value for word, value in words.items() if word in names}
    return {"ENGINE": "django.db.backends.postgresql", "OPTIONS": options, **found}


@pytest.fixture(scope="module")
def project(server: LocalServer, database_url: str, embedder: LocalEmbedder) -> Iterator[ModuleType]:
    """A configured project, once a process: Django cannot be set up twice."""
    with psycopg.connect(superuser_url(server, str(conninfo_to_dict(database_url)["dbname"]))) as connection:
        connection.execute("CREATE SCHEMA project AUTHORIZATION prefmem_owner")
    contrib = [f"django.contrib.{name}" for name in ("admin", "auth", "contenttypes", "sessions", "messages")]
    middleware = ("sessions.middleware.SessionMiddleware", "auth.middleware.AuthenticationMiddleware")
    engine = {"BACKEND": "django.template.backends.django.DjangoTemplates", "APP_DIRS": True}
    processors = [f"django.{name}" for name in ("template.context_processors.request",)]
    processors += ["django.contrib.auth.context_processors.auth", "django.contrib.messages.context_processors.messages"]
    settings.configure(
        SECRET_KEY="for tests",
        USE_TZ=True,
        ALLOWED_HOSTS=["*"],
        DATABASES={"default": database_of(database_url), "other": {"ENGINE": "django.db.backends.sqlite3"}},
        INSTALLED_APPS=[*contrib, "prefmem_pg.contrib.django"],
        MIDDLEWARE=[
            *(f"django.contrib.{name}" for name in middleware),
            "django.contrib.messages.middleware.MessageMiddleware",
        ],
        TEMPLATES=[{**engine, "OPTIONS": {"context_processors": processors}}],
        ROOT_URLCONF="tests.contrib.django_urls",
        PREFMEM={"EXTRACTOR": "offline"},
        PREFMEM_PARTS={"embedder": embedder, "max_connections": 4},
    )
    django.setup()
    call_command("migrate", verbosity=0)
    import prefmem_pg.contrib.django as door

    yield door
    door.close_memory()
    django.db.connections.close_all()


@pytest.fixture
def memory(project: ModuleType) -> PreferenceMemory:
    found: PreferenceMemory = project.get_memory()
    return found


@pytest.fixture(scope="module")
def admin(project: ModuleType) -> Any:  # Any: Django may be imported only after its set-up
    from django.contrib.auth.models import User
    from django.test import Client

    client = Client()
    client.force_login(User.objects.create_superuser("chef 主管", password="x"))
    return client


def act(admin: Any, model: str, action: str, preference_id: object) -> str:
    data = {"action": action, "_selected_action": [str(preference_id)]}
    answered = admin.post(f"/admin/prefmem/{model}/", data, follow=True)
    assert answered.status_code == 200
    return str(answered.content.decode())


def test_the_admin_finds_filters_and_explains(admin: Any, memory: PreferenceMemory) -> None:
    memory.add_messages(USER, [{"role": "user", "content": "昨天很累 <b>。我喜欢靠窗的座位 🚄"}])
    memory.extract(user_id=USER)
    [known] = memory.list_preferences(USER).items

    for query in ({"q": "靠窗"}, {"q": USER}, {"q": "靠窗", "kind": known.kind}):
        assert "靠窗" in admin.get("/admin/prefmem/activepreference/", query).content.decode()
    assert "靠窗" not in admin.get("/admin/prefmem/activepreference/", {"q": "nothing like it"}).content.decode()
    page = admin.get(f"/admin/prefmem/activepreference/{known.preference_id}/change/").content.decode()
    assert "<mark>" in page
    assert "add by" in page
    assert "<b>" not in page


@pytest.mark.parametrize(
    ("action", "status"), [("approve", "activated"), ("reject", "rejected"), ("forget", "deleted")]
)
def test_the_admin_decides_what_waits_once(admin: Any, memory: PreferenceMemory, action: str, status: str) -> None:
    waiting = memory.remember(USER, f"Likes quiet hotels {action} 安静", kind="implicit", confidence=0.4).preference
    assert waiting is not None

    for _ in range(2):
        act(admin, "waitingpreference", action, waiting.preference_id)
    assert memory.get(USER, waiting.preference_id).status == status
    assert len(memory.history(USER, waiting.preference_id)) == 2


def test_the_models_read_and_never_write(project: ModuleType, memory: PreferenceMemory) -> None:
    from prefmem_pg.contrib.django.models import ActivePreference

    memory.remember("reader 读者", "I like maps 🗺️")
    shown = ActivePreference.objects.get(user_id="reader 读者")
    assert str(shown) == "I like maps 🗺️"
    with pytest.raises(InvalidInput, match="get_memory"):
        shown.save()
    with pytest.raises(InvalidInput, match="get_memory"):
        shown.delete()


def test_the_commands_and_checks_work_on_the_projects_database(
    project: ModuleType, memory: PreferenceMemory, capsys: pytest.CaptureFixture[str]
) -> None:
    call_command("prefmem", "upgrade")
    call_command("prefmem", "remember", USER, "I like 豆腐 🍲")
    call_command("prefmem", "list", USER, "--json")
    assert "豆腐" in capsys.readouterr().out
    with pytest.raises(SystemExit):
        call_command("prefmem", "no-such-command")
    call_command("check", databases=["default"], stdout=io.StringIO())


def test_a_database_that_cannot_serve_is_named(project: ModuleType) -> None:
    from prefmem_pg.contrib.django.opening import read_project

    with pytest.raises(ConfigurationError, match="not PostgreSQL"):
        read_project("other")
    with pytest.raises(ConfigurationError, match="no 'missing'"):
        read_project("missing")
