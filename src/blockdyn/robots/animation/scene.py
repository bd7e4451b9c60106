"""Scene: bodies and their paths in axes of matplotlib, at one instant of their motion after another."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..model.poses import Array
from ..pictures.picture import SHADOW, TRIAD
from .film import Film
from .paint import WANTED
from .setting import setting
from .stage import Stage, stage

THIN, TRAIL_WIDTH, WIDE_TRAIL, SHADOW_WIDTH, TRIAD_WIDTH = 0.6, 1.4, 2.2, 2.5, 1.6  # points
NEARER = 1e-3  # in depth: what comes later shines through what is at the same place


class Scene:
    """The artists that show one instant of films; `show(k)` moves them, `artists` draw in their order.

    The films have the same instants. `view` is elevation and azimuth in degrees, `trail` how long the paths
    are seen, s, `pen` how strong lines are: 1 for axes of some 10 cm.
    """

    def __init__(
        self,
        films: Sequence[Film],
        axes: Any,
        *,
        view: tuple[float, float] | None = None,
        trail: float = math.inf,
        pen: float = 1.0,
    ) -> None:
        from matplotlib.collections import LineCollection, PolyCollection

        self.films, self.axes, self.trail, self.pen = tuple(films), axes, trail, pen
        around = setting(films)
        self.stage: Stage = stage(
            axes, around.points, extent=around.extent, floor=around.floor, view=view, down=around.down
        )
        self._still = around.still
        self.shadow = LineCollection(
            [], colors=SHADOW, linewidths=pen * SHADOW_WIDTH, capstyle="round", zorder=1
        )
        self.solids: Any = PolyCollection([], zorder=2, capstyle="round", joinstyle="round")
        self.triad = LineCollection(
            [], colors=TRIAD, linewidths=pen * TRIAD_WIDTH, capstyle="round", zorder=3
        )
        self.artists: tuple[Any, ...]
        tracks = [self._flat(film.reference) for film in films if len(film.reference)]
        references = LineCollection(tracks, colors=WANTED, linewidths=pen * 0.9, zorder=1.5)
        self.grounds = [
            LineCollection([], colors=ground.color, linewidths=pen * 0.9, zorder=1.6)
            for film in films
            for ground in film.ground
        ]
        self.artists = (self.shadow, *self.grounds, self.solids, self.triad)
        for artist in (
            references,
            *self.artists,
        ):  # in the figure: 3-D axes take only what they project themselves
            artist.set_transform(axes.transData)
            axes.figure.add_artist(artist)

    def show(self, k: int) -> None:
        """Put everything where it is at instant k."""
        bones = np.concatenate([film.bones.world(film.motion, k) for film in self.films])
        bones[:, 2] = self.stage.floor
        self.shadow.set_segments(list(self._flat(bones).reshape(-1, 2, 2)))
        ends = np.concatenate([_frame(film, k) for film in self.films])
        self.triad.set_segments(list(self._flat(ends).reshape(-1, 2, 2)))
        lines = (ground.lines[k] for film in self.films for ground in film.ground)
        for artist, ends in zip(self.grounds, lines, strict=True):
            artist.set_segments(list(self._on_floor(ends)))
        self._show_solids(k)

    def _on_floor(self, ends: Array) -> Array:
        """Lines (n, 2, 2) on the floor as the page has them, without those that are none."""
        ends = ends[(ends[:, 0] != ends[:, 1]).any(axis=1)]
        points = np.column_stack([ends.reshape(-1, 2), np.full(2 * len(ends), self.stage.floor)])
        return self._flat(points).reshape(-1, 2, 2)

    def _flat(self, points: Array) -> Array:
        return self.stage.projected(points)[:, :2]

    def _show_solids(self, k: int) -> None:
        """Faces and paths, the farthest first."""
        drawn = [self._still_faces()]
        for i, film in enumerate(self.films):
            drawn += [self._faces(film, k), self._path(film, k, i)]
        corners, colors, depth, widths = (np.concatenate(part) for part in zip(*drawn))
        order = np.argsort(-depth, kind="stable")
        self.solids.set_verts(list(corners[order]), closed=False)
        self.solids.set_facecolor(colors[order])
        self.solids.set_edgecolor(colors[order])
        self.solids.set_linewidth(widths[order])

    def _faces(self, film: Film, k: int) -> tuple[Array, ...]:
        shape = film.shape
        normals = np.einsum("fij,fj->fi", film.motion.R[k][shape.frame], shape.normals)
        world = shape.corners.world(film.motion, k)
        corners, colors, depth, widths = self._lit(world, normals, shape.colors, shape.sliding)
        return corners, colors, depth + self._inside(film), widths

    def _inside(self, film: Film) -> float:
        """The depth that keeps thin limbs from shining through thick ones at the same place."""
        return self.stage.behind(3.0 * film.body.radius(film.extent)) if film.thickness < 1.0 else 0.0

    def _still_faces(self) -> tuple[Array, ...]:
        still = self._still
        world = np.array([face.corners for face in still]).reshape(-1, 3)
        normals = np.array([face.normal for face in still]).reshape(-1, 3)
        paint = np.array([face.color for face in still]).reshape(-1, 3)
        return self._lit(world, normals, paint, np.zeros(len(still), bool))

    def _lit(self, world: Array, normals: Array, paint: Array, both: Any) -> tuple[Array, ...]:
        """Corners (f, 4, 2) of the faces that the eye sees, their colours, depths, and widths of edges."""
        projected = self.stage.projected(world).reshape(-1, 4, 3)
        across, along = projected[:, 2] - projected[:, 0], projected[:, 3] - projected[:, 1]
        facing = (across[:, 0] * along[:, 1] - across[:, 1] * along[:, 0] > 0) | both
        colors = paint * (0.55 + 0.45 * np.maximum(0.0, normals @ self.stage.light))[:, None]
        depth = projected[facing][..., 2].mean(axis=1)
        return projected[facing][..., :2], colors[facing], depth, np.full(len(depth), THIN)

    def _path(self, film: Film, k: int, i: int) -> tuple[Array, ...]:
        """Its piece from `trail` seconds ago until now; that of a later film lies above."""
        now = film.times[k]
        chosen = (film.path_times >= now - self.trail) & (film.path_times < now) & (self.trail > 0)
        projected = self.stage.projected(np.concatenate([film.path[chosen], film.tip[k : k + 1]]))
        a, b = projected[:-1], projected[1:]
        wide = self.pen * film.thickness * (TRAIL_WIDTH if len(self.films) == 1 else WIDE_TRAIL)
        corners = np.stack([a, b, b, a], axis=1)[..., :2]
        colors = np.broadcast_to(_rgb(film.paint.trail), (len(a), 3))
        return corners, colors, (a[:, 2] + b[:, 2]) / 2 - i * NEARER, np.full(len(a), wide)


def _frame(film: Film, k: int) -> Array:
    """The axes x, y, z of the last frame, as pairs of points."""
    R, origin = film.motion.R[k, -1], film.tip[k]
    return np.array([[origin, origin + 0.13 * film.extent * R[:, i]] for i in range(3)]).reshape(-1, 3)


def _rgb(color: str) -> Array:
    return np.array([int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)])
