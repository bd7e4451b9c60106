"""A trace holds the samples of one signal over time."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import prod
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, TypeGuard

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...base.hints import AttributeHints
from ...blocks.contract.units import element_units
from .errors import ResultError, UnknownSignal, bad_argument

if TYPE_CHECKING:
    import xarray as xr

FloatArray: TypeAlias = NDArray[np.float64]
Kind: TypeAlias = Literal["continuous", "discrete"]
Method: TypeAlias = Literal["auto", "dense", "interpolate"]
Dense: TypeAlias = Callable[[FloatArray], FloatArray]


@dataclass(frozen=True, eq=False)
class Trace(AttributeHints):
    """Samples y(t_i), i = 1..n, of the signal at `path`.

    Times never decrease. An instant that appears twice or more is an event: the first sample there is
    the limit from the left, the last one the limit from the right. A discrete trace holds each value
    until the next sample; a continuous one varies between samples.

    The arrays are used without a copy, and cannot be written through the trace.

    path     `plant/arm.q`: block path, dot, port
    time     (n,), s
    values   (n, *shape)
    unit     of all elements ("rad"), or one for each, separated by commas ("m, m, rad"), or for each
             part of a vector ("N, N m" of a wrench)
    labels   names of the elements in C order, or none
    kind     "continuous" or "discrete"

    Raises ResultError if lengths disagree, or times decrease or are not finite.
    """

    path: str
    time: FloatArray
    values: FloatArray
    unit: str = ""
    labels: tuple[str, ...] = ()
    kind: Kind = "continuous"

    def __post_init__(self) -> None:
        for name in ("path", "unit", "kind"):
            if not isinstance(getattr(self, name), str):
                raise bad_argument(f"the {name} of a trace", f"found {getattr(self, name)!r:.80}", "text")
        if not isinstance(self.labels, (tuple, list)) or not all(isinstance(n, str) for n in self.labels):
            raise bad_argument(f"trace {self.path}, labels", f"found {self.labels!r:.80}", "a list of texts")
        time = _seal_array(self.time)
        if np.signbit(time).any() and np.any((time == 0.0) & np.signbit(time)):
            time = _seal_array(time + 0.0)
        object.__setattr__(self, "time", time)
        object.__setattr__(self, "values", _seal_array(self.values))
        object.__setattr__(self, "labels", tuple(self.labels))
        self._check()

    @classmethod
    def _recorded(
        cls, path: str, time: FloatArray, values: FloatArray, unit: str, labels: tuple[str, ...], kind: Kind
    ) -> Trace:
        """A trace whose samples need no check.

        Both arrays are float64 in C order and no longer written to; the times are sorted and finite.
        """
        time.flags.writeable = values.flags.writeable = False
        trace = object.__new__(cls)
        trace.__dict__.update(path=path, time=time, values=values, unit=unit, labels=labels, kind=kind)
        return trace

    def _check(self) -> None:
        if self.time.ndim != 1 or self.values.shape[:1] != self.time.shape:
            raise ResultError(
                f"trace {self.path}: times {self.time.shape} and values {self.values.shape};"
                " expected (n,) and (n, ...) with the same n"
            )
        if not np.isfinite(self.time).all() or (self.time[1:] < self.time[:-1]).any():
            raise ResultError(f"trace {self.path}: times must be finite and never decrease")
        if self.size == 0:
            raise ResultError(f"trace {self.path}: shape {self.shape} has no elements; expected at least one")
        if self.labels and (len(self.labels) != self.size or len(set(self.labels)) != self.size):
            raise ResultError(
                f"trace {self.path}: labels {self.labels} for {self.size} elements;"
                " expected one for each, all different, or none"
            )
        if not isinstance(self.kind, str) or self.kind not in ("continuous", "discrete"):
            raise ResultError(f"trace {self.path}: kind {self.kind!r}; expected 'continuous' or 'discrete'")

    @property
    def shape(self) -> tuple[int, ...]:
        """Shape of the signal at one instant: () for a scalar."""
        return self.values.shape[1:]

    @property
    def size(self) -> int:
        """Number of elements of the signal."""
        return prod(self.shape)

    @property
    def samples(self) -> int:
        """Number of samples n."""
        return len(self.time)

    @property
    def final(self) -> FloatArray:
        """Value at the last sample, of the signal's shape."""
        if not self.samples:
            raise ResultError(f"trace {self.path} has no samples, so it has no final value")
        return np.array(self.values[-1])

    @property
    def indices(self) -> Iterator[tuple[int, ...]]:
        """Index of every element, in C order."""
        return product(*(range(n) for n in self.shape))

    @property
    def columns(self) -> tuple[str, ...]:
        """Name of every element by index: `plant.q[0]`, `m.y[0,1]`, or the path itself for a scalar."""
        if not self.shape:
            return (self.path,)
        return tuple(f"{self.path}[{','.join(map(str, index))}]" for index in self.indices)

    @property
    def names(self) -> tuple[str, ...]:
        """Name of every element for a reader: by label if there are labels, else by index."""
        return tuple(f"{self.path}[{label}]" for label in self.labels) or self.columns

    @property
    def units(self) -> tuple[str, ...]:
        """Unit of every element."""
        return element_units(self.unit, self.shape)

    @property
    def flat(self) -> FloatArray:
        """Values as (n, size), elements in C order."""
        return self.values.reshape(self.samples, self.size)

    def element(self, key: str | int) -> Trace:
        """The trace of one element: by label ("x"), or by index (0, "0", "0,1").

        The name of a bus field that is itself a vector selects all its elements: "position" those
        labelled position[0], position[1] ... or position.x, position.y ...
        Raises UnknownSignal for any other key.
        """
        if not isinstance(key, (str, int, np.integer)) or isinstance(key, bool):
            expected = f"the label or the index of an element, such as {self.path}[0]"
            raise bad_argument(f"an element of {self.path}", f"found {key!r:.80}", expected)
        name, key = f"{self.path}[{key}]", str(key).replace(" ", "")
        columns = [column[len(self.path) + 1 : -1] for column in self.columns] if self.shape else []
        for keys in ([label.replace(" ", "") for label in self.labels], columns):
            if key in keys:
                at = list(keys).index(key)
                element = replace(self, path=name, values=self.flat[:, at], unit=self.units[at], labels=())
                return element._between(self._dense_elements(at))
        chosen = [i for i, label in enumerate(self.labels) if label.startswith((f"{key}[", f"{key}."))]
        if not chosen:
            raise UnknownSignal(name, dict.fromkeys((*self.names, *self.columns)))
        units = [self.units[i] for i in chosen]
        part = replace(
            self,
            path=name,
            values=self.flat[:, chosen],
            unit=units[0] if len(set(units)) == 1 else ", ".join(units),
            labels=tuple(self.labels[i][len(key) :].strip(".[]") for i in chosen),
        )
        return part._between(self._dense_elements(chosen))

    def at(self, times: ArrayLike, method: Method = "auto") -> FloatArray:
        """Values at the given times; shape (*times.shape, *shape). `method` is the source of values
        between samples:

          "dense"        the solver's dense output, exact to its tolerance, for one more run: give all times
                         together. Needs a trace of a whole run, which is not read from a file
          "interpolate"  the samples: discrete ones held, continuous ones on straight lines, whose error is at
                         most h^2/8 max|y''| for samples every h
          "auto"         dense if available, else interpolate

        At an event: the limit from the right. Outside the samples: NaN, except that the last discrete
        value is held. Raises ResultError.
        """
        check_method(method, dense="_dense" in self.__dict__)
        instants = as_times("times", times)
        values = self._interpolated(instants)
        if method == "interpolate" or "_dense" not in self.__dict__ or not self.samples:
            return values
        inside = (instants > self.time[0]) & (instants < self.time[-1]) & ~np.isin(instants, self.time)
        if inside.any():
            values[inside] = self.__dict__["_dense"](instants[inside])
        return values

    def _between(self, dense: Dense | None) -> Trace:
        """The trace with its values between samples; they are lost when it is changed."""
        if dense is None:
            return self
        trace = object.__new__(Trace)
        trace.__dict__.update(self.__dict__, _dense=dense)
        return trace

    def _dense_elements(self, chosen: int | list[int]) -> Dense | None:
        """The dense output for some of the elements, as `_between` requires it."""
        dense = self.__dict__.get("_dense")
        return None if dense is None else lambda times: dense(times).reshape(len(times), -1)[:, chosen]

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "_dense"}

    def _interpolated(self, instants: FloatArray) -> FloatArray:
        """Values at instants, from the samples only."""
        spread = instants.reshape(instants.shape + (1,) * len(self.shape))
        if not self.samples:
            return np.full(instants.shape + self.shape, np.nan)
        left = np.searchsorted(self.time, instants, side="right") - 1
        values = self.values[np.maximum(left, 0)]
        if self.kind == "continuous":
            right = np.minimum(left + 1, self.samples - 1)
            span = self.time[right] - self.time[left]
            weight = np.divide(
                instants - self.time[left], span, out=np.zeros_like(instants), where=span > 0.0
            )
            weight = weight.reshape(spread.shape)
            with np.errstate(invalid="ignore"):
                moved = values + (self.values[right] - values) * weight
            values = np.where(weight > 0.0, moved, values)
            values = np.where(spread > self.time[-1], np.nan, values)
        return np.where(spread >= self.time[0], values, np.nan)

    def identical(self, other: Trace) -> bool:
        """True if both hold the same description and the same bits."""
        return isinstance(other, Trace) and (
            (self.path, self.unit, self.labels, self.kind)
            == (other.path, other.unit, other.labels, other.kind)
            and self.values.shape == other.values.shape
            and self.time.tobytes() == other.time.tobytes()
            and self.values.tobytes() == other.values.tobytes()
        )

    def to_xarray(self) -> xr.DataArray:
        """The trace with dimensions `time` and, for a vector, `element`; for a matrix, `row` and `column`.

        Labels of a vector become the coordinate `element`: `a.sel(element="x")`. Attributes: path, units,
        kind. The values are the trace's, read-only: `a.copy()` can be changed.
        """
        from .dataset import data_array

        return data_array(self)


