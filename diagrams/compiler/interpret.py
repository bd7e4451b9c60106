"""A plan run by Python itself, block by block: for breakpoints, and as the judge of the compiled form."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from ...blocks.contract.callback import Callback
from ...solvers.layout import Memory
from .interpreted_calls import each, whole
from .interpreted_loop import solve_loop
from .plan import binding
from .plan.binding import Argument, bind, targets
from .plan.layout import Plan
from .plan.loops import Loop
from .plan.order import Task, role_flows
from .plan.unit import HELD, Unit, role_arguments


class Found(Exception):
    """A signal that is not finite: unit, port and value."""

    def __init__(self, unit: Unit, port: str, value: Any) -> None:
        self.unit, self.port, self.value = unit, port, value
        super().__init__(f"{unit.path}.{port}")


class Unsolved(Exception):
    """An algebraic loop that has no solution."""

    def __init__(self, loop: Loop) -> None:
        self.loop = loop
        super().__init__(loop.ports[0])


class Failed(Exception):
    """An exception inside a block's function, chained."""

    def __init__(self, unit: Unit, error: BaseException) -> None:
        self.unit, self.error = unit, error
        super().__init__(unit.path)


class Interpreter:
    """The four functions of a program, as solvers.backend describes them, in plain Python."""

    def __init__(self, plan: Plan, *, strict: bool = False) -> None:
        self.plan, self.strict = plan, strict
        self.failure: tuple[str, BaseException] | None = None

    # ---- the four functions ----

    def derivative(self, code: Any, t: float, x: Any, dx: Any, m: Memory) -> int:
        return self._guarded(lambda: self._signals(t, x, dx, m, keep=False))

    def evaluate(self, code: Any, t: float, x: Any, dx: Any, m: Memory) -> int:
        return self._guarded(lambda: self._signals(t, x, dx, m, keep=True))

    def update(self, code: Any, t: float, x: Any, dx: Any, m: Memory) -> int:
        def run() -> int:
            for unit in self.plan.units:
                if unit.block.sampled and "update" in unit.functions and m.hit[unit.clock]:
                    for name, value in self._run(unit, "update", t, x, m, {}).items():
                        self._place(unit, name, x, m)[:] = np.ravel(value)
            return 0

        return self._guarded(run)

    def react(self, code: Any, t: float, x: Any, dx: Any, m: Memory) -> int:
        def run() -> int:
            changed = 0
            for unit in self.plan.units:
                if unit.inline_mode:
                    continue
                if "mode" in unit.functions and unit.block.timers() is None:
                    changed |= self._change_modes(unit, t, x, m)
                if "jump" in unit.functions:
                    for name, value in self._run(unit, "jump", t, x, m, {}).items():
                        place = self._place(unit, name, x, m)
                        changed |= int(bool(np.any(place != np.ravel(value))))
                        place[:] = np.ravel(value)
            return changed

        return self._guarded(run)

    def _guarded(self, run: Any) -> int:
        try:
            return int(run())
        except (Found, Unsolved):
            if self.strict:
                raise
            return 1
        except Failed as failed:
            self.failure = (failed.unit.path, failed.error)
            return -1

    # ---- the passes ----

    def _signals(self, t: float, x: Any, dx: Any, m: Memory, *, keep: bool) -> int:
        values: dict[tuple[int, str], Any] = {}
        fixed: dict[tuple[int, str], Any] = {}
        finite = solved = True
        opened = {loop.tasks[0]: loop for loop in self.plan.loops}
        if opened:
            m.w[self.plan.unsolved_at] = 0.0
        for task in self.plan.order:
            if task in opened:
                solved = self._solve(opened[task], t, x, m, values, keep=keep) and solved
                fixed |= {cut: values[cut] for cut in opened[task].cuts if cut in values}
            unit = self.plan.units[task.unit]
            if not keep and self._held(task):
                continue
            for port, value in self._output(task, t, x, m, values, keep=keep).items():
                if not unit.block.sampled:
                    value = fixed.get((unit.index, port), value)
                values[unit.index, port] = value
                if keep and port in unit.signals_at:
                    self._kept(unit, port, m).ravel()[:] = np.ravel(value)
                if keep and not np.all(np.isfinite(value)):
                    finite = False
                    if self.strict:
                        raise Found(unit, port, value)
        for unit in self.plan.units:
            if keep and unit.inline_mode and not unit.output_ports:
                self._modes(unit, m)[:] = np.ravel(self._run(unit, "mode", t, x, m, values)["mode"])
            if "derivative" in unit.functions:
                for name, value in self._run(unit, "derivative", t, x, m, values).items():
                    start = unit.states_at[name][1]
                    dx[start : start + np.size(value)] = np.ravel(value)
                    if self.strict and not np.all(np.isfinite(value)):
                        raise Found(unit, f"d{name}/dt", value)
            if unit.crossing_at >= 0 and (keep or role_flows(self.plan.units, unit, "crossing")):
                for name, value in self._run(unit, "crossing", t, x, m, values).items():
                    m.g[unit.crossing_slots[name]] = np.ravel(value)
        return 2 if not solved else 0 if finite else 1

    def _held(self, task: Task) -> bool:
        unit = self.plan.units[task.unit]
        return all(unit.rate[port] == HELD for port in unit.output_roles()[task.role])

    def _output(
        self, task: Task, t: float, x: Any, m: Memory, values: dict[tuple[int, str], Any], *, keep: bool
    ) -> dict[str, Any]:
        """What one output function gives; its mode first where that is asked for in line."""
        unit = self.plan.units[task.unit]
        if unit.wiring:
            return self._gather(unit, values, m)
        if unit.block.sampled and not m.hit[unit.clock]:
            return {p: self._kept(unit, p, m) for p in unit.output_roles()[task.role]}
        if unit.inline_mode and keep:
            self._modes(unit, m)[:] = np.ravel(self._run(unit, "mode", t, x, m, values)["mode"])
        return self._run(unit, task.role, t, x, m, values)

    def _solve(
        self, loop: Loop, t: float, x: Any, m: Memory, values: dict[tuple[int, str], Any], *, keep: bool
    ) -> bool:
        """Whether a loop could be solved; its cut signals are then among the values."""

        def evaluate(task: Task, known: dict[tuple[int, str], Any]) -> dict[tuple[int, str], Any]:
            found = self._output(task, t, x, m, known, keep=keep)
            return {(task.unit, port): value for port, value in found.items()}

        tasks = [task for task in loop.tasks if keep or not self._held(task)]
        solved = solve_loop(self.plan, loop, tasks, t, m, values, evaluate, keep=keep)
        if self.strict and not solved:
            raise Unsolved(loop)
        return solved

    def _change_modes(self, unit: Unit, t: float, x: Any, m: Memory) -> int:
        new = np.ravel(self._run(unit, "mode", t, x, m, {})["mode"]).astype(np.int64)
        place = self._modes(unit, m)
        different = place != new
        place[:] = new
        for e in np.nonzero(different)[0]:
            m.fresh[unit.rearmed(int(e))] = 1
        return int(bool(different.any()))

    # ---- values ----

    def _gather(self, unit: Unit, values: dict[tuple[int, str], Any], m: Memory) -> dict[str, Any]:
        inputs = {port: np.ravel(self._input(unit, port, values, m)) for port in unit.inputs}
        found = {}
        for port, parts in unit.block.gather(unit.in_sizes).items():  # type: ignore[attr-defined]
            shape = unit.out_sizes[port].shape
            found[port] = np.array([inputs[name][i] for name, i in parts]).reshape(shape)
        return found

    def _input(self, unit: Unit, port: str, values: dict[tuple[int, str], Any], m: Memory) -> Any:
        source = unit.inputs[port]
        if source is None:
            return np.full(unit.in_sizes[port].shape, float(unit.input_ports[port].default or 0.0))
        if source in values:
            return values[source]
        return self._kept(self.plan.units[source.unit], source.port, m)

    @staticmethod
    def _kept(unit: Unit, port: str, m: Memory) -> Any:
        shape = unit.out_sizes[port].shape
        start = unit.signals_at[port]
        return m.w[start : start + prod(shape)].reshape(shape)

    @staticmethod
    def _modes(unit: Unit, m: Memory) -> Any:
        return m.modes[unit.mode_at : unit.mode_at + unit.mode_count]

    @staticmethod
    def _place(unit: Unit, state: str, x: Any, m: Memory) -> Any:
        base, start = unit.states_at[state]
        return (x if base == "x" else m.z)[start : start + prod(unit.state_shapes[state])]

    def _value(self, unit: Unit, a: Argument, t: float, x: Any, m: Memory, values: Any) -> Any:
        if a.kind == binding.TIME:
            return t
        if a.kind == binding.MODE:
            modes = self._modes(unit, m)
            return modes.reshape(unit.shape) if unit.mode_count > 1 else int(modes[0])
        if a.kind == binding.CROSSED:
            return m.fired[unit.crossing_slots[a.name]].reshape(a.shape)
        if a.kind == binding.INPUT:
            given = self._input(unit, a.name, values, m)
            return np.reshape(given, a.shape) if a.shape == (1,) else given
        if a.kind == binding.NUMBER:
            start = unit.numbers_at[a.name]
            return m.p[start : start + prod(a.shape)].reshape(a.shape)
        if a.kind == binding.STATE:
            return self._place(unit, a.name, x, m).reshape(a.shape)
        if a.kind == binding.OUTPUT:
            return self._kept(unit, a.name, m)
        return np.zeros(a.shape)

    # ---- calls ----

    def _run(self, unit: Unit, role: str, t: float, x: Any, m: Memory, values: Any) -> dict[str, Any]:
        function = unit.functions[role]
        arguments = bind(unit, role, role_arguments(function))
        given = [self._value(unit, a, t, x, m, values) for a in arguments]
        wanted = targets(unit, role)
        try:
            with np.errstate(all="ignore"):
                if unit.elementwise and not isinstance(function, Callback):
                    return each(unit, role, arguments, given, wanted)
                return whole(role, function, arguments, given, wanted)
        except Exception as error:
            raise Failed(unit, error) from error
