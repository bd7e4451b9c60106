"""Checked: decorators that hold a public function to its annotations, and its errors to our own."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import numpy as np

from .annotations import Schema, fits, in_words, schema_of
from .errors import BlockdynError

Called = TypeVar("Called", bound=Callable[..., Any])
Refuse = Callable[[str, str, str], Exception]

FOREIGN = (TypeError, ValueError, ArithmeticError, AttributeError, LookupError)
EXACT = {"number": float, "integer": int, "boolean": bool, "string": str}  # which fit without a further look
ANYTHING = ("Any", "ArrayLike", "Array", "float")  # what is read as numbers


def checked(refuse: Refuse) -> Callable[[Called], Called]:
    """A decorator: an argument that is not what its annotation says raises `refuse(name, found, expected)`.

    Annotations are read at the first call; those that say nothing, such as Any, check nothing.
    """

    def decorate(function: Called) -> Called:
        @functools.lru_cache(maxsize=1)
        def rules() -> tuple[tuple[str, ...], dict[str, Schema]]:
            return _rules(function)

        @functools.wraps(function)
        def call(*values: Any, **options: Any) -> Any:
            places, schemas = rules()
            for name, value in (*zip(places, values), *options.items()):
                schema = schemas.get(name)
                if schema is None or type(value) is EXACT.get(schema.get("type", "")):
                    continue
                if not fits(value, schema):
                    raise refuse(name, f"found {value!r:.80}", in_words(schema))
            return function(*values, **options)

        return call  # type: ignore[return-value]

    return decorate


def guarded(refuse: Refuse) -> Callable[[Called], Called]:
    """As `checked`, of functions of numbers: an exception of Python or NumPy from inside becomes one of ours.

    It names the argument that is no numbers, where there is one. A call with other names or another number
    of arguments is a TypeError, as in all of Python.
    """

    def decorate(function: Called) -> Called:
        silent = {**function.__annotations__, "return": "Any"}
        inner = function if set(silent.values()) <= {"Any"} else checked(refuse)(function)

        @functools.wraps(function)
        def call(*values: Any, **options: Any) -> Any:
            try:
                return inner(*values, **options)
            except (BlockdynError, np.linalg.LinAlgError):  # the latter says what is the matter by itself
                raise
            except FOREIGN as error:
                raise _told(function, values, options, refuse, error) from error

        return call  # type: ignore[return-value]

    return decorate


def _rules(function: Callable[..., Any]) -> tuple[tuple[str, ...], dict[str, Schema]]:
    """The names of a function's positional arguments, and the schemas of those that say something."""
    function = inspect.unwrap(function)
    code, names = function.__code__, function.__globals__
    schemas = {
        name: schema
        for name, annotation in function.__annotations__.items()
        if name != "return" and (schema := schema_of(annotation, names) or _of_class(annotation, names))
    }
    return code.co_varnames[: code.co_argcount], schemas


def _of_class(annotation: Any, names: Mapping[str, Any]) -> Schema:
    """The schema of a class by itself, such as that of another thing of the same kind."""
    kind = names.get(annotation) if isinstance(annotation, str) else None
    return {"type": "instance", "class": kind} if isinstance(kind, type) and kind is not Any else {}


def _told(
    function: Callable[..., Any], values: tuple[Any, ...], options: Mapping[str, Any], refuse: Refuse,
    error: Exception,
) -> Exception:  # fmt: skip
    """The error to raise in place of one of Python's or NumPy's."""
    try:
        given = inspect.signature(function).bind(*values, **options).arguments
    except TypeError as wrong_call:
        return wrong_call.with_traceback(None)
    given.pop("self", None)
    numbers = [name for name in given if str(function.__annotations__.get(name, "Any")) in ANYTHING]
    for name in sorted(numbers, key=lambda name: isinstance(given[name], str)):  # text may be a name
        if given[name] is not None and not _is_numbers(given[name]):
            return refuse(name, f"found {given[name]!r:.80}", "a number, or numbers in lists or arrays")
    shapes = ", ".join(f"{name} {np.shape(given[name])}" for name in numbers if given[name] is not None)
    found = f"{error}"[:200] + (f"; shapes are {shapes}" if shapes else "")
    return refuse(function.__name__, found, "arguments as its documentation says")


def _is_numbers(value: Any) -> bool:
    try:
        return bool(np.asarray(value).dtype.kind in "iuf" and np.asarray(value, np.float64) is not None)
    except (TypeError, ValueError, OverflowError):
        return False
