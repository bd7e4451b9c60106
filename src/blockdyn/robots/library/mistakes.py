"""Mistakes: all that is wrong with a robot's file, told together."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from dataclasses import replace
from typing import Any

from ...base.gathered import Gathered, gather_without
from ..errors import RobotFileError, SeveralRobotErrors
from .files import Document

ALONE = ("dh", "mdh", "tree", "links", "poses", "gravity", "base", "tool")
"""Sections of which nothing else in a file depends, so that it can be read on without what is wrong there."""
NAMING = ("name", "parent", "kind", "joint", "theta", "d")
"""What other rows know a row by, and what says how its joint moves."""


def tell_all(document: Document, read: Callable[[Document], object]) -> None:
    """Raise what is wrong with a document, of which `read` raises one thing after the other."""
    left = replace(document, values=deepcopy(document.values))
    errors = Gathered(RobotFileError, SeveralRobotErrors)
    gather_without(errors, lambda: read(left), lambda error: _leave_out(left.values, error))
    errors.finish()


def _leave_out(values: Any, error: RobotFileError) -> bool:
    """Take away what an error is about, its row where no key is; False where other things depend on it."""
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
