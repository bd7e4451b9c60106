"""fdyn, one call: against closed forms, the diagram that it stands for, and with laws of any names."""

from __future__ import annotations

from math import pi

import numpy as np
import pytest
from scipy.special import ellipk

import blockdyn as bd
from blockdyn.robots import functions as of, load

PUMA = load("puma560").without_friction()
LINK = bd.robots.from_elementary(
    "Rx(90deg) Rz(q1) Tx(1)", rows=[{"mass": 2.0, "com": [0.5, 0, 0], "inertia": [0.01, 0.02, 0.02]}]
)  # a rod in the vertical plane; q = -90 degrees hangs


def test_period_of_a_pendulum() -> None:
    """T = 4 sqrt(J / (m g c)) K(sin^2(a / 2)) from rest at a = 60 degrees off the vertical."""
    moment, weight = 0.02 + 2.0 * 0.25, 2.0 * 9.81 * 0.5
    period = 4 * np.sqrt(moment / weight) * ellipk(np.sin(pi / 6) ** 2)
    r = bd.fdyn(LINK, period, q0=-pi / 2 + pi / 3, rtol=1e-11, atol=1e-12)
    np.testing.assert_allclose(r.final("arm.q"), -pi / 2 + pi / 3, rtol=0, atol=1e-8)
    np.testing.assert_allclose(r.final("arm.qd"), 0.0, atol=1e-5)


def test_without_torque_energy_is_kept() -> None:
    r = bd.fdyn(PUMA, 1.0, q0="qr", qd0=0.3, rtol=1e-10, atol=1e-12)
    q, qd = r["arm.q"].values, r["arm.qd"].values
    energy = [of.kinetic_energy(PUMA, *x) + of.potential_energy(PUMA, x[0]) for x in zip(q, qd)]
    np.testing.assert_allclose(energy, energy[0], rtol=0, atol=1e-7)
    np.testing.assert_array_equal(r["torque"].values, 0.0)


@pytest.mark.parametrize("compiled_torque", [True, False])
def test_a_law_holds_the_weight(compiled_torque: bool) -> None:
    goal = np.array([0.1, 0.6, 2.9, 0.2, 0.5, -0.3])
    g = of.gravload(PUMA, goal).tolist()

    def pd(t: float, q: np.ndarray, qd: np.ndarray) -> np.ndarray:
        return 40.0 * (np.array([0.1, 0.6, 2.9, 0.2, 0.5, -0.3]) - q) - 12.0 * qd

    r = bd.fdyn(PUMA, 0.2, pd, "qn", compiled_torque=compiled_torque, rtol=1e-9, atol=1e-11)
    np.testing.assert_allclose(r["arm.q"].values[0], PUMA.named["qn"], rtol=0, atol=0)
    tau = [of.rne(PUMA, *x) for x in zip(r["arm.q"].values, r["arm.qd"].values, r["arm.qdd"].values)]
    np.testing.assert_allclose(r["torque"].values, tau, rtol=0, atol=1e-8)
    held = bd.fdyn(PUMA, 0.2, g, goal)
    np.testing.assert_allclose(held.final("arm.q"), goal, rtol=0, atol=1e-8)


def test_arguments_have_any_names_and_defaults_are_numbers() -> None:
    def first(t, q, qd):
        return 9.0 * np.sin(t) - 3.0 * qd

    def second(time, angle, rate, size=9.0):
        return size * np.sin(time) - 3.0 * rate

    a, b = (bd.fdyn(LINK, 0.5, law, -pi / 2).final("arm.q") for law in (first, second))
    np.testing.assert_array_equal(a, b)
    assert abs(a[0] + pi / 2) > 0.01


def test_it_is_the_diagram_and_takes_its_settings() -> None:
    d = bd.Diagram()
    d.connect(d.add("torque", bd.Constant([3.0])), d.add("arm", bd.FDyn("puma560", pose="qn"))["tau"])
    with pytest.raises(bd.BlockdynError):
        d.compile()  # one torque is not six
    r = bd.fdyn("puma560", 0.1, 3.0, "qn", every=0.01, method="dop853")
    assert r["arm.q"].sizes["time"] == 11
    d = bd.Diagram()
    d.connect(d.add("torque", bd.Constant([3.0] * 6)), d.add("arm", bd.FDyn("puma560", pose="qn"))["tau"])
    same = d.simulate(stop=0.1, every=0.01, method="dop853")
    np.testing.assert_array_equal(r["arm.q"].values, same["arm.q"].values)


@pytest.mark.parametrize("torque", [lambda q: q, [1.0, 2.0], "much", float("nan"), lambda q, t, qd: q])
def test_torques_that_are_none_are_refused(torque: object) -> None:
    with pytest.raises(bd.ParameterError, match=r"fdyn\.torque.*\n*.*a function of t, q and qd"):
        bd.fdyn("puma560", 0.1, torque)  # type: ignore[arg-type]


def test_a_law_that_gives_too_little_is_refused() -> None:
    with pytest.raises(bd.BlockdynError, match="torque"):
        bd.fdyn("puma560", 0.1, lambda t, q, qd: np.array([1.0, 2.0]))
