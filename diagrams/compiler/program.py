"""A program: a diagram compiled, its numbers beside it; immutable, and run as often as one likes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from ...base.counted import counted
from ...blocks.contract.block import Block
from ...blocks.routing.inport import Inport
from ...native.engine import Code, Entries
from ...solvers.differentiated import Differentiated
from ...solvers.events.timer import PlacedTimer, Timer, TimerTable, pack
from ...solvers.layout import EVERYTHING, HELD_SIGNALS, NOTHING, Floats, Integers, Memory
from ...solvers.loop.run import Problem
from ..model.flat import FlatDiagram
from ..model.settings import Arguments, takes_settings
from ..model.undisturbed import undisturbed
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
    from numpy.typing import ArrayLike

    from ...analysis.models.linear_model import LinearModel
    from ..results.result import Result
    from ..runs.evaluation import Evaluation
    from ..runs.jacobians import Jacobians


@dataclass(frozen=True, eq=False, repr=False)
class Program:
    """What a solver runs: the plan, its machine code, its numbers."""

    flat: FlatDiagram
    plan: Plan
    source: Any  # the Diagram as it was when it was compiled

    def __repr__(self) -> str:
        return f"Program({self.flat.name!r}, {counted(len(self.flat.blocks), 'block')})"

    @cached_property
    def prepared(self) -> dict[Any, Any]:
        """Runs made ready, by their arguments."""
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
        """What is evaluated when: the list that LLVM text and interpreter are made from; `print` shows it."""
        return list_instructions(self.plan)

    @cached_property
    def numbers(self) -> Numbers:
        """The numbers of its blocks, where they lie in the memory of a run."""
        return Numbers.of(self.plan)

    @property
    def callbacks(self) -> Callbacks:
        """The functions that run in Python, and why."""
        return self.text.callbacks

    @cached_property
    def code(self) -> Code:
        """Machine code: from memory, the store, or LLVM."""
        if "code" not in self.shared:
            self.shared["code"] = compile_text(self.text, NAMES)
        return self.shared["code"]  # type: ignore[no-any-return]

    @property
    def addresses(self) -> Entries:
        """Where its functions begin."""
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
    def differentiated(self) -> Differentiated:
        """What methods that want the Jacobian call."""
        from .tangents import differentiated

        return differentiated(self)

    def problem(
        self, columns: list[int], *, apart: bool = False, touched: bool = False, compiled: bool = True,
        ticks: bool = False,
    ) -> Problem:  # fmt: skip
        """What the solver needs to know; `columns` are the elements of w that a row holds.

        `apart`: rows may show held signals alone, where no other one changes at a tick. `touched`: numbers
        may change during the run, which has one more timer, and its memory one more mode. Without `compiled`
        differences take the place of tangents. `ticks`: steps end at ticks that only read, too.
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

    @takes_settings
    def simulate(self, **arguments: Unpack[Arguments]) -> Result:
        """Run; the arguments, defaults and exceptions are those of `Diagram.simulate`."""
        from ..runs.simulate import simulate

        return simulate(self, **arguments)

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
        """What stays between ticks and events: discrete states, and outputs of sampled blocks."""
        return tuple(variable for variable, _ in held_variables(self.plan))

    def derivative(
        self,
        t: float,
        x: ArrayLike | Mapping[str, ArrayLike] | None = None,
        u: ArrayLike | Mapping[str, ArrayLike] | None = None,
        *,
        held: Mapping[str, ArrayLike] | None = None,
    ) -> Floats:
        """The slopes of the continuous states, x' = f(t, x, u), of shape (n,), in the units of x per second.

            t      the time, s
            x      the states, (n,) as `states` has them, or some by name; the others are as a run begins
            u      the inputs, (m,) as `inputs` has them, or some by name; the others have their defaults
            held   discrete states and outputs of sampled blocks by path, see `held`; the others are as a
                   run begins, and stay so: no clock ticks, also where t is the time of a tick

        Modes (of limits, switches, friction) are those in which a run that begins at t and x goes on; a state
        that an event would make jump does not jump. The same arguments give the same bits. Nothing is
        compiled after the first call; threads may call at once.

        Raises RunArgumentError, InputNotGiven, and RunError where a block fails or a signal is not finite.
        """
        return self._evaluation.derivative(t, x, u, held)

    def outputs(
        self,
        t: float,
        x: ArrayLike | Mapping[str, ArrayLike] | None = None,
        u: ArrayLike | Mapping[str, ArrayLike] | None = None,
        *,
        held: Mapping[str, ArrayLike] | None = None,
    ) -> dict[str, Floats]:
        """The signals of the Outports, y = g(t, x, u), each in its shape, by name: see `derivative`."""
        return self._evaluation.outputs(t, x, u, held)

    def jacobian(
        self,
        t: float,
        x: ArrayLike | Mapping[str, ArrayLike] | None = None,
        u: ArrayLike | Mapping[str, ArrayLike] | None = None,
        *,
        held: Mapping[str, ArrayLike] | None = None,
    ) -> LinearModel:
        """The derivatives of the slopes x' = f(t, x, u) and the outputs y = g(t, x, u), exact to rounding.

        The arguments are those of `derivative`. A, B, C and D have a row for each slope or output, and a
        column for each state or input. Modes (of limits, switches, friction) and what is held are those of
        the point: at a kink, the derivative is that of the side on which a run that begins there goes on.
        Algebraic loops are differentiated by the theorem of implicit functions. Of blocks that run in Python,
        or whose code has no derivative, it takes differences, and names them in `differences`. The first call
        compiles; the code is kept.

        The method is forward differentiation of the program's machine code before its last step, eight
        directions at once. Source: Griewank and Walther, Evaluating Derivatives (2008), chapter 3.

        Raises NotDifferentiable, and what `derivative` raises.
        """
        return self._jacobians.at(t, x, u, held)

    @cached_property
    def _jacobians(self) -> Jacobians:
        from ..runs.jacobians import Jacobians

        return Jacobians(self, self._evaluation)

    @cached_property
    def _evaluation(self) -> Evaluation:
        from ..runs.evaluation import Evaluation

        return Evaluation(self)

    def with_inputs(self, inputs: Mapping[str, Any]) -> Program:
        """The same program with other signals on its inputs; other numbers compile nothing again.

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
        units = {unit.path: unit for unit in self.plan.units}
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
        """The same program with other signals kept."""
        from .compile import compile_flat

        return compile_flat(self.flat.with_log(log), self.source)
