"""A multirotor is drawn as a body with booms and turning rotors."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..model.poses import Array, turn_to
from ..vehicles.multirotor import Multirotor as Vehicle
from .shape import ORIGIN, Body, CarriedPoints, Motion, Part, Shape, rigid, shape_from, together
from .solids import Face, Paint, drum, tube

UP = np.array([0.0, 0.0, -1.0])  # in the body frame, with z down
TURN = np.diag([1.0, -1.0, -1.0])  # from a world with z down to one with z up
NEAR = 0.05  # of the size of the vehicle: rotors this near in the view from above are above each other
BLADES, BLADE_SPEED = 2, 5.0  # rad/s: slow enough to see the direction of rotation
GROUNDED = 5.0  # sizes: the ground z = 0 is drawn if a vehicle comes within this distance


@dataclass(frozen=True, eq=False)
class Multirotor(Body):
    """Booms from the centre of mass to rotors at `hubs` (k, 3), m, that turn with the signs `spins` about z.

    Flight convention, x forward, y right, z down, in the body and in the world. `axes` (k, 3) are the
    directions of the rotors' thrusts, upwards if None, `disc` is their radius, m, or None for a radius with
    which neighbours do not touch. Frames: the rotors, then the body.
    """

    hubs: Array
    spins: Array
    axes: Array | None = None
    disc: float | None = None
    down = True

    @property
    def rotor(self) -> float:
        """The radius of the rotors, m."""
        if self.disc is not None:
            return self.disc
        gaps = np.linalg.norm(self.hubs - np.roll(self.hubs, 1, axis=0), axis=1)
        return 0.4 * float(gaps.min())

    @property
    def thrusts(self) -> Array:
        """The directions of the rotors' thrusts, (k, 3)."""
        return np.tile(UP, (len(self.hubs), 1)) if self.axes is None else self.axes

    @property
    def foot(self) -> Array:
        return ORIGIN

    def motion(
        self, times: Array, position: Array, quaternion: Array, still: NDArray[np.bool_] | None = None
    ) -> Motion:
        """The frames for `position` (k, 3), m, and `quaternion` (k, 4), from body to world.

        `still` (k, n) marks the rotors that do not turn.
        """
        count = len(self.hubs)
        attitude = TURN @ rotations(quaternion)
        R = np.repeat(attitude[:, None], count + 1, axis=1)
        p = np.repeat((position @ TURN)[:, None], count + 1, axis=1)
        p[:, :count] += np.einsum("kij,nj->kni", attitude, self.hubs)
        angle = np.outer(times, BLADE_SPEED * self.spins)
        if still is not None:
            angle[still] = 0.0
        spin = np.zeros((len(times), count, 3, 3))
        spin[..., 0, 0] = spin[..., 1, 1] = np.cos(angle)
        spin[..., 1, 0] = np.sin(angle)
        spin[..., 0, 1] = -spin[..., 1, 0]
        spin[..., 2, 2] = 1.0
        shafts = np.array([turn_to(-axis)[:3, :3] for axis in self.thrusts])
        R[:, :count] = R[:, :count] @ shafts @ spin
        return Motion(R, p, np.zeros((len(times), 0)))

    def bones(self) -> CarriedPoints:
        count = len(self.hubs)
        booms = [(count, np.array([ORIGIN, hub]), 0, 0) for hub in self.hubs]
        around = self.rotor * _circle(8)
        rims = np.stack([around, np.roll(around, -1, axis=0)], axis=1).reshape(-1, 3)
        return together([*booms, *((i, rims, 0, 0) for i in range(count))])

    def radius(self, extent: float) -> float:
        return 0.022 * extent

    def floor(self, lowest: float, radius: float) -> float:
        size = float(np.linalg.norm(self.hubs, axis=1).max()) + self.rotor
        if -1e-9 <= lowest - 0.1 * size < 2 * GROUNDED * size:
            return 0.0
        return lowest - 2.2 * radius

    def shape(self, motion: Motion, radius: float, paint: Paint) -> Shape:
        return shape_from(list(self._parts(radius, paint)))

    def ground(self, floor: float, radius: float) -> Sequence[Face]:
        return ()

    def _parts(self, r: float, paint: Paint) -> Iterator[Part]:
        body = len(self.hubs)
        for face in drum(ORIGIN, UP, 2.4 * r, 2.2 * r, paint.limb):
            yield rigid(face, body)
        front = self.hubs[:, 0] > self.hubs[:, 0].max() - 0.5 * self.rotor
        for i, hub in enumerate(self.hubs):
            color = paint.accent if front[i] else paint.turning
            for face in tube(ORIGIN, hub, 0.6 * r, paint.limb, 8):
                yield rigid(face, body)
            for face in drum(hub, self.thrusts[i], 0.9 * r, 1.6 * r, color):
                yield rigid(face, body)
            for face in self._rotor(r, color):
                yield rigid(face, i)

    def _rotor(self, r: float, color: str) -> Iterator[Face]:
        """The disc that the blades sweep, and the blades on it, just above the hub."""
        top = 1.1 * r * UP
        red, green, blue = (int(color[k : k + 2], 16) / 255 for k in (1, 3, 5))
        faint = 1 - 0.35 * (1 - red), 1 - 0.35 * (1 - green), 1 - 0.35 * (1 - blue)
        rim, edge = self.rotor * _circle(24), 0.16 * r * UP
        for a, b in zip(rim, np.roll(rim, -1, axis=0)):
            low, high = top - edge, top + edge
            band = np.array([a + low, b + low, b + high, a + high])
            yield Face(band, (a + b) / np.linalg.norm(a + b), (red, green, blue))
            for normal in (UP, -UP):
                yield Face(np.array([top, a + top, b + top, top]), normal, faint)
                side = top + (edge if normal is UP else -edge)
                ring = np.array([0.95 * a, a, b, 0.95 * b]) + side
                yield Face(ring, normal, (red, green, blue))
        top = 1.3 * r * UP
        for angle in 2 * np.pi * np.arange(BLADES) / BLADES:
            along = np.array([np.cos(angle), np.sin(angle), 0.0])
            across = 0.09 * self.rotor * np.array([-along[1], along[0], 0.0])
            tip = top + 0.97 * self.rotor * along
            corners = np.array([top + across / 2, top - across / 2, tip - across, tip + across])
            for normal in (UP, -UP):
                yield Face(corners, normal, (red, green, blue))


