"""A vehicle on wheels is drawn as a hull with its wheels."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from ..model.poses import Array
from .shape import ORIGIN, Body, CarriedPoints, Motion, Part, Shape, rigid, shape_from, together
from .solids import Face, Paint, drum, tube

UP = np.array([0.0, 0.0, 1.0])
ASIDE = np.array([0.0, 1.0, 0.0])
PIECES = 4  # of a hull, which sort well by depth


@dataclass(frozen=True, eq=False)
class WheeledBody(Body):
    """A hull on wheels: `wheels` (n, 3) are x, y, m, and whether they steer, `wheel_radius` is in m.

    The hull is a box from `back` to `front`, m, ahead of the point of the pose, with `width`; a round
    hull has `front` as its radius and no `width`. `drawbar` is the distance from there ahead to a hitch, m.
    Frames: the wheels, then the body.
    """

    wheels: Array
    wheel_radius: float
    front: float
    back: float
    width: float = 0.0
    drawbar: float = 0.0

    @property
    def foot(self) -> Array:
        return ORIGIN

    def motion(self, poses: Array) -> Motion:
        """Poses of the frames at x, y, heading, (k, 3): wheels roll and steer without slipping."""
        count = len(self.wheels)
        theta = poses[:, 2]
        body = _about_z(theta)
        R = np.repeat(body[:, None], count + 1, axis=1)
        p = np.zeros((len(poses), count + 1, 3))
        p[..., :2] = poses[:, None, :2]
        hubs = np.column_stack([self.wheels[:, :2], np.full(count, self.wheel_radius)])
        p[:, :count] += np.einsum("kij,nj->kni", body, hubs)
        steering, rolling = self._wheels_at(poses)
        for i in range(count):
            R[:, i] = _about_z(theta + steering[:, i]) @ _about_y(rolling[:, i])
        return Motion(R, p, np.zeros((len(poses), 0)))

    def _wheels_at(self, poses: Array) -> tuple[Array, Array]:
        """The steering angles and rolling angles of wheels, (k, n), rad."""
        steering = np.zeros((len(poses), len(self.wheels)))
        if len(poses) < 2:
            return steering, steering.copy()
        dx, dy, turn = np.diff(poses, axis=0).T
        middle = poses[:-1, 2] + turn / 2
        ahead, left = np.cos(middle) * dx + np.sin(middle) * dy, np.cos(middle) * dy - np.sin(middle) * dx
        x, y, steers = self.wheels.T
        along = ahead[:, None] - turn[:, None] * y
        across = left[:, None] + turn[:, None] * x
        angle = np.where(steers > 0, np.arctan(across / np.where(along == 0.0, np.inf, along)), 0.0)
        way = np.where(steers > 0, np.hypot(along, across) * np.sign(along), along)
        steering[:-1], steering[-1] = angle, angle[-1]
        return steering, np.concatenate([np.zeros((1, len(x))), np.cumsum(way, axis=0)]) / self.wheel_radius

    def bones(self) -> CarriedPoints:
        outline = self._outline()
        edges = np.stack([outline, np.roll(outline, -1, axis=0)], axis=1).reshape(-1, 3)
        return together([(len(self.wheels), edges, 0, 0)])

    def radius(self, extent: float) -> float:
        return 0.03 * extent

    def floor(self, lowest: float, radius: float) -> float:
        return 0.0

    def shape(self, motion: Motion, radius: float, paint: Paint) -> Shape:
        return shape_from(list(self._parts(paint)))

    def ground(self, floor: float, radius: float) -> Sequence[Face]:
        return ()

    @property
    def _height(self) -> tuple[float, float]:
        """The heights of the bottom and the top of the hull, m."""
        size = self.width or 2 * self.front
        return 0.7 * self.wheel_radius, max(1.6 * self.wheel_radius, 0.45 * size)

    def _outline(self) -> Array:
        """Corners of the hull on the ground, counterclockwise."""
        if not self.width:
            angles = 2 * np.pi * np.arange(24) / 24
            return self.front * np.column_stack([np.cos(angles), np.sin(angles), np.zeros(24)])
        y = self.width / 2
        return np.array([[self.back, -y, 0], [self.front, -y, 0], [self.front, y, 0], [self.back, y, 0]])

    def _parts(self, paint: Paint) -> Iterator[Part]:
        body = len(self.wheels)
        low, high = self._height
        for face in self._hull(low, high, paint):
            yield rigid(face, body)
        if self.drawbar:
            hitch = np.array([self.drawbar, 0.0, self.wheel_radius])
            front = np.array([self.front, 0.0, self.wheel_radius])
            for face in tube(front, hitch, 0.25 * self.wheel_radius, paint.limb, 6):
                yield rigid(face, body)
        broad = 0.5 * self.wheel_radius
        for i in range(body):
            for face in drum(ORIGIN, ASIDE, self.wheel_radius, broad, paint.turning):
                yield rigid(face, i)
            for side in (-1.0, 1.0):
                at = 0.52 * broad * side * ASIDE
                along = np.array([0.8 * self.wheel_radius, 0.0, 0.0])
                across = np.array([0.0, 0.0, 0.15 * self.wheel_radius])
                corners = at + np.array([-along - across, along - across, along + across, -along + across])
                yield rigid(Face(corners, side * ASIDE, _rgb(paint.accent)), i)

    def _hull(self, low: float, high: float, paint: Paint) -> Iterator[Face]:
        bottom = low * UP
        if not self.width:
            yield from drum((low + high) / 2 * UP, UP, self.front, high - low, paint.limb)
            nose = np.array([[0.9, 0.0], [0.4, 0.25], [0.4, -0.25], [0.9, 0.0]]) * self.front
            top = np.column_stack([nose, np.full(4, 1.02 * high)])
            yield Face(top, UP, _rgb(paint.accent))
            return
        y = self.width / 2
        places = np.linspace(self.back, self.front, PIECES + 1)
        limb, accent = _rgb(paint.limb), _rgb(paint.accent)
        rise = (high - low) * UP
        for k, (a, b) in enumerate(pairwise(places)):
            color = accent if k == PIECES - 1 else limb
            one, two = np.array([a, y, 0.0]) + bottom, np.array([b, y, 0.0]) + bottom
            three, four = np.array([b, -y, 0.0]) + bottom, np.array([a, -y, 0.0]) + bottom
            yield Face(np.array([one, two, two + rise, one + rise]), ASIDE, color)
            yield Face(np.array([four, three, three + rise, four + rise]), -ASIDE, color)
            yield Face(np.array([one, two, three, four]) + rise, UP, color)
        ahead = np.array([1.0, 0.0, 0.0])
        for x, normal, color in ((self.front, ahead, accent), (self.back, -ahead, limb)):
            one, two = np.array([x, y, 0.0]) + bottom, np.array([x, -y, 0.0]) + bottom
            yield Face(np.array([one, two, two + rise, one + rise]), normal, color)


def car_body(wheelbase: float, track: float, wheel_radius: float, behind: float = 0.0) -> WheeledBody:
    """A car with its pose at a point `behind` m ahead of its rear axle; its front wheels steer."""
    rear, y = -behind, track / 2
    wheels = [[rear, y, 0], [rear, -y, 0], [rear + wheelbase, y, 1], [rear + wheelbase, -y, 1]]
    over = 0.3 * wheelbase
    return WheeledBody(np.array(wheels), wheel_radius, rear + wheelbase + over, rear - over, 0.8 * track)


def round_body(track: float, wheel_radius: float) -> WheeledBody:
    """Two wheels on one axle in a round hull."""
    wheels = np.array([[0.0, track / 2, 0], [0.0, -track / 2, 0]])
    return WheeledBody(wheels, wheel_radius, 0.45 * track, 0.0)


def trailer_body(length: float, track: float, wheel_radius: float) -> WheeledBody:
    """One axle pulled by a drawbar."""
    wheels = np.array([[0.0, track / 2, 0], [0.0, -track / 2, 0]])
    return WheeledBody(wheels, wheel_radius, 0.6 * length, -0.4 * length, 0.8 * track, length)


def _about_z(angle: Array) -> Array:
    c, s, zero = np.cos(angle), np.sin(angle), np.zeros_like(angle)
    return np.moveaxis(np.array([[c, -s, zero], [s, c, zero], [zero, zero, zero + 1]]), -1, 0)


def _about_y(angle: Array) -> Array:
    c, s, zero = np.cos(angle), np.sin(angle), np.zeros_like(angle)
    return np.moveaxis(np.array([[c, zero, s], [zero, zero + 1, zero], [-s, zero, c]]), -1, 0)


def _rgb(color: str) -> tuple[float, float, float]:
    red, green, blue = (int(color[i : i + 2], 16) / 255 for i in (1, 3, 5))
    return red, green, blue
