"""Summaries of dialogs and days: written once, linked to their messages, found again, and gone with what they tell."""

import dataclasses
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import text

from prefmem_pg.db.engine import make_engine
from prefmem_pg.db.session import Database
from prefmem_pg.domain.summaries import Summary
from prefmem_pg.errors import InvalidInput, NotFound, ProviderUnavailable
from prefmem_pg.memory import PreferenceMemory
from prefmem_pg.providers.local_embedder import LocalEmbedder
from prefmem_pg.providers.protocols import Abstract, Passage
from prefmem_pg.testing import ScriptedSummarizer
from tests.conftest import RolledBackDatabase, fresh_database

HIKE = {
    "en": [
        ("user", "Hi!", "2026-05-01T09:00:00+00:00"),
        ("user", "We are planning a hiking trip to the Dolomites in September.", "2026-05-01T09:01:00+00:00"),
        ("assistant", "Great! Do you want mountain huts or hotels?", "2026-05-01T09:02:00+00:00"),
        ("user", "Mountain huts, and no more than six hours of walking a day 🥾", "2026-05-01T09:03:00+00:00"),
        ("user", "Thanks!", "2026-05-01T09:04:00+00:00"),
    ],
    "zh": [
        ("user", "你好", "2026-05-01T09:00:00+00:00"),
        ("user", "我们打算九月去云南徒步，想找个向导。", "2026-05-01T09:01:00+00:00"),
        ("assistant", "好的！想住客栈还是露营？", "2026-05-01T09:02:00+00:00"),
        ("user", "住客栈，每天走路不超过六个小时 🥾", "2026-05-01T09:03:00+00:00"),
        ("user", "谢谢！", "2026-05-01T09:04:00+00:00"),
    ],
    "mixed": [
        ("user", "hello", "2026-05-01T09:00:00+00:00"),
        ("user", "我想 book 一个 Kyoto 的 ryokan，两个人住三晚。", "2026-05-01T09:01:00+00:00"),
        ("assistant", "OK，预算多少？", "2026-05-01T09:02:00+00:00"),
        ("user", "Budget 大概 30000 日元一晚 🙏", "2026-05-01T09:03:00+00:00"),
        ("user", "thx", "2026-05-01T09:04:00+00:00"),
    ],
}
EACH = pytest.mark.parametrize("language", list(HIKE))
TOLD = {"en": "mountain huts", "zh": "云南徒步", "mixed": "Kyoto 的 ryokan"}
ASKED = {"en": "Where do we go walking in autumn?", "zh": "秋天去哪里爬山？", "mixed": "京都住哪里？"}


def say(memory: PreferenceMemory, user_id: str, dialog_id: str, turns: list[tuple[str, str, str]], **ids: str) -> list:
    given = [{"role": role, "content": content, "occurred_at": at} for role, content, at in turns]
    return memory.add_messages(user_id, given, dialog_id=dialog_id, **ids)


def stored(memory: PreferenceMemory, user_id: str) -> list[tuple[str, str | None, str]]:
    with memory.database.transaction(user_id=user_id) as repositories:
        statement = "SELECT scope, dialog_id, text FROM prefmem.summaries ORDER BY scope DESC, period_start, dialog_id"
        return [tuple(row) for row in repositories.session.execute(text(statement))]


def first_words(passage: Passage) -> Abstract:
    first = passage.messages[0]
    return Abstract(text=first.content, message_ids=(first.message_id,))


@pytest.fixture
def scripted(rolled_back: RolledBackDatabase, embedder: LocalEmbedder) -> Callable[..., PreferenceMemory]:
    """Make a memory whose summaries are the first message, or what the given function answers."""

    def make(answer: Callable[[Passage], Abstract | None] = first_words) -> PreferenceMemory:
        return PreferenceMemory(rolled_back, embedder=embedder, summarizer=ScriptedSummarizer(answer))

    return make


@EACH
def test_a_dialog_and_its_day_are_told_by_what_the_user_said(
    memory: PreferenceMemory, user_id: str, language: str
) -> None:
    messages = say(memory, user_id, "d-1", HIKE[language])

    report = memory.summarize()

    assert (report.users, report.dialogs, report.days, report.failed) == (1, 1, 1, 0)
    [hit, _] = memory.search_summaries(user_id, ASKED[language])
    assert TOLD[language].lower() in hit.summary.text.lower()
    assert messages[0].content not in hit.summary.text.splitlines()
    assert messages[4].content not in hit.summary.text.splitlines()
    assert {m.message_id for m in memory.summary_messages(user_id, hit.summary.summary_id)} == {
        m.message_id for m in messages if m.content[-8:] in hit.summary.text
    }


