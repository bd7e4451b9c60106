"""Thinning: which instants of a run are kept once there are too many; events always are."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...solvers.layout import Floats

Mask = NDArray[np.bool_]
NO_EVENTS = np.zeros(0)


class Thinning:
    """Every `factor`-th instant, counted from the first on; both rows of an instant stay together.

    The instants of events are neither counted nor dropped.
    """

    def __init__(self) -> None:
        self.factor = 1
        self._counted = 0

    def mask(self, times: Floats, events: Floats = NO_EVENTS) -> Mask:
        """Which rows of those that come next are kept."""
        if self.factor == 1:
            return np.ones(len(times), bool)  # `halved` counts them, if it ever comes to that
        numbers, event = self._numbers(times, events)
        keep: Mask = event | (numbers % self.factor == 0)
        return keep

    def halved(self, times: Floats, events: Floats = NO_EVENTS) -> Mask:
        """Which rows of those kept so far are kept still, with twice the factor."""
        count, self._counted = self._counted, 0
        numbers, event = self._numbers(times, events)
        self._counted = count if self.factor > 1 else self._counted
        self.factor *= 2
        keep: Mask = event | (numbers % 2 == 0)
        return keep

    def _numbers(self, times: Floats, events: Floats) -> tuple[NDArray[np.int64], Mask]:
        """The number of each row's instant among those that are no events, and which rows are of events."""
        if not len(times):
            return np.zeros(0, np.int64), np.zeros(0, bool)
        begins = np.ones(len(times), bool)
        begins[1:] = times[1:] != times[:-1]
        first, behind = np.searchsorted(events, times[0]), np.searchsorted(events, times[-1], "right")
        event = np.isin(times, events[first:behind])
        counted = np.cumsum(begins & ~event)
        numbers = self._counted + counted - 1
        self._counted += int(counted[-1])
        return numbers, event
