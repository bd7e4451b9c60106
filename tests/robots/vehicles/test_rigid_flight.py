"""The equations of multirotors: six rotors hover, and a block from outside flies with them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
import pytest
from numpy.typing import NDArray

import blockdyn as bd
from blockdyn.robots.vehicles.rigid_flight import Airframe, fly, rotor_wrench
from blockdyn.robots.vehicles.rotor_loads import allocation, ring

Array = NDArray[np.float64]
J = np.diag([0.1, 0.1, 0.25])
MASS, B, K, G = 3.0, 1e-5, 2e-7, 9.81


def hexacopter() -> Airframe:
    return Airframe(ring(6, 0.4, -0.01).hubs, J, np.linalg.inv(J), MASS, B, K, G)


def rates(frame: Airframe, q: Any, w: Any, omega: Any) -> list[Array]:
    out = [np.zeros(3), np.zeros(4), np.zeros(3), np.zeros(3)]
    fly(frame, np.array(q, float), np.zeros(3), np.array(w, float), np.array(omega, float), *out)
    return out


def test_six_rotors_hover() -> None:
    """Equal thrusts, of which the sum is the weight, and spins in turn: nothing moves."""
    frame, spins = hexacopter(), ring(6, 0.4, -0.01).spins
    speed = np.sqrt(MASS * G / (6 * B))
    for part in rates(frame, [1, 0, 0, 0], [0, 0, 0], speed * spins):
        np.testing.assert_allclose(part, 0.0, atol=1e-13)


def test_the_wrench_is_what_the_allocation_says() -> None:
    omega = np.random.default_rng(1).uniform(100, 900, 6) * ring(6, 0.4, -0.01).spins
    thrust, *torque = rotor_wrench(hexacopter(), omega)
    expected = allocation(ring(6, 0.4, -0.01), B, K) @ omega**2
    np.testing.assert_allclose([*torque, thrust], expected, rtol=1e-13)


def test_the_front_rotor_alone_pitches_the_nose_up_and_yaws_against_its_spin() -> None:
    *_, d_w = rates(hexacopter(), [1, 0, 0, 0], [0, 0, 0], [500.0, 0, 0, 0, 0, 0])
    np.testing.assert_allclose(d_w, [0.0, 0.4 * B * 500.0**2 / 0.1, -K * 500.0**2 / 0.25], rtol=1e-13)


class Hexacopter(bd.Block):
    """Six rotors; the equations are the library's."""

    inputs: ClassVar = (bd.Port("omega", 6, "rad/s"),)
    outputs: ClassVar = (bd.Port("rates", 3, "rad/s"), bd.Port("position", 3, "m"))
    states: ClassVar = (
        bd.State("p", "origin", "m"),
        bd.State("q", "upright"),
        bd.State("v", "origin", "m/s"),
        bd.State("w", "spin", "rad/s"),
    )

    mass: bd.Real = bd.parameter(default=MASS, unit="kg", dimensions=(0,))
    b: bd.Real = bd.parameter(default=B, unit="N s2", dimensions=(0,))
    k: bd.Real = bd.parameter(default=K, unit="N m s2", dimensions=(0,))
    gravity: bd.Real = bd.parameter(default=G, unit="m/s2", dimensions=(0,))
    spin: bd.Real = bd.parameter(default=[0.3, 0.0, 2.0], unit="rad/s", dimensions=(1,))

    def constants(self) -> Mapping[str, Array]:
        frame = hexacopter()
        upright = np.array([1.0, 0.0, 0.0, 0.0])
        return {
            "hubs": frame.hubs, "J": frame.J, "J_inverse": frame.J_inverse,
            "origin": np.zeros(3), "upright": upright,
        }  # fmt: skip

    derivative = staticmethod(fly)

    @staticmethod
    def output_rates(w: Array, rates: Array) -> None:
        for i in range(3):
            rates[i] = w[i]

    @staticmethod
    def output_position(p: Array, position: Array) -> None:
        for i in range(3):
            position[i] = p[i]


@pytest.mark.parametrize("compiled", [True, False])
def test_a_vehicle_from_outside_falls_and_precesses(compiled: bool) -> None:
    """Rotors still: free fall, and a symmetric top, whose rates turn about z at (Jz - Jx)/Jx wz."""
    d = bd.Diagram("fall")
    d.connect(d.add("still", bd.Constant(np.zeros(6))), d.add("craft", Hexacopter())["omega"])
    t = 1.2
    r = d.simulate(stop=t, rtol=1e-10, atol=1e-12, compiled=compiled)
    np.testing.assert_allclose(r.final("craft.position"), [0, 0, G * t**2 / 2], atol=1e-9)
    turn = (0.25 - 0.1) / 0.1 * 2.0 * t
    np.testing.assert_allclose(
        r.final("craft.rates"), [0.3 * np.cos(turn), 0.3 * np.sin(turn), 2.0], atol=1e-8
    )
