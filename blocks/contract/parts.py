"""Mark the methods of a block that compute parts of its program.

A sweep compiles a diagram once, and writes other numbers into its memory. Whether that is possible for a
parameter depends on the methods of the block that read it. A method that is computed with a block, such as
`constants`, is no obstacle: the block is made again with the other value. A method that gives a part of the
program itself, such as its ports, must give the same result for both values.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Literal, TypeVar

Kind = Literal["number", "program"]
"""The use of a method's result: numbers in the memory of a run, or parts of the compiled program."""

_MARK = "__part__"
_Method = TypeVar("_Method", bound=Callable[..., Any])

ATTRIBUTES = ("inputs", "outputs", "states", "crossings")
"""Parts that are attributes of a class, or properties."""


OF_SIZES = ("sizes", "state_shapes")
"""Methods that take the sizes of the inputs."""


def part(kind: Kind) -> Callable[[_Method], _Method]:
    """Mark a method of Block that may read parameters when a program is compiled or filled."""

    def mark(method: _Method) -> _Method:
        setattr(method, _MARK, kind)
        return method

    return mark


def parts_of(contract: type) -> Iterator[tuple[str, Kind]]:
    """The marked methods of a contract, and the attributes that are parts of a program."""
    for base in contract.__mro__:
        for name, method in vars(base).items():
            if hasattr(method, _MARK):
                yield name, getattr(method, _MARK)
    for name in ATTRIBUTES:
        yield name, "program"
