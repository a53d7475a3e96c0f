"""The Django door: settings, commands, checks, models over the views, and the admin."""

import asyncio
import io
from types import ModuleType
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from prefmem_pg.errors import ConfigurationError, InvalidInput
from prefmem_pg.memory import PreferenceMemory

USER = "a/b//c 🍵?x=1&安娜"


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


def act(admin: Any, model: str, action: str, preference_id: object, **fields: str) -> str:
    data = {"action": action, "_selected_action": [str(preference_id)], **fields}
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


def test_the_admin_forgets_a_user_after_asking(admin: Any, memory: PreferenceMemory) -> None:
    user = "leaving/离开 👋"
    memory.add_messages(user, [{"role": "user", "content": "我喜欢爵士乐 🎷"}])
    memory.extract(user_id=user)
    [known] = memory.list_preferences(user).items
    kept = memory.remember("staying", "I like jazz").preference
    assert kept is not None

    asked = act(admin, "activepreference", "forget_users", known.preference_id)
    assert f"{user} (1 message)" in asked
    assert memory.list_preferences(user).total == 1

    for _ in range(2):
        act(admin, "activepreference", "forget_users", known.preference_id, confirmed="yes")
    assert (memory.list_preferences(user).total, memory.list_messages(user).total) == (0, 0)
    assert memory.get("staying", kept.preference_id).status == "activated"


def test_whoever_may_only_look_can_neither_decide_nor_forget(project: ModuleType, memory: PreferenceMemory) -> None:
    from django.contrib.auth.models import Permission, User
    from django.test import Client

    waiting = memory.remember("looked at 看", "Likes quiet hotels 安静", kind="implicit", confidence=0.4).preference
    assert waiting is not None
    looker = User.objects.create_user("looker 旁观", password="x", is_staff=True)
    looker.user_permissions.set(Permission.objects.filter(codename="view_waitingpreference"))
    client = Client()
    client.force_login(looker)

    assert "quiet hotels" in client.get("/admin/prefmem/waitingpreference/").content.decode()
    for action in ("approve", "reject", "forget", "forget_users"):
        act(client, "waitingpreference", action, waiting.preference_id, confirmed="yes")
    assert memory.get("looked at 看", waiting.preference_id).status == "resolving"


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


def test_a_database_that_cannot_serve_is_a_message_of_the_command(project: ModuleType) -> None:
    with pytest.raises(CommandError, match="'DATABASE_URL': …"):
        call_command("prefmem", "upgrade", alias="other")


def test_a_database_that_cannot_serve_is_named(project: ModuleType) -> None:
    from prefmem_pg.contrib.django.opening import read_project

    with pytest.raises(ConfigurationError, match="not PostgreSQL"):
        read_project("other")
    with pytest.raises(ConfigurationError, match="no 'missing'"):
        read_project("missing")


def test_b15_async_views_ask_in_a_thread_and_keep_to_the_pool(project: ModuleType, memory: PreferenceMemory) -> None:
    from django.test import AsyncClient, override_settings

    memory.remember("async 异步", "I like quiet trains 🚆")

    async def ask() -> list[str]:
        client = AsyncClient()
        answers = await asyncio.gather(
            *(client.get("/recall", {"user": "async 异步", "q": "火车"}) for _ in range(100))
        )
        return [one.content.decode() for one in answers]

    with override_settings(ROOT_URLCONF="tests.contrib.django_urls"):
        answers = asyncio.run(ask())
    assert all("quiet trains 🚆" in one for one in answers)
    pool: Any = memory.database.engine.pool
    assert pool.checkedout() == 0
    assert pool.checkedin() <= 4


def test_a_url_becomes_an_entry_of_databases_and_back() -> None:
    from prefmem_pg.contrib.django.databases import database_of, url_of

    entry = database_of("postgresql+psycopg://ana:p%40ss%20词@db.example:5433/memory?sslmode=require")
    assert (entry["USER"], entry["PASSWORD"], entry["HOST"], entry["PORT"]) == ("ana", "p@ss 词", "db.example", "5433")
    assert entry["OPTIONS"]["sslmode"] == "require"
    assert url_of(database_of(url_of(entry))) == url_of(entry)
    with pytest.raises(ConfigurationError, match="cannot be read"):
        database_of("postgresql://[")


def test_the_models_read_where_the_memory_lives(project: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    from django.conf import settings

    from prefmem_pg.contrib.django.models import ActivePreference
    from prefmem_pg.contrib.django.opening import alias_of_models

    assert ActivePreference.objects.all().db == "default"
    monkeypatch.setitem(settings.DATABASES, "elsewhere", settings.DATABASES["default"])
    for given, alias in [
        ({"ALIAS": "elsewhere"}, "elsewhere"),
        ({"ALIAS": "other"}, None),
        ({"DATABASE_URL": ""}, None),
    ]:
        monkeypatch.setattr(settings, "PREFMEM", given)
        assert alias_of_models() == alias
        assert ActivePreference.objects.all().db == (alias or "default")
