"""A design's scenarios: their order, the statistics of what is drawn, what each depends on."""

from __future__ import annotations

import json
import pickle
from hashlib import sha256
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from scipy import stats

from blockdyn.diagrams.model.section import Section
from blockdyn.sweeps.declare.declaration import declaration
from blockdyn.sweeps.declare.design import Design
from blockdyn.sweeps.errors import SweepError

METHODS = ("random", "latin-hypercube", "sobol")
MANY = 4096
FIVE_SIGMA = 5.0  # a bound that one correct draw in two million misses


def design(axes: dict[str, Any], **more: Any) -> Design:
    return declaration(Section({"axes": axes, **more})).design


def drawn(form: str, numbers: dict[str, Any], *, sampling: str = "random", seed: int = 3) -> Any:
    axes = {"a": {form: numbers}}
    return design(axes, number=MANY, seed=seed, sampling=sampling).columns(0, MANY)["a"]


def test_explicit_axes_cross_with_the_first_slowest() -> None:
    found = design({"a": [1, 2], "b": {"linspace": [0, 1, 3]}, "c": {"count": 2}})
    assert found.count == 12
    columns = found.columns(0, 12)
    rows = list(zip(columns["a"], columns["b"], columns["c"]))
    assert rows == [(a, b, c) for a in (1, 2) for b in (0, 0.5, 1) for c in (0, 1)]


def test_samples_are_one_more_dimension_and_the_fastest() -> None:
    found = design({"m": {"uniform": {"low": 0, "high": 1}}, "a": [1, 2]}, number=4)
    assert [(d.name, d.size) for d in found.dimensions] == [("a", 2), ("sample", 4)]
    columns = found.columns(0, 8)
    assert columns["a"] == pytest.approx([1] * 4 + [2] * 4)
    assert np.array_equal(columns["m"][:4], columns["m"][4:])
    assert len(set(columns["m"])) == 4


def test_zipped_axes_go_together_at_the_place_of_the_first() -> None:
    found = design({"a": [1, 2, 3], "b": [5, 6], "c": ["x", "y", "z"]}, zip=[["a", "c"]])
    assert [(d.name, d.size, list(d.coordinates)) for d in found.dimensions] == [
        ("zip", 3, ["a", "c"]),
        ("b", 2, ["b"]),
    ]
    assert [found.scenario(k) for k in (0, 1, 5)] == [
        {"a": 1.0, "c": "x", "b": 5.0},
        {"a": 1.0, "c": "x", "b": 6.0},
        {"a": 3.0, "c": "z", "b": 6.0},
    ]


def test_a_named_axis_gives_all_its_paths_one_value() -> None:
    found = design({"g": {"paths": ["p.g", "q.g"], "uniform": {"low": -10, "high": -9.6}}}, number=50)
    columns = found.columns(0, 50)
    assert list(columns) == ["p.g", "q.g"]
    assert np.array_equal(columns["p.g"], columns["q.g"])
    assert list(found.coordinates(0, 50)) == ["g"]


def test_linspace_and_logspace_begin_and_end_as_said() -> None:
    found = design({"a": {"linspace": [-1, 0.1, 12]}, "b": {"logspace": [1e-8, 1e-2, 7]}})
    a, b = found.axes[0].values, found.axes[1].values
    assert (a[0], a[-1], b[0], b[-1]) == (-1, 0.1, 1e-8, 1e-2)
    assert np.diff(a) == pytest.approx(1.1 / 11)
    assert b == pytest.approx(10.0 ** np.arange(-8, -1))


# ---- statistics ----


@pytest.mark.parametrize("sampling", METHODS)
@pytest.mark.parametrize(
    ("form", "numbers", "law"),
    [
        ("normal", {"mean": 2.0, "sd": 0.5}, stats.norm(2, 0.5)),
        ("uniform", {"low": -3.0, "high": 5.0}, stats.uniform(-3, 8)),
        ("lognormal", {"mean": 0.3, "sd": 0.4}, stats.lognorm(0.4, scale=np.exp(0.3))),
        ("truncated", {"mean": 1.0, "sd": 2.0, "low": 0.0, "high": 2.5}, stats.truncnorm(-0.5, 0.75, 1, 2)),
        ("truncated", {"mean": 0.0, "sd": 1.0, "low": 8.0, "high": 9.0}, stats.truncnorm(8, 9)),
        ("truncated", {"mean": 0.0, "sd": 1.0, "low": -9.0, "high": -8.0}, stats.truncnorm(-9, -8)),
    ],
)
def test_values_have_the_distribution(sampling: str, form: str, numbers: dict[str, float], law: Any) -> None:
    x = drawn(form, numbers, sampling=sampling)
    mean, variance = law.stats("mv")
    assert abs(x.mean() - mean) < FIVE_SIGMA * np.sqrt(variance / MANY)
    assert stats.kstest(x, law.cdf).pvalue > 1e-6
    low, high = law.support()
    assert low <= x.min()
    assert x.max() <= high


