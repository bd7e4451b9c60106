"""The Test Set for IVP Solvers: published solutions, and how many evaluations the default method takes."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

import blockdyn as bd

from .ivp_test_set import PROBLEMS

pytestmark = pytest.mark.xdist_group("ivp")  # the tests share runs
NAMES = ["e5", "pleiades", "ring modulator", "beam", "emep"]


@cache
def run(name: str, rtol: float, method: str) -> bd.Result:
    return PROBLEMS[name].run(rtol, method=method)


def largest_error(name: str, rtol: float, method: str) -> float:
    """Over the size of each state with a published solution, and the problem's scale."""
    problem = PROBLEMS[name]
    sizes = np.abs(list(problem.solution.values())) + problem.small
    return float(np.max(np.abs(problem.errors(run(name, rtol, method))) / sizes))


@pytest.mark.parametrize(
    ("name", "method"),
    [(name, method) for name in NAMES for method in ("auto", "rodas5p", "radau5")],
)
def test_published_solutions(name: str, method: str) -> None:
    assert largest_error(name, 1e-7, method) < (0.1 if name == "e5" else 1e-3)


def test_medical_akzo_nobel_has_a_sparse_jacobian() -> None:
    assert largest_error("medical akzo nobel", 1e-7, "radau5") < 1e-5


@pytest.mark.parametrize("rtol", [1e-4, 1e-7])
@pytest.mark.parametrize(
    ("name", "at_most"), [("e5", 1.3), ("pleiades", 1.3), ("cusp", 1.3), ("beam", 1.8), ("emep", 1.3)]
)
def test_auto_takes_hardly_more_evaluations_than_rodas5p(name: str, at_most: float, rtol: float) -> None:
    auto, implicit = (run(name, rtol, method).statistics["evaluations"] for method in ("auto", "rodas5p"))
    assert auto < at_most * implicit
