"""TableSource: the base of tables over time, and the polynomials between their rows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, NamedTuple

import numpy as np

from ...solvers.events.timer import Timer
from ..contract.errors import ParameterError
from ..contract.parameter import Array
from ..contract.port import Size
from . import piecewise_linear, repeating_sequence
from .piecewise_linear import lines
from .repeating_sequence import repeated_corners, repeated_lines
from .source import Source

BETWEEN = ("linear", "held", "cubic")


class Rows(NamedTuple):
    """A table: `values` has a row for each of `times`; if two times are equal, y jumps to the second row."""

    times: Array
    values: Array


class TableSource(Source):
    """Rows of a table over time, interpolated; with `repeat` the table starts again at its end.

    A subclass has options `interpolation` and `repeat`, and provides the rows.
    """

    abstract: ClassVar = True

    def rows(self) -> Rows:
        """The rows; in a run they are shifted by the block's `start`, if it has one."""
        raise NotImplementedError

    def shape(self) -> tuple[int, ...]:
        """The shape of y."""
        raise NotImplementedError

    def check(self) -> None:
        times = self.rows().times
        if self._repeats and not times[-1] > times[0]:
            raise ParameterError(
                self.kind(), "repeat", True, "a table of at least two rows, with a duration above 0"
            )

    @property
    def _repeats(self) -> bool:
        return bool(self.repeat)  # type: ignore[attr-defined]

    @property
    def _start(self) -> float:
        return float(getattr(self, "start", 0.0))

    @property
    def _interpolation(self) -> str:
        return str(self.interpolation)  # type: ignore[attr-defined]

    def constants(self) -> Mapping[str, Any]:
        times, values = self.rows()
        values = values.reshape(times.size, -1)
        if self._repeats:
            begin = self._start + float(times[0])
            constants: dict[str, Any] = {**repeated_lines(times - times[0], values), "offset": begin}
            inner = slice(None)
        else:
            constants, inner = dict(lines(self._start + times, values)), slice(1, -1)
        if self._interpolation == "held":
            constants["slopes"] = np.zeros_like(constants["slopes"])
        if self._interpolation == "cubic":
            curves, cubes = (np.zeros_like(constants["slopes"]) for _ in range(2))
            constants |= {"curves": curves, "cubes": cubes}
            if np.any(np.diff(times) > 0.0):
                constants["slopes"][inner], curves[inner], cubes[inner] = splines(
                    times, values, self._repeats
                )
        return constants

    def sizes(self, inputs: Mapping[str, Size | None]) -> Mapping[str, Size]:
        return {"y": Size(self.shape())}

    def timers(self) -> Timer:
        times = self.rows().times
        if self._repeats:
            return repeated_corners(times - times[0], self._start + float(times[0]))
        return Timer.at((self._start + times).tolist())

    def functions(self) -> Mapping[str, Callable[..., Any]]:
        if self._interpolation == "cubic":
            return {"output": _CUBIC[self._repeats, bool(self.shape())]}
        kernels: Any = repeating_sequence if self._repeats else piecewise_linear
        return {"output": kernels.row if self.shape() else kernels.number}


def splines(times: Array, values: Array, repeat: bool) -> tuple[Array, Array, Array]:
    """Slope and the factors of s^2 and s^3 for every piece of nonzero duration; a jump ends a spline."""
    from scipy.interpolate import CubicSpline

    parts = []
    jumps = np.flatnonzero(np.diff(times) <= 0.0) + 1
    for segment_times, segment in zip(np.split(times, jumps), np.split(values, jumps), strict=True):
        if len(segment_times) > 1:
            closed = repeat and jumps.size == 0 and np.array_equal(segment[0], segment[-1])
            parts.append(
                CubicSpline(segment_times, segment, bc_type="periodic" if closed else "not-a-knot").c
            )
    cubes, curves, slopes, _ = np.concatenate(parts, axis=1)
    return slopes, curves, cubes


# Like the kernels of lines, with two more terms. The mode is the index of the piece here too.


def number(
    t: float, mode: int, begins: Array, levels: Array, slopes: Array, curves: Array, cubes: Array
) -> float:
    s = t - begins[mode]
    return levels[mode, 0] + s * (slopes[mode, 0] + s * (curves[mode, 0] + s * cubes[mode, 0]))  # type: ignore[no-any-return]


def row(
    t: float, mode: int, begins: Array, levels: Array, slopes: Array, curves: Array, cubes: Array, y: Array
) -> None:
    s = t - begins[mode]
    for i in range(y.size):
        y[i] = levels[mode, i] + s * (slopes[mode, i] + s * (curves[mode, i] + s * cubes[mode, i]))


def place(t: float, mode: int, begins: Array, period: float, offset: float) -> tuple[int, float]:
    """The piece of a table that repeats, and the time since it began."""
    if mode == 0:
        return 0, 0.0
    k = (mode - 1) % begins.size
    return k, t - (offset + period * ((mode - 1) // begins.size) + begins[k])


def repeated_number(
    t: float, mode: int, begins: Array, levels: Array, slopes: Array, curves: Array, cubes: Array,
    period: float, offset: float,
) -> float:  # fmt: skip
    k, s = place(t, mode, begins, period, offset)
    return levels[k, 0] + s * (slopes[k, 0] + s * (curves[k, 0] + s * cubes[k, 0]))  # type: ignore[no-any-return]


def repeated_row(
    t: float, mode: int, begins: Array, levels: Array, slopes: Array, curves: Array, cubes: Array,
    period: float, offset: float, y: Array,
) -> None:  # fmt: skip
    k, s = place(t, mode, begins, period, offset)
    for i in range(y.size):
        y[i] = levels[k, i] + s * (slopes[k, i] + s * (curves[k, i] + s * cubes[k, i]))


_CUBIC: Mapping[tuple[bool, bool], Callable[..., Any]] = {
    (False, False): number, (False, True): row, (True, False): repeated_number, (True, True): repeated_row,
}  # fmt: skip
