"""The gradient of a run: its measures, and their derivatives with respect to the numbers of its diagram."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..base.shown import NotebookText
from ..base.text_table import Table, plain
from ..base.words import nearest
from ..diagrams.model.diagram import Diagram
from ..solvers.layout import Floats
from .errors import GradientError
from .measure_derivatives import MeasureDerivatives
from .named import NamedValues
from .sensitivities import names


@dataclass(frozen=True, repr=False, eq=False)
class Gradient(NamedValues, NotebookText):
    """Measures M of a run, and their derivatives dM/dp by numbers p of its diagram.

        g["overshoot"]            the measure
        g["overshoot", "kp"]      its derivative with respect to the number at that path, in units of both

    measures     values by name, `units` their units
    to, values   the paths, and their values
    matrix       (measures, paths): all derivatives
    differences, computed   see `Sensitivities`
    """

    measures: Mapping[str, float]
    units: Mapping[str, str]
    to: tuple[str, ...]
    values: Mapping[str, float]
    matrix: Floats
    differences: tuple[str, ...]
    computed: tuple[str, ...]

    def __getitem__(self, key: str | tuple[str, str]) -> float:
        """Raises GradientError."""
        name, path = key if isinstance(key, tuple) and len(key) == 2 else (key, None)
        if name not in self.measures:
            actual = f"there is no measure {name!r:.80}{nearest(str(name), list(self.measures))}"
            raise GradientError(actual, f"one of {', '.join(self.measures)}")
        if path is None:
            return self.measures[str(name)]
        if path not in self.to:
            actual = f"there is no parameter {path!r:.80}{nearest(str(path), self.to)}"
            raise GradientError(actual, f"one of {', '.join(self.to)}")
        return float(self.matrix[list(self.measures).index(str(name)), self.to.index(path)])

    def keys(self) -> tuple[str, ...]:
        """The names, in order."""
        return tuple(self.measures)

    def __repr__(self) -> str:
        heads = ("measure", "value", "unit", *(f"d/d {path}" for path in self.to))
        rows = [
            (name, f"{value:.6g}", self.units[name], *(f"{slope:.6g}" for slope in row))
            for (name, value), row in zip(self.measures.items(), self.matrix, strict=True)
        ]
        text = plain(Table("", heads, rows))
        return f"{text}\nby differences: {', '.join(self.differences)}" if self.differences else text


def gradient(
    diagram: Diagram,
    measures: Mapping[str, Any],
    to: str | Iterable[str],
    *,
    parameters: Mapping[str, Any] | None = None,
    set: Mapping[str, Any] | None = None,
    **simulation: Any,
) -> Gradient:
    """Measures of a run and their derivatives by numbers of its diagram, through events and ticks.

    measures   by name, as a sweep takes them: {"peak": {"max": "y"}, "rise": {"rise_time": "y"}}
    to         paths of numbers, as `sensitivities` takes them

    A maximum has the derivative of the signal at its instant; the instant T at which a signal passes a level
    L has dT = (dL - S) / y'; integrals are states, and have the derivatives of states.

    Raises SweepError, NotDifferentiable for counts, GradientError for a measure that is undefined in the
    run, and the errors of `sensitivities`.
    """
    paths = names("to", to)
    if not isinstance(measures, Mapping) or not measures:
        raise GradientError(f"measures are {measures!r:.80}", 'measures by name: {"peak": {"max": "y"}}')
    measured = MeasureDerivatives(diagram, measures, paths, simulation, parameters=parameters, set=set)
    outcome = measured.run(measured.values)
    return Gradient(
        dict(zip(measured.names, outcome.values.tolist(), strict=True)), measured.units, tuple(paths),
        dict(zip(paths, np.asarray(measured.values).tolist(), strict=True)), outcome.slopes,
        measured.differences, measured.computed,
    )  # fmt: skip
