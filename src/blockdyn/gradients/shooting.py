"""Shooting finds a periodic orbit by Newton's method on the state after a period.

    x(T; x0) - x0 = 0,    f(x*) . (x0 - x*) = 0 if the period T is also unknown

with the monodromy matrix dx(T)/dx0 of the run. It contains the saltation matrices of impacts and switches.
Source: Parker and Chua, Practical Numerical Algorithms for Chaotic Systems (1989),
chapter 5; Leine and Nijmeijer, Dynamics and Bifurcations of Non-Smooth Mechanical Systems (2004), chapter 7.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ..analysis.delayed import refuse_delays
from ..analysis.point import At, OperatingPoint, point_of
from ..base.schema import is_number
from ..base.words import nearest
from ..diagrams.compiler.program import Program
from ..diagrams.model.diagram import Diagram
from ..diagrams.model.run_errors import RunError
from ..solvers.events.timer import HELD, first_count, instant
from ..solvers.layout import RATIONAL, READS, Floats
from .errors import GradientError
from .orbit import Orbit
from .period_map import AT_REST, LONGER, Guess, Passage, PeriodMap, ShootingEquations

TIGHT = {"rtol": 1e-10, "atol": 1e-12}  # of the runs, unless the caller or the diagram specifies them
STEPS = 50.0  # of a period, at least
SAMPLES = 2001  # of the run for a first guess of the period
NEAR, FAR = 0.25, 0.5  # of the largest distance: a run within NEAR has returned, beyond FAR it has left
PHASES = (0.0, 0.31, 0.67, 0.13)  # of the period: starting phases to try
ROUNDING = 1e7  # times the absolute tolerance: least size of a state, far above the errors of runs
REPEATED = 1e-5  # of the sizes: largest difference of the second period, times the largest multiplier
PARTS = (2, 3, 5)  # divisors of a period that may give the least period


def periodic_orbit(
    program: Program, period: float | None, at: At, advances: Mapping[str, float] | None,
    simulation: Mapping[str, Any],
) -> Orbit:  # fmt: skip
    """Carry out `Diagram.orbit` on a program."""
    if period is not None and not (is_number(period) and 0.0 < period < np.inf):
        raise GradientError(f"period is {period!r:.80}", "a time above 0, s")
    if advances is not None and not isinstance(advances, Mapping):
        raise GradientError(
            f"advances are {advances!r:.80}", 'increments of states by name: {"wheel.x": 6.28}'
        )
    settings = dict(simulation)
    if inputs := settings.pop("inputs", None):
        program = program.with_inputs(inputs)
    refuse_delays(program)
    for name, value in TIGHT.items():
        if program.flat.simulation.get(name) is None:
            settings.setdefault(name, value)
    search = Search(program, settings, dict(advances or {}))
    guess = search.guess(period, at)
    problems: list[GradientError | RunError] = []
    for phase in PHASES if guess.autonomous else PHASES[:1]:
        try:
            return search.at(guess, phase)
        except (GradientError, RunError) as error:
            problems.append(error)
    raise problems[0]


class Search:
    """A program with the settings of its runs."""

    def __init__(self, program: Program, settings: dict[str, Any], advances: dict[str, float]) -> None:
        self._program, self._settings, self._advances = program, settings, advances

    # ---- start ----

    def guess(self, period: float | None, at: At) -> Guess:
        point = point_of(self._program, at, None)
        forcing = _forcing(self._program, point.time)
        if not self._program.states:
            raise GradientError("the diagram has no continuous state", "a diagram with continuous states")
        if forcing and period is None:
            drives = ", ".join(forcing)
            raise GradientError(
                f"no period is given, but the time drives the diagram: {drives}",
                "the period of the driving signal, s",
            )
        point = self._beside_ticks(point)
        if period is None:
            period = self._first_return(point)
        return Guess(point, float(period), not forcing)

    def _first_return(self, point: OperatingPoint) -> float:
        """Time at which a run first returns near its start, s."""
        stop = self._settings.get("stop", self._program.flat.simulation.get("stop"))
        span = float(stop) if stop is not None and is_number(stop) else point.time
        if not span > 0.0:
            expected = "a first guess: period=6.0, or the `stop` of a run in which it comes back"
            raise GradientError("neither a period nor a span in which to look for one", expected)
        times, states = self._course(point, span)
        scaled = (states - states[0]) / _sizes(states)
        away = np.linalg.norm(scaled, axis=1)
        onwards = np.gradient(scaled, axis=0) @ (scaled[1] - scaled[0])
        left = int(np.argmax(away > FAR * away.max(initial=0.0)))
        minima = [
            k for k in range(max(left, 1), len(away) - 1)
            if away[k - 1] >= away[k] <= away[k + 1] and away[k] < NEAR * away.max() and onwards[k] > 0.0
        ]  # fmt: skip
        if not minima:
            actual = f"the run from {point.time:g} s does not come back to where it began within {span:g} s"
            expected = (
                "a start near the orbit, `at=50.0` after a transient of 50 s, and its approximate period"
            )
            raise GradientError(actual, expected)
        return float(times[minima[0]] - times[0])

    def _beside_ticks(self, point: OperatingPoint) -> OperatingPoint:
        """The point, moved between two ticks of clocks: a tick belongs to only one period."""
        if not self._program.plan.clocks:
            return point
        first, then = _next_instants(self._program, point.time)
        middle = (max(first, point.time) + then) / 2.0 if first <= point.time else (point.time + first) / 2.0
        return self._moved(point, middle - point.time)

    def _moved(self, point: OperatingPoint, span: float) -> OperatingPoint:
        """The point after a time."""
        if span == 0.0:
            return point
        result = self._program.simulate(**self._span(point, span), log=[], states=False)
        finals = result.final_states()
        states = {variable.name for variable in self._program.states}
        return OperatingPoint(
            point.time + span, {name: value for name, value in finals.items() if name in states}, {},
            {name: value for name, value in finals.items() if name not in states},
        )  # fmt: skip

    def _span(self, point: OperatingPoint, span: float) -> dict[str, Any]:
        """The arguments of a run that starts at a point."""
        arguments = {
            "start": point.time,
            "stop": point.time + span,
            "initial": point.initial,
            "progress": False,
        }
        return {**self._settings, **arguments}

    def _course(self, point: OperatingPoint, span: float) -> tuple[Floats, Floats]:
        """Times and continuous states, (k, n), of the run that starts at a point."""
        result = self._program.simulate(**self._span(point, span), log=[])
        times = np.linspace(point.time, point.time + span, SAMPLES)
        return times, self._states(result, times)

    def _states(self, result: Any, times: Floats) -> Floats:
        values = result.resample(times)
        parts = [np.reshape(values[v.name], (len(times), -1)) for v in self._program.states]
        return np.concatenate(parts, axis=1)

    # ---- Newton's method ----

    def at(self, guess: Guess, phase: float) -> Orbit:
        """The orbit from the guess, shifted by a fraction of a period."""
        point = self._moved(guess.point, phase * guess.period)
        longest = self._settings.get("max_step", self._program.flat.simulation.get("max_step"))
        settings = {**self._span(point, 2.0 * LONGER * guess.period)}
        settings["max_step"] = longest or guess.period / STEPS
        flow = PeriodMap(self._program, point, settings)
        gains = self._gains(flow)
        sizes = np.ones(len(flow.names))
        moves = self._course(point, guess.period)[1]
        sizes[flow.flows] = np.maximum(_sizes(moves), ROUNDING * np.max(flow.atol, initial=0.0))
        sizes[~flow.flows] = np.maximum(np.abs(flow.begin[~flow.flows]), 1.0)
        shot = ShootingEquations(flow, guess, sizes, gains)
        state, period, left = shot.solved()
        if guess.autonomous:
            self._moves(point, period, flow, state, sizes)
            period = self._least(flow, state, period, sizes, gains)
        passage = flow.at(state, period)
        begin = _point(self._program, point, flow, state)
        self._repeats(begin, period, passage, sizes, flow, gains, guess)
        run = self._program.simulate(**self._span(begin, period))
        return Orbit(
            begin.time, begin.states, begin.inputs, begin.held, period, guess.autonomous, flow.names,
            passage.monodromy, float(np.abs(left).max(initial=0.0)), run,
            tuple((name, float(gain)) for name, gain in self._advances.items()), flow.differences,
        )  # fmt: skip

    def _gains(self, flow: PeriodMap) -> Floats:
        """Increment of each element in a period. Raises GradientError."""
        gains = np.zeros(len(flow.names))
        for name, gain in self._advances.items():
            if name not in flow.names:
                actual = f"advances: there is no state {name!r:.80}{nearest(str(name), flow.names)}"
                raise GradientError(actual, f"one of {', '.join(flow.names)}")
            if not (is_number(gain) and np.isfinite(gain)):
                raise GradientError(
                    f"advances[{name!r}] is {gain!r:.80}", "the increment of the state in a period"
                )
            gains[flow.names.index(name)] = gain
        return gains

    def _moves(
        self, point: OperatingPoint, period: float, flow: PeriodMap, state: Floats, sizes: Floats
    ) -> None:
        """Raise GradientError for an equilibrium."""
        states = self._course(_point(self._program, point, flow, state), period)[1]
        if np.all(np.ptp(states, axis=0) <= AT_REST * sizes[flow.flows]):
            actual = "the search found an equilibrium, not an orbit"
            raise GradientError(actual, "a start near an orbit, or `trim` for an equilibrium")

    def _least(
        self, flow: PeriodMap, state: Floats, period: float, sizes: Floats, gains: Floats
    ) -> float:  # fmt: skip
        """The least period: a fraction of this period if the state has returned by then."""
        for part in PARTS:
            back = flow.at(state, period / part)
            aim = state + gains / part
            if not np.any(gains) and np.all(np.abs(back.state - aim) <= REPEATED * sizes):
                return self._least(flow, state, period / part, sizes, gains)
        return period

    def _repeats(
        self, begin: OperatingPoint, period: float, passage: Passage, sizes: Floats, flow: PeriodMap,
        gains: Floats, guess: Guess,
    ) -> None:  # fmt: skip
        """Raise GradientError unless a run repeats the first period in the second."""
        result = self._program.simulate(**self._span(begin, 2.0 * period), log=[])
        phases = np.linspace(0.0, 1.0, 41)[1:-1] + 1e-4  # away from events at round fractions
        first, second = (self._states(result, begin.time + (phases + k) * period) for k in (0.0, 1.0))
        scale = sizes[flow.flows]
        second = second - gains[flow.flows]
        names = np.array(flow.names)[flow.flows]
        if guess.autonomous and np.all(np.ptp(first, axis=0) <= AT_REST * scale):
            raise GradientError(
                "the search found an equilibrium, not an orbit",
                "a start that is not an equilibrium, or `trim`",
            )
        largest = max(1.0, float(np.abs(np.linalg.eigvals(passage.monodromy)).max(initial=0.0)))
        off = np.sort(np.abs(second - first) / scale, axis=0)[len(phases) // 2]  # jumps shift slightly
        worst = int(np.argmax(off))
        if off[worst] > REPEATED * largest:
            actual = (
                f"the run comes back after {period:.10g} s, but its second period is another one: "
                f"{names[worst]} differs by {off[worst] * scale[worst]:.3g}"
            )
            expected = "a common period of all signals that drive the diagram, s"
            if guess.autonomous:
                expected = "a start where no block depends on the past, such as a relay between its levels"
            raise GradientError(actual, expected)


def _sizes(states: Floats) -> Floats:
    """Range of each state, or its size if it is at rest."""
    moves, largest = np.ptp(states, axis=0), np.abs(states).max(axis=0)
    sizes: Floats = np.where(moves > AT_REST * largest, moves, np.where(largest > 0.0, largest, 1.0))
    return sizes


def _forcing(program: Program, begin: float) -> list[str]:
    """Paths of blocks that depend on time after `begin`."""
    paths = []
    for unit in program.plan.units:
        roles = ("output", "derivative", "crossing", "mode", "jump", "update")
        if any(role.partition("_")[0] in roles and "t" in names for role, names in unit.names.items()):
            paths.append(unit.path)
    table = program.timers
    for i, owner in enumerate(program.plan.timer_owner):
        if table.table[i, RATIONAL] == HELD or table.table[i, READS]:
            continue
        upcoming = instant(table.table, table.integers, table.floats, i, first_count(table, i, begin))
        if np.isfinite(upcoming):
            paths.append(program.plan.units[owner].path if owner >= 0 else "the clocks of sampled blocks")
    return list(dict.fromkeys(paths))


def _next_instants(program: Program, begin: float) -> tuple[float, float]:
    """The next two different instants of clocks after `begin`."""
    table = program.timers
    instants = {
        instant(table.table, table.integers, table.floats, i, first_count(table, i, begin) + k)
        for i in range(len(table.table))
        if table.table[i, RATIONAL] != HELD
        for k in (0, 1)
    }
    listed = sorted(time for time in instants if np.isfinite(time))
    return listed[0], listed[1]


def _point(program: Program, point: OperatingPoint, flow: PeriodMap, state: Floats) -> OperatingPoint:
    """The point with the values of a state."""
    values = dict(zip(flow.names, state.tolist(), strict=True))
    names = {variable.name: variable.shape for variable in program.states}

    def filled(name: str, value: object) -> Any:
        array = np.array(value, np.float64)
        if array.shape == ():
            return values.get(name, float(array))
        for index in np.ndindex(array.shape):
            array[index] = values.get(f"{name}[{', '.join(map(str, index))}]", array[index])
        return array

    states = {name: filled(name, point.states.get(name, np.zeros(shape))) for name, shape in names.items()}
    held = {name: filled(name, value) for name, value in point.held.items()}
    return OperatingPoint(flow.start, states, point.inputs, held)


def orbit(
    diagram: Diagram,
    period: float | None = None,
    *,
    at: At = None, advances: Mapping[str, float] | None = None,
    parameters: Mapping[str, Any] | None = None, set: Mapping[str, Any] | None = None,
    **simulation: Any,
) -> Orbit:  # fmt: skip
    """The periodic orbit near the start of the search, x(t + T) = x(t), and its Floquet multipliers.

    period     T, s: the period of the drive, if the diagram depends on time; otherwise a first guess of it,
               or None: the time at which a run first returns
    at         start of the search, as for `linearize`: the run settles until a time in s
    advances   increments of states in a period: {"wheel.x": 2 * pi}

    `parameters`, `set` and the other arguments are arguments of `simulate`; by default runs have rtol=1e-10
    and atol=1e-12. Newton's method finds the state from the state after a period, with the monodromy
    matrix of the run, exact through events, impacts and ticks. The multipliers are its eigenvalues:
    motions that begin near the orbit converge to it if they lie inside the unit circle. For an autonomous
    diagram one of them, along the orbit, is 1. The method also finds unstable orbits. With sampled blocks a
    period begins between two ticks. Modes are not part of the state: the orbit starts where the state
    determines them.

    Raises GradientError if there is no orbit, or only an equilibrium, or if a second period differs;
    NotDifferentiable, and the errors of `simulate`.

    Source: Parker and Chua, Practical Numerical Algorithms for Chaotic Systems (1989), chapter 5; Leine
    and Nijmeijer, Dynamics and Bifurcations of Non-Smooth Mechanical Systems (2004), chapter 7.
    """
    program = diagram.compile(parameters, set, loops=simulation.pop("loops", None))
    return periodic_orbit(program, period, at, advances, simulation)
