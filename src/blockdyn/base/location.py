"""A location is the place of a declaration in the user's file."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from types import FrameType

_PACKAGE = __name__.partition(".")[0]
_INSIDE = _PACKAGE + "."
_COMMANDS = _INSIDE + "cli."


@dataclass(frozen=True, slots=True)
class Location:
    """File, line and column, None if not available; lines and columns count from 1."""

    file: str | None = None
    line: int | None = None
    column: int | None = None

    def __str__(self) -> str:
        parts = [self.file or "line"] + [str(n) for n in (self.line, self.column) if n is not None]
        return ":".join(parts)


def caller() -> Location | None:
    """The line outside blockdyn that made this call; None for a command."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        name = frame.f_globals.get("__name__", "")
        if name.startswith(_COMMANDS):
            return None
        made = frame.f_code.co_name == "__init__" and frame.f_code.co_filename == "<string>"  # a dataclass
        if not name.startswith(_INSIDE) and name != _PACKAGE and not made:
            return Location(frame.f_code.co_filename, frame.f_lineno)
        frame = frame.f_back
    return None
