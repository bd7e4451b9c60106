"""A unit is one block of a flat diagram with everything that compilation derives for it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import prod
from typing import Any, NamedTuple

import numpy as np

from ....blocks.contract.block import Block
from ....blocks.contract.errors import ParameterError
from ....blocks.contract.internal_names import crossing_of
from ....blocks.contract.owned import Foreign, Instance
from ....blocks.contract.port import Crossing, Port, Shape, Size, Unknown
from ....blocks.contract.wiring import Wiring
from ....blocks.routing.inport import Inport
from ....blocks.routing.outport import Outport
from ....blocks.switching.enable import Enable
from ....blocks.switching.trigger import Trigger
from ...model.flat import FlatBlock

CONTINUOUS, HELD = "continuous", "held"


class Source(NamedTuple):
    """The output that feeds an input."""

    unit: int
    port: str


class Route(NamedTuple):
    """The origin of an element of a routing block's output.

    `inputs` are the inputs of routing blocks that it passes, by unit and port, the one where it enters them
    first; `source` is the output before that one, None if unconnected, and `element` counts its elements.
    """

    inputs: tuple[tuple[int, str], ...]
    source: Source | None
    element: int


class NumberPlace(NamedTuple):
    """Words of a run that a number of a block fills: the array of Memory, the first element, the shape.

    `role` is "parameter", "memory" (first values of an array that the run changes), "state", "unknown" (start
    of a search) or "output" (shown before the first tick). A scalar number fills all elements.
    """

    number: str
    role: str
    array: str
    start: int
    shape: Shape

    @property
    def words(self) -> slice:
        return slice(self.start, self.start + prod(self.shape))

    def element(self, index: tuple[int, ...] | None) -> int:
        """The place of an element in the array, of the first one without an index."""
        return self.start + (int(np.ravel_multi_index(index, self.shape)) if index else 0)


@dataclass
class Unit:
    """A block's place in the plan. Offsets are element numbers in the arrays of solvers.layout.Memory."""

    index: int
    flat: FlatBlock
    block: Block
    inputs: dict[str, Source | None]
    input_ports: dict[str, Port]
    output_ports: dict[str, Port]
    functions: Mapping[str, Any]
    routes: Mapping[str, list[Route]] = field(default_factory=dict)  # by outputs, see `loops.trace`
    in_sizes: dict[str, Size] = field(default_factory=dict)
    out_sizes: dict[str, Size] = field(default_factory=dict)
    shape: Shape = ()  # for an elementwise block
    rate: dict[str, str] = field(default_factory=dict)
    clock: int = -1
    inline_mode: bool = False
    numbers: dict[str, Any] = field(default_factory=dict)
    state_shapes: dict[str, Shape] = field(default_factory=dict)
    states_at: dict[str, tuple[str, int]] = field(default_factory=dict)  # ("x" or "z", offset)
    numbers_at: dict[str, int] = field(default_factory=dict)
    signals_at: dict[str, int] = field(default_factory=dict)  # outputs stored in w
    mode_at: int = -1
    mode_count: int = 0
    crossing_at: int = -1
    crossing_slots: dict[str, range] = field(default_factory=dict)  # places of each crossing's values in g
    enables: tuple[int, ...] = ()  # the units of the Enable blocks that control it, nearest first
    trigger: int = -1  # the unit of the Trigger that runs it
    iteration: int = -1  # the unit of the While block that runs it repeatedly
    ticks: int = -1  # the place in `hit` that makes it tick: of a clock, or of a trigger
    settled_at: int = -1  # in w, of an Enable block: 1 or 2 if it was false or true before now
    begun_at: dict[str, int] = field(
        default_factory=dict
    )  # in p: first values of a run's own arrays, to reset
    owned_at: dict[str, int] = field(default_factory=dict)  # in p: handles, addresses of foreign functions
    searched_at: dict[str, int] = field(default_factory=dict)  # in w: start of the search for an output
    owned: dict[str, Instance | Foreign] = field(init=False, default_factory=dict)  # by handle, or role()
    changing: set[str] = field(init=False, default_factory=set)  # the arrays that a run changes
    names: dict[str, tuple[str, ...]] = field(init=False, default_factory=dict)  # arguments of each function
    output_roles: dict[str, tuple[str, ...]] = field(init=False, default_factory=dict)  # outputs by function
    unknowns: dict[str, Unknown] = field(init=False, default_factory=dict)  # by the outputs that give them

    @property
    def path(self) -> str:
        return self.flat.path

    @property
    def elementwise(self) -> bool:
        return self.block.elementwise

    @property
    def ticked(self) -> bool:
        """True if its outputs change only at ticks of its clock or trigger."""
        return self.block.sampled or self.trigger >= 0

    @property
    def changes_mode(self) -> bool:
        """True if its `mode` is a function, and not the number of events of a timer."""
        timer = self.block.timers()
        return "mode" in self.functions and (timer is None or bool(timer.next))

    @property
    def has_history(self) -> bool:
        """True if it delays a signal; other blocks remember only the ends of steps."""
        return "remember" in self.functions and "levels" in self.state_shapes

    @property
    def conditional(self) -> bool:
        """True if it can be inactive."""
        return bool(self.enables) or self.trigger >= 0

    @property
    def shown_first(self) -> str:
        """The number that its outputs show before its first tick, or before its subsystem is first active."""
        if self.conditional and isinstance(self.block, Outport):
            return "initial"
        return self.block.held_initial

    @property
    def wiring(self) -> bool:
        return isinstance(self.block, Wiring)

    @property
    def sized(self) -> bool:
        """True if the sizes of its inputs are given without an error."""
        return self.in_sizes.keys() == self.inputs.keys()

    @property
    def count(self) -> int:
        """Elements of an elementwise block; 1 otherwise."""
        return prod(self.shape) if self.elementwise else 1

    @cached_property
    def crossings(self) -> tuple[Crossing, ...]:
        """The zero crossings, each under a unique name within the unit."""
        return distinct(self.block.zero_crossings())

    @cached_property
    def number_places(self) -> tuple[NumberPlace, ...]:
        """The place of every number of the block in the memory of a run, once the layout is made."""
        arrays = {"parameter": self.numbers_at, "memory": self.begun_at}
        places = [
            NumberPlace(name, role, "p", at, np.shape(self.numbers[name]))
            for role, offsets in arrays.items()
            for name, at in offsets.items()
        ]
        places += [self.state_place(state.name) for state in self.block.states]
        for port, unknown in self.unknowns.items():
            place = "w", self.searched_at[port], self.out_sizes[port].shape
            places.append(NumberPlace(unknown.start, "unknown", *place))
        for port, at in self.signals_at.items() if self.shown_first else ():
            places.append(NumberPlace(self.shown_first, "output", "w", at, self.out_sizes[port].shape))
        return tuple(places)

    def state_place(self, name: str) -> NumberPlace:
        """The place of a state, which its initial value fills."""
        initial = next(state.initial for state in self.block.states if state.name == name)
        return NumberPlace(initial, "state", *self.states_at[name], self.state_shapes[name])

    def rearmed(self, element: int) -> list[int]:
        """The slots of the crossings that restart when the mode of an element changes."""
        slots = self.crossing_slots.values()
        if self.elementwise:
            return [of_crossing[element] for of_crossing in slots]
        return [slot for of_crossing in slots for slot in of_crossing]

    def watched(self, element: int, count: int) -> list[int]:
        """The slots of the crossings whose levels `jump` itself reads, for a block of this size."""
        if any(map(crossing_of, self.names.get("jump", ()))):
            return []  # it receives the crossings that have fired
        return self.rearmed(element if count == self.count else 0)

    def shown(self, port: str) -> str:
        """The name of an output in errors and results: an unknown has its own name."""
        return self.unknowns[port].name if port in self.unknowns else port

    def __post_init__(self) -> None:
        self.unknowns = {unknown.solved: unknown for unknown in self.block.unknowns()}
        for name, value in self.block.memory().items():
            if isinstance(value, Instance):
                self.owned[name] = value
            else:
                self.changing.add(name)
        for role, function in self.functions.items():
            self.names[role] = self.block._arguments_in_plan(function)
            if isinstance(function, Foreign):
                self.owned[f"{role}()"] = function
                if function.tangent is not None:
                    self.owned[f"{role}() tangent"] = function.tangent  # its address is the next one
        if self.routes:
            self.output_roles = {f"output_{port}": (port,) for port in self.output_ports}
            return
        if self.wiring:
            self.output_roles = {"output": tuple(self.output_ports)} if self.output_ports else {}
            return
        single = {role: (role.removeprefix("output_"),) for role in self.functions if role[:7] == "output_"}
        if "output" in self.functions:
            self.output_roles["output"] = tuple(p for p in self.output_ports if (p,) not in single.values())
        self.output_roles |= single

    def port_source(self, port: str) -> Source | None:
        """The output at a port: its own, or the one that feeds the input."""
        return Source(self.index, port) if port in self.output_ports else self.inputs.get(port)

    def role_of(self, port: str) -> str:
        """The function that gives an output."""
        name = f"output_{port}"
        return name if name in self.output_roles else "output"

    def needs(self, role: str) -> tuple[str, ...]:
        """The inputs a function names: for an output, its direct feedthrough."""
        if self.wiring:
            return tuple(self.inputs)
        return tuple([name for name in self.names[role] if name in self.inputs])

    def wires(self, role: str) -> list[tuple[Source, str]]:
        """The signals a function needs, each with the input that it enters, if any of the block itself."""
        if self.routes:
            routes = (route for port in self.output_roles[role] for route in self.routes[port])
            entered = {route.source: route.inputs[-1][1] for route in routes if route.source is not None}
            return [*entered.items()]
        return [(source, port) for port in self.needs(role) if (source := self.inputs[port]) is not None]

    def all_wires(self) -> list[tuple[Source, str]]:
        """The signals for all functions of the block."""
        if self.routes:
            return [wire for role in self.output_roles for wire in self.wires(role)]
        return [(source, port) for port, source in self.inputs.items() if source is not None]

    def reads(self, role: str) -> list[Source]:
        """The signals a function names: signals at its inputs, and outputs of the block itself."""
        if self.routes:
            return [source for source, _ in self.wires(role)]
        sources = [source for port in self.needs(role) if (source := self.inputs[port]) is not None]
        if not role.startswith("output"):
            outputs = [name for name in self.names[role] if name in self.output_ports]
            others = {*self.inputs, *self.numbers, *self.state_shapes} if outputs else ()
            crossings = [c.name for c in self.crossings] if outputs and role == "crossing" else ()
            sources += [Source(self.index, n) for n in outputs if n not in others and n not in crossings]
        return sources


