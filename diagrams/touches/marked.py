"""Marked: everything that a run holds at one of its moments, to go on from there again to the last bit."""

from __future__ import annotations

from dataclasses import dataclass

from ...solvers.layout import Floats, Integers
from ...solvers.loop.run import Run


@dataclass(frozen=True)
class Mark:
    """A run between two steps at `time`, s: all its numbers, and what lies beside them."""

    time: float
    words: Integers
    watch: Floats
    passed: Floats

    @property
    def bytes(self) -> int:
        return int(self.words.nbytes + self.watch.nbytes + self.passed.nbytes)


def mark(run: Run) -> Mark:
    """What the run holds now; of its log only how many rows are in it."""
    return Mark(run.time, run.words.copy(), run.work.watch.copy(), run.work.passed.copy())


def go_back(run: Run, to: Mark) -> None:
    """The run as it was; the rows that were in its log then must be there still."""
    run.words[:] = to.words
    run.work.watch[:] = to.watch
    run.work.passed[:] = to.passed
