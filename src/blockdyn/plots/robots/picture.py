"""A robot in one pose is drawn with tubes as links, and drums or sleeves as joints."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from ...robots.calls.frames import frames
from ...robots.model.joint import Joint
from ...robots.model.poses import Array
from ...robots.model.robot import TOOL, Robot
from ...robots.shapes.solids import LINK, PRISMATIC, REVOLUTE, Face, drum, sleeve, tube

if TYPE_CHECKING:
    from matplotlib.figure import Figure

GROUND, SHADOW = "#8C9199", "#DDDDDD"
TRIAD = ("#D55E00", "#009E73", "#0072B2")  # x, y, z
REACH = "#D6E4F0"
SMALL = 8.0  # points


@dataclass(frozen=True)
class Limb:
    """One joint with its link: the points along it, and the position of the joint."""

    joint: Joint
    points: Sequence[Array]
    centre: Array
    axis: Array


def limbs(robot: Robot, q: ArrayLike) -> list[Limb]:
    """The limbs in the world: from the parent's frame to the axis, along it, and to the link's frame."""
    places = frames(robot, q)
    drawn = []
    for joint, link in zip(robot.joints, robot.links):
        place = places[joint.parent] @ np.array(joint.place)
        axis = place[:3, :3] @ np.array(joint.axis)
        begin, end, on_axis = places[joint.parent][:3, 3], places[link.name][:3, 3], place[:3, 3]
        foot = on_axis + axis * float(axis @ (begin - on_axis))
        exit_ = on_axis + axis * float(axis @ (end - on_axis))
        points = [begin, foot, exit_, end] if joint.moves else [begin, end]
        drawn.append(Limb(joint, _distinct(points), foot, axis))
    tool = places[robot.tip][:3, 3], places[TOOL][:3, 3]
    drawn.append(Limb(Joint(TOOL, "fixed", robot.tip), _distinct(tool), tool[1], places[TOOL][:3, 2]))
    return drawn


def draw(robot: Robot, q: Any, axes: Any, *, size: float | None = None, reached: Array | None = None) -> None:
    """Draw the robot at q into 3-D axes of matplotlib: solids, shadow on the floor, the tool's frame.

    `size` is the reference length, m, for the thickness of the limbs, by default the extent of the robot.
    `reached` are points (k, 3) that its tool can reach; they are projected onto the floor and the walls.
    Raises InvalidRobot for a wrong size of q.
    """
    art3d: Any = import_module("mpl_toolkits.mplot3d.art3d")  # a part of matplotlib, without types
    drawn = limbs(robot, q)
    points = np.array([point for limb in drawn for point in limb.points])
    extent = size or max(1e-3, 1.15 * float(np.ptp(points, axis=0).max()))
    radius = 0.028 * extent * min(1.0, (8 / max(1, len(drawn))) ** 0.5)
    base = np.array(robot.base)
    floor = float(min(points[:, 2].min(), base[2, 3]) - 2.2 * radius)
    room = np.vstack([points, [*base[:2, 3], floor]])
    if reached is not None:
        room = np.vstack([room, reached])
        floor = min(floor, float(reached[:, 2].min()))
    axes.computed_zorder = False
    axes.set_autoscale_on(False)
    _shadow(axes, drawn, floor, radius)
    elevation, azimuth = view_of(points, extent)
    light = light_from(elevation, azimuth)
    faces = [*ground(base, floor, radius), *_solids(drawn, radius)]
    shades = [_shade_face(face, light) for face in faces]
    corners = [face.corners for face in faces]
    solid = art3d.Poly3DCollection(corners, facecolors=shades, edgecolors=shades, linewidths=0.2, zorder=2)
    axes.add_collection3d(solid)
    _triad(axes, frames(robot, q)[TOOL], max(0.13 * extent, 0.07 * float(np.ptp(room, axis=0).max())))
    set_box(axes, room, extent, floor)
    axes.view_init(elev=elevation, azim=azimuth)
    if reached is not None:
        _draw_projections(axes, reached, azimuth)


def _solids(drawn: Sequence[Limb], radius: float) -> Iterator[Face]:
    for i, limb in enumerate(drawn):
        r = radius * (1.0 - 0.45 * i / max(1, len(drawn) - 1))
        for begin, end in zip(limb.points, limb.points[1:]):
            yield from tube(begin, end, 0.55 * r, LINK)
        if limb.joint.kind == "revolute":
            yield from drum(limb.centre, limb.axis, r, 2.6 * r, REVOLUTE)
        elif limb.joint.kind == "prismatic":
            yield from sleeve(limb.centre, limb.axis, 0.9 * r, 3.2 * r, PRISMATIC)


def ground(base: Array, floor: float, radius: float) -> Iterator[Face]:
    """A plate on the floor with a post up to the base; only a plate if the base is not upright."""
    origin, up = base[:3, 3], base[:3, 2]
    if up[2] < 0.9:
        at = origin - 1.3 * radius * up  # the start of the drum of a first joint along z
        yield from tube(at - 0.5 * radius * up, at, 2.4 * radius, GROUND, 24)
        return
    foot = np.array([origin[0], origin[1], floor])
    plate = foot + np.array([0.0, 0.0, 0.5 * radius])
    yield from tube(foot, plate, 2.4 * radius, GROUND, 24)
    top = origin - np.array([0.0, 0.0, 1.3 * radius])
    if top[2] > plate[2]:
        yield from tube(plate, top, 0.8 * radius, GROUND)


def _shadow(axes: Any, drawn: Sequence[Limb], floor: float, radius: float) -> None:
    for limb in drawn:
        points = np.array(limb.points)
        if len(points) > 1:
            flat = np.full(len(points), floor)
            axes.plot(*points[:, :2].T, flat, color=SHADOW, linewidth=2.5, solid_capstyle="round", zorder=1)


def _draw_projections(axes: Any, reached: Array, azimuth: float) -> None:
    """Draw the points projected down to the floor, and along x and y to the back walls."""
    a = math.radians(azimuth)
    behind = (
        axes.get_xlim()[int(math.cos(a) < 0.0)],
        axes.get_ylim()[int(math.sin(a) < 0.0)],
        axes.get_zlim()[0],
    )
    for i, place in enumerate(behind):
        flat = reached.copy()
        flat[:, i] = place
        axes.plot(*flat.T, ".", color=REACH, markersize=3.0, markeredgewidth=0.0, zorder=0.5, rasterized=True)


def _triad(axes: Any, T: Array, length: float) -> None:
    for i, (name, color) in enumerate(zip("xyz", TRIAD)):
        tip = T[:3, 3] + length * T[:3, i]
        axes.plot(*np.array([T[:3, 3], tip]).T, color=color, linewidth=1.4, zorder=3)
        axes.text(
            *(T[:3, 3] + 1.25 * length * T[:3, i]),
            name,
            color=color,
            fontsize=SMALL,
            ha="center",
            va="center",
            zorder=3,
        )


def set_box(axes: Any, points: Array, extent: float, floor: float) -> None:
    """Set equal scales, few ticks and unobtrusive panes."""
    from matplotlib.ticker import MaxNLocator

    low, high = points.min(axis=0), points.max(axis=0)
    half = np.maximum((high - low) / 2 + 0.12 * extent, 0.3 * extent)
    half[2] = max(half[2], (high[2] + 0.12 * extent - floor) / 2)  # a flight may be far above the floor
    middle = (low + high) / 2
    axes.set_xlim(middle[0] - half[0], middle[0] + half[0])
    axes.set_ylim(middle[1] - half[1], middle[1] + half[1])
    axes.set_zlim(floor, floor + 2 * half[2])
    axes.set_box_aspect(half, zoom=0.95)
    for name, axis in (("x", axes.xaxis), ("y", axes.yaxis), ("z", axes.zaxis)):
        axis.set_major_locator(MaxNLocator(4 if name == "z" else 3, prune="both"))
        axis.set_pane_color((1.0, 1.0, 1.0, 0.0) if name != "z" else (0.97, 0.97, 0.97, 1.0))
        axis.set_tick_params(labelsize=SMALL, pad=2 if name == "z" else 0)
        axis._axinfo["grid"].update(color="#E4E4E4", linewidth=0.5)  # matplotlib lacks a public way
    axes.set_xlabel("x (m)", fontsize=SMALL, labelpad=0)
    axes.set_ylabel("y (m)", fontsize=SMALL, labelpad=0)
    axes.zaxis.set_rotate_label(False)
    axes.set_zlabel("z (m)", fontsize=SMALL, labelpad=2, rotation=90)


def view_of(points: Array, extent: float) -> tuple[float, float]:
    """Elevation and azimuth, in degrees, that look across the robot's broad side."""
    spread = points[:, :2] - points[:, :2].mean(axis=0)
    main = np.linalg.svd(spread, full_matrices=False)[2][0]
    across = math.degrees(math.atan2(main[1], main[0])) - 90.0
    level = float(np.ptp(points[:, 2])) < 0.25 * extent
    return 40.0 if level else 20.0, (across + 90.0) % 180.0 - 90.0 - 25.0


