"""Handle signals of the system when a file can be closed, and in code that does not return.

The system's handler writes the number of a signal into a pipe at once (signal.set_wakeup_fd); Python's
handler runs when the main thread returns from machine code, which it never does in an endless loop.
"""

from __future__ import annotations

import os
import select
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from types import FrameType
from typing import Any

SIGNALS = (signal.SIGINT, signal.SIGTERM, *([signal.SIGHUP] if hasattr(signal, "SIGHUP") else []))
# the module below `signal`, without its lookup of handlers among enumerations: a third of a short run
_bare: Any = import_module("_signal")
_DEFAULT = int(signal.SIG_DFL)


@contextmanager
def postpone_signals() -> Iterator[list[int]]:
    """Signals that arrive in the block are passed to their handlers when it ends; raised again, they would
    count as a second signal, at which the watch ends the process. The block can read which came.
    """
    came: list[int] = []
    if threading.current_thread() is not threading.main_thread():
        yield came
        return

    @ours
    def note(number: int, _frame: FrameType | None) -> None:
        watch.answer()
        came.append(number)

    before = {number: signal.getsignal(number) for number in SIGNALS}
    handlers = {
        int(number): handler for number, handler in before.items() if handler not in (None, signal.SIG_IGN)
    }
    for number in handlers:
        signal.signal(number, note)
    try:
        yield came
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
        for late in sorted({*came}, reverse=True):  # SIGINT last, whose handler raises in any process
            if callable(handler := handlers[late]):
                handler(late, None)
            else:
                signal.raise_signal(late)


@contextmanager
def terminable(*, ends: bool) -> Iterator[None]:
    """SIGTERM in the block is a KeyboardInterrupt; with `ends`, the process ends with the block. A second
    SIGINT in the block ends the process, as does a SIGTERM to which machine code does not react.

    Only in the main thread, and if the process has installed no handler.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    came: list[int] = []

    @ours
    def interrupt(number: int, _frame: FrameType | None) -> None:
        watch.answer()
        came.append(number)
        raise KeyboardInterrupt

    default = _bare.getsignal(signal.SIGTERM) == _DEFAULT
    if default:
        _bare.signal(signal.SIGTERM, interrupt)
    watching = watch.begin()
    try:
        yield
    finally:
        if watching:
            watch.end()
        if default:
            _bare.signal(signal.SIGTERM, _DEFAULT)
        if came and ends:
            signal.raise_signal(signal.SIGTERM)


ANSWER = 1.0  # s that a SIGTERM waits for the main thread: a slice of a run is 0.1 s
SAME = 0.05  # s within which two SIGINT count as one: sent by a terminal and forwarded by a program
_SHOW_CURSOR = b"\x1b[?25h\n"  # a progress bar hides it


class Watch:
    """Between `begin` and `end`: the second SIGINT ends the process with status 130, and a SIGTERM that the
    main thread does not answer with 143. Nothing is closed or written then.
    """

    def __init__(self, leave: Callable[[int], None]) -> None:
        self._leave = leave
        self._on = False
        self._pipe: tuple[int, int] | None = None
        self._first = 0.0  # time of a SIGINT, 0 before
        self._due = 0.0  # deadline for the answer to a SIGTERM, 0 without one
        self._answered = 0.0  # time of the main thread's last answer

    def begin(self) -> bool:
        """Watch, and return True if this call began it. Main thread only.

        A process with its own pipe of this kind (asyncio) is not watched, nor is a notebook, where the
        kernel's Restart ends machine code.
        """
        if self._on or "ipykernel" in sys.modules:
            return False
        if self._pipe is None:
            self._start()
        assert self._pipe is not None
        foreign = signal.set_wakeup_fd(self._pipe[1], warn_on_full_buffer=False)
        if foreign != -1:
            signal.set_wakeup_fd(foreign)
            return False
        self._first = self._due = 0.0
        self._on = True
        return True

    def end(self) -> None:
        """Stop watching."""
        self._on = False
        signal.set_wakeup_fd(-1)

    def answer(self) -> None:
        """Note that the main thread reacted to a SIGTERM, maybe before the watch did."""
        self._answered = time.monotonic()

    def forget(self) -> None:
        """Start over: a forked process has a single thread."""
        self.__init__(self._leave)  # type: ignore[misc]

    def _start(self) -> None:
        reading, writing = os.pipe()
        if os.name != "nt":
            os.set_blocking(writing, False)
        self._pipe = reading, writing
        threading.Thread(target=self._listen, args=(reading,), name="blockdyn-watch", daemon=True).start()

    def _listen(self, reading: int) -> None:
        while True:
            for number in os.read(reading, 64):
                self._heard(number)
            while self._due and self._on and self._answered < self._due - 2.0 * ANSWER:
                left = self._due - time.monotonic()
                if left <= 0.0:
                    self._leave(128 + signal.SIGTERM)
                elif select.select([reading], [], [], min(left, 0.1))[0]:
                    break
            else:
                self._due = 0.0

    def _heard(self, number: int) -> None:
        if not self._on:
            return
        now = time.monotonic()
        if number == signal.SIGTERM and _is_ours(signal.getsignal(signal.SIGTERM)):
            self._due = now + ANSWER
        if number == signal.SIGINT and _is_ours(signal.getsignal(signal.SIGINT)):
            if self._first and now - self._first > SAME:
                self._leave(128 + signal.SIGINT)
            self._first = self._first or now


def ours(handler: Callable[..., None]) -> Callable[..., None]:
    """Mark a handler of this package: signals with another handler are left to it."""
    handler.__dict__["blockdyn"] = True
    return handler


def _is_ours(handler: object) -> bool:
    return handler is signal.default_int_handler or getattr(handler, "blockdyn", False) is True


def _leave(status: int) -> None:
    if os.isatty(2):
        os.write(2, _SHOW_CURSOR)
    os._exit(status)


watch = Watch(_leave)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=watch.forget)
