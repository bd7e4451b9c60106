"""PeriodMap: from the state where a period begins to that where it ends, with its derivatives."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ..analysis.delayed import refuse_delays
from ..analysis.jacobians import names as element_names
from ..analysis.point import OperatingPoint
from ..diagrams.compiler.program import Program
from ..diagrams.compiler.variables import Variable, places
from ..solvers.layout import Floats
from ..sweeps.place.base import make_base
from .followed import MOST, STATES, Carried, Followed
from .seeds import ARRAYS, Begin


class Passage(NamedTuple):
    """Where a run is after a period: the `state`, its derivatives by the state at the begin, (n, n), the
    monodromy matrix, and its `rates` along time, (n,).
    """

    state: Floats
    monodromy: Floats
    rates: Floats


class PeriodMap:
    """The state of a program as one array: continuous states, discrete ones, outputs of sampled blocks.

    names     of its elements: "ball.x[0]"
    begin     that of the point
    flows     which elements are continuous
    """

    def __init__(self, program: Program, point: OperatingPoint, settings: dict[str, Any]) -> None:
        """Raises NotDifferentiable, GradientError, RunArgumentError."""
        refuse_delays(program)
        self._base = base = make_base(program, settings, [], ticks=True)
        self._words = base.template.begin.copy()
        floats = self._words.view(np.float64)
        names: list[str] = []
        self._elements: list[tuple[str, int]] = []
        for place in sorted(places(program.plan), key=lambda place: (STATES.index(place.array), place.start)):
            value = point.initial.get(place.name)
            first = base.template.place(place.array) + place.start
            here = floats[first : first + place.place.stop - place.start]
            if value is not None:
                here[:] = np.ravel(value)
            if not (place.infinite or place.searched):
                names += element_names((Variable(place.name, place.shape, "", 0),))
                self._elements += [(place.array, i) for i in range(place.place.start, place.place.stop)]
        self.names = tuple(names)
        self._at = np.array([base.template.place(array) + index for array, index in self._elements], np.int64)
        self.begin: Floats = floats[self._at].copy()
        self.flows = np.array([array == "x" for array, _ in self._elements], np.bool_)
        self._groups = [range(k, min(k + MOST, len(names))) for k in range(0, len(names), MOST)]
        self._followed = {len(group): Followed(base, len(group)) for group in self._groups}

    @property
    def differences(self) -> tuple[str, ...]:
        """Paths of blocks that Python runs, whose derivatives are differences."""
        return next(iter(self._followed.values())).differences

    @property
    def atol(self) -> Floats:
        """The absolute tolerances of the runs."""
        return self._base.settings.atol

    @property
    def start(self) -> float:
        """When a period begins, s."""
        return self._base.settings.start

    def at(self, state: Floats, period: float) -> Passage:
        """Raises NotDifferentiable, GradientError, what a run raises."""
        words = self._words.copy()
        words.view(np.float64)[self._at] = state
        parts = [self._carried(words, group, period) for group in self._groups]
        columns = [self._taken(part.derivatives) for part in parts]
        rates = np.zeros(len(state))
        rates[self.flows] = parts[0].rates
        return Passage(self._taken(parts[0].arrays), np.concatenate(columns, axis=1), rates)

    def slopes(self, state: Floats) -> Floats:
        """The rates of the state where a period begins."""
        return self.at(state, 0.0).rates

    def _carried(self, words: Any, group: range, period: float) -> Carried:
        memory = self._base.template.memory
        seeds = {name: np.zeros((getattr(memory, name).size, len(group))) for name in ARRAYS}
        for column, element in enumerate(group):
            array, place = self._elements[element]
            seeds[array][place, column] = 1.0
        timers = np.zeros((1, len(group)))
        begin = Begin(words, seeds, timers, ())
        return self._followed[len(group)].carried(begin, self.start + period)

    def _taken(self, arrays: dict[str, Floats]) -> Floats:
        return np.array([arrays[array][place] for array, place in self._elements])
