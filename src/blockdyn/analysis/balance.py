"""The equations of rest are a function of states and inputs: derivatives, and changes at ticks, are zero."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..diagrams.compiler.program import Program
from ..diagrams.compiler.variables import Variable, held_variables
from ..diagrams.runs.directions import Element
from ..diagrams.runs.evaluation import Arrays, evaluation_of, flat
from ..solvers.addressed import bare
from ..solvers.layout import Floats
from .delayed import BEFORE, FED, delays_of, with_histories, without_delays, without_history
from .jacobians import jacobians_of, names
from .opening import OUT
from .own_events import hits, ticking
from .point import OperatingPoint

if TYPE_CHECKING:
    from .trim import Trim

MOVES = 1e-9  # 1/s: a signal that changes faster is not at rest


class Balance:
    """The equations of a program in one array of continuous states, discrete states and inputs.

    Derivatives, changes of discrete states by a tick of all clocks, and outputs, one after the other. Sampled
    blocks have their outputs at that tick. The output of a delay is a discrete state, too: at rest it
    equals its input.
    """

    def __init__(self, program: Program, begin: OperatingPoint, inputs: Mapping[int, float]) -> None:
        """`inputs` are the values of some input elements, by index."""
        self._named, program = program, with_histories(program, program.flat.outputs)
        begin, _ = without_history(program, begin)
        self._program, self._begin = program, begin
        self._evaluation, jacobians = evaluation_of(program), jacobians_of(program)
        self._directions = jacobians.directions
        functions = bare(program.addresses)
        self._evaluate, self._update = functions[1], functions[2]
        ticked_paths = ticking(program.plan)
        self._hits = hits(program.plan, range(len(program.plan.clocks)))
        delays = [unit.path for unit in delays_of(program)]
        held = [variable for variable, array in held_variables(program.plan) if array == "z"]
        ticked = [variable for variable in held if variable.name.rpartition(".")[0] in ticked_paths]
        shown = [variable for path in delays for variable in held if variable.name == path + BEFORE]
        self._discrete = [*ticked, *shown]
        self._ticked_places, shown_places = _places(ticked), _places(shown)
        self._places = np.concatenate([self._ticked_places, shown_places])
        outputs = {name: place for name, place, _ in evaluation_of(program).output_places}
        fed = [
            i
            for path in delays
            for i in range(outputs[path + FED + OUT].start, outputs[path + FED + OUT].stop)
        ]
        self._fed = np.array(fed, np.int64)
        ends = [name for name in outputs if name in self._named.flat.outputs]
        self._outputs = np.concatenate([np.zeros(0, np.int64), *(np.r_[outputs[name]] for name in ends)])
        by_ticks: list[Element] = [("z", int(i)) for i in self._places]
        next_ones: list[Element] = [*by_ticks[: self._ticked_places.size], *(("w", i) for i in fed)]
        self._by = [*jacobians.states, *by_ticks, *jacobians.inputs]
        self._of = [*jacobians.slopes, *next_ones, *(("w", int(i)) for i in self._outputs)]
        self._n, self.first_input = program.plan.states, program.plan.states + self._places.size
        self.first_output, self.size, self.equations = self.first_input, len(self._by), len(self._of)
        discrete = [name for variable in self._discrete for name in names((variable,))]
        self.names = [*names(program.states), *discrete, *names(program.inputs)]
        self.equation_names = [f"the derivative of {name}" for name in names(program.states)]
        self.equation_names += [f"the next {name}" for name in discrete]
        self.equation_names += [
            f"the output {name.replace(OUT, '')}" for name in names(self._named.output_ports)
        ]
        self.point = self._first(inputs)

    @property
    def states(self) -> list[Variable]:
        """Continuous and discrete states, in the order of their elements."""
        return [*self._program.states, *self._discrete]

    def at(self, point: Floats) -> Floats:
        """Residual of the equations at a point. Raises RunError."""
        arrays = self._ticked(point)
        m = arrays.memory
        begin = m.z[self._places].copy()
        if self._ticked_places.size:
            x, slopes, memory, _ = arrays.addresses
            self._update(self._begin.time, x, slopes, memory)
        following = np.concatenate([m.z[self._ticked_places], m.w[self._fed]])
        left = np.concatenate([arrays.slopes, following - begin, m.w[self._outputs]])
        self._end(arrays)
        return left

    def jacobian(self, point: Floats) -> Floats:
        """The derivatives of `at`. Raises NotDifferentiable, RunError."""
        arrays = self._ticked(point)
        slopes = self._directions.columns(
            self._begin.time, arrays, self._by, self._of, ticking=bool(self._ticked_places.size)
        )
        self._end(arrays)
        rows = np.arange(self._n, self.first_input)
        slopes[rows, rows] -= 1.0
        return slopes

    def fed_by_motion(self, point: Floats) -> list[str]:
        """Paths of the delays whose input changes at a point while their output does not follow it."""
        arrays = self._ticked(point)
        slopes = arrays.slopes.copy()
        self._end(arrays)
        begin = self._n + self._ticked_places.size
        moves = np.abs(self.jacobian(point)[begin : self.first_input, : self._n] @ slopes) > MOVES
        names = self.names[begin : self.first_input]
        paths = [name.partition(BEFORE)[0] for name, each in zip(names, moves, strict=True) if each]
        return list(dict.fromkeys(paths))

    def described(self, point: Floats, residual: float, floating: tuple[str, ...]) -> Trim:
        """The point with its names, outputs and held values."""
        from .trim import Trim

        arrays = self._ticked(point)
        m, program = arrays.memory, self._program
        held = without_delays(
            program,
            {
                variable.name: _value(getattr(m, array), variable)
                for variable, array in held_variables(program.plan)
            },
        )
        held |= {v.name: _value(m.z, v) for v in self._discrete}
        states = {v.name: _value(m.x, v) for v in program.states}
        inputs = {v.name: _value(point[self.first_input :], v) for v in program.inputs}
        signals = m.w[self._outputs]
        outputs = {v.name.removesuffix(OUT): _value(signals, v) for v in self._named.output_ports}
        self._end(arrays)
        return Trim(self._begin.time, states, inputs, held, outputs, residual, floating)

    def _first(self, inputs: Mapping[int, float]) -> Floats:
        begin, evaluation = self._begin, self._evaluation
        u = flat("u", begin.inputs, self._program.inputs, evaluation.defaults).copy()
        u[[*inputs]] = [*inputs.values()]
        u[np.isnan(u)] = 0.0  # not given: its search begins here
        arrays = evaluation.at(begin.time, begin.states, u, begin.held)
        m = arrays.memory
        x, z = m.x.copy(), m.z[self._places].copy()
        evaluation.give_back(arrays)
        return np.concatenate([x, z, u])

    def _ticked(self, point: Floats) -> Arrays:
        """All values at a point at which every clock ticks."""
        n, k = self._n, self.first_input
        held = dict(self._begin.held)
        at = n
        for variable in self._discrete:
            held[variable.name] = point[at : at + variable.count].reshape(variable.shape)
            at += variable.count
        arrays = self._evaluation.at(self._begin.time, point[:n], point[k:], held)
        if self._hits:
            arrays.memory.hit[self._hits] = 1
            x, slopes, memory, _ = arrays.addresses
            self._evaluate(self._begin.time, x, slopes, memory)
        return arrays

    def _end(self, arrays: Arrays) -> None:
        arrays.memory.hit[:] = 0
        self._evaluation.give_back(arrays)


def _places(variables: list[Variable]) -> NDArray[np.int64]:
    return np.array([i for v in variables for i in range(v.place.start, v.place.stop)], np.int64)


def _value(array: Floats, variable: Variable) -> float | Floats:
    elements = array[variable.place]
    return elements.reshape(variable.shape).copy() if variable.shape else float(elements[0])
