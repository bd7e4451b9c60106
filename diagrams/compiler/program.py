"""A program is a compiled diagram with its numbers, immutable and reusable."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from ...base.door import door
from ...base.memory import undisturbed
from ...base.words import inflect
from ...blocks.contract.block import Block
from ...blocks.routing.inport import Inport
from ...native.engine import Code, Entries
from ...solvers.differentiated import DifferentiatedProgram
from ...solvers.events.timer import PlacedTimer, Timer, TimerTable, pack
from ...solvers.layout import EVERYTHING, HELD_SIGNALS, NOTHING, Integers, Memory
from ...solvers.loop.run import Problem
from ..model.flat import FlatDiagram
from .alike import Likeness, other_numbers
from .code import compile_text
from .emit.callbacks import Callbacks
from .emit.functions import NAMES, Text
from .filling import Numbers, room
from .instructions.functions import Instructions, list_instructions
from .plan.layout import Plan
from .plan.reading import heard_in
from .plan.unit import Unit, with_block
from .variables import Variable, held_variables, ports, states

if TYPE_CHECKING:
    from ...doors import Program as Doors
else:
    Doors = object


@dataclass(frozen=True, eq=False, repr=False)
class Program(Doors):
    """A program that a solver runs: the plan, its machine code, its numbers."""

    flat: FlatDiagram
    plan: Plan
    source: Any  # the Diagram as it was when it was compiled

    def __repr__(self) -> str:
        return f"Program({self.flat.name!r}, {inflect(len(self.flat.blocks), 'block')})"

    @cached_property
    def prepared(self) -> dict[Any, Any]:
        """Prepared runs, by their arguments."""
        return {}

    @cached_property
    def shared(self) -> dict[Any, Any]:
        """Objects that programs of the same text make once, such as their code and arrays for runs."""
        return {}

    @cached_property
    def text(self) -> Text:
        """The LLVM text; its callbacks live as long as the program."""
        with undisturbed():
            return Text(self.plan, self.instructions)

    @cached_property
    def instructions(self) -> Instructions:
        """Evaluations of each function, in order; LLVM text and interpreter are made from them, `print` shows
        them.
        """
        return list_instructions(self.plan)

    @cached_property
    def numbers(self) -> Numbers:
        """The numbers of its blocks, in the layout of a run's memory."""
        return Numbers.of(self.plan)

    @property
    def callbacks(self) -> Callbacks:
        """The functions that run in Python, and why."""
        return self.text.callbacks

    @property
    def active_callbacks(self) -> Callbacks:
        """The callbacks that machine code may have called; none in interpreted runs, which write no text."""
        return self.callbacks if "text" in vars(self) else Callbacks()

    @cached_property
    def code(self) -> Code:
        """Machine code: from memory, the store, or LLVM."""
        if "code" not in self.shared:
            self.shared["code"] = compile_text(self.text, NAMES)
        return self.shared["code"]  # type: ignore[no-any-return]

    @property
    def addresses(self) -> Entries:
        """Addresses of its functions."""
        return self.code.entries(NAMES)

    @cached_property
    def timers(self) -> TimerTable:
        return pack(self.plan.timers)

    @cached_property
    def _crossings(self) -> tuple[Integers, Integers, Integers, Integers]:
        """Per zero crossing: direction, passages only, turns only, the first crossing of its element."""
        plan, kind = self.plan, np.int64
        direction, passage = np.array(plan.crossing_direction, kind), np.array(plan.crossing_passage, kind)
        return direction, passage, np.array(plan.crossing_turns, kind), np.array(plan.crossing_first, kind)

    @cached_property
    def differentiated(self) -> DifferentiatedProgram:
        """Functions for methods that require the Jacobian."""
        from .tangents import differentiate_program

        return differentiate_program(self)

    def problem(
        self, columns: list[int], *, apart: bool = False, touched: bool = False, compiled: bool = True,
        ticks: bool = False,
    ) -> Problem:  # fmt: skip
        """Describe the program to a solver; `columns` are the elements of w that a row holds.

        `apart`: rows may have only held signals, if no other signal changes at a tick. `touched`: numbers
        may change during the run, which has one more timer, and its memory one more mode. Without `compiled`
        finite differences replace tangents. `ticks`: steps end at ticks that only read, too.
        """
        plan = self.plan
        heard = heard_in(plan, columns)
        if heard == HELD_SIGNALS and not apart:
            heard = EVERYTHING
        timers = self.timers
        if ticks:
            heard, timers = NOTHING, pack([timer._replace(reads=False) for timer in plan.timers])
        if touched:
            timers = pack([*plan.timers, PlacedTimer(Timer.at((np.inf,)), plan.modes)])
        return Problem(
            plan.states, plan.crossings, *self._crossings, timers,
            np.array(plan.stop_modes, np.int64), np.array(columns, np.int64),
            np.array(plan.previous, np.int64).reshape(-1, 2),
            np.array(plan.delays, np.int64).reshape(-1, 7),
            plan.joint.mode_at if plan.joint else -1, heard,
            (lambda: self.differentiated) if compiled else None,
        )  # fmt: skip

    def memory(self, seed: int = 0, scenario: int = 0, *, touched: bool = False) -> Memory:
        """Fresh arrays with the numbers of a run: initial states, parameters, held outputs, streams."""
        return self.numbers.begin(self.room(touched=touched), self.plan, seed, scenario)

    def room(self, *, touched: bool = False) -> Memory:
        """Fresh arrays, all zero."""
        return room(self.plan, touched=touched)

    def longest_step(self) -> float:
        """The longest step, s, that the diagram's sources allow."""
        return min((unit.block.longest_step() for unit in self.plan.units), default=np.inf)

    @cached_property
    def inputs(self) -> tuple[Variable, ...]:
        """The inputs u of the program: its outermost Inports that are numbers, in their order."""
        numeric = {unit.path for unit in self.plan.units if isinstance(unit.block, Inport)}
        return ports(self, tuple(name for name in self.flat.inputs if name in numeric))

    @cached_property
    def output_ports(self) -> tuple[Variable, ...]:
        """The outputs y of the program: its outermost Outports, in their order."""
        return ports(self, self.flat.outputs)

    @cached_property
    def states(self) -> tuple[Variable, ...]:
        """The continuous states x, in the order of their elements."""
        return states(self.plan, "x")

    @cached_property
    def held(self) -> tuple[Variable, ...]:
        """Variables that stay between ticks and events: discrete states, and outputs of sampled blocks."""
        return tuple(variable for variable, _ in held_variables(self.plan))

    def with_inputs(self, inputs: Mapping[str, Any]) -> Program:
        """A copy of the program with other signals on its inputs; other numbers need no compilation.

        Raises RunArgumentError.
        """
        from ..model.inputs import with_inputs
        from .compile import compile_flat

        flat = with_inputs(self.flat, inputs)
        if flat is self.flat:
            return self
        changed = (with_block(*pair) for pair in zip(self.plan.units, flat.blocks, strict=True))
        units = [unit for unit in changed if unit is not None]
        if len(units) < len(flat.blocks):
            return compile_flat(flat, self.source)
        self.text  # noqa: B018  made here, so that it is shared
        return self._with_units(flat, units)

    def with_blocks(
        self, blocks: Mapping[str, Block], alike: Mapping[str, Likeness] = MappingProxyType({}), **facts: Any
    ) -> Program | None:
        """The program with other blocks and facts of its flat diagram; None if more than numbers differs."""
        units = {**self.plan.by_path}
        for path in units.keys() & blocks.keys():
            changed = other_numbers(units[path], blocks[path], alike.get(path))
            if changed is None:
                return None
            units[path] = changed
        flat = tuple(units[each.path].flat if each.path in units else each for each in self.flat.blocks)
        return self._with_units(replace(self.flat, blocks=flat, **facts), [*units.values()])

    def _with_units(self, flat: FlatDiagram, units: list[Unit]) -> Program:
        program = Program(flat, replace(self.plan, units=units), self.source)
        for name in ("instructions", "text", "timers", "differentiated"):
            if name in self.__dict__:
                program.__dict__[name] = self.__dict__[name]
        others = (new for new, old in zip(units, self.plan.units, strict=True) if new is not old)
        program.__dict__["numbers"] = self.numbers.of_others(others)
        if "text" in self.__dict__:
            program.__dict__["shared"] = self.shared
        return program

    def with_log(self, log: list[str]) -> Program:
        """A copy of the program that keeps other signals."""
        from .compile import compile_flat

        return compile_flat(self.flat.with_log(log), self.source)

    if not TYPE_CHECKING:  # see doors.pyi
        simulate = door("diagrams.runs.simulate:simulate")
        derivative = door("diagrams.runs.evaluation:derivative")
        outputs = door("diagrams.runs.evaluation:outputs")
        jacobian = door("analysis.jacobians:jacobian")
