"""Merge: the output of the subsystem, among several, that was active last."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from ..contract.block import Block
from ..contract.conditions import MODE
from ..contract.errors import ParameterError
from ..contract.formula import Formula, Node
from ..contract.internal_names import MODE as MODE_NAME
from ..contract.parameter import Real, option, parameter
from ..contract.port import Like, Port, numbered_ports

MOST = 30  # bits of a mode


class Merge(Block):
    """The output of the enabled subsystem that is active, or that was active last.

        y = u_i while the subsystem of u_i is active; otherwise y = u_i of the last active one

    Each input comes from a subsystem with an Enable block. If several are active together, the last of these
    inputs applies. Before any has been active, y = `initial`. Raises BadWire for an input whose source is
    never switched.

    Source: Simulink's Merge block (The MathWorks, Simulink Reference, Merge).

    Example:
        {type: Merge, count: 2}
    """

    icon = "merge"
    elementwise: ClassVar = True

    count: int = option(default=2, doc="number of inputs")
    initial: Real = parameter(default=0.0, unit="[y]", doc="y before any of the subsystems has been active")

    def check(self) -> None:
        if not 1 <= self.count <= MOST:
            raise ParameterError("Merge", "count", self.count, f"a whole number from 1 to {MOST}")

    def signals(self) -> tuple[Port, ...]:
        """The inputs that are merged."""
        return numbered_ports(self.count)

    def input_ports(self) -> tuple[Port, ...]:
        works = (
            Port(f"works{i}", 1, doc="y of the Enable of the subsystem of this u", default=0.0)
            for i in range(self.count)
        )
        return (*self.signals(), *works)

    def output_ports(self) -> tuple[Port, ...]:
        return (Port("y", like=Like(tuple(port.name for port in self.signals()))),)

    def functions(self) -> Mapping[str, Any]:
        works = [_do(">", Node("name", f"works{i}"), Node("number", 0.5)) for i in range(self.count)]
        bits = [Node("bit", i, (MODE,)) for i in range(self.count)]
        none, tests = Node("number", 1.0), []
        for i in reversed(range(self.count)):
            tests.append(_do("and", works[i], none))
            none = _do("and", none, _do("not", works[i]))
        tests = [
            _do("or", test, _do("and", none, bit)) for test, bit in zip(reversed(tests), bits, strict=True)
        ]
        y = Node("name", "initial")
        for i, bit in enumerate(bits):
            y = _do("where", bit, Node("name", f"u{i}"), y)
        inputs = tuple(port.name for port in self.signals())
        names = tuple(f"works{i}" for i in range(self.count))
        return {
            "output": Formula("merged", (*inputs, "initial", MODE_NAME), y),
            "mode": Formula("last active input", (*names, MODE_NAME), Node("bits", parts=tuple(tests))),
        }


def _do(operation: str, *parts: Node) -> Node:
    return Node(operation, parts=parts)