def test_latin_hypercube_has_one_value_in_every_stratum() -> None:
    for n in (1, 7, 1000):
        axes = {name: {"uniform": {"low": 0, "high": 1}} for name in "ab"}
        columns = design(axes, number=n, sampling="latin-hypercube", seed=5).columns(0, n)
        for name in "ab":
            assert sorted(np.floor(columns[name] * n)) == list(range(n))


def test_sobol_points_have_far_less_discrepancy_than_random_ones() -> None:
    from scipy.stats.qmc import discrepancy

    axes = {name: {"uniform": {"low": 0, "high": 1}} for name in "abc"}
    found = {}
    for sampling in ("random", "sobol"):
        columns = design(axes, number=1024, seed=2, sampling=sampling).columns(0, 1024)
        found[sampling] = discrepancy(np.column_stack([columns[name] for name in "abc"]))
    assert found["sobol"] < found["random"] / 20


def test_sobol_points_are_balanced_in_every_dyadic_interval() -> None:
    axes = {name: {"uniform": {"low": 0, "high": 1}} for name in "ab"}
    columns = design(axes, number=256, seed=8, sampling="sobol").columns(0, 256)
    for name in "ab":
        assert sorted(np.floor(columns[name] * 256)) == list(range(256))


@pytest.mark.parametrize("sampling", METHODS)
def test_correlated_values_have_their_mean_and_covariance(sampling: str) -> None:
    mean, covariance = [1.0, -2.0, 0.0], [[1.0, 0.5, 0.2], [0.5, 2.0, -0.3], [0.2, -0.3, 0.5]]
    axes = {"d": {"paths": ["a", "b", "c"], "gaussian": {"mean": mean, "covariance": covariance}}}
    found = design(axes, number=MANY, seed=11, sampling=sampling)
    columns = found.columns(0, MANY)
    x = np.column_stack([columns[path] for path in "abc"])
    assert list(found.coordinates(0, 1)) == ["d[0]", "d[1]", "d[2]"]
    assert np.abs(x.mean(0) - mean).max() < FIVE_SIGMA * np.sqrt(2 / MANY)
    assert np.abs(np.cov(x.T) - covariance).max() < FIVE_SIGMA * np.sqrt(2) * 2 / np.sqrt(MANY)


def test_a_covariance_without_full_rank_ties_components_exactly() -> None:
    axes = {"d": {"paths": ["a", "b"], "gaussian": {"mean": [0, 1], "covariance": [[1, 2], [2, 4]]}}}
    columns = design(axes, number=100).columns(0, 100)
    assert columns["b"] == pytest.approx(1 + 2 * np.asarray(columns["a"]))


@settings(max_examples=60)
@given(
    st.integers(1, 5).flatmap(
        lambda n: st.lists(st.lists(st.floats(-3, 3), min_size=n, max_size=n), min_size=n, max_size=n)
    )
)
def test_the_factor_gives_back_every_covariance(rows: list[list[float]]) -> None:
    from blockdyn.sweeps.declare.sampling import factor

    A = np.array(rows)
    C = A @ A.T
    L = factor(C)
    assert np.allclose(L, np.tril(L))
    assert np.allclose(L @ L.T, C, atol=1e-6 * max(1.0, np.abs(C).max()))


def test_independent_axes_are_uncorrelated() -> None:
    axes = {name: {"normal": {"mean": 0, "sd": 1}} for name in "ab"}
    columns = design(axes, number=MANY, seed=1).columns(0, MANY)
    assert abs(np.corrcoef(columns["a"], columns["b"])[0, 1]) < FIVE_SIGMA / np.sqrt(MANY)


# ---- reproducibility ----


@pytest.mark.parametrize("sampling", METHODS)
@settings(max_examples=15)
@given(cuts=st.lists(st.integers(0, 384), max_size=6))
def test_values_do_not_depend_on_how_many_are_asked_for(sampling: str, cuts: list[int]) -> None:
    axes = {
        "m": {"normal": {"mean": 0, "sd": 1}},
        "a": [1, 2, 3],
        "t": {"truncated": {"mean": 0, "sd": 1, "low": -1, "high": 2}},
        "d": {"paths": ["u", "v"], "gaussian": {"mean": [0, 0], "covariance": [[1, 0.5], [0.5, 2]]}},
        "l": {"lognormal": {"mean": 0, "sd": 1}},
    }
    found = design(axes, number=128, seed=9, sampling=sampling)
    whole = found.columns(0, 384)
    edges = sorted({0, 384, *cuts})
    parts = [found.columns(a, b) for a, b in pairwise(edges)]
    for path, values in whole.items():
        assert np.array_equal(np.concatenate([part[path] for part in parts]), values)
    assert all(found.scenario(k)[path] == whole[path][k] for k in (0, 127, 128, 383) for path in whole)