def rotations(quaternion: Array) -> Array:
    """The matrices (k, 3, 3) of quaternions (k, 4), scalar first, of any nonzero length."""
    s, x, y, z = (quaternion / np.linalg.norm(quaternion, axis=1, keepdims=True)).T
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - s * z), 2 * (x * z + s * y)],
        [2 * (x * y + s * z), 1 - 2 * (x * x + z * z), 2 * (y * z - s * x)],
        [2 * (x * z - s * y), 2 * (y * z + s * x), 1 - 2 * (x * x + y * y)],
    ]
    return np.moveaxis(np.array(rows), -1, 0)


def _circle(corners: int) -> Array:
    angles = 2 * np.pi * np.arange(corners) / corners
    return np.column_stack([np.cos(angles), np.sin(angles), np.zeros(corners)])


def disc_radius(vehicle: Vehicle) -> float:
    """The rotors' radius, m; if unknown, a radius with which neighbours do not touch."""
    radius = float(vehicle.numbers("radius").max())
    if radius > 0.0:
        return radius
    flat = vehicle.hubs[:, :2]
    gaps = np.linalg.norm(flat[:, None] - flat[None], axis=2)
    apart = gaps[gaps > NEAR * gaps.max()] if gaps.max() > 0.0 else np.array([0.2])
    return 0.4 * float(apart.min())
