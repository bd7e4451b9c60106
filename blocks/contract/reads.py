"""Reads: which of its parameters a method of a block looks at, found by calling it."""

from __future__ import annotations

from functools import cached_property
from inspect import getattr_static
from types import FunctionType, MethodType
from typing import Any

from .block import Block


def reads(block: Block, name: str) -> set[str]:
    """The parameters that a method, or a property, of a block looks at.

    What it comes to depends on these alone: with other values for the rest it takes the same way. Where that
    cannot be told (it fails, or looks at all of them together) they are all named.
    """
    names: set[str] = set()
    watched = _Watched(block, names)
    try:
        value = getattr(watched, name)
        if isinstance(value, MethodType):
            value()
    except Exception:  # noqa: BLE001 - the code of any block, which may need its own class
        return {*block.rules()}
    return names.intersection(block.rules())


class _Watched:
    """Stands in for a block, and notes what is looked at."""

    __slots__ = ("block", "names")

    def __init__(self, block: Block, names: set[str]) -> None:
        self.block, self.names = block, names

    def __getattribute__(self, name: str) -> Any:
        block = object.__getattribute__(self, "block")
        names: set[str] = object.__getattribute__(self, "names")
        if name == "__class__":
            return type(block)
        names.add(name)
        declared = getattr_static(type(block), name, None)
        if isinstance(declared, FunctionType):
            return MethodType(declared, self)
        if isinstance(declared, property) and declared.fget is not None:
            return declared.fget(self)
        if isinstance(declared, cached_property):
            return declared.func(self)
        if name == "__dict__" or (
            hasattr(type(declared), "__get__") and not isinstance(declared, (staticmethod, classmethod))
        ):
            names.update(block.rules())
        return getattr(block, name)
