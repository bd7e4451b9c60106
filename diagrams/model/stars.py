"""A star, `a.* -> b.*_ref`, stands for wires from each output to the input of its name."""

from __future__ import annotations

from ...base.location import Location
from .errors import BadWire
from .scope import Node
from .wire import End, Wire


def starred(end: End) -> tuple[str, str] | None:
    """The text before and after the star in the name of a port; None without a star."""
    if not isinstance(end.port, str) or end.port.count("*") != 1:
        return None
    before, _, behind = end.port.partition("*")
    return before, behind


def is_starred(wire: Wire) -> bool:
    """True for a wire that stands for several."""
    return starred(wire.source) is not None and starred(wire.destination) is not None


def single(wire: Wire, start: Node | None, end: Node | None) -> list[Wire] | None:
    """The wires of one between two nodes; None for a wire that stands for itself alone."""
    outward, inward = starred(wire.source), starred(wire.destination)
    if outward is None or inward is None or start is None or end is None:
        return None
    inputs, wires = {port.name for port in end.inputs}, []
    for port in start.outputs:
        stem = port.name.removeprefix(outward[0]).removesuffix(outward[1])
        name = stem.join(inward)
        if stem.join(outward) == port.name and name in inputs:
            ends = End(wire.source.block, port.name), End(wire.destination.block, name)
            wires.append(Wire(*ends, wire.location))
    return wires


def without_pair(wire: Wire, start: Node, end: Node, at: Location | None) -> BadWire:
    """The error for a wire whose ends have no name in common."""
    outputs, inputs = (", ".join(port.name for port in ports) for ports in (start.outputs, end.inputs))
    return BadWire(
        f"`{wire}`: no output of {start.path} has the name of an input of {end.path}",
        f"one of {outputs or 'no outputs'}, and one of {inputs or 'no inputs'}",
        path=end.path,
        location=at,
    )
