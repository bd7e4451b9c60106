"""Probe: what a run with derivatives has at one instant."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from ..solvers.layout import Floats
from .followed import Rows
from .panels import BEFORE, BETWEEN, FIXED, INSIDE, JUMP, STOPPED, TOUCH, UNTIL, Instant
from .sides import AGREE, UNSEEN
from .study import Study

BESIDE = 1e-5  # of the run: how far beside an event its limits are read
STILL = 1e-6  # of a value: what it may change by along a step, where it stands still
ROOM = 0.1  # of what is smooth beside an instant: as far at most


class Probe(NamedTuple):
    """A signal at an instant: its value, its rate along time, and its derivatives by the paths, (n,).

    At an event these are total ones, along with the instant, whose derivatives are `move`. Between two steps
    `before` is the limit from the step that ends.
    """

    instant: Instant
    value: float
    rate: float
    slope: Floats
    move: Floats
    before: Probe | None = None

    def moved(self, level: Floats) -> Floats:
        """How the instant moves at which the signal passes a level that has these derivatives.

        NaN where it only touches the level, or a kink at it makes it move otherwise on both sides.
        """
        if self.instant.kind in (JUMP, TOUCH):
            return self.move
        moves = (level - self.slope) / self.rate
        if self.before is not None:
            others = self.before.moved(level)
            size = np.maximum(np.abs(moves), np.abs(others))
            bound = AGREE * np.maximum(size, UNSEEN * size.max(initial=0.0))
            moves = np.where(np.abs(moves - others) <= bound, moves, np.nan)
        return moves


def read_probes(
    study: Study, numbers: tuple[Floats, Mapping[str, Any] | None], asked: Sequence[tuple[Instant, int]]
) -> tuple[list[Probe], Rows]:
    """Signals of a run at instants, each with its element, and all the rows that were read."""
    values, fixed = numbers
    reach = BESIDE * (study.stop - study.start)
    times = [_times(instant, min(reach, ROOM * instant.room), study.stop) for instant, _ in asked]
    all_times = np.unique(np.array([time for each in times for time in each]))
    rows = study.rows_as_met(values, all_times, fixed, rates=True, stops=True)
    return [*_probes(rows, all_times, asked, times)], rows


def _probes(
    rows: Rows, all_times: Floats, asked: Sequence[tuple[Instant, int]], times: Sequence[list[float]]
) -> Iterator[Probe]:
    for (instant, element), mine in zip(asked, times, strict=True):
        at = np.searchsorted(all_times, mine)
        y, rate, slopes = rows.values[at, element], rows.rates[at, element], rows.slopes[at, element]
        move = rows.moves[at[-1]]
        if instant.kind == STOPPED:
            yield Probe(instant, y[0], rate[0], slopes[0] + _carried(rate[0], move, y[0], instant), move)
        elif instant.kind == TOUCH:
            yield Probe(instant, y[0], rate[0], slopes[0], np.full_like(move, np.nan))
        elif instant.kind in (INSIDE, FIXED, JUMP):
            yield Probe(instant, y[0], rate[0], slopes[0], move)
        elif instant.kind in (UNTIL, BETWEEN):
            before = Probe(instant, y[0], _limit(rate), _limit(slopes), move)
            behind = Probe(instant, y[-1], _limit(rate[-3:]), _limit(slopes[-3:]), move, before)
            yield behind if instant.kind == BETWEEN else before
        else:
            moved = _carried(_limit(rate), move, y[0], instant)
            yield Probe(instant, y[0], rate[0], _limit(slopes) + moved, move)


def _carried(rate: float, move: Floats, value: float, instant: Instant) -> Floats:
    """The change of a signal as an instant moves: 0 where the signal stands still."""
    still = abs(rate * instant.room) <= STILL * abs(value)
    return np.where(np.isnan(move) & still, 0.0, rate * move)


def _limit(values: Floats) -> Any:
    """The limit of what is at one, two and three steps from the instant: on a parabola."""
    return 3.0 * values[0] - 3.0 * values[1] + values[2]


def _times(instant: Instant, reach: float, stop: float) -> list[float]:
    """The times at which an instant is read, s: those with its limit first, then those behind an event."""
    t, kind = instant.time, instant.kind
    before, behind = ([t + way * k * reach for k in (1.0, 2.0, 3.0)] for way in (-1.0, 1.0))
    if kind == STOPPED:
        return [stop]
    if kind in (INSIDE, FIXED, TOUCH):
        return [t]
    if kind == JUMP:
        return [min(t + reach, stop)]
    if kind == BEFORE:
        return [*before, min(t + reach, stop)]
    return {UNTIL: before, BETWEEN: before + behind}.get(kind, behind)
