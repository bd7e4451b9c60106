"""The pool: threads that run scenarios side by side; compiled code lets go of Python's lock."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable, Iterator

import numpy as np

from .lane import Cancelled
from .part import Part, joined
from .task import Task

Ranges = Iterable[tuple[int, int]]
SHARES = 32  # pieces of work a thread, so that none waits long for the last one


def cores() -> int:
    """The processors that this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        return os.cpu_count() or 1


class Pool:
    """Runs ranges of scenarios and hands every whole one on as a Part.

    `on_part` is called for each range when it is done, in any order, by one thread at a time; `on_progress`
    with the number of scenarios just finished. After Ctrl-C or `cancel`, what is unfinished is thrown away.
    """

    def __init__(
        self, task: Task, ranges: Ranges, on_part: Callable[[Part], None], *, workers: int | None = None,
        on_progress: Callable[[int], None] = lambda finished: None,
    ) -> None:  # fmt: skip
        self._task, self._on_part, self._on_progress = task, on_part, on_progress
        ranges = list(ranges)
        count = sum(stop - start for start, stop in ranges)
        self.workers = max(1, min(workers or cores(), count)) if task.parallel else 1
        share = max(1, -(-count // (SHARES * self.workers)))
        self._units = _units(ranges, share)
        self._left: dict[int, tuple[tuple[int, int], list[Part]]] = {r[0]: (r, []) for r in ranges}
        self._cancelled = np.zeros(1, np.int64)
        self._lock = threading.Lock()
        self._handing = threading.Lock()
        self._error: BaseException | None = None

    def cancel(self) -> None:
        """Stop as soon as every thread has noticed."""
        self._cancelled[0] = 1

    def run(self) -> bool:
        """Whether everything was done; False after Ctrl-C. Raises what a thread raised."""
        threads = [threading.Thread(target=self._work, daemon=True) for _ in range(self.workers)]
        for thread in threads:
            thread.start()
        interrupted = False
        while any(thread.is_alive() for thread in threads):
            try:
                for thread in threads:
                    thread.join(0.1)
            except KeyboardInterrupt:
                interrupted = True
                self.cancel()
        if self._error is not None:
            raise self._error
        return not interrupted

    def _work(self) -> None:
        try:
            while not self._cancelled[0]:
                with self._lock:
                    unit = next(self._units, None)
                if unit is None:
                    return
                owner, start, stop = unit
                self._done(owner, self._task.run(start, stop, self._cancelled))
        except Cancelled:
            return
        except BaseException as error:  # noqa: BLE001  (handed on by `run`)
            with self._lock:
                self._error = self._error or error
            self.cancel()

    def _done(self, owner: int, part: Part) -> None:
        with self._lock:
            (start, stop), parts = self._left[owner]
            parts.append(part)
            whole = sum(len(p.outcome) for p in parts) == stop - start
            if whole:
                del self._left[owner]
        with self._handing:
            if whole:
                self._on_part(joined(parts))
            self._on_progress(len(part.outcome))

    def unfinished(self) -> list[Part]:
        """The parts of ranges that were not finished."""
        return [part for _, parts in self._left.values() for part in parts]


def _units(ranges: list[tuple[int, int]], share: int) -> Iterator[tuple[int, int, int]]:
    """Pieces of at most `share` scenarios: the range that they belong to, start, stop."""
    for start, stop in ranges:
        for at in range(start, stop, share):
            yield start, at, min(at + share, stop)
