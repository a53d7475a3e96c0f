"""The example apps: chat, what is known, corrections, forms posted twice, bad input, errors, connections."""

import uuid
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from types import ModuleType
from typing import Any
from urllib.parse import quote

import pytest
from flask import Flask

from prefmem_pg.contrib.flask import close_memory, get_memory
from prefmem_pg.db.local import LocalServer
from prefmem_pg.providers.local_embedder import LocalEmbedder
from tests.contrib.sites import Site, django_visitor, flask_visitor
from tests.databases import empty_database

NOBODYS = "0f0e7a52-7b1c-4c1e-9d0a-3a1c5d3e9b10"
USERS = ["ana", "a/b//c 🍵?x=1&y#z", "../../安娜 %2F"]


@pytest.fixture(scope="module")
def app(load_example: Callable[[str], ModuleType], host_database: str, embedder: LocalEmbedder) -> Iterator[Flask]:
    config = {"PREFMEM_DATABASE_URL": host_database, "PREFMEM_EXTRACTOR": "offline", "TESTING": True}
    made: Flask = load_example("flask_app/app.py").create_app(config, embedder=embedder, max_connections=4)
    yield made
    close_memory(made)


@pytest.fixture(params=["flask", "django"])
def visitor(request: pytest.FixtureRequest) -> Callable[[], Site]:
    """Make a visitor who is not signed in."""
    if request.param == "flask":
        app: Flask = request.getfixturevalue("app")
        return lambda: flask_visitor(app, get_memory(app))
    project: Any = request.getfixturevalue("project")
    return lambda: django_visitor(project.get_memory())


@pytest.fixture
def site(visitor: Callable[[], Site]) -> Site:
    return visitor()


def sign_in(site: Site, user: str) -> str:
    """Sign in under an id that no other test has, and return it."""
    return site.sign_in(f"{user} {uuid.uuid4().hex[:6]}")


@pytest.mark.parametrize("user", [*USERS, "长" * 190])
def test_what_is_said_is_known_on_the_page_about_the_user(site: Site, user: str) -> None:
    sign_in(site, user)
    site.say("I prefer window seats on trains.")
    _, told = site.say("我对花生过敏 🥜")

    page = site.text("/about")
    assert "window seats" in page
    assert "花生" in page
    assert "window seats" in told
    assert "window" in site.say("Which seat on the train?")[1]


def test_a_preference_shows_its_evidence_marked_and_its_history(site: Site) -> None:
    user = sign_in(site, "李/雷 🎋")
    site.say("昨天很累。我喜欢靠窗的座位 🚄")
    [preference] = site.memory.list_preferences(user).items

    page = site.text(f"/about/{preference.preference_id}")
    [evidence] = site.memory.evidence(user, preference.preference_id)
    assert f"<mark>{evidence.quote}</mark>" in page
    assert "昨天很累" in page
    assert "Learned:" in page


def test_a_correction_posted_twice_is_one_version(site: Site) -> None:
    user = sign_in(site, "bo")
    preference = site.memory.remember(user, "I like green tea").preference
    assert preference is not None
    address = f"/about/{preference.preference_id}"
    fields = {**site.fields(address), "act": "correct", "statement": "I like oolong tea 乌龙茶"}

    assert [site.post(address, **fields)[0] for _ in range(2)] == [200, 200]
    assert site.memory.get(user, preference.preference_id).statement == "I like oolong tea 乌龙茶"
    versions = site.memory.history(user, preference.preference_id)
    assert [(one.event, one.actor) for one in versions] == [("add", "api"), ("update", "user")]


@pytest.mark.parametrize(("version", "status"), [("1", 409), ("", 400), ("one 一", 400)])
def test_a_correction_of_what_has_changed_meanwhile_is_refused(site: Site, version: str, status: int) -> None:
    user = sign_in(site, "bo")
    preference = site.memory.remember(user, "I like green tea").preference
    assert preference is not None
    site.memory.update(user, preference.preference_id, statement="I like black tea")

    fields = {"act": "correct", "statement": "I like white tea", "version": version}
    assert site.post(f"/about/{preference.preference_id}", **fields)[0] == status
    assert site.memory.get(user, preference.preference_id).statement == "I like black tea"


