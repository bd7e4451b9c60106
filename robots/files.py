"""Files: a robot's YAML text as plain values, with the place of everything; nothing is executed."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..base.yaml.errors import DocumentError
from ..base.yaml.form import Form
from ..base.yaml.limits import read_text
from ..base.yaml.positions import Node, place
from ..base.yaml.reader import parse as document
from .errors import RobotFileError

FORM = Form("robot", "robot: NAME", "rows that are equal are one row with `repeat: NUMBER`")


@dataclass(frozen=True)
class Document:
    """The values of a file, and where each of them stands."""

    file: str
    root: Node
    values: Any

    def wrong(self, problem: str, expected: str, *path: Any) -> RobotFileError:
        """An error at the innermost part of a path that the file holds."""
        at = place(self.root, path, key=True)
        return RobotFileError(self.file, at.line, problem, expected, column=at.column)


def read(path: Path) -> Document:
    """The document of a file. Raises RobotFileError."""
    try:
        return _document(read_text(path, str(path), FORM), str(path))
    except DocumentError as error:
        raise _ours(error) from error.__cause__


def parse(text: str, file: str) -> Document:
    """The document of a text. Raises RobotFileError."""
    try:
        return _document(text, file)
    except DocumentError as error:
        raise _ours(error) from None


def _document(text: str, file: str) -> Document:
    root = document(text, file, FORM)
    return Document(file, root, root.plain())


def _ours(error: DocumentError) -> RobotFileError:
    at = error.location
    expected = "\n".join(line for line in (error.expected, error.remedy) if line)
    return RobotFileError(at.file or "", at.line, error.found, expected, column=at.column)
