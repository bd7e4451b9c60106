"""A handle stands for a block or one of its ports, for wiring and for arithmetic."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Never, overload

import numpy as np

from ...base.hints import AttributeHints
from ...base.location import caller
from ...blocks.contract.errors import nearest_parameter
from .arguments import described
from .arithmetic import Arithmetic
from .errors import BadWire
from .wire import End

if TYPE_CHECKING:
    from ...blocks.contract.block import Block
    from .diagram import Diagram
    from .subsystem import Subsystem


class Wirable(AttributeHints, Arithmetic):
    """The start of a wire: `source >> block` wires them."""

    __slots__ = ()

    @overload
    def __rshift__(self, other: Endpoint) -> Endpoint: ...
    @overload
    def __rshift__(self, other: Handle) -> Handle: ...
    @overload
    def __rshift__(self, other: Sequence[Handle | Endpoint]) -> Sequence[Handle | Endpoint]: ...
    def __rshift__(
        self, other: Handle | Endpoint | Sequence[Handle | Endpoint]
    ) -> Handle | Endpoint | Sequence[Handle | Endpoint]:
        """Wire, and return the right operand, from which `>>` continues if it is a block."""
        assert isinstance(self, (Handle, Endpoint))
        self.diagram.connect(self, other)
        if isinstance(other, Endpoint):
            return Endpoint(other.handle, other.port, self.end)
        return other


class Handle(Wirable):
    """One block in one diagram, returned by `Diagram.add`.

    `h["port"]` and `h[0]` are its ports, inputs or outputs depending on which end of a wire they are;
    `h >> other` wires its only output to the only input of another block; `a - b`, `2 * a` and so on add the
    blocks that compute it.
    """

    __slots__ = ("block", "diagram", "name")

    def __init__(self, diagram: Diagram, name: str, block: Block | Subsystem) -> None:
        self.diagram = diagram
        self.name = name
        self.block = block

    def __getitem__(self, port: str | int) -> Endpoint:
        return Endpoint(self, checked_port(self.name, port))

    __iter__ = None  # any number may be a port, so iteration would never end

    def _hint(self, name: str) -> str:
        fields = getattr(self.block, "__dataclass_fields__", {})
        if name in fields:
            run = f"simulate(set={{'{self.name}.{name}': 2}})"
            return f"\nuse `.block.{name}`; a run with another value is {run}"
        near = nearest_parameter(name, list(fields), self.block.kind())
        return f"{near}: `.block` has the numbers" if near else ""

    @property
    def handle(self) -> Handle:
        """The block itself."""
        return self

    @property
    def end(self) -> End:
        """This block as an end of a wire."""
        return End(self.name)

    def __repr__(self) -> str:
        return f"<{self.block.kind()} {self.name}>"


class NamedSignal(Handle):
    """A named signal, returned by `Diagram.signal`: a wire can begin with it."""

    __slots__ = ()

    def __init__(self, diagram: Diagram, name: str) -> None:
        self.diagram = diagram
        self.name = name

    @property
    def block(self) -> Block | Subsystem:  # type: ignore[override]
        """The block that drives the signal."""
        return self.diagram[self.diagram.signals[self.name].block].block

    def __getitem__(self, port: str | int) -> Never:
        expected = f"{self.name} itself, or element(0) if it is a vector: a signal has no ports"
        raise BadWire(f"{self.name}[{described(port)}]", expected, path=self.name, location=caller())

    def __repr__(self) -> str:
        return f"<signal {self.name}>"


class Endpoint(Wirable):
    """One port of a block: an output where a wire begins, an input where it ends.

    The chain `a >> b["u"]` ends at this input: no wire can continue from it.
    """

    __slots__ = ("diagram", "entered_from", "handle", "port")

    def __init__(self, handle: Handle, port: str | int, entered_from: End | None = None) -> None:
        self.diagram = handle.diagram
        self.handle = handle
        self.port = port
        self.entered_from = entered_from  # the source in `source >> block["port"]`

    @property
    def end(self) -> End:
        """This port as an end of a wire."""
        return End(self.handle.name, self.port)

    def __repr__(self) -> str:
        return f"<port {self.end}>"


def checked_port(block: str, port: object) -> str | int:
    """The name of a port, or its number. Raises BadWire for anything else, also for numbers below 0."""
    if isinstance(port, (int, np.integer)) and not isinstance(port, bool) and port >= 0:
        return int(port)
    if isinstance(port, str):
        return port
    expected = f'a port by its name, {block}["u"], or by its number, from 0: {block}[0], {block}[1], ...'
    raise BadWire(f"{block}[{described(port)}]", expected, path=block, location=caller())
