"""A program is evaluated as a function of time, state and inputs: x' = f(t, x, u), y = g(t, x, u)."""

from __future__ import annotations

import weakref
from collections import deque
from collections.abc import Mapping
from math import inf, nextafter
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from ...base.annotations import all_finite, real_array
from ...base.words import nearest
from ...solvers.addressed import bare
from ...solvers.events.timer import first_count
from ...solvers.layout import MODE, Floats, Memory
from ...solvers.loop.instant import ROUNDS
from ..compiler.interpreted_calls import span
from ..compiler.plan.unit import Unit
from ..compiler.program import Program
from ..compiler.variables import Variable, held_variables
from ..model.errors import RunArgumentError, input_not_given
from ..model.setting import Number
from .diagnose import add_location, explain_endless_events, failure_at
from .owned import RunInstances

Point: TypeAlias = "Mapping[str, Any] | Any | None"
"""All variables as one flat array, or some of them by name; variables left out are as a run begins."""
IDLE = 16  # sets of arrays that wait for the next call
AHEAD = 1e-9  # of the states' size: distance ahead at which modes after a kink are evaluated
SHORTEST, LONGEST = 64.0, 1e-6  # bounds of its duration: spacings of the time, s
ROUNDING = 1e-12  # of a number: more is a jump, not a kink
WANDERS = 20  # rounds, after which a held value that still jumps will not settle


class Arrays:
    """Arrays in which one call computes."""

    def __init__(self, program: Program) -> None:
        self.memory: Memory = program.memory()
        self.slopes: Floats = np.zeros(self.memory.x.size)
        self.jumped: Floats = np.zeros(self.memory.x.size)
        x, slopes, jumped = (array.ctypes.data for array in (self.memory.x, self.slopes, self.jumped))
        self.addresses: tuple[int, ...] = (x, slopes, self.memory.address, jumped)
        if program.plan.owned:
            weakref.finalize(self, RunInstances(program, self.memory.p).release)