@pytest.mark.parametrize(("act", "status"), [("approve", "activated"), ("reject", "rejected")])
def test_what_waits_is_decided_once_although_the_form_comes_twice(site: Site, act: str, status: str) -> None:
    user = sign_in(site, "mei 梅")
    waiting = site.memory.remember(user, "Likes quiet hotels 安静", kind="implicit", confidence=0.4).preference
    assert waiting is not None
    assert waiting.status == "resolving"
    assert "Is this right?" in site.text("/about")

    assert [site.post(f"/about/{waiting.preference_id}", act=act)[0] for _ in range(2)] == [200, 200]
    assert site.memory.get(user, waiting.preference_id).status == status
    assert [one.event for one in site.memory.history(user, waiting.preference_id)] == ["add", act]


def test_a_message_posted_twice_even_at_once_is_one_message(visitor: Callable[[], Site]) -> None:
    site = visitor()
    user = sign_in(site, "twice 两次")
    fields = site.fields()

    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(lambda _: site.send("POST", "/say", {**fields, "message": "I like jazz"}), range(4)))

    assert [status for status, _ in answers] == [200] * 4
    assert [one.role for one in site.memory.list_messages(user).items] == ["user", "assistant"]
    assert site.memory.list_preferences(user).total == 1


def test_one_is_forgotten_and_then_all(site: Site) -> None:
    user = sign_in(site, "忘/me 🧹")
    site.say("I love jazz. I hate olives.")
    gone, kept = site.memory.list_preferences(user).items

    for _ in range(2):
        assert site.post(f"/about/{gone.preference_id}", act="forget")[0] == 200
    page = site.text("/about")
    assert gone.statement not in page
    assert kept.statement in page

    assert site.post("/forget")[0] == 200
    assert site.memory.list_messages(user).total == 0
    assert site.memory.list_preferences(user).total == 0
    assert site.get("/about")[0] == 401


def test_nobody_sees_or_changes_what_is_anothers(site: Site) -> None:
    owner = f"somebody else {uuid.uuid4()}"
    preference = site.memory.remember(owner, "I like secret gardens").preference
    assert preference is not None
    sign_in(site, "eve")

    address = f"/about/{preference.preference_id}"
    for status, text in (site.get(address), site.post(address, act="forget")):
        assert status == 404
        assert "secret" not in text
    assert site.memory.get(owner, preference.preference_id).status == "activated"


@pytest.mark.parametrize("token", [{}, {"token": "guessed 猜", "csrfmiddlewaretoken": "guessed"}])
def test_a_form_of_another_site_is_refused(site: Site, token: dict[str, str]) -> None:
    user = sign_in(site, "safe")
    site.memory.remember(user, "I like locks")

    assert site.send("POST", "/forget", token)[0] in (400, 403)
    assert site.memory.list_preferences(user).total == 1


@pytest.mark.parametrize("user", ["", " ", "x" * 201, "a\x00b"])
def test_an_id_that_cannot_be_one_is_a_clear_page(site: Site, user: str) -> None:
    status, text = site.post("/sign-in", user=user)

    assert status == 400
    assert "user_id" in text
    assert site.get("/about")[0] == 401


@pytest.mark.parametrize(
    ("path", "fields", "status"),
    [
        ("/say", {"message": "hello 你好", "form_id": "not an id"}, 400),
        ("/say", {"message": " "}, 400),
        (f"/about/{NOBODYS}", {"act": "explode 💥"}, 400),
        (f"/about/{NOBODYS}", {"act": "forget"}, 404),
        ("/about/not-an-id/安娜", {}, 404),
    ],
)
def test_a_wrong_form_is_refused_and_stores_nothing(site: Site, path: str, fields: dict[str, str], status: int) -> None:
    user = sign_in(site, "wrong 错")

    assert site.post(path, **fields)[0] == status
    assert site.memory.list_messages(user).total == 0


