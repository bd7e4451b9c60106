"""Linear systems follow the matrix exponential, whatever blocks make them and whatever method runs them."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.linalg import expm
from scipy.special import gammainc

import blockdyn as bd

ADAPTIVE = ("bs32", "dopri5", "tsit5", "dop853")
FIXED = {"euler": 2e-3, "heun": 2e-6, "rk4": 1e-12, "ab4": 1e-11}  # what their orders allow at a step of 1e-3
IMPLICIT = ("rodas5p", "radau5", "bdf")
A = np.array([[-0.5, 2.0, 0.0], [-2.0, -0.5, 0.3], [0.1, 0.0, -1.0]])
B = np.array([[0.0], [1.0], [0.5]])
X0 = np.array([1.0, -0.5, 0.25])
TIMES = np.linspace(0.0, 4.0, 23)


def system() -> bd.Diagram:
    d = bd.Diagram()
    u = d.add("u", bd.Constant(0.7))
    plant = d.add("plant", bd.StateSpace(A=A, B=B, C=np.eye(3), initial=X0))
    d.connect(u, plant)
    return d


@pytest.mark.parametrize("method", ADAPTIVE)
def test_state_space_by_every_adaptive_method(method, linear):
    r = system().simulate(stop=4, method=method, rtol=1e-10, atol=1e-12, times=TIMES)
    np.testing.assert_allclose(r["plant"].values, linear(A, B, 0.7, X0, TIMES), atol=5e-8)


@pytest.mark.parametrize("method", FIXED)
def test_state_space_by_every_fixed_step_method(method, linear):
    r = system().simulate(stop=4, method=method, step=1e-3, times=TIMES)
    np.testing.assert_allclose(r["plant"].values, linear(A, B, 0.7, X0, TIMES), atol=FIXED[method])


@pytest.mark.parametrize("method", IMPLICIT)
def test_state_space_by_implicit_methods(method, linear):
    r = system().simulate(stop=4, method=method, rtol=1e-8, atol=1e-10, times=TIMES)
    np.testing.assert_allclose(r["plant"].values, linear(A, B, 0.7, X0, TIMES), atol=1e-6)


@pytest.mark.parametrize("method", ADAPTIVE)
def test_tolerance_proportionality(method, linear):
    exact = linear(A, B, 0.7, X0, 4.0)[0]
    errors = []
    for rtol in (1e-4, 1e-6, 1e-8):
        r = system().simulate(stop=4, method=method, rtol=rtol, atol=rtol, max_step=np.inf)
        errors.append(np.abs(r.final("plant") - exact).max())
        assert errors[-1] < 30 * rtol
    assert errors[2] < errors[1] < errors[0]


def test_chain_of_a_hundred_lags():
    """100 lags 1/(0.1 s + 1) after a step at 1 s: y_i = P(i, 10 (t - 1)), the incomplete gamma function."""
    d = bd.Diagram()
    blocks = [d.add("step", bd.Step(time=1.0))]
    blocks += [d.add(f"lag{i}", bd.TransferFunction(num=[1.0], den=[0.1, 1.0])) for i in range(1, 101)]
    d.connect(*blocks)
    times = np.linspace(0.0, 12.0, 61)
    r = d.simulate(stop=12, rtol=1e-9, atol=1e-11, times=times)
    s = np.maximum(10.0 * (times - 1.0), 0.0)
    for i in (1, 2, 10, 50, 100):
        np.testing.assert_allclose(r[f"lag{i}"].values, gammainc(i, s), atol=2e-8)


def test_mass_spring_chain_of_sums_gains_and_integrators():
    n = 6
    d = bd.Diagram()
    q = [d.add(f"q{i}", bd.Integrator(1.0 if i == 0 else 0.0)) for i in range(n)]
    v = [d.add(f"v{i}", bd.Integrator()) for i in range(n)]
    for i in range(n):
        around = [q[j] for j in (i - 1, i + 1) if 0 <= j < n]
        force = d.add(f"force{i}", bd.Sum("-" + "+" * len(around)))
        d.connect(d.add(f"own{i}", bd.Gain(2.0)), force[0])
        d.connect(q[i], f"own{i}")
        for k, other in enumerate(around):
            d.connect(other, force[k + 1])
        d.connect(force, v[i], q[i])
    r = d.simulate(stop=20, rtol=1e-10, atol=1e-12, method="dop853")
    K = 2 * np.eye(n) - np.eye(n, k=1) - np.eye(n, k=-1)
    whole = np.block([[np.zeros((n, n)), np.eye(n)], [-K, np.zeros((n, n))]])
    exact = expm(whole * 20.0) @ np.eye(2 * n)[0]
    found = [r.final(f"q{i}") for i in range(n)] + [r.final(f"v{i}") for i in range(n)]
    np.testing.assert_allclose(found, exact, atol=1e-8)


def test_oscillator_keeps_its_energy():
    d = bd.Diagram()
    v, x, k = d.add("v", bd.Integrator()), d.add("x", bd.Integrator(1.0)), d.add("k", bd.Gain(-4.0))
    d.connect(v, x, k, v)
    r = d.simulate(stop=50, rtol=1e-11, atol=1e-13, method="dop853", times=np.linspace(0, 50, 501))
    np.testing.assert_allclose(r["x"].values ** 2 + r["v"].values ** 2 / 4.0, 1.0, atol=1e-8)


def test_transfer_function_with_feedthrough_answers_at_once():
    """(2 s + 3)/(s + 1) to a unit step at 0: y = 3 - e^-t."""
    d = bd.Diagram()
    d.connect(d.add("u", bd.Step(time=0.0)), d.add("g", bd.TransferFunction(num=[2.0, 3.0], den=[1.0, 1.0])))
    times = np.linspace(0, 3, 31)
    r = d.simulate(stop=3, rtol=1e-10, atol=1e-12, times=times)
    np.testing.assert_allclose(r["g"].values, 3.0 - np.exp(-times), atol=1e-9)


def test_two_by_two_system_in_a_loop(linear):
    """u = -K x through MatrixGain closes the loop: A - B K."""
    b = np.array([[0.0, 1.0], [1.0, 0.0], [0.5, -0.2]])
    K = np.array([[0.4, 0.1, 0.0], [-0.2, 0.6, 1.0]])
    d = bd.Diagram()
    plant = d.add("plant", bd.StateSpace(A=A, B=b, C=np.eye(3), initial=X0))
    d.connect(plant, d.add("law", bd.MatrixGain(-K)), plant)
    r = d.simulate(stop=4, rtol=1e-10, atol=1e-12, times=TIMES)
    np.testing.assert_allclose(r["plant"].values, linear(A - b @ K, np.zeros(3), 0.0, X0, TIMES), atol=1e-8)


def test_pid_in_a_loop_is_the_third_order_linear_system():
    """PID on 1/(s^2 + s): states of plant, integral and derivative filter written out by hand."""
    kp, ki, kd, n = 3.0, 2.0, 0.5, 40.0
    d = bd.Diagram()
    e, c = d.add("e", bd.Sum("+-")), d.add("c", bd.PID(kp=kp, ki=ki, kd=kd, n=n))
    p = d.add("p", bd.TransferFunction(num=[1.0], den=[1.0, 1.0, 0.0]))
    d.connect(d.add("ref", bd.Constant(1.0)), e[0])
    d.connect(e, c, p, e[1])
    times = np.linspace(0, 6, 31)
    r = d.simulate(stop=6, rtol=1e-10, atol=1e-12, times=times)
    # x = (y', y, i, f); u = kp e + i + n (kd e - f), e = 1 - y
    g = kp + n * kd
    whole = np.array(
        [
            [-1.0, -g, 1.0, -n, g],
            [1.0, 0.0, 0.0, 0.0, 0.0],
            [0.0, -ki, 0.0, 0.0, ki],
            [0.0, -n * kd, 0.0, -n, n * kd],
            [0.0, 0.0, 0.0, 0.0, 0.0],
        ]
    )
    exact = [(expm(whole * t) @ np.array([0, 0, 0, 0, 1.0]))[1] for t in times]
    np.testing.assert_allclose(r["p"].values, exact, atol=1e-8)


@pytest.mark.parametrize("shape", [(), (3,), (2, 2)])
def test_integrators_of_any_shape(shape):
    x0 = np.arange(1.0, 1.0 + np.prod(shape, dtype=int)).reshape(shape)
    d = bd.Diagram()
    x, k = d.add("x", bd.Integrator(x0)), d.add("k", bd.Gain(-0.5))
    d.connect(x, k, x)
    r = d.simulate(stop=2, rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(r.final("x"), x0 * np.exp(-1.0), rtol=1e-9)
    assert np.shape(r.final("x")) == shape
