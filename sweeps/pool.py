"""The pool: threads that run scenarios side by side; compiled code lets go of Python's lock."""

from __future__ import annotations

import os
import threading
import time as clock
from collections import deque
from collections.abc import Callable, Iterable

import numpy as np

from .lane import Cancelled
from .part import Part, joined
from .task import Task

Ranges = Iterable[tuple[int, int]]
PIECE, LEAST = 0.05, 0.004  # s that a piece of work takes: long beside what Python adds; short at the end


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
        self._waiting = deque(ranges)
        self._ahead, self._pace = count, 0.0  # scenarios that nobody has begun; s that one takes
        self._left: dict[int, tuple[tuple[int, int], list[Part]]] = {r[0]: (r, []) for r in ranges}
        self._begun: int | None = None  # how far the first range is handed out
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
        interrupted = False
        while True:
            try:
                for thread in threads:
                    if thread.ident is None:
                        thread.start()
                for thread in threads:
                    while thread.is_alive():
                        thread.join(0.1)
                break
            except KeyboardInterrupt:  # at any moment, and more than once
                interrupted = True
                self.cancel()
        if self._error is not None:
            raise self._error
        return not interrupted

    def _work(self) -> None:
        try:
            while not self._cancelled[0]:
                piece = self._next()
                if piece is None:
                    return
                owner, start, stop = piece
                began = clock.perf_counter()
                part = self._task.run(start, stop, self._cancelled)
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
            owner, stop = self._waiting[0]
            start = owner if self._begun is None else self._begun
            size = 1  # the pace is not known yet
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
