"""Scene: a robot and the path of its tool in axes of matplotlib, at one instant of a motion after another."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ..build.poses import Array
from ..picture import SHADOW, TRIAD, ground
from ..robot import Robot
from .carried import Carried, Motion, motion_of
from .shape import Shape, outward, shape_of, skeleton
from .stage import Stage, stage

TRAIL = "#CC79A7"
THIN, TRAIL_WIDTH, SHADOW_WIDTH, TRIAD_WIDTH = 0.6, 1.4, 2.5, 1.6  # points
MOST_TRAIL = 3000  # points of the tool's path


@dataclass(frozen=True)
class Film:
    """A robot at k instants `times`, s, and the path of its tool: points (m, 3) at `path_times`, s."""

    robot: Robot
    times: Array
    motion: Motion
    path_times: Array
    path: Array

    @cached_property
    def bones(self) -> Carried:
        """The ends of all limbs, in pairs."""
        return skeleton(self.robot)

    @cached_property
    def reached(self) -> Array:
        """Everything that the limbs touch, points (n, 3)."""
        return np.concatenate([*(self.bones.world(self.motion, k) for k in self._some), self.path])

    @property
    def _some(self) -> range:
        """Instants that show how far the robot reaches."""
        return range(0, len(self.times), max(1, len(self.times) // 200))

    @cached_property
    def extent(self) -> float:
        """The size of the robot, m: limbs are as thick as it asks for, however far the robot travels."""
        sizes = (np.ptp(self.bones.world(self.motion, k), axis=0).max() for k in self._some)
        return max(1e-3, 1.15 * max(map(float, sizes)))

    @cached_property
    def radius(self) -> float:
        """Of the thickest limb, m."""
        return 0.033 * self.extent * math.sqrt(min(1.0, 8 / (len(self.robot.joints) + 1)))

    @cached_property
    def floor(self) -> float:
        """The height of the ground, m: below the base and all that the robot does."""
        base = float(np.array(self.robot.base)[2, 3])
        return min(float(self.reached[:, 2].min()), base) - 2.2 * self.radius

    @cached_property
    def shape(self) -> Shape:
        """The solids of the robot."""
        return shape_of(self.robot, self.motion, self.radius)

    @property
    def tool(self) -> Array:
        """The origin of the tool at every instant, (k, 3)."""
        return self.motion.p[:, -1]


def film(robot: Robot, times: Array, q: Array, path_times: Array, path_q: Array) -> Film:
    """The film of a motion: q (k, n) at `times`, and, finer, path_q (m, n) for the path of the tool.

    Raises InvalidRobot for a wrong size.
    """
    return Film(robot, times, motion_of(robot, q), path_times, motion_of(robot, path_q).p[:, -1])


class Scene:
    """The artists that show one instant of a film; `show(k)` moves them, `artists` draw in their order.

    `view` is elevation and azimuth in degrees, `trail` how long the tool's path is seen, s, `pen` how strong
    lines are: 1 for axes of some 10 cm.
    """

    def __init__(
        self,
        film: Film,
        axes: Any,
        *,
        view: tuple[float, float] | None = None,
        trail: float = math.inf,
        pen: float = 1.0,
    ) -> None:
        from matplotlib.collections import LineCollection, PolyCollection

        self.film, self.axes, self.trail, self.pen = film, axes, trail, pen
        foot = [*np.array(film.robot.base)[:2, 3], film.floor]
        points = np.vstack([film.reached, foot])
        self.stage: Stage = stage(axes, points, extent=film.extent, floor=film.floor, view=view)
        base = np.array(film.robot.base)
        self._still = [outward(face) for face in ground(base, film.floor, film.radius)]
        self.shadow = LineCollection(
            [], colors=SHADOW, linewidths=pen * SHADOW_WIDTH, capstyle="round", zorder=1
        )
        self.solids: Any = PolyCollection([], zorder=2, capstyle="round", joinstyle="round")
        self.triad = LineCollection(
            [], colors=TRIAD, linewidths=pen * TRIAD_WIDTH, capstyle="round", zorder=3
        )
        self.artists: tuple[Any, ...] = (self.shadow, self.solids, self.triad)
        for artist in self.artists:  # in the figure: 3-D axes take only what they project themselves
            artist.set_transform(axes.transData)
            axes.figure.add_artist(artist)

    def show(self, k: int) -> None:
        """Put everything where it is at instant k."""
        stage, film = self.stage, self.film
        bones = film.bones.world(film.motion, k)
        bones[:, 2] = film.floor
        self.shadow.set_segments(list(stage.seen(bones)[:, :2].reshape(-1, 2, 2)))
        R, tool = film.motion.R[k, -1], film.motion.p[k, -1]
        ends = np.array([[tool, tool + 0.13 * film.extent * R[:, i]] for i in range(3)])
        self.triad.set_segments(list(stage.seen(ends.reshape(-1, 3))[:, :2].reshape(-1, 2, 2)))
        self._show_solids(k)

    def _show_solids(self, k: int) -> None:
        """Faces and the tool's path, the farthest first."""
        corners, colors, depth = self._faces(k)
        widths = np.full(len(corners), THIN)
        path = self._path(k)
        if len(path) > 1:
            seen = self.stage.seen(path)
            a, b = seen[:-1], seen[1:]
            corners = np.concatenate([corners, np.stack([a, b, b, a], axis=1)[..., :2]])
            colors = np.concatenate([colors, np.broadcast_to(_rgb(TRAIL), (len(a), 3))])
            widths = np.concatenate([widths, np.full(len(a), self.pen * TRAIL_WIDTH)])
            depth = np.concatenate([depth, (a[:, 2] + b[:, 2]) / 2])
        order = np.argsort(-depth, kind="stable")
        self.solids.set_verts(list(corners[order]), closed=False)
        self.solids.set_facecolor(colors[order])
        self.solids.set_edgecolor(colors[order])
        self.solids.set_linewidth(widths[order])

    def _faces(self, k: int) -> tuple[Array, Array, Array]:
        """Corners (f, 4, 2) of the faces that the eye sees, their colours, their depths."""
        film, shape, stage = self.film, self.film.shape, self.stage
        still = self._still
        world = np.concatenate([shape.corners.world(film.motion, k), *(face.corners for face in still)])
        turned = np.einsum("fij,fj->fi", film.motion.R[k][shape.frame], shape.normals)
        normals = np.concatenate([turned, *([face.normal] for face in still)])
        paint = np.concatenate([shape.colors, *([face.color] for face in still)])
        seen = stage.seen(world).reshape(-1, 4, 3)
        across, along = seen[:, 2] - seen[:, 0], seen[:, 3] - seen[:, 1]
        facing = across[:, 0] * along[:, 1] - across[:, 1] * along[:, 0] > 0
        facing[: len(shape.sliding)] |= shape.sliding
        lit = 0.55 + 0.45 * np.maximum(0.0, normals @ stage.light)
        return seen[facing][..., :2], (paint * lit[:, None])[facing], seen[facing][..., 2].mean(axis=1)

    def _path(self, k: int) -> Array:
        """The points of the tool's path from `trail` seconds ago until now."""
        film = self.film
        now = film.times[k]
        chosen = (film.path_times >= now - self.trail) & (film.path_times < now) & (self.trail > 0)
        return np.concatenate([film.path[chosen], film.tool[k : k + 1]])


def _rgb(color: str) -> Array:
    return np.array([int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)])