def eye_from(elevation: float, azimuth: float) -> Array:
    """The direction towards the viewer, at these angles in degrees."""
    e, a = math.radians(elevation), math.radians(azimuth)
    return np.array([math.cos(e) * math.cos(a), math.cos(e) * math.sin(a), math.sin(e)])


def light_from(elevation: float, azimuth: float) -> Array:
    """The direction of light, from above and over the viewer's left shoulder."""
    a = math.radians(azimuth)
    left = np.array([math.sin(a), -math.cos(a), 0.0])
    light = 0.8 * eye_from(elevation, azimuth) + 0.5 * left + np.array([0.0, 0.0, 0.6])
    return np.asarray(light / np.linalg.norm(light))


def crop(figure: Figure, axes: Any) -> None:
    """Shrink the figure to its drawn content: 3-D axes leave wide margins."""
    figure.draw_without_rendering()
    canvas: Any = figure.canvas
    renderer = canvas.get_renderer()
    from matplotlib.transforms import Bbox

    boxes = [axis.get_tightbbox(renderer) for axis in (axes.xaxis, axes.yaxis, axes.zaxis)]
    boxes += [text.get_tightbbox(renderer) for text in axes.texts]
    box = Bbox.union([*(part for part in boxes if part is not None), outline(axes)])
    box = box.padded(0.04 * figure.dpi)
    place = axes.get_window_extent(renderer).frozen()
    figure.set_layout_engine("none")
    figure.set_size_inches(box.width / figure.dpi, box.height / figure.dpi)
    axes.set_position(
        (
            (place.x0 - box.x0) / box.width,
            (place.y0 - box.y0) / box.height,
            place.width / box.width,
            place.height / box.height,
        )
    )


