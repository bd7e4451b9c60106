"""The equations of a block class: its static methods and their arguments."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from types import FunctionType
from typing import Any
from weakref import WeakKeyDictionary

from ...native.groups import arguments_with_groups
from .formula import Formula
from .internal_names import in_plan

ROLES = ("output", "derivative", "update", "crossing", "mode", "jump")

_declared: WeakKeyDictionary[type, Mapping[str, Callable[..., Any]]] = WeakKeyDictionary()


def declared_functions(kind: type) -> Mapping[str, Callable[..., Any]]:
    """The static methods of a block class that are equations, by role."""
    if kind not in _declared:
        _declared[kind] = _find_functions(kind)
    return _declared[kind]


def _find_functions(kind: type) -> Mapping[str, Callable[..., Any]]:
    functions: dict[str, Callable[..., Any]] = {}
    for name in dir(kind):
        role = name.split("_", 1)[0]
        if (name in ROLES or role == "output") and isinstance(
            inspect.getattr_static(kind, name), staticmethod
        ):
            functions[name] = getattr(kind, name)
    return functions


def arguments(function: Any) -> tuple[str, ...]:
    """The arguments of an equation, with fields in place of their groups."""
    return arguments_with_groups(function).names or _argument_names(function)


def role_arguments(function: Any) -> tuple[str, ...]:
    """The arguments of a function, or of several formulas together."""
    if isinstance(function, tuple):
        return tuple(dict.fromkeys(name for part in function for name in arguments(part)))
    return arguments(function)


def names_in_plan(function: Any) -> tuple[str, ...]:
    """The names, with words such as `mode` as internal names; names in formulas are unchanged."""
    names = role_arguments(function)
    formula = isinstance(function, (tuple, Formula))
    return names if formula else tuple(map(in_plan, names))


def argument_paths(function: Any) -> tuple[tuple[str, str], ...]:
    """The arguments of an equation, each after its path in the code: ("room.work", "work")."""
    paths = arguments_with_groups(function).paths
    return paths or tuple((name, name) for name in _argument_names(function))


def _argument_names(function: Any) -> tuple[str, ...]:
    names = getattr(function, "names", None)
    if names is not None:
        return tuple(names)
    if isinstance(function, FunctionType) and not vars(function):
        code = function.__code__  # read immediately: a cache would keep the function's closure alive
        if not code.co_flags & (inspect.CO_VARARGS | inspect.CO_VARKEYWORDS):
            return code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    return tuple(inspect.signature(function).parameters)
