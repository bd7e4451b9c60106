"""Movers are the bodies that a diagram can move, and the signals that may hold their motion."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...base.errors import BlockdynError
from ...base.words import nearest
from ...diagrams.results.errors import ResultError
from .actors import Actor, ArmActor, CraftActor, WheelActor, coordinates, finite

if TYPE_CHECKING:
    from ...blocks.contract.capabilities import Body
    from ...diagrams.model.flat import FlatBlock, FlatDiagram
    from ...diagrams.results.result import Result
    from ...robots.model.robot import Robot
    from ...robots.shapes.multirotor import Multirotor
    from ...robots.shapes.wheeled import WheeledBody


@dataclass(frozen=True)
class Mover(ABC):
    """A block, its rank, and the names of its motion in a result, the best first."""

    block: str
    rank: int
    names: tuple[str, ...]

    def held(self, names: Collection[str]) -> str | None:
        """The first of its names in a result."""
        return next((name for name in self.names if name in names), None)

    @abstractmethod
    def joints(self) -> int | None:
        """The number of an arm's joints."""

    @abstractmethod
    def actor(self, result: Result, name: str, robot: Robot | None) -> Actor:
        """The body that the signal with this name moves: an arm, or `robot` instead. Raises ResultError."""


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
    """A multirotor; its attitude has a separate name, except in `state`.

    `stops` holds the names of each signal that stops rotors.
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
        """The name of the attitude for a position; None for a signal with both."""
        block, _, port = name.rpartition(".")
        return f"{block}.{self.attitudes[port]}" if port in self.attitudes else None


@dataclass(frozen=True)
class WheelMover(Mover):
    """A wheeled vehicle, and the points of the path along which a driver leads it."""

    kind: str
    body: WheeledBody
    path: Any

    def joints(self) -> None:
        return None

    def actor(self, result: Result, name: str, robot: Robot | None) -> Actor:
        return WheelActor(self.kind, self.body, finite(result.trace(name)), self.path)


def movers_of(flat: FlatDiagram) -> list[Mover]:
    """Movers of a diagram: plants, then blocks that compute q, blocks that read q, blocks that read q_ref."""
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
    """A block's body under all names of its signals; None if the input that moves it is not driven."""
    from ...robots.model.robot import Robot
    from ...robots.shapes.wheeled import WheeledBody

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


def recorded_diagram(result: Result, folder: str | PathLike[str] | None = None) -> FlatDiagram:
    """The diagram in the result; its files are searched in `folder`.

    Raises NoArm if the result has no diagram, or the diagram cannot be opened.
    """
    from ...diagrams.model.flatten import flatten

    parameters, text = result.provenance.parameters, result.provenance.description
    if result.provenance.source is not None:
        return flatten(result.provenance.source, parameters=parameters)
    if text is None:
        why = "the result does not hold its diagram, which names Python objects"
        raise NoArm(why, BY_NAME)
    from ...diagrams.yaml import loads

    try:
        return flatten(loads(text, folder=folder), parameters=parameters)
    except BlockdynError as error:
        why = f"the diagram in the result cannot be opened: {error}"
        raise NoArm(why, BY_NAME) from error


def find_robot(spec: object) -> Robot:
    """A robot from a name, a mapping, a .yaml, .urdf or .xacro file, or a Robot. Raises RobotError."""
    from ...robots.library.catalogue import FILES, catalogue, robot_from, robot_in

    named = isinstance(spec, (str, Path)) and str(spec) not in catalogue()
    if named and Path(str(spec)).suffix.lower() in FILES:
        return robot_in(str(spec))
    return robot_from(str(spec) if isinstance(spec, Path) else spec)


BY_NAME = "robot and signal by name (--robot puma560 --signal plant.q, or robot=, signal=)"
MOST = 6  # bodies with distinct colours


class NoArm(ResultError):
    """A result without a body to draw; the message gives the reason, and the names to use."""

    def __init__(self, why: str, remedy: str) -> None:
        self.why = why
        super().__init__(f"there is nothing to draw: {why}\nexpected: {remedy}")


def choose(
    movers: Sequence[Mover],
    held: Collection[str],
    *,
    signal: str | None = None,
    robot: Robot | None = None,
    blocks: Sequence[str] | None = None,
) -> list[tuple[Mover, str]]:
    """The bodies to draw, and the signals that move them, by the diagram and the caller's choice.

    `held` are the names in the result. Raises NoArm, ResultError.
    """
    if signal is not None:
        return [(_by_signal(movers, signal), signal)]
    if blocks is not None:
        return _few([_by_block(movers, held, block) for block in dict.fromkeys(blocks)])
    by_signal: dict[str, Mover] = {}
    for mover in movers:
        name = mover.held(held)
        if name is not None and (robot is None or mover.joints() == robot.n):
            by_signal.setdefault(name, mover)
    if not by_signal:
        raise _describe_lack(movers)
    best = min(mover.rank for mover in by_signal.values())
    return _few([(mover, name) for name, mover in by_signal.items() if mover.rank == best])


def _few(chosen: list[tuple[Mover, str]]) -> list[tuple[Mover, str]]:
    if len(chosen) > MOST:
        names = ", ".join(name for _, name in chosen)
        raise ResultError(
            f"{len(chosen)} bodies move, {MOST} at most are drawn together: {names}\n"
            "expected: the blocks of some of them (--block, repeated, or block=)"
        )
    return chosen


def _by_signal(movers: Sequence[Mover], signal: str) -> Mover:
    """The mover of a signal: the best rank that reads or computes it; else the only arm."""
    fitting = [mover for mover in movers if signal in mover.names]
    fitting = fitting or [mover for mover in movers if mover.joints() is not None]
    arms = {id(getattr(mover, "robot", mover)): mover for mover in fitting if mover.rank == fitting[0].rank}
    if len(arms) != 1:
        why = f"no block with a robot reads or outputs {signal}"
        raise NoArm(why, "the robot, by name (--robot, or robot=)")
    return next(iter(arms.values()))


def _by_block(movers: Sequence[Mover], held: Collection[str], block: str) -> tuple[Mover, str]:
    """The mover of a block, or else the mover of the signals that it reads."""
    readers = [
        mover for mover in movers if any(block in (name, name.rpartition(".")[0]) for name in mover.names)
    ]
    fitting = readers or [mover for mover in movers if mover.block == block]
    if not fitting:
        names = list(dict.fromkeys(name.rpartition(".")[0] for mover in movers for name in mover.names))
        why = f"block {block} moves none{nearest(block, names)}"
        raise NoArm(why, f"one of {', '.join(names)}" if names else BY_NAME)
    for mover in fitting:
        name = mover.held(held)
        if name is not None:
            return mover, name
    raise _describe_lack(fitting)


def _describe_lack(movers: Sequence[Mover]) -> NoArm:
    if not movers:
        return NoArm("no block of the diagram is an arm, a multirotor or a wheeled vehicle", BY_NAME)
    example = movers[0].names[0]
    return NoArm(f"{example} was not logged", f"{example} under `log`, and another run; or a signal by name")
