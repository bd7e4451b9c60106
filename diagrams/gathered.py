"""Gathered: the errors of one diagram, told together instead of one a run."""

from __future__ import annotations

from collections.abc import Sequence
from types import TracebackType
from typing import NoReturn

from .diagram_error import DiagramError

MOST = 20  # errors that are told at once: by then the first ones are worth mending

EVERYTHING = "*"
"""Among spoilt names: all of them, because the section that declares them cannot be read."""
WIRES = "->"
"""Among spoilt names: some wires are not known, so that an open input is no news."""


class SeveralErrors(DiagramError):
    """Several things that are wrong with one diagram; `errors` holds each, in the order of the file.

    Place and type of the first one are those that are met first: `path`, `port`, `file`, `line` and `column`
    are its own.
    """

    def __init__(self, errors: Sequence[DiagramError], *, more: bool = False) -> None:
        self.errors = tuple(errors)
        first = errors[0]
        count = f"the first {len(errors)} errors" if more else f"{len(errors)} errors"
        super().__init__("\n\n".join([count + ":", *map(str, errors)]), path=first.path, port=first.port)
        self.location = first.location
        self.file, self.line, self.column = first.file, first.line, first.column


class Errors:
    """The errors met while a diagram is read or compiled: `with errors:` keeps what is raised inside.

    What an error has made unknown is spoilt: names of blocks, of parameters as `=name`. Whatever depends on
    them is passed over in silence, so that one mistake is one error. `unsure` are paths of blocks whose
    inputs are not all known.
    """

    __slots__ = ("_spoilt", "found", "unsure")

    def __init__(self) -> None:
        self.found: list[DiagramError] = []
        self.unsure: set[str] = set()
        self._spoilt: dict[object, set[str]] = {}

    def __enter__(self) -> Errors:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool:
        if not isinstance(error, DiagramError) or isinstance(error, SeveralErrors):
            return False
        self.take(error)
        return True

    def take(self, error: DiagramError) -> None:
        """Keep an error, once."""
        if all(type(error) is not type(other) or str(error) != str(other) for other in self.found):
            self.found.append(error)
        if len(self.found) >= MOST:
            self._tell()

    def spoil(self, owner: object, *names: str) -> None:
        """Names of a diagram that an error has been told of."""
        self._spoilt.setdefault(owner, set()).update(names)

    def spoilt(self, owner: object) -> set[str] | frozenset[str]:
        """The names of a diagram that are spoilt."""
        return self._spoilt.get(owner, frozenset()) if self._spoilt else frozenset()

    def finish(self) -> None:
        """Raise the error that was met, or SeveralErrors."""
        if self.found:
            self._tell()

    def _tell(self) -> NoReturn:
        if len(self.found) == 1:
            raise self.found[0].with_traceback(None)  # of the frames the caller's count
        files = {error.file: number for number, error in reversed(list(enumerate(self.found)))}
        self.found.sort(key=lambda error: (files[error.file], error.line or 0, error.column or 0))
        raise SeveralErrors(self.found, more=len(self.found) >= MOST) from None
