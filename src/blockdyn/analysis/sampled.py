"""A diagram is linearized over one period of its clocks, through every tick in it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from math import ceil, lcm

import numpy as np

from ..diagrams.compiler.program import Program
from ..diagrams.compiler.variables import Variable, held_variables
from ..diagrams.runs.directions import Element
from ..diagrams.runs.evaluation import Arrays, evaluation_of
from ..solvers.addressed import bare
from .errors import AnalysisError
from .jacobians import jacobians_of, names
from .models.linear_model import LinearModel, Matrix
from .own_events import hits, ticking
from .point import OperatingPoint

MOST = 20_000  # instants in a period: more indicate unrelated sample times
EXACT = 10**12  # largest denominator of a period: 0.1 is 1/10


def sampled_model(
    program: Program, point: OperatingPoint, sample_time: float | None, numbers: Mapping[str, Element],
    paths: Collection[str] | None = None, changes: Sequence[Fraction] = (Fraction(0),),
) -> LinearModel:  # fmt: skip
    """The exact model over one period; its states are the values just before the ticks at its beginning.

    Ticks are differentiated; over the time dt between two ticks the matrix exponential propagates changes:

        x(t + dt) = e^(A dt) x(t) + int_0^dt e^(A s) ds (B_h h + B u)

    with the held values, h, and the inputs u constant. Outputs are read at the beginning, after its ticks.
    If `paths` are given, the model has these blocks alone, by their clocks. Inputs change, and outputs are
    read, at the instants `changes`, with the first of which the period begins: with N of them the model
    has all inputs and outputs N times.
    Source: Astrom and Wittenmark, Computer-Controlled Systems, 3rd ed. (1997), section 2.3.
    """
    instants, period = ticks(program, sample_time, paths)
    of_clocks = ticking(program.plan)
    chosen = of_clocks if paths is None else of_clocks & {*paths}
    held = [
        (array, variable)
        for variable, array in held_variables(program.plan)
        if variable.name.rpartition(".")[0] in chosen
    ]
    passage = _Passage(program, point, held, [*numbers.values()])
    n, m, size, several = program.plan.states, len(passage.inputs), passage.size, len(changes)
    count = size - m - 1
    change = np.zeros((size, count + several * m + 1))  # by the states, all samples of the inputs, the time
    change[:count, :count], change[-1, -1] = np.eye(count), 1.0
    order = sorted({*instants, *changes}, key=lambda instant: (instant - changes[0]) % period)
    outputs: list[Matrix] = []
    for instant, following in zip(order, [*order[1:], changes[0] + period], strict=True):
        if instant in changes:
            change[count:-1] = np.eye(m, change.shape[1], count + len(outputs) * m)
        ticked, of_outputs = passage.tick(instants.get(instant, ()))
        if instant in changes:
            outputs.append(of_outputs @ change)
        change = passage.flow(float((following - instant) % period or period)) @ ticked @ change
    passage.end()
    states = (*names(program.states), *(name for _, v in held for name in names((v,))))
    by_states, by_inputs, by_time = np.split(change[:count], [count, count + several * m], axis=1)
    c, d, g_t = np.split(np.concatenate(outputs), [count, count + several * m], axis=1)
    model = LinearModel(
        by_states, by_inputs, c, d, by_time[:, 0], g_t[:, 0], states,
        _sample_names((*names(program.inputs), *numbers), changes),
        _sample_names(names(program.output_ports), changes),
        passage.directions.differences, float(period),
    )  # fmt: skip
    first = n + sum(v.count for array, v in held if array == "z")
    indices = [
        j
        for j, name in enumerate(states)
        if (paths is None or _path(name) in paths)
        and (j < first or np.any(model.A[:, j]) or np.any(model.C[:, j]))  # else nothing depends on it
    ]
    return replace(
        model,
        A=model.A[np.ix_(indices, indices)], B=model.B[indices], C=model.C[:, indices],
        f_t=model.f_t[indices], states=tuple(states[j] for j in indices),
    )  # fmt: skip


def ticks(
    program: Program, sample_time: float | None, paths: Collection[str] | None = None
) -> tuple[dict[Fraction, list[int]], Fraction]:
    """The clocks that tick at each instant of one period, from 0 on, and the period. Raises AnalysisError.

    With `paths`, those clocks by which one of these blocks ticks.
    """
    numbers = [*range(len(program.plan.clocks))]
    if paths is not None:
        places = {unit.ticks for unit in program.plan.units if unit.path in paths}
        numbers = [number for number in numbers if not places.isdisjoint(hits(program.plan, [number]))]
    common = common_period(program, numbers)
    length = common if sample_time is None else _period(sample_time, common)
    instants: dict[Fraction, list[int]] = {Fraction(0): []}
    for number in numbers:
        for instant in clock_times(program, number, length):
            instants.setdefault(instant, []).append(number)
    return dict(sorted(instants.items())), length


def common_period(program: Program, numbers: Collection[int]) -> Fraction:
    """The least common period of the clocks, s; 0 without clocks."""
    common = Fraction(0)
    for number in sorted(numbers):
        period = _exact(program.plan.clocks[number][0])
        common = period if not common else _common(common, period)
    return common


def clock_times(program: Program, number: int, length: Fraction) -> list[Fraction]:
    """The instants of a period of this length at which a clock ticks. Raises AnalysisError."""
    period, offset = map(_exact, program.plan.clocks[number])
    if length / period > MOST:
        listed = ", ".join(f"{each:g} s" for each, _ in program.plan.clocks)
        expected = "sample times with a short common period, or sample_time=0 for the part between ticks"
        raise AnalysisError(f"clocks of {listed} tick together every {float(length):g} s", expected)
    first = offset % period
    return [first + k * period for k in range(ceil((length - first) / period))]


def _period(sample_time: float, common: Fraction) -> Fraction:
    length = _exact(float(sample_time))
    if common and (length / common).denominator != 1:
        expected = f"a multiple of {float(common):g} s, in which all clocks of the diagram have ticked"
        raise AnalysisError(f"sample_time is {sample_time!r}", expected)
    return length


def _exact(time: float) -> Fraction:
    """The decimal or simple fraction within rounding of a number."""
    simple = Fraction(time).limit_denominator(EXACT)
    return simple if float(simple) == time else Fraction(time)


def _common(a: Fraction, b: Fraction) -> Fraction:
    return Fraction(
        lcm(a.numerator * b.denominator, b.numerator * a.denominator), a.denominator * b.denominator
    )


class _Passage:
    """A program advanced through one period: the derivatives of each tick, and of the flow between ticks.

    All matrices are square, of continuous states, held signals, inputs and the time.
    """

    def __init__(
        self, program: Program, point: OperatingPoint, held: Sequence[tuple[str, Variable]],
        numbers: Sequence[Element],
    ) -> None:  # fmt: skip
        evaluation, jacobians = evaluation_of(program), jacobians_of(program)
        self.directions, self.inputs = jacobians.directions, [*jacobians.inputs, *numbers]
        self._evaluation, self._outputs, self._slopes = evaluation, jacobians.outputs, jacobians.slopes
        self._time, self._plan = point.time, program.plan
        self._arrays: Arrays = evaluation.at(point.time, point.states, point.inputs, point.held)
        evaluation.go_on(float(point.time), self._arrays)
        self._evaluate = bare(program.addresses)[1]
        self._held: list[Element] = [
            (array, i) for array, v in held for i in range(v.place.start, v.place.stop)
        ]
        self._by: list[Element] = [*jacobians.states, *self._held, *self.inputs, ("t", 0)]
        self.size = len(self._by)

    def tick(self, clocks: Sequence[int]) -> tuple[Matrix, Matrix]:
        """The matrix of the changes at ticks of clocks, and the matrix of the outputs."""
        n, k = len(self._slopes), len(self._held)
        m = self._arrays.memory
        m.hit[:] = 0
        m.hit[hits(self._plan, clocks)] = 1
        self._settle()
        rows = self._columns([*self._held, *self._outputs], ticking=True)
        m.hit[:] = 0
        self._settle()
        change = np.eye(self.size)
        change[n : n + k] = rows[:k]
        return change, rows[k:]

    def flow(self, duration: float) -> Matrix:
        """The matrix of the flow over a duration, s."""
        from scipy.linalg import expm

        n = len(self._slopes)
        generator = np.zeros((self.size, self.size))
        generator[:n] = self._columns(self._slopes)
        change: Matrix = expm(duration * generator)
        return change

    def end(self) -> None:
        self._evaluation.give_back(self._arrays)

    def _settle(self) -> None:
        x, slopes, memory, _ = self._arrays.addresses
        self._evaluate(self._time, x, slopes, memory)

    def _columns(self, of: Sequence[Element], *, ticking: bool = False) -> Matrix:
        return self.directions.columns(self._time, self._arrays, self._by, of, ticking=ticking)


def _sample_names(names: Sequence[str], changes: Sequence[Fraction]) -> tuple[str, ...]:
    """The names of signals, each with the instant of its sample if there are several."""
    if len(changes) == 1:
        return (*names,)
    return tuple(f"{name}[{float(change):.9g} s]" for change in changes for name in names)


def _path(state: str) -> str:
    """The path of the block that has a state."""
    return state.partition("[")[0].rpartition(".")[0]
