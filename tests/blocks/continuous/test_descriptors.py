"""Equations with a mass matrix that may be singular: against closed forms and published numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy.linalg import expm
from scipy.special import ellipk

import blockdyn as bd
from blockdyn.blocks.contract.errors import ParameterError, SizeError
from blockdyn.diagrams.model.errors import LoopNotSolved, Undetermined

TIMES = np.linspace(0.0, 2.0, 9)
METHODS = ("dopri5", "dop853", "rodas5p", "radau5", "bdf", "auto")
TIGHT = {"rtol": 1e-9, "atol": 1e-11}
G = 9.81


class Pencil:
    """E x' = A x + B u in Weierstrass's form: x = Q (z, w), z' = J z + B1 u, 0 = w + B2 u, u constant."""

    def __init__(self, rng: np.random.Generator, *, rank: int, n: int) -> None:
        left, self.Q = rng.normal(size=(2, n, n)) + 2.0 * np.eye(n)
        self.J = rng.normal(size=(rank, rank)) - 2.0 * np.eye(rank)
        inside = np.eye(n)
        inside[:rank, :rank] = self.J
        self.E = left[:, :rank] @ np.linalg.inv(self.Q)[:rank]
        self.A = left @ inside @ np.linalg.inv(self.Q)
        self.b, self.u, z = rng.normal(size=n), 0.7, rng.normal(size=rank)
        self.B = left @ self.b
        self.z, self.rank = z, rank
        self.initial = self.Q @ np.append(z, 1e3 * rng.normal(size=n - rank))  # w is not consistent

    def x(self, t: float) -> Any:
        flow = np.block([[self.J, self.b[: self.rank, None] * self.u], [np.zeros((1, self.rank + 1))]])
        z = (expm(flow * t) @ np.append(self.z, 1.0))[: self.rank]
        return self.Q @ np.append(z, -self.b[self.rank :] * self.u)


@pytest.fixture
def pencil(rng: np.random.Generator) -> Pencil:
    return Pencil(rng, rank=2, n=4)


def as_loop(p: Pencil) -> bd.Diagram:
    """E x' = A x + B u of a DescriptorIntegrator and the blocks around it."""
    d = bd.Diagram()
    x, sum_ = d.add("x", bd.DescriptorIntegrator(p.E, p.initial)), d.add("sum", bd.Sum("++"))
    d.connect(x, d.add("A", bd.MatrixGain(K=p.A)), sum_[0])
    d.connect(d.add("u", bd.Constant(p.u)), d.add("B", bd.Gain(p.B)), sum_[1])
    d.connect(sum_, x)
    return d


def test_a_linear_system_solved_for_its_differential_part(pencil: Pencil) -> None:
    d = bd.Diagram()
    g = bd.DescriptorStateSpace(pencil.E, pencil.A, pencil.B, np.eye(4), 0.0, pencil.initial)
    d.connect(d.add("u", bd.Constant(pencil.u)), d.add("g", g))
    found = d.simulate(times=TIMES, method="dop853", rtol=1e-13, atol=1e-14)["g"].values
    np.testing.assert_allclose(found, [pencil.x(t) for t in TIMES], rtol=0, atol=1e-10)
    poles = np.sort_complex(d.linearize("u", "g").poles())
    np.testing.assert_allclose(poles, np.sort_complex(np.linalg.eigvals(pencil.J)), rtol=1e-10)


@pytest.mark.parametrize("method", METHODS)
def test_the_same_as_a_loop_under_every_method(pencil: Pencil, method: str) -> None:
    """What of `initial` the equations decide is not counted, however far off it is."""
    found = as_loop(pencil).simulate(times=TIMES, method=method, **TIGHT)["x"].values
    np.testing.assert_allclose(found, [pencil.x(t) for t in TIMES], rtol=0, atol=2e-6)


def test_the_derivatives_of_the_loop_are_those_of_its_solution(pencil: Pencil) -> None:
    """z' = J z + B1 u in some basis: the poles are those of J, and x at rest is Q (-J^-1 B1, -B2) u."""
    model = as_loop(pencil).linearize("u", "x")
    assert model.D.shape == (4, 1)
    poles = np.sort_complex(model.poles())
    np.testing.assert_allclose(poles, np.sort_complex(np.linalg.eigvals(pencil.J)), rtol=1e-9)
    r = pencil.rank
    rest = pencil.Q @ np.append(-np.linalg.solve(pencil.J, pencil.b[:r]), -pencil.b[r:])
    gain = model.D - model.C @ np.linalg.solve(model.A, model.B)
    np.testing.assert_allclose(gain[:, 0], rest, rtol=1e-9)


def test_a_regular_mass_matrix_is_inverted() -> None:
    """M x' = -x with eigenvalues 1 and 3 of M: x(t) = exp(-M^-1 t) x0, and no loop to solve."""
    M, x0 = np.array([[2.0, 1.0], [1.0, 2.0]]), np.array([1.0, -0.5])
    d = bd.Diagram()
    x, minus = d.add("x", bd.DescriptorIntegrator(M, x0)), d.add("minus", bd.Gain(-1.0))
    d.connect(x, minus, x)
    found = d.simulate(times=TIMES, **TIGHT)["x"].values
    np.testing.assert_allclose(found, [expm(-np.linalg.inv(M) * t) @ x0 for t in TIMES], atol=1e-8)


def rates(s: Any) -> tuple[float, ...]:
    """The pendulum of length 1 as x, y, its velocity and the force in the rod over mass and length."""
    x, y, u, v, force = s
    return u, v, -force * x, -force * y - G, u * u + v * v - force * (x * x + y * y) - G * y