def distinct(crossings: Iterable[Crossing]) -> tuple[Crossing, ...]:
    """Crossings in their order; a repeated name gets a number: `u > 1`, `u > 1 (2)`."""
    named: dict[str, Crossing] = {}
    for crossing in crossings:
        name, number = crossing.name, 1
        while name in named:
            number += 1
            name = f"{crossing.name} ({number})"
        named[name] = crossing if number == 1 else replace(crossing, name=name)
    return tuple(named.values())


def with_block(unit: Unit, flat: FlatBlock) -> Unit | None:
    """The unit with another block of its type in its place; None if more than numbers differ."""
    if flat.block is unit.block:
        return unit
    numbers = flat.block.numbers()
    shapes = {name: np.shape(value) for name, value in numbers.items()}
    if type(flat.block) is not type(unit.block) or not isinstance(flat.block, Inport):
        return None
    if shapes != {name: np.shape(value) for name, value in unit.numbers.items()}:
        return None
    return replace(unit, flat=flat, block=flat.block, numbers=numbers)


def role_name(role: str, function: object) -> str:
    """A function of a block in an error: its role, and the file and line where it is defined."""
    plain = getattr(function, "function", function)
    code = getattr(getattr(plain, "py_func", plain), "__code__", None)
    return f"`{role}`" + (f" ({code.co_filename}:{code.co_firstlineno})" if code is not None else "")


