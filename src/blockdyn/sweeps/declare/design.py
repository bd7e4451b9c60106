"""A design combines the axes of a sweep into scenarios, each defined by its number alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from math import prod
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...base.location import Location
from . import distributions
from .axes import explicit
from .axes.explicit import Values
from .distributions import Distribution
from .sampling import METHODS, Points


@dataclass(frozen=True)
class Axis:
    """One axis: `form` is the form of its values, `declared` are the numbers of that form.

    Forms are `values`, `linspace`, `logspace` and `count`, whose values are listed, and the distributions,
    whose values are drawn. All `paths` get the same value; of a correlated Gaussian, path i gets component i.
    """

    name: str
    paths: tuple[str, ...]
    form: str
    declared: Any
    location: Location | None = field(default=None, compare=False)

    @property
    def sampled(self) -> bool:
        """True if its values are drawn from a distribution."""
        return self.form in distributions.FORMS

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of its numbers: its own, or one a component, `name[i]`."""
        if self.form != "gaussian":
            return (self.name,)
        return tuple(f"{self.name}[{i}]" for i in range(self.distribution.width))

    @property
    def size(self) -> int:
        """The number of listed values."""
        return len(self.values)

    @cached_property
    def values(self) -> Values:
        """The values that it lists."""
        return explicit.FORMS[self.form](self.declared)

    @cached_property
    def distribution(self) -> Distribution:
        """The distribution of its values."""
        return distributions.distribution(self.form, self.declared, self.name, self.location)

    def described(self) -> dict[str, Any]:
        """The axis as JSON data; `read` makes it again."""
        return {"name": self.name, "paths": list(self.paths), self.form: explicit.plain(self.declared)}

    @classmethod
    def read(cls, described: Mapping[str, Any]) -> Axis:
        """The axis of a description."""
        form = next(key for key in described if key not in ("name", "paths"))
        return cls(described["name"], tuple(described["paths"]), form, described[form])


SAMPLE = "sample"


class Dimension(NamedTuple):
    """One direction of a sweep: its number of values, and the values of each of its axes."""

    name: str
    size: int
    coordinates: dict[str, Values]


class Group(NamedTuple):
    """Axes that go together along one dimension."""

    name: str
    axes: tuple[Axis, ...]


