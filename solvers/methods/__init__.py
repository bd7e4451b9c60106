"""The methods by name: each is one value, most of them a tableau in a file of its own."""

from __future__ import annotations

from functools import cache

from ...base.errors import BlockdynError
from ...base.hints import equivalent
from ...base.plugins import load_plugins
from ...base.words import nearest
from .ab4 import AB4
from .auto import AUTO
from .bdf import BDF
from .bs32 import BS32
from .data import InvalidMethod
from .dop853 import DOP853
from .dopri5 import DOPRI5, TABLEAU
from .euler import EULER
from .heun import HEUN
from .method import Method
from .radau5 import RADAU5
from .rk4 import RK4
from .rodas5p import RODAS5P
from .tsit5 import TSIT5

METHODS: dict[str, Method] = {
    method.name: method
    for method in (
        EULER,
        HEUN,
        RK4,
        AB4,
        BS32,
        DOPRI5,
        TSIT5,
        DOP853,
        RODAS5P,
        RADAU5,
        BDF,
        AUTO,
    )
}
DEFAULT = "auto"
WRITTEN_OUT = (
    TABLEAU  # of the default method where nothing is stiff, whose numbers are written into the compiled loop
)
GROUP = "blockdyn.methods"  # of entry points: each names a Method of an installed package


class UnknownMethod(BlockdynError, ValueError):
    """A name that no method answers to."""

    def __init__(self, name: str) -> None:
        self.name = name
        hint = equivalent(name.casefold(), names(), "methods") or nearest(name, names())
        self.expected = f"one of {', '.join(names())}{hint}"
        super().__init__(f"there is no method {name!r}\nexpected: {self.expected}")


def method(name: str = DEFAULT) -> Method:
    """Return the method of a name or an alias, in upper or lower case. Raises UnknownMethod."""
    word = name.casefold()
    chosen = _by_word().get(word) or _offered_methods().get(word)
    if chosen is None:
        raise UnknownMethod(name)
    return chosen


def methods() -> tuple[Method, ...]:
    """All methods: the library's, then the methods of installed packages."""
    return (*METHODS.values(), *_offered_methods().values())


def names() -> list[str]:
    """Every name that `method` answers to."""
    return [word for each in methods() for word in (each.name, *each.aliases)]


@cache
def _by_word() -> dict[str, Method]:
    return {word.casefold(): method for method in METHODS.values() for word in (method.name, *method.aliases)}


@cache
def _offered_methods() -> dict[str, Method]:
    """The methods of installed packages; the library's names stay the library's."""
    return {each.name.casefold(): each for _, each in load_plugins(GROUP, "a method", _method)}


def _method(loaded: object) -> Method:
    if not isinstance(loaded, Method):
        raise InvalidMethod(f"it names {loaded!r:.80}\nexpected: a Method")
    return loaded
