"""Groups are arguments that are named tuples, whose fields go to machine code one by one, as in numba."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from operator import itemgetter
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

from ..base.errors import BlockdynError


class Group(NamedTuple):
    """An argument, or a field of another group, whose annotation is a NamedTuple."""

    name: str
    kind: type
    fields: tuple[str | Group, ...]


Parts = tuple[str | Group, ...]


class Arguments(NamedTuple):
    """The arguments of a function with groups; all empty for one without."""

    parts: Parts = ()
    paths: tuple[tuple[str, str], ...] = ()  # of every single value: ("room.work", "work")
    names: tuple[str, ...] = ()


_arguments: WeakKeyDictionary[Any, Arguments] = WeakKeyDictionary()
_plain = Arguments()


def arguments_with_groups(function: Any) -> Arguments:
    """The arguments of a function that has groups, arguments whose annotation is a NamedTuple."""
    try:
        return _arguments[function]
    except (KeyError, TypeError):  # TypeError: no weak reference to an object that is not a function
        pass
    parts = _read_parts(getattr(function, "py_func", function))
    if not parts:
        arguments = _plain
    else:
        paths = tuple(_paths(parts))
        arguments = Arguments(parts, paths, tuple(name for _, name in paths))
    with suppress(TypeError):
        _arguments[function] = arguments
    return arguments


def parts_of(function: Any) -> Parts:
    """The arguments of a function with groups as they are declared; () if it has none."""
    return arguments_with_groups(function).parts


def _read_parts(function: Any) -> Parts:
    annotations = getattr(function, "__annotations__", None)
    code = getattr(function, "__code__", None)
    if not annotations or code is None:
        return ()
    names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    parts = _parts(names, annotations, function.__globals__)
    return parts if any(isinstance(part, Group) for part in parts) else ()


def _parts(
    names: tuple[str, ...], annotations: Mapping[str, Any], space: Mapping[str, Any],
    around: tuple[type, ...] = (),
) -> Parts:  # fmt: skip
    """The parts of a function, or of a group within the groups `around` it. Raises BlockdynError."""
    parts: list[str | Group] = []
    for name in names:
        kind = _named_tuple(annotations.get(name), space)
        if kind is None:
            parts.append(name)
        else:
            fields: tuple[str, ...] = kind._fields  # type: ignore[attr-defined]
            if kind in around:
                raise BlockdynError(
                    f"{kind.__module__}.{kind.__qualname__} holds itself, by the field `{name}`\n"
                    "expected: a group of numbers, arrays and other groups, which does not hold itself"
                )
            inside = vars(sys.modules[kind.__module__])
            inner = _parts(fields, kind.__annotations__, inside, (*around, kind))
            parts.append(Group(name, kind, inner))
    return tuple(parts)


def _named_tuple(annotation: Any, space: Mapping[str, Any]) -> type | None:
    """The NamedTuple that an annotation, perhaps written as text, stands for."""
    annotation = getattr(annotation, "__forward_arg__", annotation)  # as typing.NamedTuple keeps text
    if isinstance(annotation, str):
        first, *others = annotation.split(".")
        annotation = space.get(first)
        for name in others:
            annotation = getattr(annotation, name, None)
    if isinstance(annotation, type) and issubclass(annotation, tuple) and hasattr(annotation, "_fields"):
        return annotation
    return None


def _paths(parts: Parts, prefix: str = "") -> Iterator[tuple[str, str]]:
    for part in parts:
        if isinstance(part, str):
            yield prefix + part, part
        else:
            yield from _paths(part.fields, f"{prefix}{part.name}.")


def gather_groups(parts: Parts, values: Iterable[Any], make: Callable[[type, list[Any]], Any]) -> list[Any]:
    """The arguments made of single values; `make` joins the values of a group."""
    tail = iter(values)

    def value_of(part: str | Group) -> Any:
        return (
            next(tail)
            if isinstance(part, str)
            else make(part.kind, [value_of(field) for field in part.fields])
        )

    return [value_of(part) for part in parts]


Join = Callable[[tuple[Any, ...]], Any]  # takes an argument from all single values


def taking_fields(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function with a separate argument for each field of its groups; itself if it has none."""
    joins, count = _list_joins(parts_of(function), 0)
    if not count:
        return function

    @functools.wraps(function)
    def call(*values: Any) -> Any:
        return function(*[join(values) for join in joins])

    return call


def _list_joins(parts: Parts, start: int) -> tuple[list[Join], int]:
    """For each part the function that takes it from the values, from `start` on; and where they end."""
    joins: list[Join] = []
    for part in parts:
        if isinstance(part, str):
            joins.append(itemgetter(start))
            start += 1
        else:
            fields, end = _list_joins(part.fields, start)
            single = all(isinstance(field, str) for field in part.fields)
            joins.append(_join_slice(part.kind, start, end) if single else _join_fields(part.kind, fields))
            start = end
    return joins, start


def _join_slice(kind: type, start: int, end: int) -> Join:
    return lambda values: kind(*values[start:end])


def _join_fields(kind: type, fields: list[Join]) -> Join:
    return lambda values: kind(*[field(values) for field in fields])


def describe_type(kind: Any) -> str:
    """A type of numba's as text, with the names and the order of a named tuple's fields."""
    names = getattr(kind, "fields", None)
    if names is None or not hasattr(kind, "instance_class"):
        return str(kind)
    inner = ", ".join(f"{name}: {describe_type(item)}" for name, item in zip(names, kind.types, strict=True))
    return f"{kind.instance_class.__qualname__}({inner})"