class Evaluation:
    """The functions of a program; each call has its own arrays, so that threads may call at once."""

    def __init__(self, program: Program) -> None:
        self.program = program
        _, self._evaluate, _, self._react, *_ = bare(program.addresses)
        self._idle: deque[Arrays] = deque(maxlen=IDLE)
        self._begin = program.memory()
        units = program.plan.by_path
        starts = [(units[v.name].numbers_at["default"], v.count) for v in program.inputs]
        self.inputs = np.array([at + i for at, count in starts for i in range(count)], np.int64)
        self.defaults: Floats = self._begin.p[self.inputs]
        self._counters: list[int] = program.timers.table[:, MODE].tolist()
        self.output_places = [
            (v.name, slice(at, at + v.count), v.shape)
            for v in program.output_ports
            if (at := units[v.name].signals_at["y"]) >= 0
        ]
        self._modal = bool(program.instructions.react)
        self._held = [places for unit in program.plan.units if (places := held_beside(unit)).size]

    def derivative(self, t: float, x: Point, u: Point, held: Mapping[str, Any] | None) -> Floats:
        """dx/dt; see `Program.derivative`."""
        arrays = self.at(t, x, u, held)
        slopes = arrays.slopes.copy()
        self.give_back(arrays)
        return slopes

    def outputs(self, t: float, x: Point, u: Point, held: Mapping[str, Any] | None) -> dict[str, Any]:
        """The signals of the Outports; see `Program.outputs`."""
        arrays = self.at(t, x, u, held)
        signals = arrays.memory.w
        values = {
            name: signals[at].reshape(shape).copy() if shape else float(signals[at.start])
            for name, at, shape in self.output_places
        }
        self.give_back(arrays)
        return values

    def at(self, t: float, x: Point, u: Point, held: Mapping[str, Any] | None) -> Arrays:
        """Everything at a point. Raises RunArgumentError, RunError."""
        time = t if type(t) is float and t - t == 0.0 else Number().read("t", t)
        program, begin = self.program, self._begin
        state = flat("x", x, program.states, begin.x)
        inputs = flat("u", u, program.inputs, self.defaults)
        if inputs is not u and not all_finite(inputs):
            missing = next(v for v in program.inputs if not np.all(np.isfinite(inputs[v.place])))
            places = {block.path: block.location for block in program.flat.blocks}
            raise input_not_given(missing.name, places[missing.name])
        try:
            arrays = self._idle.pop()
        except IndexError:
            arrays = Arrays(program)
        m = arrays.memory
        m.x[:], m.z[:], m.w[:], m.modes[:] = state, begin.z, begin.w, begin.modes
        if inputs.size:
            m.p[self.inputs] = inputs
        if held:
            hold(program, m, held)
        for i, slot in enumerate(self._counters):
            m.modes[slot] = first_count(program.timers, i, nextafter(time, inf))
        self._settle(time, arrays)
        return arrays

    def go_on(self, t: float, arrays: Arrays) -> None:
        """At a kink, take the modes of the side on which a run that begins there continues.

        Modes in which a signal or a derivative jumps belong to the next event, and are not taken.
        """
        m, slopes = arrays.memory, arrays.slopes
        if not self._modal:
            return
        x, dx, memory, ahead = arrays.addresses
        begin = m.modes.copy(), m.z.copy(), m.w.copy(), slopes.copy()
        size, speed = max(1.0, abs(m.x).max(initial=0.0)), abs(slopes).max(initial=0.0)
        step = max(min(LONGEST, AHEAD * size / max(speed, AHEAD)), SHORTEST * float(np.spacing(abs(t))))
        arrays.jumped[:] = m.x + step * slopes
        status = self._evaluate(t + step, ahead, dx, memory)
        if status == 0:
            status = self._react(t + step, ahead, dx, memory)
        modes = m.modes.copy()
        m.modes[:], m.z[:], m.w[:], slopes[:] = begin
        if status <= 0 or np.array_equal(modes, m.modes):
            return
        m.modes[:] = modes
        status = self._evaluate(t, x, dx, memory)
        if status != 0 or not (_are_close(m.w, begin[2]) and _are_close(slopes, begin[3])):
            m.modes[:], m.z[:], m.w[:], slopes[:] = begin

    def give_back(self, arrays: Arrays) -> None:
        """Keep the arrays for the next call."""
        self._idle.append(arrays)

    def _settle(self, t: float, arrays: Arrays) -> None:
        """All signals at (t, x), with the modes in which a run that begins there would continue.

        The states do not change. If a held value of a block keeps changing with a jump of its states, such as
        the arc length of a vehicle away from its path, it does not change either.
        """
        m = arrays.memory
        x, slopes, memory, jumped = arrays.addresses
        status = self._evaluate(t, x, slopes, memory)
        begin = m.z.copy()
        for number in range(ROUNDS if self._modal and status >= 0 else 0):
            modes, z = m.modes.copy(), m.z.copy()
            arrays.jumped[:] = m.x
            changed = self._react(t, jumped, slopes, memory)
            if changed == 0:
                break
            same = np.array_equal(modes, m.modes)
            if number >= WANDERS:
                for places in self._held:
                    if not np.array_equal(z[places], m.z[places]):
                        m.z[places] = begin[places]
            same = same and np.array_equal(z, m.z)
            status = changed if changed < 0 else self._evaluate(t, x, slopes, memory)
            if same or status < 0:
                break
        else:
            if self._modal and status >= 0:
                raise add_location(self.program, explain_endless_events(self.program, m, t))
        if status != 0 or not all_finite(arrays.slopes):
            raise failure_at(self.program, m, t)


def _are_close(one: Floats, other: Floats) -> bool:
    """True if numbers are equal within rounding."""
    return bool(np.allclose(one, other, rtol=ROUNDING, atol=ROUNDING, equal_nan=True))


def held_beside(unit: Unit) -> Any:
    """Places in z of the held states of a block that also has continuous states."""
    bases = {name: base for name, (base, _) in unit.states_at.items()}
    held = [name for name, base in bases.items() if base == "z"] if "x" in bases.values() else []
    return np.concatenate([np.zeros(0, np.int64), *(np.r_[span(unit, name)] for name in held)])


