"""Capabilities of a block other than its equations, found by name and never by its class."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Protocol, TypeAlias

import numpy as np

from .parts import part

if TYPE_CHECKING:
    from ...robots.model.robot import Robot
    from ...robots.planning.occupancy_map import OccupancyMap
    from ...robots.shapes.multirotor import Multirotor
    from ...robots.shapes.wheeled import WheeledBody
    from .icon import Icon
    from .parameter import Array

PLANT, SOLVER, USER, REFERENCE = range(4)
"""Blocks that move a body, that compute its q, that have q as an input, or that have its q_ref."""


@dataclass(frozen=True)
class Body:
    """A body that films can show, and the signals that move it, in order of preference.

    `signals` are the block's outputs or states, or with `is_input` an input of it: joint coordinates of a
    robot; for a multirotor, the position (3,), m, and its attitude, a quaternion, under the name that
    `attitudes` gives for the position, or x, y, z, yaw, pitch, roll in one signal; for a wheeled vehicle,
    its pose x, y, heading. Of the bodies of a diagram, those with the lowest `rank` are drawn. `stops` are
    inputs and outputs with an element per rotor; a rotor stands still if its element is 0.
    """

    shape: Robot | Multirotor | WheeledBody
    signals: tuple[str, ...]
    rank: int = PLANT
    is_input: bool = False
    attitudes: Mapping[str, str] = field(default_factory=dict)
    stops: tuple[str, ...] = ()


@dataclass(frozen=True)
class FlightSignals:
    """Signals of a vehicle in a world with z down: outputs, states or inputs, in order of preference.

    position  (3,), m
    attitude  a quaternion, scalar first, from body to world
    speeds    of its rotors, rad/s
    """

    position: tuple[str, ...]
    attitude: tuple[str, ...]
    speeds: tuple[str, ...]


@dataclass(frozen=True)
class Marks:
    """The ground that vehicles move on, as lines of a film.

    signals  outputs or inputs of the block that a result must hold
    lines    size, *values -> ends (k, n, 2, 2), m, of n lines at k instants, from the signals' values, a row
             per instant, and the vehicle's size, m; k is 1 without signals
    actual   true for the world itself, false for an estimate or a reference
    label    its name in the key; if empty, the names of the block and the first output
    """

    signals: tuple[str, ...]
    lines: Callable[..., Array]
    actual: bool = False
    label: str = ""


@dataclass(frozen=True)
class Doubt:
    """A probable mistake in the signals of a run.

    inputs    inputs of the block that a result must hold
    sentence  times (k,), *values (k, ...) -> a sentence for the result's notices, or an empty text
    """

    inputs: tuple[str, ...]
    sentence: Callable[..., str]


def high_at_start(port: str, level: Any) -> Doubt:
    """Notice about an input with rising edges: an element that begins above its level has no edge."""

    def sentence(time: Array, values: Array) -> str:
        first, levels = np.broadcast_arrays(values[0], level)
        high = np.argwhere(first > levels)
        if not len(high):
            return ""
        element = tuple(high[0].tolist())
        name = f"{port}[{', '.join(map(str, element))}]" if first.size > 1 else port
        return (
            f"`{name}` is {first[element]:g} at the start, {time[0]:g} s, which is not a rising edge through"
            f" {levels[element]:g}; let it rise after the start, or set the initial value that the edge"
            " would produce"
        )

    return Doubt((port,), sentence)


Form: TypeAlias = Literal["time", "xy", "value", "file"]


class Axes(Protocol):
    """A figure of a block's inputs in a result: one pair of axes, unless `figure_form` gives another form."""

    @property
    def title(self) -> str:
        """Its title; empty: the block's path."""
        ...

    @property
    def units(self) -> Sequence[str]:
        """One per input, or none."""
        ...

    def element_labels(self, counts: Sequence[int]) -> Sequence[Sequence[str]]:
        """The labels of each input, from its number of elements: one, one per element, or none."""
        ...


class Capabilities:
    """The capabilities of every block; a block without a capability inherits the default below."""

    logs: ClassVar[bool] = False  # a result keeps its inputs, under `log_name`
    ends_run: ClassVar[bool] = False  # a mode other than 0 ends the run, with `failure`

    aims: ClassVar[Mapping[str, str]] = {}
    """Inputs that are references of other inputs: {"position": "position_ref"}."""

    figure_form: ClassVar[Form] = "time"
    """Form of its `figure`: drawn over time, one input over another, as a last value, or in a file."""

    passes: ClassVar[Sequence[str]] = ()
    """Inputs whose values its output repeats: immediately, from the last tick, or when selected."""

    icon: ClassVar[Icon | str] = ""
    """Its picture in a drawn diagram: an Icon, text or the name of a picture; by default the type's name."""

    def symbol(self) -> Icon | str:
        """The icon; a block whose icon depends on its parameters makes it here."""
        return self.icon

    @part("program")
    def logged(self) -> Sequence[str] | None:
        """The outputs that a result keeps if the diagram does not list them; None: all.

        The others are computed only if they are read or logged.
        """
        return None

    def log_name(self, path: str) -> str | None:
        """The name of its input in the result, for a block at this path; None: the driver's name."""
        return None

    def failure(self) -> str | None:
        """The reason why a run ended by this block failed; None if it ended without an error."""
        return None

    def figure(self) -> Axes | None:
        """The figure of its inputs in a result: axes that a plot draws, a value, a file."""
        return None

    def flown(self) -> FlightSignals | None:
        """The vehicle in a plot of the result: its track, attitude and rotor speeds."""
        return None

    def leads(self) -> Array | None:
        """The points (n, 2), m, of the path along which the block guides the vehicle of its input `pose`."""
        return None

    def bodies(self) -> Iterable[Body]:
        """Its moving bodies, for `Result.animate`."""
        return ()

    def doubts(self) -> Iterable[Doubt]:
        """Probable mistakes in its inputs, for the notices of a result."""
        return ()

    def surroundings(self) -> OccupancyMap | None:
        """Its map, whose walls films show."""
        return None

    def marks(self) -> Iterable[Marks]:
        """Its map of the ground, for `Result.animate`."""
        return ()
