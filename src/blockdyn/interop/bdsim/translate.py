"""A bdsim diagram is translated into a Diagram, block by block."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ...blocks.contract.block import Block
from ...blocks.contract.port import Size
from ...blocks.routing.inport import Inport
from ...blocks.routing.outport import Outport
from ...blocks.routing.reshape import Reshape
from ...blocks.routing.selector import Selector
from ...diagrams.model.diagram import Diagram
from .arms import ARMS
from .dynamics import DYNAMICS, clock
from .events import EVENTS, event_kind, handled, handles
from .functions import FUNCTIONS, SOURCES
from .operational import OPERATIONAL
from .python_blocks import PythonBlock, PythonDerivative, PythonOutput, PythonSampledBlock, function_of
from .tool_motion import TOOL_MOTION, TWISTS
from .values import Form, Forms, Maker, Place, probe, unused
from .vehicles import FLYING, ROLLING

NATIVE: Mapping[str, Callable[[Maker], Place | None]] = {
    **SOURCES, **FUNCTIONS, **DYNAMICS, **ARMS, **OPERATIONAL, **TOOL_MOTION, **TWISTS, **ROLLING, **FLYING,
    **EVENTS,
}  # fmt: skip
OURS = "blockdyn_bdsim.Blockdyn"
PORTS = ("bdsim.InPort", "bdsim.OutPort")  # of subsystems: their inputs are their outputs


@dataclass
class Translation:
    """A diagram made of bdsim's, and where the parts of each of bdsim's blocks are in it.

    `in_python` are bdsim's blocks that run as Python.
    """

    diagram: Diagram
    places: dict[Any, Place]
    in_python: tuple[Any, ...] = ()

    @property
    def opaque(self) -> tuple[str, ...]:
        """The names of the blocks that run as Python."""
        return tuple(block.name for block in self.in_python)

    @cached_property
    def states(self) -> tuple[str, ...]:
        """The continuous states of continuous blocks."""
        places = (place for block, place in self.places.items() if block.blockclass == "continuous")
        return tuple(path for place in places for path in place.states)

    @cached_property
    def sampled_signals(self) -> tuple[str, ...]:
        """The signals that are the states of sampled blocks."""
        places = (place for block, place in self.places.items() if block.blockclass == "sampled")
        return tuple(signal for place in places for signal in place.state)

    def clocked(self, clock: Any) -> tuple[str, ...]:
        """The blocks of a clock."""
        return tuple(signal for block in clock.blocklist for signal in self.places[block].state)

    def holds(self, block: Any) -> bool:
        """True if a block belongs to the diagram."""
        return block in self.places or key_of(block) in PORTS

    def source(self, block: Any, port: int) -> str:
        """The signal of an output of one of bdsim's blocks, through the ports of subsystems."""
        while block not in self.places:  # a port of a subsystem
            start = block._input_wires[port].start
            block, port = start.block, start.port
        return self.places[block].outputs[port]


def key_of(block: Any) -> str:
    """The package and the class of a block: `bdsim.Gain`."""
    kind = type(block)
    return f"{kind.__module__.partition('.')[0]}.{kind.__name__}"


def translate(source: Any, stop: float) -> Translation:
    """The Diagram of a compiled bdsim diagram, for a run until `stop`."""
    forms = probe(source, stop)
    diagram = Diagram(unused(str(source.name or "bdsim"), Diagram()))
    translation = Translation(diagram, {})
    eventful = any(block.nin and handles(block, forms.value(block, 0)) for block in source.blocklist)
    for block in source.blocklist:
        if key_of(block) in PORTS and block.nin and block.nout:
            continue
        arriving = [forms.arriving(block, k) for k in range(block.nin)]
        values = [forms.value(block, k) for k in range(block.nin)]
        make = Maker(block, block.name, arriving, values, diagram, stop, eventful)
        place = _native(make, forms)
        if place is None:
            place = _python(make, forms)
            place.in_python = bool(place.inputs or place.outputs)
        translation.places[block] = place
    translation.in_python = tuple(block for block, place in translation.places.items() if place.in_python)
    for block, place in translation.places.items():
        for port, readers in enumerate(place.inputs):
            start = block._input_wires[port].start
            signal = translation.source(start.block, start.port)
            for reader in readers:
                _add_wire(diagram, signal, reader, forms.arriving(block, port))
    handled(diagram, translation.places, lambda name: unused(name, diagram), stop)
    return translation


