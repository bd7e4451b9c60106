"""Balance: what has to be zero at rest: slopes, and what ticks change, as a function of states and inputs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from ..diagrams.compiler.program import Program
from ..diagrams.compiler.variables import Variable, held_variables
from ..diagrams.runs.directions import Element
from ..diagrams.runs.evaluation import Arrays, flat
from ..diagrams.runs.jacobians import names
from ..solvers.addressed import bare
from ..solvers.layout import Floats
from .point import OperatingPoint

if TYPE_CHECKING:
    from .trim import Trim


class Balance:
    """A program as equations for one array of continuous states, discrete states and inputs.

    Slopes, what a tick of all clocks adds to each discrete state, and outputs, one behind the other. What
    sampled blocks put out is what they put out at that tick.
    """

    def __init__(self, program: Program, begin: OperatingPoint, inputs: Mapping[int, float]) -> None:
        """`inputs` are values of some elements, by their places."""
        self._program, self._begin = program, begin
        self._evaluation, jacobians = program._evaluation, program._jacobians
        self._directions = jacobians.directions
        functions = bare(program.addresses)
        self._evaluate, self._update = functions[1], functions[2]
        ticking = {unit.path for unit in program.plan.units if unit.clock >= 0}
        self._discrete = [
            variable
            for variable, array in held_variables(program.plan)
            if array == "z" and variable.name.rpartition(".")[0] in ticking
        ]
        places = [i for v in self._discrete for i in range(v.place.start, v.place.stop)]
        self._places = np.array(places, np.int64)
        held: list[Element] = [("z", i) for i in places]
        self._by = [*jacobians.states, *held, *jacobians.inputs]
        self._of = [*jacobians.slopes, *held, *jacobians.outputs]
        self._outputs = np.array([i for _, i in jacobians.outputs], np.int64)
        self._n, self.first_input = program.plan.states, program.plan.states + len(places)
        self.first_output, self.size, self.equations = self.first_input, len(self._by), len(self._of)
        discrete = [name for variable in self._discrete for name in names((variable,))]
        self.names = [*names(program.states), *discrete, *names(program.inputs)]
        self.equation_names = [f"the slope of {name}" for name in names(program.states)]
        self.equation_names += [f"the next {name}" for name in discrete]
        self.equation_names += [f"the output {name}" for name in names(program.output_ports)]
        self.point = self._first(inputs)

    @property
    def states(self) -> list[Variable]:
        """Continuous and discrete states, in the order of their elements here."""
        return [*self._program.states, *self._discrete]

    def at(self, point: Floats) -> Floats:
        """What is left of the equations at a point. Raises RunError."""
        arrays = self._ticked(point)
        m = arrays.memory
        begin = m.z[self._places].copy()
        if self._places.size:
            x, slopes, memory, _ = arrays.addresses
            self._update(self._begin.time, x, slopes, memory)
        left = np.concatenate([arrays.slopes, m.z[self._places] - begin, m.w[self._outputs]])
        self._end(arrays)
        return left

    def jacobian(self, point: Floats) -> Floats:
        """The derivatives of `at`. Raises NotDifferentiable, RunError."""
        arrays = self._ticked(point)
        slopes = self._directions.columns(
            self._begin.time, arrays, self._by, self._of, ticking=bool(self._places.size)
        )
        self._end(arrays)
        rows = np.arange(self._n, self.first_input)
        slopes[rows, rows] -= 1.0
        return slopes

    def described(self, point: Floats, residual: float, floating: tuple[str, ...]) -> Trim:
        """A point with its names, its outputs, and what is held there."""
        from .trim import Trim

        arrays = self._ticked(point)
        m, program = arrays.memory, self._program
        held = {
            variable.name: _value(getattr(m, array), variable)
            for variable, array in held_variables(program.plan)
        }
        states = {v.name: _value(m.x, v) for v in program.states}
        inputs = {v.name: _value(point[self.first_input :], v) for v in program.inputs}
        signals = m.w[self._outputs]
        outputs = {v.name: _value(signals, v) for v in program.output_ports}
        self._end(arrays)
        return Trim(self._begin.time, states, inputs, held, outputs, residual, floating)

    def _first(self, inputs: Mapping[int, float]) -> Floats:
        begin, evaluation = self._begin, self._evaluation
        u = flat("u", begin.inputs, self._program.inputs, evaluation.defaults).copy()
        u[[*inputs]] = [*inputs.values()]
        u[np.isnan(u)] = 0.0  # nothing is said of it: it is searched for from here
        arrays = evaluation.at(begin.time, begin.states, u, begin.held)
        m = arrays.memory
        x, z = m.x.copy(), m.z[self._places].copy()
        evaluation.give_back(arrays)
        return np.concatenate([x, z, u])

    def _ticked(self, point: Floats) -> Arrays:
        """Everything at a point, as all clocks tick there."""
        n, k = self._n, self.first_input
        held = dict(self._begin.held)
        at = n
        for variable in self._discrete:
            held[variable.name] = point[at : at + variable.count].reshape(variable.shape)
            at += variable.count
        arrays = self._evaluation.at(self._begin.time, point[:n], point[k:], held)
        if self._places.size or self._program.plan.clocks:
            arrays.memory.hit[: len(self._program.plan.clocks)] = 1
            x, slopes, memory, _ = arrays.addresses
            self._evaluate(self._begin.time, x, slopes, memory)
        return arrays

    def _end(self, arrays: Arrays) -> None:
        arrays.memory.hit[:] = 0
        self._evaluation.give_back(arrays)


def _value(array: Floats, variable: Variable) -> float | Floats:
    elements = array[variable.place]
    return elements.reshape(variable.shape).copy() if variable.shape else float(elements[0])
