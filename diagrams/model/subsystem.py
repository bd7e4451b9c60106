"""A subsystem is a diagram used as a block; a copy of a diagram has copies of its subsystems."""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ...base.location import caller
from ...base.words import visible
from ...blocks.contract.parameter import Real
from ...blocks.contract.port import Port
from ...blocks.routing.inport import Inport
from ...blocks.routing.outport import Outport
from ...blocks.switching.condition import Condition
from ...blocks.switching.trigger import Trigger
from ...blocks.switching.while_loop import While
from .arguments import described
from .diagram_error import bad_argument
from .errors import BadWire, DuplicateName, UnknownParameter
from .mask import hold_one
from .name_errors import called
from .values import Value, as_value

if TYPE_CHECKING:
    from .diagram import Diagram


class PackagedSource(NamedTuple):
    """The source of a packaged subsystem: its type, its options, and the parameters that these need."""

    type: str
    options: Mapping[str, Any]
    lifted: tuple[str, ...]


class Subsystem:
    """A diagram as a block of another one; its Inport and Outport blocks are the ports.

        outputs, states, events = outputs, states, events of the blocks inside

    Keyword arguments set the inner diagram's parameters to numbers, or to expressions over the
    parameters of the enclosing diagram: `Subsystem(motor, inertia=expression("2 * j"))`.
    One diagram may be used any number of times; nothing is shared between the copies. Later changes of the
    inner diagram reach all its uses. Raises UnknownParameter, BadParameter.

    Example:
        motor:
          type: Subsystem
          parameters: {inertia: 0.02}
          diagram:
            parameters: {inertia: 0.01}
            blocks:
              torque: {type: Inport, unit: N m}
              speed: {type: TransferFunction, num: [1], den: [=inertia, 1]}
              omega: {type: Outport, unit: rad/s}
            wires: [torque -> speed -> omega]
    """

    __slots__ = ("diagram", "overrides", "packaged")

    def __init__(self, diagram: Diagram, **parameters: Real | str) -> None:
        if not hasattr(diagram, "blocks"):  # the class itself imports this module
            raise bad_argument("the diagram of a Subsystem", described(diagram), "a Diagram", caller())
        for name in parameters:
            if name not in diagram.parameters:
                raise UnknownParameter("", called(diagram.name), name, list(diagram.parameters))
        at = caller()
        self.diagram = diagram
        self.packaged: PackagedSource | None = None
        self.overrides: Mapping[str, Value] = {
            name: as_value(value, f"subsystem {diagram.name}", name) for name, value in parameters.items()
        }
        for name, number in self.overrides.items():
            hold_one(diagram, name, number, "", at)

    @staticmethod
    def kind() -> str:
        """The type name, as YAML writes it."""
        return "Subsystem"

    def input_ports(self) -> tuple[Port, ...]:
        """The Inport blocks of the inner diagram, in order, and after them its Enable and Trigger.

        Raises DuplicateName when two have the same number.
        """
        return (*ports(self.diagram, Inport), *(Port(name, 1) for name in conditions(self.diagram)))

    def output_ports(self) -> tuple[Port, ...]:
        """The Outport blocks of the inner diagram, in order."""
        return ports(self.diagram, Outport)

    def parameters(self) -> dict[str, Any]:
        """The inner diagram's parameters with values set here."""
        return dict(self.overrides)

    def __repr__(self) -> str:
        inside = "".join(f", {name}={value!r}" for name, value in self.overrides.items())
        return f"Subsystem({visible(self.diagram.name, lines=False)}{inside})"


def conditions(diagram: Diagram) -> dict[str, Condition]:
    """The Enable and Trigger blocks of a diagram used as a subsystem."""
    return {name: block for name, block in diagram.blocks.items() if isinstance(block, Condition)}


def ordered_conditions(diagram: Diagram) -> dict[str, Condition]:
    """The conditions of a subsystem, a Trigger before an Enable. Raises BadWire for two of one type."""
    declared = conditions(diagram)
    for name, block in declared.items():
        first = next(other for other in declared if declared[other].kind() == block.kind())
        if first != name:
            problem = f"a second {block.kind()} in a diagram that has `{first}`"
            expected = f"one {block.kind()}: join the signals, or put a subsystem with the other one inside"
            raise BadWire(problem, expected, path=name, location=diagram.locations[name])
    return dict(sorted(declared.items(), key=lambda item: not isinstance(item[1], Trigger)))


def only_while(diagram: Diagram, *, iterated: bool, outermost: bool) -> str:
    """The name of a diagram's While block, or ''. Raises BadWire if it is not allowed."""
    names = [name for name, block in diagram.blocks.items() if isinstance(block, While)]
    if not names:
        return ""
    problem = f"a second While in a diagram that has `{names[0]}`" if len(names) > 1 else ""
    problem = "a While in a subsystem that another one iterates" if iterated else problem
    problem = "a While in the outermost diagram" if outermost else problem
    if problem:
        expected = "one While in a subsystem, none in those inside: a Function takes a loop in its Python"
        raise BadWire(problem, expected, path=names[-1], location=diagram.locations[names[-1]])
    return names[0]


def ports(diagram: Diagram, kind: type[Inport] | type[Outport]) -> tuple[Port, ...]:
    """The ports that a diagram has as a subsystem: numbered ones by number, then in order of declaration."""
    named = [(name, block) for name, block in diagram.blocks.items() if isinstance(block, kind)]
    numbers: dict[int, str] = {}
    for name, block in named:
        if isinstance(block.number, int) and numbers.setdefault(block.number, name) != name:
            where = diagram.locations
            other = numbers[block.number]
            raise DuplicateName(
                f"{name}.number = {block.number}",
                f"{kind.__name__} `{other}`",
                first=where.get(other),
                location=where.get(name),
            )
    last = len(named) + max(numbers, default=0)
    named.sort(key=lambda item: item[1].number if isinstance(item[1].number, int) else last)
    return tuple(Port(name, unit=block.unit, default=_default(block)) for name, block in named)


def _default(block: Inport | Outport) -> float | None:
    """The hint that an input may stay unconnected: its value is given at the Inport."""
    return 0.0 if isinstance(block, Inport) and block.default is not None else None


def copied(diagram: Diagram, copies: dict[int, Diagram] | None = None) -> Diagram:
    """A copy with the same blocks, which are immutable; the diagrams of its subsystems are copied too."""
    copies = {} if copies is None else copies
    if id(diagram) not in copies:
        duplicate = copies[id(diagram)] = copy(diagram)
        for name, value in vars(diagram).items():
            if isinstance(value, (dict, list)):
                setattr(duplicate, name, value.copy())
        duplicate._simulation = _setting(diagram._simulation)
        for name, block in diagram.blocks.items():
            if isinstance(block, Subsystem):
                inner = duplicate._blocks[name] = copy(block)
                inner.diagram = copied(block.diagram, copies)
    return copies[id(diagram)]


def _setting(value: Any) -> Any:
    """A setting of a run, with copies of the lists, mappings and arrays in it."""
    if type(value) is dict:
        return {name: _setting(each) for name, each in value.items()}
    if type(value) in (list, tuple):
        return type(value)(map(_setting, value))
    return value.copy() if isinstance(value, np.ndarray) else value
