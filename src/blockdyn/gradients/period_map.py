"""The map of states over a period, with its derivatives, gives the equations of a periodic orbit."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ..analysis.delayed import refuse_delays
from ..analysis.jacobians import names as element_names
from ..analysis.nearest_root import HUGE, nearest_root
from ..analysis.point import OperatingPoint
from ..diagrams.compiler.program import Program
from ..diagrams.compiler.variables import Variable, places
from ..diagrams.model.run_errors import RunError
from ..native.tangent.frame import NotDifferentiable
from ..solvers.layout import Floats
from ..sweeps.place.base import make_base
from .errors import GradientError
from .seeds import ARRAYS, InitialValues
from .sensitivity_run import MOST, STATES, SensitivityRun, StateDerivatives


class Passage(NamedTuple):
    """A run after a period: the `state`, its derivatives with respect to the initial state, (n, n), the
    monodromy matrix, and its time derivatives `rates`, (n,).
    """

    state: Floats
    monodromy: Floats
    rates: Floats


class PeriodMap:
    """The state of a program as one array: continuous states, discrete ones, outputs of sampled blocks.

    names     of its elements: "ball.x[0]"
    begin     state at the starting point
    flows     true for continuous elements
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
        self._followed = {len(group): SensitivityRun(base, len(group)) for group in self._groups}

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
        """Time at which a period begins, s."""
        return self._base.settings.start

    def at(self, state: Floats, period: float) -> Passage:
        """Raises NotDifferentiable, GradientError, the errors of a run."""
        words = self._words.copy()
        words.view(np.float64)[self._at] = state
        parts = [self._carried(words, group, period) for group in self._groups]
        columns = [self._taken(part.derivatives) for part in parts]
        rates = np.zeros(len(state))
        rates[self.flows] = parts[0].rates
        return Passage(self._taken(parts[0].arrays), np.concatenate(columns, axis=1), rates)

    def slopes(self, state: Floats) -> Floats:
        """The rates of the state at the start of a period."""
        return self.at(state, 0.0).rates

    def _carried(self, words: Any, group: range, period: float) -> StateDerivatives:
        memory = self._base.template.memory
        seeds = {name: np.zeros((getattr(memory, name).size, len(group))) for name in ARRAYS}
        for column, element in enumerate(group):
            array, place = self._elements[element]
            seeds[array][place, column] = 1.0
        timers = np.zeros((1, len(group)))
        begin = InitialValues(words, seeds, timers, ())
        return self._followed[len(group)].carried(begin, self.start + period)

    def _taken(self, arrays: dict[str, Floats]) -> Floats:
        return np.array([arrays[array][place] for array, place in self._elements])


MET = 1e-7  # of the states' sizes: tolerance of the return of an orbit
AT_REST = 1e-6  # of the sizes: a smaller motion counts as rest
LONGER = 2.0  # factor of the guess: range of periods in the search, above and below


class Guess(NamedTuple):
    """Start of the search."""

    point: OperatingPoint
    period: float
    autonomous: bool


class ShootingEquations:
    """The equations of an orbit, scaled to about 1: states by their sizes, the period by its guess."""

    def __init__(self, flow: PeriodMap, guess: Guess, sizes: Floats, gains: Floats) -> None:
        self._flow, self._guess, self._sizes, self._gains = flow, guess, sizes, gains
        self._rates = flow.slopes(flow.begin) / sizes
        self._key, self._passage = b"", Passage(flow.begin, np.eye(len(sizes)), self._rates)
        if guess.autonomous and np.abs(self._rates).max(initial=0.0) * guess.period <= AT_REST:
            actual = f"the search begins at {guess.point.time:g} s in an equilibrium"
            raise GradientError(
                actual, "a start that is not an equilibrium: at={...}, or a time of a run, at=20.0"
            )

    def solved(self) -> tuple[Floats, float, Floats]:
        """State, period, and the residual of the equations. Raises GradientError, RunError."""
        flow, guess, n = self._flow, self._guess, len(self._sizes)
        begin = flow.begin / self._sizes
        low, high = np.full(n, -np.inf), np.full(n, np.inf)
        if guess.autonomous:
            begin = np.append(begin, 1.0)
            low, high = np.append(low, 1.0 / LONGER), np.append(high, LONGER)
        self._passed(begin)  # raises the errors of the first run
        root = nearest_root(self._guarded, self._jacobian, begin, low, high)
        state, period = self._split(root.x)
        left = self._left(root.x)
        missed = np.abs(left[:n])
        if not np.all(missed <= MET):
            worst = int(np.argmax(missed))
            about = f" of about {guess.period:.6g} s" if guess.autonomous else f" {guess.period:.6g} s"
            actual = (
                f"no orbit with a period{about} was found: the nearest run misses {flow.names[worst]} by "
                f"{missed[worst] * self._sizes[worst]:.3g} after {period:.6g} s"
            )
            expected = (
                "a start near the orbit, such as `at=50.0` after a transient of 50 s, and the right period"
            )
            raise GradientError(actual, expected)
        return state, period, left[:n] * self._sizes

    def _split(self, unknowns: Floats) -> tuple[Floats, float]:
        n = len(self._sizes)
        factor = float(unknowns[n]) if self._guess.autonomous else 1.0
        return unknowns[:n] * self._sizes, factor * self._guess.period

    def _passed(self, unknowns: Floats) -> Passage:
        if unknowns.tobytes() != self._key:
            self._passage = self._flow.at(*self._split(unknowns))
            self._key = unknowns.tobytes()
        return self._passage

    def _guarded(self, unknowns: Floats) -> Floats:
        try:
            return self._left(unknowns)
        except (GradientError, RunError, NotDifferentiable):
            return np.full(unknowns.shape, HUGE)

    def _left(self, unknowns: Floats) -> Floats:
        n = len(self._sizes)
        state, _ = self._split(unknowns)
        left: Floats = (self._passed(unknowns).state - state - self._gains) / self._sizes
        if self._guess.autonomous:
            return np.append(left, self._across() @ (unknowns[:n] - self._flow.begin / self._sizes))
        return left

    def _across(self) -> Floats:
        """The direction along the orbit, in which the state does not change."""
        direction: Floats = self._rates / np.linalg.norm(self._rates)
        return direction

    def _jacobian(self, unknowns: Floats) -> Floats:
        passage, n = self._passed(unknowns), len(self._sizes)
        by_state = passage.monodromy * self._sizes / self._sizes[:, None] - np.eye(n)
        if not self._guess.autonomous:
            return np.asarray(by_state)
        by_period = passage.rates * self._guess.period / self._sizes
        return np.block([[by_state, by_period[:, None]], [self._across()[None], np.zeros((1, 1))]])
