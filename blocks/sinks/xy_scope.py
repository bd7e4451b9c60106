"""XYScope: one signal drawn over another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from ..contract.block import Block
from ..contract.capabilities import Form
from ..contract.errors import ParameterError, SizeError
from ..contract.parameter import option
from ..contract.port import Port, Size

MOST_POINTS = 100


class XYScope(Block):
    """Keeps x and y in the result and plots y over x: a path in the plane, a phase portrait, a loop.

    Vectors of n elements give n curves, one for each pair of elements, named by `curves`. With `points` the
    inputs are that many vectors [x, y], u0, u1, ..., with one curve each, such as reference and position.
    Equal units get equal scales. `result.plot` and pages draw it. Raises SizeError for signals of different
    sizes, or if the number of curves differs from the number of names.

    Example:
        {type: XYScope, title: Path, labels: [east, north], units: [m, m]}
    """

    icon = "circle path"
    inputs: ClassVar = (Port("x"), Port("y"))
    outputs: ClassVar = ()
    logs: ClassVar[bool] = True
    figure_form: ClassVar[Form] = "xy"

    title: str = option(default="", doc="title of the axes")
    labels: Sequence[str] = option(default=(), doc="labels of x and y; otherwise the names of the signals")
    units: Sequence[str] = option(default=(), doc="units of x and y; default: the units of the signals")

    curves: Sequence[str] = option(default=(), doc="names of the curves, one for each pair of elements")
    points: int | None = option(default=None, doc="number of inputs [x, y]; otherwise the inputs are x and y")

    def check(self) -> None:
        for name in ("labels", "units"):
            value = getattr(self, name)
            if len(value) not in (0, 2):
                raise ParameterError("XYScope", name, value, "two texts, for x and for y")
        if self.points is not None and not 1 <= self.points <= MOST_POINTS:
            raise ParameterError("XYScope", "points", self.points, f"a whole number from 1 to {MOST_POINTS}")
        if self.points is not None and len(self.curves) not in (0, self.points):
            raise ParameterError("XYScope", "curves", self.curves, f"{self.points} names, one per point")

    def figure(self) -> XYScope:
        return self

    def sizes(self, inputs: Mapping[str, Size | None]) -> Mapping[str, Size | None]:
        if self.points is not None:
            for port, size in inputs.items():
                if size is not None and size.shape != (2,):
                    raise SizeError(str(size), "a vector [x, y] of 2 elements", port)
            return {}
        x, y = inputs["x"], inputs["y"]
        for size, port in ((x, "x"), (y, "y")):
            if size is not None and len(size.shape) > 1:
                raise SizeError(str(size), "a scalar or a vector", port)
        if x is not None and y is not None and x.shape != y.shape:
            raise SizeError(str(y), f"{x}, as x is", "y")
        if x is not None and self.curves and x.count != len(self.curves):
            raise SizeError(str(x), f"{len(self.curves)} elements, one for each of `curves`", "x")
        return {}

    def element_labels(self, counts: Sequence[int]) -> list[tuple[str, ...]]:
        """The label of x with the names of the curves, and the label of y."""
        x, y = self.labels or ("", "")
        return [(x, *self.curves), (y,)]

    def input_ports(self) -> tuple[Port, ...]:
        units = self.units or ("", "")
        if self.points is not None:
            return tuple(Port(f"u{i}", unit=", ".join(self.units)) for i in range(self.points))
        return Port("x", unit=units[0]), Port("y", unit=units[1])
