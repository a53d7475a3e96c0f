"""What is costly is made once, whoever asks first."""

import multiprocessing
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier, Event, Thread

import pytest

from prefmem_pg.domain.once import once


def test_threads_that_ask_at_once_wait_for_the_first() -> None:
    together, made = Barrier(4), []

    @once
    def make() -> str:
        made.append("茶 🍵")
        Event().wait(0.1)  # long enough that all have asked
        return "茶 🍵"

    def ask(_: int) -> str:
        together.wait()
        return make()

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(ask, range(4))) == ["茶 🍵"] * 4
    assert len(made) == 1


def test_what_could_not_be_made_is_tried_again() -> None:
    tries = iter([OSError("tea"), None])

    @once
    def make() -> int:
        if fault := next(tries):
            raise fault
        return 1

    with pytest.raises(OSError, match="tea"):
        make()
    assert (make(), make()) == (1, 1)


@pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning")
def test_a_child_that_was_forked_while_a_thread_made_it_makes_its_own() -> None:
    begun, may_end = Event(), Event()

    @once
    def make() -> int:
        if not begun.is_set():
            begun.set()
            may_end.wait(300)
        return 1

    thread = Thread(target=make)
    thread.start()
    begun.wait(300)
    child = multiprocessing.get_context("fork").Process(target=make)
    child.start()
    child.join(60)
    was_stuck = child.is_alive()
    child.kill()
    may_end.set()
    thread.join()

    assert not was_stuck
