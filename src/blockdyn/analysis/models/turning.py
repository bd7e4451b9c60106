"""Frequencies are spaced so closely that no rotation by a delay is missed between two of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from ..errors import AnalysisError
from .delays import Delays
from .frequency import NEAR, frequencies, frequency_response
from .linear_model import Complex, LinearModel, Matrix

ORDER = 6  # of the approximant whose poles and zeros mark the range of interest
STEP = 0.05  # rad: turn of all delays together between two frequencies
MOST = 100_000  # frequencies
SHIFTS = 24  # combinations of phases by which delays may have turned
POINTS, DECADES = 400, 1.5  # of a grid: frequencies, and decades beyond the outermost pole or zero
TURNS = 3.0  # of all delays together, within a grid
GOLDEN = 0.5 * (np.sqrt(5.0) - 1.0)
ROUNDS = 50  # turns of the shortest of several delays
SPARSE = 8  # grid points between two tests; values change little in between

Respond = Callable[[LinearModel, Matrix], Complex]
"""A complex value of a model at each frequency, (k,) -> (k,)."""
Matters = Callable[[Complex], "np.ndarray[tuple[int], np.dtype[np.bool_]]"]
"""True where the values (shifts, k), over possible phases of the delays, are relevant, (k,)."""


def features(model: LinearModel, order: int = ORDER, *, zeros: bool = True) -> list[complex]:
    """Poles and zeros of the model or its approximant, and -1 / T for each delay T."""
    finite = _finite(model, order)
    points = [*finite.poles(), *(finite.zeros() if zeros else ())]
    return points if model.delays is None else [*points, *(-1.0 / model.delays.times)]


def _finite(model: LinearModel, order: int) -> LinearModel:
    """The model with approximants of this order, or of the next, whose direct part has the other sign. If a
    static loop of delays has no solution with either, the model without delays.
    """
    for each in (order, order + 1):
        try:
            return model.pade(each)
        except AnalysisError:
            continue
    return replace(model, delays=None)


def turning(
    model: LinearModel, grid: Matrix, respond: Respond | None = None, matters: Matters | None = None
) -> Matrix:
    """The grid, refined where delays turn by more than STEP between two frequencies and this `matters` to the
    response; if there would be too many points, only at the lowest frequencies.
    """
    delays = model.delays
    if delays is None:
        return grid
    counts = np.ceil(np.diff(grid) * np.sum(delays.times) / STEP).astype(np.int64)
    counts = np.clip(counts, 1, MOST)
    if respond is not None and matters is not None and np.any(counts > 1):
        first = int(np.argmax(counts > 1))
        seen = np.unique(np.append(np.arange(first, grid.size, SPARSE), grid.size - 1))
        shifted = np.array([respond(_turn_delays(model, delays, by), grid[seen]) for by in _shifts(delays)])
        alive = matters(shifted)
        near = alive[:-1] | alive[1:]  # for the interval between two
        stretch = np.clip(np.searchsorted(seen, np.arange(grid.size - 1), "right") - 1, 0, near.size - 1)
        counts[first:] = np.where(near[stretch[first:]], counts[first:], 1)
    counts = np.where(np.cumsum(counts) <= MOST, counts, 1)
    starts = np.repeat(grid[:-1], counts)
    parts = (np.arange(starts.size) - np.repeat(np.cumsum(counts) - counts, counts)) / np.repeat(
        counts, counts
    )
    return np.append(starts + parts * np.repeat(np.diff(grid), counts), grid[-1])


def response(model: LinearModel, omega: Matrix) -> Complex:
    """Response of a model with one input and one output."""
    return frequency_response(model, omega)[:, 0, 0]


def followed(model: LinearModel, grid: Matrix) -> Complex:
    """The response over a grid, NaN where delays turn by more than a STEP from one frequency to the next."""
    values = response(model, grid)
    if model.delays is not None:
        lost = np.diff(grid) * np.sum(model.delays.times) > STEP * (1.0 + NEAR)
        values[np.append(True, lost) & np.append(lost, True)] = np.nan
    return values


def turning_for_ever(model: LinearModel) -> tuple[LinearModel, Matrix] | None:
    """Limit of the model at high frequencies, where only the direct part of delays remains, and frequencies
    over one turn (over many for several delays); None if the response is constant.
    """
    delays = model.delays
    if delays is None:
        return None
    direct = replace(
        model,
        A=model.A[:0, :0],
        B=model.B[:0],
        C=model.C[:, :0],
        f_t=model.f_t[:0],
        states=(),
        delays=replace(delays, B2=delays.B2[:0], C2=delays.C2[:, :0]),
    )
    rounds = 1 if len(set(delays.times.tolist())) == 1 else ROUNDS
    grid = turning(direct, np.array([0.0, 2.0 * np.pi * rounds / delays.times.min()]))
    values = response(direct, grid)
    values = values[np.isfinite(values)]
    turns = values.size and np.abs(values - values[0]).max() > NEAR * np.abs(values).max()
    return (direct, grid) if turns else None


def _shifts(delays: Delays) -> Complex:
    """Phase factors of all delays, spread evenly over the circle for one delay, over the torus for
    several."""
    advance = [1.0 / SHIFTS, *((k * GOLDEN) % 1.0 for k in range(1, len(delays.times)))]
    return np.asarray(np.exp(2j * np.pi * np.outer(np.arange(SHIFTS), advance)))


def _turn_delays(model: LinearModel, delays: Delays, by: Complex) -> LinearModel:
    """The model with the outputs of its delays rotated."""
    turned: Any = {name: getattr(delays, name) * by for name in ("B2", "D12", "D22")}
    return replace(model, delays=replace(delays, **turned))


def grid_of(model: LinearModel) -> Matrix:
    """Frequencies around all poles and zeros, rad/s; in discrete time up to pi / sample_time; with delays
    until these have turned a few times.
    """
    square = len(model.inputs) == len(model.outputs)
    grid = frequencies(features(model, 1, zeros=square), model.sample_time, POINTS, DECADES)
    if model.delays is None:
        return grid
    end = TURNS * 2.0 * np.pi / model.delays.times.sum()
    return turning(model, np.append(grid[grid < end], min(grid[-1], end)))
