"""Hints for unknown names: the equivalent of another simulator's word, or the nearest name.

The words are in one table, the file `foreign_names.toml` in this folder.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from .errors import BlockdynError
from .words import article, nearest

TABLE = Path(__file__).with_name("foreign_names.toml")
SHOWN = 16  # names that an error lists if none is near

Class = TypeVar("Class", bound=type)
Function = TypeVar("Function", bound=Callable[..., Any])


class UnknownAttribute(BlockdynError, AttributeError):
    """An attribute that an object does not have."""


class UnknownKeyword(BlockdynError, TypeError):
    """A keyword argument that a function does not take."""


class AttributeHints:
    """Base of classes whose errors for unknown attributes give a hint."""

    __slots__ = ()

    def _hint(self, name: str) -> str:
        """The hint of an instance for an attribute that the table lacks, or an empty string."""
        return ""

    if not TYPE_CHECKING:  # type checkers would accept any name

        def __getattr__(self, name: str) -> Any:
            raise unknown_attribute(self, name, self._hint)


def hint_attributes(kind: Class) -> Class:
    """A class decorator: the hints of AttributeHints for a NamedTuple, which takes no base."""

    def look_up(self: Any, name: str) -> Any:
        raise unknown_attribute(self, name)

    kind.__getattr__ = look_up  # type: ignore[attr-defined]
    return kind


@functools.cache
def words(scope: str) -> Mapping[str, Any]:
    """The rows of a section of the table, a row for each word."""
    return {word: meaning for key, meaning in _sections().get(scope, {}).items() for word in key.split()}


@functools.cache
def _sections() -> Mapping[str, Mapping[str, Any]]:
    import tomllib

    return tomllib.loads(TABLE.read_text(encoding="utf-8"))


def unknown_attribute(owner: object, name: str, hint: Callable[[str], str] | None = None) -> AttributeError:
    """The error for an attribute that an object does not have.

    The hint is the row of the table for the class or a base, the result of `hint`, or the nearest name. Names
    with an underscore, which Python and other libraries look up, get none.
    """
    kind = type(owner)
    computed = inspect.getattr_static(kind, name, None)
    if isinstance(computed, (property, cached_property)):
        computed.__get__(owner, kind)  # raises the error inside the property again
    text = f"{article(kind.__name__)} has no attribute {name!r}"
    if name.startswith("_"):
        return AttributeError(text)
    place = next((words(base.__name__)[name] for base in kind.__mro__ if name in words(base.__name__)), "")
    more = f"\nuse {place}" if place else hint(name) if hint is not None else ""
    if not more:
        names = _public_names(kind)
        listed = ", ".join(names[:SHOWN]) + " ..." * (len(names) > SHOWN)
        more = nearest(name, names, likeness=0.7) or f"\nit has {listed}"
    return UnknownAttribute(text + more, name=name)


def _public_names(kind: type) -> list[str]:
    """The public names of a class: fields, then the others in order of declaration."""
    fields = [*getattr(kind, "__dataclass_fields__", getattr(kind, "_fields", ()))]
    names = [*fields, *(name for base in kind.__mro__[:-1] for name in vars(base))]
    return [name for name in dict.fromkeys(names) if not name.startswith("_")]


def nearest_word(name: str, choices: Iterable[str]) -> str:
    """', did you mean `x`?' for a keyword, from the table or by similarity; or an empty string."""
    names = list(choices)
    return equivalent(name, names) or nearest(name, names)


def equivalent(name: str, choices: Collection[str], scope: str = "keywords") -> str:
    """', did you mean `x`?' by a section of the table, or an empty string."""
    meanings = words(scope).get(name, ())
    for meaning in [meanings] if isinstance(meanings, str) else meanings:
        joined, _, remark = meaning.partition(" ")
        if set(joined.split("+")) <= set(choices):
            return f", did you mean `{joined.replace('+', '` and `')}`?" + (f" ({remark})" if remark else "")
    return ""


def hint_keywords(function: Function, bound: int = 0) -> Function:
    """A decorator: the error for an unknown keyword is UnknownKeyword, with a hint.

    The first `bound` arguments, the object of a method, are not among those that it lists.
    """

    @functools.wraps(function)
    def call(*values: Any, **options: Any) -> Any:
        try:
            return function(*values, **options)
        except TypeError:
            names = inspect.signature(function).parameters
            taken = [name for name in [*names][bound:] if name != "self"]
            unknown = next((option for option in options if option not in taken), None)
            if unknown is None or any(each.kind is each.VAR_KEYWORD for each in names.values()):
                raise
            label = call.__qualname__.removesuffix(".__init__").rpartition(".")[2]
            problem = f"{label} has no argument `{unknown}`{nearest_word(unknown, taken)}"
            raise UnknownKeyword(f"{problem}\nexpected: {', '.join(taken)}") from None

    return call  # type: ignore[return-value]
