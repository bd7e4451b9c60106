"""Filters and observers of linear models: least squares over all samples, Riccati equations, poles."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.linalg import expm, solve_continuous_are, solve_discrete_are

import blockdyn as bd

pytestmark = pytest.mark.xdist_group("kalman filters")  # one worker compiles them
T, COUNT = 0.1, 30
A = np.array([[1.0, 0.1, 0.0], [-0.2, 0.9, 0.1], [0.0, 0.0, 0.95]])
B = np.array([[0.0], [0.1], [0.05]])
C = np.array([[1.0, 0.0, 0.0], [0.5, 0.0, 1.0]])
Q = np.diag([0.01, 0.02, 0.005])
R = np.array([[0.1, 0.02], [0.02, 0.2]])
P0, X0 = np.diag([1.0, 2.0, 0.5]), np.array([0.3, -0.2, 0.1])
RANDOM = np.random.default_rng(9)
MEASURED = RANDOM.standard_normal((COUNT, 2))
DRIVEN = RANDOM.standard_normal(COUNT)
TIMES = np.arange(COUNT) / 10.0


def f(x, u, next_x):  # type: ignore[no-untyped-def]
    next_x[0] = x[0] + 0.1 * x[1]
    next_x[1] = -0.2 * x[0] + 0.9 * x[1] + 0.1 * x[2] + 0.1 * u[0]
    next_x[2] = 0.95 * x[2] + 0.05 * u[0]


def h(x, u, y):  # type: ignore[no-untyped-def]
    y[0] = x[0]
    y[1] = 0.5 * x[0] + x[2]


def h_slopes(x, u, H):  # type: ignore[no-untyped-def]
    for i in range(2):
        for j in range(3):
            H[i, j] = 0.0
    H[0, 0] = 1.0
    H[1, 0] = 0.5
    H[1, 2] = 1.0


def least_squares() -> np.ndarray:
    """The last state of the most likely path x_0 ... x_k: all equations, each over its deviation, at once."""
    n = 3
    rows, values = [np.linalg.cholesky(np.linalg.inv(P0)).T], [np.linalg.cholesky(np.linalg.inv(P0)).T @ X0]
    rows = [np.hstack([rows[0], np.zeros((n, n * (COUNT - 1)))])]
    of_q, of_r = (np.linalg.cholesky(np.linalg.inv(M)).T for M in (Q, R))
    for k in range(COUNT):
        row = np.zeros((2, n * COUNT))
        row[:, n * k : n * k + n] = of_r @ C
        rows.append(row)
        values.append(of_r @ MEASURED[k])
        if k + 1 < COUNT:
            row = np.zeros((n, n * COUNT))
            row[:, n * k : n * k + n], row[:, n * k + n : n * k + 2 * n] = -of_q @ A, of_q
            rows.append(row)
            values.append(of_q @ B[:, 0] * DRIVEN[k])
    path = np.linalg.lstsq(np.vstack(rows), np.concatenate(values), rcond=None)[0]
    return np.asarray(path[-n:])


@pytest.fixture(scope="module", params=[True, False], ids=["compiled", "interpreted"])
def run(request: pytest.FixtureRequest) -> bd.Result:
    d = bd.Diagram()
    u = d.add("u", bd.PiecewiseConstant(times=TIMES, values=DRIVEN))
    y = d.add("y", bd.PiecewiseConstant(times=TIMES, values=MEASURED))
    linear = {"A": A, "B": B, "C": C, "Q": Q, "R": R, "initial": X0, "sample_time": T}
    functions = {"f": f, "h": h, "Q": Q, "R": R, "P0": P0, "initial": X0, "sample_time": T, "inputs_count": 1}
    blocks = {
        "kalman": bd.SampledKalmanFilter(**linear, P0=P0),
        "steady": bd.SampledKalmanFilter(**linear),
        "varying": bd.SampledKalmanFilter(**linear, P0=P0, varying=["A", "R"]),
        "extended": bd.ExtendedKalmanFilter(**functions),
        "exact": bd.ExtendedKalmanFilter(**functions, h_jacobian=h_slopes),
        "observer": bd.SampledLuenbergerObserver(A, B, C, initial=X0, poles=[0.3, 0.4, 0.5], sample_time=T),
    }
    for name, block in blocks.items():
        d.connect(u, d.add(name, block)["u"])
        d.connect(y, d[name]["y"])
    d.connect(d.add("A", bd.Constant(A)), "varying.A")
    d.connect(d.add("R", bd.Constant(R)), "varying.R")
    result = d.simulate(times=TIMES, compiled=request.param)
    assert not [key for key in result.statistics if key.startswith("python")] or not request.param
    return result


@pytest.mark.parametrize("name", ["kalman", "varying", "extended", "exact"])
def test_is_the_most_likely_state_of_all_samples(run: bd.Result, name: str) -> None:
    np.testing.assert_allclose(run[f"{name}.x"].values[-1], least_squares(), rtol=0, atol=1e-8)


def test_the_covariance_tends_to_that_of_the_riccati_equation(run: bd.Result) -> None:
    prior = solve_discrete_are(A.T, C.T, Q, R)
    posterior = np.linalg.inv(np.linalg.inv(prior) + C.T @ np.linalg.inv(R) @ C)
    for name, at, close in (("steady", 0, 1e-12), ("steady", -1, 1e-12), ("kalman", -1, 1e-4)):
        np.testing.assert_allclose(run[f"{name}.covariance"].values[at], posterior, rtol=0, atol=close)


def test_an_observer_forgets_its_start_by_its_poles(run: bd.Result) -> None:
    """Another start makes a difference that the poles alone rule: (z^3 - 1.2 z^2 + 0.47 z - 0.06) d = 0."""
    block = bd.SampledLuenbergerObserver(A, B, C, poles=[0.3, 0.4, 0.5], sample_time=T)
    d = bd.Diagram()
    d.connect(d.add("u", bd.PiecewiseConstant(times=TIMES, values=DRIVEN)), d.add("observer", block)["u"])
    d.connect(d.add("y", bd.PiecewiseConstant(times=TIMES, values=MEASURED)), d["observer"]["y"])
    other = d.simulate(times=TIMES)["observer.x"].values - run["observer.x"].values
    ruled = other[3:] - 1.2 * other[2:-1] + 0.47 * other[1:-2] - 0.06 * other[:-3]
    np.testing.assert_allclose(ruled, 0.0, atol=1e-12)
    assert np.abs(other[0]).max() > 0.1


def test_continuous_filters_and_observers() -> None:
    """dP/dt = -2 P + 3 - P^2 from 2, the scalar Riccati equation; errors that die away by their poles."""
    d = bd.Diagram()
    d.connect(
        d.add("y", bd.Sine()), d.add("scalar", bd.KalmanFilter(-1.0, 0.0, 1.0, Q=3.0, R=1.0, P0=2.0))["y"]
    )
    plant = d.add("plant", bd.StateSpace([[0, 1], [-2, -0.3]], [0, 1], [1, 0], initial=[1.0, 0.5]))
    u = d.add("u", bd.Sine(frequency=2.0))
    watch = d.add(
        "watch", bd.LuenbergerObserver([[0, 1], [-2, -0.3]], [0, 1], [1, 0], poles=[[-3, 1], [-3, -1]])
    )
    steady = d.add("steady", bd.KalmanFilter([[0, 1], [-2, -0.3]], [0, 1], [1, 0], Q=[0.0, 1.0], R=0.5))
    d.connect(u, [plant, watch["u"], steady["u"], d["scalar"]["u"]])
    d.connect(plant, [watch["y"], steady["y"]])
    r = d.simulate(stop=2.0, rtol=1e-11, atol=1e-13)
    # dP/dt = -2 P + 3 - P^2 from 2: roots 1 and -3, (P - 1)/(P + 3) = exp(-4 t)/5
    ratio = np.exp(-8.0) / 5
    np.testing.assert_allclose(r.final("scalar.covariance"), (1 + 3 * ratio) / (1 - ratio), atol=1e-9)
    M = np.array([[0.0, 1.0], [-2.0, -0.3]])
    truth = r.final("plant.x")
    L = np.array([[5.7], [10.0 - 2.0 - 0.3 * 5.7]])
    start = np.array([1.0, 0.5])
    c = np.array([[1.0, 0.0]])
    np.testing.assert_allclose(truth - r.final("watch.x"), expm((M - L @ c) * 2.0) @ start, atol=1e-9)
    P = solve_continuous_are(M.T, c.T, np.diag([0.0, 1.0]), np.array([[0.5]]))
    np.testing.assert_allclose(r.final("steady.covariance"), P, atol=1e-9)
    np.testing.assert_allclose(
        truth - r.final("steady.x"), expm((M - P @ c.T @ c / 0.5) * 2.0) @ start, atol=1e-9
    )


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (
            lambda: bd.KalmanFilter(A, B, C, Q=[1.0, 2.0]),
            r"KalmanFilter\.Q .*\nexpected: a number, 3 numbers",
        ),
        (lambda: bd.KalmanFilter(A, B, C, R=0.0), "a covariance above 0"),
        (lambda: bd.KalmanFilter(A, B, C, Q=[-1.0, 1.0, 1.0]), "not below 0; its least eigenvalue is -1"),
        (lambda: bd.SampledKalmanFilter(A, B, C, P0=np.diag([-1.0, 1.0, 1.0])), "least eigenvalue is -1"),
        (lambda: bd.LQR(A, B, Q=[-1.0, 1.0, 1.0]), "a cost not below 0; its least eigenvalue is -1"),
        (lambda: bd.KalmanFilter(A, B, C, varying=["F"]), r"KalmanFilter\.varying"),
        (lambda: bd.KalmanFilter(1.0, 0.0, 0.0, Q=1.0), r"KalmanFilter\.P0"),
        (lambda: bd.LuenbergerObserver(A, B, C), "either L, or poles"),
        (lambda: bd.LuenbergerObserver(A, B, C, poles=[-1.0]), "3 poles"),
        (lambda: bd.LuenbergerObserver(A, B, C, L=[1.0]), "a matrix of 3x2"),
        (lambda: bd.ExtendedKalmanFilter(f=f, h=h, f_jacobian=3), r"ExtendedKalmanFilter\.f_jacobian"),
    ],
)
def test_bad_parameters(make: object, words: str) -> None:
    with pytest.raises(bd.ParameterError, match=words):
        make()  # type: ignore[operator]


def test_matrices_that_do_not_go_together() -> None:
    with pytest.raises(bd.BlockdynError, match="2 columns, one per state"):
        bd.KalmanFilter([[0, 1], [0, 0]], [0, 1], [1, 0, 0])


@pytest.mark.parametrize("compiled", [True, False])
def test_a_covariance_that_is_not_positive_ends_the_run(compiled: bool) -> None:
    """R is an input here, and turns negative at 0.5 s."""
    d = bd.Diagram("filter")
    d.add(
        "filter",
        bd.SampledKalmanFilter(A=1.0, B=1.0, C=1.0, Q=0.1, R=1.0, P0=1.0, varying=["R"], sample_time=0.1),
    )
    for port, block in {
        "u": bd.Constant(0.0),
        "y": bd.Constant(1.0),
        "R": bd.Step(time=0.45, initial=[[1.0]], final=[[-9.0]]),
    }.items():
        d.connect(d.add(f"in_{port}", block), f"filter.{port}")
    with pytest.raises(bd.RunError, match=r"filter.*not positive") as error:
        d.simulate(stop=1.0, compiled=compiled)
    assert "0.5 s" in str(error.value)


def test_functions_of_other_arguments_are_refused_with_the_right_ones():
    for name, function, says in (
        ("f", lambda x, u: x, r"f\(x, u, next_x\)"), ("h", lambda x: x, r"h\(x, u, y\)"),
        ("f_jacobian", lambda x, u: x, r"f_jacobian\(x, u, A\)"),
    ):  # fmt: skip
        right = {"f": lambda x, u, next_x: None, "h": lambda x, u, y: None}
        with pytest.raises(bd.ParameterError, match=says):
            bd.ExtendedKalmanFilter(**{**right, name: function})