def check_method(method: object, *, dense: bool) -> None:
    """Raise ResultError for anything but a Method, and for an unavailable one; `dense`: there is dense
    output.
    """
    if not isinstance(method, str) or method not in ("auto", "dense", "interpolate"):
        raise ResultError(f"method is {method!r:.80}\nexpected: 'auto', 'dense' or 'interpolate'")
    if method == "dense" and not dense:
        raise ResultError(
            "no dense output: this result was read from a file, or its run did not reach its end\n"
            "expected: the diagram run again, or method='interpolate'"
        )


def as_times(name: str, times: ArrayLike) -> FloatArray:
    """Instants as numbers. Raises ResultError for anything else."""
    try:
        return np.array(times, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        raise bad_argument(name, f"found {times!r:.80}", "instants in s, a list of numbers") from None


def _is_read_only(array: object) -> TypeGuard[FloatArray]:
    if not isinstance(array, np.ndarray) or type(array) is not np.ndarray or array.dtype != np.float64:
        return False
    return bool(array.flags.c_contiguous and not array.flags.writeable)


def _seal_array(array: ArrayLike) -> FloatArray:
    """The array as float64 in C order, as a read-only view. Raises ResultError."""
    if _is_read_only(array):
        return array
    try:
        view = np.ascontiguousarray(array, dtype=np.float64).view()
    except (TypeError, ValueError, OverflowError):
        raise bad_argument("the samples of a trace", f"found {array!r:.80}", "an array of numbers") from None
    view = view.reshape(np.shape(array))
    view.flags.writeable = False
    return view


def merged_time(axes: Sequence[FloatArray]) -> FloatArray:
    """The union of sorted time axes, each instant with its greatest multiplicity."""
    different = _different(axes)
    if len(different) <= 1:
        return different[0] if different else np.empty(0)
    instants = np.unique(np.concatenate(different))
    counts = np.zeros(instants.size, dtype=np.int64)
    for axis in different:
        distinct, times = np.unique(axis, return_counts=True)
        at = np.searchsorted(instants, distinct)
        counts[at] = np.maximum(counts[at], times)
    return np.repeat(instants, counts)


def rows_of(axis: FloatArray, merged: FloatArray) -> NDArray[np.int64]:
    """Rows of `merged` that hold the samples of `axis`.

    Where the merged axis has an instant more often than this one, the samples go to its last rows:
    a sample taken once is the limit from the right.
    """
    if axis.size == merged.size:
        return np.arange(axis.size)
    places = np.arange(axis.size)
    from_the_last = np.searchsorted(axis, axis, side="right") - places
    return np.asarray(np.searchsorted(merged, axis, side="right") - from_the_last, dtype=np.int64)


def axis_groups(axes: Sequence[FloatArray]) -> list[int]:
    """For each axis, the number of the group of axes equal to it, numbered as they appear."""
    different: list[FloatArray] = []
    return [_number(axis, different) for axis in axes]


def _different(axes: Sequence[FloatArray]) -> list[FloatArray]:
    different: list[FloatArray] = []
    for axis in axes:
        _number(axis, different)
    return different


def _number(axis: FloatArray, different: list[FloatArray]) -> int:
    for number, other in enumerate(different):
        if other is axis or (other.size == axis.size and np.array_equal(other, axis)):
            return number
    different.append(axis)
    return len(different) - 1
