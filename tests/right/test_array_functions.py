"""Jacobians of functions that make arrays: exact to rounding, and the arrays are given back."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import blockdyn as bd

POINT = np.array([0.7, 0.2, -0.4])


def of(function: Any, size: int) -> bd.Program:
    d = bd.Diagram()
    d.connect(d.add("u", bd.Inport(default=POINT)), d.add("f", bd.Function(function, size=size)))
    d.connect("f", d.add("y", bd.Outport()))
    return d.compile()


def complex_step(function: Any) -> Any:
    """df/du = Im f(u + i h) / h, exact to rounding for h = 1e-200."""
    return np.transpose([function(POINT + 1e-200j * e).imag / 1e-200 for e in np.eye(3)])


def squared(v):
    return v * v


def made(u):
    total = np.zeros_like(u)
    for k in range(4):
        v = np.empty_like(u)
        v[0] = u[0] ** k * u[2]
        v[1:] = squared(u)[:2] * np.sin(k * u[1])
        total = total + v
    total[2] *= total[1]
    return total


def joined(u):
    parts = [u[0] * u[1], np.exp(u[2]), u[1] ** 3]
    rows = np.outer(u, np.cos(u))
    return np.concatenate((np.array(parts), rows.T[1:, 0], rows.reshape(9)[5:2:-1], np.cumsum(u * u)))


def algebra(u):
    a = np.array([[0.3, 1.7 * u[0], u[1]], [1.1 * u[1], -0.6, 0.3 * u[0]], [u[2], u[0] * u[1], 0.9 + u[1]]])
    x = np.linalg.solve(a, u)
    return np.linalg.inv(a) @ (a.T @ a) @ u + np.linalg.det(a) * x * np.dot(x, u)


@pytest.mark.parametrize(("function", "size"), [(made, 3), (joined, 11), (algebra, 3)])
def test_by_complex_steps(function: Any, size: int) -> None:
    """Arrays of changing numbers, parts of them, lists; products, solutions, inverses, determinants."""
    j = of(function, size).jacobian(0.0)
    assert j.differences == ()
    exact = complex_step(function)
    np.testing.assert_allclose(j.D, exact, rtol=0, atol=4e-15 * np.abs(exact).max())


def directed(u):
    a = np.array([[2.0 + u[0], 0.3 * u[2]], [0.3 * u[2], 3.0 + u[1]]])
    return np.array([np.linalg.cholesky(a)[1, 1], np.linalg.norm(u)])


def test_norms_and_cholesky_factors() -> None:
    """The factor of [[a, b], [b, c]] ends with sqrt(c - b^2 / a)."""

    def closed(u: Any) -> Any:
        a, b, c = 2.0 + u[0], 0.3 * u[2], 3.0 + u[1]
        return np.array([np.sqrt(c - b * b / a), np.sqrt(u @ u)])

    j = of(directed, 2).jacobian(0.0)
    assert j.differences == ()
    np.testing.assert_allclose(j.D, complex_step(closed), rtol=1e-15)


def test_all_memory_is_given_back() -> None:
    from numba.core.runtime import _nrt_python

    program = of(made, 3)
    program.jacobian(0.0)
    _nrt_python.memsys_enable_stats()
    before = _nrt_python.memsys_get_stats_alloc(), _nrt_python.memsys_get_stats_free()
    program.jacobian(0.3)
    after = _nrt_python.memsys_get_stats_alloc(), _nrt_python.memsys_get_stats_free()
    _nrt_python.memsys_disable_stats()
    assert after[0] - before[0] == after[1] - before[1] > 0


def eigenvalues(u):
    return np.linalg.eigvalsh(np.array([[2.0, u[0]], [u[0], 3.0 + u[1]]]))


def test_what_is_on_no_list_is_differenced_and_named() -> None:
    """The sum of the eigenvalues is the trace, their product the determinant."""
    j = of(eigenvalues, 2).jacobian(0.0)
    assert j.differences == ("f",)
    values = np.linalg.eigvalsh([[2.0, POINT[0]], [POINT[0], 3.0 + POINT[1]]])
    np.testing.assert_allclose(j.D.sum(axis=0), [0.0, 1.0, 0.0], atol=1e-10)
    np.testing.assert_allclose(values[::-1] @ j.D, [-2.0 * POINT[0], 2.0, 0.0], atol=1e-10)


@pytest.mark.parametrize("how", [True, False])
def test_an_array_of_another_size_is_an_error(how: bool) -> None:
    d = bd.Diagram()
    d.connect(d.add("u", bd.Constant(POINT)), d.add("f", bd.Function(lambda u: u[:1] * 2.0, size=2)))
    with pytest.raises(bd.BlockdynError, match="f"):
        d.simulate(stop=0.1, compiled=how)
