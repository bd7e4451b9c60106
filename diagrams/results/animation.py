"""Animation: the arm that moves in a result, found by name or in the diagram that the result carries."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from os import PathLike
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from .errors import ResultError
from .motion import at, coordinates
from .moving import Arm, NoArm, choose, described_arms, robot_named

if TYPE_CHECKING:
    from ...robots.animation.scene import Film
    from ...robots.robot import Robot
    from .result import Result
    from .trace import FloatArray, Trace

View: TypeAlias = "tuple[float, float] | None"
"""Elevation and azimuth in degrees; None: across the motion."""
MOST_FRAMES = 20_000
FINER, MOST_POINTS = 4, 3000  # of the tool's path: points a frame, points in all


@dataclass(frozen=True)
class Animation:
    """A robot and the joint coordinates that move it: what a result shows when its arm is drawn."""

    result: Result
    robot: Robot
    trace: Trace

    @property
    def span(self) -> tuple[float, float]:
        """First and last instant, s."""
        return float(self.trace.time[0]), float(self.trace.time[-1])

    def times(self, *, fps: float = 25.0, speed: float = 1.0) -> FloatArray:
        """The instants of a movie's frames, s: `speed` / `fps` apart, and the end. Raises ResultError."""
        for name, value in (("fps", fps), ("speed", speed)):
            if not (math.isfinite(value) and value > 0):
                raise ResultError(f"animate: {name} = {value:g}; expected a positive number")
        start, stop = self.span
        count = math.ceil((stop - start) * fps / speed - 1e-9) + 1
        if count > MOST_FRAMES:
            remedy = f"speed = {math.ceil((stop - start) * fps / MOST_FRAMES) + 1} or more, or a smaller fps"
            raise ResultError(f"animate: {count} frames, {MOST_FRAMES} at most; expected {remedy}")
        return np.asarray(np.minimum(start + np.arange(count) * (speed / fps), stop))

    def film(self, times: FloatArray) -> Film:
        """The robot at these instants, and the whole path of its tool."""
        from ...robots.animation.scene import film

        start, stop = self.span
        path = np.linspace(start, stop, min(MOST_POINTS, FINER * max(len(times), 100)))
        return film(
            self.robot, times, at(self.result, self.trace, times), path, at(self.result, self.trace, path)
        )


def animation(
    result: Result,
    *,
    robot: Any = None,
    signal: str | None = None,
    arms: Sequence[Arm] | None = None,
    folder: str | PathLike[str] | None = None,
) -> Animation:
    """The arm that moves in a result.

    robot   a name, a mapping, a .yaml or .urdf file, or a Robot; None: found from the diagram in the result
    signal  the path of its joint coordinates; None: what its FDyn block puts out; where there is none, the q
            that an IKine puts out or that other blocks with a robot read
    arms    the arms of the diagram, where the caller knows it
    folder  where the robot files that the diagram names are looked for

    Raises NoArm, SeveralArms, UnknownSignal, NoCoordinates, RobotError.
    """
    given = None if robot is None else robot_named(robot)
    path = None if signal is None else result.trace(signal).path
    if given is None or path is None:
        held = [*result.signals, *result.states]
        try:
            known = list(described_arms(result, folder) if arms is None else arms)
            given, path = choose(known, held, signal=path, robot=given)
        except NoArm:
            named = [name for name in result.signals if given and _is_q(result.signals[name], given.n)]
            if given is None or len(named) != 1:
                raise
            path = named[0]
    return Animation(result, given, coordinates(result, path, given.name, given.n))


def _is_q(trace: Trace, n: int) -> bool:
    return trace.path.rpartition(".")[2] == "q" and trace.shape == (n,)


def checked_view(view: View) -> View:
    """Elevation and azimuth in degrees. Raises ResultError."""
    if view is None or (len(view) == 2 and all(map(math.isfinite, view)) and abs(view[0]) <= 90):
        return view
    expected = "elevation (-90 to 90) and azimuth in degrees, such as (25, -60)"
    raise ResultError(f"animate: view = {view}; expected {expected}")
