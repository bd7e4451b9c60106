"""Loops: margins that are measures, and their derivatives by numbers of the diagram."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from operator import attrgetter
from typing import Any

import numpy as np

from ..analysis.loop import Loop
from ..analysis.models.linear_model import LinearModel
from ..analysis.models.margins import Margins
from ..analysis.models.moving_margins import of_margins
from ..analysis.models.stability import instability
from ..base.annotations import is_number
from ..diagrams.model.copying import copied
from ..diagrams.model.diagram import Diagram
from ..diagrams.model.settings import IN_DIAGRAMS
from ..diagrams.runs.settings import overriding
from ..solvers.layout import Floats
from ..sweeps.measures.declaration import MARGINS, Measure
from .errors import GradientError
from .seeds import CENTRAL, STEP, beside


class Loops:
    """The loops that some measures are margins of."""

    def __init__(
        self, diagram: Diagram, measures: Sequence[Measure], simulation: Mapping[str, Any]
    ) -> None:  # fmt: skip
        """`simulation` are the arguments of the runs in which the loops are."""
        here = copied(diagram)
        settings = {name: value for name, value in simulation.items() if name in IN_DIAGRAMS}
        here.settings(**overriding(diagram.simulation, settings))
        stop: Any = here.simulation.get("stop")
        stop = float(stop) if is_number(stop) else np.inf  # what is no number is said by the run
        for measure in measures:
            at = measure.options.get("at", -np.inf)
            if at > stop:
                found = f"`at` is {at:g} s, and the run stops at {stop:g} s"
                raise measure.wrong(found, "expected: a time of the run")
        asked = dict.fromkeys((m.of, m.options.get("at")) for m in measures)
        self._loops = {key: Loop(here, *key, simulation.get("loops")) for key in asked}
        self._measures = measures

    def open(self, numbers: Mapping[str, Any]) -> None:
        """Compile what is needed for numbers at these paths. Raises what `Diagram.linearize` raises."""
        for loop in self._loops.values():
            loop.open(numbers)

    def at(self, numbers: Mapping[str, Any], paths: Sequence[str]) -> tuple[Floats, Floats]:
        """The margins (m,) with these numbers by path, and their derivatives by some of them (m, n).

        Those of the matrices of a loop are differences of order 4. Raises what `Diagram.linearize` raises,
        GradientError for a loop that is not stable.
        """
        known: dict[tuple[str, float | None], tuple[Margins, list[dict[str, float]]]] = {}
        for key, loop in self._loops.items():
            model = loop.model(numbers)
            margins = model.margins()
            if not margins.stable:
                problem = f"the loop that closes at `{key[0]}` is not stable, with {instability(model)}"
                raise GradientError(problem, "numbers with which it is: only such a loop has margins")
            changes = [_changes(loop, numbers, path) for path in paths]
            known[key] = margins, [of_margins(model, margins, change) for change in changes]
        values, slopes = np.zeros(len(self._measures)), np.zeros((len(self._measures), len(paths)))
        for i, measure in enumerate(self._measures):
            margins, of = known[measure.of, measure.options.get("at")]
            name = MARGINS[measure.kind]
            values[i] = getattr(margins, name)
            slopes[i] = [each[name] for each in of]
        return values, slopes


def _changes(loop: Loop, numbers: Mapping[str, Any], path: str) -> LinearModel:
    """The derivatives of the matrices by the number at a path."""
    value = float(numbers[path])
    step = float(f"{STEP * (abs(value) or 1.0):.0e}")
    models = {
        weight: loop.model({**numbers, path: beside(value, offset * step)})
        for offset, weight in CENTRAL.items()
    }

    def change(of: Callable[[LinearModel], Any]) -> Any:
        return sum(weight * of(model) for weight, model in models.items()) / step

    parts = {name: change(attrgetter(name)) for name in "ABCD"}
    first = next(iter(models.values()))
    delays = first.delays and first.delays.combined(lambda name, _: change(attrgetter(f"delays.{name}")))
    return replace(first, delays=delays, **parts)
