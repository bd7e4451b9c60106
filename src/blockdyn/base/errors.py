"""The root of everything blockdyn raises on purpose."""

from __future__ import annotations

from os import PathLike
from typing import Any, ClassVar

from .words import visible


class Told:
    """Text of exceptions and warnings, without characters that control a terminal."""

    def __str__(self) -> str:
        return visible(self._text())

    def _text(self) -> str:
        """The text as it was raised."""
        return super().__str__()


class BlockdynError(Told, Exception):
    """Base of every blockdyn exception: its message says the place, what is wrong and what to do.

    `partial` holds the result up to the failure, where a run had begun.
    """

    partial: Any = None

    def _render_traceback_(self) -> list[str]:
        """The short traceback of IPython and notebooks."""
        from .short_traceback import short_traceback

        return short_traceback(self)


class FileError(BlockdynError):
    """A file that could not be written or read."""

    in_memory: ClassVar[str] = ""  # what a caller in Python still has, where it is worth telling

    def __init__(self, action: str, path: str | PathLike[str], cause: str, remedy: str) -> None:
        self.path = str(path)
        self.cause = cause
        super().__init__(f"cannot {action} {self.path}: {cause}; {remedy}")
