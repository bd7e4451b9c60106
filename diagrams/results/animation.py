"""Animation: what moves in a result, found by name or in the diagram that the result carries."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from os import PathLike
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from ...base.checked import checked
from .actors import Actor, ArmActor
from .errors import ResultError, bad_argument
from .grounds import GroundLines, ground_lines, grounds
from .motion import coordinates
from .movers import ArmMover, described, movers_of, robot_named
from .moving import NoArm, choose
from .style import COLORS

if TYPE_CHECKING:
    from ...robots.animation.film import Film
    from ...robots.planning.occupancy_map import OccupancyMap
    from ..model.flat import FlatDiagram
    from .result import Result
    from .trace import FloatArray, Trace

View: TypeAlias = "tuple[float, float] | None"
"""Elevation and azimuth in degrees; None: across the motion."""
Blocks: TypeAlias = "str | Sequence[str] | None"
"""The paths of blocks that move what is drawn."""
MOST_FRAMES = 20_000
FINER, MOST_POINTS = 4, 3000  # of the path left behind: points a frame, points in all
WALL = 0.4  # of the size of the largest body: the height of walls
THINNER, THINNEST = 0.72, 0.5  # of two at one place the second: it shows where it is not inside the first


@dataclass(frozen=True)
class Animation:
    """The bodies that are drawn together, the result whose traces move them, and a map that they move on.

    Where they drive or fly, `flat` holds the blocks whose lines are drawn on the ground.
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
        """What tells the bodies apart: their blocks, and their names where these differ."""
        blocks = [actor.block for actor in self.actors]
        if len({*blocks}) < len(blocks):
            blocks = [actor.trace.path for actor in self.actors]
        if len({actor.name for actor in self.actors}) == 1:
            return tuple(blocks)
        return tuple(f"{block} ({actor.name})" for block, actor in zip(blocks, self.actors))

    @property
    def title(self) -> str:
        """The name of the diagram, and that of the bodies where all have the same."""
        names = {actor.name for actor in self.actors}
        parts = [self.result.provenance.diagram, *(names if len(names) == 1 else ())]
        return ": ".join(part for part in parts if part)

    def key(self, films: Sequence[Film]) -> tuple[list[str], list[str]]:
        """Colours and names of paths, by their bodies, and of what is drawn on the ground, each name once."""
        from ...robots.animation.paint import WANTED

        others = {"reference": WANTED} if any(len(film.reference) for film in films) else {}
        others |= {part.label: part.color for film in films for part in film.ground}
        return [*(film.paint.trail for film in films), *others.values()], [*self.labels, *others]

    @property
    def ground_lines(self) -> list[GroundLines]:
        """What sensors and estimators know of the ground that the bodies move on."""
        return [] if self.flat is None else ground_lines(self.flat, self.result, len(self.actors))

    def times(self, *, fps: float = 25.0, speed: float = 1.0, most: int | None = None) -> FloatArray:
        """The instants of a movie's frames, s: `speed` / `fps` apart, and the end; farther if that gives more
        than `most`. Raises ResultError.
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
        """The bodies at these instants with the whole path of each, and a colour of its own where several."""
        start, stop = self.span
        path = np.linspace(start, stop, min(MOST_POINTS, FINER * max(len(times), 100)))
        films = [actor.film(self.result, times, path) for actor in self.actors]
        if self.map is not None:
            from ...robots.animation.walls import walls

            size = max(film.extent for film in films)
            films[0] = replace(films[0], scenery=walls(self.map, WALL * size, size))
        if self.flat is not None:
            size = max(film.extent for film in films)
            films[0] = replace(films[0], ground=grounds(self.flat, self.result, times, size, len(films)))
        if len(films) == 1:
            return films
        from ...robots.animation.paint import paint_of

        feet = [actor.foot for actor in self.actors]
        return [
            film.painted(paint_of(COLORS[i]), max(THINNEST, THINNER ** feet[:i].count(feet[i])))
            for i, film in enumerate(films)
        ]


@checked(bad_argument)
def animation(
    result: Result,
    *,
    robot: Any = None,
    signal: str | None = None,
    block: Blocks = None,
    map: Any = None,
    flat: FlatDiagram | None = None,
    folder: str | PathLike[str] | None = None,
) -> Animation:
    """What moves in a result.

    robot   a name, a mapping, a .yaml or .urdf file, or a Robot; None: found from the diagram in the result
    signal  the path of its joint coordinates; None: what the FDyn blocks put out, and where the Quadrotors
            are; where there are none, the q that an IKine puts out or that other blocks with a robot read
    block   only what these blocks move, in this order: FDyn, NRotor, or what makes the q or the q_ref of a
            block with a robot
    map     whose walls stand around: an OccupancyMap, the YAML file of one, or a mapping with its rows, as
            blocks take it; None: that of the first block with a map
    flat    the diagram, where the caller has it
    folder  where the robot files that the diagram names are looked for

    Raises NoArm, SeveralArms, UnknownSignal, NoCoordinates, RobotError.
    """
    moving = _moving(result, robot, signal, block, flat, folder)
    if map is not None:
        from ...robots.planning.drawn_maps import map_from

        return replace(moving, map=map_from(map))
    blocks = () if moving.flat is None else moving.flat.blocks
    maps = (each.block.surroundings() for each in blocks)
    return replace(moving, map=next((each for each in maps if each is not None), None))


def _moving(
    result: Result, robot: Any, signal: str | None, block: Blocks, flat: FlatDiagram | None,
    folder: str | PathLike[str] | None,
) -> Animation:  # fmt: skip
    """What moves, without a map."""
    if block is not None and len(block) == 0:
        raise ResultError("animate: block names none; expected the path of a block, or several")
    model = None if robot is None else robot_named(robot)
    if signal is not None and block is not None:
        raise ResultError("animate: signal and block; expected one of them")
    path = None if signal is None else result.trace(signal).path
    if model is not None and path is not None:
        return Animation(result, (_arm(result, model, path),))
    held = {*result.states, *result.signals}
    blocks = (block,) if isinstance(block, str) else block
    try:
        flat = described(result, folder) if flat is None else flat
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
