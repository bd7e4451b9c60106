"""An animation combines the moving bodies of a result with the map and lines on the ground."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from os import PathLike
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from ...base.checked import checked
from ...diagrams.results.errors import ResultError, bad_argument
from ..style import COLORS, GREY
from .actors import Actor, ArmActor, at, coordinates
from .movers import ArmMover, NoArm, choose, find_robot, movers_of, recorded_diagram

if TYPE_CHECKING:
    from ...blocks.contract.capabilities import Marks
    from ...diagrams.model.flat import FlatBlock, FlatDiagram
    from ...diagrams.results.result import Result
    from ...diagrams.results.trace import FloatArray, Trace
    from ...robots.planning.occupancy_map import OccupancyMap
    from ...robots.shapes.ground import Ground
    from .film import Film

View: TypeAlias = "tuple[float, float] | None"
"""Elevation and azimuth in degrees; None: across the motion."""
Blocks: TypeAlias = "str | Sequence[str] | None"
"""The paths of blocks that move the drawn bodies."""
MOST_FRAMES = 20_000
FINER, MOST_POINTS = 4, 3000  # of the travelled path: points per frame, points in all
WALL = 0.4  # of the size of the largest body: the height of walls
THINNER, THINNEST = 0.72, 0.5  # of the second of two bodies at one place, which is visible outside the first


@dataclass(frozen=True)
class Animation:
    """The bodies that are drawn together, the result whose traces move them, and a map that they move on.

    For vehicles, `flat` contains the blocks with lines on the ground.
    """

    result: Result
    actors: tuple[Actor, ...]
    map: OccupancyMap | None = None
    flat: FlatDiagram | None = None

    @property
    def span(self) -> tuple[float, float]:
        """First and last instant, s."""
        times = [actor.trace.time for actor in self.actors]
        return min(float(time[0]) for time in times), max(float(time[-1]) for time in times)

    @property
    def labels(self) -> tuple[str, ...]:
        """Labels that distinguish the bodies: their blocks, and their names if these differ."""
        blocks = [actor.block for actor in self.actors]
        if len({*blocks}) < len(blocks):
            blocks = [actor.trace.path for actor in self.actors]
        if len({actor.name for actor in self.actors}) == 1:
            return tuple(blocks)
        return tuple(f"{block} ({actor.name})" for block, actor in zip(blocks, self.actors))

    @property
    def title(self) -> str:
        """The name of the diagram, and the name of the bodies if all names are equal."""
        names = {actor.name for actor in self.actors}
        parts = [self.result.provenance.diagram, *(names if len(names) == 1 else ())]
        return ": ".join(part for part in parts if part)

    def key(self, films: Sequence[Film]) -> tuple[list[str], list[str]]:
        """Colours and names of paths, by their bodies, and of lines on the ground, each name once."""
        from ...robots.shapes.solids import WANTED

        others = {"reference": WANTED} if any(len(film.reference) for film in films) else {}
        others |= {part.label: part.color for film in films for part in film.ground}
        return [*(film.paint.trail for film in films), *others.values()], [*self.labels, *others]

    @property
    def ground_lines(self) -> list[GroundLines]:
        """Estimates of sensors and estimators about the ground on which the bodies move."""
        return [] if self.flat is None else ground_lines(self.flat, self.result, len(self.actors))

    def times(self, *, fps: float = 25.0, speed: float = 1.0, most: int | None = None) -> FloatArray:
        """The instants of a movie's frames, s: `speed` / `fps` apart, and the end; farther apart if they are
        more than `most`. Raises ResultError.
        """
        for name, value in (("fps", fps), ("speed", speed)):
            if not (math.isfinite(value) and value > 0):
                raise ResultError(f"animate: {name} = {value:g}; expected a positive number")
        start, stop = self.span
        count = math.ceil((stop - start) * fps / speed - 1e-9) + 1
        if most is not None and count > most:
            return np.linspace(start, stop, most)
        if count > MOST_FRAMES:
            remedy = f"speed = {math.ceil((stop - start) * fps / MOST_FRAMES) + 1} or more, or a smaller fps"
            raise ResultError(f"animate: {count} frames, {MOST_FRAMES} at most; expected {remedy}")
        return np.asarray(np.minimum(start + np.arange(count) * (speed / fps), stop))

    def films(self, times: FloatArray) -> list[Film]:
        """The bodies at these instants with their full paths, in separate colours if there are several."""
        start, stop = self.span
        path = np.linspace(start, stop, min(MOST_POINTS, FINER * max(len(times), 100)))
        films = [actor.film(self.result, times, path) for actor in self.actors]
        if self.map is not None:
            from .film import walls

            size = max(film.extent for film in films)
            films[0] = replace(films[0], scenery=walls(self.map, WALL * size, size))
        if self.flat is not None:
            size = max(film.extent for film in films)
            films[0] = replace(films[0], ground=grounds(self.flat, self.result, times, size, len(films)))
        if len(films) == 1:
            return films
        from ...robots.shapes.solids import paint_of

        feet = [actor.foot for actor in self.actors]
        return [
            film.painted(paint_of(COLORS[i]), max(THINNEST, THINNER ** feet[:i].count(feet[i])))
            for i, film in enumerate(films)
        ]


@checked(bad_argument)
def animation(
    result: Result,
    *,
    robot: object = None,
    signal: str | None = None,
    block: Blocks = None,
    map: object = None,
    flat: FlatDiagram | None = None,
    folder: str | PathLike[str] | None = None,
) -> Animation:
    """The moving bodies of a result.

    robot   a name, a mapping, a .yaml, .urdf or .xacro file, or a Robot; None: found from the diagram in
            the result
    signal  the path of its joint coordinates; None: the output of the FDyn blocks, and the positions of the
            Quadrotors; without these, the q that an IKine outputs or that other blocks with a robot read
    block   only the bodies that these blocks move, in this order: FDyn, NRotor, or the source of the q or the
            q_ref of a block with a robot
    map     walls to draw: an OccupancyMap, the YAML file of one, or a mapping with its rows, as
                    for blocks; None: the map of the first block with one
    flat    the diagram, if available
    folder  the folder of the robot files that the diagram names

    Raises NoArm, UnknownSignal, ResultError, RobotError.
    """
    moving = _moving(result, robot, signal, block, flat, folder)
    if map is not None:
        from ...robots.planning.map_files import map_from

        return replace(moving, map=map_from(map))
    blocks = () if moving.flat is None else moving.flat.blocks
    maps = (each.block.surroundings() for each in blocks)
    return replace(moving, map=next((each for each in maps if each is not None), None))


def _moving(
    result: Result, robot: object, signal: str | None, block: Blocks, flat: FlatDiagram | None,
    folder: str | PathLike[str] | None,
) -> Animation:  # fmt: skip
    """The moving bodies, without a map."""
    if block is not None and len(block) == 0:
        raise ResultError("animate: block names none; expected the path of a block, or several")
    model = None if robot is None else find_robot(robot)
    if signal is not None and block is not None:
        raise ResultError("animate: signal and block; expected one of them")
    path = None if signal is None else result.trace(signal).path
    if model is not None and path is not None:
        return Animation(result, (_arm(result, model, path),))
    held = {*result.states, *result.signals}
    blocks = (block,) if isinstance(block, str) else block
    try:
        flat = recorded_diagram(result, folder) if flat is None else flat
        chosen = choose(movers_of(flat), held, signal=path, robot=model, blocks=blocks)
    except NoArm:
        named = [name for name in result.signals if model and _is_q(result.signals[name], model.n)]
        if model is None or len(named) != 1:
            raise
        return Animation(result, (_arm(result, model, named[0]),))
    level = not any(isinstance(mover, ArmMover) for mover, _ in chosen)
    actors = tuple(mover.actor(result, name, model) for mover, name in chosen)
    return Animation(result, actors, flat=flat if level else None)


def _arm(result: Result, robot: Any, path: str) -> Actor:
    return ArmActor(robot, coordinates(result, path, robot.name, robot.n))


def _is_q(trace: Trace, n: int) -> bool:
    return trace.path.rpartition(".")[2] == "q" and trace.shape == (n,)


def checked_view(view: View) -> View:
    """Elevation and azimuth in degrees. Raises ResultError."""
    if view is None or (len(view) == 2 and all(map(math.isfinite, view)) and abs(view[0]) <= 90):
        return view
    expected = "elevation (-90 to 90) and azimuth in degrees, such as (25, -60)"
    raise ResultError(f"animate: view = {view}; expected {expected}")


@dataclass(frozen=True)
class GroundLines:
    """One kind of lines on the ground from a block's `traces`: their colour and their name."""

    marks: Marks
    traces: tuple[Trace, ...]
    color: str
    label: str

    def lines(self, size: float, values: Sequence[FloatArray]) -> FloatArray:
        """Ends (k, n, 2, 2), m, next to vehicles of this size, m, from the values of the traces, k rows each;
        without traces k is 1.
        """
        shaped = (rows.reshape(-1, *trace.shape) for trace, rows in zip(self.traces, values, strict=True))
        return np.nan_to_num(self.marks.lines(size, *shaped))


