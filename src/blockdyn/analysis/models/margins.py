"""Margins measure the distance of a loop from the edge of stability."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from math import inf, nan, pi
from typing import NamedTuple

import numpy as np

from ...base.hints import hint_attributes
from ...base.shown import verbatim
from ...base.text_table import Table, plain
from .frequency import frequencies, frequency_response
from .linear_model import Complex, LinearModel, Matrix
from .loci import distances, factors, lifted, loci
from .stability import MARGINAL as EDGE, instability
from .turning import features, followed, response, turning, turning_for_ever

POINTS = 4000  # of the grid on which crossings are bracketed
DECADES = 3.0  # below the slowest and above the fastest pole or zero that the grid reaches
FLAT = 1e-9  # relative: values of neighbouring points that count as equal
SPARE = 2.0  # times the sampled size of a response with delays: bound between samples
MOST_DECADES = 100  # beyond the grid, where |L| is a power of the frequency
UNSTABLE = "the closed loop is unstable"
MARGINAL = "the closed loop is marginal, on the edge of stability"


@hint_attributes
class Margins(NamedTuple):
    """Margins of a loop transfer L(s), closed by 1 / (1 + L).

    gain             the factor by which L may grow before the loop is unstable, 1 / |L| where its phase is
                     -180 degrees; below 1, the factor to which it may shrink; the one nearest to 1.
                     Infinite if there is none
    phase            phase, degrees, that L may lose, 180 + arg L where |L| = 1; the smallest in size
    delay            additional delay, s, that the loop tolerates: that phase by its frequency
    modulus          the smallest |1 + L|, the distance from -1; its inverse is the peak of the sensitivity
    gain_frequency, phase_frequency, modulus_frequency, delay_frequency
                     where these are read, rad/s; NaN if there is none, infinite for the limit of L at
                     infinity, its direct part: |1 + L| of 1 / (s + 1) falls to 1 there
    stable           true if the loop is stable when closed. If not, gain and phase are read where L passes
                     -1, and are not margins, modulus is its distance all the same, and delay is NaN.
                     A loop on the edge of stability is not: L passes through -1, and modulus is 0

    With a delay L circles the origin forever; the margins are the least over all crossings. In a loop with
    several samples in a period gain and phase belong to a factor on all of them, the modulus is the smallest
    singular value of I + L, and the delay is NaN.

    Sources: Astrom and Murray, Feedback Systems (2008), section 9.3; MacFarlane and Postlethwaite,
    International Journal of Control 25(1) (1977), 81-127.
    """

    gain: float
    phase: float
    delay: float
    modulus: float
    gain_frequency: float
    phase_frequency: float
    modulus_frequency: float
    delay_frequency: float
    stable: bool

    @property
    def marginal(self) -> bool:
        """True if the closed loop is on the edge of stability."""
        return not self.stable and self.modulus == 0.0

    @property
    def warning(self) -> str:
        """The statement that the closed loop is not stable; "" if it is stable."""
        return "" if self.stable else MARGINAL if self.marginal else UNSTABLE

    def table(self) -> Table:
        """The four margins, rounded, each with its unit and the frequency at which it is read."""
        rows = [
            (name, "none" if np.isnan(value) else f"{value:.4g}", unit, "" if np.isnan(at) else f"{at:.4g}")
            for name, value, unit, at in (
                ("gain", self.gain, "", self.gain_frequency),
                ("", 20.0 * float(np.log10(self.gain)), "dB", nan),
                ("phase", self.phase, "deg", self.phase_frequency),
                ("delay", self.delay, "s", self.delay_frequency),
                ("modulus", self.modulus, "", self.modulus_frequency),
            )
        ]
        title = ": ".join(filter(None, ("Margins", self.warning)))
        return Table(title, ("margin", "value", "unit", "frequency (rad/s)"), rows)

    def __repr__(self) -> str:
        return plain(self.table())

    def _repr_html_(self) -> str:
        return verbatim(repr(self))


def margins(model: LinearModel) -> Margins:
    """Gain, phase and delay margin of this loop transfer L, closed by 1 / (1 + L): see `Margins`.

    Raises AnalysisError unless there is one input and one output, or each sample of one wire.
    """
    if lifted(model):
        return _of_samples(model)
    transfer = _transfer(model)
    first, direct = float(model.gain()[0, 0]), float(model.D[0, 0])
    far = turning_for_ever(model)
    limit = None if model.sample_time or far is not None else abs(direct)
    grid = _to_unit_gain(
        frequencies(features(model), model.sample_time, POINTS, DECADES), transfer, abs(first), limit
    )
    points = _Points.read(transfer, grid, followed(model, grid))
    if model.delays is not None:  # beyond the grid, margins may be smaller
        grid = turning(model, grid, response, partial(_may_be_less, points.margins()))
        points = _Points.read(transfer, grid, followed(model, grid))
    points.real(0.0, first)  # L is real there, too
    if model.sample_time:
        points.real(grid[-1], transfer(grid[-1]).real)
    elif far is None:
        points.real(inf, direct)
        points.nearest.append((abs(1.0 + direct), inf))
        if abs(direct) > 1.0:
            points.delays.append((0.0, inf))  # high frequencies are amplified with any delay
    else:
        points.far(*far)
    margins = points.margins()
    return _judge_stability(margins, model)


def _of_samples(model: LinearModel) -> Margins:
    """The margins of a loop with several samples in a period, from all its characteristic loci."""
    end = pi / model.sample_time
    grid = frequencies(features(model), model.sample_time, POINTS // len(model.inputs), DECADES)
    points = _Points([], [], [], [])
    for transfer, values in loci(model, grid):
        each = _Points.read(transfer, grid, values)
        points.gains.extend(each.gains)
        points.phases.extend(each.phases)
    for z, omega in ((1.0, 0.0), (-1.0, end)):
        points.gains.extend((factor, omega) for factor in factors(model, z).tolist())
    points.nearest.append(
        _nearest(grid, distances(model, grid), lambda w: float(distances(model, np.array([w]))[0]))
    )
    margins = points.margins()
    margins = margins._replace(phase=abs(margins.phase), delay=nan, delay_frequency=nan)
    return _judge_stability(margins, model)


def _judge_stability(margins: Margins, model: LinearModel) -> Margins:
    """The margins, with `stable` false if the closed loop is unstable."""
    cause = instability(model)
    if not cause:
        return margins
    modulus = 0.0 if cause.startswith(EDGE) else margins.modulus
    return margins._replace(delay=nan, delay_frequency=nan, modulus=modulus, stable=False)


def _transfer(model: LinearModel) -> Callable[[float], complex]:
    return lambda omega: complex(frequency_response(model, [omega])[0, 0, 0])


@dataclass(frozen=True)
class _Points:
    """Candidate points for margins, each a value with its frequency."""

    gains: list[tuple[float, float]]
    phases: list[tuple[float, float]]
    delays: list[tuple[float, float]]
    nearest: list[tuple[float, float]]

    @classmethod
    def read(cls, transfer: Callable[[float], complex], grid: Matrix, values: Complex) -> _Points:
        """Points of a loop transfer with these values on a grid."""
        points = cls([], [], [], [])
        for omega in _crossings(grid, values.imag, lambda w: transfer(w).imag):
            points.real(omega, transfer(omega).real)
        for omega in _crossings(grid, np.abs(values) - 1.0, lambda w: abs(transfer(w)) - 1.0):
            angle = _phase_margin(transfer(omega))
            points.phases.append((angle, omega))
            points.delays.append((float(np.radians(angle % 360.0)) / omega, omega))
        points.nearest.append(_nearest(grid, np.abs(1.0 + values), lambda w: abs(1.0 + transfer(w))))
        return points

    def real(self, omega: float, value: float) -> None:
        """Add a frequency at which L is real."""
        if -inf < value < 0.0:
            self.gains.append((-1.0 / value, omega))

    def far(self, model: LinearModel, grid: Matrix) -> None:
        """At high frequencies L circles the origin repeatedly, as this model does on a grid."""
        values = response(model, grid)
        points = _Points.read(_transfer(model), grid, values)
        self.gains.extend((gain, inf) for gain, _ in points.gains)
        self.phases.extend((phase, inf) for phase, _ in points.phases)
        self.nearest.extend((modulus, inf) for modulus, _ in points.nearest)
        if np.abs(values).max() >= 1.0:
            self.delays.append((0.0, inf))

    def margins(self) -> Margins:
        gain, at_gain = min(self.gains, key=lambda each: abs(np.log(each[0])), default=(inf, np.nan))
        phase, at_phase = min(self.phases, key=lambda each: abs(each[0]), default=(inf, np.nan))
        delay, at_delay = min(self.delays, default=(inf, np.nan))
        modulus, at_modulus = min(self.nearest)
        return Margins(gain, phase, delay, modulus, at_gain, at_phase, at_modulus, at_delay, stable=True)


def _may_be_less(margins: Margins, values: Complex) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """True where a loop with these sampled values may have smaller margins, also between the samples."""
    size = np.abs(values).max(axis=0)
    return np.asarray(SPARE * size > min(np.exp(-abs(np.log(margins.gain))), 1.0 - margins.modulus))


def _to_unit_gain(
    grid: Matrix, transfer: Callable[[float], complex], first: float, last: float | None
) -> Matrix:
    """The grid, extended by decades where |L| has yet to cross 1 on the way to its value at 0, `first`,
    or to its limit at infinity, `last`: the gain of 1e5 / (s + 1) is 1 at 1e5 rad/s.
    """
    below: list[float] = []
    above: list[float] = []
    for limit, factor, end, beyond in ((first, 0.1, grid[0], below), (last, 10.0, grid[-1], above)):
        while limit is not None and len(beyond) < MOST_DECADES:
            if not (abs(transfer(end)) - 1.0) * (limit - 1.0) < 0.0:
                break
            end *= factor
            beyond.append(end)
    return np.concatenate([below[::-1], grid, above])


def _phase_margin(value: complex) -> float:
    """180 degrees plus the phase, between -180 and 180."""
    return float((np.degrees(np.angle(value)) + 360.0) % 360.0 - 180.0)


def _crossings(grid: Matrix, values: Matrix, function: Callable[[float], float]) -> list[float]:
    """Zeros of a function."""
    from scipy.optimize import brentq

    changes = np.isfinite(values[:-1] - values[1:]) & (np.sign(values[:-1]) * np.sign(values[1:]) < 0.0)
    return [
        float(brentq(function, grid[i], grid[i + 1], xtol=1e-300, rtol=1e-14)) for i in np.nonzero(changes)[0]
    ]


def _nearest(grid: Matrix, values: Matrix, function: Callable[[float], float]) -> tuple[float, float]:
    """The minimum of a function and its location."""
    from scipy.optimize import minimize_scalar

    i = int(np.argmin(np.where(np.isfinite(values), values, np.inf)))
    above = np.nonzero(values > values[i] * (1.0 + FLAT))[0]
    low = grid[max(above[above < i], default=0)]
    high = grid[min(above[above > i], default=len(grid) - 1)]
    best = minimize_scalar(function, bounds=(low, high), method="bounded", options={"xatol": 1e-10 * high})
    return min((float(best.fun), float(best.x)), (float(values[i]), float(grid[i])))
