"""Check the kinds of arguments where they enter a diagram's methods."""

from __future__ import annotations

import os
from collections.abc import Mapping
from os import PathLike
from typing import TYPE_CHECKING, Any

from ...base.location import Location, caller
from .diagram_error import bad_argument
from .names import described

if TYPE_CHECKING:
    from .diagram import Diagram


def mapping(name: str, value: object, example: str, at: Location | None = None) -> dict[str, Any]:
    """A mapping whose keys are text; None is an empty one. Raises DiagramError."""
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise bad_argument(name, described(value), f"a mapping, such as {name}={example}", at or caller())
    for key in value:
        if not isinstance(key, str):
            raise bad_argument(
                f"a key of {name}", described(key), f"text, as in {name}={example}", at or caller()
            )
    return dict(value)


def text_of(name: str, value: object, example: str) -> str:
    """Text. Raises DiagramError."""
    if isinstance(value, str):
        return value
    raise bad_argument(name, described(value), f"text, such as {example}", caller())


def file_path(name: str, value: object) -> str | PathLike[str]:
    """A path of a file, as text or a Path. Raises DiagramError."""
    if isinstance(value, str) and value.strip() and "\0" not in value:
        return value
    if isinstance(value, PathLike) and isinstance(os.fspath(value), str):
        return value
    raise bad_argument(name, described(value), "the path of a file", caller())


def checked_diagram(value: object) -> Diagram:
    """A Diagram. Raises DiagramError."""
    from .diagram import Diagram

    if isinstance(value, Diagram):
        return value
    raise bad_argument("what is written", described(value), "a Diagram", caller())


def checked_trust(value: object) -> Any:
    """False, "files", "code" or True. Raises DiagramError."""
    if isinstance(value, bool) or (isinstance(value, str) and value in ("files", "code")):
        return value
    expected = (
        "one of False (data in the file's folder), 'files' (data anywhere), True or 'code' (Python too)"
    )
    raise bad_argument("trust", described(value), expected, caller())
