"""Slices: long work of compiled code in parts, between which progress is shown and Ctrl-C is heard."""

from __future__ import annotations

from collections.abc import Callable

from ...base.progress import Bar


def in_slices(name: str, total: int, unit: str, work: Callable[[], int], done: Callable[[], int]) -> int:
    """Call `work` until it gives something other than 0, and give that; `done` says how much of the total.

    What takes one part only shows nothing.
    """
    status = work()
    if status:
        return status
    bar = Bar(name, total, done())
    try:
        while not status:
            bar.show(min(done(), total), f"{done():,} of at most {total:,} {unit}")
            status = work()
    finally:
        bar.close()
    return status
