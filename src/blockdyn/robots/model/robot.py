"""A robot is an immutable tree of joints and links; mechanics reads its table of numbers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from ...base.checked import checked_numbers
from ...base.door import door
from ...base.hints import AttributeHints, nearest_word
from ...base.shown import NotebookText
from ..errors import InvalidRobot, UnknownFrame
from ..toolbox import hint
from .joint import BASE, Joint
from .link import Link
from .poses import IDENTITY, Array, Matrix, Vector, numbers, pose, vector

if TYPE_CHECKING:
    from ...doors import Robot as Doors

    pass
else:
    Doors = object

EARTH: Vector = (0.0, 0.0, -9.81)
TOOL = "tool"
Part = TypeVar("Part", Joint, Link)


@dataclass(frozen=True, repr=False)
class Robot(AttributeHints, NotebookText, Doors):
    """A tree of joints, each of which carries the link at the same position in `links`.

    `base` is the pose of the frame `base` in the world, `tool` the pose of the tool in the link `tip`
    (default: the last one). `gravity` is the acceleration of free fall in the world, m/s2. `poses` maps names
    to joint coordinates, n numbers each (rad or m). A joint comes after the joint that moves its parent.

    Robots compare equal if all their numbers do. Raises InvalidRobot.
    """

    name: str
    joints: tuple[Joint, ...]
    links: tuple[Link, ...]
    base: Matrix = IDENTITY
    tool: Matrix = IDENTITY
    tip: str = ""
    gravity: Vector = EARTH
    poses: Any = ()
    title: str = field(default="", compare=False)
    source: str = field(default="", compare=False)
    notes: str = field(default="", compare=False)

    @checked_numbers(InvalidRobot)
    def __post_init__(self) -> None:
        self._set("joints", tuple(self.joints))
        self._set("links", tuple(self.links))
        self._check_tree()
        self._set("base", pose(self.base, f"{self.name}, base"))
        self._set("tool", pose(self.tool, f"{self.name}, tool"))
        self._set("gravity", vector(self.gravity, f"{self.name}, gravity"))
        poses = dict(self.poses)
        checked = ((name, self._pose(name, value)) for name, value in poses.items())
        self._set("poses", tuple(checked))

    def _check_tree(self) -> None:
        joints, links = self.joints, self.links
        if len(joints) != len(links):
            problem = f"{len(joints)} joints and {len(links)} links"
            raise InvalidRobot(self.name, problem, "one link for every joint, which carries it")
        frames = {BASE}
        for joint, link in zip(joints, links):
            if joint.parent not in frames:
                problem = f"joint `{joint.name}` is attached to `{joint.parent}`"
                raise InvalidRobot(self.name, problem, f"a link before it: {', '.join(sorted(frames))}")
            if link.name in frames:
                raise InvalidRobot(self.name, f"two links are named `{link.name}`", "names that differ")
            frames.add(link.name)
        if len({joint.name for joint in joints}) != len(joints):
            raise InvalidRobot(self.name, "two joints have the same name", "names that differ")
        _ = self.moving
        if not self.tip:
            self._set("tip", links[-1].name if links else BASE)
        if not isinstance(self.tip, str) or self.tip not in frames:
            raise UnknownFrame(self.name, self.tip, frames)

    def _pose(self, name: str, value: object) -> tuple[float, ...]:
        count = numbers(value).size
        if count not in (0, self.n):
            problem = f"pose `{name}` has {count} numbers"
            raise InvalidRobot(self.name, problem, f"{self.n}, one for each moving joint")
        return vector(value, f"{self.name}, pose `{name}`", self.n)

    @cached_property
    def moving(self) -> tuple[Joint, ...]:
        """The joints that have a coordinate, in the order of q, with limits narrowed by their mimics."""
        leaders = [joint for joint in self.joints if joint.moves and not joint.mimic]
        for joint in self.joints:
            if joint.moves and joint.mimic:
                i, ratio = self.shares[joint.name]
                leaders[i] = _within(leaders[i], joint, ratio, self.name)
        return tuple(leaders)

    @cached_property
    def shares(self) -> Mapping[str, tuple[int, float]]:
        """For each moving joint, the index of its coordinate in q, and its ratio to the coordinate."""
        moving = {joint.name: joint for joint in self.joints if joint.moves}
        place = {name: i for i, name in enumerate(name for name, each in moving.items() if not each.mimic)}
        shares: dict[str, tuple[int, float]] = {}
        for name in moving:
            ratio, path = 1.0, [name]
            while leader := moving[path[-1]].mimic:
                ratio *= moving[path[-1]].multiplier
                if leader not in moving:
                    raise InvalidRobot(
                        f"{self.name}, joint `{path[-1]}`, mimic", f"found `{leader}`",
                        f"a joint that moves: {', '.join(moving)}",
                    )  # fmt: skip
                if leader in path:
                    circle = " -> ".join([*path[path.index(leader) :], leader])
                    raise InvalidRobot(
                        f"{self.name}, mimic", f"joints mimic each other: {circle}",
                        "one joint of them with a coordinate of its own",
                    )  # fmt: skip
                path.append(leader)
            shares[name] = place[path[-1]], ratio
        return shares

    @property
    def n(self) -> int:
        """The number of joints that move: the size of q."""
        return len(self.moving)

    @property
    def lower(self) -> Array:
        """Lower limits of q."""
        return np.array([joint.lower for joint in self.moving])

    @property
    def upper(self) -> Array:
        """Upper limits of q."""
        return np.array([joint.upper for joint in self.moving])

    @cached_property
    def named(self) -> Mapping[str, Array]:
        """The named poses: read-only arrays of n numbers."""
        return MappingProxyType({name: _frozen(np.array(value)) for name, value in self.poses})

    @property
    def frames(self) -> tuple[str, ...]:
        """The names of all frames: base, the links, tool."""
        return (BASE, *(link.name for link in self.links), TOOL)

    @property
    def structure(self) -> str:
        """The kinds of the moving joints, such as "6R" or "2RP3R"; branches are not shown."""
        from itertools import groupby

        kinds = "".join("P" if joint.kind == "prismatic" else "R" for joint in self.moving)
        if len(set(kinds)) == 1:
            return f"{len(kinds)}{kinds[0]}"
        return "".join(kind if len(run) == 1 else f"{len(run)}{kind}" for kind, run in (
            (kind, list(group)) for kind, group in groupby(kinds)
        ))  # fmt: skip

    def __repr__(self) -> str:
        return f"Robot({self.name!r}, {self.structure or 'no joints'})"

    @cached_property
    def has_dynamics(self) -> bool:
        """True if any link has mass or inertia, or any motor has inertia."""
        heavy = any(link.mass > 0 or np.any(link.inertia) for link in self.links)
        return heavy or any(joint.motor_inertia > 0 for joint in self.joints)

    @checked_numbers(InvalidRobot)
    def table(self, of: str = TOOL) -> Array:
        """The numbers of the robot in the layout of robots/model/table.py, read-only.

        The tool of the last row is the frame that `of` names: tool, base, or a link.
        Raises UnknownFrame.
        """
        try:
            return self.__dict__["_tables"][of]  # type: ignore[no-any-return]
        except KeyError:
            pass
        from .table import tabulate

        table = self.__dict__.setdefault("_tables", {})[of] = _frozen(tabulate(self, of))
        return table

    @checked_numbers(InvalidRobot)
    def joint(self, name: str) -> Joint:
        """The joint with this name. Raises UnknownFrame."""
        return self.joints[self._index(name, [joint.name for joint in self.joints])]

    @checked_numbers(InvalidRobot)
    def link(self, name: str) -> Link:
        """The link with this name. Raises UnknownFrame."""
        return self.links[self._index(name, [link.name for link in self.links])]

    @checked_numbers(InvalidRobot)
    def with_gravity(self, gravity: ArrayLike) -> Robot:
        """A copy with another acceleration of free fall in the world, m/s2."""
        return replace(self, gravity=gravity)

    @checked_numbers(InvalidRobot)
    def with_base(self, base: ArrayLike) -> Robot:
        """A copy with another pose of the base in the world."""
        return replace(self, base=pose(base, f"{self.name}, base"))

    @checked_numbers(InvalidRobot)
    def with_tool(self, tool: ArrayLike, *, tip: str | None = None) -> Robot:
        """A copy with another tool frame, in the link `tip` (default: the one that carries it now)."""
        return replace(self, tool=pose(tool, f"{self.name}, tool"), tip=self.tip if tip is None else tip)

    @checked_numbers(InvalidRobot)
    def with_link(self, name: str, **changes: Any) -> Robot:
        """A copy with another mass, com, inertia or frame of one link. Raises UnknownFrame, InvalidRobot."""
        i = self._index(name, [link.name for link in self.links])
        links = (
            *self.links[:i],
            _replace_fields(self.links[i], f"{self.name}, link `{name}`", changes),
            *self.links[i + 1 :],
        )
        return replace(self, links=links)

    @checked_numbers(InvalidRobot)
    def with_joint(self, name: str, **changes: Any) -> Robot:
        """A copy with another place, axis, offset, limit or friction of one joint. Raises as `with_link`."""
        i = self._index(name, [joint.name for joint in self.joints])
        joints = (
            *self.joints[:i],
            _replace_fields(self.joints[i], f"{self.name}, joint `{name}`", changes),
            *self.joints[i + 1 :],
        )
        return replace(self, joints=joints)

    @checked_numbers(InvalidRobot)
    def with_poses(self, poses: Mapping[str, Any]) -> Robot:
        """A copy with further named poses."""
        return replace(self, poses={**dict(self.poses), **poses})

    def _index(self, name: str, names: Iterable[str]) -> int:
        choices = list(names)
        if name not in choices:
            raise UnknownFrame(self.name, name, choices)
        return choices.index(name)

    def _set(self, name: str, value: object) -> None:
        object.__setattr__(self, name, value)

    def _hint(self, name: str) -> str:
        return hint(name)

    def __getstate__(self) -> dict[str, Any]:
        cached = {"moving", "shares", "named", "has_dynamics", "_tables", "_warned"}
        return {key: value for key, value in self.__dict__.items() if key not in cached}

    if not TYPE_CHECKING:  # see doors.pyi
        _figure = door("plots.robots.picture:notebook_picture")
        dh = door("robots.convert.text:dh_table")
        save = door("robots.convert.text:save")
        code = door("export.robot:robot_code")
        __str__ = door("robots.convert.text:format_robot")
        payload = door("robots.model.transforms:payload")
        perturb = door("robots.model.transforms:perturb")
        without_friction = door("robots.model.transforms:without_friction")


def _within(leader: Joint, joint: Joint, ratio: float, robot: str) -> Joint:
    """The leader with its limits narrowed by the limits of the joint that mimics it."""
    ends = sorted((joint.lower / ratio, joint.upper / ratio))
    lower, upper = max(leader.lower, ends[0]), min(leader.upper, ends[1])
    if lower > upper:
        raise InvalidRobot(
            f"{robot}, joint `{joint.name}`",
            f"it mimics `{leader.name}` and allows it {ends[0]:g} .. {ends[1]:g}, which has nothing in common"
            f" with {leader.lower:g} .. {leader.upper:g}",
            "limits that overlap, or none",
        )
    return replace(leader, lower=lower, upper=upper, speed=min(leader.speed, joint.speed / abs(ratio)))


def _frozen(array: Array) -> Array:
    array.flags.writeable = False
    return array


def _replace_fields(part: Part, place: str, changes: Mapping[str, Any]) -> Part:
    """The joint or link with other values of its fields. Raises InvalidRobot for an unknown name."""
    names = [name for name in part.__dataclass_fields__ if name != "accepted"]
    for key in changes:
        if key not in part.__dataclass_fields__:
            raise InvalidRobot(
                place, f"the key `{key}`{nearest_word(key, names)}", f"one of {', '.join(names)}"
            )
    return replace(part, **changes)