def make_units(blocks: tuple[FlatBlock, ...]) -> list[Unit]:
    """One unit per block, in the order of their paths."""
    number = {flat.path: i for i, flat in enumerate(blocks)}
    units = []
    for i, flat in enumerate(blocks):
        block = flat.block
        inputs = {
            port: None if source is None else Source(number[source[0]], source[1])
            for port, source in flat.sources.items()
        }
        outputs = {port.name: port for port in block.output_ports()}
        for port in outputs.values():
            if port.like is not None and not inputs.keys() >= {*port.like.inputs}:
                expected = "the names of inputs: " + ", ".join(inputs)
                raise ParameterError(block.kind(), f"outputs.{port.name}.like", port.like.inputs, expected)
        read = {port.name: port for port in block.input_ports()}
        for unknown in block.unknowns():
            read[unknown.name] = Port(unknown.name, flat=unknown.flat)
            inputs[unknown.name] = Source(i, unknown.solved)
            outputs[unknown.solved] = Port(unknown.solved, flat=unknown.flat)
        units.append(
            Unit(
                i, flat, block, inputs, read, outputs,
                {} if isinstance(block, Wiring) else block.functions(),
            )
        )  # fmt: skip
        units[-1].trigger, units[-1].enables = _conditions(flat, blocks, number)
        units[-1].iteration = number.get(flat.iteration, -1)
    for unit in units:
        if unit.iteration >= 0 and unit.trigger < 0 and unit.index != unit.iteration:
            unit.trigger = unit.iteration
    return units


def _conditions(
    flat: FlatBlock, blocks: tuple[FlatBlock, ...], number: Mapping[str, int]
) -> tuple[int, tuple[int, ...]]:
    """The Trigger and the Enable blocks that control a block.

    An Enable block is controlled only by Triggers, since it is false if the outer ones are, and a Trigger
    only by Enable blocks, since it makes its own ticks.
    """
    around = [number[path] for path in flat.conditions]
    triggers = [i for i in around if isinstance(blocks[i].block, Trigger)]
    enables = tuple(i for i in around if isinstance(blocks[i].block, Enable))
    if isinstance(flat.block, Trigger):
        return -1, enables
    trigger = triggers[0] if triggers else -1
    return trigger, () if isinstance(flat.block, Enable) else enables


def elements(shape: Shape, broadcast: Shape) -> Any:
    """For every element of `broadcast`, which element of `shape` NumPy's broadcasting puts there."""
    if shape == broadcast:
        return range(prod(shape))
    indices = np.arange(prod(shape)).reshape(shape)
    return np.broadcast_to(indices, broadcast).ravel()
