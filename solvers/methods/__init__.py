"""The methods by name: each is a tableau in a file of its own."""

from difflib import get_close_matches

from ...base.errors import BlockdynError
from .ab4 import AB4
from .bs32 import BS32
from .dop853 import DOP853
from .dopri5 import DOPRI5
from .euler import EULER
from .heun import HEUN
from .rk4 import RK4
from .tableau import Tableau
from .tsit5 import TSIT5

METHODS: dict[str, Tableau] = {
    tableau.name: tableau for tableau in (EULER, HEUN, RK4, AB4, BS32, DOPRI5, TSIT5, DOP853)
}
ALIASES: dict[str, str] = {"rk45": "dopri5", "rk23": "bs32"}  # the same methods under SciPy's names
DEFAULT = "dopri5"


class UnknownMethod(BlockdynError, ValueError):
    """A method name that no tableau answers to."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.nearest = get_close_matches(name.casefold(), [*METHODS, *ALIASES], n=3)
        hint = f"did you mean {' or '.join(self.nearest)}?" if self.nearest else "choose one of these"
        super().__init__(f"unknown method {name!r}: {hint}\nmethods: {', '.join(METHODS)}")


def method(name: str = DEFAULT) -> Tableau:
    """Return the tableau of a method.

    Args:
        name: a key of `METHODS` or of `ALIASES`, in upper or lower case.

    Raises:
        UnknownMethod: no method has that name; the message lists the nearest ones and all.
    """
    key = name.casefold()
    key = ALIASES.get(key, key)
    if key not in METHODS:
        raise UnknownMethod(name)
    return METHODS[key]


__all__ = [
    "AB4",
    "ALIASES",
    "BS32",
    "DEFAULT",
    "DOP853",
    "DOPRI5",
    "EULER",
    "HEUN",
    "METHODS",
    "RK4",
    "TSIT5",
    "UnknownMethod",
    "method",
]
