"""Retiring from the command line, by rules of the caller's own."""

from collections.abc import Callable
from typing import Any

import pytest
from typer.testing import Result


def test_what_is_over_the_limit_is_archived_once(
    cli: Callable[..., Result], cli_json: Callable[..., Any], user_id: str
) -> None:
    for statement in ("我喜欢爬山 ⛰️", "I like rye bread", "I'm allergic to peanuts"):
        cli("remember", user_id, statement)

    reports = [cli_json("retire", "--user", user_id, "--capacity", "2", "--half-life", "goal=60") for _ in range(2)]

    assert [report["capacity"] for report in reports] == [1, 0]
    kept = {row["statement"] for row in cli_json("list", user_id)}
    assert "I'm allergic to peanuts" in kept
    assert len(kept) == 2


@pytest.mark.parametrize("wrong", ["goal", "goal=soon", "opinion=3", "goal=0", "goal=nan"])
def test_a_wrong_half_life_is_refused(cli: Callable[..., Result], user_id: str, wrong: str) -> None:
    result = cli("retire", "--user", user_id, "--half-life", wrong)

    assert result.exit_code in (1, 2)
    assert "half" in result.output
