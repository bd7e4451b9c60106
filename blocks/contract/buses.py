"""Route buses through a block, from the inputs that accept buses to the outputs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from .errors import SizeError
from .port import Port, Shape, Size


def common_bus(ports: Iterable[Port], inputs: Mapping[str, Size | None]) -> Size | None:
    """The bus that an elementwise block passes on: the bus at every input that accepts buses.

    Raises SizeError when those inputs carry different buses, or a bus and something else.
    """
    sizes = [(port.name, inputs[port.name]) for port in ports if port.buses]
    arrived = [(name, size) for name, size in sizes if size is not None]
    first = next(((name, size) for name, size in arrived if size.fields), None)
    if first is None:
        return None
    for name, size in arrived:
        if size != first[1]:
            raise SizeError(str(size), f"the {first[1]} of input `{first[0]}`", name, bus=True)
    return first[1]


def unbroken(bus: Size, shape: Shape) -> Size:
    """The bus, for an output of this shape.

    Raises SizeError if another input or a parameter gives the output another shape than the bus has.
    """
    if shape != bus.shape:
        raise SizeError(f"{bus} together with {Size(shape)}", "only scalars together with a bus", bus=True)
    return bus


def expected_signal(port: Port, size: Size) -> str:
    """The expected signal, if this one does not fit because one of the two is a bus; '' if it fits."""
    fixed = port.fixed()
    if fixed is not None:
        return str(fixed) if fixed.fields != size.fields else ""
    return "a scalar, a vector or a matrix, without fields" if size.fields and not port.buses else ""
