"""Sampled: the linear model of a diagram over one period of its clocks, through every tick in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from math import lcm

import numpy as np

from ..diagrams.compiler.program import Program
from ..diagrams.compiler.variables import Variable, held_variables
from ..diagrams.runs.directions import Element
from ..diagrams.runs.evaluation import Arrays
from ..diagrams.runs.jacobians import names
from ..solvers.addressed import bare
from .errors import AnalysisError
from .models.linear_model import LinearModel, Matrix
from .own_events import hits, ticking
from .point import OperatingPoint

MOST = 20_000  # instants in a period: more come from periods that were not meant to have one in common
EXACT = 10**12  # denominators of periods up to it: 0.1 is a tenth


def sampled_model(
    program: Program, point: OperatingPoint, sample_time: float | None, numbers: Mapping[str, Element]
) -> LinearModel:
    """The exact model over one period, its states those just before the ticks with which it begins.

    Ticks are differentiated, and between two of them, dt apart, the matrix exponential carries changes on:

        x(t + dt) = e^(A dt) x(t) + int_0^dt e^(A s) ds (B_h h + B u)

    with what is held, h, and the inputs u constant. Outputs are those at the beginning, after its ticks.
    Source: Astrom and Wittenmark, Computer-Controlled Systems, 3rd ed. (1997), section 2.3.
    """
    instants, period = ticks(program, sample_time)
    paths = ticking(program.plan)
    held = [
        (array, variable)
        for variable, array in held_variables(program.plan)
        if variable.name.rpartition(".")[0] in paths
    ]
    passage = _Passage(program, point, held, [*numbers.values()])
    n, size = program.plan.states, passage.size
    change, end = np.eye(size), [*instants, period][1:]  # of states, held signals, inputs and the time
    outputs = change[:0]
    for instant, following in zip(instants, end, strict=True):
        ticked, of_outputs = passage.tick(instants[instant])
        if instant == 0:
            outputs = of_outputs
        change = passage.flow(float(following - instant)) @ ticked @ change
    passage.end()
    m = len(passage.inputs)
    states = (*names(program.states), *(name for _, v in held for name in names((v,))))
    count = size - m - 1
    by_states, by_inputs, by_time = np.split(change[:count], [count, count + m], axis=1)
    c, d, g_t = np.split(outputs, [count, count + m], axis=1)
    model = LinearModel(
        by_states, by_inputs, c, d, by_time[:, 0], g_t[:, 0], states, (*names(program.inputs), *numbers),
        names(program.output_ports), passage.directions.differences, float(period),
    )  # fmt: skip
    return _without_echoes(model, n + sum(v.count for array, v in held if array == "z"))


def ticks(program: Program, sample_time: float | None) -> tuple[dict[Fraction, list[int]], Fraction]:
    """The clocks that tick at each instant of one period, from 0 on, and the period. Raises AnalysisError."""
    clocks = [(_exact(period), _exact(offset)) for period, offset in program.plan.clocks]
    common = Fraction(0)
    for period, _ in clocks:
        common = period if not common else _common(common, period)
    length = common if sample_time is None else _period(sample_time, common)
    instants: dict[Fraction, list[int]] = {Fraction(0): []}
    for number, (period, offset) in enumerate(clocks):
        if length / period > MOST:
            listed = ", ".join(f"{float(each):g} s" for each, _ in clocks)
            expected = "sample times with a short common period, or sample_time=0 for the part between ticks"
            raise AnalysisError(f"clocks of {listed} tick together every {float(common):g} s", expected)
        instant = offset % period
        while instant < length:
            instants.setdefault(instant, []).append(number)
            instant += period
    return dict(sorted(instants.items())), length


def _period(sample_time: float, common: Fraction) -> Fraction:
    length = _exact(float(sample_time))
    if common and (length / common).denominator != 1:
        expected = f"a multiple of {float(common):g} s, in which all clocks of the diagram have ticked"
        raise AnalysisError(f"sample_time is {sample_time!r}", expected)
    return length


def _exact(time: float) -> Fraction:
    """The decimal or simple fraction that is meant."""
    simple = Fraction(time).limit_denominator(EXACT)
    return simple if float(simple) == time else Fraction(time)


def _common(a: Fraction, b: Fraction) -> Fraction:
    return Fraction(
        lcm(a.numerator * b.denominator, b.numerator * a.denominator), a.denominator * b.denominator
    )


class _Passage:
    """A program on its way through one period: the derivatives of each tick, and of what flows between.

    All matrices are square, of continuous states, held signals, inputs and the time.
    """

    def __init__(
        self, program: Program, point: OperatingPoint, held: Sequence[tuple[str, Variable]],
        numbers: Sequence[Element],
    ) -> None:  # fmt: skip
        evaluation, jacobians = program._evaluation, program._jacobians
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
        """What clocks change as they tick: the matrix of it, and that of the outputs."""
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
        """What flows for a while, s."""
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


def _without_echoes(model: LinearModel, first: int) -> LinearModel:
    """The model without those held outputs, from state `first` on, that nothing remembers over a period."""
    kept = [
        j
        for j in range(len(model.states))
        if j < first or np.any(model.A[:, j]) or np.any(model.C[:, j])
    ]  # fmt: skip
    return replace(
        model,
        A=model.A[np.ix_(kept, kept)], B=model.B[kept], C=model.C[:, kept], f_t=model.f_t[kept],
        states=tuple(model.states[j] for j in kept),
    )  # fmt: skip
