"""A body has bones for contact and solids for display, carried by its frames."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..calls.frames import many_frames
from ..model.poses import Array
from ..model.robot import Robot
from .solids import Face, Paint, drum, sleeve, tube

Numbers = NDArray[np.int64]


@dataclass(frozen=True)
class Motion:
    """Poses of the frames of a robot at k instants.

    R (k, m, 3, 3) and p (k, m, 3) of its m frames in the world, in the order of `robot.frames`; `strokes`
    (k, j) are the distances, m, along the axis of joint j from the point next to the parent's frame to the
    point next to its link's frame, which only a prismatic joint changes.
    """

    R: Array
    p: Array
    strokes: Array

    def __len__(self) -> int:
        return len(self.p)


def motion_of(robot: Robot, q: Array) -> Motion:
    """The frames of the robot for every row of q (k, n). Raises InvalidRobot for a wrong size."""
    places = many_frames(robot, q)
    T = np.stack([places[name] for name in robot.frames], axis=1)
    strokes = np.zeros((len(q), len(robot.joints)))
    for j, (joint, link) in enumerate(zip(robot.joints, robot.links)):
        if not joint.moves:
            continue
        place, frame, axis = np.array(joint.place), np.array(link.frame), np.array(joint.axis)
        strokes[:, j] = axis @ frame[:3, 3] + (place[:3, :3] @ axis) @ place[:3, 3]
        if joint.kind == "prismatic":
            i, ratio = robot.shares[joint.name]
            strokes[:, j] += ratio * q[:, i] + joint.offset
    return Motion(T[..., :3, :3], T[..., :3, 3], strokes)


@dataclass(frozen=True)
class CarriedPoints:
    """Points x = at + along stroke[joint] in their frames: `frame` (n,), `at` (n, 3), `along` (n, 3)."""

    frame: Numbers
    at: Array
    along: Array
    joint: Numbers

    def world(self, motion: Motion, k: int) -> Array:
        """The points in the world at instant k, (n, 3)."""
        stroke = motion.strokes[k][self.joint] if motion.strokes.shape[1] else np.zeros(len(self.joint))
        local = self.at + self.along * stroke[:, None]
        turned = np.einsum("nij,nj->ni", motion.R[k][self.frame], local)
        return np.asarray(turned + motion.p[k][self.frame])


def together(parts: Sequence[tuple[int, Array, Any, int]]) -> CarriedPoints:
    """One set of points from parts: frame, points (n, 3), along (0 or (n, 3)), joint."""
    counts = [len(at) for _, at, _, _ in parts]
    return CarriedPoints(
        np.repeat([frame for frame, *_ in parts], counts),
        np.concatenate([at for _, at, _, _ in parts]),
        np.concatenate([np.broadcast_to(along, at.shape) for _, at, along, _ in parts]),
        np.repeat([joint for *_, joint in parts], counts),
    )


ORIGIN = np.zeros(3)


@dataclass(frozen=True)
class Shape:
    """Four-cornered faces: `corners` are 4 f carried points, counterclockwise seen from outside.

    `normals` (f, 3) are in the frames `frame` (f,), `colors` (f, 3) red, green, blue. `sliding` faces grow
    with a stroke, which may turn them inside out.
    """

    corners: CarriedPoints
    normals: Array
    frame: Numbers
    colors: Array
    sliding: NDArray[np.bool_]


@dataclass(frozen=True)
class Bar:
    """A piece of the limb of joint `joint`, from a to b in a frame; `slides`: to a + axis stroke."""

    joint: int
    frame: int
    a: Array
    b: Array
    axis: Array
    slides: bool = False


def bars(robot: Robot) -> Iterator[Bar]:
    """The pieces of all limbs: from the parent's frame to the axis, along it, and to the link's frame."""
    number = {name: i for i, name in enumerate(robot.frames)}
    for j, (joint, link) in enumerate(zip(robot.joints, robot.links)):
        place, frame = np.array(joint.place), np.array(link.frame)
        parent, child = number[joint.parent], number[link.name]
        own_axis = np.array(joint.axis)
        axis, on_axis = place[:3, :3] @ own_axis, place[:3, 3]
        if not joint.moves:
            yield Bar(j, parent, ORIGIN, (place @ frame)[:3, 3], axis)
            continue
        height = float(own_axis @ frame[:3, 3])
        foot, head = on_axis - axis * float(axis @ on_axis), on_axis + axis * height
        yield Bar(j, parent, ORIGIN, foot, axis)
        yield Bar(j, parent, foot, head, axis, joint.kind == "prismatic")
        yield Bar(j, child, frame[:3, :3].T @ (own_axis * height - frame[:3, 3]), ORIGIN, axis)
    yield Bar(len(robot.joints), number[robot.tip], ORIGIN, np.array(robot.tool)[:3, 3], ORIGIN)


def skeleton(robot: Robot) -> CarriedPoints:
    """The ends of all bars, in pairs."""
    parts = []
    for bar in bars(robot):
        end = bar.a if bar.slides else bar.b
        along = np.array([np.zeros(3), bar.axis if bar.slides else np.zeros(3)])
        parts.append((bar.frame, np.array([bar.a, end]), along, bar.joint if bar.slides else 0))
    return together(parts)


def shape_of(robot: Robot, motion: Motion, radius: float, paint: Paint) -> Shape:
    """The solids of the robot; limbs taper from `radius` at the base towards the tool."""
    parts: list[Part] = []
    at_joint = set[int]()
    for bar in bars(robot):
        r = radius * (1.0 - 0.45 * bar.joint / max(1, len(robot.joints)))
        if bar.slides:
            longest = float(np.abs(motion.strokes[:, bar.joint]).max())
            rod = tube(ORIGIN, bar.axis * longest, 0.55 * r, paint.limb)
            parts += [_stretch_face(face, bar, longest) for face in rod]
        else:
            parts += [rigid(face, bar.frame) for face in tube(bar.a, bar.b, 0.55 * r, paint.limb)]
        if bar.joint not in at_joint:  # the first bar of a limb ends at the joint
            at_joint.add(bar.joint)
            parts += [rigid(face, bar.frame) for face in _joint(robot, bar, r, paint)]
    return shape_from(parts)


def shape_from(parts: Sequence[Part]) -> Shape:
    """The shape composed of the parts."""
    return Shape(
        together([(part.frame, part.face.corners, part.along, part.joint) for part in parts]),
        np.array([part.face.normal for part in parts]),
        np.array([part.frame for part in parts]),
        np.array([part.face.color for part in parts]),
        np.array([bool(np.any(part.along)) for part in parts]),
    )


class Part(NamedTuple):
    """A face in a frame, and the change of its corners per unit of a joint's stroke."""

    frame: int
    face: Face
    along: Array
    joint: int


