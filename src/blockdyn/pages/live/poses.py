"""Poses of moving bodies in a live run at each time, and lines that blocks draw on the ground."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ...diagrams.results.errors import ResultError
from ...diagrams.results.result import Result
from ...diagrams.results.trace import Trace
from ...diagrams.runs.logged import FIRST, state_columns
from ...plots.films.actors import Actor, ArmActor, CraftActor, WheelActor, from_angles, standing
from ...plots.films.animation import GroundLines
from ...robots.errors import RobotError
from ...solvers.layout import Floats, Integers
from .moment import Moment, moment
from .run import LiveRun

if TYPE_CHECKING:
    from ...robots.shapes.shape import Motion

_STAY = ("low", "high", "floor", "step", "view", "triad", "grey", "still")
_BODY = ("frames", "solids", "reference", "trail", "extent")


def places(live: LiveRun, result: Result) -> dict[str, int]:
    """The column of a row in which each signal, state, and element of one begins, by path and name."""
    states = state_columns(live.program) if live.settings.log_states else []
    first = FIRST + (live.program.plan.states if live.settings.log_states else 0)
    starts = [(column.heading.path, FIRST + column.start) for column in states]
    starts += [(column.name, first + column.start) for column in live.columns.signals]
    columns: dict[str, int] = {}
    for path, start in starts:
        trace = result.trace(path)
        for names in (trace.names, trace.columns):
            columns |= {name: start + i for i, name in enumerate(names)}
        columns[path] = start
    return columns


class _Read(NamedTuple):
    """Place of a trace in a row; true if it is held."""

    columns: Integers
    held: bool


class Poses:
    """The bodies of a live run, and lines on the ground below them; `scene` is None where nothing moves."""

    def __init__(self, live: LiveRun) -> None:
        self.scene: dict[str, Any] | None = None
        self._moved: list[tuple[Actor, _Read, _Read | None, list[_Read]]] = []
        self._ground: list[tuple[GroundLines, list[_Read]]] = []
        self._size = 1.0
        from ...plots.films.animation import animation
        from ...plots.films.page import scene

        result = live.so_far()
        try:
            animated = animation(result, flat=live.program.flat)
            films = animated.films(np.array([live.start]))
        except (ResultError, RobotError):
            return
        at = places(live, result)

        def read(trace: Trace) -> _Read:
            return _Read(at[trace.path] + np.arange(trace.size), trace.kind == "discrete")

        for actor in animated.actors:
            turned = actor.attitude if isinstance(actor, CraftActor) else None
            stops = [read(each) for each in actor.stops] if isinstance(actor, CraftActor) else []
            attitude = None if turned is None else read(turned)
            self._moved.append((actor, read(actor.trace), attitude, stops))
        self._size = max(film.extent for film in films)
        self._ground = [(one, [read(trace) for trace in one.traces]) for one in animated.ground_lines]
        drawn = scene(films, animated.labels, animated.title)
        bodies = [
            {"label": label, "joints": film.motion.strokes.shape[1]} | {name: body[name] for name in _BODY}
            for label, film, body in zip(animated.labels, films, drawn["films"], strict=True)
        ]
        lines = self._lines(moment(live.timeline.rows.all, live.start))
        grounds = [
            {"color": one.color, "label": one.label, "ends": 2 * len(part)}
            for (one, _), part in zip(self._ground, lines, strict=True)
        ]
        self.scene = {name: drawn[name] for name in _STAY} | {"bodies": bodies, "grounds": grounds}

    def at(self, now: Moment) -> Floats:
        """Poses at a time: places, quaternions, strokes, body after body; then the ends of the lines."""
        from ...plots.films.page import quaternions

        numbers = []
        for actor, place, attitude, stops in self._moved:
            q = _interpolate_attitude(now, place, attitude)[None] if isinstance(actor, CraftActor) else None
            still = standing([now.values(*each)[None] for each in stops])
            motion = _motion(actor, np.array([now.time]), now.values(*place)[None], q, still)
            numbers += [motion.p.ravel(), quaternions(motion.R).ravel(), motion.strokes.ravel()]
        numbers += [part.ravel() for part in self._lines(now)]
        return np.concatenate(numbers) if numbers else np.zeros(0)

    def paths(self, rows: Floats) -> Floats:
        """Positions of the tip of every body, m, in rows that show everything (3 a body, rows)."""
        tips = []
        for actor, place, attitude, _ in self._moved:
            q = _attitudes(rows, place, attitude) if isinstance(actor, CraftActor) else None
            tips.append(_motion(actor, rows[:, 0], rows[:, place.columns], q).p[:, -1].T)
        return np.concatenate(tips)

    def _lines(self, now: Moment) -> list[Floats]:
        """Lines of blocks on the ground, the ends (n, 2, 2) of lines of each kind, m."""
        size = self._size
        return [one.lines(size, [now.values(*at)[None] for at in reads])[0] for one, reads in self._ground]


def _motion(actor: Actor, times: Floats, values: Floats, q: Floats | None, still: Any = None) -> Motion:
    """The frames of a body at some instants; `q` are the attitudes of one that flies."""
    from ...robots.shapes.shape import motion_of

    if isinstance(actor, ArmActor):
        return motion_of(actor.robot, values)
    if isinstance(actor, WheelActor):
        return actor.body.motion(values)
    assert isinstance(actor, CraftActor)
    assert q is not None
    return actor.body.motion(times, values[:, :3], q, still)


def _interpolate_attitude(now: Moment, place: _Read, attitude: _Read | None) -> Floats:
    """The quaternion of a time, on the way from one row to the other."""
    a, b = _attitudes(np.stack([now.before, now.after]), place, attitude)
    turned: Floats = a + now.part * ((b if a @ b >= 0.0 else -b) - a)  # q and -q are the same attitude
    return turned


def _attitudes(rows: Floats, place: _Read, attitude: _Read | None) -> Floats:
    """The quaternions that rows hold, or computed from their angles."""
    return rows[:, attitude.columns] if attitude else from_angles(rows[:, place.columns[3:6]])
