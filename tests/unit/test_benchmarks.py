"""What the benchmarks hand to peers and keep of results."""

import json
from pathlib import Path

import numpy as np
import pytest

from benchmarks import charts, peers
from benchmarks.synthetic import World


def test_a_peer_is_asked_for_the_nearest_of_the_one_user() -> None:
    world = World()
    users = [world.user(f"user-{number}", peers.A_USER) for number in range(peers.USERS)]
    vectors = [world.question(users[number])[1] for number in range(3)]

    given = peers._given(users, vectors)

    assert len(given["vectors"]) == len(given["users"]) == peers.USERS * peers.A_USER
    for asker, vector, nearest in zip(given["askers"], vectors, given["nearest"], strict=True):
        mine = np.flatnonzero(given["users"] == asker)
        best = sorted(mine, key=lambda place: -float(given["vectors"][place] @ vector))[:10]
        assert nearest.tolist() == best


def test_results_are_kept_and_the_charts_that_were_drawn_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn = tmp_path / "out" / "search.png"
    monkeypatch.setattr(charts, "run_apart", lambda packages, script, path: f"{drawn}\n")

    assert charts.keep(tmp_path / "out", {"search": [{"floor": 1.0}]}) == [drawn]
    assert json.loads((tmp_path / "out" / "results.json").read_text()) == {"search": [{"floor": 1.0}]}


def test_a_script_that_fails_says_why(tmp_path: Path) -> None:
    script = tmp_path / "broken.py"
    script.write_text("raise SystemExit('no such store')")
    with pytest.raises(RuntimeError, match=r"broken\.py failed:\nno such store"):
        charts.run_apart([], script)
