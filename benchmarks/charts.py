"""Results kept as JSON, and drawn as PNG in an environment of its own: nothing else needs a library that draws."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

Rows = list[dict[str, Any]]
"""What a benchmark found, a row of its table each."""
_DRAWING = Path(__file__).parent / "drawing" / "draw.py"


def keep(folder: Path, results: dict[str, Rows]) -> list[Path]:
    """Write results.json and a chart of each benchmark that has one; return the charts."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "results.json"
    path.write_text(json.dumps(results, indent=1), encoding="utf-8")
    return [Path(line) for line in run_apart(["matplotlib>=3.10,<4"], _DRAWING, str(path)).splitlines()]


def run_apart(packages: list[str], script: Path, *arguments: str) -> str:
    """Return what a script prints in an environment that uv makes with these packages, and keeps for the next time."""
    uv = Path(sys.executable).with_name("uv")
    wanted = [part for package in packages for part in ("--with", package)]
    command = [str(uv), "run", "--quiet", "--no-project", *wanted, "python", str(script), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{script.name} failed:\n{done.stderr[-2000:]}")
    return done.stdout.strip()
