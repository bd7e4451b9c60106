"""Axis: what varies in a sweep, the targets that get its value, and where its values come from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from ...base.location import Location
from . import distributions
from .axes import explicit
from .axes.explicit import Values
from .distributions import Distribution


@dataclass(frozen=True)
class Axis:
    """One axis: `form` says how its values are given, `declared` are the numbers of that form.

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
        """Whether its values are drawn from a distribution."""
        return self.form in distributions.FORMS

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of its numbers: its own, or one a component, `name[i]`."""
        if self.form != "gaussian":
            return (self.name,)
        return tuple(f"{self.name}[{i}]" for i in range(self.distribution.width))

    @property
    def size(self) -> int:
        """How many values it lists."""
        return len(self.values)

    @cached_property
    def values(self) -> Values:
        """The values that it lists."""
        return explicit.FORMS[self.form](self.declared)

    @cached_property
    def distribution(self) -> Distribution:
        """What its values are drawn from."""
        return distributions.distribution(self.form, self.declared, self.name, self.location)

    def described(self) -> dict[str, Any]:
        """The axis as JSON has it; `read` makes it again."""
        return {"name": self.name, "paths": list(self.paths), self.form: explicit.plain(self.declared)}

    @classmethod
    def read(cls, described: Mapping[str, Any]) -> Axis:
        """The axis of a description."""
        form = next(key for key in described if key not in ("name", "paths"))
        return cls(described["name"], tuple(described["paths"]), form, described[form])