@EACH
def test_summarizing_again_reads_nothing(
    scripted: Callable[..., PreferenceMemory], user_id: str, language: str
) -> None:
    memory = scripted()
    say(memory, user_id, "d-1", HIKE[language])
    say(memory, user_id, "d-2", [("user", "再说一件事 one more thing", "2026-05-01T20:00:00+00:00")])
    memory.summarize()
    before = stored(memory, user_id)
    summarizer = memory._ready().summarizer()
    asked = len(summarizer.passages)

    report = memory.summarize()

    assert (report.dialogs, report.days, report.embedded) == (0, 0, 0)
    assert len(summarizer.passages) == asked == 3
    assert stored(memory, user_id) == before


def test_a_day_with_one_dialog_is_not_summarized_twice(scripted: Callable[..., PreferenceMemory], user_id: str) -> None:
    memory = scripted()
    say(memory, user_id, "d-1", HIKE["en"])

    report = memory.summarize()

    assert (report.dialogs, report.days) == (1, 1)
    assert len(memory._ready().summarizer().passages) == 1


@EACH
def test_a_dialog_that_goes_on_is_summarized_anew_in_the_same_place(
    scripted: Callable[..., PreferenceMemory], user_id: str, language: str
) -> None:
    memory = scripted(lambda passage: Abstract(text=f"{len(passage.messages)} turns 轮", message_ids=()))
    say(memory, user_id, "d-1", HIKE[language])
    memory.summarize()

    say(memory, user_id, "d-1", [("user", "An earlier word 更早的话", "2026-04-30T23:00:00+00:00")])
    memory.summarize()

    assert stored(memory, user_id) == [
        ("dialog", "d-1", "6 turns 轮"),
        ("day", None, "1 turns 轮"),
        ("day", None, "5 turns 轮"),
    ]


def test_a_day_is_one_of_the_users_time_zone(scripted: Callable[..., PreferenceMemory], user_id: str) -> None:
    memory = scripted(lambda passage: Abstract(text=f"{len(passage.messages)}", message_ids=()))
    say(memory, user_id, "d-1", [("user", "late", "2026-05-01T15:59:59+00:00")])
    say(memory, user_id, "d-1", [("user", "深夜", "2026-05-01T16:00:00+00:00")])
    with memory.database.transaction(user_id=user_id) as repositories:
        repositories.session.execute(text("UPDATE prefmem.users SET time_zone = 'Asia/Shanghai'"))

    memory.summarize()

    days = [hit.summary for hit in memory.search_summaries(user_id, "1", scope="day")]
    assert sorted(day.period_start for day in days) == [
        datetime(2026, 4, 30, 16, tzinfo=UTC),
        datetime(2026, 5, 1, 16, tzinfo=UTC),
    ]


def test_days_of_another_time_zone_make_room(scripted: Callable[..., PreferenceMemory], user_id: str) -> None:
    memory = scripted()
    say(memory, user_id, "d-1", [("user", "晚上 evening", "2026-05-01T15:00:00+00:00")])
    memory.summarize()
    with memory.database.transaction(user_id=user_id) as repositories:
        repositories.session.execute(text("UPDATE prefmem.users SET time_zone = 'Pacific/Auckland'"))

    memory.summarize()

    [day] = [hit.summary for hit in memory.search_summaries(user_id, "evening", scope="day")]
    assert day.period_start == datetime(2026, 5, 1, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("since", "until", "dialogs"),
    [
        (None, datetime(2026, 5, 2, tzinfo=UTC), ["d-1"]),
        (datetime(2026, 5, 2, tzinfo=UTC), None, ["d-2"]),
        (datetime(2026, 5, 3, tzinfo=UTC), None, []),
    ],
)
def test_the_period_is_half_open(
    scripted: Callable[..., PreferenceMemory],
    user_id: str,
    since: datetime | None,
    until: datetime | None,
    dialogs: list[str],
) -> None:
    memory = scripted()
    say(memory, user_id, "d-1", [("user", "first", "2026-05-01T23:59:59+00:00")])
    say(memory, user_id, "d-2", [("user", "第二", "2026-05-02T00:00:00+00:00")])

    memory.summarize(since=since, until=until)

    assert [dialog for scope, dialog, _ in stored(memory, user_id) if scope == "dialog"] == dialogs


@pytest.mark.parametrize("error", [ProviderUnavailable("down 挂了"), ValueError("坏 bad")])
def test_one_bad_dialog_sinks_no_other_and_is_tried_again(
    scripted: Callable[..., PreferenceMemory], user_id: str, error: Exception
) -> None:
    def answer(passage: Passage) -> Abstract:
        if errors and "毒 poison" in passage.messages[0].content:
            raise errors[0]
        return first_words(passage)

    errors = [error]
    memory = scripted(answer)
    say(memory, user_id, "bad", [("user", "毒 poison", "2026-05-01T09:00:00+00:00")])
    say(memory, user_id, "good", [("user", "好的一天 a good day", "2026-05-02T09:00:00+00:00")])

    report = memory.summarize()
    errors.clear()
    again = memory.summarize()

    assert (report.dialogs, report.failed) == (1, 2)
    assert list(report.errors) == [f"{user_id}/bad", f"{user_id}/2026-05-01"]
    assert (again.dialogs, again.days, again.failed) == (1, 1, 0)