def _add_wire(diagram: Diagram, signal: str, reader: str, form: Form | None) -> None:
    """A wire; bdsim's vector of one element is a number for a reader of numbers."""
    name, _, port = reader.partition(".")
    sizes = {p.name: p.size for p in diagram.blocks[name].input_ports()}
    if form is not None and form.shape == (1,) and sizes.get(port) in (1, Size()):
        one = unused(f"{name}_{port}", diagram)
        diagram.add(one, Selector(indices=0))
        diagram.connect(signal, f"{one}.u")
        signal = f"{one}.y"
    diagram.connect(signal, reader)


def _native(make: Maker, forms: Forms) -> Place | None:
    key = key_of(make.block)
    if key == "bdsim.Function":
        return function_of(make, forms.leaving(make.block))
    if key == OURS:
        return _ours(make)
    if key in PORTS:
        return _entry(make) if make.block.nout else _exit(make)
    maker = NATIVE.get(key) or NATIVE.get(event_kind(make.block))
    return maker(make) if maker else None


def _ours(make: Maker) -> Place:
    """A block of this library that stands in a diagram of bdsim."""
    block: Block = make.block.native
    name = make.add(block)
    inputs = [port.name for port in block.input_ports() if port.default is None]
    states = [f"{name}.{state.name}" for state in block.states if not (state.held or block.sampled)]
    return Place(
        [[f"{name}.{port}"] for port in inputs],
        [f"{name}.{port.name}" for port in block.output_ports()],
        states,
    )


def _entry(make: Maker) -> Place:
    """The inputs of a diagram that is to be a part of another one."""
    names = [make.add(Inport(number=k), f"{k}") for k in range(make.block.nout)]
    return Place([], [f"{name}.y" for name in names])


def _exit(make: Maker) -> Place:
    """Its outputs."""
    names = [make.add(Outport(number=k), f"{k}") for k in range(make.block.nin)]
    return Place([[f"{name}.u"] for name in names])


def _python(make: Maker, forms: Forms) -> Place:
    """The block as it is; sinks have nothing to compute."""
    b = make.block
    inward = [form or Form(kind="object") for form in make.forms]
    outward = forms.leaving(b)
    if b.blockclass == "continuous":
        return _continuous(make, inward, outward)
    if b.blockclass == "sampled":
        return _split_outputs(make, inward, outward)
    if b.nout:
        return make.alone(PythonBlock(b, inward, outward))
    return Place()


def _continuous(make: Maker, inward: Sequence[Form], outward: Sequence[Form]) -> Place:
    b = make.block
    x = np.asarray(b.getstate0(), float).ravel()
    place = make.integral(x, "x")
    slope = make.add(PythonDerivative(b, inward, outward, width=x.size), "slope")
    make.wire(place.outputs[0], f"{slope}.x")
    make.wire(f"{slope}.d_x", place.inputs[0][0])
    place.inputs = [[f"{slope}.u{k}"] for k in range(b.nin)]
    if b.nout:
        shown = make.add(PythonOutput(b, inward, outward, width=x.size))
        make.wire(place.outputs[0], f"{shown}.x")
        place.outputs = [f"{shown}.y{k}" for k in range(b.nout)]
        if b._feedthrough:
            place.inputs = [[*readers, f"{shown}.u{k}"] for k, readers in enumerate(place.inputs)]
    return place


def _split_outputs(make: Maker, inward: Sequence[Form], outward: Sequence[Form]) -> Place:
    """The outputs of a block that gives all their numbers in one vector."""
    b = make.block
    x = np.asarray(b.getstate0(), float).ravel()
    block = PythonSampledBlock(
        block=b, inward=inward, outward=outward, settable=make.eventful, initial=x, **clock(make)
    )  # fmt: skip
    name, start, outputs = make.add(block), 0, []
    for k, form in enumerate(outward):
        count = form.size.count
        places = list(range(start, start + count))
        end = make.add(Selector(indices=places if form.shape else start), f"y{k}")
        make.wire(f"{name}.y", f"{end}.u")
        if len(form.shape) == 2:
            shaped = make.add(Reshape(form.shape), f"m{k}")
            make.wire(f"{end}.y", f"{shaped}.u")
            end = shaped
        outputs.append(f"{end}.y")
        start += count
    inputs = [[f"{name}.u{k}"] for k in range(b.nin)]
    return Place(inputs, outputs, state=[f"{name}.x_now"], settable=name if make.eventful else "")