def ground_lines(flat: FlatDiagram, result: Result, used: int) -> list[GroundLines]:
    """Lines of the blocks with signals in the result. Each block has a colour outside the `used` colours of
    vehicles; its first lines have the full colour and lie above the others, which are lighter.
    """
    from ...robots.shapes.solids import UNPAINTED, lighter

    taken = COLORS[:used] if used > 1 else (UNPAINTED.trail, UNPAINTED.turning)
    free = [color for color in COLORS if color not in taken] or COLORS

    lines: list[GroundLines] = []
    colors: dict[str, str] = {}
    for block in flat.blocks:
        block_lines: list[GroundLines] = []
        for marks in block.block.marks():
            traces = [_find_trace(flat, block, name, result) for name in marks.signals]
            held = tuple(trace for trace in traces if trace and trace.samples)
            if len(held) < len(traces):
                continue
            if marks.actual:
                block_lines.append(GroundLines(marks, held, GREY, "landmarks"))
                continue
            color = colors.setdefault(block.path, free[len(colors) % len(free)])
            shade = lighter(color) if any(not other.marks.actual for other in block_lines) else color
            block_lines.append(GroundLines(marks, held, shade, _name(block, marks)))
        lines += reversed(block_lines)
    return lines


def grounds(flat: FlatDiagram, result: Result, times: FloatArray, size: float, used: int) -> list[Ground]:
    """Lines of blocks on the ground at these instants, s; `size` is the size of the vehicles, m."""
    from ...robots.shapes.ground import Ground

    parts: list[Ground] = []
    for one in ground_lines(flat, result, used):
        lines = one.lines(size, [at(result, trace, times) for trace in one.traces])
        lines = np.broadcast_to(lines, (len(times), *lines.shape[1:]))
        if not (one.marks.actual and any(np.array_equal(part.lines, lines) for part in parts)):
            parts.append(Ground(lines, one.color, one.label))
    return parts


def _name(block: FlatBlock, marks: Marks) -> str:
    """The name of lines: explicit, or their block and its first output."""
    if marks.label:
        return marks.label
    outputs = [name for name in marks.signals if name not in block.sources]
    return ".".join([block.path, *outputs[:1]])


def _find_trace(flat: FlatDiagram, block: FlatBlock, name: str, result: Result) -> Trace | None:
    """The trace of an input or an output of a block, under any of its names; None if there is none."""
    end = block.sources.get(name) or (block.path, name)
    names = [".".join(end), *(alias for alias, origin in flat.aliases.items() if origin == end)]
    return next((result.signals[one] for one in names if one in result.signals), None)
