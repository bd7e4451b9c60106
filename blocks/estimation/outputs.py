"""Ports of several estimators, and outputs of states whose first elements are q and b."""

from __future__ import annotations

from math import sqrt

from ..contract.parameter import Array
from ..contract.port import WXYZ, XYZ, Port

ACCELEROMETER = Port("accelerometer", 3, "m/s2", "specific force, in body axes", elements=XYZ)
GYROSCOPE = Port("gyroscope", 3, "rad/s", "angular velocity in body axes", elements=XYZ)
QUATERNION = Port("quaternion", 4, "", "attitude, scalar first, of unit length", elements=WXYZ)
RATES = Port("rates", 3, "rad/s", "gyroscope minus its bias, in body axes", elements=XYZ)
GYROSCOPE_BIAS = Port("gyroscope_bias", 3, "rad/s", elements=XYZ)


def attitude(x: Array, quaternion: Array) -> None:
    for i in range(4):
        quaternion[i] = x[i]


def turning(gyroscope: Array, x: Array, rates: Array) -> None:
    for i in range(3):
        rates[i] = gyroscope[i] - x[4 + i]


def bias(x: Array, gyroscope_bias: Array) -> None:
    for i in range(3):
        gyroscope_bias[i] = x[4 + i]


def deviations(P: Array, deviations: Array) -> None:
    for i in range(P.shape[0]):
        deviations[i] = sqrt(P[i, i])


def covariance(P: Array, covariance: Array) -> None:
    for i in range(P.shape[0]):
        for j in range(P.shape[0]):
            covariance[i, j] = P[i, j]
