"""Filters, compensators, zeros and poles: what scipy.signal makes of the same systems, in one diagram."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import signal

import blockdyn as bd
from blockdyn.blocks.continuous.filter import Filter

TIMES = np.linspace(0.0, 4.0, 41)
KNOTS, VALUES = np.array([0.0, 0.5, 1.5, 2.0, 4.0]), np.array([0.0, 1.0, -1.0, 0.5, 0.25])
RANDOM = np.random.default_rng(12)


def roots(count: int, low: float, high: float) -> np.ndarray:
    """Random roots in the left half plane, complex ones in pairs."""
    pairs = RANDOM.uniform(low, high, count // 2) * np.exp(1j * RANDOM.uniform(1.7, 3.0, count // 2))
    return np.concatenate([pairs, pairs.conj(), -RANDOM.uniform(low, high, count % 2)])


def rows(z: np.ndarray) -> np.ndarray:
    return np.column_stack([z.real, z.imag])


SYSTEMS = [(roots(m, 0.5, 4.0), roots(n, 0.5, 6.0), 2.0) for m, n in ((0, 1), (2, 2), (1, 4), (3, 6), (5, 7))]


@pytest.fixture(scope="module")
def answers() -> bd.Result:
    d = bd.Diagram()
    u = d.add("u", bd.PiecewiseLinear(times=KNOTS, values=VALUES))
    blocks: dict[str, bd.Block] = {
        "low": bd.LowPass(cutoff=3.0, order=5), "high": bd.HighPass(cutoff=2.0, order=4),
        "high3": bd.HighPass(cutoff=2.0, order=3), "notch": bd.Notch(frequency=5.0, damping=0.2, depth=0.1),
        "lead": bd.LeadLag(lead=0.5, lag=0.1, k=3.0),
        "second": bd.SecondOrder(k=2.0, frequency=3.0, damping=0.3), "twice": bd.SecondOrderIntegrator(),
    }  # fmt: skip
    for i, (z, p, k) in enumerate(SYSTEMS):
        blocks[f"roots{i}"] = bd.ZeroPoleGain(poles=rows(p), zeros=rows(z) if z.size else None, k=k)
    for name, block in blocks.items():
        d.connect(u, d.add(name, block))
    wide = d.add("wide", bd.Gain(np.arange(1.0, 7.0).reshape(2, 3)))
    d.connect(u, wide, d.add("lows", bd.LowPass(cutoff=3.0, order=5)))
    return d.simulate(times=TIMES, method="dop853", rtol=1e-13, atol=1e-14)


def expected(system: object) -> np.ndarray:
    """The answer to the same corners, which lie on the grid, as lsim takes them exactly."""
    grid = np.linspace(0.0, 4.0, 401)
    y = signal.lsim(system, np.interp(grid, KNOTS, VALUES), grid)[1]
    return np.asarray(y)[::10]


@pytest.mark.parametrize(
    ("name", "system"),
    [
        ("low", signal.butter(5, 3.0, analog=True)),
        ("high", signal.butter(4, 2.0, "high", analog=True)),
        ("high3", signal.butter(3, 2.0, "high", analog=True)),
        ("notch", ([1.0, 0.2, 25.0], [1.0, 2.0, 25.0])),
        ("lead", ([1.5, 3.0], [0.1, 1.0])),
        ("second", ([18.0], [1.0, 1.8, 9.0])),
        ("twice", ([1.0], [1.0, 0.0, 0.0])),
        *((f"roots{i}", system) for i, system in enumerate(SYSTEMS)),
    ],
)
def test_answers_as_scipy_says(answers: bd.Result, name: str, system: object) -> None:
    path = f"{name}.y" if name in ("second", "twice") else name
    want = expected(system)
    np.testing.assert_allclose(answers[path].values, want, rtol=0, atol=1e-10 * max(1.0, np.abs(want).max()))


def test_every_element_of_a_matrix_is_filtered_by_itself(answers: bd.Result) -> None:
    want = answers["low"].values[:, None, None] * np.arange(1.0, 7.0).reshape(2, 3)
    np.testing.assert_allclose(answers["lows"].values, want, rtol=0, atol=1e-12)


def test_filters_begin_as_if_u_had_always_been_what_it_was() -> None:
    d = bd.Diagram()
    u = d.add("u", bd.Constant([2.0, -1.0]))
    blocks: dict[str, type[Filter]] = {"low": bd.LowPass, "high": bd.HighPass, "notch": bd.Notch}
    for name, kind in blocks.items():
        d.connect(u, d.add(name, kind(initial=[2.0, -1.0])))  # type: ignore[call-arg]
    d.connect(u, d.add("lead", bd.LeadLag(initial=[2.0, -1.0])))
    r = d.simulate(stop=3.0)
    for name, gain in {"low": 1.0, "high": 0.0, "notch": 1.0, "lead": 1.0}.items():
        np.testing.assert_allclose(r[name].values, gain * np.array([[2.0, -1.0]] * len(r[name])), atol=1e-13)


def test_a_filter_in_a_loop_takes_the_size_of_its_start() -> None:
    """x' = 3 (-x - x): the loop has no other block that knows its size."""
    d = bd.Diagram()
    low, minus = d.add("low", bd.LowPass(cutoff=3.0, initial=[1.0, 2.0])), d.add("minus", bd.Gain(-1.0))
    d.connect(low, minus, low)
    np.testing.assert_allclose(
        d.simulate(stop=1.0, rtol=1e-10, atol=1e-12).final("low"),
        np.exp(-6.0) * np.array([1.0, 2.0]),
        atol=1e-10,
    )


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: bd.LowPass(order=0), r"LowPass\.order"),
        (lambda: bd.LowPass(cutoff=1e40, order=8), r"LowPass\.cutoff"),
        (lambda: bd.HighPass(order=True), r"HighPass\.order"),
        (lambda: bd.LowPass(cutoff=-1.0), r"LowPass\.cutoff"),
        (lambda: bd.ZeroPoleGain(poles=[[-1.0, 2.0]]), r"conjugate \[-1\.0, -2\.0\] of \[-1\.0, 2\.0\]"),
        (lambda: bd.ZeroPoleGain(poles=[-1.0], zeros=[-1.0, -2.0]), "at most 1, as many as poles"),
        (lambda: bd.ZeroPoleGain(poles=[[1.0, 2.0, 3.0]]), "rows"),
        (lambda: bd.SecondOrder(lower=1.0, upper=0.0), r"SecondOrder\.lower"),
        (lambda: bd.SecondOrder(upper=-1.0), r"SecondOrder\.initial"),
        (lambda: bd.SecondOrderIntegrator(lower_rate=0.0), r"SecondOrderIntegrator\.lower_rate"),
    ],
)
def test_bad_parameters(make: object, words: str) -> None:
    with pytest.raises(bd.ParameterError, match=words):
        make()  # type: ignore[operator]
