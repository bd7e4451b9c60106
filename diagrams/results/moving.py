"""Moving arms: which robots move in a result, and which of its signals holds their joint coordinates."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...native.errors import BlockdynError
from .errors import ResultError

if TYPE_CHECKING:
    from ...robots.robot import Robot
    from ..flat import FlatDiagram
    from .result import Result

BY_NAME = "robot and signal by name (--robot puma560 --signal plant.q, or robot=, signal=)"
PLANT, SOLVER, USER = range(3)  # blocks that move the arm, that compute its q, that are given its q


@dataclass(frozen=True)
class Arm:
    """A robot, and the names under which a result may hold its joint coordinates, the best first."""

    robot: Robot
    block: str
    rank: int
    names: tuple[str, ...]


class NoArm(ResultError):
    """A result in which no arm is found to move: why, and what to name."""

    def __init__(self, why: str, remedy: str) -> None:
        self.why = why
        super().__init__(f"no arm to draw: {why}\nexpected: {remedy}")


class SeveralArms(ResultError):
    """A result in which several arms move."""

    def __init__(self, arms: Iterable[tuple[str, str]]) -> None:
        self.arms = tuple(arms)
        shown = ", ".join(f"{signal} ({robot})" for signal, robot in self.arms)
        super().__init__(
            f"several arms move: {shown}\nexpected: the signal of one of them (--signal, or signal=)"
        )


class NoCoordinates(ResultError):
    """A signal that is not the joint coordinates of the robot: its size, a value, or no samples at all."""

    def __init__(self, signal: str, found: str, expected: str) -> None:
        self.signal = signal
        super().__init__(f"{signal}: {found}\nexpected: {expected}")


def arms_of(flat: FlatDiagram) -> list[Arm]:
    """The arms of a diagram: what moves them, then what computes their q, then what is given it."""
    from ...blocks.arms.arm import ArmBlock

    other: dict[tuple[str, str], list[str]] = {}
    for name, origin in flat.aliases.items():
        other.setdefault(origin, []).append(name)
    found = []
    for part in flat.blocks:
        block = part.block
        if not isinstance(block, ArmBlock):
            continue
        source = part.sources.get("q")
        if any(port.name == "q" for port in block.output_ports()):
            moves = any(state.name == "position" for state in block.states)
            names = [f"{part.path}.q", *other.get((part.path, "q"), ())]
            names += [f"{part.path}.position"] if moves else []
            found.append(Arm(block.model, part.path, PLANT if moves else SOLVER, tuple(names)))
        elif source is not None:
            names = [".".join(source), *other.get(source, ())]
            found.append(Arm(block.model, part.path, USER, tuple(names)))
    return sorted(found, key=lambda arm: arm.rank)


def described_arms(result: Result, folder: str | PathLike[str] | None = None) -> list[Arm]:
    """The arms of the diagram that the result carries; files that it names are looked for in `folder`.

    Raises NoArm where the result carries none, or its diagram cannot be opened here.
    """
    text = result.provenance.description
    if text is None:
        why = "the result does not hold its diagram, which names Python objects"
        raise NoArm(why, BY_NAME)
    from ..flatten import flatten
    from ..yaml import loads

    try:
        return arms_of(flatten(loads(text, folder=folder), parameters=result.provenance.parameters))
    except BlockdynError as error:
        why = f"the diagram in the result cannot be opened: {error}"
        raise NoArm(why, BY_NAME) from error


def choose(
    arms: Iterable[Arm], held: Collection[str], *, signal: str | None, robot: Robot | None
) -> tuple[Robot, str]:
    """The robot and the signal to draw, from what is known of the diagram and what the caller said.

    `held` are the names that the result holds. Raises NoArm, SeveralArms.
    """
    known = list(arms)
    if signal is not None:
        fitting = [arm for arm in known if signal in arm.names] or known
        robots = {id(arm.robot): arm.robot for arm in fitting if arm.rank == fitting[0].rank}
        if robot is None and len(robots) != 1:
            why = f"no block with a robot reads or makes {signal}"
            raise NoArm(why, "the robot, by name (--robot, or robot=)")
        return robot or next(iter(robots.values())), signal
    seen: dict[str, Arm] = {}
    for arm in known:
        name = next((name for name in arm.names if name in held), None)
        if name is not None and (robot is None or arm.robot.n == robot.n):
            seen.setdefault(name, arm)
    best = min((arm.rank for arm in seen.values()), default=PLANT)
    chosen = [(name, arm.robot) for name, arm in seen.items() if arm.rank == best]
    if not chosen:
        raise _none(known)
    if len(chosen) > 1:
        raise SeveralArms((name, one.name) for name, one in chosen)
    return robot or chosen[0][1], chosen[0][0]


def _none(known: list[Arm]) -> NoArm:
    if not known:
        return NoArm("no block of the diagram has a robot", BY_NAME)
    wanted = known[0].names[0]
    return NoArm(f"{wanted} was not logged", f"{wanted} under `log`, and another run; or a signal by name")


def robot_named(spec: Any) -> Robot:
    """A robot from a name, a mapping, a .yaml or .urdf file, or a Robot. Raises RobotError."""
    from ...robots.library import catalogue, robot_from

    if isinstance(spec, (str, Path)) and str(spec) not in catalogue():
        suffix = Path(spec).suffix.lower()
        if suffix in (".urdf", ".yaml", ".yml"):
            return robot_from({"urdf" if suffix == ".urdf" else "file": str(spec)})
    return robot_from(str(spec) if isinstance(spec, Path) else spec)
