"""Idle lanes of one task are handed out to threads and taken back."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from ...solvers.layout import Integers
from ..measures.prepared import KernelData
from ..place.base import Base
from .lane import Lane
from .native_lane import NativeLane
from .python_lane import PythonLane


def make_lane(base: Base, measures: KernelData, cancelled: Integers) -> Lane:
    """A lane over a base: machine code where its scenarios need no Python."""
    return (NativeLane if base.native else PythonLane)(base, measures, cancelled)


class Lanes:
    """Lanes over one base."""

    def __init__(self, base: Base, measures: KernelData) -> None:
        self._base, self._measures = base, measures
        self._most = 1 if base.program.plan.one_each else None  # scenarios in one go
        self._idle: deque[Lane] = deque()

    def ready(self, cancelled: Integers) -> None:
        """Make the first one."""
        self._idle.append(self._lane(cancelled))

    def do(
        self, rows: Integers, cancelled: Integers, trying: Integers, work: Callable[[Lane, Integers], int]
    ) -> None:
        """Have a lane work on rows and report how many it did; if one of them takes the lane with it,
        another lane does the following ones.
        """
        while rows.size:
            lane = self._lane(cancelled)
            lane.cancelled, lane.trying = cancelled, trying
            rows = rows[work(lane, rows[: self._most]) :]
            if not lane.lost:
                self._idle.append(lane)

    def _lane(self, cancelled: Integers) -> Lane:
        try:
            return self._idle.pop()
        except IndexError:
            return make_lane(self._base, self._measures, cancelled)
