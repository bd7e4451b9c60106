"""Methods by name, as arrays, and against SciPy's implementations of the same."""

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import integrate

from blockdyn.base.hints import words
from blockdyn.solvers.methods import METHODS, UnknownMethod, method, names
from blockdyn.solvers.methods.tableau import Tableau

Vector = NDArray[np.float64]
TABLEAUS = {
    name: each.data for name, each in METHODS.items() if isinstance(each.data, Tableau) and each.stiff is None
}
NAMES = list(TABLEAUS)
PEERS = [("bs32", integrate.RK23), ("dopri5", integrate.RK45), ("dop853", integrate.DOP853)]


def pendulum(t: float, x: Vector) -> Vector:
    return np.array([x[1], -9.0 * np.sin(x[0]) - 0.3 * x[1] + np.cos(2.0 * t)])


def stages(tableau: Tableau, t: float, x: Vector, h: float) -> Vector:
    n = tableau.arrays()
    k = np.zeros((len(n.C), x.size))
    for i in range(len(n.C)):
        k[i] = pendulum(t + n.C[i] * h, x + h * n.A[i] @ k)
    return k


@pytest.mark.parametrize("h", [0.01, 0.1, 0.3])
@pytest.mark.parametrize(("name", "peer"), PEERS)
def test_one_step_and_its_dense_output_agree_with_scipy(name: str, peer: type, h: float) -> None:
    tableau, t, x = TABLEAUS[name], 0.4, np.array([0.7, -0.2])
    solver = peer(pendulum, t, x, 1.0, first_step=h, rtol=1e3, atol=1e3)
    solver.step()
    assert solver.t == t + h
    n = tableau.arrays()
    h = solver.t - t
    k = stages(tableau, t, x, h)
    np.testing.assert_allclose(x + h * n.B @ k, solver.y, rtol=0, atol=1e-14)
    dense = solver.dense_output()
    for theta in (0.0, 0.13, 0.5, 0.77, 1.0):
        factors = [1.0 - theta if j % 2 else theta for j in range(n.degree)]
        weights = n.N @ np.cumprod(factors)
        np.testing.assert_allclose(x + h * weights @ k, dense(t + theta * h), rtol=0, atol=1e-14)


@pytest.mark.parametrize(("name", "peer"), PEERS)
def test_error_norm_agrees_with_scipy(name: str, peer: type) -> None:
    tableau, t, x, h = TABLEAUS[name], 0.4, np.array([0.7, -0.2]), 0.2
    solver = peer(pendulum, t, x, 1.0, first_step=h, rtol=1e3, atol=1e3)
    solver.step()
    n = tableau.arrays()
    k = stages(tableau, t, x, solver.t - t)
    first, second = np.linalg.norm(n.E @ k), np.linalg.norm(n.E3 @ k)
    if second:
        expected = h * first**2 / np.hypot(first, 0.1 * second) / np.sqrt(2)
    else:
        expected = h * first / np.sqrt(2)
    found = solver._estimate_error_norm(solver.K, solver.t - t, np.ones(2))
    assert found == pytest.approx(expected, rel=1e-9)


# ---- arrays and names ----


@pytest.mark.parametrize("name", NAMES)
def test_arrays_are_the_nearest_doubles_and_cannot_be_changed(name: str) -> None:
    tableau = TABLEAUS[name]
    n = tableau.arrays()
    total = tableau.stages + tableau.extra
    shapes = {"A": (total, total), "P": (total, n.degree), "PM": (total, n.degree)}
    shapes |= {"N": shapes["P"], "NM": shapes["P"]}
    for field in ("A", "C", "B", "E", "E3", "P", "N", "M", "PM", "NM"):
        array = getattr(n, field)
        assert array.shape == shapes.get(field, (total,))
        assert array.dtype == np.float64
        assert array.flags.c_contiguous
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1.0
    for i, row in enumerate((*tableau.a, *tableau.extra_a)):
        # int / int rounds once, to the nearest double
        assert n.A[i].tolist() == [x.numerator / x.denominator for x in row] + [0.0] * (total - i)
    np.testing.assert_array_equal(n.A[tableau.stages - 1], n.B)
    assert tableau.arrays() is n


def test_methods_answer_to_their_names_and_to_scipys() -> None:
    assert [each.name for each in METHODS.values()] == list(METHODS)
    assert method() is METHODS["auto"]
    assert method("RK45") is METHODS["dopri5"]
    assert method("DOP853") is METHODS["dop853"]
    assert method("radau") is METHODS["radau5"]
    assert all(method(name.upper()) is method(name) for name in names())
    assert len({name.casefold() for name in names()}) == len(names())


def test_an_unknown_method_is_told_the_nearest_names() -> None:
    with pytest.raises(UnknownMethod, match="did you mean `dopri5`") as caught:
        method("dorpi5")
    assert isinstance(caught.value, ValueError)
    with pytest.raises(UnknownMethod, match=r"no method 'magic'\n.*one of euler, heun"):
        method("magic")


@pytest.mark.parametrize(("name", "here"), [("ode45", "dopri5"), ("ode23", "bs32"), ("ODE15s", "rodas5p")])
def test_names_of_other_packages_lead_to_the_ones_here(name: str, here: str) -> None:
    with pytest.raises(UnknownMethod, match=f"did you mean `{here}`"):
        method(name)
    assert set(words("methods").values()) <= set(METHODS)
    assert not {each.casefold() for each in names()} & set(words("methods"))