def outward(face: Face) -> Face:
    """The face with its corners counterclockwise seen from outside."""
    c = face.corners
    turn = float(np.cross(c[2] - c[0], c[3] - c[1]) @ face.normal)
    return face if turn > 0 else Face(c[::-1], face.normal, face.color)


def rigid(face: Face, frame: int) -> Part:
    """A face that a frame carries."""
    return Part(frame, outward(face), np.zeros((4, 3)), 0)


def _stretch_face(face: Face, bar: Bar, longest: float) -> Part:
    """A face of a rod of the length `longest` that grows with the stroke."""
    corners = outward(face).corners
    share = corners @ bar.axis / longest
    around = bar.a + corners - np.outer(share * longest, bar.axis)
    return Part(bar.frame, Face(around, face.normal, face.color), np.outer(share, bar.axis), bar.joint)


def _joint(robot: Robot, bar: Bar, r: float, paint: Paint) -> Iterator[Face]:
    kind = robot.joints[bar.joint].kind if bar.joint < len(robot.joints) else "fixed"
    if kind == "revolute":
        yield from drum(bar.b, bar.axis, r, 2.6 * r, paint.turning)
    elif kind == "prismatic":
        yield from sleeve(bar.b, bar.axis, 0.9 * r, 3.2 * r, paint.accent)


class Body(ABC):
    """A body that moves in a world with z up; a `Motion` holds the poses of its frames."""

    down = False
    """Whether its world has z down and y to the right: it is then drawn rotated by pi about x."""

    @property
    @abstractmethod
    def foot(self) -> Array:
        """The reference point of the body in the world, (3,): where it stands, or starts."""

    @abstractmethod
    def bones(self) -> CarriedPoints:
        """The ends of straight pieces, in pairs: they cast a shadow, and determine the size of the scene."""

    @abstractmethod
    def radius(self, extent: float) -> float:
        """The radius of the thickest limb, m, for a body of this size, m."""

    @abstractmethod
    def floor(self, lowest: float, radius: float) -> float:
        """The height of the ground, m, below the motion of the body, with the lowest point `lowest`."""

    @abstractmethod
    def shape(self, motion: Motion, radius: float, paint: Paint) -> Shape:
        """The solids."""

    @abstractmethod
    def ground(self, floor: float, radius: float) -> Sequence[Face]:
        """Fixed faces below the body, in the world."""
