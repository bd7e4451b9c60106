"""Record the parameters that a method of a block reads while it is called.

A sweep uses this: a parameter that no such method reads may be written directly into a compiled program.
"""

from __future__ import annotations

from functools import cached_property
from inspect import getattr_static
from types import FunctionType, MethodType
from typing import Any

from .block import Block


def reads(block: Block, name: str, *arguments: Any) -> set[str]:
    """The parameters that a method, called with these arguments, or a property of a block reads.

    Its result depends on these alone, and not on the values of the others. If these parameters cannot be
    determined (the method fails, or reads all of them together), all are returned.
    """
    names: set[str] = set()
    watched = _Watched(block, names)
    try:
        value = getattr(watched, name)
        if isinstance(value, MethodType):
            value(*arguments)
    except Exception:  # noqa: BLE001 - the code of any block, which may need its own class
        return {*block.rules()}
    return names.intersection(block.rules())


class _Watched:
    """Stands in for a block, and records the names that are read.

    Methods, properties and cached properties of the class run with the stand-in as `self`, so that what
    they read is recorded too; a cached property would otherwise return its cached value and read nothing.
    """

    __slots__ = ("block", "names")

    def __init__(self, block: Block, names: set[str]) -> None:
        self.block, self.names = block, names

    def __getattribute__(self, name: str) -> Any:
        block = object.__getattribute__(self, "block")
        names: set[str] = object.__getattribute__(self, "names")
        if name == "__class__":  # for super() and isinstance
            return type(block)
        names.add(name)
        declared = getattr_static(type(block), name, None)
        if isinstance(declared, FunctionType):
            return MethodType(declared, self)
        if isinstance(declared, property) and declared.fget is not None:
            return declared.fget(self)
        if isinstance(declared, cached_property):
            return declared.func(self)
        # Reads all parameters (`__dict__`), or has its own access (another descriptor).
        if name == "__dict__" or (
            hasattr(type(declared), "__get__") and not isinstance(declared, (staticmethod, classmethod))
        ):
            names.update(block.rules())
        return getattr(block, name)
