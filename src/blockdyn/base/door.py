"""A door is a method whose body is in another module, imported at the first use of its name."""

from __future__ import annotations

import inspect
from importlib import import_module
from typing import Any

from .hints import hint_keywords


def body(place: str) -> Any:
    """The function or class at a place in blockdyn, such as `analysis.linearize:linearize`."""
    module, name = place.split(":")
    return getattr(import_module(f"blockdyn.{module}"), name)


class door:  # noqa: N801  # used as `property` is
    """A method of a class by the place of its body: `linearize = door("analysis.linearize:linearize")`.

    The first use of the name imports the body and puts it in the class in place of the door. From then on it
    is a plain method, with signature and docstring. Type checkers read `doors.pyi` instead.
    """

    def __init__(self, place: str) -> None:
        self.place = place

    def __set_name__(self, owner: type, name: str) -> None:
        self.owner, self.name = owner, name

    def __get__(self, instance: object, owner: type | None = None) -> Any:
        method = body(self.place)
        if inspect.isfunction(method):
            method = hint_keywords(method, bound=1)
            method.__name__, method.__qualname__ = self.name, f"{self.owner.__qualname__}.{self.name}"
        setattr(self.owner, self.name, method)
        return method.__get__(instance, owner)
