"""The highest admissible speed along a path gives the time that the path takes."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from ...base.checked import checked_numbers
from ...base.door import door
from ...base.shown import NotebookText
from ..wheels.speed_profile import speed_profile as phases_of
from .arc_path import ArcPath
from .arguments import Array, PlanningError, numbers, positive, refusal


@dataclass(frozen=True, eq=False, repr=False)
class SpeedProfile(NotebookText):
    """The highest speed along a path: |v| over the distance driven s, forwards and backwards.

    `phases` (k, 4) are s, m, time, s, speed, m/s, and rate, m/s2, where each phase of constant acceleration
    begins. `duration`, s, is the total time.
    """

    path: ArcPath
    phases: Array
    duration: float

    def __repr__(self) -> str:
        fastest = float(self.phases[:, 2].max(initial=0.0))
        length = f"{self.path.length:.4g} m in {self.duration:.4g} s"
        return f"<SpeedProfile: {length}, at most {fastest:.4g} m/s, {len(self.phases)} phases>"

    @checked_numbers(refusal)
    def speed(self, s: ArrayLike) -> Array:
        """|v|, m/s, at places s, m. Raises PlanningError for places off the path."""
        passed, _, v, rate = self._phase(s)
        return np.asarray(np.sqrt(np.maximum(0.0, v * v + 2.0 * rate * passed)))

    @checked_numbers(refusal)
    def time(self, s: ArrayLike) -> Array:
        """Times of the vehicle at places s, m: s. Raises PlanningError for places off the path."""
        passed, begun, v, rate = self._phase(s)
        both = v + np.sqrt(np.maximum(0.0, v * v + 2.0 * rate * passed))
        with np.errstate(invalid="ignore"):
            return np.asarray(begun + np.where(passed > 0.0, 2.0 * passed / both, 0.0))

    def _phase(self, s: ArrayLike) -> Array:
        """Distance of places from the start of their phase, and time, speed and rate there: (4, ...)."""
        places = numbers("s", s, "places along the path, m")
        length = self.path.length
        if ((places < 0.0) | (places > length * (1.0 + 1e-14))).any():
            raise PlanningError("s", places.tolist(), f"places on the path, 0 to {length:g} m")
        phase = self.phases[np.searchsorted(self.phases[:, 0], places, side="right") - 1]
        return np.stack([places - phase[..., 0], phase[..., 1], phase[..., 2], phase[..., 3]])

    if not TYPE_CHECKING:  # see doors.pyi
        _figure = door("plots.robots.paths:speed_picture")


@checked_numbers(refusal)
def speed_profile(
    path: ArcPath,
    speed: float,
    acceleration: float,
    *,
    braking: float | None = None,
    side_acceleration: float = inf,
    initial: float = 0.0,
    final: float = 0.0,
) -> SpeedProfile:
    """The fastest drive along a path, from rest to rest, or from an `initial` to a `final` speed.

        |v| <= speed    v^2 |curvature| <= side_acceleration    -braking <= d|v|/dt <= acceleration

    A forward pass bounds the speed by the acceleration, a backward pass by the braking, which defaults to the
    acceleration. The vehicle stops where the direction changes. An `initial` or `final` speed above the
    limits is lowered to them. Raises PlanningError. Source: Kunz, Stilman,
    Robotics: Science and Systems VIII, 2012, doi:10.15607/RSS.2012.VIII.027, for a scalar speed.
    """
    top, grows = positive("speed", speed, "m/s"), positive("acceleration", acceleration, "m/s2")
    shrinks = grows if braking is None else positive("braking", braking, "m/s2")
    side = inf if side_acceleration == inf else positive("side_acceleration", side_acceleration, "m/s2")
    if not len(path.lengths):
        raise PlanningError("path", "a path of length 0", "a path with segments")
    for name, value in (("initial", initial), ("final", final)):
        if not 0.0 <= value < inf:
            raise PlanningError(name, value, "a speed of 0 or more, m/s")
    with np.errstate(divide="ignore"):
        limits = np.minimum(top, np.sqrt(side / np.abs(path.curvatures)))
    rows, duration = phases_of(
        path.lengths, limits, acceleration=grows, braking=shrinks, initial=initial, final=final
    )
    t, segment, place, v, rate = rows.T
    return SpeedProfile(
        path, np.column_stack([path.knots[segment.astype(int)] + place, t, v, rate]), duration
    )
