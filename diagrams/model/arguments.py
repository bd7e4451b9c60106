"""Check names and types of arguments to a diagram's methods."""

from __future__ import annotations

import os
import unicodedata
from collections.abc import Mapping
from keyword import iskeyword
from os import PathLike
from typing import TYPE_CHECKING, Any

from ...base.location import Location, caller
from ...base.words import article, short
from ...blocks.contract.formula import CONSTANTS
from .diagram_error import bad_argument
from .errors import BadName

if TYPE_CHECKING:
    from .diagram import Diagram

ANOTHER = "another name, one that means nothing else in expressions"


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


def checked_name(name: object, what: str, location: Location | None = None) -> str:
    """The name, if it consists of letters, digits and _ and does not begin with a digit.

    Raises BadName.
    """
    if not isinstance(name, str) or not name.isidentifier():
        raise BadName(name, what, location=location)
    return name


def described(value: object) -> str:
    """A value in place of a name or a block, described in a sentence."""
    if isinstance(value, type):
        return f"the class {value.__name__}"
    named = getattr(value, "end", getattr(value, "name", None))  # a port, or a block in a diagram
    if named is not None and not callable(named):
        return f"`{named}`"
    plain = value is None or isinstance(value, (str, int, float, list, tuple))
    return short(value) if plain else article(type(value).__name__)


def parameter_name(name: object, location: Location | None = None) -> str:
    """The name as expressions read it: compatibility forms (such as the micro sign) become letters.

    Raises BadName, also for names that mean something else in expressions.
    """
    if isinstance(name, str) and "." in name:
        expected = (
            f"letters, digits and _; a number of a block is given by set={{{name!r}: ...}}, --set {name}=..."
        )
        raise BadName(name, "parameter", expected, location=location)
    plain = unicodedata.normalize("NFKC", checked_name(name, "parameter", location))
    if plain in CONSTANTS:
        what = f"parameter: in expressions it is the number {CONSTANTS[plain]:g}"
        raise BadName(name, what, ANOTHER, location=location)
    if iskeyword(plain):
        raise BadName(name, "parameter: expressions cannot use this word", ANOTHER, location=location)
    return plain
