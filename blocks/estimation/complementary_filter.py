"""ComplementaryFilter: attitude and gyroscope bias from directions, without a covariance."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, NamedTuple

import numpy as np

from ...robots.lie.kernels.quaternion import rotation_of_quaternion
from ...robots.vehicles.estimation.attitude import complementary_step, lean
from ..contract.parameter import Array, Real, option, parameter
from ..contract.port import Port, State
from . import outputs as shown
from .estimator import Estimator
from .outputs import ACCELEROMETER, GYROSCOPE, GYROSCOPE_BIAS, QUATERNION, RATES


class Field(NamedTuple):
    """The measured directions, these directions in the world frame, and their weights."""

    accelerometer: Array
    magnetic_field: Array
    up: Array
    earth: Array
    accelerometer_weight: float
    magnetometer_weight: float


class ComplementaryFilter(Estimator):
    """The explicit complementary filter on rotations.

        dq/dt = q (0, gyroscope - b + kP e) / 2       db/dt = -kI e
        e = ka a x R(q)'(-z) + km m x R(q)' field,    each of unit length, a of the accelerometer

    The rotation over a step is exact for constant rates. An accelerometer measures the vertical only if the
    vehicle does not accelerate. With the input `magnetometer` the heading is corrected too; without it, the
    heading drifts. Near the truth, the error about an axis obeys s^2 + kP k s + kI k = 0. k is the sum of the
    weights ka, km of the measured directions, each times the squared sine of the angle between direction and
    axis. Outputs: see Estimator. Raises ParameterError for a zero quaternion or field.
    Source: Mahony, Hamel, Pflimlin, Nonlinear complementary filters on the special orthogonal group, IEEE
    Transactions on Automatic Control 53(5), 2008, section V.

    Example:
        {type: ComplementaryFilter, sample_time: 0.002, proportional: 1.0, integral: 0.1}
    """

    icon = "Complem.\nfilter"
    outputs: ClassVar = (QUATERNION, RATES, GYROSCOPE_BIAS)
    states: ClassVar = (State("x", "x0"),)

    proportional: Real = parameter(default=1.0, unit="1/s", doc="gain kP", above=0, dimensions=(0,))
    integral: Real = parameter(default=0.3, unit="1/s2", doc="gain kI", minimum=0, dimensions=(0,))
    accelerometer_weight: Real = parameter(default=1.0, unit="1", doc="ka", minimum=0, dimensions=(0,))
    magnetometer_weight: Real = parameter(default=1.0, unit="1", doc="km", minimum=0, dimensions=(0,))
    magnetometer: bool = option(default=False, doc="has an input of the magnetic field")
    field: Real = parameter(
        default=[2.0e-5, 0.0, 4.5e-5], unit="T", doc="the earth's, in the world frame", dimensions=(1,)
    )

    def input_ports(self) -> tuple[Port, ...]:
        magnetic = (Port("magnetic_field", 3, "T", "in body axes"),) if self.magnetometer else ()
        return (
            ACCELEROMETER,
            GYROSCOPE,
            *magnetic,
        )

    def constants(self) -> Mapping[str, Array | float]:
        return {
            "x0": np.concatenate([self.first_attitude(), self.triple("initial_gyroscope_bias")]),
            "earth": self.earth_field(),
            "up": np.array([0.0, 0.0, -1.0]),
            **({} if self.magnetometer else {"magnetic_field": np.zeros(3)}),
        }

    def scratch(self) -> Mapping[str, tuple[int, ...]]:
        return {"R": (3, 3), "towards": (3,), "work": (2, 4)}

    @staticmethod
    def update(
        gyroscope: Array, field: Field, x: Array, sample_time: float, proportional: float, integral: float,
        R: Array, towards: Array, work: Array, next_x: Array,
    ) -> None:  # fmt: skip
        for i in range(7):
            next_x[i] = x[i]
        for i in range(3):
            towards[i] = 0.0
        rotation_of_quaternion(x[0], x[1], x[2], x[3], R)
        lean(R, field.accelerometer, field.up, field.accelerometer_weight, towards)
        lean(R, field.magnetic_field, field.earth, field.magnetometer_weight, towards)
        complementary_step(next_x, gyroscope, towards, proportional, integral, sample_time, work)

    output_quaternion = staticmethod(shown.attitude)
    output_rates = staticmethod(shown.turning)
    output_gyroscope_bias = staticmethod(shown.bias)
