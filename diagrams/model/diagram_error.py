"""DiagramError is the base of the errors of a diagram."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, ClassVar

from ...base.door import door
from ...base.errors import BlockdynError
from ...base.location import Location

if TYPE_CHECKING:
    from ...doors import DiagramError as Doors
else:
    Doors = object


def listed(names: Iterable[object], most: int = 12) -> str:
    """The first `most` names in a sentence."""
    texts = [str(name) for name in names]
    remainder = f" and {len(texts) - most} more" if len(texts) > most else ""
    return (", ".join(texts[:most]) or "none") + remainder


class DiagramError(BlockdynError, Doors):
    """An error in a diagram's declaration. The message has place, value, expected value and remedy."""

    __slots__ = ("diagram",)  # not pickled: a diagram may hold objects that cannot be

    of_value: ClassVar = False  # True for an error in a value that several blocks may share
    argument = actual = expected = ""

    def __init__(self, *lines: str, path: str = "", port: str = "", location: Location | None = None) -> None:
        self.diagram: Any = None  # the compiled diagram
        self.path, self.port, self.location = path, port, location
        self.file = location.file if location else None
        self.line = location.line if location else None
        self.column = location.column if location else None
        text = "\n".join(line for line in lines if line)
        super().__init__(f"{location}: {text}" if location else text)

    if not TYPE_CHECKING:  # see doors.pyi
        draw = door("drawing.drawing:draw_error")


def bad_argument(argument: str, actual: str, expected: str, location: Location | None = None) -> DiagramError:
    """Return the error for an argument of the wrong type to a method of a diagram."""
    error = DiagramError(f"{argument} is {actual}", f"expected: {expected}", location=location)
    error.argument, error.actual, error.expected = argument, actual, expected
    return error