def test_small_talk_alone_has_nothing_to_tell_and_is_not_read_again(memory: PreferenceMemory, user_id: str) -> None:
    say(memory, user_id, "d-1", [("user", "Hi, thanks!", "2026-05-01T09:00:00+00:00")])
    say(memory, user_id, "d-2", [("user", "好的，谢谢啦～", "2026-05-02T09:00:00+00:00")])

    reports = [memory.summarize(), memory.summarize()]

    assert [report.empty for report in reports] == [4, 0]
    assert memory.search_summaries(user_id, "thanks 谢谢") == []


@EACH
def test_what_is_forgotten_while_it_is_summarized_is_not_told(
    scripted: Callable[..., PreferenceMemory], user_id: str, language: str
) -> None:
    def answer(passage: Passage) -> Abstract:
        memory.forget_messages(user_id, [messages[1].message_id])
        return Abstract(text=" ".join(m.content for m in passage.messages), message_ids=())

    memory = scripted(answer)
    messages = say(memory, user_id, "d-1", HIKE[language])

    report = memory.summarize()

    assert (report.skipped, report.dialogs) == (1, 0)
    assert messages[1].content not in "".join(told for _, _, told in stored(memory, user_id))


@EACH
def test_a_user_who_is_forgotten_while_they_are_summarized_does_not_come_back(
    scripted: Callable[..., PreferenceMemory], user_id: str, language: str
) -> None:
    def answer(passage: Passage) -> Abstract:
        memory.forget(user_id)
        return first_words(passage)

    memory = scripted(answer)
    say(memory, user_id, "d-1", HIKE[language])

    memory.summarize()

    assert memory.verify_erased(user_id, [HIKE[language][1][1][:12]]).texts == {}


@EACH
def test_forgetting_takes_summaries_and_their_vectors_along(
    memory: PreferenceMemory, user_id: str, language: str
) -> None:
    messages = say(memory, user_id, "d-1", HIKE[language])
    say(memory, user_id, "d-2", [("user", "Another day, another plan 改天", "2026-06-01T09:00:00+00:00")])
    memory.summarize()

    counts = memory.forget_messages(user_id, [messages[3].message_id]).counts

    assert counts["summaries"] == 2
    assert [dialog for _, dialog, _ in stored(memory, user_id)] == ["d-2", None]
    assert memory.forget(user_id, verify=True).proof.is_clean


PRIVATE = {
    "en": ("My therapist changed my depression medication last week.", "I started to learn the cello in Graz."),
    "zh": ("医生上周给我换了抗抑郁药。", "我开始在成都学大提琴了。"),
}


@pytest.mark.parametrize("language", list(PRIVATE))
def test_what_is_sensitive_is_told_with_consent_alone(memory: PreferenceMemory, user_id: str, language: str) -> None:
    private, plain = PRIVATE[language]
    say(memory, user_id, "d-1", [("user", f"{plain} {private}", "2026-05-01T09:00:00+00:00")])

    memory.summarize()
    without = memory.search_summaries(user_id, plain)
    memory.set_consent(user_id, sensitive=True)
    memory.summarize()
    with_consent = memory.search_summaries(user_id, plain)
    memory.set_consent(user_id, sensitive=False)
    withdrawn = memory.search_summaries(user_id, plain)

    assert [hit.summary.text for hit in without] == [plain, plain]
    assert all(private in hit.summary.text for hit in with_consent)
    assert {hit.summary.sensitivity for hit in with_consent} == {"health"}
    assert withdrawn == []


@pytest.mark.parametrize("said", ["I'm allergic to peanuts, even traces.", "我对花生过敏，一点点都不行。"])
def test_safety_is_told_without_consent(memory: PreferenceMemory, user_id: str, said: str) -> None:
    say(memory, user_id, "d-1", [("user", said, "2026-05-01T09:00:00+00:00")])

    memory.summarize()

    assert memory.search_summaries(user_id, "snack 零食")[0].summary.text == said


def test_a_summarizer_is_not_trusted_with_secrets_and_links(
    scripted: Callable[..., PreferenceMemory], user_id: str
) -> None:
    other = say(scripted(), "u-other", "d-9", [("user", "别人的话", "2026-05-01T09:00:00+00:00")])
    memory = scripted(
        lambda passage: Abstract(
            text="their key is sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789ABCD 密钥",
            message_ids=(other[0].message_id, passage.messages[0].message_id),
        )
    )
    [own] = say(memory, user_id, "d-1", [("user", "hello there, my friend", "2026-05-01T09:00:00+00:00")])

    memory.summarize(user_id=user_id)

    [hit, _] = memory.search_summaries(user_id, "key")
    assert "abcdefghijklmnop" not in hit.summary.text
    assert hit.summary.message_ids == (own.message_id,)


