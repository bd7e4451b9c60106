"""Gains, discretisation, gramians and norms, against closed forms, SciPy and python-control."""

from __future__ import annotations

from math import exp, sqrt
from typing import Any

import numpy as np
import pytest
from scipy.signal import cont2discrete

import blockdyn as bd
from blockdyn.analysis.errors import AnalysisError
from blockdyn.analysis.models.linear_model import LinearModel

control = pytest.importorskip("control")


def model(block: bd.Block, inputs: int = 1) -> LinearModel:
    d = bd.Diagram()
    u = bd.Inport(default=0.0) if inputs == 1 else bd.Inport(default=[0.0] * inputs, size=inputs)
    d.connect(d.add("u", u), d.add("g", block), d.add("y", bd.Outport()))
    return d.linearize()


def random(seed: int, sample_time: float) -> LinearModel:
    """A stable model of random sizes."""
    make = np.random.default_rng(seed)
    n, m, p = make.integers(1, 6, 3)
    A = make.normal(size=(n, n))
    poles = np.linalg.eigvals(A)
    A = A / (1.1 * np.abs(poles).max()) if sample_time else A - (0.05 + poles.real.max()) * np.eye(n)
    names: Any = tuple(tuple(f"{c}{i}" for i in range(k)) for c, k in (("x", n), ("u", m), ("y", p)))
    B, C, D = make.normal(size=(n, m)), make.normal(size=(p, n)), make.normal(size=(p, m)) * (seed % 2)
    return LinearModel(A, B, C, D, np.zeros(n), np.zeros(p), *names, sample_time=sample_time)


def second_order(w: float, z: float) -> LinearModel:
    return model(bd.TransferFunction([w * w], [1.0, 2.0 * z * w, w * w]))


def test_norms_of_a_resonance() -> None:
    """w^2 / (s^2 + 2 z w s + w^2): a peak of 1 / (2 z sqrt(1 - z^2)), an energy of w / (4 z)."""
    for w, z in ((3.0, 0.01), (1e3, 0.3)):
        assert second_order(w, z).hinf_norm() == pytest.approx(1.0 / (2.0 * z * sqrt(1.0 - z * z)), rel=1e-8)
        assert second_order(w, z).h2_norm() == pytest.approx(sqrt(w / (4.0 * z)), rel=1e-9)
    assert model(bd.TransferFunction([1.0], [1.0, -1.0])).h2_norm() == np.inf
    assert model(bd.TransferFunction([1.0, 3.0], [1.0, 1.0])).h2_norm() == np.inf
    assert model(bd.TransferFunction([1.0, 3.0], [1.0, 1.0])).hinf_norm() == pytest.approx(3.0, rel=1e-9)


@pytest.mark.parametrize("sample_time", [0.0, 0.1])
@pytest.mark.parametrize("seed", range(12))
def test_random_models_against_python_control(seed: int, sample_time: float) -> None:
    m = random(seed, sample_time)
    other = m.to_control()
    n, inputs, outputs = len(m.A), m.B.shape[1], m.C.shape[0]
    energy = control.norm(other, 2, print_warning=False)
    assert m.h2_norm() == pytest.approx(energy, rel=1e-9)
    end = np.pi / sample_time if sample_time else 1e4
    omega = np.append(0.0, np.geomspace(1e-4, end, 20_001))
    largest = np.linalg.svd(m.frequency_response(omega), compute_uv=False).max()
    assert largest * (1.0 - 1e-9) <= m.hinf_norm() <= largest * 1.01
    lqr, lqe = (control.dlqr, control.dlqe) if sample_time else (control.lqr, control.lqe)
    np.testing.assert_allclose(m.lqr(2.0, 1.0), lqr(m.A, m.B, 2.0 * np.eye(n), np.eye(inputs))[0], atol=1e-9)
    gain = lqe(m.A, np.eye(n), m.C, 2.0 * np.eye(n), np.eye(outputs))[0]
    np.testing.assert_allclose(m.kalman_gain(2.0, 1.0), gain, atol=1e-9)
    W, M = m.gramian("controllability"), m.gramian("observability")
    left = m.A @ W @ m.A.T - W if sample_time else m.A @ W + W @ m.A.T
    np.testing.assert_allclose(left, -m.B @ m.B.T, atol=1e-9 * np.abs(W).max())
    assert np.trace(m.C @ W @ m.C.T) == pytest.approx(np.trace(m.B.T @ M @ m.B), rel=1e-8)


