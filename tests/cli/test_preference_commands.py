"""Commands that write down, find and correct preferences."""

import json
import os
import pty
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from sqlalchemy import text
from typer.testing import Result

from prefmem_pg.db.session import Database
from tests.cli.conftest import write_lines
from tests.conftest import count

Cli = Callable[..., Result]
CliJson = Callable[..., Any]

CONTRACT = {"preference_id", "kind", "statement", "polarity", "topic", "status"}


def remembered(cli_json: CliJson, user_id: str, *statements: str) -> list[dict[str, Any]]:
    return [cli_json("remember", user_id, statement)["preference"] for statement in statements]


def test_a_statement_is_added_once(cli_json: CliJson, user_id: str) -> None:
    first = cli_json("remember", user_id, "我喜欢靠窗的座位🪟", "--topic", "旅行", "--tag", "火车", "--tag", "train")
    second = cli_json("remember", user_id, "我喜欢靠窗的座位🪟")

    assert (first["action"], second["action"]) == ("added", "duplicate")
    assert first["preference"]["statement"] == "我喜欢靠窗的座位🪟"
    assert (first["preference"]["topic"], first["preference"]["tags"]) == ("旅行", ["火车", "train"])


def test_a_fact_is_stored_as_a_fact(cli_json: CliJson, user_id: str) -> None:
    assert cli_json("remember", user_id, "I have two cats", "--kind", "fact")["preference"]["kind"] == "fact"


def test_search_prints_what_the_contract_names_best_first(cli_json: CliJson, user_id: str) -> None:
    remembered(cli_json, user_id, "I prefer window seats on planes", "我讨厌香菜")

    hits = cli_json("search", user_id, "which seat should I book?")

    assert [hit["statement"] for hit in hits] == ["I prefer window seats on planes", "我讨厌香菜"]
    assert all(hit.keys() >= CONTRACT | {"score", "explanation", "evidence"} for hit in hits)
    assert hits[0]["score"] > hits[1]["score"]


def test_a_question_in_the_other_language_finds_it(cli_json: CliJson, user_id: str) -> None:
    remembered(cli_json, user_id, "I love hiking in the mountains", "I always drink black coffee")

    assert cli_json("search", user_id, "喝什么饮料？", "--limit", "1")[0]["statement"] == "I always drink black coffee"


def test_filters_of_the_options_and_of_json_hold_together(cli_json: CliJson, user_id: str) -> None:
    cli_json("remember", user_id, "I like tea", "--topic", "drink", "--kind", "explicit")
    cli_json("remember", user_id, "I own a tea garden", "--topic", "drink", "--kind", "fact")
    cli_json("remember", user_id, "I like apples", "--topic", "food")

    options = ["--topic", "drink", "--filter", '{"kind": {"ne": "fact"}}']

    assert [hit["statement"] for hit in cli_json("search", user_id, "tea", *options)] == ["I like tea"]
    assert [row["statement"] for row in cli_json("list", user_id, *options)] == ["I like tea"]


def test_only_a_least_score_shortens_the_list(cli_json: CliJson, user_id: str) -> None:
    remembered(cli_json, user_id, "I like tea", "我住在上海")

    assert len(cli_json("search", user_id, "tea", "--limit", "2")) == 2
    assert cli_json("search", user_id, "tea", "--min-score", "1") == []


def test_no_learn_counts_no_use(cli: Cli, cli_json: CliJson, database: Database, user_id: str) -> None:
    remembered(cli_json, user_id, "I like tea")
    used = "SELECT coalesce(sum(access_count), 0) FROM prefmem.preference_usage WHERE user_id = :user_id"

    cli("search", user_id, "tea", "--no-learn")
    before = count(database, used, user_id=user_id)
    cli("search", user_id, "tea")

    assert (before, count(database, used, user_id=user_id)) == (0, 1)


def test_an_explained_search_says_how_the_score_came_about(cli: Cli, cli_json: CliJson, user_id: str) -> None:
    remembered(cli_json, user_id, "我喜欢喝乌龙茶")

    result = cli("search", user_id, "乌龙茶", "--explain")

    assert "我喜欢喝乌龙茶" in result.stdout
    assert "semantic" in result.stdout
    assert "recency ×" in result.stdout


