"""The root of everything blockdyn raises on purpose, and its traceback as a notebook shows it.

This short traceback has your lines, the message, and the cause in a line.
"""

from __future__ import annotations

import traceback
from collections.abc import Sequence
from os import PathLike
from pathlib import Path
from typing import Any, ClassVar, Self

from .words import visible

_PACKAGE = Path(__file__).parent.parent
_MACHINERY = ("IPython", "ipykernel")
MOST = 20  # errors in one message: the first ones are worth mending before more are listed


class PrintableText:
    """Text of exceptions and warnings, without characters that control a terminal."""

    def __str__(self) -> str:
        return visible(self._text())

    def _text(self) -> str:
        """The text as it was raised."""
        return super().__str__()


class BlockdynError(PrintableText, Exception):
    """Base of every blockdyn exception: its message has the place, the error and the remedy.

    `partial` is the result up to the failure, if a run had begun.
    """

    partial: Any = None
    _several: tuple[BlockdynError, ...] = ()

    @property
    def errors(self) -> tuple[Any, ...]:
        """All errors in the order of files and lines: several, or only this one."""
        return self._several or (self,)

    def gathering(self, errors: Sequence[BlockdynError]) -> Self:
        """This error, carrying several errors: its message has each, its place is the first one's."""
        self._several, self.args = tuple(errors), (join_messages(errors),)
        return self

    def _render_traceback_(self) -> list[str]:
        """The short traceback of IPython and notebooks."""
        return short_traceback(self)


def join_messages(errors: Sequence[BlockdynError]) -> str:
    """The text of several errors: how many, and each of them."""
    count = f"the first {len(errors)} errors" if len(errors) >= MOST else f"{len(errors)} errors"
    return "\n\n".join([count + ":", *map(str, errors)])


class FileError(BlockdynError):
    """A file that could not be written or read."""

    in_memory: ClassVar[str] = ""  # data that a caller in Python still has, if worth mentioning

    def __init__(self, action: str, path: str | PathLike[str], cause: str, remedy: str) -> None:
        self.path = str(path)
        self.cause = cause
        super().__init__(f"cannot {action} {self.path}: {cause}; {remedy}")


def short_traceback(error: BaseException) -> list[str]:
    """Lines of text. Frames of blockdyn and of the notebook are left out."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if not _is_ours(frame.filename)]
    name = type(error).__name__
    lines = ["Traceback (most recent call last):\n", *traceback.format_list(frames)] if frames else []
    return "".join([*lines, f"{name}: {error}", *_cause(error)]).splitlines()


def _cause(error: BaseException) -> list[str]:
    """Lines that show where a user's function or another library failed."""
    cause = error.__cause__
    if cause is None or _has_own_traceback(cause):
        return []
    frames = [frame for frame in traceback.extract_tb(cause.__traceback__) if not _is_ours(frame.filename)]
    place = f" in {frames[-1].filename}, line {frames[-1].lineno}" if frames else ""
    text = visible(" ".join(str(cause).split()), lines=False)
    return [f"\ncause: {type(cause).__name__}: {text}{place}"]


def _has_own_traceback(cause: BaseException) -> bool:
    return hasattr(cause, "_render_traceback_")


def _is_ours(file: str) -> bool:
    path = Path(file)
    return path.is_relative_to(_PACKAGE) or any(part in _MACHINERY for part in path.parts)
