"""The result of a tuning has gains, and the measures before and after."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ..base.door import door
from ..base.shown import NotebookText
from ..base.text_table import Table, plain
from ..base.words import inflect, nearest
from ..solvers.layout import Floats
from .bounds import far, held
from .errors import TuneError
from .named import NamedValues

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ..doors import Tuned as Doors
else:
    Doors = object


@dataclass(frozen=True, repr=False, eq=False)
class Tuned(NamedValues, NotebookText, Doors):
    """Numbers of a diagram that minimise a measure: `tuned["kp"]`.

    values, starts   by path; `values` go to `simulate(set=tuned.values)`
    measures         names; `before` and `after` are their values, (scenarios, measures), and `worst` the
                     worst values, before and after, of each measure
    limits           by measure, its least and its greatest value; None: no limit
    bounds           the least and the greatest value of each number
    unmet            limits that no nearby point meets together with the others: measure, and the remaining
                     worst value; the sum of all excesses, in all scenarios and each in units of its
                     level, is then least
    method           "gradient" or "evolution"; `reason` is the reason for the absence of gradients
    runs             number of runs, one per scenario and point
    converged        true if the search ended at a minimum; `message` describes the end
    differences      paths of blocks that Python runs, for which gradients are differences
    """

    values: Mapping[str, float]
    starts: Mapping[str, float]
    measures: tuple[str, ...]
    before: Floats
    after: Floats
    worst: tuple[Floats, Floats]
    limits: Mapping[str, tuple[float | None, float | None]]
    unmet: Mapping[str, float]
    bounds: tuple[Floats, Floats]
    method: str
    reason: str
    runs: int
    converged: bool
    message: str
    differences: tuple[str, ...] = ()

    @property
    def at_bounds(self) -> tuple[str, ...]:
        """The numbers at a bound, which limits them."""
        return held(self.keys(), *self._ways, self.bounds)

    @property
    def unbounded(self) -> Mapping[str, float]:
        """Unbounded numbers that have grown by a factor above a thousand, with the factor."""
        return far(self.keys(), *self._ways, self.bounds)

    @property
    def _ways(self) -> tuple[Floats, Floats]:
        tuned, starts = (np.array([*numbers.values()]) for numbers in (self.values, self.starts))
        return tuned, starts

    def keys(self) -> tuple[str, ...]:
        """The names, in order."""
        return tuple(self.values)

    def __getitem__(self, name: str) -> float:
        """Raises TuneError, also for a measure, of which there are several values."""
        if name in self.measures:
            at = f"tuned.after[:, {self.measures.index(name)}]"
            raise TuneError(
                f"{name!r} is a measure", f"{at}, in each scenario; before tuning it was `before`"
            )
        if name not in self.values:
            actual = f"there is no parameter {name!r:.80}{nearest(str(name), self.values)}"
            raise TuneError(actual, f"one of {', '.join(self.values)}")
        return self.values[name]

    def _figure(self) -> Figure:
        return self.plot(show=False)

    def __repr__(self) -> str:
        gains = [(path, f"{self.starts[path]:.6g}", f"{value:.6g}") for path, value in self.values.items()]
        parts = [plain(Table("", ("gain", "initial", "tuned"), gains)).rstrip()]
        heads = ("measure", "initial mean", "initial worst case", "tuned mean", "tuned worst case")
        rows = [
            (name, *(f"{number:.5g}" for number in numbers))
            for name, *numbers in zip(
                self.measures,
                self.before.mean(axis=0),
                self.worst[0],
                self.after.mean(axis=0),
                self.worst[1],
                strict=True,
            )
        ]
        parts.append(plain(Table("", heads, rows)).rstrip())
        parts += [f"the limit of {name} is not met: {value:.5g}" for name, value in self.unmet.items()]
        if self.unmet and self.converged:
            parts.append("the sum of all violations, each in units of its level, is smallest near this point")
        if self.at_bounds:
            parts.append(
                f"at its bound: {', '.join(self.at_bounds)}; without the bound the search would continue"
            )
        parts += [self._unbounded(path, times) for path, times in self.unbounded.items()]
        state = "" if self.converged else f", not converged: {self.message}"
        why = f" ({self.reason.splitlines()[0]})" if self.reason else ""
        parts += [f"by differences: {', '.join(self.differences)}"] * bool(self.differences)
        return "\n".join([*parts, f"by {self.method}{why}, {inflect(self.runs, 'run')}{state}"])

    def _unbounded(self, path: str, times: float) -> str:
        begin = self.values[path] / times
        low, high = sorted((begin / 100.0, begin * 100.0))
        return (
            f"{path} is {times:.3g} times its start, and no bound holds it: the measure may improve without"
            f' end; give bounds={{"{path}": ({low:g}, {high:g})}}, or a limit of what {path} costs'
        )

    if not TYPE_CHECKING:  # see doors.pyi
        plot = door("plots.models.gradients:plot_tuning")
