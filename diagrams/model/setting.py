"""Describe one argument of a run: its meaning, its values, and the places where it may be given."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

from .errors import RunArgumentError

if TYPE_CHECKING:
    from ...solvers.methods.method import Method

COUNTED = 2**62  # to which the loop counts in 64 bits without running over


def _truth(value: Any) -> str:
    from ...base.annotations import of_truth

    return of_truth(value)


class Number(NamedTuple):
    """A number, finite unless infinity is allowed."""

    above: float | None = None
    infinite: bool = False

    def read(self, name: str, value: Any) -> float:
        expected = "a finite number" if self.above is None else f"a number greater than {self.above:g}"
        try:
            number = float(value)
        except (TypeError, ValueError, OverflowError):
            raise RunArgumentError(name, value, expected) from None
        if type(value) is not float and (truth := _truth(value)):
            raise RunArgumentError(name, value, expected + truth)
        if isinstance(value, (str, bytes)) or math.isnan(number):
            raise RunArgumentError(name, value, expected)
        if (math.isinf(number) and not self.infinite) or (self.above is not None and not number > self.above):
            raise RunArgumentError(name, value, expected)
        return number


class Whole(NamedTuple):
    """A whole number."""

    least: int
    most: int | None = None
    of: str = ""

    def read(self, name: str, value: Any) -> int:
        if type(value) is int and self.least <= value <= (self.most or value):
            return value
        bounded = self.most is not None and self.most < COUNTED
        bounds = f" from {self.least} to {self.most}" if bounded else f", {self.least} or greater"
        raise RunArgumentError(name, value, f"a whole number{self.of}{bounds}{_truth(value)}")


class Truth:
    """True or False."""

    def read(self, name: str, value: Any) -> bool:
        import numpy as np

        if isinstance(value, (bool, np.bool_)):
            return bool(value)
        raise RunArgumentError(name, value, "True or False")


class Choice(NamedTuple):
    """One of a few words."""

    words: tuple[str, ...]

    def read(self, name: str, value: Any) -> str:
        if isinstance(value, str) and value in self.words:
            return value
        raise RunArgumentError(name, value, " or ".join(map(repr, self.words)))


class OfMethod:
    """A method, or the name of one, in upper or lower case."""

    def read(self, name: str, value: Any) -> Method:
        from ...solvers.methods import UnknownMethod, method, names
        from ...solvers.methods.method import Method

        if isinstance(value, Method):
            for word in (value.name, *value.aliases):
                with suppress(UnknownMethod):
                    if method(word) is not value:
                        expected = f"a Method with names of its own: results tell by `{word}` of another one"
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

    def read(self, name: str, value: Any, states: int | None = None) -> Any:
        """As one number for each of so many states; without `states` only checked."""
        import numpy as np

        from ...base.annotations import real_array

        each = "one for each state" if states is None else f"{states} of them, one a state"
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
            raise RunArgumentError(name, value, expected + _truth(value)) from None
        if not numbers.size or not 0.0 < numbers.min() <= numbers.max() < math.inf:
            raise RunArgumentError(name, value, expected)
        return tolerances


class Instants:
    """Finite, increasing times."""

    def read(self, name: str, value: Any, start: float = -math.inf) -> Any:
        """As an array of times from `start` on."""
        import numpy as np

        from ...base.annotations import real_array

        try:
            times = real_array(value)
        except (TypeError, ValueError, OverflowError):
            raise RunArgumentError(name, value, "increasing times in s" + _truth(value)) from None
        rising = (
            times.ndim == 1 and times.size > 0 and np.all(np.isfinite(times)) and np.all(np.diff(times) > 0.0)
        )
        if rising and start <= times[0]:
            return times
        within = f"from {start} s on" if math.isfinite(start) else "in s"
        raise RunArgumentError(name, value, f"increasing times {within}")


class Paths:
    """A list of paths."""

    def read(self, name: str, value: Any) -> list[str]:
        if isinstance(value, (list, tuple)) and all(isinstance(path, str) for path in value):
            return list(value)
        raise RunArgumentError(name, value, f'a list of paths, such as {name}=["motor", "plant/arm.q"]')


class File:
    """The path of a file of rows."""

    def read(self, name: str, value: Any) -> Any:
        if isinstance(value, (str, os.PathLike)):
            return value
        raise RunArgumentError(name, value, "the path of a .parquet or .csv file")


class ByPath(NamedTuple):
    """A mapping from paths to numbers."""

    expected: str

    def read(self, name: str, value: Any) -> Mapping[str, Any]:
        if isinstance(value, Mapping):
            return value
        raise RunArgumentError(name, value, self.expected)


class Inputs:
    """The inputs of a diagram, by name."""

    def read(self, name: str, value: Any) -> Mapping[str, Any]:
        from .inputs import check_input

        if not isinstance(value, Mapping):
            raise RunArgumentError(name, value, f'inputs by name: {name}={{"u": 1.0}}')
        for each, signal in value.items():
            check_input(each, signal)
        return value


class Touches:
    """Values that change while the run goes."""

    def read(self, name: str, value: Any) -> tuple[Any, ...]:
        from .touch import touches_of

        return touches_of(name, value)


Kind: TypeAlias = (
    Number | Whole | Truth | Choice | OfMethod | Tolerances | Instants | Paths | File | ByPath | Inputs
    | Touches
)  # fmt: skip
"""What a setting takes: its `read` gives the value as it is computed with, or raises RunArgumentError."""
Sweeps: TypeAlias = Literal["axis", "all", "output", ""]


class Setting(NamedTuple):
    """An argument of a run.

    kind         what it takes
    about        what it says, in a sentence
    unit         of its numbers
    otherwise    what holds where nobody says anything, where that is more than a number
    in_files     whether files and the command line have it
    in_sweeps    "axis": scenarios may differ in it; "all": it is the same in all; "output": measures say it
                 there; "": a sweep does not have it
    in_diagrams  whether a diagram may say it of its runs; the rest is the caller's to say
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
        """The value as it is computed with. Raises RunArgumentError."""
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
