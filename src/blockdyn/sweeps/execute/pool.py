"""A pool of threads runs scenarios side by side; compiled code releases Python's lock."""

from __future__ import annotations

import math
import os
import threading
import time as clock
from bisect import bisect_right
from collections import deque
from collections.abc import Callable, Iterable, Sequence

import numpy as np

from ...diagrams.runs.limited import GRACE, leave_behind, throw
from ...solvers.layout import Integers
from ..store.part import Part, join_parts
from .lane import Cancelled
from .task import Task

Ranges = Iterable[tuple[int, int]]
PIECE, LEAST = 0.05, 0.004  # s that a piece of work takes: longer than Python's overhead; short at the end
PATIENCE = 2.0  # s for threads to notice a cancellation: machine code checks every 2000 steps


def cores() -> int:
    """The processors that this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        return os.cpu_count() or 1


class Pool:
    """Runs ranges of scenarios and delivers every complete range as a Part.

    `on_part` is called for each range when it is done, in any order, by one thread at a time; `on_progress`
    with the number of scenarios just finished. `finished_parts` need not be run. After Ctrl-C or
    `cancel`, unfinished work is discarded; a thread that does not notice is abandoned.
    """

    def __init__(
        self, task: Task, ranges: Ranges, on_part: Callable[[Part], None], *, workers: int | None = None,
        on_progress: Callable[[int], None] = lambda finished: None, finished_parts: Sequence[Part] = (),
    ) -> None:  # fmt: skip
        self._task, self._on_part, self._on_progress = task, on_part, on_progress
        ranges = list(ranges)
        count = sum(stop - start for start, stop in ranges)
        self.workers = max(1, min(workers or cores(), count)) if task.parallel else 1
        self._unfinished: dict[int, tuple[tuple[int, int], list[Part]]] = {r[0]: (r, []) for r in ranges}
        self._waiting = deque((start, start, stop) for start, stop in ranges)  # owner, start, stop
        if finished_parts:
            self._leave_out(finished_parts)
        self._ahead, self._pace = count, 0.0  # scenarios that no worker has begun; s that one takes
        self._begun: int | None = None  # scenarios of the first range handed out so far
        self._cancelled = np.zeros(1, np.int64)
        self._lock = threading.Lock()
        self._handing = threading.Lock()
        self._error: BaseException | None = None
        self._over = False

    def cancel(self) -> None:
        """Stop as soon as every thread has noticed the flag."""
        self._cancelled[0] = 1

    def run(self, trying: Sequence[Integers] = ()) -> bool:
        """Return True if everything was done, False after Ctrl-C. Raises the errors of threads.

        `trying` has for each thread the place of the number of its scenario; see `Task.run`.
        """
        self._deliver_complete()
        slots: list[Integers | None] = [*trying] or [None] * self.workers
        threads = [threading.Thread(target=self._work, args=(slot,), daemon=True) for slot in slots]
        interrupted = False
        until = math.inf
        while True:
            try:
                for thread in threads:
                    if thread.ident is None:
                        thread.start()
                for thread in threads:
                    while thread.is_alive() and clock.perf_counter() < until:
                        thread.join(0.1)
                        if self._cancelled[0] and until == math.inf:
                            until = clock.perf_counter() + PATIENCE
                break
            except KeyboardInterrupt:  # at any moment, and more than once
                interrupted = True
                self.cancel()
        self._end(threads)
        if self._error is not None:
            raise self._error
        return not interrupted

    def _end(self, threads: Sequence[threading.Thread]) -> None:
        """Abandon the threads that have not noticed the cancellation; they deliver nothing more."""
        with self._handing:
            self._over = True
        late = [thread for thread in threads if thread.is_alive()]
        for thread in late:
            throw(thread, Cancelled)
        for thread in late:
            thread.join(GRACE)
            leave_behind(thread)

    def _work(self, trying: Integers | None) -> None:
        try:
            while not self._cancelled[0]:
                piece = self._next()
                if piece is None:
                    return
                owner, start, stop = piece
                began = clock.perf_counter()
                part = self._task.run(start, stop, self._cancelled, trying)
                self._pace = (clock.perf_counter() - began) / (stop - start)
                self._done(owner, part)
        except Cancelled:
            return
        except BaseException as error:  # noqa: BLE001  (handed on by `run`)
            with self._lock:
                self._error = self._error or error
            self.cancel()

    def _next(self) -> tuple[int, int, int] | None:
        """A piece of work: the range that it belongs to, start, stop. Pieces are shorter towards the end."""
        with self._lock:
            if not self._waiting:
                return None
            owner, begin, stop = self._waiting[0]
            start = begin if self._begun is None else self._begun
            size = 1  # the pace is not measured yet
            if self._pace:
                share = min(PIECE / self._pace, self._ahead / (2 * self.workers))
                size = max(1, round(max(share, LEAST / self._pace)))
            end = min(start + size, stop)
            self._ahead -= end - start
            self._begun = end
            if end == stop:
                self._waiting.popleft()
                self._begun = None
            return owner, start, end

    def _done(self, owner: int, part: Part) -> None:
        with self._lock:
            (start, stop), parts = self._unfinished[owner]
            parts.append(part)
            complete = sum(len(p.outcome) for p in parts) == stop - start
            if complete:
                del self._unfinished[owner]
        with self._handing:
            if self._over:
                return
            if complete:
                self._on_part(join_parts(parts))
            self._on_progress(len(part.outcome))

    def _leave_out(self, finished_parts: Sequence[Part]) -> None:
        """Insert finished parts, and wait only for the scenarios between them."""
        starts = sorted(self._unfinished)
        for part in sorted(finished_parts, key=lambda part: part.start):
            self._unfinished[starts[bisect_right(starts, part.start) - 1]][1].append(part)
        self._waiting.clear()
        for owner, ((_, stop), parts) in self._unfinished.items():
            begins = [owner, *(part.stop for part in parts)]
            ends = [*(part.start for part in parts), stop]
            self._waiting += [(owner, a, b) for a, b in zip(begins, ends) if a < b]

    def _deliver_complete(self) -> None:
        """Deliver the ranges whose parts are all finished."""
        for owner, ((start, stop), parts) in list(self._unfinished.items()):
            count = sum(len(part.outcome) for part in parts)
            if count:
                self._on_progress(count)
            if count == stop - start:
                del self._unfinished[owner]
                self._on_part(join_parts(parts))

    def unfinished(self) -> list[Part]:
        """The parts of ranges that were not finished."""
        return [part for _, parts in self._unfinished.values() for part in parts]
