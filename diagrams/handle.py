"""Handles: a block, or one of its ports, as something to wire and to compute with."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar, TypeVar, overload

from .arithmetic import Arithmetic
from .wire import End

if TYPE_CHECKING:
    from ..blocks.block import Block
    from .diagram import Diagram
    from .subsystem import Subsystem

Target = TypeVar("Target", bound="Handle | Endpoint")


class Handle(Arithmetic):
    """One block in one diagram, as `Diagram.add` returns it.

    `h["port"]` and `h[0]` are its ports, inputs or outputs depending on which end of a wire they are;
    `h >> other` wires its only output to the only input of another block; `a - b`, `2 * a` and so on add the
    blocks that compute it.
    """

    __slots__ = ("block", "diagram", "name")
    __iter__: ClassVar[None] = None
    __contains__: ClassVar[None] = None

    def __init__(self, diagram: Diagram, name: str, block: Block | Subsystem) -> None:
        self.diagram = diagram
        self.name = name
        self.block = block

    def __getitem__(self, port: str | int) -> Endpoint:
        return Endpoint(self, port)

    @property
    def handle(self) -> Handle:
        """The block itself."""
        return self

    @property
    def end(self) -> End:
        """This block as an end of a wire."""
        return End(self.name)

    @overload
    def __rshift__(self, other: Endpoint) -> Handle: ...
    @overload
    def __rshift__(self, other: Handle) -> Handle: ...
    @overload
    def __rshift__(self, other: Sequence[Handle | Endpoint]) -> Sequence[Handle | Endpoint]: ...
    def __rshift__(
        self, other: Handle | Endpoint | Sequence[Handle | Endpoint]
    ) -> Handle | Sequence[Handle | Endpoint]:
        return _wire(self, other)

    def __repr__(self) -> str:
        return f"<{self.block.kind()} {self.name}>"


class Endpoint(Arithmetic):
    """One port of a block: an output where a wire begins, an input where it ends."""

    __slots__ = ("diagram", "handle", "port")

    def __init__(self, handle: Handle, port: str | int) -> None:
        self.diagram = handle.diagram
        self.handle = handle
        self.port = port

    @property
    def end(self) -> End:
        """This port as an end of a wire."""
        return End(self.handle.name, self.port)

    @overload
    def __rshift__(self, other: Endpoint) -> Handle: ...
    @overload
    def __rshift__(self, other: Handle) -> Handle: ...
    @overload
    def __rshift__(self, other: Sequence[Handle | Endpoint]) -> Sequence[Handle | Endpoint]: ...
    def __rshift__(
        self, other: Handle | Endpoint | Sequence[Handle | Endpoint]
    ) -> Handle | Sequence[Handle | Endpoint]:
        return _wire(self, other)

    def __repr__(self) -> str:
        return f"<port {self.end}>"


def _wire(
    source: Handle | Endpoint, other: Handle | Endpoint | Sequence[Handle | Endpoint]
) -> Handle | Sequence[Handle | Endpoint]:
    """Wire, and give the block to go on from: a >> b[1] >> c goes on from the output of b."""
    source.diagram.connect(source, other)
    return other.handle if isinstance(other, (Handle, Endpoint)) else other
