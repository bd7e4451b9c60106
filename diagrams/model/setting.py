"""Describe one argument of a run: its meaning, its values, and the places where it may be given."""

from __future__ import annotations

import math
from collections.abc import Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol, TypeAlias

import numpy as np

from ...base.annotations import of_truth, real_array
from ...base.schema import NUMBER, POSITIVE, TEXT, Schema, fits, in_words, reference, table
from .errors import RunArgumentError

if TYPE_CHECKING:
    from ...solvers.methods.method import Method

COUNTED = 2**62  # the loop's 64-bit counter does not overflow before it


class Plain(NamedTuple):
    """A value that fits a rule, unchanged; `expected` describes it if the rule's own text is not enough."""

    schema: Schema
    expected: str = ""

    def read(self, name: str, value: Any) -> Any:
        if fits(value, self.schema):
            return bool(value) if isinstance(value, np.bool_) else value
        raise RunArgumentError(name, value, (self.expected or in_words(self.schema)) + of_truth(value))


class Number(NamedTuple):
    """A number, finite unless infinity is allowed."""

    schema: Schema = NUMBER

    def read(self, name: str, value: Any) -> float:
        try:
            number = float(value)
        except (TypeError, ValueError, OverflowError):
            number = math.nan
        text = isinstance(value, (str, bytes))
        truth = "" if type(value) is float else of_truth(value)
        if text or truth or math.isnan(number) or not fits(number, self.schema):
            raise RunArgumentError(name, value, in_words(self.schema) + truth)
        return number


class Whole(NamedTuple):
    """A whole number."""

    schema: Schema

    def read(self, name: str, value: Any) -> int:
        if type(value) is int and fits(value, self.schema):
            return value
        raise RunArgumentError(name, value, in_words(self.schema) + of_truth(value))


class OfMethod:
    """A method, or the name of one, in upper or lower case."""

    schema = TEXT

    def read(self, name: str, value: Any) -> Method:
        from ...solvers.methods import UnknownMethod, method, names
        from ...solvers.methods.method import Method

        if isinstance(value, Method):
            for word in (value.name, *value.aliases):
                with suppress(UnknownMethod):
                    if method(word) is not value:
                        expected = f"a Method with names of its own: results name another method by `{word}`"
                        raise RunArgumentError(name, value, expected)
            return value
        if not isinstance(value, str):
            raise RunArgumentError(name, value, f"a Method, or text, one of {', '.join(names())}")
        try:
            return method(value)
        except UnknownMethod as unknown:
            raise RunArgumentError(name, value, unknown.expected) from None


class Tolerances:
    """A positive number, or one for each state."""

    schema: Schema = {"anyOf": [POSITIVE, {"type": "array", "items": POSITIVE}]}  # noqa: RUF012

    def read(self, name: str, value: Any, states: int | None = None) -> Any:
        """As one number per state; without `states` only checked."""
        each = "one for each state" if states is None else f"{states} of them, one per state"
        expected = "a positive number" + (f", or {each}" if states != 0 else "")
        try:
            numbers = real_array(value)
            if states is None:
                tolerances = numbers
            elif numbers.shape == (1,):
                tolerances = numbers.repeat(states)
            else:
                tolerances = np.broadcast_to(numbers, (states,)).copy()
        except (TypeError, ValueError, OverflowError):
            raise RunArgumentError(name, value, expected + of_truth(value)) from None
        if not numbers.size or not 0.0 < numbers.min() <= numbers.max() < math.inf:
            raise RunArgumentError(name, value, expected)
        return tolerances


class Instants:
    """Finite, increasing times."""

    schema: Schema = {"type": "array", "items": NUMBER, "minItems": 1}  # noqa: RUF012

    def read(self, name: str, value: Any, start: float = -math.inf) -> Any:
        """As an array of times from `start` on."""
        try:
            times = real_array(value)
        except (TypeError, ValueError, OverflowError):
            raise RunArgumentError(name, value, "increasing times in s" + of_truth(value)) from None
        rising = (
            times.ndim == 1 and times.size > 0 and np.all(np.isfinite(times)) and np.all(np.diff(times) > 0.0)
        )
        if rising and start <= times[0]:
            return times
        within = f"from {start} s on" if math.isfinite(start) else "in s"
        raise RunArgumentError(name, value, f"increasing times {within}")


class Inputs:
    """The inputs of a diagram, by name."""

    schema = table(reference("Input"))

    def read(self, name: str, value: Any) -> Mapping[str, Any]:
        from .inputs import check_input

        if not isinstance(value, Mapping):
            raise RunArgumentError(name, value, f'inputs by name: {name}={{"u": 1.0}}')
        for each, signal in value.items():
            check_input(each, signal)
        return value


class Touches:
    """Values that change during the run."""

    schema: Schema = {  # noqa: RUF012
        "type": "array",
        "items": {
            "type": "object",
            "properties": {"at": NUMBER, "set": table({})},
            "required": ["at", "set"],
            "additionalProperties": False,
        },
    }

    def read(self, name: str, value: Any) -> tuple[Any, ...]:
        from .touch import touches_of

        return touches_of(name, value)


class Kind(Protocol):
    """The kind of a setting's values: `read` gives the value for computing, or raises RunArgumentError.

    schema  the rule of a file, also for editors
    """

    @property
    def schema(self) -> Schema:
        """The rule for a value in a file."""
        ...

    def read(self, name: str, value: Any) -> Any:
        """The value in the form used for computation. Raises RunArgumentError."""


Sweeps: TypeAlias = Literal["axis", "all", "output", ""]


class Setting(NamedTuple):
    """An argument of a run.

    kind         kind of its values
    about        its meaning, in a sentence
    unit         of its numbers
    otherwise    the default, if it is more than a number
    in_files     whether files and the command line have it
    in_sweeps    "axis": scenarios may differ in it; "all": it is the same in all; "output": set by
                 measures; "": a sweep does not have it
    in_diagrams  whether a diagram may set it for its runs; only the caller sets the others
    """

    name: str
    kind: Kind
    about: str
    default: Any = None
    unit: str = ""
    otherwise: str = ""
    in_files: bool = True
    in_sweeps: Sweeps = ""
    in_diagrams: bool = True

    def read(self, value: Any) -> Any:
        """The value in the form used for computation. Raises RunArgumentError."""
        return self.kind.read(self.name, value)

    @property
    def text(self) -> str:
        """Its meaning, with its unit."""
        what, more, last = self.about.partition("; ")
        return f"{what}{', ' if self.unit else ''}{self.unit}{more}{last}"

    @property
    def default_text(self) -> str:
        """Its default, in words."""
        if self.otherwise or self.default is None:
            return self.otherwise
        return repr(self.default).replace("e-0", "e-").removesuffix(".0").strip("'")