def flat(name: str, point: Point, variables: tuple[Variable, ...], begin: Floats) -> Floats:
    """The numbers of variables in one array; others have their values at the start of a run."""
    if type(point) is np.ndarray:  # the form for callers in a loop: nothing else is checked
        return numbers(name, point, begin.shape)
    if isinstance(point, Mapping):
        changed = begin.copy()
        for key, value in point.items():
            variable = find_variable(name, key, value, variables)
            changed[variable.place] = numbers(f"{name}[{key!r}]", value, variable.shape).ravel()
        return changed
    return begin if point is None else numbers(name, point, begin.shape).ravel()


def find_variable(name: str, key: object, value: object, variables: tuple[Variable, ...]) -> Variable:
    """The variable of a name. Raises RunArgumentError."""
    for variable in variables:
        if variable.name == key:
            return variable
    names = [variable.name for variable in variables]
    listed = ", ".join(names[:8]) + (" ..." if len(names) > 8 else "")
    expected = f"one of {listed or 'none: there is nothing to give'}{nearest(str(key), names)}"
    raise RunArgumentError(f"{name}[{key!r}]", value, expected)


def numbers(name: str, value: object, shape: tuple[int, ...], *, infinite: bool = False) -> Floats:
    """Numbers of a shape, finite unless they may be infinite; one number where one is expected.

    Raises RunArgumentError.
    """
    expected = f"finite numbers of shape {shape}" if shape else "a finite number"
    try:
        array = real_array(value)
    except (TypeError, ValueError, OverflowError):
        raise RunArgumentError(name, value, expected) from None
    fits = array.shape == shape or (array.size == 1 and np.prod(shape) == 1)
    if not fits or not (all_finite(array) or (infinite and not np.any(np.isnan(array)))):
        raise RunArgumentError(name, value, expected)
    return array


def hold(program: Program, m: Memory, held: Mapping[str, Any]) -> None:
    """Write the discrete states and the outputs of sampled blocks that are given by path."""
    if not isinstance(held, Mapping):
        raise RunArgumentError("held", held, 'values by path: {"controller.y": 1.0}')
    places = held_variables(program.plan)
    variables = tuple(variable for variable, _ in places)
    for key, value in held.items():
        variable = find_variable("held", key, value, variables)
        array = numbers(f"held[{key!r}]", value, variable.shape, infinite=True).ravel()
        for other, base in places:
            if other.name == key:
                getattr(m, base)[other.place] = array


def derivative(
    program: Program,
    t: float,
    x: ArrayLike | Mapping[str, ArrayLike] | None = None,
    u: ArrayLike | Mapping[str, ArrayLike] | None = None,
    *,
    held: Mapping[str, ArrayLike] | None = None,
) -> Floats:
    """The derivatives of the continuous states, x' = f(t, x, u), of shape (n,), in the units of x per second.

        t      the time, s
        x      the states, (n,) in the order of `states`, or some by name; the others start as in a run
        u      the inputs, (m,) in the order of `inputs`, or some by name; the others have their defaults
        held   discrete states and outputs of sampled blocks by path, see `held`; the others are as a
               run begins, and stay so: no clock ticks, also where t is the time of a tick

    Modes (of limits, switches, friction) are the ones in which a run that begins at t and x continues; a
    state that an event would make jump does not jump. The same arguments give the same bits. Nothing is
    compiled after the first call; threads may call at once.

    Raises RunArgumentError, and RunError if a block fails or a signal is not finite.
    """
    return evaluation_of(program).derivative(t, x, u, held)


def outputs(
    program: Program,
    t: float,
    x: ArrayLike | Mapping[str, ArrayLike] | None = None,
    u: ArrayLike | Mapping[str, ArrayLike] | None = None,
    *,
    held: Mapping[str, ArrayLike] | None = None,
) -> dict[str, Floats]:
    """The signals of the Outports, y = g(t, x, u), each in its shape, by name: see `derivative`."""
    return evaluation_of(program).outputs(t, x, u, held)


def evaluation_of(program: Program) -> Evaluation:
    """The functions of a program, made once."""
    made: Evaluation | None = program.__dict__.get("_evaluation")
    if made is None:
        made = program.__dict__["_evaluation"] = Evaluation(program)
    return made