def test_poles_are_where_they_are_placed() -> None:
    """A double integrator: K = [w^2, 2 z w] in its own states."""
    m = model(bd.StateSpace(A=[[0.0, 1.0], [0.0, 0.0]], B=[[0.0], [1.0]], C=[[1.0, 0.0]], D=[[0.0]]))
    np.testing.assert_allclose(m.place_poles([-1 + 1j, -1 - 1j]), [[2.0, 2.0]], atol=1e-12)
    np.testing.assert_allclose(m.lqr(np.eye(2), 1.0), [[1.0, sqrt(3.0)]], atol=1e-12)
    for poles in ([-1.0], [-1.0, -1.0], [-1 + 1j, -2.0]):
        with pytest.raises(AnalysisError, match="2 poles"):
            m.place_poles(poles)
    square = model(bd.StateSpace(A=np.diag([1.0, 2.0]), B=np.eye(2), C=np.eye(2), D=np.zeros((2, 2))), 2)
    K = square.place_poles([-3.0, -4.0])
    np.testing.assert_allclose(np.sort(np.linalg.eigvals(square.A - square.B @ K).real), [-4.0, -3.0])


@pytest.mark.parametrize(
    ("method", "name"), [("hold", "zoh"), ("first_order_hold", "foh"), ("tustin", "bilinear")]
)
def test_discretisation_against_scipy(method: Any, name: str) -> None:
    m = random(3, 0.0)
    made = m.discretize(0.2, method)
    A, B, C, D, _ = cont2discrete((m.A, m.B, m.C, m.D), 0.2, name)
    for one, other in zip((made.A, made.B, made.C, made.D), (A, B, C, D), strict=True):
        np.testing.assert_allclose(one, other, atol=1e-14)
    assert made.sample_time == 0.2
    assert made.states == m.states


def test_matched_poles_and_zeros() -> None:
    """5 (s + 2) / ((s + 1) (s + 5)): exp(-2 T), exp(-T), exp(-5 T), and the gain at rest."""
    made = model(bd.TransferFunction([5.0, 10.0], [1.0, 6.0, 5.0])).discretize(0.1, "matched")
    np.testing.assert_allclose(np.sort(made.poles().real), [exp(-0.5), exp(-0.1)], rtol=1e-12)
    np.testing.assert_allclose(made.zeros().real, [exp(-0.2)], rtol=1e-9)
    assert made.gain()[0, 0] == pytest.approx(2.0, rel=1e-12)
    with pytest.raises(AnalysisError, match="continuous time"):
        made.discretize(0.1)


def test_zeros_with_more_outputs_than_inputs() -> None:
    """(s + 2) (s + 3) / d and (s + 2) (s + 4) / d share the zero -2, the latter and (s + 5) / d none."""
    A, B = np.array([[-1.0, -1.0, -1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]), np.array([[1.0], [0.0], [0.0]])
    rows = [[1.0, 5.0, 6.0], [1.0, 6.0, 8.0], [0.0, 1.0, 5.0]]
    tall = model(bd.StateSpace(A=A, B=B, C=rows[:2], D=np.zeros((2, 1))))
    np.testing.assert_allclose(tall.zeros(), [-2.0], atol=1e-9)
    wide = model(bd.StateSpace(A=A.T, B=np.transpose(rows[:2]), C=B.T, D=np.zeros((1, 2))), 2)
    np.testing.assert_allclose(wide.zeros(), [-2.0], atol=1e-9)
    assert model(bd.StateSpace(A=A, B=B, C=rows[1:], D=np.zeros((2, 1)))).zeros().size == 0
