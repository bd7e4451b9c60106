"""A periodic orbit has Floquet multipliers, which determine its stability."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from ..analysis.models.linear_model import Complex
from ..analysis.point import OperatingPoint
from ..base.door import door
from ..solvers.layout import Floats

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ..diagrams.results.result import Result
    from ..doors import Orbit as Doors
else:
    Doors = object

NEUTRAL = 1e-5  # from the unit circle: double multipliers are accurate to the root of the run's error

SHOWN = 8  # multipliers in the text


@dataclass(frozen=True, repr=False, eq=False)
class Orbit(OperatingPoint, Doors):
    """A periodic orbit x(t + T) = x(t) of a diagram, which `Diagram.orbit` found.

    It starts at this point of a period: `simulate(start=orbit.time, initial=orbit.initial)` stays on it.

    period        T, s
    autonomous    true if the state alone determines the motion; then the multiplier along the orbit is 1
    names         of the elements of the state: continuous and discrete states, outputs of sampled blocks
    monodromy     (n, n): the derivatives of the state after a period with respect to the state
                  before it, exact through events, impacts and ticks
    residual      the largest deviation of a state from its start after a period, in its unit
    run           the run along one period, with all that the diagram logs
    advances      increments of states in a period, such as the angle of a wheel
    differences   paths of blocks that Python runs, for which the monodromy is a difference
    """

    period: float = 0.0
    autonomous: bool = True
    names: tuple[str, ...] = ()
    monodromy: Floats = None  # type: ignore[assignment]
    residual: float = 0.0
    run: Result = None  # type: ignore[assignment]
    advances: tuple[tuple[str, float], ...] = ()
    differences: tuple[str, ...] = ()

    @cached_property
    def multipliers(self) -> Complex:
        """The Floquet multipliers, eigenvalues of the monodromy matrix, in decreasing order, but first the
        multiplier along the orbit, if any.
        """
        values: Complex = np.linalg.eigvals(self.monodromy).astype(np.complex128)
        values = values[np.lexsort((values.imag, -np.abs(values)))]
        if self.autonomous:
            along = int(np.argmin(np.abs(values - 1.0)))
            values = np.concatenate([values[along : along + 1], np.delete(values, along)])
        return values

    @property
    def exponents(self) -> Complex:
        """The Floquet exponents log(multiplier) / T, 1/s, in the order of the multipliers."""
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(self.multipliers) / self.period, np.complex128)

    @property
    def stable(self) -> bool:
        """True if all multipliers, except the multiplier along the orbit, lie within the unit circle."""
        return bool(np.all(np.abs(self.multipliers[int(self.autonomous) :]) < 1.0 - NEUTRAL))

    @property
    def kind(self) -> str:
        """Stable, unstable, or neutral if multipliers lie on the unit circle and none outside."""
        if self.stable:
            return "stable"
        return "unstable" if np.any(np.abs(self.multipliers) > 1.0 + NEUTRAL) else "neutral"

    def _figure(self) -> Figure:
        return self.plot(show=False)

    def __repr__(self) -> str:
        lines = [f"Orbit with a period of {self.period:.12g} s, {self.kind}, begins at {self.time:.6g} s"]
        lines[0] += f", residual {self.residual:.1e}"
        numbers = [_number(value) for value in self.multipliers[:SHOWN]]
        if self.autonomous and numbers:
            numbers[0] += " (trivial)"
        numbers += [f"and {len(self.names) - SHOWN} more"] if len(self.names) > SHOWN else []
        lines.append(f"  multipliers: {', '.join(numbers)}")
        width = max(map(len, self.initial), default=0)
        for name, value in self.initial.items():
            shown = ", ".join(f"{float(number):.10g}" for number in np.ravel(value))
            lines.append(f"  {name:<{width}}  {shown}")
        for name, gain in self.advances:
            lines.append(f"  {name} gains {gain:.10g} in a period")
        return "\n".join(lines)

    if not TYPE_CHECKING:  # see doors.pyi
        plot = door("plots.models.gradients:plot_orbit")


def _number(value: complex) -> str:
    if abs(value.imag) <= 1e-12 * abs(value):
        return f"{value.real:.8g}"
    return f"{value.real:.8g}{value.imag:+.8g}i"
