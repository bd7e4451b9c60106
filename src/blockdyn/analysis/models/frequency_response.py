"""The response of a diagram to sines at an input, with its linear model for comparison."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from ...base.door import door
from ...base.hints import AttributeHints
from ...base.shown import NotebookText
from ...base.text_table import Table, plain
from .frequency import frequency_response
from .linear_model import Complex, LinearModel, Matrix
from .turning import turning

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ...doors import FrequencyResponse as Doors
else:
    Doors = object


ROUNDING = 1e-6  # degrees


@dataclass(frozen=True, eq=False, repr=False)
class FrequencyResponse(AttributeHints, NotebookText, Doors):
    """The response G to a sine of one amplitude: a sin(omega t) at the input leads, once it has settled, to
    |G| a sin(omega t + arg G) at an output, and to harmonics.

    omega       frequencies, rad/s, (k,)
    values      G, complex, (k, p): a column for each element of the outputs
    distortion  rms of all but the mean and that frequency, over the rms at that frequency, (k, p)
    amplitude   a, in the unit of the `input`; `outputs` name the elements
    model       the linear model at the same point, for the smallest amplitudes
    """

    omega: Matrix
    values: Complex
    distortion: Matrix
    amplitude: float
    input: str
    outputs: tuple[str, ...]
    model: LinearModel

    def __neg__(self) -> FrequencyResponse:
        """The response and the model with negated outputs: of a loop with negative feedback."""
        return replace(self, values=-self.values, model=-self.model)

    def _figure(self) -> Figure:
        return self.bode(show=False)

    def __repr__(self) -> str:
        head = f"FrequencyResponse of {self.input}, amplitude {self.amplitude:g}"
        titles = ("frequency (rad/s)", "magnitude (dB)", "phase (deg)", "distortion")
        parts = [head]
        for j, output in enumerate(self.outputs):
            level, angle = decibels(self.values[:, j]), phases(self, j)
            rows = [
                (f"{self.omega[k]:.4g}", f"{level[k]:.2f}", f"{angle[k]:.1f}", f"{self.distortion[k, j]:.2g}")
                for k in np.argsort(self.omega)
            ]
            parts.append(plain(Table(f"to {output}", titles, rows)))
        return "\n".join(parts)

    if not TYPE_CHECKING:  # see doors.pyi
        bode = door("plots.models.bode:bode_of_sines")


def phase_near(omega: Matrix, values: Complex, grid: Matrix, line: Matrix) -> Matrix:
    """arg G, shifted by multiples of 360 degrees to be closest to a line given over a grid."""
    angle = phase(values)
    return np.asarray(angle + 360.0 * np.round((np.interp(omega, grid, line) - angle) / 360.0))


def phases(points: FrequencyResponse, i: int) -> Matrix:
    """arg G of one output of a sweep, degrees; with delays, closest to the line of the model."""
    order = np.argsort(points.omega)
    omega, values = points.omega[order], points.values[order, i]
    angle = phase(values)
    if points.model.delays is not None:
        grid = turning(points.model, omega)
        angle = phase_near(omega, values, grid, phase(frequency_response(points.model, grid)[:, i, 0]))
    back = np.empty(order.size, np.int64)
    back[order] = np.arange(order.size)
    return np.asarray(angle[back])


def decibels(values: Complex) -> Matrix:
    """20 log10 |G|; NaN, a gap, where G is 0 or infinite."""
    with np.errstate(divide="ignore", invalid="ignore"):
        level: Matrix = 20.0 * np.log10(np.abs(values))
    return np.where(np.isfinite(level), level, np.nan)


def phase(values: Complex) -> Matrix:
    """arg G without jumps, degrees, from between -270 and 90 at the lowest frequency; a gap where G is 0."""
    angle: Matrix = np.where(np.isfinite(decibels(values)), np.angle(values), np.nan)
    there = np.isfinite(angle)
    angle[there] = np.degrees(np.unwrap(angle[there]))
    first = angle[there][:1]
    return angle - 360.0 if first.size and first[0] > 90.0 + ROUNDING else angle
