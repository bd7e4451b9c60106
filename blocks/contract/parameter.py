"""Parameters of blocks: numbers, which a run may change, and options, which shape the block."""

from __future__ import annotations

import dataclasses
import functools
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from math import isfinite, isinf
from typing import TYPE_CHECKING, Any, TypeAlias
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from ...base.annotations import holds_truth, of_truth, schema_of
from ...base.schema import Schema, Steps, bounds, fits, in_words, misfit
from .element import beyond, no_number
from .errors import ParameterError
from .units import WRITTEN, is_readable

if TYPE_CHECKING:
    from .parameter_expression import Parameter

Array: TypeAlias = NDArray[np.float64]
Real: TypeAlias = "float | Sequence[Any] | NDArray[Any] | Parameter"
"""A number, vector or matrix, or an expression over the diagram's parameters."""
FileLike: TypeAlias = "str | os.PathLike[str]"
"""A data file; in a diagram's file, its path is relative to that file."""
LibraryLike: TypeAlias = "str | os.PathLike[str]"
"""A file that holds machine code; a diagram's file may name it if the reader trusts its code."""


@dataclasses.dataclass(frozen=True)
class Rule:
    """The accepted values of a parameter, which is a run-time number (`number`) or part of the structure."""

    number: bool
    unit: str = ""
    doc: str = ""
    minimum: float | None = None
    above: float | None = None
    infinite: bool = False
    dimensions: tuple[int, ...] | None = None
    choices: tuple[Any, ...] = ()
    schema: Schema = dataclasses.field(default_factory=dict, compare=False)  # of the annotation
    optional: bool = False  # may be None, which stands for no number
    maximum: float | None = None
    roots: bool = False  # complex numbers become rows [real part, imaginary part]

    @functools.cached_property
    def element(self) -> Schema:
        """The rule of every element of a number."""
        limits = {"minimum": self.minimum, "exclusiveMinimum": self.above, "maximum": self.maximum}
        return {"type": "number"} | {key: limit for key, limit in limits.items() if limit is not None}

    def left_out(self, value: Any) -> bool:
        """True if a number is not given, and need not be."""
        return self.optional and value is None


_REQUIRED: Any = dataclasses.MISSING


def parameter(
    default: Any = _REQUIRED,
    *,
    unit: str = "",
    doc: str = "",
    minimum: float | None = None,
    above: float | None = None,
    infinite: bool = False,
    dimensions: tuple[int, ...] | None = None,
    maximum: float | None = None,
    roots: bool = False,
) -> Any:
    """A number, vector or matrix of a block: a run-time value, changed without recompiling.

    `unit` is text: 1 for a number without a unit, [y] for the unit of y, a port, state or parameter.
    `minimum`, `above` and `maximum` bound every element, `dimensions` lists the allowed numbers of
    dimensions, `infinite` allows infinities. With the default None it may be omitted. It is then None, and
    functions would get NaN, so they should use a constant of `constants` instead. With `roots`, complex
    numbers are taken as rows [real part, imaginary part].
    """
    rule = Rule(
        True,
        unit,
        doc,
        minimum,
        above,
        infinite,
        dimensions,
        optional=default is None,
        maximum=maximum,
        roots=roots,
    )
    return dataclasses.field(default=_freeze(default), metadata={"rule": rule})


def option(default: Any = _REQUIRED, *, doc: str = "", choices: tuple[Any, ...] = ()) -> Any:
    """A choice that belongs to the block's structure: text, a count, a flag, a function."""
    rule = Rule(False, doc=doc, choices=choices)
    return dataclasses.field(default=_freeze(default), metadata={"rule": rule})


def field_rule(kind: type, field: dataclasses.Field[Any]) -> Rule:
    """The rule of a block's field; for an option it includes the annotation."""
    rule: Rule = field.metadata.get("rule", Rule(False))
    if rule.number:
        clockless = field.name == "sample_time" and getattr(kind, "sampled", False)
        return dataclasses.replace(rule, infinite=True) if clockless else rule  # in triggered subsystems
    owner = next(base for base in kind.__mro__ if field.name in vars(base).get("__annotations__", {}))
    names = vars(sys.modules.get(owner.__module__, sys))
    return dataclasses.replace(rule, schema=schema_of(field.type, names))


def _freeze(value: Any) -> Any:
    # A dataclass rejects a list as a default, and blocks are immutable, so a list becomes a tuple.
    value = value.tolist() if isinstance(value, np.ndarray) else value
    return tuple(_freeze(item) for item in value) if isinstance(value, list) else value


