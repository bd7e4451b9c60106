"""Fixes are changes of a diagram's text that mend an error, each verified by reading the changed text."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from difflib import unified_diff
from pathlib import Path

from ...base.errors import BlockdynError, FileError
from ...base.files import replacing
from ..model.errors import DiagramError
from .errors import FileChanged, YamlSyntaxError
from .finding import GALLERY
from .proposals import FAMILIES, UNCOVERING, UNORDERED, Change, State
from .source import TEXT, Source, read_text

MOST = 300  # changed texts that are read: a large file is read in about 0.1 s


@dataclass(frozen=True)
class Fix:
    """One change that mends one error."""

    error: DiagramError
    change: str

    def __str__(self) -> str:
        place = f"line {self.error.line}: " if self.error.line else ""
        return place + self.change


class FixedText:
    """A diagram's text, its fixes, and the text with them; `errors` are the errors that no fix mends."""

    def __init__(
        self,
        original: str,
        text: str,
        fixes: Sequence[Fix],
        errors: Sequence[BlockdynError],
        path: Path | None,
    ) -> None:
        self.original, self.text, self.path = original, text, path
        self.fixes, self.errors = tuple(fixes), tuple(errors)

    @property
    def diff(self) -> str:
        """The changes as a unified diff."""
        name = TEXT if self.path is None else str(self.path)
        old, new = self.original.splitlines(keepends=True), self.text.splitlines(keepends=True)
        return "".join(
            line if line[-1:] == "\n" else line + "\n" for line in unified_diff(old, new, name, name)
        )

    def save(self) -> None:
        """Write the text to its file, completely or not at all.

        Raises FileError; FileChanged if the file was written since it was read.
        """
        if self.path is None or self.path.parent == GALLERY:
            raise FileError(
                "write", self.path or TEXT, "it is not a file of yours", "copy it to a file first"
            )
        if read_text(self.path, str(self.path)) != self.original:
            raise FileChanged(str(self.path))
        mark = b"\xef\xbb\xbf" if self.path.read_bytes().startswith(b"\xef\xbb\xbf") else b""
        with replacing(self.path) as stream:
            stream.write(mark + self.text.encode("utf-8"))


def fix_text(text: str, source: Callable[[], Source], path: Path | None) -> FixedText:
    """A text with the fixes of its mistakes; `source` makes its reader, `path` is its file."""
    original, fixes, reader = text, list[Fix](), _Reader(source)
    state = State(text, source)
    while state.errors and (better := _next_fix(state, reader)) is not None:
        fixes.append(better[0])
        state = better[1]
    return FixedText(original, state.text, fixes, state.errors, path)


def proposals(text: str, source: Callable[[], Source]) -> list[tuple[Fix, str]]:
    """A fix for each error that one change mends, with the text after that change alone."""
    state, reader = State(text, source), _Reader(source)
    fixes = []
    for error in state.errors:
        if reader.left and (better := _next_fix(state, reader, [error])) is not None:
            fixes.append((better[0], better[1].text))
    return fixes


class _Reader:
    """Reads changed texts, at most MOST of them."""

    def __init__(self, source: Callable[[], Source]) -> None:
        self.source, self.left = source, MOST
        self.failed: set[str] = set()  # texts that did not mend an error without making another

    def read(self, changes: Iterator[Change], *, again: bool = False) -> Iterator[tuple[str, State]]:
        """The changes with their texts read, up to the limit; texts that failed before only if `again`."""
        with suppress(BlockdynError, IndexError):
            for change, text in changes:
                if self.left > 0 and (again or text not in self.failed):
                    self.left -= 1
                    self.failed.add(text)
                    yield change, State(text, self.source)


def _next_fix(
    state: State, reader: _Reader, errors: Sequence[DiagramError] | None = None
) -> tuple[Fix, State] | None:
    """The first change that mends one of the errors and makes none, with the state after it.

    If there is none, the one after which the fewest errors appear that the mended error hid.
    """
    errors = state.errors if errors is None else errors
    for family in FAMILIES:
        for error in errors:
            successes: list[tuple[Fix, State]] = []
            for change, after in reader.read(family(state, error)):
                if not after.messages - state.messages and state.messages - after.messages:
                    successes.append((Fix(error, change), after))
                    if family not in UNORDERED:
                        break
            if len(successes) == 1 and (reader.left or family not in UNORDERED):
                return successes[0]
    for error in errors:
        uncovering = [
            (Fix(error, change), after)
            for family in UNCOVERING
            for change, after in reader.read(family(state, error), again=True)
            if _uncovers(state, after, error)
        ]
        if uncovering:
            return min(uncovering, key=lambda pair: len(pair[1].failures))
    return None


def _uncovers(before: State, after: State, error: DiagramError) -> bool:
    """True if an error vanishes, and the new errors are ones that it hid: further on in the text.

    An error of syntax hides all others.
    """
    if after.text == before.text or after.message(error) in after.messages:
        return False
    start, syntax = (error.line or 0, error.column or 0), isinstance(error, YamlSyntaxError)
    for other in after.errors:
        further = (other.line or 0, other.column or 0) > start
        allowed = syntax and further if isinstance(other, YamlSyntaxError) else syntax or further
        if after.message(other) not in before.messages and not allowed:
            return False
    return True
