"""JointTrajectory: joints from one configuration to another in a given time."""

from __future__ import annotations

from ...robots.trajectories.motion import Pieces
from ...robots.trajectories.point_to_point import METHODS, point_to_point
from ..contract.parameter import Real, option, parameter
from .motion import _JointMotion


class JointTrajectory(_JointMotion):
    """From q0 to qf between t = start and start + duration, with exact derivatives.

        quintic      q = q0 + (10 s^3 - 15 s^4 + 6 s^5) (qf - q0),  s = (t - start) / duration
        cubic        q = q0 + (3 s^2 - 2 s^3) (qf - q0)
        trapezoidal  a parabola of t_b, a line of speed V, a parabola of t_b;  |qf - q0| = V (duration - t_b)

    All three start and end at rest; cubic and quintic also accept the rates `qd0`, `qdf` at the ends, and
    quintic the accelerations `qdd0`, `qddf`. For trapezoidal (LSPB) give one of `speed` V, `blend_time` t_b
    and `acceleration` V / t_b; by default V = 1.5 |qf - q0| / duration. V must satisfy |qf - q0| / duration <
    V <= 2 |qf - q0| / duration, joint by joint. Numbers give a scalar motion, vectors the motion of n joints
    in the same time. Before the start q is q0 and after the end qf, both at rest.

    Start, end and the ends of the parabolas are time events: the derivatives jump there. Raises
    ParameterError for vectors of different lengths, and for a motion that is impossible in the given time.
    Source: Lynch, Park, Modern Robotics (2017), section 9.2.2; Paul, Robot Manipulators (1981), section 5.2.

    Example:
        {type: JointTrajectory, q0: [0, 0], qf: [0.8, 1.6], duration: 5.0}
    """

    icon = "point to point"

    q0: Real = parameter(unit="rad or m", doc="position before the start", dimensions=(0, 1))
    qf: Real = parameter(unit="rad or m", doc="position after the end", dimensions=(0, 1))
    duration: Real = parameter(default=1.0, unit="s", doc="duration of the motion", above=0, dimensions=(0,))
    start: Real = parameter(default=0.0, unit="s", doc="start of the motion", dimensions=(0,))
    method: str = option(default="quintic", doc="shape of the motion", choices=METHODS)
    qd0: Real = parameter(default=0.0, unit="rad/s or m/s", doc="velocity at the start", dimensions=(0, 1))
    qdf: Real = parameter(default=0.0, unit="rad/s or m/s", doc="velocity at the end", dimensions=(0, 1))
    qdd0: Real = parameter(
        default=0.0, unit="rad/s2 or m/s2", doc="acceleration at the start", dimensions=(0, 1)
    )
    qddf: Real = parameter(
        default=0.0, unit="rad/s2 or m/s2", doc="acceleration at the end", dimensions=(0, 1)
    )
    speed: Real | None = parameter(
        default=None, unit="rad/s or m/s", doc="V of trapezoidal", minimum=0, dimensions=(0, 1)
    )
    blend_time: Real | None = parameter(
        default=None, unit="s", doc="t_b of trapezoidal", minimum=0, dimensions=(0, 1)
    )
    acceleration: Real | None = parameter(
        default=None, unit="rad/s2 or m/s2", doc="V / t_b of trapezoidal", minimum=0, dimensions=(0, 1)
    )

    def pieces(self) -> Pieces:
        return point_to_point(
            self.q0, self.qf, self.duration, start=self.start, method=self.method,  # type: ignore[arg-type]
            qd0=self.qd0, qdf=self.qdf, qdd0=self.qdd0, qddf=self.qddf,
            speed=self.speed, blend_time=self.blend_time, acceleration=self.acceleration,
        )  # fmt: skip
