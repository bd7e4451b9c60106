"""SIGINT, SIGTERM and SIGHUP raise KeyboardInterrupt, and the received one is recorded."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from ..diagrams.runs.interruption import SIGNALS, ours, watch

_received: list[int] = []


def listen() -> None:
    """Turn these signals into KeyboardInterrupt, which ends a run and keeps the samples so far.

    The second SIGINT ends the process at once. SIGHUP: the terminal is closed, or its connection lost.

    A signal that the caller's shell ignores (SIGINT after `&`, SIGHUP after `nohup`) stays ignored.
    """
    _received.clear()
    for number in SIGNALS:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _interrupt)
    watch.begin()


def unlisten() -> None:
    """Return the signals to the owner of the process, because later ones do not concern a run."""
    watch.end()


@ours
def _interrupt(number: int, _frame: FrameType | None) -> None:
    watch.answer()
    _received.append(number)
    raise KeyboardInterrupt


def status() -> int:
    """The exit status of a process that a signal ended: 130 for SIGINT, 143 for SIGTERM, 129 for SIGHUP."""
    return 128 + (_received[0] if _received else signal.SIGINT)


@contextmanager
def unheard() -> Iterator[None]:
    """Leave the signals to the system, which ends the process at once.

    For compiling: LLVM does not return to Python for seconds, and there is nothing to keep yet.
    """
    before = {number: signal.getsignal(number) for number in SIGNALS}
    for number, handler in before.items():
        if handler is _interrupt:
            signal.signal(number, signal.SIG_DFL)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
