"""A link holds a rigid body's frame, mass, centre of mass and inertia."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from ...base.checked import checked_numbers
from ...base.hints import AttributeHints, hint_keywords
from ..errors import InvalidRobot, RobotWarning, count_own_frames
from .poses import IDENTITY, Array, Matrix, Rows, Vector, numbers, pose, vector

NO_INERTIA: Rows = ((0.0, 0.0, 0.0),) * 3
SLACK = 1e-9  # relative, allows for rounding of printed numbers
NOTHING = 1e-15  # kg m2, allows for rounding in sums of larger numbers: 1 ug at a radius of 1 mm
_ELEMENTS = {"xx": (0, 0), "yy": (1, 1), "zz": (2, 2), "xy": (0, 1), "xz": (0, 2), "yz": (1, 2)}


@dataclass(frozen=True)
class Link(AttributeHints):
    """A rigid body; all data in the frame of the link, SI units.

    `frame` is the link frame relative to the output frame of the joint (identity for modified DH, Tz(d) Tx(a)
    Rx(alpha) for standard DH). `inertia` is about the centre of mass: [Ixx, Iyy, Izz], a symmetric 3x3
    tensor, or {xx, yy, zz, xy, xz, yz} (elements of the tensor: Ixy = -sum m x y).

    Warns (RobotWarning) if the principal moments violate the triangle inequality, which no mass distribution
    does. `accepted` suppresses the warning, and takes a mass and moments below 0. Raises InvalidRobot.
    """

    name: str
    mass: float = 0.0
    com: Vector = (0.0, 0.0, 0.0)
    inertia: Matrix = NO_INERTIA
    frame: Matrix = field(default=IDENTITY, repr=False)
    accepted: bool = field(default=False, compare=False, repr=False)

    @checked_numbers(InvalidRobot)
    def __post_init__(self) -> None:
        here = f"link `{self.name}`"
        if not isinstance(self.name, str) or not self.name or self.name in ("base", "tool"):
            raise InvalidRobot("link", f"the name {self.name!r}", "a text other than base and tool")
        if not isinstance(self.accepted, (bool, np.bool_)):
            raise InvalidRobot(f"{here}, accepted", f"found {self.accepted!r}"[:80], "true or false")
        self._set("frame", pose(self.frame, f"{here}, frame"))
        self._set("com", vector(self.com, f"{here}, com"))
        mass = vector([self.mass], f"{here}, mass", 1)[0]
        if mass < 0 and not self.accepted:
            raise InvalidRobot(here, f"the mass is {mass:g} kg", "at least 0 kg")
        self._set("mass", mass)
        inertia = tensor(self.inertia, f"{here}, inertia")
        self._set("inertia", tuple(tuple(row) for row in inertia.tolist()))
        problem = doubt(inertia, here, negative=bool(self.accepted))
        if problem and not self.accepted:
            warnings.warn(problem, RobotWarning, stacklevel=count_own_frames())
            self._set("accepted", True)

    def _set(self, name: str, value: object) -> None:
        object.__setattr__(self, name, value)


Link.__init__ = hint_keywords(Link.__init__)  # type: ignore[method-assign]


def tensor(value: object, place: str) -> Array:
    """A symmetric 3x3 tensor from any of its forms. Raises InvalidRobot."""
    expected = "[Ixx, Iyy, Izz], a symmetric 3x3 tensor, or {xx, yy, zz, xy, xz, yz}"
    if isinstance(value, Mapping):
        wrong = sorted(str(key) for key in value if key not in _ELEMENTS)
        if wrong:
            raise InvalidRobot(place, f"the keys {', '.join(wrong)}", expected)
        inertia = np.zeros((3, 3))
        for key, number in value.items():
            i, j = _ELEMENTS[key]
            inertia[i, j] = inertia[j, i] = vector([number], f"{place}, {key}", 1)[0]
        return inertia
    array = numbers(value)
    if array.shape == (3,):
        array = np.diag(array)
    if array.shape == (6,):
        expected = "a mapping {xx, yy, zz, xy, xz, yz}: the order of six numbers differs from book to book"
    if array.shape != (3, 3) or not np.isfinite(array).all():
        raise InvalidRobot(place, f"found {value!r}"[:90], expected)
    if np.abs(array - array.T).max() > 1e-6 * max(1e-30, float(np.abs(array).max())):
        raise InvalidRobot(place, "the tensor is not symmetric", expected)
    return np.asarray(array / 2 + array.T / 2)  # the sum of two large ones overflows


def principal(inertia: Array) -> Array:
    """The principal moments of a symmetric tensor, in increasing order."""
    if inertia[0, 1] == inertia[0, 2] == inertia[1, 2] == 0.0:
        return np.sort(np.diagonal(inertia))
    return np.asarray(np.linalg.eigvalsh(inertia), np.float64)


def doubt(inertia: Array, place: str, rounding: float = 0.0, *, negative: bool = False) -> str:
    """A warning about the principal moments, or ''. Raises InvalidRobot for one below 0 unless `negative`.

    `rounding` bounds the error of the moments, kg m2.
    """
    if not inertia.any():
        return ""
    try:
        moments = principal(inertia)
    except np.linalg.LinAlgError:
        raise InvalidRobot(f"{place}, inertia", "the elements are too large", "kg m2") from None
    if moments[0] < -max(SLACK * float(moments[2]), NOTHING, rounding):
        shown = ", ".join(f"{m:.4g}" for m in moments)
        if negative:
            return f"{place}: the principal moments are {shown} kg m2; no body has one below 0"
        raise InvalidRobot(f"{place}, inertia", f"the principal moments are {shown} kg m2", "none below 0")
    if moments[2] <= (moments[0] + moments[1]) * (1 + SLACK) + max(NOTHING, 3 * rounding):
        return ""
    shown = " + ".join(f"{m:.4g}" for m in moments[:2])
    return (
        f"{place}: the principal moments violate the triangle inequality: {moments[2]:.4g} > {shown} kg m2;"
        " no body has them. Is the inertia about the centre of mass, and in the right axes?"
    )
