"""Declare ports, states and zero crossings of a block."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from math import prod

Shape = tuple[int, ...]


@dataclass(frozen=True)
class Size:
    """The shape of a signal, and the names of its parts when it is a bus.

    () is a scalar, (3,) a vector, (4, 4) a pose. A bus is a vector whose parts have names; a part may
    be a bus itself.
    """

    shape: Shape = ()
    fields: tuple[tuple[str, Size], ...] = field(default=(), compare=True)

    @property
    def count(self) -> int:
        """The number of elements."""
        return prod(self.shape)

    def part(self, name: str) -> tuple[int, Size] | None:
        """First element and size of a bus field."""
        start = 0
        for key, size in self.fields:
            if key == name:
                return start, size
            start += size.count
        return None

    def within(self, part: tuple[str | tuple[int, int], ...]) -> Size | None:
        """The size of a part; None without such a part.

        Each step into the part is the name of a bus field, or (i, n): piece i of n equal pieces.
        """
        size = self
        for step in part:
            if isinstance(step, str):
                found = size.part(step)
                if found is None:
                    return None
                size = found[1]
            elif not size.shape or size.shape[0] % step[1]:
                return None
            else:
                rows = size.shape[0] // step[1]
                size = Size((*((rows,) if rows > 1 else ()), *size.shape[1:]))
        return size

    def __str__(self) -> str:
        if self.fields:
            inside = (f"{key}: bus" if size.fields else f"{key}: {size}" for key, size in self.fields)
            return "bus {" + ", ".join(inside) + "}"
        if not self.shape:
            return "scalar"
        return ("vector " if len(self.shape) == 1 else "matrix ") + "x".join(map(str, self.shape))


SCALAR = Size()


def bus(**fields: Size) -> Size:
    """A bus of the given fields, in their order."""
    return Size((sum(size.count for size in fields.values()),), tuple(fields.items()))


@dataclass(frozen=True)
class Like:
    """The unit of an output, taken from inputs: the unit that all of them have, times s^seconds.

    For vectors it is taken element by element; a scalar made of a vector has the unit that all elements have.
    `exact` is false if there is a factor of unknown unit, as in Gain.
    """

    inputs: tuple[str, ...]
    seconds: int = 0
    exact: bool = True


@dataclass(frozen=True)
class Port:
    """A named connection point: its size (None: the connected signal's), unit and meaning.

    `like` names the inputs from which an output takes its unit, if `unit` does not: see `docs/units.md`.

    `default` is the value of an input that may stay unconnected; without it, an open input is an error.
    With `flat`, functions get an input of any shape as one row of its elements, a scalar as an array of one:
    a function of arrays then serves scalars, vectors and matrices. `pace` of an input is the minimum and
    maximum sample time of a sampled source, in sample times of the block. With `buses`, an input without a
    size takes buses too; others reject them. An elementwise block passes a bus on with its fields. A
    `direction`, such as a quaternion or an axis, may have any length except 0. `elements` are the names of a
    vector's elements, for legends and results: ("x", "y", "z"); by default their indices. `size_rule`
    explains in help how a size depends on the parameters of the block: `n, one per joint`.
    """

    name: str
    size: Size | int | None = None
    unit: str = ""
    doc: str = ""
    default: float | None = None
    buses: bool = False
    like: Like | None = None
    direction: bool = False
    flat: bool = False
    pace: tuple[float, float] | None = None
    elements: tuple[str, ...] = ()
    size_rule: str = field(default="", compare=False, repr=False)

    def fixed(self) -> Size | None:
        """The size when the declaration fixes it."""
        if isinstance(self.size, int):
            return SCALAR if self.size == 1 else Size((self.size,))
        return self.size

    def seen(self, shape: Shape) -> Shape:
        """The shape in which functions get a signal of this shape."""
        return (prod(shape),) if self.flat else shape


XYZ = ("x", "y", "z")
RPY = ("roll", "pitch", "yaw")
WXYZ = ("w", "x", "y", "z")
PLANAR = ("x", "y", "heading")
TWIST = ("v_x", "v_y", "v_z", "omega_x", "omega_y", "omega_z")
WRENCH = ("f_x", "f_y", "f_z", "m_x", "m_y", "m_z")
PER_JOINT = "n, one per joint"
PER_ROTOR = "n, one per rotor"
PER_LANDMARK = "n, one per landmark"
PER_POINT = "n, one per point"
PER_WHEEL = "n, one per wheel"


def rotors(count: int) -> tuple[str, ...]:
    """The names of a multirotor's rotors, counted from 1 as in its description."""
    return tuple(f"rotor {i + 1}" for i in range(count))


@lru_cache
def numbered_ports(count: int) -> tuple[Port, ...]:
    """The ports u0, u1, ... of a block with this number of inputs."""
    return tuple(Port(f"u{i}") for i in range(count))


@dataclass(frozen=True)
class State:
    """A state of a block: its name, the parameter or constant that holds its initial value, its unit.

    `held` states are not integrated: without sample time they change at events only. `before` names a
    port: such a held state has at every instant the value of that signal just before, even when the signal
    jumps. `like` names the output or input whose unit it has, if `unit` is not given. A `remembered` state is
    an array that only `remember` changes, in place. A `fixed` state is held and never changes. `scale` names
    a constant, the error of the state that changes an output by 1; the absolute tolerance of the state is
    `atol` times this constant.
    """

    name: str
    initial: str = ""
    unit: str = ""
    held: bool = False
    like: str = ""
    before: str = ""
    remembered: bool = False
    fixed: bool = False
    scale: str = ""


@dataclass(frozen=True)
class Unknown:
    """An unknown that an equation of the block determines at every instant: NAME = F(NAME, ...).

    Functions name it as if it were an input, and `output_solved_NAME` gives F; `sizes` gives its size, as
    for an output solved_NAME. The algebraic loop through it is solved for any setting of the run's `loops`;
    the search begins at the value of the parameter or constant `start`.
    """

    name: str
    start: str
    flat: bool = False  # see Port

    @property
    def solved(self) -> str:
        """The name of F, among the outputs."""
        return f"solved_{self.name}"


@dataclass(frozen=True)
class Crossing:
    """A zero crossing: an event when the value rises (+1) or falls (-1) through zero, or either (0).

    A value that is zero at the start, or in a new mode, has no sign yet. Leaving zero is then an event too,
    so that a ball that starts on its floor does not fall through it. With `passage`, for crossings that count
    or measure, only a change of sign is an event.

    With `turns`, the event is not at a zero, but where the value begins to rise (+1), at a minimum, or to
    fall (-1), at a maximum, even abruptly. A constant value never turns.

    A block of arrays may watch `count` values together: its `crossing` then writes into an array with the
    name of the crossing.
    """

    name: str
    direction: int = 0
    count: int = 0
    passage: bool = False
    turns: bool = False
