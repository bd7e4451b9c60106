"""The root of everything blockdyn raises on purpose."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from typing import Any, ClassVar, Self

from .words import visible

MOST = 20  # errors in one message: the first ones are worth mending before more are listed


class PrintableText:
    """Text of exceptions and warnings, without characters that control a terminal."""

    def __str__(self) -> str:
        return visible(self._text())

    def _text(self) -> str:
        """The text as it was raised."""
        return super().__str__()


class BlockdynError(PrintableText, Exception):
    """Base of every blockdyn exception: its message says the place, what is wrong and what to do.

    `partial` holds the result up to the failure, where a run had begun.
    """

    partial: Any = None
    _several: tuple[BlockdynError, ...] = ()

    @property
    def errors(self) -> tuple[Any, ...]:
        """Everything that is wrong, in the order of files and lines: several errors, or this one alone."""
        return self._several or (self,)

    def gathering(self, errors: Sequence[BlockdynError]) -> Self:
        """This error, which then stands for several: its message has each, its place is the first one's."""
        self._several, self.args = tuple(errors), (join_messages(errors),)
        return self

    def _render_traceback_(self) -> list[str]:
        """The short traceback of IPython and notebooks."""
        from .short_traceback import short_traceback

        return short_traceback(self)


def join_messages(errors: Sequence[BlockdynError]) -> str:
    """The text of several errors: how many, and each of them."""
    count = f"the first {len(errors)} errors" if len(errors) >= MOST else f"{len(errors)} errors"
    return "\n\n".join([count + ":", *map(str, errors)])


class FileError(BlockdynError):
    """A file that could not be written or read."""

    in_memory: ClassVar[str] = ""  # what a caller in Python still has, where it is worth telling

    def __init__(self, action: str, path: str | PathLike[str], cause: str, remedy: str) -> None:
        self.path = str(path)
        self.cause = cause
        super().__init__(f"cannot {action} {self.path}: {cause}; {remedy}")
