"""HoverLQR: a linear quadratic regulator about hover."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import numpy as np

from ...robots.vehicles.control.hover_lqr import (
    INPUTS,
    STATES,
    Regulator,
    hover_lqr,
    linear_hover,
    regulator_gain,
)
from ...robots.vehicles.control.signals import Body, Motion, Reference
from ..contract.errors import ParameterError
from ..contract.parameter import Array, Real, parameter
from .tracking import TrackingBlock


class HoverLQR(TrackingBlock):
    """State feedback that is optimal near hover, for the vehicle of its model.

        u = u_ref - K (x - x_ref)        K = R^-1 B^T P,  A^T P + P A - P B R^-1 B^T P + Q = 0

    x consists of position and velocity in axes turned by `yaw_ref`, the rotation of the body from these axes
    (twice the vector part of its quaternion), and the body rates; u is torque and thrust. In the linear model
    the rotation is (a_y, -a_x)/g, the rates follow from the jerk, the torque from the snap. Q and R are the
    diagonals of the weight matrices. Far from hover the law is not optimal and, unlike GeometricControl, may
    not recover from upside down. All inputs feed through to both outputs directly. Raises ParameterError for
    weights that are not 12 and 4 numbers, or that leave the position free. Source: Anderson, Moore, Optimal
    Control: Linear Quadratic Methods (1990).

    Example:
        {type: HoverLQR, vehicle: hummingbird}
    """

    icon = "Hover\nLQR"

    Q: Real = parameter(
        default=[10, 10, 10, 3, 3, 3, 10, 10, 3, 0.3, 0.3, 0.3],
        unit="1/m2, s2/m2, 1/rad2, s2/rad2", doc="weights of position, velocity, turn, rates",
        minimum=0, dimensions=(1,),
    )  # fmt: skip
    R: Real = parameter(
        default=[40, 40, 200, 0.5],
        unit="1/(N m)^2, 1/N^2",
        doc="weights of torque and thrust",
        above=0,
        dimensions=(1,),
    )

    def check(self) -> None:
        super().check()
        for name, count in (("Q", STATES), ("R", INPUTS)):
            if np.shape(getattr(self, name)) != (count,):
                raise ParameterError(self.kind(), name, getattr(self, name), f"{count} numbers")
        self.gain()

    def period(self) -> float:
        """The time between ticks, s; 0 for a continuous regulator."""
        return 0.0

    def gain(self) -> Array:
        """K. Raises ParameterError."""
        model = self.model
        A, B = linear_hover(model.mass, np.array(model.inertia), model.gravity)
        Q, R = np.diag(np.asarray(self.Q)), np.diag(np.asarray(self.R))
        try:
            return np.ascontiguousarray(regulator_gain(A, B, Q, R, self.period()))
        except np.linalg.LinAlgError as error:
            expected = "weights above 0 for the position and the turn about z"
            raise ParameterError(self.kind(), "Q", self.Q, expected, reason=error) from None

    def constants(self) -> Mapping[str, Any]:
        return {**super().constants(), "gain": self.gain()}

    def scratch(self) -> Mapping[str, tuple[int, ...]]:
        return {"deviation": (STATES,)}

    def functions(self) -> Mapping[str, Callable[..., Any]]:
        return {"output": control}


class SampledHoverLQR(HoverLQR):
    """HoverLQR, computed once per tick, optimal for inputs held between ticks.

        K = (R + G^T P G)^-1 G^T P F,   P = F^T P F - F^T P G K + Q

    with F and G the linear model over one `sample_time`, exactly; Q and R weigh the values at the ticks.
    Raises ParameterError as HoverLQR does.

    Example:
        {type: SampledHoverLQR, vehicle: hummingbird, sample_time: 0.01}
    """

    sampled: ClassVar[bool] = True

    sample_time: Real = parameter(default=0.01, unit="s", doc="period", above=0, dimensions=(0,))
    offset: Real = parameter(default=0.0, unit="s", doc="first tick", minimum=0, dimensions=(0,))

    def period(self) -> float:
        return float(self.sample_time)  # type: ignore[arg-type]


def control(motion: Motion, reference: Reference, body: Body, regulator: Regulator, torque: Array) -> float:
    return hover_lqr(motion, reference, body, regulator, torque)
