"""Decorators check the arguments of public functions against their annotations."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

import numpy as np

from .annotations import of_truth, real_numbers, schema_of
from .errors import BlockdynError
from .hints import nearest_word
from .schema import Schema, fits, in_words

Called = TypeVar("Called", bound=Callable[..., Any])
Refuse = Callable[[str, str, str], Exception]
Places = tuple[tuple[int, frozenset[type]], ...]

FOREIGN = (TypeError, ValueError, ArithmeticError, AttributeError, LookupError)
EXACT = {"number": float, "integer": int, "boolean": bool, "string": str, "null": type(None)}
ANYTHING = ("Any", "object", "ArrayLike", "ArrayLike | None", "Array", "float")  # what is read as numbers


def checked(refuse: Refuse) -> Callable[[Called], Called]:
    """A decorator: an argument that is not what its annotation says raises `refuse(name, found, expected)`.

    Annotations are read at the first call; unrestricted ones, such as Any, check nothing.
    """
    return _holding(refuse, ())


def checked_numbers(refuse: Refuse) -> Callable[[Called], Called]:
    """`checked` for functions of numbers: an exception of Python or NumPy from inside becomes one of ours.

    It names the argument that is not numeric, if there is one. A call with other names or another number
    of arguments is a TypeError, as in all of Python.
    """
    return _holding(refuse, FOREIGN)


def _holding(refuse: Refuse, foreign: tuple[type[Exception], ...]) -> Callable[[Called], Called]:
    """The decorator of both: one layer, because it stands before functions that take a microsecond."""

    def decorate(function: Called) -> Called:
        rules = _Rules(function, refuse, wide=bool(foreign))
        places = rules.places

        @functools.wraps(function)
        def call(*values: Any, **options: Any) -> Any:
            try:
                looked = places.get(len(values))
                for place, types in rules.places_of(len(values)) if looked is None else looked:
                    if type(values[place]) not in types:
                        rules.look(zip(rules.names, values))
                        break
                if not options:
                    return function(*values)
                rules.look(options.items())
                return function(*values, **options)
            except (BlockdynError, np.linalg.LinAlgError):  # the latter has a clear message of its own
                raise
            except foreign as error:
                raise _message(function, values, options, refuse, error) from error

        return call  # type: ignore[return-value]

    return decorate


class _Rules:
    """Schemas of a function's arguments, read from its annotations at the first call."""

    def __init__(self, function: Callable[..., Any], refuse: Refuse, *, wide: bool) -> None:
        """`wide`: any int is a number at once, because one that is too large is refused afterwards."""
        self.function, self.refuse, self.wide = inspect.unwrap(function), refuse, wide
        self.names = self.function.__code__.co_varnames[: self.function.__code__.co_argcount]
        self.places: dict[int, Places] = {}

    def places_of(self, count: int) -> Places:
        """The positions that are checked, among this number of values, with the types that pass at once."""
        said = ((place, self.schemas.get(name)) for place, name in enumerate(self.names[:count]))
        places = self.places[count] = tuple((place, about[0]) for place, about in said if about)
        return places

    def look(self, named: Iterable[tuple[str, Any]]) -> None:
        """Raise `refuse(name, found, expected)` for the first value that is not what its annotation says."""
        for name, value in named:
            types, schema = self.schemas.get(name, (frozenset(), {}))
            if type(value) not in types and not fits(value, schema):
                raise self.refuse(name, f"found {value!r:.80}", in_words(schema) + of_truth(value))

    @functools.cached_property
    def schemas(self) -> dict[str, tuple[frozenset[type], Schema]]:
        """The arguments whose annotation restricts them, with the types that fit without a further check."""
        names = self.function.__globals__
        schemas = {
            name: schema_of(annotation, names) or _of_class(annotation, names)
            for name, annotation in self.function.__annotations__.items()
            if name != "return" and annotation not in ("Any", "object")
        }
        return {name: (self._types(schema), schema) for name, schema in schemas.items() if schema}

    def _types(self, schema: Schema) -> frozenset[type]:
        """The types whose values all fit a schema."""
        kinds = {part.get("type") for part in schema.get("anyOf", [schema])}
        wide = {int} if self.wide and "number" in kinds else set()
        return frozenset({EXACT[kind] for kind in kinds if kind in EXACT} | wide)


def _of_class(annotation: Any, names: Mapping[str, Any]) -> Schema:
    """The schema of a class by itself, such as of another object of the same kind."""
    kind = names.get(annotation) if isinstance(annotation, str) else None
    return {"type": "instance", "class": kind} if isinstance(kind, type) and kind is not Any else {}


def _message(
    function: Callable[..., Any], values: tuple[Any, ...], options: Mapping[str, Any], refuse: Refuse,
    error: Exception,
) -> Exception:  # fmt: skip
    """The error to raise in place of one of Python's or NumPy's."""
    try:
        arguments = inspect.signature(function).bind(*values, **options).arguments
    except TypeError as wrong_call:
        return _wrong_call(function, str(wrong_call), options)
    arguments.pop("self", None)
    numbers = [name for name in arguments if str(function.__annotations__.get(name, "Any")) in ANYTHING]
    for name in sorted(numbers, key=lambda name: isinstance(arguments[name], str)):  # text may be a name
        if arguments[name] is not None and not _is_numbers(arguments[name]):
            return refuse(
                name,
                f"found {arguments[name]!r:.80}",
                "a number, or numbers in lists or arrays" + of_truth(arguments[name]),
            )
    shapes = ", ".join(
        f"{name} {np.shape(arguments[name])}" for name in numbers if arguments[name] is not None
    )
    text = f"{error}"[:200] + (f"; shapes are {shapes}" if shapes else "")
    return refuse(function.__name__, text, "arguments as its documentation says")


def _wrong_call(function: Callable[..., Any], problem: str, options: Mapping[str, Any]) -> TypeError:
    """The error of a call with other names or another number of arguments: what the function takes."""
    names = [name for name in inspect.signature(function).parameters if name != "self"]
    unknown = next((name for name in options if name not in names), "")
    return TypeError(
        f"{function.__name__}: {problem}{nearest_word(unknown, names)}\nit takes: {', '.join(names)}"
    )


def _is_numbers(value: Any) -> bool:
    try:
        return bool(real_numbers(value) is not None)
    except (TypeError, ValueError, OverflowError):
        return False