@EACH
def test_nobody_finds_or_reads_another_users_summaries(memory: PreferenceMemory, user_id: str, language: str) -> None:
    say(memory, user_id, "d-1", HIKE[language])
    memory.summarize()
    [hit, _] = memory.search_summaries(user_id, ASKED[language])

    assert memory.search_summaries("u-stranger", TOLD[language]) == []
    with pytest.raises(NotFound):
        memory.summary_messages("u-stranger", hit.summary.summary_id)


def test_summaries_are_found_by_word_by_meaning_and_by_the_day_that_is_asked_for(
    scripted: Callable[..., PreferenceMemory], user_id: str
) -> None:
    memory = scripted()
    say(memory, user_id, "tax", [("user", "The tax office wants form E-17 by June", "2026-03-02T09:00:00+00:00")])
    say(memory, user_id, "cat", [("user", "我家的猫最近总是不肯吃饭", "2026-03-20T09:00:00+00:00")])
    say(memory, user_id, "boat", [("user", "We rented a small boat on the lake 🚣", "2026-04-11T09:00:00+00:00")])
    memory.summarize()

    def best(query: str) -> str | None:
        now = datetime(2026, 5, 1, tzinfo=UTC)
        return memory.search_summaries(user_id, query, scope="dialog", limit=1, now=now)[0].summary.dialog_id

    assert best("E-17") == "tax"
    assert best("宠物没胃口") == "cat"
    assert best("sailing trip") == "boat"
    assert best("What did we talk about in April?") == "boat"
    assert best("四月我们聊了什么？") == "boat"


@EACH
def test_a_dump_brings_summaries_back_as_they_were(
    server, memory: PreferenceMemory, embedder: LocalEmbedder, user_id: str, language: str, tmp_path: Path
) -> None:
    say(memory, user_id, "d-1", HIKE[language])
    memory.summarize()
    before = memory.search_summaries(user_id, ASKED[language])
    memory.dump(tmp_path / "all.jsonl", user_id=user_id)

    with fresh_database(server) as url, PreferenceMemory(Database(make_engine(url)), embedder=embedder) as other:
        other.load(tmp_path / "all.jsonl")
        assert other.search_summaries(user_id, ASKED[language]) == before
        assert other.summarize().dialogs == 0


def test_vectors_that_are_missing_are_made_later(scripted: Callable[..., PreferenceMemory], user_id: str) -> None:
    memory = scripted()
    say(memory, user_id, "d-1", HIKE["zh"])
    memory.summarize()
    with memory.database.transaction(user_id=user_id) as repositories:
        repositories.session.execute(text("DELETE FROM prefmem.summary_embeddings"))
    assert {hit.semantic for hit in memory.search_summaries(user_id, "你好")} == {None}

    assert memory.embed_missing(user_id=user_id).summaries == 2

    assert None not in {hit.semantic for hit in memory.search_summaries(user_id, "你好")}


def test_another_version_of_the_summarizer_tells_everything_anew(
    scripted: Callable[..., PreferenceMemory], user_id: str
) -> None:
    memory = scripted()
    say(memory, user_id, "d-1", HIKE["en"])
    memory.summarize()
    memory._ready().summarizer().version = "2"

    assert memory.summarize().dialogs == 1


@pytest.mark.parametrize("query", ["", "🙂", "的", "the", "'; DROP TABLE x; --", "\\ \" ' % _", "字" * 5_000])
def test_any_text_is_a_question_to_summaries(memory: PreferenceMemory, user_id: str, query: str) -> None:
    say(memory, user_id, "d-1", HIKE["zh"])
    memory.summarize()

    hits = memory.search_summaries(user_id, query)

    assert [hit.summary.scope for hit in hits] in (["dialog", "day"], ["day", "dialog"])
    assert all(0 <= hit.score <= 1 for hit in hits)


@pytest.mark.parametrize(
    "options",
    [{"limit": 0}, {"scope": "week"}, {"now": datetime(2026, 5, 1)}, {"limit": True}],  # noqa: DTZ001
)
def test_bad_options_are_refused(memory: PreferenceMemory, user_id: str, options: dict) -> None:
    with pytest.raises(InvalidInput):
        memory.search_summaries(user_id, "x", **options)


def test_a_summary_has_every_column_that_is_read() -> None:
    from prefmem_pg.db.summaries import SUMMARY_COLUMNS

    assert tuple(field.name for field in dataclasses.fields(Summary)) == SUMMARY_COLUMNS
