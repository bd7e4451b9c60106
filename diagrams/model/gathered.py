"""The errors of one diagram are reported together instead of one per run."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ...base.error_collector import ErrorCollector
from ...base.location import Location
from .diagram_error import DiagramError

NUMBER = re.compile(r"_\d+")
EVERYTHING = "*"
"""Among spoilt names: all of them, because the section that declares them cannot be read."""
WIRES = "->"
"""Among spoilt names: some wires are not known, so that an open input is no news."""


def several_errors(errors: Sequence[DiagramError], kind: type[DiagramError] = DiagramError) -> DiagramError:
    """Return one error for several mistakes in a diagram, in the order of the file.

    Its `path`, `port`, `file`, `line` and `column` come from the first mistake.
    """
    first = errors[0]
    error = kind(path=first.path, port=first.port).gathering(errors)
    error.location = first.location
    error.file, error.line, error.column = first.file, first.line, first.column
    return error


class Errors(ErrorCollector[DiagramError]):
    """The errors met while a diagram is read or compiled.

    Names that an error has made unknown are spoilt: blocks, and parameters as `=name`. Parts that depend on
    them are skipped silently, so that one mistake is one error. `unsure` are paths of blocks whose
    inputs are not all known, `doubtful` the places of keys whose values may not be meant.
    """

    __slots__ = ("_silent", "_spoilt", "doubtful", "unsure")

    def __init__(self, kind: type[DiagramError] = DiagramError) -> None:
        super().__init__(DiagramError, lambda errors: several_errors(errors, kind))
        self.unsure: set[str] = set()
        self.doubtful: set[Location] = set()
        self._silent: set[Location] = set()
        self._spoilt: dict[object, set[str]] = {}

    def take(self, error: DiagramError) -> None:
        """Collect an error once, but not errors of values that are not YAML."""
        known = self._told_of_value(error) or self._told_of_copy(error)
        if error.location not in self._silent and not known:
            super().take(error)

    def _told_of_copy(self, error: DiagramError) -> bool:
        """True if another copy in one ForEach has the same error at the same place."""
        if "each_" not in error.path or error.location is None:
            return False
        text = NUMBER.sub("", str(error))
        alike = (other for other in self.gathered if other.location == error.location)
        return any(type(other) is type(error) and NUMBER.sub("", str(other)) == text for other in alike)

    def _told_of_value(self, error: DiagramError) -> bool:
        """True if an error is about the same value as another one: several blocks may share an option."""
        at = error.location
        shared = error.of_value and at is not None and at.column is not None
        return shared and any(other.of_value and other.location == at for other in self.gathered)

    def take_of_text(self, error: DiagramError, first: Location | None = None) -> None:
        """Keep an error of YAML; further errors at its place follow from it.

        A key there, and the `first` one of its name, have values that may not be meant.
        """
        self.take(error)
        if error.location is not None:
            self._silent.add(error.location)
            self.doubtful |= {error.location, first or error.location}

    def spoil(self, owner: object, *names: str) -> None:
        """Record names of a diagram that an error has reported."""
        self._spoilt.setdefault(owner, set()).update(names)

    def spoilt(self, owner: object) -> set[str] | frozenset[str]:
        """The names of a diagram that are spoilt."""
        return self._spoilt.get(owner, frozenset()) if self._spoilt else frozenset()
