"""Guided: classes that lead from a guess to a name: what they lack, and how their methods are called."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from typing import Any, Never, TypeAlias, TypeVar

from .article import article
from .errors import BlockdynError
from .method import Method
from .nearest import nearest
from .short import short

OPERATORS = tuple(
    f"{side}{name}"
    for name in ("add", "sub", "mul", "truediv", "matmul", "pow", "rshift", "and", "or")
    for side in ("", "r")
)
SHOWN = 16  # names that are told where none is near

Class = TypeVar("Class", bound=type)
Function = TypeVar("Function", bound=Callable[..., Any])
Value = TypeVar("Value")
Table: TypeAlias = Mapping[str, str]
"""What is elsewhere, by names with spaces between them.

`name()` is a method that is called wrongly; "[]" is what is indexed, iterated or counted in vain, "*" what
is computed with, and "()" what is called.
"""
Answer: TypeAlias = Callable[[Any, str], str]
"""What to add about a name that an instance lacks, or an empty string."""


class UnknownAttribute(BlockdynError, AttributeError):
    """A name that a thing does not have."""


class UnknownName(BlockdynError, KeyError):
    """A name that a mapping does not have."""

    def _text(self) -> str:
        return str(self.args[0])  # KeyError would quote it


class WrongCall(BlockdynError, TypeError):
    """A method that is called with other arguments than it takes."""


class Listed(Mapping[str, Value]):
    """Things by name, to be read; who writes here, or takes a name for an attribute, is told what to do."""

    __slots__ = ("_change", "_things")

    def __init__(self, things: Mapping[str, Value], change: str) -> None:
        """`change` is what changes them, for errors."""
        self._things, self._change = things, change

    def __getitem__(self, name: str) -> Value:
        try:
            return self._things[name]
        except (KeyError, TypeError):  # TypeError: of what cannot be a key
            close = nearest(str(name), self._things, likeness=0.7)
            inside = [own for own in self._things if own.startswith(f"{name}.")]
            here = (
                f"here it is {short(inside)}" if inside else f"expected: one of {short(list(self._things))}"
            )
            raise UnknownName(f"there is no {short(name)} here{'' if inside else close}\n{here}") from None

    def __contains__(self, name: object) -> bool:
        return name in self._things

    def get(self, name: str, default: Any = None) -> Any:
        """The thing, or the default: without an error on the way, whose text takes time."""
        return self._things.get(name, default)

    def __iter__(self) -> Iterator[str]:
        return iter(self._things)

    def __len__(self) -> int:
        return len(self._things)

    def __repr__(self) -> str:
        return repr(dict(self._things))

    def __setitem__(self, name: str, value: object) -> None:
        raise WrongCall(f"[{name!r}] = {short(value)} changes nothing here\nexpected: {self._change}")

    def __call__(self) -> Never:
        raise WrongCall(f"this is no function, but a mapping of {len(self)}: {short(list(self))}")

    def __getattr__(self, name: str) -> Never:
        text = f"a mapping has no attribute {name!r}"
        if name in self.__slots__ or name.startswith("_"):
            raise AttributeError(text)
        inside = [own for own in self._things if own == name or own.startswith(f"{name}.")]
        raise UnknownAttribute(
            f"{text}\nhere it is [{inside[0]!r}]" if inside else f"{text}\nit has {short(list(self))}"
        )


def guiding(hint: str = "") -> Callable[[Function], Function]:
    """A decorator of a function whose wrong calls say what it takes, and the hint."""
    return lambda function: _guiding(function, hint, bound=0)


def guided(
    table: Table | None = None, answer: Answer | None = None, *, methods: bool = True
) -> Callable[[Class], Class]:
    """A class decorator: unknown attributes and wrong calls of public methods say what there is instead.

    A class with a `__getattr__` of its own raises `unknown(...)` there. `methods` are left as they are where
    subclasses of others have theirs.
    """
    places = {name: place for names, place in (table or {}).items() for name in names.split()}

    def decorate(kind: Class) -> Class:
        for name, value in list(vars(kind).items()):
            made = getattr(getattr(value, "__code__", None), "co_filename", "") == "<string>"  # by dataclass
            if not methods or not inspect.isfunction(value) or made:
                continue
            hint = places.get(f"{name}()", "")
            if name == "__init__":
                kind.__init__ = _guiding(value, hint)  # type: ignore[misc]
            elif name[0] != "_":
                setattr(kind, name, Method(_guiding(value, hint), hint))
        if "__getattr__" not in vars(kind) and (places or answer is not None):

            def absent(self: Any, name: str) -> Any:
                computed = inspect.getattr_static(type(self), name, None)
                if isinstance(computed, (property, cached_property)):
                    return computed.__get__(self, type(self))  # it is there: the error was one inside of it
                raise unknown(self, name, places, answer)

            kind.__getattr__ = absent  # type: ignore[attr-defined]
        if "[]" in places:
            _not_indexed(kind, places["[]"])
        if "*" in places:
            for name in OPERATORS:
                setattr(kind, f"__{name}__", _no_arithmetic(places["*"]))
        if "()" in places:
            kind.__call__ = _not_called(places["()"])  # type: ignore[method-assign]
        if "__slots__" in vars(kind):  # Python's own error would say no more than that there is no such slot

            def place(self: Any, name: str, value: object) -> None:
                if not hasattr(type(self), name):  # a subclass has places of its own
                    raise unknown(self, name, places, answer)
                object.__setattr__(self, name, value)

            kind.__setattr__ = place  # type: ignore[method-assign,assignment]
        return kind

    return decorate


def unknown(owner: object, name: str, places: Table, answer: Answer | None = None) -> AttributeError:
    """The error for a name that a thing does not have: where it is found, or the nearest name that there is.

    Python and other libraries ask for names with an underscore: of these it says no more.
    """
    text = f"{article(type(owner).__name__)} has no attribute {name!r}"
    if name.startswith("_"):
        return AttributeError(text)
    place = places.get(name, "")
    more = f"\nhere it is {place}" if place else answer(owner, name) if answer is not None else ""
    if not more:
        names = _names(owner)
        more = nearest(name, names, likeness=0.7) or f"\nit has {', '.join(names[:SHOWN])}"
        more += " ..." if len(names) > SHOWN and more[0] == "\n" else ""
    return UnknownAttribute(text + more)


def _names(owner: object) -> list[str]:
    """The public names of a thing: first its own, in order of declaration."""
    kind = type(owner)
    fields = [*getattr(kind, "__dataclass_fields__", getattr(kind, "_fields", ()))]
    made = [*fields, *(name for base in kind.__mro__[:-1] for name in vars(base))]
    return [name for name in dict.fromkeys(made) if not name.startswith("_")]


def _not_indexed(kind: type, place: str) -> None:
    """Let a class lead on where it is indexed, iterated or counted; a tuple, where it is indexed by name."""
    within: Any = tuple.__getitem__ if issubclass(kind, tuple) else None

    def item(self: Any, key: object) -> Any:
        if within is not None and not isinstance(key, str):
            return within(self, key)
        raise WrongCall(f"{article(type(self).__name__)} has nothing at [{short(key)}]\nhere it is {place}")

    def count(self: Any) -> Never:
        raise WrongCall(f"{article(type(self).__name__)} has no length\nhere it is {place}")

    if issubclass(kind, tuple) or not hasattr(kind, "__getitem__"):
        setattr(kind, "__getitem__", item)  # noqa: B010  # no name that type checkers know of a type
    if not hasattr(kind, "__len__"):
        kind.__len__ = count  # type: ignore[attr-defined]  # `type` declares no such names
        kind.__bool__ = lambda self: True  # type: ignore[attr-defined]


def _not_called(place: str) -> Callable[..., Never]:
    def call(self: Any, *_: Any, **__: Any) -> Never:
        raise WrongCall(f"{article(type(self).__name__)} is no function\nhere it is {place}")

    return call


def _no_arithmetic(place: str) -> Callable[[Any, object], Never]:
    """An operator of what is not computed with."""

    def operate(self: Any, other: object) -> Never:
        problem = f"{article(type(self).__name__)} has no arithmetic"
        raise WrongCall(f"{problem}\nhere it is {place}")

    return operate


def _guiding(function: Any, hint: str, bound: int = 1) -> Any:
    """The method, whose wrong calls say what it takes; `bound` is 0 for a function, which has no `self`."""

    @functools.wraps(function)
    def call(*values: Any, **options: Any) -> Any:
        try:
            return function(*values, **options)
        except TypeError as error:
            wrong = _wrong(function, values, options, hint, bound)
            if wrong is None:  # of what it does inside
                raise
            raise wrong from error.with_traceback(None)

    return call


def _wrong(
    function: Any, values: tuple[Any, ...], options: Mapping[str, Any], hint: str, bound: int
) -> WrongCall | None:
    """What is wrong with a call; None where it fits."""
    signature = inspect.signature(function)
    try:
        signature.bind(*values, **options)
        return None
    except TypeError as error:
        problem = str(error)
    rest = list(signature.parameters.values())[bound:]
    named = [p.name for p in rest if p.kind is not p.VAR_POSITIONAL and p.kind is not p.VAR_KEYWORD]
    placed = [p for p in rest if p.kind is p.POSITIONAL_OR_KEYWORD]
    name = function.__name__
    label = name
    if bound:
        label = type(values[0]).__name__ if name == "__init__" else f"{type(values[0]).__name__}.{name}"
    values = values[bound:]
    more = any(p.kind is p.VAR_KEYWORD for p in rest)  # takes any name: the call lacks something else
    strange = None if more else next((option for option in options if option not in named), None)
    text = f"{label}: {problem}"
    if strange is not None:
        text = f"{label} has no argument `{strange}`{nearest(strange, named, likeness=0.7)}"
    elif len(values) > len(placed):
        given = ", ".join(short(value) for value in values)
        text = f"{label} takes {_count(len(placed))} without a name, and is given {len(values)}: {given}"
        if placed and "Sequence" in str(placed[0].annotation) and all(isinstance(v, str) for v in values):
            hint = f"{placed[0].name} are one list: {name}({list(values)!r})"
    else:
        needed = [p.name for p in placed[len(values) :] if p.default is p.empty]
        needed += [p.name for p in rest if p.kind is p.KEYWORD_ONLY and p.default is p.empty]
        missing = [one for one in needed if one not in options]
        text = f"{label} is given no {' and no '.join(f'`{one}`' for one in missing)}"
    shown = inspect.Signature([p.replace(annotation=p.empty) for p in rest])
    call = label if name == "__init__" else name
    return WrongCall(f"{text}\nexpected: {call}{shown}" + (f"\n{hint}" if hint else ""))


def _count(number: int) -> str:
    return "no value" if number == 0 else "1 value" if number == 1 else f"{number} values"
