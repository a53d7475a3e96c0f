"""The Flask door and its example: chat, what is known, corrections, forms posted twice, errors, connections."""

import asyncio
import gc
import re
import uuid
import weakref
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from types import ModuleType

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from prefmem_pg.contrib.flask import close_memory, get_memory, init_app, settings_of
from prefmem_pg.errors import ConfigurationError
from prefmem_pg.memory import PreferenceMemory
from prefmem_pg.providers.local_embedder import LocalEmbedder

USERS = ["ana", "a/b//c 🍵?x=1&y#z", "../../安娜 %2F"]


@pytest.fixture(scope="module")
def example(load_example: Callable[[str], ModuleType]) -> ModuleType:
    return load_example("flask_app/app.py")


@pytest.fixture(scope="module")
def app(example: ModuleType, database_url: str, embedder: LocalEmbedder) -> Iterator[Flask]:
    config = {"PREFMEM_DATABASE_URL": database_url, "PREFMEM_EXTRACTOR": "offline", "TESTING": True}
    made: Flask = example.create_app(config, embedder=embedder, max_connections=4)
    yield made
    close_memory(made)


@pytest.fixture
def memory(app: Flask) -> PreferenceMemory:
    return get_memory(app)


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


def field(page: str, name: str) -> str:
    found = re.search(rf'name="{name}" value="([^"]*)"', page)
    assert found is not None, page
    return found[1]


def post(client: FlaskClient, url: str, **fields: str) -> TestResponse:
    token = field(client.get("/").text, "token")
    return client.post(url, data={"token": token, **fields}, follow_redirects=True)


def sign_in(client: FlaskClient, user: str) -> str:
    """Sign in under an id that no other test has, and return it."""
    own = f"{user} {uuid.uuid4().hex[:6]}"
    assert post(client, "/sign-in", user=own).status_code == 200
    return own


def say(client: FlaskClient, message: str) -> TestResponse:
    return post(client, "/say", message=message, form_id=field(client.get("/").text, "form_id"))


@pytest.mark.parametrize("user", USERS)
def test_what_is_said_is_known_on_the_page_about_the_user(client: FlaskClient, user: str) -> None:
    sign_in(client, user)
    say(client, "I prefer window seats on trains.")
    told = say(client, "我对花生过敏 🥜")

    page = client.get("/about").text
    assert "window seats" in page
    assert "花生" in page
    assert "window seats" in told.text
    assert "window" in say(client, "Which seat on the train?").text


def test_a_preference_shows_its_evidence_marked_and_its_history(client: FlaskClient, memory: PreferenceMemory) -> None:
    user = sign_in(client, "李/雷 🎋")
    say(client, "昨天很累。我喜欢靠窗的座位 🚄")
    [preference] = memory.list_preferences(user).items

    page = client.get(f"/about/{preference.preference_id}").text
    [evidence] = memory.evidence(user, preference.preference_id)
    assert f"<mark>{evidence.quote}</mark>" in page
    assert "昨天很累" in page
    assert "add:" in page


def test_a_correction_posted_twice_is_one_version(client: FlaskClient, memory: PreferenceMemory) -> None:
    user = sign_in(client, "bo")
    preference = memory.remember(user, "I like green tea").preference
    assert preference is not None
    fields = {"act": "correct", "statement": "I like oolong tea 乌龙茶", "version": str(preference.version)}

    answers = [post(client, f"/about/{preference.preference_id}", **fields) for _ in range(2)]
    assert [one.status_code for one in answers] == [200, 200]
    assert memory.get(user, preference.preference_id).statement == "I like oolong tea 乌龙茶"
    assert [one.event for one in memory.history(user, preference.preference_id)] == ["add", "update"]


def test_a_correction_of_what_has_changed_meanwhile_is_a_conflict(
    client: FlaskClient, memory: PreferenceMemory
) -> None:
    user = sign_in(client, "bo")
    preference = memory.remember(user, "I like green tea").preference
    assert preference is not None
    memory.update(user, preference.preference_id, statement="I like black tea")

    fields = {"act": "correct", "statement": "I like white tea", "version": str(preference.version)}
    assert post(client, f"/about/{preference.preference_id}", **fields).status_code == 409
    assert memory.get(user, preference.preference_id).statement == "I like black tea"


@pytest.mark.parametrize(("act", "status"), [("approve", "activated"), ("reject", "rejected")])
def test_what_waits_is_decided_once_although_the_form_comes_twice(
    client: FlaskClient, memory: PreferenceMemory, act: str, status: str
) -> None:
    user = sign_in(client, "mei 梅")
    waiting = memory.remember(user, "Likes quiet hotels 安静", kind="implicit", confidence=0.4).preference
    assert waiting is not None
    assert waiting.status == "resolving"
    assert "Is this right?" in client.get("/about").text

    answers = [post(client, f"/about/{waiting.preference_id}", act=act) for _ in range(2)]
    assert [one.status_code for one in answers] == [200, 200]
    assert memory.get(user, waiting.preference_id).status == status
    assert [one.event for one in memory.history(user, waiting.preference_id)] == ["add", act]
    assert memory.history(user, waiting.preference_id)[-1].actor == f"user:{user}"


def test_a_message_posted_twice_is_one_message(client: FlaskClient, memory: PreferenceMemory) -> None:
    user = sign_in(client, "twice 两次")
    form_id = field(client.get("/").text, "form_id")
    for _ in range(2):
        assert post(client, "/say", message="I like jazz", form_id=form_id).status_code == 200

    assert [one.role for one in memory.list_messages(user).items] == ["user", "assistant"]
    assert memory.list_preferences(user).total == 1


