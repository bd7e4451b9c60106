"""Things: tuples, dicts and arrays that say how their parts are found, where one asks otherwise."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Never, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from .guided import UnknownAttribute, UnknownName, WrongCall
from .nearest import nearest
from .short import short

Value = TypeVar("Value")


class Several(tuple[Value, ...]):
    """Things in order; `how` says how one of them, or all of them, are found by what they are."""

    how: str

    def __new__(cls, things: Iterable[Value], how: str) -> Self:
        """`how` is the end of a sentence: "here it is ..."."""
        made = super().__new__(cls, things)
        made.how = how
        return made

    def __getnewargs__(self) -> tuple[Any, ...]:
        return tuple(self), self.how

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, str):
            raise WrongCall(f"a tuple of {len(self)} has no [{short(key)}]\nhere it is {self.how}")
        return super().__getitem__(key)

    def __getattr__(self, name: str) -> Never:
        if name.startswith("_") or name == "how":
            raise AttributeError(f"a tuple has no attribute {name!r}")
        raise UnknownAttribute(f"a tuple of {len(self)} has no attribute {name!r}\nhere it is {self.how}")

    def __call__(self) -> Never:
        raise WrongCall(f"this is no function, but a tuple of {len(self)}\nhere it is {self.how}")


class Named(dict[str, Value]):
    """Things by name; an unknown name, and one taken for an attribute, lead to those there are."""

    def __missing__(self, name: object) -> Never:
        close = nearest(str(name), self, likeness=0.7)
        raise UnknownName(f"there is no {short(name)} here{close}\nexpected: one of {short(list(self))}")

    def __getattr__(self, name: str) -> Never:
        if name.startswith("_"):
            raise AttributeError(f"a dict has no attribute {name!r}")
        if name in self:
            raise UnknownAttribute(f"a dict has no attribute {name!r}\nhere it is [{name!r}]")
        raise UnknownAttribute(f"a dict has no attribute {name!r}\nits keys are {short(list(self))}")

    def __call__(self) -> Never:
        raise WrongCall(f"this is no function, but a dict of {len(self)}: {short(dict(self))}")


class Numbers(np.ndarray[Any, np.dtype[np.float64]]):
    """An array, which says so where it is called, or asked for what a table has."""

    def __call__(self) -> Never:
        raise WrongCall("this is no function, but an array\nexpected: its name without ()")

    def __getattr__(self, name: str) -> Never:
        if name in ("values", "to_numpy", "data_array", "iloc", "loc"):
            raise UnknownAttribute(f"an array has no attribute {name!r}\nit has the numbers itself: [0]")
        raise AttributeError(f"an array of NumPy has no attribute {name!r}")

    def __array_wrap__(self, array: Any, context: Any = None, return_scalar: bool = False) -> Any:
        return array[()] if return_scalar else np.asarray(array)  # what is computed is plain again

    def __repr__(self) -> str:
        return repr(np.asarray(self))

    def __reduce__(self) -> Any:
        return np.asarray(self).__reduce__()


def numbers(array: NDArray[np.float64]) -> Numbers:
    """The array, seen as Numbers."""
    return array.view(Numbers)
