"""The Test Set for IVP Solvers: published solutions, and how many evaluations the default method takes."""

from __future__ import annotations

import numpy as np
import pytest

from .ivp_test_set import PROBLEMS

LARGE = ["medical akzo nobel"]  # more states than `auto` solves implicitly for
PUBLISHED = [name for name, problem in PROBLEMS.items() if problem.solution]


@pytest.mark.parametrize("method", ["auto", "rodas5p", "radau5"])
@pytest.mark.parametrize("name", [name for name in PUBLISHED if name not in LARGE])
def test_published_solutions(name: str, method: str) -> None:
    problem = PROBLEMS[name]
    errors = problem.errors(problem.run(1e-7, method=method))
    sizes = np.abs(list(problem.solution.values())) + problem.small
    assert np.max(np.abs(errors) / sizes) < (0.1 if name == "e5" else 1e-4)


@pytest.mark.parametrize("method", ["radau5", "bdf"])
@pytest.mark.parametrize("name", LARGE)
def test_published_solutions_of_large_problems(name: str, method: str) -> None:
    problem = PROBLEMS[name]
    assert np.max(np.abs(problem.errors(problem.run(1e-7, method=method)))) < 1e-5


@pytest.mark.parametrize("rtol", [1e-4, 1e-7])
@pytest.mark.parametrize("name", ["pleiades", "beam", "cusp", "ring modulator"])
def test_auto_takes_three_times_the_evaluations_of_the_better_method_at_most(name: str, rtol: float) -> None:
    taken = {
        method: PROBLEMS[name].run(rtol, method=method, max_steps=50_000).statistics["evaluations"]
        for method in ("auto", "rodas5p")
    }
    assert taken["auto"] < 3 * taken["rodas5p"]
