"""Run the instructions of a plan in Python, for breakpoints and as a reference for the compiled form."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import isfinite, prod
from typing import Any

import numpy as np

from ...solvers.layout import ENABLED, MODE_CHANGED, STATE_CHANGED, Memory
from .instructions import instruction as do
from .instructions.functions import Instructions
from .interpreted_calls import Moment, bound, read_input, span
from .interpreted_loop import UnsolvedLoop, advance, iterate, solve_loop, unsolved_loop
from .plan.conditions import FALSE, TRUE
from .plan.layout import Plan
from .plan.loops import find_routes
from .plan.unit import Source, Unit


class NonFiniteSignal(Exception):
    """A signal that is not finite: unit, port and value."""

    def __init__(self, unit: Unit, port: str, value: Any) -> None:
        self.unit, self.port, self.value = unit, port, value
        super().__init__(f"{unit.path}.{port}")


class Unsolved(Exception):
    """An algebraic loop without a solution, which `unsolved_loop` describes."""

    def __init__(self, facts: UnsolvedLoop) -> None:
        self.facts = facts
        super().__init__(facts.loop.ports[0])


class Failed(Exception):
    """An exception inside a block's function, chained."""

    def __init__(self, unit: Unit, error: BaseException) -> None:
        self.unit, self.error = unit, error
        super().__init__(unit.path)


class Directionless(Exception):
    """An input that must be a direction but is 0."""

    def __init__(self, unit: Unit, port: str) -> None:
        self.unit, self.port = unit, port
        super().__init__(f"{unit.path}.{port}")


class Interpreter:
    """The six functions of a program (see solvers.backend) in plain Python."""

    def __init__(self, plan: Plan, instructions: Instructions, *, strict: bool = False) -> None:
        self.plan, self.instructions, self.strict = plan, instructions, strict
        self.failure: tuple[str, BaseException] | None = None
        self.bound: dict[tuple[int, str], Callable[[Moment], dict[str, Any]]] = {}

    def derivative(self, code: Any, t: float, x: Any, dx: Any, m: Memory) -> int:
        return self._solving(self.instructions.derivative, t, x, dx, m)

    def evaluate(self, code: Any, t: float, x: Any, dx: Any, m: Memory) -> int:
        return self._solving(self.instructions.evaluate, t, x, dx, m)

    def update(self, code: Any, t: float, x: Any, dx: Any, m: Memory) -> int:
        return self._do(self.instructions.update, t, x, dx, m)

    def react(self, code: Any, t: float, x: Any, dx: Any, m: Memory) -> int:
        return self._do(self.instructions.react, t, x, dx, m)

    def observe(self, code: Any, t: float, x: Any, dx: Any, m: Memory) -> int:
        return self._do(self.instructions.observe, t, x, dx, m)

    def remember(self, code: Any, t: float, x: Any, dx: Any, m: Memory) -> int:
        return self._solving(self.instructions.remember, t, x, dx, m)

    def _solving(self, instructions: Iterable[do.Instruction], t: float, x: Any, dx: Any, m: Memory) -> int:
        """Execute the instructions; then restore modes that loops had to change, unless solved together."""
        joint, slots = self.plan.joint, self.plan.joint_modes
        before = m.modes[slots]
        try:
            return self._do(instructions, t, x, dx, m)
        finally:
            if joint is not None and not m.modes[joint.mode_at]:
                m.modes[slots] = before

    def _do(self, instructions: Iterable[do.Instruction], t: float, x: Any, dx: Any, m: Memory) -> int:
        call = Call(self, t, x, dx, m)
        try:
            with np.errstate(all="ignore"):
                call.perform(instructions)
        except Failed as failed:
            self.failure = (failed.unit.path, failed.error)
            return -1
        return call.status


