"""A kernel's Python source runs on other numbers: symbols, or names on a tape."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import FunctionType
from typing import Any

PACKAGE = __name__.partition(".")[0]


def substitute(function: Callable[..., Any], names: Mapping[str, Any]) -> Callable[..., Any]:
    """The same function, in which these names mean other objects, also in the functions that it calls.

    `names` holds what the numbers cannot do themselves, such as `sin`, `sqrt`, `float`. Only functions of this
    package are rewritten. The original stays as it is.
    """
    return _substitute(function, names, {})


def _substitute(function: Any, names: Mapping[str, Any], finished: dict[Any, FunctionType]) -> FunctionType:
    if function in finished:
        return finished[function]
    scope = {"__builtins__": __builtins__, **function.__globals__, **names}
    copy = FunctionType(
        function.__code__, scope, function.__name__, function.__defaults__, function.__closure__
    )
    copy.__kwdefaults__ = function.__kwdefaults__
    finished[function] = copy
    for name in function.__code__.co_names:
        value = scope.get(name)
        if name not in names and isinstance(value, FunctionType) and value.__module__.startswith(PACKAGE):
            scope[name] = _substitute(value, names, finished)
    return copy
