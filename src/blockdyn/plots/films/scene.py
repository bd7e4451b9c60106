"""A scene draws films in 3-D axes of matplotlib, instant by instant."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...robots.model.poses import Array
from ...robots.shapes.shape import outward
from ...robots.shapes.solids import WANTED, Face
from ..robots.picture import SHADOW, TRIAD, eye_from, light_from, outline, set_box, view_of
from .film import Film


@dataclass(frozen=True)
class Setting:
    """Ground at the height `floor`, m, with solids `still` on it, and `points` (n, 3) that must be visible.

    `extent` is the size of the largest body, m; `down` is true if the coordinates of the world have z down.
    """

    floor: float
    still: Sequence[Face]
    points: Array
    extent: float
    down: bool


def setting(films: Sequence[Film]) -> Setting:
    """The setting of films."""
    floor = min(film.floor for film in films)
    grounds = [film.body.ground(floor, film.radius) for film in films]
    feet = [[*film.body.foot[:2], floor] for film, faces in zip(films, grounds) if faces]
    scenery = [face for film in films for face in film.scenery]
    reached = [*(film.reached for film in films), *(face.corners for face in scenery)]
    drawn = _near(np.vstack(reached), [ground.lines for film in films for ground in film.ground], floor)
    return Setting(
        floor,
        [outward(face) for faces in (*grounds, scenery) for face in faces],
        np.vstack([*reached, *feet, drawn]),
        max(film.extent for film in films),
        all(film.body.down for film in films),
    )


def _near(reached: Array, lines: Sequence[Array], floor: float) -> Array:
    """The ends of lines that are closer to the reached points than half of their width."""
    low, high = reached[:, :2].min(axis=0), reached[:, :2].max(axis=0)
    spare = 0.5 * (high - low).max()
    ends = np.vstack(
        [
            np.empty((0, 2)),
            *(part[(part[..., 0, :] != part[..., 1, :]).any(axis=-1)].reshape(-1, 2) for part in lines),
        ]
    )
    near = ends[((ends >= low - spare) & (ends <= high + spare)).all(axis=1)]
    if not len(near):
        return np.empty((0, 3))
    corners = np.array([near.min(axis=0), near.max(axis=0)])
    return np.column_stack([corners, np.full(2, floor)])


MOST = 20_000  # points used for the extent
GRID = "#D9DCE1"


@dataclass(frozen=True)
class Stage:
    """3-D axes of matplotlib with a fixed view: world points become points of the page by one matrix.

    `eye` is the direction to the viewer, `light` the direction to the lamp, `floor` the height of the
    ground, `step` the spacing of the grid, m.
    """

    axes: Any
    matrix: Array
    eye: Array
    light: Array
    floor: float
    step: float

    def projected(self, points: Array) -> Array:
        """Points (n, 3) of the world as x, y in the data of the axes, and depth, away from the eye."""
        v = points @ self.matrix[:, :3].T + self.matrix[:, 3]
        return np.asarray(v[:, :3] / v[:, 3:])

    def behind(self, length: float) -> float:
        """The change of depth when a point in the middle of the stage moves `length` m away from the eye."""
        limits = (self.axes.get_xlim(), self.axes.get_ylim(), self.axes.get_zlim())
        middle = np.mean(limits, axis=1)
        near, far = self.projected(np.array([middle, middle - length * self.eye]))[:, 2]
        return float(far - near)

    def bare(self) -> None:
        """Remove numbers, ticks and names from the axes: the grid remains."""
        from matplotlib.ticker import NullFormatter

        self.axes.patch.set_visible(False)
        for axis in (self.axes.xaxis, self.axes.yaxis, self.axes.zaxis):
            axis.set_major_formatter(NullFormatter())
            axis.set_label_text("")
            axis.line.set(linewidth=0.5, color="#808080")
            axis._axinfo["tick"].update(inward_factor=0.0, outward_factor=0.0)  # also without a public way


def stage(
    axes: Any,
    points: Array,
    *,
    extent: float,
    floor: float,
    view: tuple[float, float] | None,
    down: bool = False,
) -> Stage:
    """The box around `points` (n, 3), seen from `view` (elevation, azimuth in degrees), or across them.

    `down`: the numbers on the axes belong to a world with y to the right and z down.
    """
    few = points[:: max(1, len(points) // MOST)]
    elevation, azimuth = view or view_of(few, extent)
    axes.computed_zorder = False
    axes.set_autoscale_on(False)
    low, high = points.min(axis=0), points.max(axis=0)
    set_box(axes, np.array([low, high]), extent, floor)
    step = _square_grid(axes)
    if down:
        _flip_labels(axes)
    axes.view_init(elev=elevation, azim=azimuth)
    matrix = np.array(axes.get_proj())
    return Stage(axes, matrix, eye_from(elevation, azimuth), light_from(elevation, azimuth), floor, step)


def _square_grid(axes: Any) -> float:
    """Space grid lines equally along all axes, and return the spacing, m."""
    from matplotlib.ticker import MultipleLocator

    longest = max(float(np.ptp(limits)) for limits in (axes.get_xlim(), axes.get_ylim(), axes.get_zlim()))
    step = next(step for step in steps(longest / 6) if step >= longest / 6)
    for axis in (axes.xaxis, axes.yaxis, axes.zaxis):
        axis.set_major_locator(MultipleLocator(step))
        axis._axinfo["grid"].update(color=GRID, linewidth=0.6)  # matplotlib lacks a public way
    return step


def _flip_labels(axes: Any) -> None:
    """Label y and z with negated numbers, for a world rotated by pi about x."""
    from matplotlib.ticker import FuncFormatter

    for axis in (axes.yaxis, axes.zaxis):
        axis.set_major_formatter(
            FuncFormatter(lambda value, _: f"{0.0 - value:.6g}".replace("-", "\N{MINUS SIGN}"))
        )


def steps(least: float) -> Iterator[float]:
    """1, 2, 5, 10 ... times the power of ten below `least`."""
    power = 10.0 ** math.floor(math.log10(least))
    yield from (power * times for times in (1.0, 2.0, 5.0, 10.0))


def fill(axes: Any, room: tuple[float, float, float, float]) -> float:
    """Move and scale the axes so that their drawn content fills a rectangle of the figure.

    `room` is left, bottom, right, top in shares of the figure. Returns height over width of the content.
    """
    figure = axes.figure
    figure.set_layout_engine("none")
    size = np.array(figure.get_size_inches() * figure.dpi)
    low, high = np.array(room[:2]) * size, np.array(room[2:]) * size
    side = float((high - low).min())
    corner = (low + high - side) / 2
    least = most = low
    for _ in range(3):  # labels have a constant size while the box grows
        axes.set_position((*(corner / size), *(side / size)))
        figure.draw_without_rendering()
        least, most = _covered_corners(axes)
        grow = float(((high - low) / (most - least)).min())
        corner = (low + high) / 2 - grow * ((least + most) / 2 - corner)
        side *= grow
    width, height = most - least
    return float(height / width)


def _covered_corners(axes: Any) -> tuple[Array, Array]:
    """The corners of the area that the box and its labels cover, in pixels."""
    from matplotlib.ticker import NullFormatter
    from matplotlib.transforms import Bbox

    renderer = axes.figure.canvas.get_renderer()
    named = [
        axis
        for axis in (axes.xaxis, axes.yaxis, axes.zaxis)
        if not isinstance(axis.get_major_formatter(), NullFormatter)
    ]
    boxes = [axis.get_tightbbox(renderer) for axis in named]
    box = Bbox.union([*(part for part in boxes if part is not None), outline(axes)])
    return np.array(box.min), np.array(box.max)


THIN, TRAIL_WIDTH, WIDE_TRAIL, SHADOW_WIDTH, TRIAD_WIDTH = 0.6, 1.4, 2.2, 2.5, 1.6  # points
NEARER = 1e-3  # in depth: at one place the later shape is drawn in front


class Scene:
    """The artists that show one instant of films; `show(k)` moves them, `artists` draw in their order.

    The films have the same instants. `view` is elevation and azimuth in degrees, `trail` the duration of
    visible paths, s, `pen` the relative width of lines: 1 for axes of about 10 cm.
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
        ):  # in the figure: 3-D axes accept only artists that they project
            artist.set_transform(axes.transData)
            axes.figure.add_artist(artist)

    def show(self, k: int) -> None:
        """Move all artists to their positions at instant k."""
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
        """The lines (n, 2, 2) on the floor in the form of the page, without undefined ones."""
        ends = ends[(ends[:, 0] != ends[:, 1]).any(axis=1)]
        points = np.column_stack([ends.reshape(-1, 2), np.full(2 * len(ends), self.stage.floor)])
        return self._flat(points).reshape(-1, 2, 2)

    def _flat(self, points: Array) -> Array:
        return self.stage.projected(points)[:, :2]

    def _show_solids(self, k: int) -> None:
        """Draw faces and paths, the farthest first."""
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
        """Corners (f, 4, 2) of visible faces, their colours, depths, and widths of edges."""
        projected = self.stage.projected(world).reshape(-1, 4, 3)
        across, along = projected[:, 2] - projected[:, 0], projected[:, 3] - projected[:, 1]
        facing = (across[:, 0] * along[:, 1] - across[:, 1] * along[:, 0] > 0) | both
        colors = paint * (0.55 + 0.45 * np.maximum(0.0, normals @ self.stage.light))[:, None]
        depth = projected[facing][..., 2].mean(axis=1)
        return projected[facing][..., :2], colors[facing], depth, np.full(len(depth), THIN)

    def _path(self, film: Film, k: int, i: int) -> tuple[Array, ...]:
        """The path over the last `trail` seconds; the path of a later film is drawn above."""
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