def outline(axes: Any) -> Any:
    """The area that the box of the axes covers, in pixels."""
    from matplotlib.transforms import Bbox

    proj3d: Any = import_module("mpl_toolkits.mplot3d.proj3d")
    corners = np.array(list(product(axes.get_xlim(), axes.get_ylim(), axes.get_zlim())))
    x, y, _ = proj3d.proj_transform(*corners.T, axes.get_proj())
    seen = axes.transData.transform(np.column_stack([x, y]))
    return Bbox([seen.min(axis=0), seen.max(axis=0)])


def _shade_face(face: Face, light: Array) -> tuple[float, float, float]:
    share = 0.55 + 0.45 * max(0.0, float(face.normal @ light))
    red, green, blue = face.color
    return red * share, green * share, blue * share


def _distinct(points: Sequence[Array]) -> list[Array]:
    distinct = [points[0]]
    for point in points[1:]:
        if float(np.linalg.norm(point - distinct[-1])) > 1e-9:
            distinct.append(point)
    return distinct


PREFERRED = ("qn", "q", "qr", "qk1", "qs", "qz")  # the most informative first
SIZE = 3.5  # inches


def telling_pose(robot: Robot) -> tuple[str, Array]:
    """The name and the coordinates of the most informative pose: a named pose, or all zero."""
    name = next((name for name in (*PREFERRED, *robot.named) if name in robot.named), "zero")
    return name, robot.named.get(name, np.zeros(robot.n))


def draw_pose(robot: Robot, figure: Figure, q: ArrayLike, reached: Array | None = None) -> Any:
    """Draw the robot at q into a figure, which shrinks to it; returns the axes. `reached` as for `draw`."""
    axes: Any = figure.add_subplot(projection="3d")
    draw(robot, q, axes, reached=reached)
    crop(figure, axes)
    return axes


def notebook_picture(robot: Robot) -> Figure | None:
    """The picture for a notebook: solids are pixels, because a page would contain thousands of faces."""

    if not robot.joints:
        return None
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(SIZE, SIZE))
    FigureCanvasAgg(figure)  # required to measure letters
    axes = draw_pose(robot, figure, telling_pose(robot)[1])
    for solids in axes.collections:
        solids.set_rasterized(True)
    return figure
