"""Places: where the ports and the states of a bdsim block are in the diagram made of it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ...blocks.continuous.integrator import Integrator
from ...blocks.contract.block import Block
from ...blocks.routing.selector import Selector
from ...diagrams.model.diagram import Diagram
from .values import Form


@dataclass
class Place:
    """Inputs by port, each with all that read it; the source of each output; and where the state is.

    `states` are the paths of continuous states, in bdsim's order. `state` are the signals that make up the
    state as event handlers see it; they set it through the inputs `value` and `trigger` of the block
    `settable`, where `scalar` says that it is a number. `in_python` is true of a block that is called back.
    """

    inputs: list[list[str]] = field(default_factory=list)
    outputs: list[str] = field(default_factory=list)
    states: list[str] = field(default_factory=list)
    state: list[str] = field(default_factory=list)
    settable: str = ""
    scalar: bool = False
    in_python: bool = False


@dataclass
class Maker:
    """What makes blocks of one bdsim block.

    `forms` and `values` are those of its inputs at the start, `diagram` is what the blocks go into. Of an
    `eventful` diagram handlers can set the states.
    """

    block: Any
    name: str
    forms: Sequence[Form | None]
    values: Sequence[Any]
    diagram: Diagram
    stop: float
    eventful: bool = False

    def add(self, block: Block, part: str = "") -> str:
        """Add a block, the bdsim block's own or a part of it; its name."""
        name = unused(f"{self.name}_{part}" if part else self.name, self.diagram)
        self.diagram.add(name, block)
        if not part and self.block.pos is not None:
            self.diagram.positions[name] = [float(v) for v in self.block.pos]
        return name

    def wire(self, source: str, destination: str) -> None:
        self.diagram.connect(source, destination)

    def alone(self, block: Block, *, outputs: Sequence[str] = ()) -> Place:
        """The place of one block with the same inputs, and these of its outputs, or all."""
        name = self.add(block)
        ends = outputs or [port.name for port in block.output_ports()]
        ports = [port.name for port in block.input_ports()][: self.block.nin]
        return Place(
            [[f"{name}.{port}"] for port in ports],
            [f"{name}.{port}" for port in ends],
        )

    def integral(self, initial: Any, part: str = "", **limits: Any) -> Place:
        """An integrator, which handlers of events can set."""
        name = self.add(Integrator(initial, reset="either" if self.eventful else "none", **limits), part)
        settable = name if self.eventful else ""
        signal = f"{name}.y"
        return Place([[f"{name}.u"]], [signal], [f"{name}.x"], [signal], settable, np.ndim(initial) == 0)

    def apart(self, signal: str, count: int, part: str = "y") -> list[str]:
        """The elements of a vector as numbers."""
        names = [self.add(Selector(indices=k), f"{part}{k}") for k in range(count)]
        for name in names:
            self.wire(signal, f"{name}.u")
        return [f"{name}.y" for name in names]

    def form(self, port: int) -> Form:
        """The form of an input, that of a number where it is not known."""
        return self.forms[port] or Form()


def unused(name: str, diagram: Diagram) -> str:
    """A name that paths can hold, and that no block of the diagram has."""
    plain = re.sub(r"\W", "_", name)
    plain = plain if plain.isidentifier() else f"b_{plain}"
    free, number = plain, 1
    while free in diagram:
        number += 1
        free = f"{plain}_{number}"
    return free