def test_one_is_forgotten_and_then_all(client: FlaskClient, memory: PreferenceMemory) -> None:
    user = sign_in(client, "忘/me 🧹")
    say(client, "I love jazz. I hate olives.")
    gone, kept = memory.list_preferences(user).items

    for _ in range(2):
        assert post(client, f"/about/{gone.preference_id}", act="forget").status_code == 200
    page = client.get("/about").text
    assert gone.statement not in page
    assert kept.statement in page

    assert post(client, "/forget").status_code == 200
    assert memory.list_messages(user).total == 0
    assert memory.list_preferences(user).total == 0
    assert client.get("/about").status_code == 401


def test_nobody_sees_or_changes_what_is_anothers(client: FlaskClient, memory: PreferenceMemory) -> None:
    preference = memory.remember("somebody else", "I like secret gardens").preference
    assert preference is not None
    sign_in(client, "eve")

    for answered in (
        client.get(f"/about/{preference.preference_id}"),
        post(client, f"/about/{preference.preference_id}", act="forget"),
    ):
        assert answered.status_code == 404
        assert "secret" not in answered.text
    assert memory.get("somebody else", preference.preference_id).status == "activated"


def test_a_form_of_another_site_is_refused(client: FlaskClient, memory: PreferenceMemory) -> None:
    user = sign_in(client, "safe")
    memory.remember(user, "I like locks")

    assert client.post("/forget", data={"token": "guessed 猜"}).status_code == 400
    assert client.post("/forget").status_code == 400
    assert memory.list_preferences(user).total == 1


@pytest.mark.parametrize("user", ["", " ", "x" * 201, "a\x00b"])
def test_an_id_that_cannot_be_one_is_a_clear_page(client: FlaskClient, user: str) -> None:
    answered = post(client, "/sign-in", user=user)

    assert answered.status_code == 400
    assert "user_id" in answered.text


def test_what_a_user_writes_is_text_and_not_markup(client: FlaskClient) -> None:
    sign_in(client, "<b>bobby</b>")
    say(client, "I like <script>alert(1)</script> and 茶")

    for page in (client.get("/").text, client.get("/about").text):
        assert "<script>" not in page
        assert "<b>" not in page


@pytest.mark.parametrize("database", ["", "no_such_database"])
def test_b15_no_connection_stays_in_a_transaction_after_errors(
    example: ModuleType, database_url: str, embedder: LocalEmbedder, database: str
) -> None:
    address = database_url.replace("host=", "host=/nowhere") if not database else f"{database_url}&dbname={database}"
    app = example.create_app({"PREFMEM_DATABASE_URL": address}, embedder=embedder)
    client = app.test_client()
    answered = post(client, "/sign-in", user="ana")

    assert answered.status_code == 503
    assert "cannot answer now" in answered.text
    assert "nowhere" not in answered.text
    close_memory(app)


def test_b15_many_requests_at_once_keep_to_the_pool_and_leave_nothing(
    app: Flask, connections: Callable[[], dict[str, int]]
) -> None:
    before = sum(connections().values())

    def use(number: int) -> list[int]:
        client = app.test_client()
        sign_in(client, f"crowd/{number} 人")
        return [
            say(client, f"I like tea number {number} 茶").status_code,
            client.get("/about").status_code,
            client.get(f"/about/{uuid.uuid4()}").status_code,
            client.get("/about?after=nonsense").status_code,
        ]

    with ThreadPoolExecutor(12) as pool:
        answers = list(pool.map(use, range(24)))

    assert {tuple(one) for one in answers} == {(200, 200, 404, 400)}
    after = connections()
    assert set(after) <= {"idle"}
    assert sum(after.values()) <= before + 4
    close_memory(app)
    assert connections() == {}


def test_nothing_is_opened_by_making_the_app_and_it_goes_with_its_memory(embedder: LocalEmbedder) -> None:
    app = Flask("short")
    init_app(app, embedder=embedder)
    app.config["PREFMEM_DATABASE_URL"] = "postgresql:///nowhere?host=/nowhere"
    reference = weakref.ref(get_memory(app))
    del app
    gc.collect()

    assert reference() is None


def test_an_app_without_a_memory_says_what_to_call() -> None:
    with pytest.raises(ConfigurationError, match="init_app"):
        get_memory(Flask("bare"))


def test_the_configuration_wins_over_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PREFMEM_DATABASE_URL", "postgresql:///environment")
    monkeypatch.setenv("PREFMEM_DEDUP_MODE", "fine")
    settings = settings_of({"PREFMEM_DATABASE_URL": "postgresql:///app", "DEBUG": True, "PREFMEM_READ_URL": None})

    assert (settings.database_url, settings.dedup_mode) == ("postgresql:///app", "fine")


def test_the_commands_work_on_the_database_of_the_app(app: Flask, memory: PreferenceMemory) -> None:
    run = app.test_cli_runner().invoke
    assert "the schema is at" in run(args=["prefmem", "upgrade"]).output
    assert run(args=["prefmem", "remember", "cli/用户", "I like 豆腐 🍲"]).exit_code == 0

    assert "豆腐" in run(args=["prefmem", "list", "cli/用户", "--json"]).output
    assert "豆腐" in str(memory.list_preferences("cli/用户").items)
    assert run(args=["prefmem", "no-such-command"]).exit_code == 2
    assert run(args=["prefmem", "get-lost", "--help"]).exit_code == 2
    assert "Preferences" in run(args=["prefmem", "--help"]).output


def test_an_async_caller_uses_a_thread(memory: PreferenceMemory) -> None:
    async def ask() -> str:
        await asyncio.to_thread(memory.remember, "async 异步", "I like quiet trains")
        recalled = await asyncio.to_thread(memory.recall, "async 异步", "train")
        return recalled.text

    assert "quiet trains" in asyncio.run(ask())