@pytest.mark.parametrize("path", ["/nope/安娜 🙂", "/about/not-an-id", "/about/a/b?c=d#e"])
def test_a_wrong_url_is_a_page_like_all_others(site: Site, path: str) -> None:
    sign_in(site, "lost 迷路")

    status, text = site.get(quote(path, safe="/?=#"))

    assert status == 404
    assert "There is no such page." in text
    assert 'name="viewport"' in text
    assert "Back to the chat" in text


def test_what_a_user_writes_is_text_and_not_markup(site: Site) -> None:
    sign_in(site, "<b>bobby</b>")
    site.say("I like <script>alert(1)</script> and 茶")

    for page in (site.text("/"), site.text("/about")):
        assert "<script>" not in page
        assert "<b>" not in page


def test_a_long_chat_shows_its_end(site: Site) -> None:
    user = sign_in(site, "talkative 话多")
    site.say("begin 开始")
    dialog = site.memory.list_messages(user).items[0].dialog_id
    turns = [{"role": "user", "content": f"turn number {number} 轮"} for number in range(120)]
    site.memory.add_messages(user, turns, dialog_id=dialog, session_id=dialog)

    page = site.text("/")
    assert "turn number 119 轮" in page
    assert "begin 开始" not in page


@pytest.fixture
def broken(server: LocalServer, database_url: str, request: pytest.FixtureRequest) -> Iterator[str]:
    """The URL of a database that cannot serve."""
    if request.param == "no server":
        yield "postgresql:///nowhere?host=/nowhere"
    elif request.param == "no database":
        yield f"{database_url}&dbname=no_such_database"
    else:
        with empty_database(server) as url:
            yield url


@pytest.mark.parametrize("broken", ["no server", "no database", "no tables"], indirect=True)
@pytest.mark.parametrize("host", ["flask", "django"])
def test_b15_a_database_that_cannot_serve_is_a_clear_page_and_is_told_in_the_log(
    host: str,
    broken: str,
    request: pytest.FixtureRequest,
    embedder: LocalEmbedder,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    if host == "flask":
        example = request.getfixturevalue("load_example")("flask_app/app.py")
        app = example.create_app({"PREFMEM_DATABASE_URL": broken}, embedder=embedder)
        site, close = flask_visitor(app, get_memory(app)), lambda: close_memory(app)
    else:
        project = request.getfixturevalue("project")
        project.close_memory()
        monkeypatch.setattr("django.conf.settings.PREFMEM", {"DATABASE_URL": broken})
        site, close = django_visitor(project.get_memory()), project.close_memory

    status, text = site.post("/sign-in", user="ana 安娜")

    assert status == 503
    assert "cannot answer now" in text
    assert "nowhere" not in text
    assert "prefmem upgrade" not in text
    assert "the memory cannot answer" in caplog.text
    pool: Any = site.memory.database.engine.pool
    assert pool.checkedout() == 0
    close()


def test_b15_many_requests_at_once_keep_to_the_pool_and_leave_nothing(visitor: Callable[[], Site]) -> None:
    def use(number: int) -> list[int]:
        site = visitor()
        sign_in(site, f"crowd/{number} 人")
        pages = ("/about", f"/about/{uuid.uuid4()}", "/about?after=nonsense")
        return [site.say(f"I like tea number {number} 茶")[0], *(site.get(page)[0] for page in pages)]

    with ThreadPoolExecutor(12) as pool:
        answers = list(pool.map(use, range(24)))

    assert {tuple(one) for one in answers} == {(200, 200, 404, 400)}
    pool_of_memory: Any = visitor().memory.database.engine.pool
    assert pool_of_memory.checkedout() == 0
    assert pool_of_memory.checkedin() <= 4
