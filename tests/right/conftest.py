"""What tests of right answers share: the bouncing ball, a driven integrator, exact linear systems."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy.linalg import expm

import blockdyn as bd

Exact = Callable[..., np.ndarray]


@pytest.fixture(scope="session")
def ball() -> Callable[..., bd.Diagram]:
    """A ball that bounces on the floor x = 0: v -> -e v on impact."""

    def make(e: float, height: Any = 10.0, speed: Any = 0.0, gravity: float = 9.81) -> bd.Diagram:
        d = bd.Diagram("ball")
        weight = d.add("weight", bd.Constant(np.zeros(np.shape(height)) - gravity))
        v = d.add("v", bd.Integrator(speed + np.zeros(np.shape(height)), reset="falling", level=0.0))
        x = d.add("x", bd.Integrator(height))
        back = d.add("back", bd.Gain(-e))
        d.connect(weight, v["u"])
        d.connect(v, x)
        d.connect(x, v["trigger"])
        d.connect(v, back, v["value"])
        return d

    return make


@pytest.fixture(scope="session")
def growth() -> Callable[[], bd.Diagram]:
    """dx/dt = x cos t: x = e^(sin t); the right-hand side depends on time, so that the nodes c matter."""

    def make() -> bd.Diagram:
        d = bd.Diagram("growth")
        x, c = d.add("x", bd.Integrator(1.0)), d.add("c", bd.Expression("cos(t)"))
        p = d.add("p", bd.Product("**"))
        d.connect(c, p[0])
        d.connect(x, p[1])
        d.connect(p, x)
        return d

    return make


@pytest.fixture(scope="session")
def impacts() -> Exact:
    """The closed form of the impact times of a ball dropped from a height."""

    def make(e: float, height: float, count: int, gravity: float = 9.81) -> np.ndarray:
        first = np.sqrt(2.0 * height / gravity)
        flights = 2.0 * first * e ** np.arange(1, count)
        return first + np.concatenate([[0.0], np.cumsum(flights)])

    return make


@pytest.fixture(scope="session")
def times_of() -> Callable[..., np.ndarray]:
    """The times of a block's events, of one zero crossing or of all."""

    def find(result: bd.Result, path: str, detail: str | None = None) -> np.ndarray:
        return np.array([e.time for e in result.events if e.path == path and detail in (None, e.detail)])

    return find


@pytest.fixture(scope="session")
def driven() -> Callable[..., bd.Diagram]:
    """A diagram that integrates one source: `source` -> `x`."""

    def make(source: bd.Block, x: bd.Block | None = None) -> bd.Diagram:
        d = bd.Diagram("driven")
        d.connect(d.add("source", source), d.add("x", x or bd.Integrator()))
        return d

    return make


@pytest.fixture(scope="session")
def linear() -> Exact:
    """x(t) of dx/dt = A x + B u with a constant u, by the matrix exponential; a row a time."""

    def make(A: Any, B: Any, u: Any, x0: Any, times: Any) -> np.ndarray:
        A, B = np.atleast_2d(A), np.asarray(B, float).reshape(len(np.atleast_2d(A)), -1)
        n, m = B.shape
        whole = np.zeros((n + m, n + m))
        whole[:n, :n], whole[:n, n:] = A, B
        start = np.concatenate([np.ravel(x0), np.ravel(u)])
        return np.array([(expm(whole * t) @ start)[:n] for t in np.atleast_1d(times)])

    return make
