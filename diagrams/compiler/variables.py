"""States, inputs and outputs of a program have names, shapes, units and places in flat arrays."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING, Any, NamedTuple

from .plan.layout import Plan
from .plan.unit import Unit

if TYPE_CHECKING:
    from .program import Program


@dataclass(frozen=True)
class Variable:
    """A state, input or output of a program.

    name    "plant.x" of a state, "u" of an input or output
    shape   () of a number, (3,) of a vector
    unit    "rad", one for each element ("m, m, rad"), or "" if unknown
    index   the place of its first element in the flat array of all of its kind, in C order
    """

    name: str
    shape: tuple[int, ...]
    unit: str
    index: int

    @property
    def count(self) -> int:
        """Number of its elements."""
        return prod(self.shape)

    @property
    def place(self) -> slice:
        """Its elements in the flat array."""
        return slice(self.index, self.index + self.count)


class Place(NamedTuple):
    """Location of a state, or of the output of a sampled block, in a run: elements of one of its arrays."""

    name: str
    array: str  # "x", "z" or "w"
    start: int
    shape: tuple[int, ...]
    infinite: bool  # whether it may be infinite, such as the time of an event that never comes
    last: int = -1  # in w: the end of a state that keeps an output's value from before an instant
    searched: bool = False  # it only decides which solution of an algebraic loop is found

    @property
    def place(self) -> slice:
        """Its elements in the array."""
        return slice(self.start, self.start + prod(self.shape))

    def at_end(self, arrays: Mapping[str, Any]) -> Any:
        """Its elements at the end of a run."""
        if self.last >= 0:
            elements = arrays["w"][self.last : self.last + prod(self.shape)]
        else:
            elements = arrays[self.array][self.place]
        return elements.reshape(self.shape)


def places(plan: Plan) -> Iterator[Place]:
    """Values with which a run begins and ends: states, and outputs of sampled blocks, which last until a
    tick.
    """
    for unit in plan.units:
        for state in unit.block.states:
            array, start = unit.states_at[state.name]
            shape = tuple(unit.state_shapes[state.name])
            last = unit.signals_at[state.before] if state.before in unit.output_ports else -1
            yield Place(f"{unit.path}.{state.name}", array, start, shape, state.held, last)
        for port in unit.output_ports if _lasts(unit) else ():
            shape = tuple(unit.out_sizes[port].shape)
            yield Place(f"{unit.path}.{port}", "w", unit.signals_at[port], shape, infinite=False)
    for variable in searches(plan):
        yield Place(variable.name, "w", variable.index, variable.shape, infinite=False, searched=True)


def searches(plan: Plan) -> list[Variable]:
    """Start in w of the search for the solution of each algebraic loop: the signals solved for."""
    variables = []
    for unit in plan.units:
        for port, at in unit.searched_at.items() if not _lasts(unit) else ():
            name, shape = f"{unit.path}.{unit.shown(port)}", tuple(unit.out_sizes[port].shape)
            variables.append(Variable(name, shape, plan.signal_units.of(unit, port), at))
    return variables


def _lasts(unit: Unit) -> bool:
    """True if a run keeps the outputs of a unit: of sampled blocks, and of subsystems that switch."""
    return unit.block.sampled or (unit.conditional and bool(unit.shown_first))


def states(plan: Plan, base: str) -> tuple[Variable, ...]:
    """The states in "x", continuous ones, or in "z", discrete ones, in the order of their elements."""
    variables = []
    for unit in plan.units:
        for state in unit.block.states:
            array, at = unit.states_at[state.name]
            if array == base:
                shape = tuple(unit.state_shapes[state.name])
                unit_text = plan.signal_units.of_state(unit, state)
                variables.append(Variable(f"{unit.path}.{state.name}", shape, unit_text, at))
    return tuple(sorted(variables, key=lambda variable: variable.index))


def ports(program: Program, names: tuple[str, ...]) -> tuple[Variable, ...]:
    """The signals of Inports or Outports, one after the other."""
    units = program.plan.by_path
    variables: list[Variable] = []
    for name in names:
        unit = units[name]
        at = variables[-1].place.stop if variables else 0
        text = program.plan.signal_units.of(unit, "y")
        variables.append(Variable(name, tuple(unit.out_sizes["y"].shape), text, at))
    return tuple(variables)


def held_variables(plan: Plan) -> list[tuple[Variable, str]]:
    """Variables held between ticks, with the array of each: discrete states in "z"; outputs of sampled
    blocks, and starts of the searches for solutions of algebraic loops, in "w".
    """
    variables = [(variable, "z") for variable in states(plan, "z")]
    for unit in plan.units:
        for port in unit.output_ports if _lasts(unit) else ():
            shape = tuple(unit.out_sizes[port].shape)
            text = plan.signal_units.of(unit, port)
            variables.append((Variable(f"{unit.path}.{port}", shape, text, unit.signals_at[port]), "w"))
    variables += [(variable, "w") for variable in searches(plan)]
    return variables
