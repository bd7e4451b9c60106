"""Readings: what Python functions read besides their arguments, noted so that a later change is seen.

Machine code holds these values. A fingerprint hashes them all; this compares what can be compared at once:
names and cells by the identity of their values, arrays and lists by their contents.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import Enum
from functools import cached_property
from types import BuiltinFunctionType, CellType, FunctionType, ModuleType
from typing import Any

import numpy as np

from .fingerprint import global_names

LIBRARIES = ("blockdyn", "numpy", "scipy", "math", "numba", "builtins", "cmath", "llvmlite", "typing")
"""Packages that nobody changes while they are used."""
LARGEST = 100_000  # bytes of an array: comparing more takes longer than planning a diagram anew
_UNCHANGING = (int, float, complex, str, bytes, type(None), Enum, np.generic, BuiltinFunctionType, np.ufunc)
_ABSENT = object()


class Readings:
    """The values that functions and classes read; `comparable` is False if one of them cannot be compared.

    Of `definitions` only the code and the defaults count, not the names and cells that they read.
    """

    def __init__(
        self,
        functions: Iterable[Any] = (),
        classes: Iterable[type] = (),
        definitions: Iterable[FunctionType] = (),
    ) -> None:
        self.comparable = True
        self._names: list[tuple[Mapping[str, Any], str, Any]] = []
        self._cells: list[tuple[CellType, Any]] = []
        self._functions: list[tuple[FunctionType, Any, Any, Any]] = []
        self._spaces: list[tuple[Mapping[str, Any], int]] = []
        self._items: list[tuple[Any, tuple[Any, ...]]] = []
        self._arrays: list[tuple[np.ndarray, Any, tuple[int, ...], bytes]] = []
        self._seen: dict[int, Any] = {}
        for function in functions:
            self._note(function)
        for kind in classes:
            self._note_class(kind)
        for function in definitions:
            self._note_definition(function)
        self._seen.clear()

    def unchanged(self) -> bool:
        """Whether all values are what they were."""
        return (
            self.comparable
            and all(space.get(name, _ABSENT) is value for space, name, value in self._names)
            and all(cell.cell_contents is value for cell, value in self._cells)
            and all(
                f.__code__ is code and f.__defaults__ is defaults and f.__kwdefaults__ is named
                for f, code, defaults, named in self._functions
            )
            and all(len(space) == count for space, count in self._spaces)
            and all(_is_same(holder, items) for holder, items in self._items)
            and all(
                array.dtype is dtype and array.shape == shape and array.tobytes() == contents
                for array, dtype, shape, contents in self._arrays
            )
        )

    def _note(self, value: Any) -> None:
        """Note what a value holds, or that it cannot be compared."""
        if isinstance(value, _UNCHANGING) or id(value) in self._seen:
            return
        self._seen[id(value)] = value  # kept alive: another value could get its address
        value = getattr(value, "py_func", value)
        if isinstance(value, FunctionType):
            self._note_function(value)
        elif isinstance(value, np.ndarray):
            self.comparable = self.comparable and value.nbytes <= LARGEST and value.dtype != object
            if self.comparable:
                self._arrays.append((value, value.dtype, value.shape, value.tobytes()))
        elif isinstance(value, (tuple, list, dict, set, frozenset)):
            items = _items(value)
            self._items.append((value, items))
            for item in items:
                self._note(item)
        elif isinstance(value, ModuleType):
            pass  # what functions read of it is noted with them
        elif isinstance(value, type):
            self._note_class(value)
        elif not of_library(getattr(value, "__module__", None)) or hasattr(value, "__dict__"):
            self.comparable = False

    def _note_function(self, function: FunctionType) -> None:
        for cell in function.__closure__ or ():
            try:
                self._cells.append((cell, cell.cell_contents))
            except ValueError:  # not filled yet
                self.comparable = False
                return
            self._note(cell.cell_contents)
        if of_library(function.__module__):
            return
        self._note_definition(function)
        self._note_names(function.__globals__, global_names(function.__code__))

    def _note_definition(self, function: FunctionType) -> None:
        self._functions.append((function, function.__code__, function.__defaults__, function.__kwdefaults__))
        self._note(function.__defaults__)
        self._note(function.__kwdefaults__)

    def _note_names(self, space: Mapping[str, Any], names: list[str]) -> None:
        """The values of names in a namespace, and in the modules that stand there."""
        for name in names:
            value = space.get(name, _ABSENT)
            self._names.append((space, name, value))
            if isinstance(value, ModuleType) and id(value) not in self._seen:
                self._seen[id(value)] = value
                if not of_library(value.__name__):
                    self._note_names(vars(value), names)
            elif value is not _ABSENT:
                self._note(value)

    def _note_class(self, kind: type) -> None:
        """All that a class of a user's and those it derives from define."""
        for base in kind.__mro__:
            if of_library(base.__module__) or (id(base) in self._seen and base is not kind):
                continue
            self._seen[id(base)] = base
            space = vars(base)
            self._spaces.append((space, len(space)))
            for name, value in space.items():
                self._names.append((space, name, value))
                inner = getattr(value, "__func__", getattr(value, "fget", value))
                inner = inner.func if isinstance(inner, cached_property) else inner
                if isinstance(inner, FunctionType) and (name == "__post_init__" or not name.startswith("__")):
                    self._note_function(inner)
                elif isinstance(inner, (list, dict, set, np.ndarray)) and not name.startswith("__"):
                    self._note(inner)


def _items(holder: Any) -> tuple[Any, ...]:
    return tuple(holder) if not isinstance(holder, dict) else (*holder.keys(), *holder.values())


def _is_same(holder: Any, items: tuple[Any, ...]) -> bool:
    now = _items(holder)
    return len(now) == len(items) and all(a is b for a, b in zip(now, items, strict=True))


def of_library(module: str | None) -> bool:
    """True if a module belongs to a package that nobody changes while it is used."""
    return (module or "").partition(".")[0] in LIBRARIES
