"""Interruption: SIGINT, SIGTERM and SIGHUP at moments when a file can be closed properly."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from types import FrameType
from typing import Any

from .watch import ours, watch

SIGNALS = (signal.SIGINT, signal.SIGTERM, *([signal.SIGHUP] if hasattr(signal, "SIGHUP") else []))
# the module beneath `signal`, which does not look for handlers among enumerations: a third of a short run
_bare: Any = import_module("_signal")
_DEFAULT = int(signal.SIG_DFL)


@contextmanager
def postponed() -> Iterator[list[int]]:
    """Signals that arrive in the block are delivered when it has ended, to their handlers: raised again they
    would be a second signal to the watch, which ends the process at one. The block sees which came.
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
    """SIGTERM in the block is a KeyboardInterrupt; where it `ends`, the process ends with the block. A second
    SIGINT in the block ends the process, as does a SIGTERM that machine code keeps from being heard.

    Only where the process has no handler of its own, and in the main thread.
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
