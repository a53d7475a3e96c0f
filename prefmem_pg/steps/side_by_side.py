"""Work on groups side by side, the items of each group one after the other."""

import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextvars import copy_context
from itertools import islice
from queue import SimpleQueue
from typing import Final, TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")

_LOOK_SECONDS: Final = 0.2
"""How often results are handed on while a group is being worked on."""


def side_by_side(groups: Iterable[Sequence[Item]], work: Callable[[Item], Result], *, workers: int) -> Iterator[Result]:
    """Yield the result of each item, as they come; one worker works in the caller's thread.

    What ``work`` raises ends everything and is raised here, after what is being worked on is done; so does closing
    the iterator. Groups are taken from their source as there is room, never all at once.
    """
    if workers == 1:
        for group in groups:
            for item in group:
                yield work(item)
        return
    ended = threading.Event()
    results: SimpleQueue[Result] = SimpleQueue()

    def work_on(group: Sequence[Item]) -> None:
        for item in group:
            if ended.is_set():
                return
            results.put(work(item))

    with ThreadPoolExecutor(workers, thread_name_prefix="prefmem") as pool:
        try:
            running: set[Future[None]] = set()
            source = iter(groups)
            while True:
                running |= {
                    pool.submit(copy_context().run, work_on, group)  # with what holds here, such as the run that pays
                    for group in islice(source, workers - len(running))
                }
                if not running:
                    break
                done, running = wait(running, timeout=_LOOK_SECONDS, return_when=FIRST_COMPLETED)
                while not results.empty():
                    yield results.get()
                for future in done:
                    future.result()
        finally:
            ended.set()
    while not results.empty():
        yield results.get()
