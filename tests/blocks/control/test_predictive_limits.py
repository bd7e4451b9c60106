"""ModelPredictive with limits of rates and outputs, previews and so on: the same program by quadprog."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import blockdyn as bd
from blockdyn.diagrams.model.run_errors import BlockFailed

quadprog = pytest.importorskip("quadprog")

A = np.array([[1.0, 0.2, 0.0], [0.0, 1.0, 0.2], [-0.1, 0.0, 0.9]])
B = np.array([[0.0, 0.1], [0.02, 0.0], [0.2, 0.05]])
E = np.array([[0.0], [0.1], [0.05]])
C = np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.5]])
Q, P, R, S = np.diag([1.0, 0.2, 0.1]), np.diag([4.0, 1.0, 0.5]), np.diag([0.05, 0.2]), np.diag([0.1, 0.3])
N, T, SOFT = 10, 0.5, 1e3
LIMITS: dict[str, Any] = {
    "lower": np.array([-1.5, -0.8]), "upper": np.array([1.0, 0.6]), "rate_lower": np.array([-1.0, -0.5]),
    "rate_upper": np.array([0.8, np.inf]), "y_lower": np.array([-np.inf, -0.1]),
    "y_upper": np.array([0.35, 0.3]),
}  # fmt: skip


def planned(x0: np.ndarray, x_ref: np.ndarray, w: np.ndarray, u_before: np.ndarray) -> np.ndarray:
    """All of x_1, u_0, e_1, x_2 ... with the model as equations; the first input, the largest e of each y."""
    each = 7
    H, f = np.zeros((each * N, each * N)), np.zeros(each * N)
    equal: list[tuple[np.ndarray, float]] = []
    above: list[tuple[np.ndarray, float]] = []  # row z >= value
    x, u, e = (
        [np.eye(each * N)[each * i + a : each * i + b] for i in range(N)] for a, b in ((0, 3), (3, 5), (5, 7))
    )
    for i in range(N):
        weight = P if i == N - 1 else Q
        change = u[i] - (u[i - 1] if i else 0.0)
        was = np.zeros(2) if i else u_before
        H += 2.0 * (x[i].T @ weight @ x[i] + u[i].T @ R @ u[i] + change.T @ S @ change + SOFT * e[i].T @ e[i])
        f += 2.0 * (x[i].T @ weight @ x_ref[i] + change.T @ S @ was)
        equal += zip(
            x[i] - B @ u[i] - (A @ x[i - 1] if i else 0.0), E @ w[i] + (0.0 if i else A @ x0), strict=True
        )
        for rows, offset, low, high in (
            (u[i], np.zeros(2), LIMITS["lower"], LIMITS["upper"]),
            (change, -was, T * LIMITS["rate_lower"], T * LIMITS["rate_upper"]),
        ):
            above += [(row, v - o) for row, v, o in zip(rows, low, offset, strict=True) if np.isfinite(v)]
            above += [(-row, o - v) for row, v, o in zip(rows, high, offset, strict=True) if np.isfinite(v)]
        y = C @ x[i]
        above += [(y[k] + e[i][k], LIMITS["y_lower"][k]) for k in (1,)]
        above += [(e[i][k] - y[k], -LIMITS["y_upper"][k]) for k in (0, 1)]
    rows = np.array([row for row, _ in equal + above]).T
    values = np.array([float(value) for _, value in equal + above])
    z = quadprog.solve_qp(H, f, rows, values, len(equal))[0].reshape(N, each)
    return np.concatenate([z[0, 3:5], np.abs(z[:, 5:]).max(axis=0)])


@pytest.mark.parametrize(("preview", "compiled"), [(True, True), (False, True), (False, False)])
def test_every_plan_is_the_least_of_its_program(preview: bool, compiled: bool) -> None:
    """From a state where the limits of y cannot hold at once; later no slack is left, but limits are met."""
    rng = np.random.default_rng(5)
    x_ref, w = rng.normal(0.2, 0.3, (N, 3)), rng.normal(0.0, 0.5, (N, 1))
    if not preview:
        x_ref[1:], w[1:] = x_ref[0], w[0]
    d = bd.Diagram()
    law = bd.ModelPredictive(
        A, B, Q, R, terminal=P, horizon=N, sample_time=T, S=S, C=C, E=E, violation_cost=SOFT, preview=preview,
        **LIMITS,
    )  # fmt: skip
    d.add("law", law)
    d.add("plant", bd.DiscreteStateSpace(T, A, B, np.eye(3), initial=[0.6, 0.5, -0.3]))
    d.connect("law.u", "plant")
    d.connect("plant", "law.x")
    d.connect(d.add("r", bd.Constant(x_ref if preview else x_ref[0])), "law.x_ref")
    d.connect(d.add("w", bd.Constant(w if preview else w[0, 0])), "law.w")
    r = d.simulate(times=T * np.arange(20), compiled=compiled)
    u, slack = r["law.u"].values, r["law.slack"].values
    before = np.vstack([np.zeros(2), u[:-1]])
    wanted = [planned(x, x_ref, w, b) for x, b in zip(r["plant"].values, before, strict=True)]
    np.testing.assert_allclose(np.hstack([u, slack]), wanted, rtol=0, atol=2e-8)
    assert slack[0].max() > 0.1
    assert not [key for key in r.statistics if key.startswith("python")] or not compiled


def simulated(Q: object = (1.0, 0.0), **changes: object) -> bd.Result:
    """A cart at 1 m, pushed back to 0 with its speed limited."""
    d = bd.Diagram()
    options: dict[str, object] = {"lower": -1.0, "upper": 1.0, "y_lower": [-np.inf, -0.3], "horizon": 30}
    law = bd.ModelPredictive([[1, 0.1], [0, 1]], [0.005, 0.1], Q, 0.01, **options | changes)  # type: ignore[arg-type]
    d.add("law", law)
    d.add(
        "cart",
        bd.DiscreteStateSpace(0.1, [[1, 0.1], [0, 1]], [[0.005], [0.1]], np.eye(2), initial=[1.0, 0.0]),
    )
    d.connect("law.u", "cart")
    d.connect("cart", "law.x")
    return d.simulate(stop=8.0)


@pytest.mark.parametrize("cost", [None, np.inf])
def test_a_limited_speed_is_reached_and_kept(cost: float | None) -> None:
    r = simulated(violation_cost=cost)
    speed = r["cart"].values[:, 1]
    assert abs(speed.min() + 0.3) < (1e-5 if cost is None else 1e-12)
    assert abs(np.asarray(r.final("cart"))[0]) < 1e-2
    assert r["law.slack"].values.max() < (1e-5 if cost is None else 1e-300)


def test_rates_are_kept() -> None:
    u = simulated(rate_lower=-2.0, rate_upper=1.0)["law.u"].values
    rates = np.diff(np.concatenate([[0.0], u])) / 0.1
    assert rates.min() >= -2.0 - 1e-9
    assert abs(rates.max() - 1.0) < 1e-9


def test_a_run_ends_where_the_limits_leave_nothing() -> None:
    """At 1 m with y <= 0.5 m at once: more than the input can do."""
    with pytest.raises(BlockFailed, match=r"law.*no inputs within their limits") as told:
        simulated(y_upper=[0.5, np.inf], violation_cost=np.inf)
    assert told.value.path == "law"
    with pytest.raises(BlockFailed, match="more `iterations`"):
        simulated(iterations=1)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"rate_lower": 1.0, "rate_upper": 0.5}, "less than rate_upper"),
        ({"y_upper": [1.0, 2.0, 3.0]}, "or 2 numbers"),
        ({"violation_cost": 0.0}, "violation_cost"),
        ({"iterations": 0}, "at least 1"),
        ({"Q": [-1.0, 1.0]}, "not below 0; its least eigenvalue is -1"),
        ({"initial": [1.0, 2.0]}, "or 1 number"),
        ({"horizon": 300, "rate_upper": 1.0, "rate_lower": -1.0, "y_upper": 1.0}, "at most 1000 limits"),
    ],
)
def test_bad_parameters(changes: dict[str, object], words: str) -> None:
    with pytest.raises(bd.ParameterError, match=words):
        simulated(**changes)


def test_sizes_that_do_not_fit() -> None:
    with pytest.raises(bd.BlockError, match="p x 2"):
        simulated(C=[[1.0, 0.0, 0.0]])
