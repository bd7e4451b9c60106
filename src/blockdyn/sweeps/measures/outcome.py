"""Compute one measure and its unit from the row of numbers left by a run."""

from __future__ import annotations

from math import sqrt
from typing import Any

from . import kinds
from .declaration import Measure
from .kinds import (
    ABSOLUTE,
    AFTER,
    BAND,
    BASE,
    BEGAN,
    DOWN,
    ENDED,
    FIRST,
    FIRST_ROW,
    FLAGS,
    FROM,
    HIGH,
    KIND,
    LAST,
    LAST_SIGNAL,
    LOW,
    NEGATE,
    PANEL,
    ROOM,
    START,
    STEP_COUNT,
    TARGET,
    TOLERANCE,
    UP,
    A,
    B,
)
from .levels import first_above, last_above, passages

_TIMES = ("settling_time", "rise_time", "time_to", "end_time", "delay_margin")
_SIGNAL_UNIT = ("max", "min", "peak_to_peak", "mean", "rms", "initial", "final")


def unit_of(measure: Measure, unit: str) -> str:
    """The unit of a measure of a signal in `unit`; empty if the signal has none."""
    if measure.kind == "phase_margin":
        return "deg"
    if measure.kind in _TIMES:
        return "s"
    if measure.kind in _SIGNAL_UNIT:
        return unit
    if measure.kind in ("integral", "absolute") and unit:
        return f"{unit} s"
    return f"{unit} s2" if measure.kind == "itae" and unit else ""


def origin_of(numbers: Any, i: int, first: float) -> float:
    """Start value of the step of measure i: as declared, or the first value."""
    declared = numbers[i, FROM]
    return float(first if declared != declared else declared)


def target_of(numbers: Any, i: int, last: float) -> float:
    """Final value of the step: as declared, or the last value."""
    declared = numbers[i, TARGET]
    return float(last if declared != declared else declared)


def width_of(numbers: Any, i: int, size: float) -> float:
    """Half the width of the band around the target."""
    declared = numbers[i, TOLERANCE]
    return float(numbers[i, BAND] * abs(size) if declared != declared else declared)


def ends(numbers: Any, i: int, origin: float, size: float) -> tuple[float, float]:
    """The levels between which it rises."""
    return origin + numbers[i, LOW] * size, origin + numbers[i, HIGH] * size


def finished(spec: Any, numbers: Any, acc: Any, i: int, end: float) -> float:
    """The value of measure i; NaN if it is undefined."""
    row, kind = FIRST_ROW + i, spec[i, KIND]
    if kind < LAST_SIGNAL:
        if acc[row, BEGAN] != acc[row, BEGAN]:  # the run never reached the window
            return float("nan")
        return signal_value(spec, numbers, acc, i, row, kind)
    if kind == kinds.LAST_ROW:
        y = float(acc[PANEL, 1 + i])
        return abs(y) if spec[i, FLAGS] & ABSOLUTE else y
    start = max(acc[0, START], numbers[i, AFTER])
    if kind == kinds.VALUE or (start > end and kind != kinds.END_TIME and kind != kinds.STEPS):
        return float("nan")
    if kind == kinds.EVENT_COUNT:
        return float(acc[row, A])
    if kind == kinds.EVENT_TIME:
        return float(acc[row, A] - start)
    return end if kind == kinds.END_TIME else float(acc[0, STEP_COUNT])


def signal_value(spec: Any, numbers: Any, acc: Any, i: int, row: int, kind: int) -> float:
    """The value of a measure of a signal."""
    length = acc[row, ENDED] - acc[row, BEGAN]
    way = -1.0 if spec[i, FLAGS] & NEGATE else 1.0
    if kind == kinds.HIGHEST:
        return float(way * acc[row, A])
    if kind == kinds.RANGE:
        return float(acc[row, A] + acc[row, B])
    if kind == kinds.INTEGRAL or kind == kinds.ITAE:
        return float(acc[row, A])
    if kind == kinds.COUNT:
        return passages(acc, row)
    if kind == kinds.FINAL:
        return float(way * acc[row, LAST])
    if kind == kinds.INITIAL:
        return float(way * acc[row, FIRST])
    if kind == kinds.TIME_TO:
        return float(acc[row, A] - acc[row, BEGAN])
    if kind == kinds.OVERSHOOT or kind == kinds.SETTLING or kind == kinds.RISE:
        return step_value(spec, numbers, acc, i, row, kind)
    if length == 0.0:
        return float("nan")
    if kind == kinds.RMS:
        return sqrt(max(acc[row, A] / length, 0.0))
    return float(acc[row, A] / length)


def step_value(spec: Any, numbers: Any, acc: Any, i: int, row: int, kind: int) -> float:
    """The value of a measure of a step response: from initial to final value, or between given values."""
    target, origin = target_of(numbers, i, acc[row, LAST]), origin_of(numbers, i, acc[row, FIRST])
    size = target - origin
    up, down = spec[i, BASE], spec[i, BASE] + ROOM
    if kind == kinds.SETTLING:
        width = width_of(numbers, i, size)
        if abs(acc[row, LAST] - target) > width:
            return float("nan")
        over = last_above(acc, up, int(acc[row, UP]), target + width)
        under = last_above(acc, down, int(acc[row, DOWN]), width - target)
        if over != over:
            over = acc[row, BEGAN]
        if under != under:
            under = acc[row, BEGAN]
        return float(max(over, under) - acc[row, BEGAN])
    if size == 0.0:
        return float("nan")
    if kind == kinds.OVERSHOOT:
        past = acc[row, A] - target if size > 0.0 else acc[row, B] + target
        return float(max(past / abs(size), 0.0))
    low, high = ends(numbers, i, origin, size)
    if size > 0.0:
        count = int(acc[row, UP])
        return first_above(acc, up, count, high) - first_above(acc, up, count, low)
    count = int(acc[row, DOWN])
    return first_above(acc, down, count, -high) - first_above(acc, down, count, -low)