def as_number(block: str, name: str, value: Any, rule: Rule) -> float | Array:
    """A float or a read-only array of float64, checked against the rule.

    Raises ParameterError.
    """
    if type(value) is float and _is_plain(value, rule):
        return value
    if type(value) is np.ndarray and _is_kept(value, rule):
        return value

    if rule.roots:
        value = _rows_of_complex(value)

    def wrong(expected: str, steps: Steps = ()) -> ParameterError:
        return ParameterError(block, name, value, expected, element=steps)

    if value is None or isinstance(value, (str, bytes, dict, set)):
        expected = "a number, a list of numbers, or an expression: bd.expression('2 * kp'), in YAML `=2 * kp`"
        if isinstance(value, str) and value.isidentifier():
            expected += f"; a parameter called {value} is `={value}`"
        raise wrong(expected)
    if isinstance(value, (bool, np.bool_)):
        raise wrong("a number, or a list of numbers" + of_truth(value))
    try:
        # NumPy raises for rows of different lengths; as objects they fail below, and the error names the row.
        array = np.array(value, dtype=object if _is_ragged(value) else None)
        if array.dtype.kind not in "ifu" or holds_truth(value):
            raise TypeError
        array = array.astype(np.float64)
    except (ValueError, TypeError, OverflowError, RecursionError):
        steps, expected = no_number(value)
        raise wrong(expected, steps) from None
    if array.ndim > 2 or array.size == 0:
        raise wrong("a number, a vector or a matrix with at least one element")
    if rule.dimensions is not None and array.ndim not in rule.dimensions:
        kinds = [("a number", "a vector", "a matrix")[n] for n in rule.dimensions]
        raise wrong(" or ".join(kinds))
    for good, expected in _bounds(array, rule):
        if not np.all(good):
            raise wrong(expected, beyond(good))
    if array.ndim == 0:
        return float(array)
    array = np.ascontiguousarray(array)
    array.setflags(write=False)
    return array


def _bounds(array: Array, rule: Rule) -> Iterator[tuple[Any, str]]:
    """The elements that satisfy each bound of the rule, and the bound in words."""
    if rule.infinite:
        yield ~np.isnan(array), "numbers or infinities, not NaN"
    else:
        yield np.isfinite(array), "finite numbers"
    for meets, words in bounds(rule.element):
        yield meets(array), words
    if rule.choices:
        yield np.isin(array, rule.choices), in_choices(rule)


def _is_plain(value: float, rule: Rule) -> bool:
    """True if a float satisfies its rule: the most frequent case, checked without an array."""
    return (
        (rule.dimensions is None or 0 in rule.dimensions)
        and (isfinite(value) or (rule.infinite and isinf(value)))
        and (rule.above is None or value > rule.above)
        and (rule.minimum is None or value >= rule.minimum)
        and (rule.maximum is None or value <= rule.maximum)
        and (not rule.choices or value in rule.choices)
    )


def _is_kept(array: Array, rule: Rule) -> bool:
    """True for an array in the form that a block keeps, such as the arrays of an existing block."""
    flags = array.flags
    return (
        array.dtype == np.float64
        and flags.owndata and flags.c_contiguous and not flags.writeable
        and array.ndim > 0 and array.ndim in (rule.dimensions or (1, 2))
        and array.size > 0
        and all(np.all(good) for good, _ in _bounds(array, rule))
    )  # fmt: skip


def _rows_of_complex(value: Any) -> Any:
    """Complex numbers as rows [real part, imaginary part]; anything else as it is."""
    with suppress(ValueError, TypeError):
        numbers: Any = np.asarray(value)
        if numbers.dtype.kind == "c" and numbers.ndim < 2:
            return np.column_stack([numbers.real, numbers.imag])
    return value


def as_option(block: str, name: str, value: Any, rule: Rule) -> Any:
    """The value of an option as a block keeps it, in Python's own types, lists as tuples.

    Raises ParameterError if it does not match the annotation or the choices.
    """
    if not fits(value, rule.schema):
        steps, schema = misfit(value, rule.schema)
        expected = in_words(schema) if steps else in_choices(rule) or in_words(schema)
        raise ParameterError(block, name, value, expected, element=steps)
    value = _thaw(value)
    units = (value if isinstance(value, tuple) else (value,)) if name in ("unit", "units") else ()
    if not all(is_readable(unit) for unit in units if isinstance(unit, str)):
        raise ParameterError(block, name, value, WRITTEN)
    try:
        if rule.choices and value not in rule.choices:
            raise ParameterError(block, name, value, in_choices(rule))
    except ValueError:  # arrays have no truth value
        raise ParameterError(block, name, value, in_choices(rule)) from None
    return value


def in_choices(rule: Rule) -> str:
    """The choices of an option in words; empty if it has none."""
    return "one of " + ", ".join(map(repr, rule.choices)) if rule.choices else ""


def _thaw(value: Any) -> Any:
    if isinstance(value, (np.ndarray, np.generic)):
        value = value.tolist()
    if isinstance(value, os.PathLike):
        value = os.fspath(value)
    return tuple(map(_thaw, value)) if isinstance(value, (list, tuple)) else value


def _is_ragged(value: Any) -> bool:
    if isinstance(value, (list, tuple)):
        lengths = {len(item) if isinstance(item, (list, tuple)) else -1 for item in value}
        return len(lengths) > 1
    return False


_known_rules: WeakKeyDictionary[type, dict[str, Rule]] = WeakKeyDictionary()


def rules_of(kind: Any) -> dict[str, Rule]:
    """The rule of every parameter of a block class, by name."""
    rules = _known_rules.get(kind)
    if rules is None:
        rules = _known_rules[kind] = {
            field.name: field_rule(kind, field) for field in dataclasses.fields(kind)
        }
    return rules


def plain_value(value: Any) -> Any:
    """A value with lists in place of arrays."""
    return value.tolist() if isinstance(value, np.ndarray) else value


def same(a: Any, b: Any) -> bool:
    """True if two values of a parameter are equal, and of the same type if one is text or a truth value."""
    if isinstance(a, np.ndarray) or isinstance(b, (np.ndarray, tuple)):
        try:
            return np.shape(a) == np.shape(b) and bool(np.all(np.asarray(a) == np.asarray(b)))
        except ValueError:
            return False
    return (type(a) is type(b) or not isinstance(a, (str, bool))) and bool(a == b)