def test_nothing_found_is_said_beside_the_output(cli: Cli, user_id: str) -> None:
    result = cli("search", user_id, "anything")

    assert (result.exit_code, result.stdout, result.stderr) == (0, "", f"nothing found for user {user_id}\n")


def test_recall_prints_the_text_for_the_prompt(cli: Cli, cli_json: CliJson, user_id: str) -> None:
    [preference] = remembered(cli_json, user_id, "I am allergic to peanuts [really] 🥜")

    text = cli("recall", user_id, "Plan a dinner").stdout
    recalled = cli_json("recall", user_id, "Plan a dinner")

    assert f"[{preference['preference_id']}]" in text
    assert "I am allergic to peanuts [really] 🥜" in text
    assert recalled["text"] == text.rstrip("\n")
    assert [hit["preference_id"] for hit in recalled["hits"]] == [preference["preference_id"]]


def test_a_list_goes_on_after_its_page(cli: Cli, cli_json: CliJson, user_id: str) -> None:
    remembered(cli_json, user_id, "I like tea", "我住在上海", "My dog is called Otto")

    first = cli("list", user_id, "--page-size", "2", "--json")
    after = first.stderr.rsplit("--after ", 1)[1].strip()
    second = cli_json("list", user_id, "--page-size", "2", "--after", after)

    statements = [row["statement"] for row in json.loads(first.stdout) + second]
    assert statements == ["My dog is called Otto", "我住在上海", "I like tea"]
    assert all(row.keys() >= CONTRACT and "score" not in row for row in second)


def test_what_replaced_it_is_listed_and_the_old_one_only_by_its_status(cli_json: CliJson, user_id: str) -> None:
    cli_json("remember", user_id, "I love coffee")
    cli_json("remember", user_id, "I don't like coffee any more")

    assert [row["statement"] for row in cli_json("list", user_id)] == ["I don't like coffee any more"]
    assert [row["statement"] for row in cli_json("list", user_id, "--status", "superseded")] == ["I love coffee"]


def test_history_shows_every_change(cli: Cli, cli_json: CliJson, user_id: str) -> None:
    [preference] = remembered(cli_json, user_id, "我喜欢爬山")
    cli_json("update", user_id, preference["preference_id"], "--statement", "我喜欢周末爬山", "--reason", "更正")

    versions = cli_json("history", user_id, preference["preference_id"])

    assert [version["event"] for version in versions] == ["add", "update"]
    assert versions[1]["state_after"]["statement"] == "我喜欢周末爬山"
    assert "更正" in cli("history", user_id, preference["preference_id"]).stdout


def test_an_archived_preference_comes_back_by_restore_and_by_undo(cli_json: CliJson, user_id: str) -> None:
    [preference] = remembered(cli_json, user_id, "I like tea")
    key = preference["preference_id"]

    assert cli_json("archive", user_id, key)["status"] == "archived"
    assert cli_json("restore", user_id, key)["status"] == "activated"
    cli_json("archive", user_id, key)
    last = cli_json("history", user_id, key)[-1]["version_id"]
    assert [row["status"] for row in cli_json("undo", user_id, last)] == ["activated"]


def test_a_rejected_statement_is_not_stored_again(cli: Cli, cli_json: CliJson, user_id: str) -> None:
    [preference] = remembered(cli_json, user_id, "I like tea")

    cli_json("review", user_id, "--reject", preference["preference_id"], "--actor", "maria")

    assert cli_json("remember", user_id, "I like tea")["action"] == "rejected"
    assert cli("review", user_id).stderr == "nothing waits for review\n"


def test_a_decision_without_a_user_is_bad_usage(cli: Cli) -> None:
    assert cli("review", "--approve", "x").exit_code == 2


def test_a_profile_is_printed_as_layers(cli_json: CliJson, user_id: str) -> None:
    assert cli_json("profile", user_id)["user_id"] == user_id


def test_sensitive_preferences_need_consent(cli: Cli, cli_json: CliJson, user_id: str) -> None:
    remembered(cli_json, user_id, "I take antidepressants every morning")

    before = cli_json("search", user_id, "medication")
    cli("consent", user_id, "--sensitive")

    assert before == []
    assert len(cli_json("search", user_id, "medication")) == 1


def test_a_deleted_preference_leaves_no_statement(cli: Cli, cli_json: CliJson, user_id: str) -> None:
    [preference] = remembered(cli_json, user_id, "我喜欢爬山")

    assert cli("delete", user_id, preference["preference_id"], "--yes").exit_code == 0
    assert cli_json("list", user_id, "--status", "deleted")[0]["statement"] is None


