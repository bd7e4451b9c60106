"""Bound the memory that the rows of a run may take, and thin them when the bound is reached."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ...solvers.layout import Floats

if TYPE_CHECKING:
    from ..model.settings import Settings

LOG_BYTES = 2e9  # the same on every machine for equal results; fits a laptop


def most_bytes(settings: Settings) -> float:
    """The maximum memory of rows of steps, in bytes; rows at requested times are never thinned."""
    return LOG_BYTES if settings.max_log is None else float(settings.max_log)


def thinning_notices(
    thinned: tuple[int, dict[int, int]], names: Sequence[str], settings: Settings
) -> Iterator[str]:
    """Notices of rows that a result leaves out; `thinned` as in Rows."""
    steps, samples = thinned
    remedy = f"the log reached {most_bytes(settings):.4g} bytes (`max_log`)"
    if steps > 1:
        yield (
            f"one step in {steps} was kept, and every event with both limits, because {remedy}:"
            " log fewer signals, take rows at times of your own (`every`), or write them to a file (`stream`)"
        )
    for number, factor in samples.items():
        yield f"one sample in {factor} of {names[number]} was kept, because {remedy}"


def missing_rows(settings: Settings, end: float) -> Iterator[str]:
    """Notice of `times` after the end of a run."""
    if settings.times is not None:
        later = int(np.count_nonzero(np.asarray(settings.times, np.float64) > end))
        if later:
            yield f"the run ended at {end:g} s, where its last row is; {later} of `times` are later"


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
        """Mask of the next rows: true for those kept."""
        if self.factor == 1:
            return np.ones(len(times), bool)  # `halved` counts them, if it is ever called
        numbers, event = self._numbers(times, events)
        keep: Mask = event | (numbers % self.factor == 0)
        return keep

    def halved(self, times: Floats, events: Floats = NO_EVENTS) -> Mask:
        """Mask of the rows kept so far: true for rows still kept with twice the factor."""
        count, self._counted = self._counted, 0
        numbers, event = self._numbers(times, events)
        self._counted = count if self.factor > 1 else self._counted
        self.factor *= 2
        keep: Mask = event | (numbers % 2 == 0)
        return keep

    def _numbers(self, times: Floats, events: Floats) -> tuple[NDArray[np.int64], Mask]:
        """The number of each row's instant, not counting events, and a mask of the rows of events."""
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
