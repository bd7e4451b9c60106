"""Groups: arguments that are named tuples, whose fields go to machine code one by one, as numba does it."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple


class Group(NamedTuple):
    """An argument, or a field of another group, whose annotation is a NamedTuple."""

    name: str
    kind: type
    fields: tuple[str | Group, ...]


Parts = tuple[str | Group, ...]


def parts_of(function: Any) -> Parts:
    """The arguments of a function with groups, those whose annotation is a NamedTuple; () if it has none."""
    function = getattr(function, "py_func", function)
    annotations = getattr(function, "__annotations__", None)
    code = getattr(function, "__code__", None)
    if not annotations or code is None:
        return ()
    names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    parts = _parts(names, annotations, function.__globals__)
    return parts if any(isinstance(part, Group) for part in parts) else ()


def _parts(names: tuple[str, ...], annotations: Mapping[str, Any], space: Mapping[str, Any]) -> Parts:
    parts: list[str | Group] = []
    for name in names:
        kind = _named_tuple(annotations.get(name), space)
        if kind is None:
            parts.append(name)
        else:
            fields: tuple[str, ...] = kind._fields  # type: ignore[attr-defined]
            inner = _parts(fields, kind.__annotations__, vars(sys.modules[kind.__module__]))
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


def leaves(parts: Parts, prefix: str = "") -> Iterator[tuple[str, str]]:
    """Every single value with its path: ("room.work", "work")."""
    for part in parts:
        if isinstance(part, str):
            yield prefix + part, part
        else:
            yield from leaves(part.fields, f"{prefix}{part.name}.")


def gathered(parts: Parts, values: Iterable[Any], make: Callable[[type, list[Any]], Any]) -> list[Any]:
    """The arguments made of single values; `make` joins those of a group."""
    rest = iter(values)

    def one(part: str | Group) -> Any:
        return next(rest) if isinstance(part, str) else make(part.kind, [one(field) for field in part.fields])

    return [one(part) for part in parts]


def taking_fields(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function with every field of its groups as an argument of its own; itself where it has none."""
    parts = parts_of(function)
    if not parts:
        return function

    @functools.wraps(function)
    def call(*values: Any) -> Any:
        return function(*gathered(parts, values, lambda kind, items: kind(*items)))

    return call


def described(kind: Any) -> str:
    """A type of numba's as text that also tells the names and the order of a named tuple's fields."""
    names = getattr(kind, "fields", None)
    if names is None or not hasattr(kind, "instance_class"):
        return str(kind)
    inner = ", ".join(f"{name}: {described(item)}" for name, item in zip(names, kind.types, strict=True))
    return f"{kind.instance_class.__qualname__}({inner})"
