"""Split chains such as `connect(a, b, [c, d])` into wires."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ...base.location import Location
from .arguments import described
from .arithmetic import check_own
from .errors import BadWire
from .handle import Endpoint, Handle
from .wire import End, Wire, read_end

if TYPE_CHECKING:
    from .diagram import Diagram

FORMS = {
    "connect": "connect(a, b), connect(a, b, c) or connect(a, [b, c])",
    "->": "`a -> b`, `a.port -> b -> c.port` or `a -> [b, c[0]]`",
}
"""How chains are written, by what writes them."""


def chain_wires(
    diagram: Diagram, source: Any, destinations: Sequence[Any], at: Location | None, sign: str = "connect"
) -> list[Wire]:
    """The wires from each end to the next one, and from the last but one to all of a list.

    `sign` is the notation of the chain, for errors. Raises BadWire.
    """
    if not destinations:
        expected = f"at least one destination: {FORMS[sign]}"
        raise BadWire(f"a wire from {described(source)} without a destination", expected, location=at)
    start = source_end(diagram, source, at, destinations[0])
    wires: list[Wire] = []
    last = len(destinations) - 1
    for i, destination in enumerate(destinations):
        if isinstance(destination, (str, Handle, Endpoint)):
            end = as_end(diagram, destination, at)
            wires.append(Wire(start, end, at))
            if end.port is not None and i < last:
                after = _ends(diagram, destinations[i + 1], at)
                raise port_in_chain(start, end, after, sign, at, leaves=_leaves(diagram, end))
            start = End(end.block)
            continue
        if not isinstance(destination, (list, tuple)) or not destination:
            raise BadWire(f"a wire to {described(destination)}", FORMS[sign], location=at)
        if i < last:
            raise BadWire("a list in the middle of a chain", "a list at the end of it only", location=at)
        wires += [Wire(start, end, at) for end in _ends(diagram, destination, at)]
    return wires


def source_end(diagram: Diagram, source: Any, at: Location | None, destination: Any = "...") -> End:
    """The source end of a wire; errors show the destination, if one is given.

    Raises BadWire, also for `a >> b["u"]`, whose signal has only entered `b`.
    """
    if isinstance(source, Endpoint) and source.entered_from is not None:
        leaves = _leaves(source.diagram, source.end)
        after = [End("...")] if destination == "..." else _ends(source.diagram, destination, at)
        raise port_in_chain(source.entered_from, source.end, after, ">>", at, leaves=leaves)
    return as_end(diagram, source, at)


def as_end(diagram: Diagram, end: Any, at: Location | None) -> End:
    """One end of a wire, from text, a block or a port. Raises BadWire."""
    if isinstance(end, str):
        return read_end(end, at)
    if isinstance(end, (Handle, Endpoint)):
        check_own(diagram, end, at)
        return end.end
    raise BadWire(
        f"{described(end)} at an end of a wire", "a block, one of its ports, or their names", location=at
    )


def _ends(diagram: Diagram, destination: Any, at: Location | None) -> list[End]:
    items = destination if isinstance(destination, (list, tuple)) else [destination]
    return [as_end(diagram, item, at) for item in items]


def _leaves(diagram: Diagram, end: End) -> bool:
    """True if the port of an end is an output, and not also an input."""
    block = diagram.blocks.get(end.block)
    if block is None or not isinstance(end.port, str):
        return False
    inputs, outputs = block.input_ports(), block.output_ports()
    return end.port in [port.name for port in outputs] and end.port not in [port.name for port in inputs]


def port_in_chain(
    before: End, middle: End, after: Sequence[End], sign: str, at: Location | None, *, leaves: bool = False
) -> BadWire:
    """The error for a port in the middle of a chain, which may mean a fan-out: it shows both notations.

    `sign` is the notation of the chain: "connect", ">>" or "->". If the port is an output (`leaves`), only a
    chain can be meant.
    """
    block, shown = End(middle.block), _end_text(middle, sign)
    ends = ", ".join(_end_text(end, sign) for end in after)
    one = ends if len(after) == 1 else f"[{ends}]"
    start = _end_text(before, sign)
    if leaves:
        return BadWire(
            f"`{middle}` in the middle of a chain names an output",
            f"a block without a port there, and from its output a wire of its own\n"
            f"{_wire(sign, start, block)} and {_wire(sign, shown, one)}",
            path=middle.block,
            location=at,
        )
    through = f"{_wire(sign, start, block, one)}, or with the port {_wire(sign, start, shown)} and"
    return BadWire(
        f"`{middle}` in the middle of a chain names a port",
        f"a block without a port there, or a list\n"
        f"through {block} and on from its output: {through} {_wire(sign, block, one)}\n"
        f"from {before} to both: {_wire(sign, start, f'[{shown}, {ends}]')}",
        path=middle.block,
        location=at,
    )


def _end_text(end: End, sign: str) -> str:
    if sign == "->" or not isinstance(end.port, str):
        return str(end)
    return f'{end.block}["{end.port}"]'


def _wire(sign: str, *ends: object) -> str:
    return (
        f"`connect({', '.join(map(str, ends))})`"
        if sign == "connect"
        else f"`{f' {sign} '.join(map(str, ends))}`"
    )
