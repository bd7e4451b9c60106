"""Movers: what a diagram can move, and under which names a result may hold the motion."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...base.errors import BlockdynError
from .actors import Actor, ArmActor, CraftActor, WheelActor
from .motion import coordinates, finite
from .moving import BY_NAME, NoArm

if TYPE_CHECKING:
    from ...blocks.contract.capabilities import Body
    from ...robots.animation.multirotor import Multirotor
    from ...robots.animation.wheeled import WheeledBody
    from ...robots.model.robot import Robot
    from ..model.flat import FlatBlock, FlatDiagram
    from .result import Result


@dataclass(frozen=True)
class Mover(ABC):
    """A block, its rank, and the names under which a result may hold what it moves, the best first."""

    block: str
    rank: int
    names: tuple[str, ...]

    def held(self, names: Collection[str]) -> str | None:
        """The first of its names that a result holds."""
        return next((name for name in self.names if name in names), None)

    @abstractmethod
    def joints(self) -> int | None:
        """Of an arm the number of its joints."""

    @abstractmethod
    def actor(self, result: Result, name: str, robot: Robot | None) -> Actor:
        """What the signal of that name moves: an arm, or `robot` in its place. Raises NoCoordinates."""


@dataclass(frozen=True)
class ArmMover(Mover):
    """A robot."""

    robot: Robot

    def joints(self) -> int:
        return self.robot.n

    def actor(self, result: Result, name: str, robot: Robot | None) -> Actor:
        moved = robot or self.robot
        return ArmActor(moved, coordinates(result, name, moved.name, moved.n))


@dataclass(frozen=True)
class CraftMover(Mover):
    """A multirotor; its attitude goes by a name of its own, but for that in `state`.

    `stops` holds the names of each signal by which rotors stand still.
    """

    kind: str
    body: Multirotor
    attitudes: Mapping[str, str]
    stops: tuple[tuple[str, ...], ...] = ()

    def held(self, names: Collection[str]) -> str | None:
        return next((name for name in self.names if {name, self._attitude(name) or name} <= {*names}), None)

    def joints(self) -> None:
        return None

    def actor(self, result: Result, name: str, robot: Robot | None) -> Actor:
        attitude = self._attitude(name)
        turned = None if attitude is None else finite(result.trace(attitude))
        signals = (next((each for each in names if each in result.signals), None) for names in self.stops)
        traces = tuple(result.signals[each] for each in signals if each is not None)
        stops = tuple(each for each in traces if each.samples and each.size == len(self.body.hubs))
        return CraftActor(self.kind, self.body, finite(result.trace(name)), turned, stops)

    def _attitude(self, name: str) -> str | None:
        """The name of the attitude beside a position; None for a signal that holds both."""
        block, _, port = name.rpartition(".")
        return f"{block}.{self.attitudes[port]}" if port in self.attitudes else None


@dataclass(frozen=True)
class WheelMover(Mover):
    """A vehicle on wheels, and the points of the path along which a driver leads it."""

    kind: str
    body: WheeledBody
    path: Any

    def joints(self) -> None:
        return None

    def actor(self, result: Result, name: str, robot: Robot | None) -> Actor:
        return WheelActor(self.kind, self.body, finite(result.trace(name)), self.path)


def movers_of(flat: FlatDiagram) -> list[Mover]:
    """What a diagram moves: by its plants, then by what computes q, what is given q, what is told q_ref."""
    aliases: dict[tuple[str, str], list[str]] = {}
    for name, origin in flat.aliases.items():
        aliases.setdefault(origin, []).append(name)
    movers = [
        mover
        for part in flat.blocks
        for body in part.block.bodies()
        if (mover := _mover(flat, part, body, aliases)) is not None
    ]
    return sorted(movers, key=lambda mover: mover.rank)


def _mover(
    flat: FlatDiagram, part: FlatBlock, body: Body, aliases: dict[tuple[str, str], list[str]]
) -> Mover | None:
    """A block's body under all names of its signals; None where nothing drives the input that moves it."""
    from ...robots.animation.wheeled import WheeledBody
    from ...robots.model.robot import Robot

    ends = [part.sources.get(name) if body.is_input else (part.path, name) for name in body.signals]
    if None in ends:
        return None
    names: list[str] = []
    for end in filter(None, ends):
        names += [".".join(end), *(() if body.attitudes else aliases.get(end, ()))]
    if isinstance(body.shape, Robot):
        return ArmMover(part.path, body.rank, tuple(names), body.shape)
    if isinstance(body.shape, WheeledBody):
        followed = (other.block.leads() for other in flat.blocks if other.sources.get("pose") in ends)
        path = next((points for points in followed if points is not None), None)
        return WheelMover(part.path, body.rank, tuple(names), part.block.kind(), body.shape, path)
    stops = [part.sources.get(name) or (part.path, name) for name in body.stops]
    return CraftMover(
        part.path, body.rank, tuple(names), part.block.kind(), body.shape, dict(body.attitudes),
        tuple((".".join(end), *aliases.get(end, ())) for end in stops),
    )  # fmt: skip


def described(result: Result, folder: str | PathLike[str] | None = None) -> FlatDiagram:
    """The diagram that the result carries; files that it names are looked for in `folder`.

    Raises NoArm where the result carries none, or its diagram cannot be opened here.
    """
    from ..model.flatten import flatten

    parameters, text = result.provenance.parameters, result.provenance.description
    if result.provenance.source is not None:
        return flatten(result.provenance.source, parameters=parameters)
    if text is None:
        why = "the result does not hold its diagram, which names Python objects"
        raise NoArm(why, BY_NAME)
    from ..yaml import loads

    try:
        return flatten(loads(text, folder=folder), parameters=parameters)
    except BlockdynError as error:
        why = f"the diagram in the result cannot be opened: {error}"
        raise NoArm(why, BY_NAME) from error


def robot_named(spec: Any) -> Robot:
    """A robot from a name, a mapping, a .yaml or .urdf file, or a Robot. Raises RobotError."""
    from ...robots.library.catalogue import catalogue, robot_from

    if isinstance(spec, (str, Path)) and str(spec) not in catalogue():
        suffix = Path(spec).suffix.lower()
        if suffix in (".urdf", ".yaml", ".yml"):
            return robot_from({"urdf" if suffix == ".urdf" else "file": str(spec)})
    return robot_from(str(spec) if isinstance(spec, Path) else spec)