def test_forget_erases_and_proves_it(cli: Cli, cli_json: CliJson, tmp_path: Path, user_id: str) -> None:
    line = {"user_id": user_id, "role": "user", "content": "我喜欢在周末去爬香山🍁"}
    path = str(write_lines(tmp_path / "a.jsonl", line))
    cli("ingest", path, "--extract")

    erasure = cli_json("forget", user_id, "--yes", "--verify")

    assert erasure["counts"]["messages"] == 1
    assert erasure["is_clean"]
    assert cli_json("list", user_id, "--status", "deleted") == []


def test_some_messages_alone_are_forgotten_with_what_rests_on_them(
    cli: Cli, cli_json: CliJson, database: Database, tmp_path: Path, user_id: str
) -> None:
    lines = [
        {"user_id": user_id, "role": "user", "content": text, "dialog_id": f"d-{place}"}
        for place, text in enumerate(("我喜欢在周末去爬香山🍁", "I like black tea"))
    ]
    cli("ingest", str(write_lines(tmp_path / "a.jsonl", *lines)), "--extract")
    with database.transaction(user_id=user_id) as repositories:
        [gone, _] = repositories.session.scalars(
            text("SELECT CAST(message_id AS text) FROM prefmem.messages ORDER BY dialog_id")
        )

    erasure = cli_json("forget", user_id, "--message", gone, "--yes")
    again = cli_json("forget", user_id, "--message", gone, "--yes")

    assert (erasure["counts"]["messages"], erasure["counts"]["preferences"]) == (1, 1)
    assert again["counts"] == {}
    assert [row["statement"] for row in cli_json("list", user_id)] == ["I like black tea"]
    assert cli("forget", user_id, "--message", gone, "--yes", "--verify").exit_code == 2
    assert cli("forget", user_id, "--message", "m-1", "--yes").exit_code == 1


def test_at_a_terminal_forget_asks_first(cli_json: CliJson, environment: dict[str, str], user_id: str) -> None:
    remembered(cli_json, user_id, "I like tea")
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "prefmem_pg", "forget", user_id]
    with subprocess.Popen(
        command, env=environment, stdin=theirs, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as asking:
        os.write(ours, b"n\n")
        out, errors = asking.communicate(timeout=600)
    os.close(ours)
    os.close(theirs)

    assert (asking.returncode, out) == (1, b"")
    assert b"cannot be undone" in errors
    assert len(cli_json("list", user_id)) == 1


def test_what_was_forgotten_is_refused_unless_allowed(cli: Cli, tmp_path: Path, user_id: str) -> None:
    path = str(write_lines(tmp_path / "a.jsonl", {"user_id": user_id, "role": "user", "content": "I like tea"}))
    cli("ingest", path)
    cli("forget", user_id, "--yes")

    refused = json.loads(cli("ingest", path, "--json").stdout)
    allowed = json.loads(cli("ingest", path, "--allow-erased", "--json").stdout)

    assert (refused["erased"], refused["added"]) == (1, 0)
    assert allowed["added"] == 1


def test_recall_in_a_session_raises_what_must_be_heard(
    cli: Callable[..., Result], cli_json: Callable[..., Any], tmp_path: Path
) -> None:
    cli("remember", "mei", "我对花粉过敏")
    said = [
        {"user_id": "mei", "session_id": "s-9", "role": "user", "content": "周末去哪里玩好？"},
        {"user_id": "mei", "session_id": "s-9", "role": "assistant", "content": "1. 西湖\n2. 莫干山"},
    ]
    cli("ingest", str(write_lines(tmp_path / "said.jsonl", *said)))

    found = cli_json("recall", "mei", "第二个怎么样？想去爬山", "--session", "s-9", "--proactive", "--summaries", "2")
    again = cli_json("recall", "mei", "第二个怎么样？想去爬山", "--session", "s-9", "--proactive")

    assert [hit["statement"] for hit in found["raised"]] == ["我对花粉过敏"]
    assert "爬山" in found["raised"][0]["reason"]
    assert "莫干山" in found["query"]["text"]
    assert found["query"]["message_ids"]
    assert again["raised"] == []
    assert [hit["statement"] for hit in again["hits"]] == ["我对花粉过敏"]
