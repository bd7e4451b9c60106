"""Method: a method that says so where it is indexed, iterated or computed with before it is called."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any, Never

from .errors import BlockdynError
from .short import short

UNCALLED = {
    **{f"__{name}__": f"`{sign}` with" for name, sign in (
        ("add", "+"), ("radd", "+"), ("sub", "-"), ("rsub", "-"), ("mul", "*"), ("rmul", "*"),
        ("truediv", "/"), ("rtruediv", "/"), ("pow", "**"), ("rpow", "**"), ("matmul", "@"), ("neg", "-"),
        ("lt", "<"), ("le", "<="), ("gt", ">"), ("ge", ">="),
    )},
    "__iter__": "iteration over", "__contains__": "`in` of",
    "__len__": "len() of", "__float__": "float() of", "__abs__": "abs() of",
    "__array__": "an array of",
}  # fmt: skip
"""What Python is asked by that a method does not do: by its name, and in words."""


class UncalledMethod(BlockdynError, TypeError):
    """A method that stands where what it returns was meant."""


class UnknownOfMethod(UncalledMethod, AttributeError):
    """A name that is asked of a method, and belongs to what it returns."""


class Method:
    """In a class: what an instance gives is Bound, what the class gives the function."""

    __slots__ = ("function", "hint")

    def __init__(self, function: Callable[..., Any], hint: str) -> None:
        """`hint` is an example of a call, or empty."""
        self.function, self.hint = function, hint

    def __get__(self, owner: Any, kind: type | None = None) -> Any:
        if owner is None:
            return self.function
        bound = Bound(self.function, owner)
        bound.__dict__["_hint"] = self.hint
        return bound


class Bound(functools.partial[Any]):
    """A method of an instance, as Python has it, but for what is asked of it in vain."""

    __array_ufunc__ = None  # an array leaves it to this class what `array * method` is

    def __getattr__(self, name: str) -> Any:
        if name in ("__name__", "__qualname__", "__annotations__", "__code__", "__defaults__"):
            return getattr(self.func, name)
        if name == "__func__":
            return self.func
        if name == "__self__":
            return self.args[0]
        if name == "__signature__":
            own = inspect.signature(self.func)
            return own.replace(parameters=list(own.parameters.values())[1:])
        if name.startswith("_"):
            raise AttributeError(f"a method has no attribute {name!r}")
        raise UnknownOfMethod(self._message(f".{name} of"))

    def __setattr__(self, name: str, value: object) -> None:
        raise UncalledMethod(self._message(f".{name} = {short(value)} of"))

    def __setitem__(self, key: object, value: object) -> None:
        raise UncalledMethod(self._message(f"[{short(key)}] = {short(value)} of"))

    def __getitem__(self, key: object) -> Never:
        raise UncalledMethod(self._message(f"[{short(key)}] of"))

    def __get__(self, owner: Any, kind: type | None = None) -> Bound:
        return self  # with it `inspect` and `help` take this for a routine, as it does methods

    def __bool__(self) -> bool:
        return True

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Bound) and self.func == other.func and self.args[0] is other.args[0]

    def __hash__(self) -> int:
        return hash((self.func, id(self.args[0])))

    def __repr__(self) -> str:
        return f"<method {self.func.__qualname__}: call it, {self._call()}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return getattr, (self.args[0], self.func.__name__)

    def _call(self) -> str:
        """How it is called with what it needs."""
        needed = [p for p in inspect.signature(self).parameters.values() if p.default is p.empty]
        shown = [p.name for p in needed if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
        return f"{self.func.__name__}({', '.join(shown)})"

    def _message(self, asked: str) -> str:
        name = f"{type(self.args[0]).__name__}.{self.func.__name__}"
        hint = self.__dict__.get("_hint")
        return f"{asked} the method {name}, which is not called\nexpected: {self._call()}" + (
            f"\n{hint}" if hint else ""
        )


def _refused(words: str) -> Callable[..., Never]:
    def refuse(self: Bound, *_: Any, **__: Any) -> Never:
        raise UncalledMethod(self._message(words))

    return refuse


for _name, _words in UNCALLED.items():
    setattr(Bound, _name, _refused(_words))
Bound.__doc__ = property(lambda self: self.func.__doc__)  # type: ignore[assignment]  # of what is bound
