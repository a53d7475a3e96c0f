"""docker-compose.yml without an engine: each service's command as a process, with the file's own environment."""

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import yaml

from prefmem_pg.db.local import LocalServer
from prefmem_pg.db.local.account import server_account
from tests.processes import wait_until

ROOT = Path(__file__).parents[2]
# What .env sets; everything else takes the default that stands in the file.
PASSWORDS = {"POSTGRES_PASSWORD": "super", "PREFMEM_OWNER_PASSWORD": "owner-pw", "DAGSTER_PASSWORD": "dagster-pw"}
LINE = {"user_id": "composed", "role": "user", "content": "我喜欢绿茶 🍵", "occurred_at": "2026-03-05T08:00:00Z"}


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


class Engine:
    """Runs the services of the compose file: ports, host names and /app of the containers become those of here."""

    def __init__(self, app: Path, binaries: Path) -> None:
        given = re.sub(
            r"\$\{(\w+)(?::-(.*?)|:\?.*?)\}",
            lambda found: PASSWORDS.get(found[1], found[2] or ""),
            (ROOT / "docker-compose.yml").read_text(encoding="utf-8"),
        )
        self.services: dict[str, Any] = yaml.safe_load(given)["services"]
        self.app, self.ports = app, {name: free_port() for name in ("5432", "4000", "3000")}
        (image,) = re.findall("^ENV (.*)", (ROOT / "deploy/Dockerfile").read_text(encoding="utf-8"), re.MULTILINE)
        path = os.pathsep.join([str(Path(sys.executable).parent), str(binaries), os.environ["PATH"]])
        self.image = {"PATH": path, "HOME": str(app)} | dict(word.split("=", 1) for word in image.split())

    def here(self, text: str) -> str:
        """Return a word of the file as it must be outside of a container."""
        for port, free in self.ports.items():
            text = re.sub(rf"\b{port}\b", str(free), text)
        text = text.replace("@postgres:", "@127.0.0.1:").replace("host: code", "host: 127.0.0.1")
        return text.replace("0.0.0.0", "127.0.0.1").replace("/app/", f"{self.app}/")

    def environment(self, name: str) -> dict[str, str]:
        words = {**self.image, **self.services[name]["environment"]}
        return {key: self.here(str(value or "")) for key, value in words.items()} | {"PGPORT": str(self.ports["5432"])}

    def run(self, name: str, command: list[str]) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(command, cwd=ROOT, env=self.environment(name), capture_output=True, check=False)

    def is_healthy(self, name: str) -> bool:
        """Ask as the file says."""
        kind, *words = map(self.here, self.services[name]["healthcheck"]["test"])
        return self.run(name, ["sh", "-c", *words] if kind == "CMD-SHELL" else words).returncode == 0

    @contextmanager
    def started(self, name: str) -> Iterator[None]:
        """Start a service and wait until it is healthy; it is stopped at the end."""
        command = [self.here(word) for word in self.services[name]["command"]]
        log = self.app / f"{name}.log"
        with log.open("wb") as out:
            process = subprocess.Popen(
                command, cwd=ROOT, env=self.environment(name), stdout=out, stderr=out, start_new_session=True
            )
        try:
            wait_until(lambda: process.poll() is not None or self.is_healthy(name))
            assert process.poll() is None, log.read_text(encoding="utf-8")
            yield
        finally:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


@contextmanager
def started_postgres(binaries: Path, port: int) -> Iterator[dict[str, str]]:
    """Start a new server that asks for passwords over TCP, as the image does; give psql's way in for a superuser."""
    account = server_account()
    folder = Path(tempfile.mkdtemp(prefix="prefmem-compose-"))
    account.give(folder)

    def call(program: str, *arguments: str) -> None:
        command = [str(binaries / program), "-D", str(folder / "data"), *arguments]
        subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL, **account.spawn_options())

    call("initdb", "-U", "postgres", "-E", "UTF8", "--auth-local=trust", "--auth-host=scram-sha-256", "--no-sync")
    call("pg_ctl", "-l", str(folder / "log"), "-o", f"-h 127.0.0.1 -p {port} -k {folder} -F", "-w", "start")
    try:
        yield {"PGHOST": str(folder), "PGPORT": str(port), "POSTGRES_USER": "postgres"}
    finally:
        call("pg_ctl", "-m", "immediate", "-w", "stop")
        shutil.rmtree(folder, ignore_errors=True)


def test_the_services_of_compose_start_as_they_are_written_and_take_in_a_file(
    server: LocalServer, tmp_path: Path
) -> None:
    engine = Engine(tmp_path, server.binaries)
    for name in ("dagster.yaml", "workspace.yaml"):
        (tmp_path / "dagster").mkdir(exist_ok=True)
        text = (ROOT / "deploy" / name).read_text(encoding="utf-8")
        (tmp_path / "dagster" / name).write_text(engine.here(text), encoding="utf-8")
    (tmp_path / "landing").mkdir()
    (tmp_path / "landing/day.jsonl").write_text(json.dumps(LINE) + "\n")

    with ExitStack() as stack:
        superuser = stack.enter_context(started_postgres(server.binaries, engine.ports["5432"]))
        script = ["sh", str(ROOT / "deploy/postgres/10-prefmem.sh")]
        subprocess.run(script, env={**engine.environment("postgres"), **superuser}, check=True, capture_output=True)
        assert engine.is_healthy("postgres")
        upgraded = engine.run("upgrade", engine.services["upgrade"]["command"])
        assert upgraded.returncode == 0, upgraded.stderr.decode()
        for name in ("code", "webserver", "daemon"):
            stack.enter_context(engine.started(name))
        wait_until((tmp_path / "landing/done/day.jsonl").exists)
