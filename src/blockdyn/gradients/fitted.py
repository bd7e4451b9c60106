"""The result of a fit: estimates, their confidence, and the residuals."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ..base.door import door
from ..base.schema import is_number
from ..base.shown import NotebookText
from ..base.words import inflect, nearest
from ..solvers.layout import Floats
from .bounds import held
from .errors import GradientError
from .named import NamedValues

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ..doors import Fit as Doors
else:
    Doors = object


UNDETERMINED = 1e-7
"""Least effect of a combination that data determine, as a share of the largest effect."""
PART = 0.1  # of a combination: numbers with a smaller share are not named


class Residual(NamedTuple):
    """A measured column and the signal of the fitted diagram, in the unit of the signal."""

    experiment: str
    name: str
    unit: str
    times: Floats
    data: Floats
    model: Floats


@dataclass(frozen=True, repr=False, eq=False)
class Fit(NamedValues, NotebookText, Doors):
    """Estimated parameters of a diagram, fitted to data by weighted least squares.

    names         of the unknown numbers: their paths
    found         their values, (n,); `values` are these by name, and go to `simulate(set=fit.values)`
    starts        start of the search
    noise         the standard deviation of each signal: as given, or the root mean square of the residuals
    residuals     each measured column with the model's values
    at_bounds     numbers at one of their bounds
    runs          number of runs
    converged     true if the search ended at a minimum; `message` describes the end
    differences   paths of blocks that Python runs, for which derivatives are differences

    Near the minimum the estimates are normal with covariance (J^T J)^-1, J the exact derivatives of the
    residuals in units of their noise; times their mean square over the degrees of freedom if the noise is
    not given. Source: Seber and Wild, Nonlinear Regression (1989), sections 2.1 and 5.
    """

    names: tuple[str, ...]
    found: Floats
    starts: Floats
    bounds: tuple[Floats, Floats]
    jacobian: Floats
    noise: Mapping[str, float]
    noise_known: bool
    residuals: tuple[Residual, ...]
    runs: int
    converged: bool
    message: str
    differences: tuple[str, ...] = ()

    @property
    def values(self) -> dict[str, float]:
        """The numbers by path, for `simulate(set=...)`; numbers of single experiments are omitted."""
        numbers = dict(zip(self.names, self.found.tolist(), strict=True))
        return {name: value for name, value in numbers.items() if not name.endswith(")")}

    def __getitem__(self, name: str) -> float:
        """Raises GradientError."""
        if name not in self.names:
            expected = f"one of {', '.join(self.names)}"
            raise GradientError(
                f"there is no parameter {name!r:.80}{nearest(str(name), self.names)}", expected
            )
        return float(self.found[self.names.index(name)])

    def keys(self) -> tuple[str, ...]:
        """The names, in order."""
        return self.names

    @property
    def degrees(self) -> int:
        """Degrees of freedom: measured values minus unknowns."""
        return len(self.jacobian) - len(self.names)

    @property
    def noise_told(self) -> bool:
        """True if the noise is given, or enough values are measured to estimate it."""
        return self.noise_known or self.degrees > 0

    @property
    def at_bounds(self) -> tuple[str, ...]:
        """The numbers at a bound, which limits them."""
        return held(self.names, self.found, self.starts, self.bounds)

    @cached_property
    def _decomposition(self) -> tuple[Floats, Floats, Floats]:
        """Singular values and vectors of the effects of numbers, scaled by their sizes, and these sizes."""
        sizes = np.where(self.found != 0.0, np.abs(self.found), 1.0)
        _, effects, directions = np.linalg.svd(self.jacobian * sizes, full_matrices=False)
        return effects, directions, sizes

    @cached_property
    def covariance(self) -> Floats:
        """(n, n); infinite for numbers that the data do not determine, and for all if they are as many as
        measured values and the noise is not given.
        """
        effects, directions, sizes = self._decomposition
        determined = effects > UNDETERMINED * effects[0] if effects[0] > 0.0 else np.zeros(effects.size, bool)
        scaled = directions[determined] / effects[determined][:, None]
        covariance: Floats = (scaled.T @ scaled) * np.outer(sizes, sizes)
        if not self.noise_known:
            covariance *= len(self.jacobian) / max(self.degrees, 1)
        open_ = np.any(np.abs(directions[~determined]) > PART, axis=0) | (not self.noise_told)
        covariance[open_, :] = covariance[:, open_] = np.nan
        covariance[open_, open_] = np.inf
        return covariance

    @property
    def errors(self) -> dict[str, float]:
        """The standard error of each number, in its unit."""
        return dict(zip(self.names, np.sqrt(np.diag(self.covariance)).tolist(), strict=True))

    @property
    def correlation(self) -> Floats:
        """(n, n)."""
        error = np.sqrt(np.diag(self.covariance))
        with np.errstate(invalid="ignore"):
            return np.asarray(self.covariance / np.outer(error, error))

    def intervals(self, level: float = 0.95) -> dict[str, tuple[float, float]]:
        """Confidence intervals, by Student's distribution, or the normal one if the noise is given.

        Raises GradientError for a level outside (0, 1).
        """
        if not (is_number(level) and 0.0 < level < 1.0):
            raise GradientError(f"level is {level!r:.80}", "a number between 0 and 1, such as 0.95")
        from scipy.stats import norm, t

        p = 0.5 + level / 2.0
        reach = float(norm.ppf(p) if self.noise_known else t.ppf(p, max(self.degrees, 1)))
        return {
            name: (float(value) - reach * error, float(value) + reach * error)
            for (name, error), value in zip(self.errors.items(), self.found, strict=True)
        }

    @property
    def undetermined(self) -> tuple[dict[str, float], ...]:
        """Combinations of numbers that the data do not determine: the share of each, relative to its size.

        {"mass": 0.71, "force": 0.71}: mass and force may grow by an equal factor.
        """
        effects, directions, _ = self._decomposition
        return tuple(
            {
                name: round(float(part), 3)
                for name, part in zip(self.names, row, strict=True)
                if abs(part) > PART
            }
            for effect, row in zip(effects, directions, strict=True)
            if effect <= UNDETERMINED * effects[0]
        )

    @property
    def untold(self) -> tuple[dict[str, float], ...]:
        """Older name of `undetermined`."""
        return self.undetermined

    def _figure(self) -> Figure:
        return self.plot(show=False)

    def __repr__(self) -> str:
        state = "" if self.converged else f", not converged: {self.message}"
        head = f"Fit of {inflect(len(self.names), 'number')} to {len(self.jacobian)} measured ones"
        lines = [f"{head}, {inflect(self.runs, 'run')}{state}"]
        width = max(map(len, self.names))
        intervals = self.intervals()
        for name, value in zip(self.names, self.found, strict=True):
            low, high = intervals[name]
            lines.append(f"  {name:<{width}}  {value:<12.6g} 95 %: {low:.6g} to {high:.6g}")
        for name, sigma in self.noise.items() if self.noise_told else ():
            lines.append(f"  noise of {name}: {sigma:.3g}{'' if self.noise_known else ' (estimated)'}")
        if not self.noise_told:
            lines.append(
                "  there are as many numbers as data: the noise and the accuracy cannot be estimated"
            )
        if self.at_bounds:
            held = ", ".join(self.at_bounds)
            lines.append(f"  held by a bound: {held}; the intervals are as if there were none")
        for combination in self.undetermined:
            parts = ", ".join(f"{part:+g} {name}" for name, part in combination.items())
            lines.append(f"  the data do not determine: {parts}, each by its own size")
        if self.differences:
            lines.append(f"  by differences: {', '.join(self.differences)}")
        return "\n".join(lines)

    if not TYPE_CHECKING:  # see doors.pyi
        plot = door("plots.models.gradients:plot_fit")