@dataclass(frozen=True)
class Design:
    """The scenarios made by axes.

    Each group of explicit axes is a dimension, the first one slowest; all sampled axes together are one more
    dimension, `sample`, of `number` values, the fastest. Scenario k is number k in that order:

        k = (... (i_1 n_2 + i_2) n_3 + ...) n + i_sample

    Only the groups, `number`, `seed` and `sampling` determine a scenario, not the number of scenarios
    requested at once, nor their order, nor the worker.
    """

    groups: tuple[Group, ...]
    sampled: tuple[Axis, ...] = ()
    number: int = 0
    seed: int = 0
    sampling: str = "random"
    _drawn: dict[str, Points] = field(default_factory=dict, init=False, repr=False, compare=False)

    @property
    def axes(self) -> tuple[Axis, ...]:
        """All axes, in order of the dimensions."""
        return (*(axis for group in self.groups for axis in group.axes), *self.sampled)

    @cached_property
    def sizes(self) -> tuple[int, ...]:
        """The sizes of the dimensions."""
        explicit = tuple(group.axes[0].size for group in self.groups)
        return (*explicit, self._points.count) if self.sampled else explicit

    @cached_property
    def count(self) -> int:
        """The number of scenarios."""
        return prod(self.sizes)

    @cached_property
    def dimensions(self) -> tuple[Dimension, ...]:
        """The dimensions with the values along them."""
        dimensions = [
            Dimension(group.name, size, {axis.name: axis.values for axis in group.axes})
            for group, size in zip(self.groups, self.sizes)
        ]
        if self.sampled:
            size = self.sizes[-1]
            values = [self._sampled(axis, 0, size) for axis in self.sampled]
            columns = {name: column for part in values for name, column in part.items()}
            dimensions.append(Dimension(SAMPLE, size, {**columns}))
        return tuple(dimensions)

    def columns(self, start: int, stop: int) -> dict[str, Values]:
        """The values of scenarios [start, stop) by path: arrays of numbers, lists of anything else."""
        by_path: dict[str, Values] = {}
        for axis, values in self._values(start, stop):
            columns = list(values.values())
            for i, path in enumerate(axis.paths):
                by_path[path] = columns[i] if len(columns) > 1 else columns[0]
        return by_path

    def coordinates(self, start: int, stop: int) -> dict[str, Values]:
        """The values of scenarios [start, stop) by the names of axes, `name[i]` for correlated ones."""
        return {name: column for _, part in self._values(start, stop) for name, column in part.items()}

    def scenario(self, k: int) -> dict[str, Any]:
        """The values of scenario k by path."""
        columns = self.columns(k, k + 1)
        return {
            path: float(column[0]) if isinstance(column, np.ndarray) else column[0]
            for path, column in columns.items()
        }

    def described(self) -> dict[str, Any]:
        """Everything that determines the scenarios, as JSON data; `Design.read` makes the design again."""
        axes = [axis.described() | {"group": group.name} for group in self.groups for axis in group.axes] + [
            axis.described() for axis in self.sampled
        ]
        description: dict[str, Any] = {"axes": axes}
        if self.sampled:
            description |= {"number": self.number, "seed": self.seed, "sampling": self.sampling}
        return description

    @classmethod
    def read(cls, described: Mapping[str, Any]) -> Design:
        """The design of a description."""
        groups: dict[str, list[Axis]] = {}
        sampled: list[Axis] = []
        for entry in described["axes"]:
            axis = Axis.read({key: value for key, value in entry.items() if key != "group"})
            (sampled if axis.sampled else groups.setdefault(entry["group"], [])).append(axis)
        return cls(
            tuple(Group(name, tuple(axes)) for name, axes in groups.items()), tuple(sampled),
            described.get("number", 0), described.get("seed", 0), described.get("sampling", "random"),
        )  # fmt: skip

    # ---- computing values ----

    @property
    def _points(self) -> Points:
        if not self._drawn:
            names = tuple(name for axis in self.sampled for name in axis.columns)
            self._drawn["points"] = METHODS[self.sampling](names, self.number, self.seed)
        return self._drawn["points"]

    def _values(self, start: int, stop: int) -> list[tuple[Axis, dict[str, Values]]]:
        """For every axis its columns in scenarios [start, stop)."""
        if not 0 <= start <= stop <= self.count:
            raise IndexError(f"scenarios {start} to {stop}; there are {self.count}, numbered from 0")
        k = np.arange(start, stop)
        stride = self.count
        values: list[tuple[Axis, dict[str, Values]]] = []
        for group, size in zip(self.groups, self.sizes):
            stride //= size
            place = k // stride % size
            values += [(axis, {axis.name: _select(axis.values, place)}) for axis in group.axes]
        if self.sampled:
            place = k % self.sizes[-1]
            low, high = (int(place.min()), int(place.max()) + 1) if k.size else (0, 0)
            for axis in self.sampled:
                part = self._sampled(axis, low, high)
                values.append((axis, {name: column[place - low] for name, column in part.items()}))
        return values

    def _sampled(self, axis: Axis, start: int, stop: int) -> dict[str, NDArray[np.float64]]:
        u = np.empty((stop - start, len(axis.columns)))
        for i, name in enumerate(axis.columns):
            u[:, i] = self._points.column(name, start, stop)
        x = axis.distribution.quantile(u)
        return {name: np.ascontiguousarray(x[:, i]) for i, name in enumerate(axis.columns)}

    def __getstate__(self) -> dict[str, Any]:
        state = {key: value for key, value in self.__dict__.items() if key not in _COMPUTED}
        return {**state, "_drawn": {}}


_COMPUTED = ("sizes", "count", "dimensions")


def _select(values: Values, place: NDArray[np.int64]) -> Values:
    if isinstance(values, np.ndarray):
        return values[place]
    return [values[i] for i in place]