def pendulum(equations: Callable[..., Any] = rates) -> bd.Diagram:
    d = bd.Diagram("pendulum")
    s = d.add("s", bd.DescriptorIntegrator(np.diag([1.0, 1.0, 1.0, 1.0, 0.0]), [1.0, 0.0, 0.0, 0.0, 0.0]))
    d.connect(s, d.add("rates", bd.Function(equations)), s)
    d.connect(s, d.add("x", bd.Selector([0])), d.add("below", bd.HitCrossing()))
    d.connect("x", d.add("sampled", bd.ZeroOrderHold(0.25)))
    return d


@pytest.mark.parametrize("method", METHODS)
def test_a_pendulum_of_index_1_passes_its_lowest_point_when_it_should(method: str) -> None:
    """Let go at a right angle, it is below after a quarter of its period, K(1/2) / sqrt(g), and again after
    two quarters more. There the rod bears 3 m g.
    """
    r = pendulum().simulate(stop=1.8, method=method, rtol=1e-10, atol=1e-12)
    quarter = ellipk(0.5) / np.sqrt(G)
    times = [event.time for event in r.events]
    np.testing.assert_allclose(times, [quarter, 3.0 * quarter], rtol=3e-8)
    trace = r.trace("s")
    force = trace.values[np.searchsorted(trace.time, times[0]), 4]
    assert force == pytest.approx(3.0 * G, rel=1e-6)
    held = r.trace("sampled")
    exact = r.trace("x")
    for t, value in zip(held.time[1:-1], held.values[1:-1], strict=True):
        assert value == exact.values[np.flatnonzero(exact.time == t)[0]]


def test_interpreted_as_compiled_and_a_second_run_goes_on_where_the_first_ended() -> None:
    d = pendulum()
    one, two = (d.simulate(stop=0.5, compiled=compiled, every=0.1)["s"].values for compiled in (True, False))
    np.testing.assert_allclose(one, two, rtol=1e-9, atol=1e-11)
    first = d.simulate(stop=0.25)
    assert {"s.z", "s.a"} <= first.final_states().keys()
    begun = d.simulate(start=0.25, stop=0.5, initial=first.final_states())
    np.testing.assert_allclose(begun["s"].values[0], first["s"].values[-1], rtol=1e-11, atol=1e-12)


@pytest.mark.parametrize("method", ["rodas5p", "radau5", "bdf", "auto"])
def test_robertsons_reaction_with_its_conservation_as_an_equation(method: str) -> None:
    """y(1e11) of Mazzia and Magherini, Test Set for IVP Solvers 2.4 (2008), problem ROBER."""

    def reaction(y: Any) -> tuple[float, ...]:
        first, second, third = 0.04 * y[0], 3e7 * y[1] * y[1], 1e4 * y[1] * y[2]
        return third - first, first - third - second, y[0] + y[1] + y[2] - 1.0

    d = bd.Diagram("robertson")
    y = d.add("y", bd.DescriptorIntegrator(np.diag([1.0, 1.0, 0.0]), [1.0, 0.0, 0.0]))
    d.connect(y, d.add("reaction", bd.Function(reaction)), y)
    found = d.simulate(stop=1e11, method=method, rtol=1e-8, atol=1e-18)["y"].values[-1]
    exact = [0.2083340149701255e-7, 0.8333360770334713e-13, 0.9999999791665050]
    np.testing.assert_allclose(found, exact, rtol=3e-6)


def test_an_index_of_2_is_an_error_as_the_run_begins() -> None:
    """The length of the rod in the place of its second derivative: the force is in none of the conditions."""
    with pytest.raises(LoopNotSolved, match="index above 1") as caught:
        pendulum(lambda s: (*rates(s)[:4], s[0] * s[0] + s[1] * s[1] - 1.0)).simulate(stop=1.0)
    assert caught.value.time == 0.0
    assert set(caught.value.iterate) == {"s.a[0]"}


def test_a_condition_that_the_diagram_leaves_open_is_an_error() -> None:
    d = bd.Diagram()
    x = d.add("x", bd.DescriptorIntegrator([[1.0, 0.0], [0.0, 0.0]]))
    d.connect(x, d.add("lag", bd.StateSpace(-np.eye(2), np.eye(2), np.eye(2))), x)
    with pytest.raises(Undetermined, match=r"nothing determines the output of x(.|\n)*x\.u"):
        d.check()


@pytest.mark.parametrize(
    ("E", "A", "what"),
    [
        ([[1, 0], [0, 0]], [[0, 1], [0, 0]], "singular for every s"),
        ([[0, 1], [0, 0]], [[1, 0], [0, 1]], "index 1"),  # x2' = x1 and x2 = -u: x1 = -u'
        ([[0, 0], [0, 0]], [[1, 0], [0, 1]], "not 0"),
    ],
)
def test_pencils_that_do_not_determine_x_are_refused(E: Any, A: Any, what: str) -> None:
    with pytest.raises(ParameterError, match=what):
        bd.DescriptorStateSpace(E, A, [0.0, 1.0], [1.0, 0.0])


def test_sizes_that_do_not_go_together_are_refused() -> None:
    with pytest.raises(SizeError, match="square matrix E"):
        bd.DescriptorIntegrator([[1.0, 0.0]])
    with pytest.raises(SizeError, match="3 numbers for `initial`"):
        bd.DescriptorIntegrator(np.eye(3), [1.0, 2.0])
    with pytest.raises(SizeError, match="E of 3x3 with A of 2x2"):
        bd.DescriptorStateSpace(np.eye(3), np.eye(2), [0.0, 1.0], [1.0, 0.0])
