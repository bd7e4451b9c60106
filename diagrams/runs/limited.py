"""Run with a limit of wall-clock time, in a thread that can be abandoned."""

from __future__ import annotations

import ctypes
import os
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import Any

from ...solvers.loop.entry import Calls
from ...solvers.loop.run import Run
from ..compiler.program import Program
from .simulate import STUCK, TIME_UP
from .waiting import Compiler

GRACE = 0.25  # s for machine code to reach the end of a step, and for Python the next line
_LOOK = 0.2  # s between two checks: Windows delivers no signals while a thread waits


class TimeLimitReached(BaseException):
    """Raised in a thread that runs Python when its time is up."""


class TimeLimitedRun:
    """`begin` and `advance` of a run, which return TIME_UP when it has taken `seconds` of wall-clock time
    without the compiler, or STUCK when it then did not reach the end of a step either.

    Machine code is stopped between two steps, Python between two lines. Code without either, an endless
    loop in a compiled block, continues in its thread, which is abandoned, at the lowest priority if
    the system supports that (Linux); it holds the run's arrays and the program's code.
    """

    def __init__(self, run: Run, calls: Calls, program: Program, seconds: float, compiler: Compiler) -> None:
        self.abandoned = False
        self._run, self._calls, self._program = run, calls, program
        self._until, self._compiler = time.perf_counter() + seconds, compiler
        self._jobs: SimpleQueue[Callable[[], int] | None] = SimpleQueue()
        self._answers: SimpleQueue[int | BaseException] = SimpleQueue()
        notes = program.active_callbacks.notes
        self._thread = threading.Thread(target=self._work, args=(notes,), daemon=True)
        self._thread.start()

    def begin(self) -> int:
        """Begin the run."""
        return self._call(self._calls[0])

    def advance(self) -> int:
        """Advance the run by a slice."""
        return self._call(self._calls[1])

    def end(self) -> None:
        """Let the thread end."""
        self._jobs.put(None)

    def _work(self, notes: dict[str, Any]) -> None:
        self._program.active_callbacks.notes = notes
        answer: int | BaseException
        with suppress(TimeLimitReached):
            while (job := self._jobs.get()) is not None:
                try:
                    answer = job()
                except BaseException as error:  # noqa: BLE001  raised again by the thread that waits
                    answer = error
                self._answers.put(answer)

    def _call(self, job: Callable[[], int]) -> int:
        if time.perf_counter() >= self._limit():
            return TIME_UP
        self._jobs.put(job)
        try:
            answer = self._answer(self._limit)
        except BaseException:  # Ctrl-C
            self._stop()
            raise
        if answer is None:
            return TIME_UP if self._stop() else STUCK
        if isinstance(answer, BaseException):
            raise answer
        return answer

    def _limit(self) -> float:
        return self._until + self._compiler.seconds

    def _answer(self, until: Callable[[], float]) -> int | BaseException | None:
        """The thread's answer until then, or None."""
        while (left := until() - time.perf_counter()) > 0.0:
            try:
                return self._answers.get(timeout=min(left, _LOOK))
            except Empty:
                continue
        return None

    def _stop(self) -> bool:
        """Stop the thread, or abandon it; True if it stopped between two steps."""
        self._run.work.budget = 0
        soon = time.perf_counter() + GRACE
        if self._answer(lambda: soon) is not None:
            return True
        throw(self._thread, TimeLimitReached)
        late = time.perf_counter() + GRACE
        if self._answer(lambda: late) is not None:
            return False
        self.abandoned = True
        self._program.active_callbacks.notes = {}
        leave_behind(self._thread)
        return False


def throw(thread: threading.Thread, kind: type[BaseException]) -> None:
    """Raise an exception in a thread at its next line of Python (PyThreadState_SetAsyncExc)."""
    if thread.ident is not None:
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread.ident), ctypes.py_object(kind))


def _hear() -> None:
    """Catch an exception here, in place of one that the abandoned thread may never catch.

    Until a thread catches it, CPython before 3.13 checks for it at every call and jump of every thread, and
    under sys.settrace (debuggers, coverage) hangs at the first one.
    """
    with suppress(TimeLimitReached):
        throw(threading.current_thread(), TimeLimitReached)
        for _ in range(1000):  # it is raised at a jump
            pass


def leave_behind(thread: threading.Thread) -> None:
    """Run an abandoned thread only when nothing else needs the processor, on Linux.

    Arrays that its machine code uses, and the code itself, must be held by the functions that it is in.
    """
    _hear()
    policy = getattr(os, "SCHED_IDLE", None)
    if policy is not None and thread.native_id is not None and thread.is_alive():
        try:
            os.sched_setscheduler(thread.native_id, policy, os.sched_param(0))
        except OSError:  # it has just ended, or the system refuses
            return
