"""Define the errors of results of a run: naming a signal, making a table, writing or reading a file."""

from __future__ import annotations

import errno
from collections.abc import Iterable
from difflib import get_close_matches
from os import PathLike

from ...base.errors import BlockdynError, FileError
from ...base.files import cause_of
from ...base.words import NEAR


class ResultError(BlockdynError):
    """A request that the results of a run cannot answer."""


def bad_argument(name: str, actual: str, expected: str) -> ResultError:
    """Return the error for an argument of the wrong type."""
    return ResultError(f"{name}: {actual}\nexpected: {expected}")


class UnknownSignal(ResultError):
    """A path, or an element of a signal, that the result does not hold."""

    def __init__(self, path: str, choices: Iterable[str], *, hint: str = "", more: str = "") -> None:
        self.path = path
        self.choices = tuple(choices)
        self.nearest = tuple(get_close_matches(path, self.choices, n=3, cutoff=NEAR))
        if not hint and self.nearest:
            hint = f"the nearest names are {', '.join(self.nearest)}"
        elif not hint and self.choices:
            shown = ", ".join(self.choices[:8])
            hint = f"logged signals are {shown}" + (
                f" and {len(self.choices) - 8} more" if len(self.choices) > 8 else ""
            )
        elif not hint:
            hint = "nothing was logged: name signals under 'log' and run again"
        super().__init__(f"no signal {path!r} in this result; {hint}{more}")


class ResultFileError(FileError, ResultError):
    """A result file that could not be written or read."""

    in_memory = "the result is still in memory and "


_UNREAD = {
    errno.ENOENT: "check its name and folder; `save` writes such files",
    errno.ENOTDIR: "check its folder: a part of the path is a file",
    errno.EISDIR: "name a file in that folder",
    errno.EINVAL: "name a file that `save` wrote",
    errno.EACCES: "name a file that you may read",
    errno.EPERM: "name a file that you may read",
}


def unread(path: str | PathLike[str], error: OSError) -> ResultFileError:
    """The system's refusal to read, with a remedy."""
    remedy = _UNREAD.get(error.errno or 0, "check the path and the disk")
    return ResultFileError("read", path, cause_of(error), remedy)
