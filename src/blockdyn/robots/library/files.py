"""A robot's YAML text becomes plain values with positions, with all errors collected; nothing is executed."""

from __future__ import annotations

import re
from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ...base.error_collector import ErrorCollector, gather_without
from ...base.yaml.limits import read_text
from ...base.yaml.positions import Node, place
from ...base.yaml.reader import read_document as read_gathering
from ...base.yaml.words import DocumentError, Form
from ..errors import RobotFileError, several_robot_errors

FORM = Form("robot", "robot: NAME", "rows that are equal are one row with `repeat: NUMBER`")


@dataclass(frozen=True)
class Document:
    """The values of a file with their positions."""

    file: str
    root: Node
    values: Any

    def wrong(self, problem: str, expected: str, *path: Any) -> RobotFileError:
        """An error at the innermost existing part of a path; in a row, at the key that it names."""
        path = (*path, *self._named(problem, path))
        at = place(self.root, path, key=True)
        error = RobotFileError(self.file, at.line, problem, expected, column=at.column)
        error.path = path
        return error

    def key(self, name: str, path: tuple[Any, ...]) -> tuple[str, ...]:
        """The name, if the row at a path has such a key."""
        return (name,) if name in self._row(path) else ()

    def _row(self, path: tuple[Any, ...]) -> dict[str, Any]:
        is_row = len(path) == 2 and isinstance(path[1], int)
        row = self.values[path[0]][path[1]] if is_row else None
        return row if isinstance(row, dict) else {}

    def _named(self, problem: str, path: tuple[Any, ...]) -> tuple[str, ...]:
        """The key in the row at a path that a problem mentions, if any."""
        said = problem.partition(": ")[2] or problem
        for key in sorted(map(str, self._row(path)), key=len, reverse=True):
            word = re.escape(key)
            if re.search(rf"`{word}`|^{word} (is|and)" + (rf"|\b{word}\b" if len(key) > 2 else ""), said):
                return (key,)
        return ()


def load_document(path: Path, form: Form = FORM) -> Document:
    """The document of a file. Raises RobotFileError."""
    try:
        text = read_text(path, str(path), form)
    except DocumentError as error:
        raise _ours(error) from error.__cause__
    return parse(text, str(path), form)


def parse(text: str, file: str, form: Form = FORM) -> Document:
    """The document of a text. Raises RobotFileError."""
    errors = ErrorCollector(RobotFileError, several_robot_errors)
    root = read_gathering(text, file, form, lambda error: errors.take(_ours(error))).root
    errors.finish()
    assert root is not None
    return Document(file, root, root.plain())


def _ours(error: DocumentError) -> RobotFileError:
    at = error.location
    expected = "\n".join(line for line in (error.expected, error.remedy) if line)
    return RobotFileError(at.file or "", at.line, error.actual, expected, column=at.column)


ALONE = ("dh", "mdh", "tree", "links", "poses", "gravity", "base", "tool")
"""Sections on which no other part of a file depends, so that reading continues without their errors."""
NAMING = ("name", "parent", "kind", "joint", "theta", "d")
"""Keys by which other rows refer to a row, and keys that define the motion of its joint."""


def report_all(document: Document, read: Callable[[Document], object]) -> None:
    """Raise all errors of a document; `read` raises one at a time."""
    left = replace(document, values=deepcopy(document.values))
    errors = ErrorCollector(RobotFileError, several_robot_errors)
    gather_without(errors, lambda: read(left), lambda error: _leave_out(left.values, error))
    errors.finish()


def _leave_out(values: Any, error: RobotFileError) -> bool:
    """Remove the cause of an error, its row if it is not at a key; False if other values depend on it."""
    path = error.path
    unknown = len(path) == 1 and "unknown key" in error.problem and "did you mean" not in error.problem
    if not path or not (path[0] in ALONE or unknown):
        return False
    holder, last = _innermost(values, path)
    if isinstance(holder, list):
        row = holder[last]
        holder[last] = {key: row[key] for key in NAMING if key in row} if isinstance(row, dict) else {}
        return bool(holder[last] != row)
    del holder[last]
    return True


def _innermost(values: Any, path: tuple[Any, ...]) -> tuple[Any, Any]:
    """The mapping or list that holds the last step of a path that exists, and that step."""
    holder, last = values, path[0]
    for step in path[1:]:
        inner = holder[last]
        exists = (isinstance(inner, dict) and step in inner) or (
            isinstance(inner, list) and isinstance(step, int) and step < len(inner)
        )
        if not exists:
            break
        holder, last = inner, step
    return holder, last