@pytest.mark.parametrize("sampling", ["random", "latin-hypercube"])
def test_another_axis_leaves_the_draws_of_an_axis_as_they_are(sampling: str) -> None:
    one = {"m": {"normal": {"mean": 0, "sd": 1}}}
    two = {"k": {"uniform": {"low": 0, "high": 1}}, **one, "j": [1, 2]}
    alone = design(one, number=64, sampling=sampling).columns(0, 64)["m"]
    assert np.array_equal(design(two, number=64, sampling=sampling).columns(64, 128)["m"], alone)


def test_more_random_scenarios_begin_with_the_same_ones() -> None:
    axes = {"m": {"normal": {"mean": 0, "sd": 1}}}
    few, more = (design(axes, number=n, seed=4).columns(0, 100)["m"] for n in (100, 10_000))
    assert np.array_equal(few, more)


@pytest.mark.parametrize("sampling", METHODS)
def test_seeds_differ(sampling: str) -> None:
    numbers = {"low": 0.0, "high": 1.0}
    a, b = (drawn("uniform", numbers, sampling=sampling, seed=seed) for seed in (0, 1))
    assert not np.any(a == b)


def test_the_first_random_numbers_are_these() -> None:
    """Pinned: a sweep of an earlier version keeps its scenarios."""
    axes = {"m": {"uniform": {"low": 0, "high": 1}}}
    first = design(axes, number=3, seed=1).columns(0, 3)["m"]
    words = np.frombuffer(sha256(b"m").digest(), "<u4").tolist()
    stream = np.random.Philox(np.random.SeedSequence(1, spawn_key=words))
    assert np.array_equal(first, (stream.random_raw(3) >> np.uint64(11)) * 2.0**-53)


@pytest.mark.parametrize("sampling", METHODS)
def test_a_design_is_what_its_description_says(sampling: str) -> None:
    axes = {
        "a": [1, "two", [3.0, 4.0], {"name": "puma560"}],
        "b": {"logspace": [1, 100, 3]},
        "c": {"count": 3},
        "m": {"paths": ["x", "y"], "lognormal": {"mean": 0, "sd": 1}},
    }
    made = design(axes, number=8, seed=7, sampling=sampling, zip=[["b", "c"]])
    described = json.loads(json.dumps(made.described()))
    for other in (Design.read(described), pickle.loads(pickle.dumps(made))):
        assert other.described() == described
        assert [other.scenario(k) for k in range(other.count)] == [
            made.scenario(k) for k in range(made.count)
        ]


def test_a_million_scenarios_are_reached_one_by_one() -> None:
    axes = {"m": {"normal": {"mean": 0, "sd": 1}}, "a": {"count": 1000}}
    found = design(axes, number=1_000_000)
    assert found.count == 10**9
    last = found.scenario(10**9 - 1)
    assert last["a"] == 999
    assert last["m"] == found.columns(999_990, 1_000_000)["m"][-1]


# ---- distributions that are none ----


@pytest.mark.parametrize(
    ("form", "numbers", "said"),
    [
        ("normal", {"mean": 0, "sd": -1}, "`sd` is -1"),
        ("normal", {"mean": 0}, "no `sd`"),
        ("normal", {"mean": "x", "sd": 1}, "mean is 'x'"),
        ("normal", {"mean": float("inf"), "sd": 1}, "finite"),
        ("normal", {"mean": 0, "sd": 1, "low": 2}, "no `low`"),
        ("uniform", {"low": 1, "high": 1}, "low below high"),
        ("truncated", {"mean": 0, "sd": 1, "low": 2, "high": -2}, "low below high"),
        ("truncated", {"mean": 0, "sd": 0, "low": -2, "high": 2}, "greater than 0"),
        ("truncated", {"mean": 0, "sd": 1, "low": 50, "high": 51}, "nothing of the normal"),
        ("gaussian", {"mean": [0, 0], "covariance": [[1, 2], [2, 1]]}, "positive semidefinite"),
        ("gaussian", {"mean": [0, 0], "covariance": [[1, 0.5], [0.4, 1]]}, "symmetric"),
        ("gaussian", {"mean": [0, 0], "covariance": [[1]]}, "1 x 1 for 2 means"),
        ("gaussian", {"mean": [0, 0, 0], "covariance": np.eye(3).tolist()}, "3 means for 2 paths"),
        ("gaussian", {"mean": 3, "covariance": [[1]]}, "list of finite numbers"),
        ("gaussian", [0, 1], "mapping"),
    ],
)
def test_impossible_distributions_are_refused(form: str, numbers: Any, said: str) -> None:
    paths = {"paths": ["u", "v"]} if form == "gaussian" else {}
    with pytest.raises(SweepError, match=said) as caught:
        design({"m": {form: numbers, **paths}}, number=4)
    assert caught.value.path == "m"
