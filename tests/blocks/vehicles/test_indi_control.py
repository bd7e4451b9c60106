"""INDI in flight: constant disturbances and wrong models leave nothing behind; its filter, its integral."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import blockdyn as bd
from blockdyn import robots
from blockdyn.blocks.vehicles.indi_control import held_filter

CRAFT = robots.load_vehicle("hummingbird")
PUSH, TWIST = np.array([0.5, -0.3, 0.4]), np.array([0.004, -0.003, 0.001])  # N, N m


def pushed(control: Any, craft: Any, **inputs: Any) -> bd.Diagram:
    """A vehicle that is to stay where it is while a force and a torque act on it."""
    d = bd.Diagram("pushed")
    c, mixer = d.add("control", control), d.add("mixer", bd.MotorMixer(control.vehicle))
    v = d.add("vehicle", bd.NRotor(craft, motors=True))
    here = d.add("here", bd.Constant([0.0, 0.0, 0.0]))
    d.connect(here, c["position_ref"])
    for name, value in inputs.items():
        d.connect(d.add(name, bd.Constant(value)), v[name])
    for port in c.block.input_ports():
        if not port.name.endswith("_ref"):
            d.connect(v[port.name], c[port.name])
    d.connect(c["torque"], mixer["torque"])
    d.connect(c["thrust"], mixer["thrust"])
    d.connect(mixer["omega"], v["omega"])
    return d


def place(d: bd.Diagram) -> Any:
    r = d.simulate(stop=15.0)
    assert not [key for key in r.statistics if key.startswith("python")]
    return r.final("vehicle.position")


def test_a_constant_force_shifts_a_cascade_and_not_indi() -> None:
    """Without integral K_p K_v e = F/m balances it in a cascade of position and velocity."""
    shifted = place(pushed(bd.CascadeControl(CRAFT, Ki=0.0), CRAFT, force=PUSH))
    np.testing.assert_allclose(shifted, PUSH / (CRAFT.mass * 2.0 * 4.0), rtol=1e-3)
    for control in (bd.INDIControl(CRAFT, Ki=0.0), bd.SampledINDIControl(CRAFT, Ki=0.0)):
        still = place(pushed(control, CRAFT, force=PUSH, torque=TWIST))
        np.testing.assert_allclose(still, 0.0, rtol=0, atol=1e-6)


def test_indi_does_not_mind_a_wrong_model() -> None:
    """Coefficients, mass and inertia that are 20 to 40 % off, and the centre of mass beside the middle."""
    true = CRAFT.payload(0.1, at=[0.01, 0.005, 0.02]).with_rotors(thrust=0.85 * CRAFT.rotors[0].thrust)
    still = place(pushed(bd.SampledINDIControl(CRAFT, Ki=0.0), true))
    np.testing.assert_allclose(still, 0.0, rtol=0, atol=1e-6)


def test_the_sampled_filter_is_that_of_butterworth_held() -> None:
    signal = pytest.importorskip("scipy.signal")
    W, T = 150.0, 0.004
    continuous = signal.zpk2ss(*signal.butter(2, W, analog=True, output="zpk"))
    _, (response,) = signal.dstep(signal.cont2discrete(continuous, T), n=50)
    ours, y = [], np.zeros(2)
    hold = held_filter(W, T)
    for _ in range(50):
        ours.append(y[0])
        y = hold @ [*y, 1.0]
    np.testing.assert_allclose(ours, response[:, 0], rtol=0, atol=1e-12)


def test_the_integral_of_a_cascade_comes_to_rest_at_the_thrust_limit() -> None:
    """Held in place below where it is to be: dI/dt = 0 where K_i I + feed-forward is what the rotors give.

    The velocity that is asked for is K_p h = 2 m/s up; then e = 2 and A_given - A = -K_v e, so that
    K_i I = A_given + g, A_given = -thrust/m.
    """
    most = 4.0 * CRAFT.rotors[0].thrust * CRAFT.rotors[0].fastest ** 2
    for control in (bd.CascadeControl(CRAFT, Ki=20.0), bd.SampledCascadeControl(CRAFT, Ki=20.0)):
        d = bd.Diagram("held")
        c = d.add("control", control)
        d.connect(d.add("above", bd.Constant([0.0, 0.0, -1.0])), c["position_ref"])
        still = d.add("still", bd.Constant([0.0, 0.0, 0.0]))
        for name in ("position", "velocity", "rates"):
            d.connect(still, c[name])
        d.connect(d.add("level", bd.Constant([1.0, 0.0, 0.0, 0.0])), c["quaternion"])
        thrust = d.simulate(stop=20.0).final("control.thrust")
        # A = A_given - K_v e at rest, without its limit
        np.testing.assert_allclose(thrust, most + CRAFT.mass * 4.0 * 2.0, rtol=1e-6)