class Call:
    """One call of a function: its arguments, the signals computed so far, and the status to return."""

    def __init__(self, interpreter: Interpreter, t: float, x: Any, dx: Any, m: Memory) -> None:
        self._plan, self._strict, self._bound = interpreter.plan, interpreter.strict, interpreter.bound
        self._moment, self._dx = Moment(t, x, m, {}), dx
        self.status = 0
        self._solving = False
        joint = self._plan.joint
        self._former = m.modes.copy() if joint is not None and not m.modes[joint.mode_at] else None

    def perform(self, instructions: Iterable[do.Instruction]) -> None:
        """Execute the instructions in order. Raises Failed; if strict, NonFiniteSignal and Unsolved."""
        m = self._moment.m
        for instruction in instructions:
            match instruction:
                case do.Output(unit, role):
                    self._publish(instruction, self._run(unit, role))
                case do.Hold(unit, port):
                    self._moment.values[Source(unit.index, port)] = self._stored(unit, port)
                case do.Gather(unit, role):
                    self._publish(instruction, self._gathered(unit, role))
                case do.Check(unit, ports):
                    for port in ports:
                        self._judge(unit, port, self._moment.values[Source(unit.index, port)])
                case do.SetModes(unit):
                    self._modes(unit)[:] = np.ravel(self._run(unit, "mode")["mode"])
                case do.ChangeModes(unit):
                    self._change_modes(unit)
                case do.Slopes(unit):
                    for name, slope in self._run(unit, "derivative").items():
                        start = unit.states_at[name][1]
                        self._dx[start : start + np.size(slope)] = np.ravel(slope)
                        if self._strict:
                            self._judge(unit, f"d{name}/dt", slope)
                case do.Crossings(unit):
                    self._cross(unit)
                case do.Remember(unit):
                    self._run(unit, "remember")
                case do.Update(unit):
                    for name, state in self._run(unit, "update").items():
                        self._place(unit, name)[:] = np.ravel(state)
                case do.HoldStates(unit):
                    for name, (base, _) in unit.states_at.items():
                        if base == "x":
                            self._dx[span(unit, name)] = 0.0
                case do.Jump(unit, tick):
                    for name, state in self._run(unit, "jump").items():
                        place = self._place(unit, name)
                        different = place != np.ravel(state)
                        changed = int(bool(np.any(different)))
                        for i in np.nonzero(different)[0]:
                            m.fresh[unit.watched(int(i), different.size)] |= STATE_CHANGED
                        self.status |= changed
                        if tick >= 0:
                            m.hit[tick] |= changed
                        place[:] = np.ravel(state)
                case do.UpdateEnable():
                    self._settle(instruction)
                case do.IfEnabled():
                    self._when(instruction)
                case do.AtTick(unit, body):
                    if m.hit[unit.ticks]:
                        self.perform(body)
                case do.Solve():
                    self._solve(instruction)
                case do.Iterate(iteration):
                    iterate(m, instruction, self.perform, lambda: self._input(iteration.unit, "u") > 0.5)
                case do.Advance(iteration):
                    advance(m, iteration)

    def _publish(self, instruction: do.Output | do.Gather, results: dict[str, Any]) -> None:
        unit = instruction.unit
        for port in results:
            if unit.output_ports[port].flat:
                results[port] = np.reshape(results[port], unit.out_sizes[port].shape)

        def keep(port: str, value: Any) -> None:
            self._stored(instruction.unit, port).ravel()[:] = np.ravel(value)

        do.publish(instruction, results, self._moment.values, keep)

    def _judge(self, unit: Unit, port: str, value: Any) -> None:
        if not (isfinite(value) if isinstance(value, float) else np.all(np.isfinite(value))):
            if self._strict:
                self._look_at_directions(unit)
                raise NonFiniteSignal(unit, port, value)
            self.status = self.status or 1

    def _solve(self, instruction: do.Solve) -> None:
        if not self._solving:
            self._moment.m.w[self._plan.unsolved_at] = 0.0
            self._solving = True
        before = self._moment.values

        def evaluate(trial: dict[Source, Any]) -> dict[Source, Any]:
            self._moment.values = before | trial
            self.perform(instruction.body)
            return self._moment.values

        solution, solved = solve_loop(self._plan, instruction, self._moment.t, self._moment.m, evaluate)
        self._moment.values = before | solution
        if not solved:
            self.status = 2
            if self._strict:
                raise Unsolved(unsolved_loop(self._plan, self._moment.m))

    def _when(self, instruction: do.IfEnabled) -> None:
        m = self._moment.m
        if instruction.settled:
            true = all(m.w[unit.settled_at] == TRUE for unit in instruction.enables)
        else:
            true = all(m.modes[unit.mode_at] for unit in instruction.enables)
        self.perform(instruction.body if true else instruction.otherwise)
        for source in do.made_known(instruction.body) if not true else ():
            self._moment.values[source] = self._stored(self._plan.units[source.unit], source.port)

    def _settle(self, instruction: do.UpdateEnable) -> None:
        m, unit = self._moment.m, instruction.unit
        before, now = m.w[unit.settled_at], float(m.modes[unit.mode_at]) + FALSE
        if before == now:
            return
        self.status |= 1
        m.w[unit.settled_at] = now
        for member in instruction.members:
            for slots in member.crossing_slots.values():
                m.fresh[slots] |= ENABLED
        copies = {FALSE: instruction.beginnings, TRUE: instruction.endings}.get(before, ())
        for base, at, count, source in copies:
            array = self._moment.x if base == "x" else getattr(m, base)
            array[at : at + count] = m.p[source : source + count]

    def _change_modes(self, unit: Unit) -> None:
        new = np.ravel(self._run(unit, "mode")["mode"]).astype(np.int64)
        place = self._modes(unit)
        different = place != new
        place[:] = new
        for e in np.nonzero(different)[0]:
            self._moment.m.fresh[unit.rearmed(int(e))] |= MODE_CHANGED
        self.status |= int(bool(different.any()))

    # ---- values ----

    def _look_at_directions(self, unit: Unit) -> None:
        """Raise Directionless if an input of a unit should be a direction or an attitude, and is 0."""
        for name, port in unit.input_ports.items():
            if port.direction and not np.any(self._input(unit, name)):
                raise Directionless(unit, name)

    def _gathered(self, unit: Unit, role: str) -> dict[str, Any]:
        outputs, units = find_routes(unit, role), self._plan.units
        entered = {route.inputs[0] for routes in outputs.values() for route in routes}
        inputs = {(i, port): np.ravel(self._input(units[i], port)) for i, port in entered}
        results = {}
        for port, routes in outputs.items():
            elements = np.array([inputs[route.inputs[0]][route.element] for route in routes])
            results[port] = elements.reshape(unit.out_sizes[port].shape)
        return results

    def _input(self, unit: Unit, port: str) -> Any:
        return read_input(unit, port)(self._moment)

    def _stored(self, unit: Unit, port: str) -> Any:
        shape = unit.out_sizes[port].shape
        start = unit.signals_at[port]
        return self._moment.m.w[start : start + prod(shape)].reshape(shape)

    def _cross(self, unit: Unit) -> None:
        """See `printing._crossings`."""
        m, modes = self._moment.m, self._modes(unit)
        now = modes.copy()
        if self._former is not None and unit.index in self._plan.joint_units:
            modes[:] = self._former[unit.mode_at : unit.mode_at + unit.mode_count]
        for name, value in self._run(unit, "crossing").items():
            m.g[unit.crossing_slots[name]] = np.ravel(value)
        modes[:] = now

    def _modes(self, unit: Unit) -> Any:
        return self._moment.m.modes[unit.mode_at : unit.mode_at + unit.mode_count]

    def _place(self, unit: Unit, state: str) -> Any:
        return (self._moment.x if unit.states_at[state][0] == "x" else self._moment.m.z)[span(unit, state)]

    def _run(self, unit: Unit, role: str) -> dict[str, Any]:
        """The results of a function of a unit, by name."""
        function = self._bound.get((unit.index, role))
        if function is None:
            function = self._bound[unit.index, role] = bound(unit, role)
        try:
            return function(self._moment)
        except Exception as error:
            if self._strict:
                self._look_at_directions(unit)
            raise Failed(unit, error) from error
