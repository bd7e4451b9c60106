"""Names of blocks, signals and parameters: what paths and expressions can hold."""

from __future__ import annotations

import unicodedata
from keyword import iskeyword

from ...base.location import Location
from ...base.words import article, short
from ...blocks.contract.formula import CONSTANTS
from .errors import BadName

ANOTHER = "another name, one that means nothing else in expressions"


def checked_name(name: object, what: str, location: Location | None = None) -> str:
    """The name, when it consists of letters, digits and _ and does not begin with a digit.

    Raises BadName.
    """
    if not isinstance(name, str) or not name.isidentifier():
        raise BadName(name, what, location=location)
    return name


def described(value: object) -> str:
    """A value that stands where a name or a block belongs, in a sentence."""
    if isinstance(value, type):
        return f"the class {value.__name__}"
    named = getattr(value, "end", getattr(value, "name", None))  # a port, or a block in a diagram
    if named is not None and not callable(named):
        return f"`{named}`"
    plain = value is None or isinstance(value, (str, int, float, list, tuple))
    return short(value) if plain else article(type(value).__name__)


def parameter_name(name: object, location: Location | None = None) -> str:
    """The name as expressions read it: compatibility forms (as the micro sign) become letters.

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
