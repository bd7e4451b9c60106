"""The toolbox' rotorcraft, native: its own equations by SciPy, and the ground, which holds it up."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np
import pytest

import blockdyn as bd
from blockdyn.interop.bdsim import from_bdsim

G, M, THRUST = 9.81, 4.0, 1e-4
AREA = np.pi * 0.165**2
MODEL = {
    "nrotors": 4, "g": G, "rho": 1.184, "M": M,
    "J": np.array([[0.08, 0.001, 0], [0.001, 0.09, 0], [0, 0, 0.15]]),
    "h": -0.007, "d": 0.315, "r": 0.165, "theta0": 0.255, "theta1": -0.136, "gamma": 2.4,
    "Ct": 0.0048, "Cq": 0.000235, "A": AREA, "b": 0.0048 * 1.184 * AREA * 0.165**2, "k": 3.2e-6,
}  # fmt: skip


def test_it_moves_as_the_toolbox_own_equations_say(sim: Any) -> None:
    reason = "needs roboticstoolbox: pip install roboticstoolbox-python"
    pytest.importorskip("roboticstoolbox", reason=reason)
    integrate = importlib.import_module("scipy.integrate")
    x0 = 0.4 * np.random.default_rng(1).normal(size=12)
    w = np.array([800.0, -750.0, 820.0, -790.0])
    d = sim.blockdiagram()
    craft = d.MULTIROTOR(MODEL, x0=x0, groundcheck=False, name="craft", inputs=[d.CONSTANT(w)])
    item = d.ITEM("X", inputs=[craft], name="item")
    roll = d.FUNCTION(lambda x: x["rot"][2] + x["vb"][0], inputs=[craft], name="roll")
    mixed = d.MULTIROTORMIXER(MODEL, inputs=[d.CONSTANT(v) for v in (1.0, 2.0, 0.3, -40.0)], name="mixed")
    cut = d.MULTIROTORMIXER(MODEL, inputs=[d.CONSTANT(v) for v in (0.0, 90.0, 0.0, -40.0)], name="cut")
    d.compile()
    imported = from_bdsim(d)
    out = imported.simulate(0.8, watch=[item, roll, mixed, cut], rtol=1e-10, atol=1e-12)
    assert imported.opaque(0.8) == ()
    assert not [key for key in out.result.statistics if key.startswith("python ")]
    there = integrate.solve_ivp(
        lambda t, x: craft.deriv(t, [w], x.copy()), (0, 0.8), x0, method="DOP853", rtol=1e-11, atol=1e-12
    )
    x = there.y[:, -1]
    shown = craft.output(0.8, None, x)[0]
    np.testing.assert_allclose(out.x[-1], x, rtol=1e-9, atol=1e-10)
    whole, part, inside, limited = out.data[".ywatch"]
    np.testing.assert_allclose(whole[-1], shown["X"], rtol=1e-9, atol=1e-10)
    np.testing.assert_allclose(part[-1], shown["rot"][2] + shown["vb"][0], rtol=1e-9)
    for rows, wrench in ((inside, [1.0, 2.0, 0.3, -40.0]), (limited, [0.0, 90.0, 0.0, -40.0])):
        np.testing.assert_allclose(rows[-1], mixed.output(0.0, wrench, None)[0], rtol=1e-12)


def test_who_reads_the_flapping_gets_it_from_bdsim(sim: Any) -> None:
    pytest.importorskip("roboticstoolbox", reason="needs roboticstoolbox: pip install roboticstoolbox-python")
    for read in (
        lambda d, craft: d.ITEM("a1s", inputs=[craft]),
        lambda d, craft: d.FUNCTION(lambda x: x["b1s"][0], inputs=[craft]),
        lambda d, craft: d.FUNCTION(len, inputs=[craft]),
    ):
        d = sim.blockdiagram()
        craft = d.MULTIROTOR(MODEL, name="craft", inputs=[d.CONSTANT(np.full(4, 800.0))])
        read(d, craft)
        d.compile()
        assert "craft" in from_bdsim(d).opaque(1.0)


def test_the_ground_stops_a_fall_and_lets_go_when_thrust_exceeds_weight() -> None:
    """Straight down from 2 m, then up as thrust, which grows with the square of speeds, passes the weight."""
    pytest.importorskip("bdsim", reason='needs bdsim: pip install "blockdyn[bdsim]"')
    pounds = importlib.import_module("blockdyn.interop.bdsim.vehicles")
    craft = pounds.Pounds(
        rotors=4, initial=[0, 0, -2.0, *[0] * 9], craft=[0.165, 0.25, -0.1, 2.4, M, G, THRUST, 0.0, 1.0],
        hubs=np.zeros((4, 3)), inertia=np.eye(3),
    )  # fmt: skip
    d = bd.Diagram("ground")
    speeds = [d.add("squares", bd.Expression("20000 + 40000 * t")), d.add("root", bd.Sqrt())]
    d.connect(*speeds, d.add("four", bd.Gain([1.0, -1.0, 1.0, -1.0])), d.add("craft", craft))
    r = d.simulate(stop=4.0, rtol=1e-10, atol=1e-12)
    lift = 4 * THRUST / M  # m/s2 per (rad/s)^2
    fall = np.roots([-lift * 40000 / 6, (G - lift * 20000) / 2, 0.0, -2.0])
    touch = min(root.real for root in fall if abs(root.imag) < 1e-9 and root.real > 0)
    leave = (G / lift - 20000) / 40000
    assert [e.detail for e in r.events] == ["touches", "lifts"]
    np.testing.assert_allclose([e.time for e in r.events], [touch, leave], rtol=1e-9)
    np.testing.assert_allclose(r.final("craft.x")[2], -lift * 40000 * (4.0 - leave) ** 3 / 6, rtol=1e-7)
    resting = r.trace("craft.x").at([0.5 * (touch + leave)])[0]
    assert resting[2] == resting[8] == 0.0
