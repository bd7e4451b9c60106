"""Sparse Jacobians: rods of many states against their closed form, late entries, sweeps, the test set."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
import pytest

import blockdyn as bd

from .stiff_problems import PROBLEMS

SPARSE = pytest.mark.parametrize("method", ["bdf", "radau5"])  # radau5 from 100 states on


class Rod(bd.Block):
    """A rod heated at one end and cooled at the other, its temperatures in one state: a band of three."""

    inputs: ClassVar = (bd.Port("u", 1),)
    outputs: ClassVar = (bd.Port("y", 1),)
    states: ClassVar = (bd.State("T", "initial"),)
    initial: bd.Real = bd.parameter(doc="temperatures at the start", dimensions=(1,))
    k: bd.Real = bd.parameter(doc="conduction between neighbours, 1/s")

    @staticmethod
    def output(T: np.ndarray) -> float:
        return T[len(T) // 2]

    @staticmethod
    def derivative(T: np.ndarray, u: float, k: float, d_T: np.ndarray) -> None:
        n = T.size
        for i in range(n):
            left = u if i == 0 else T[i - 1]
            right = 0.0 if i == n - 1 else T[i + 1]
            d_T[i] = k * (left - 2.0 * T[i] + right)


def rod(n: int) -> bd.Diagram:
    d = bd.Diagram("rod")
    d.connect(d.add("u", bd.Constant(1.0)), d.add("rod", Rod(initial=np.zeros(n), k=float((n + 1) ** 2))))
    return d


def temperatures(n: int, t: float) -> np.ndarray:
    """A straight line, less the sines of the discrete Laplacian, each with its rate."""
    x = np.arange(1, n + 1) / (n + 1)
    j = np.arange(1, n + 1)
    sines = np.sqrt(2.0 / (n + 1)) * np.sin(np.pi * np.outer(j, x))
    rates = -4.0 * (n + 1) ** 2 * np.sin(np.pi * j / (2 * (n + 1))) ** 2
    return 1.0 - x - sines.T @ (np.exp(rates * t) * (sines @ (1.0 - x)))


@pytest.fixture(scope="module")
def compiled_rod():
    return rod(200).compile()


@SPARSE
@pytest.mark.parametrize("t", [1e-4, 0.01, 0.3])
def test_a_rod_against_its_sines(compiled_rod, t: float, method: str) -> None:
    r = compiled_rod.simulate(stop=t, method=method, rtol=1e-8, atol=1e-10, max_step=np.inf)
    np.testing.assert_allclose(r.trace("rod.T").values[-1], temperatures(200, t), atol=3e-7)
    assert r.statistics["jacobians"] == 1
    assert r.statistics["factorizations"] < r.statistics["steps"]


@SPARSE
def test_a_scenario_alone_has_the_bits_of_the_sweep(method: str) -> None:
    given = {"stop": 0.1, "method": method, "max_step": np.inf}
    sweep = bd.Sweep(rod(200), {"u.value": [1.0, 2.0, 3.0]}, {"end": {"final": "rod"}}, **given)
    alone = rod(200).simulate(set={"u.value": 3.0}, **given).final("rod")
    assert np.asarray(sweep.run()["end"]).ravel()[2] == alone


def late() -> bd.Diagram:
    """x' = -1e6 v (x - z) and z' = 1 from 0, with v = 1 from t = 1 on and 0 before; 100 states more rest."""
    d = bd.Diagram()
    d.connect(d.add("zeros", bd.Constant(np.zeros(100))), d.add("rest", bd.Integrator(np.zeros(100))))
    for name, law in (("x", "-1e6 * v * (x - z)"), ("z", "1.0 * u")):
        d.add(name, bd.Integrator(0.0))
        d.add(f"slope_{name}", bd.Expression(law))
        d.connect(f"slope_{name}", name)
    d.connect(d.add("one", bd.Constant(1.0)), d["slope_z"]["u"])
    d.connect("x", d["slope_x"]["x"])
    d.connect("z", d["slope_x"]["z"])
    d.connect(d.add("v", bd.Step(time=1.0)), d["slope_x"]["v"])
    return d


@SPARSE
@pytest.mark.parametrize("compiled", [True, False])
def test_an_entry_that_appears_late_is_noticed(compiled: bool, method: str) -> None:
    """x follows z = t, 1e-6 s behind, from t = 1 on; before, it depends on nothing."""
    r = late().simulate(stop=2.0, method=method, rtol=1e-7, compiled=compiled)
    assert r.final("x") == pytest.approx(2.0 - 1e-6, abs=1e-7)
    assert r.statistics["jacobians"] >= 2
    assert r.statistics["steps"] < 1000


@pytest.mark.parametrize("rtol", [1e-4, 1e-6, 1e-8])
@pytest.mark.parametrize("name", PROBLEMS)
def test_the_test_set_within_a_hundred_tolerances(name: str, rtol: float) -> None:
    problem = PROBLEMS[name]
    solution = np.array(problem.solution)
    small = 1e-10 if np.abs(solution).min() < 1e-6 else 1e-3
    y = problem.final(method="bdf", rtol=rtol, atol=small * rtol)
    np.testing.assert_allclose(y, solution, rtol=100.0 * rtol)


def test_no_jump_of_van_der_pol_is_stepped_over() -> None:
    """It leaves a slow branch that goes on, unstable, behind the place: steps along it look good."""
    problem = PROBLEMS["van_der_pol"]
    program = problem.diagram().compile()
    for rtol in np.logspace(-3.0, -7.0, 41):
        r = program.simulate(stop=problem.stop, method="bdf", rtol=rtol, atol=1e-3 * rtol, max_step=np.inf)
        np.testing.assert_allclose(problem.end(r), problem.solution, rtol=100.0 * rtol)
