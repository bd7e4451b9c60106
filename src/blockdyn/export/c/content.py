"""Collect the content of a C source: functions, ports and numbers with their names, the step."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import gcd, lcm, prod
from typing import Any

import numpy as np

from ...base.errors import BlockdynError
from ...blocks.contract.block import Block
from ...blocks.contract.units import element_units
from ...blocks.routing.inport import Inport
from ...blocks.routing.outport import Outport
from ...diagrams.compiler.alike import CLOCK, Likeness
from ...diagrams.compiler.plan.unit import NumberPlace, Unit
from ...diagrams.compiler.program import Program
from ...diagrams.compiler.variables import Variable
from ...diagrams.model.flat import Tap
from ...solvers.events.timer import fraction
from ...solvers.methods import METHODS
from ...solvers.methods.method import Method
from ..errors import ExportError, obstacles_of
from .expressions import KEYWORDS, free
from .function import Operations
from .module import Printed, print_program
from .pointers import Unprintable

EXPECTED = "blocks whose functions are compiled, without histories; `part` chooses some blocks of a diagram"
FIXED = ("euler", "heun", "rk4")  # methods for continuous states

FINEST = 10_000  # steps within the shortest sample time
SHORTEST, LONGEST = 1e-12, 1e9  # s, of a step


@dataclass(frozen=True)
class Field:
    """A field of a structure of C: its name, its shape, what it means, its first element in the run."""

    name: str
    shape: tuple[int, ...]
    note: str
    at: int

    @property
    def count(self) -> int:
        return prod(self.shape)


class Content:
    """A program with fixed steps, and the names of its parts in C."""

    def __init__(
        self,
        program: Program,
        name: str,
        step: float | None = None,
        method: str | None = None,
        seed: int | None = None,
    ) -> None:
        """`step` is the time from one call to the next, s; without it, the step of the diagram, or without
        continuous states the longest that meets all ticks. `method` is for continuous states; without it,
        the method of the diagram, or rk4 if the diagram has none with fixed steps. `seed` is for random
        numbers; without it, the seed of the diagram, or 0.

        Raises ExportError.
        """
        self.program, self.name, self.plan = program, name, program.plan
        self.method = self._method(method) if self.plan.states else None
        self.seed = int(seed if seed is not None else program.flat.simulation.get("seed") or 0)
        self._check()
        self.step = self._step(step)

    def _check(self) -> None:
        """Raise ExportError, with every block that cannot be in C."""
        program, plan = self.program, self.plan
        obstacles = obstacles_of(program)
        histories = [unit.path for unit in plan.units if "remember" in unit.functions]
        obstacles += [(path, "a history of its input") for path in histories]
        if plan.joint is not None:
            modal = [plan.units[k].path for k in sorted(plan.joint_units)]
            obstacles += [(path, "an algebraic loop that its events change") for path in modal]
        if obstacles:
            raise ExportError(self.name, obstacles, EXPECTED)

    def _method(self, name: str | None) -> Method:
        """The method of the continuous states. Raises ExportError."""
        own = self.program.flat.simulation.get("method")
        name = name or (own if own in FIXED else "rk4")
        if name not in FIXED:
            obstacle = "method", f"{name}, whose steps are not all computed in the same way"
            raise ExportError(self.name, [obstacle], f"one of {', '.join(FIXED)}")
        return METHODS[name]

    def _step(self, step: float | None) -> Fraction:
        """The time from one call to the next. Raises ExportError."""
        clocks = [each.timer for each in self.plan.timers if not each.timer.next and each.timer.times is None]
        times = [fraction(time) for timer in clocks for time in (timer.period, timer.offset, *timer.phases)]
        times = [time for time in times if time]
        if self.method and step is None:
            step = self.program.flat.simulation.get("step")
            if step is None:
                reason = f"the continuous states have none, and {self.method.name} needs one"
                raise ExportError(self.name, [("the step", reason)], "the time between two calls, `step`, s")
        if step is None:
            if not times:
                reason = "no block has a sample time"
                raise ExportError(self.name, [("the step", reason)], "the time between two calls, `step`, s")
            common = lcm(*(time.denominator for time in times))
            shared = Fraction(gcd(*(int(time * common) for time in times)), common)
            if shared * FINEST < min(times):
                listed = ", ".join(sorted({repr(float(time)) for time in times}))
                obstacle = "the step", f"sample times without a common step: {listed} s"
                raise ExportError(self.name, [obstacle], "multiples of one time, such as 0.1 and 0.3")
            return shared
        if not SHORTEST <= step <= LONGEST:
            raise ExportError(self.name, [("the step", f"{step} s")], f"{SHORTEST:g} to {LONGEST:g} s")
        chosen = fraction(step)
        for time in times:
            if (time / chosen).denominator != 1:
                reason = f"{step} s, which does not meet ticks every {float(time)} s"
                raise ExportError(self.name, [("the step", reason)], "a step that divides all sample times")
        return chosen

    @cached_property
    def printed(self) -> Printed:
        """The functions of the program. Raises ExportError."""
        taken = self.name, f"{self.name}_init", f"{self.name}_step"
        names = ["evaluate", "update", *(["react"] if self.program.instructions.react else [])]
        names += ["derivative"] if self.method else []
        try:
            return print_program(self.program.text, names, taken)
        except Unprintable as error:
            raise ExportError(self.name, [("the code", f"no C for {error.construct}")], EXPECTED) from error

    @cached_property
    def numbers(self) -> list[Field]:
        """The numbers of the blocks, in their order in p."""
        fields: dict[int, Field] = {}
        taken = {*KEYWORDS}
        for unit in self.plan.units:
            for place in unit.number_places:
                if place.array == "p" and not isinstance(unit.block, Outport):
                    path = unit.path.partition("@")[0]
                    is_port = isinstance(unit.block, Inport) and place.number == "default"
                    name = free(plain(path if is_port else f"{path}_{place.number}"), taken)
                    shape = (prod(place.shape),) if place.shape else ()
                    fields[place.start] = Field(name, shape, _note(unit, place), place.start)
        numbers, at = [], 0
        for start in [*sorted(fields), self.plan.numbers]:
            if start > at:
                numbers.append(Field(free("unused", taken), (start - at,), "", at))
            if start < self.plan.numbers:
                numbers.append(fields[start])
                at = start + fields[start].count
        return numbers

    @cached_property
    def inputs(self) -> list[Field]:
        """The inputs; `at` is their first element in p."""
        units = self.plan.by_path
        return _ports((v, units[v.name].numbers_at["default"]) for v in self.program.inputs)

    @cached_property
    def outputs(self) -> list[Field]:
        """The outputs, or without Outports the signals that a run logs; `at` is their first element in w."""
        units = self.plan.by_path
        if self.program.output_ports:
            places = [(v, units[v.name].signals_at.get("y", -1)) for v in self.program.output_ports]
        else:
            taps = [tap for tap in self.program.flat.taps if not units[tap.path].out_sizes[tap.port].fields]
            places = [(self._logged(tap), units[tap.path].signals_at.get(tap.port, -1)) for tap in taps]
        return _ports((variable, at) for variable, at in places if at >= 0)

    def _logged(self, tap: Tap) -> Variable:
        """A signal that a run logs."""
        unit = self.plan.by_path[tap.path]
        shape = tuple(unit.out_sizes[tap.port].shape)
        return Variable(tap.name, shape, self.plan.signal_units.of(unit, tap.port), 0)

    @property
    def memory(self) -> int:
        """The bytes of an instance."""
        plan = self.plan
        passed = sum(t.states[1] - t.states[0] for t in plan.timers if t.timer.next)
        bytes_ = plan.crossings * (3 if self.turns else 2)
        words = 2 + sum({"p": plan.numbers, **self.sizes}.values()) + plan.crossings + passed
        return 8 * (words + -(-bytes_ // 8))

    @property
    def operations(self) -> tuple[Operations, Operations]:
        """The operations of a step without events at most, and of a round of events."""
        counted, empty = self.printed.operations, Operations(0, 0)
        data: Any = self.method and self.method.data
        stages = data.stages - 1 if data else 0
        step = (counted["evaluate"], 1), (counted["update"], 1), (counted.get("derivative", empty), stages)
        events = (counted["evaluate"], 1), (counted.get("react", empty), 1)
        return _total(step), _total(events)

    @property
    def turns(self) -> bool:
        """True if crossings may turn from one step to the next."""
        return self.method is not None and any(self.plan.crossing_turns)

    @cached_property
    def sizes(self) -> dict[str, int]:
        """The arrays of the program, without empty ones."""
        plan = self.plan
        sizes = {
            "x": plan.states, "dx": plan.states, "z": plan.held, "p": plan.numbers, "w": plan.signals,
            "m": plan.modes,
            "hit": len(plan.clocks) + len(plan.triggers),
            "g": plan.crossings, "fired": plan.crossings, "fresh": plan.crossings,
        }  # fmt: skip
        return {name: size for name, size in sizes.items() if size}


def _total(parts: Iterable[tuple[Operations, int]]) -> Operations:
    """The operations of several functions, each called some times."""
    listed = [*parts]
    return Operations(sum(each.count * n for each, n in listed), sum(each.loops for each, n in listed if n))


def _note(unit: Unit, place: NumberPlace) -> str:
    """The meaning of a number of a block, and the numbers that have to change with it."""
    rule = unit.block.rules().get(place.number)
    if isinstance(unit.block, Inport) and place.number == "default":
        return "input of the step"
    if rule is None:
        return "computed"
    units = ", ".join(dict.fromkeys(filter(None, element_units(rule.unit, place.shape))))
    notes = rule.doc, "" if units.startswith("[") else units, _bond(unit, place.number)
    return ", ".join(filter(None, notes))


def _bond(unit: Unit, number: str) -> str:
    """The numbers of a block that change together with a number."""
    likeness = Likeness(unit, {number})
    if likeness.standing is not None or likeness.parts == {"check"}:
        return ""
    if not likeness.parts <= {"check", "constants"} or (unit.block.sampled and number in CLOCK):
        return "fixed"
    constants, others = unit.block.constants(), _constants_after(unit.block, number)
    if others is None:
        return "fixed"
    names = [name for name in constants if not np.array_equal(constants[name], others[name])]
    return f"sets {', '.join(names)}" if names else ""


def _constants_after(block: Block, number: str) -> Mapping[str, Any] | None:
    """The numbers of the block for another value of one number; None if the block refuses the value."""
    value = getattr(block, number)
    try:
        other = (np.asarray(value) * (1.0 - 2.0**-10)).tolist()
        return type(block)(**{**block.parameters(), number: other}).constants()
    except (BlockdynError, TypeError, ValueError):
        return None


def _ports(places: Iterable[tuple[Variable, int]]) -> list[Field]:
    taken = {*KEYWORDS}
    return [Field(free(plain(v.name.partition("@")[0]), taken), v.shape, v.unit, at) for v, at in places]


def plain(text: str) -> str:
    """A name of C: letters, digits and _."""
    name = re.sub(r"\W", "_", text, flags=re.ASCII)
    return f"_{name}" if name[:1].isdigit() else name
