"""Gains of regulators and filters, and discretisations, are computed by SciPy and python-control."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from ...base.extras import remedy
from ...base.schema import is_number
from ...blocks.control.riccati import regulator_gain, weight
from ..errors import AnalysisError
from .linear_model import LinearModel, Matrix

Method = Literal["hold", "first_order_hold", "tustin", "matched"]
"""How a model in continuous time is put into discrete time."""

METHODS: dict[str, Any] = {"hold": "zoh", "first_order_hold": "foh", "tustin": "bilinear"}
"""The names of `scipy.signal.cont2discrete`."""


def place_poles(model: LinearModel, poles: ArrayLike) -> Matrix:
    """The gain K (m, n) of u = -K x with which A - B K has these eigenvalues, by `scipy.signal`.

    Complex poles come in pairs. Raises AnalysisError.
    Source: Tits and Yang, IEEE Transactions on Automatic Control 41(10) (1996), 1432-1452.
    """
    model = model.finite()
    from scipy.signal import place_poles

    n = len(model.states)
    try:
        roots = np.atleast_1d(np.asarray(poles, np.complex128))
        if roots.shape != (n,) or not np.all(np.isfinite(roots)):
            raise ValueError(f"there are {n} states")
        if n == np.linalg.matrix_rank(model.B):  # SciPy then solves directly and requires real matrices
            return np.asarray(np.real(place_poles(model.A, model.B, roots).gain_matrix), np.float64)
        placed = place_poles(model.A, model.B, roots)
    except (TypeError, ValueError) as error:
        expected = (
            f"{n} poles, complex ones in pairs, each at most as often as there are inputs, of a model that"
            f" its inputs control; scipy: {error}"
        )
        raise AnalysisError(f"poles are {poles!r:.80}", expected) from None
    return np.asarray(placed.gain_matrix, np.float64)


def regulator(model: LinearModel, Q: ArrayLike, R: ArrayLike) -> Matrix:
    """The gain K (m, n) of u = -K x that minimises the integral, or sum, of x'Q x + u'R u.

    A scalar stands for its multiple of the identity, a vector for a diagonal. Raises AnalysisError,
    ParameterError.
    Source: Anderson and Moore, Optimal Control: Linear Quadratic Methods (1990), chapters 2 and 3.
    """
    model = model.finite()
    return _gain("lqr", model.A, model.B, Q, R, model.sample_time)


def kalman_gain(model: LinearModel, Q: ArrayLike, R: ArrayLike) -> Matrix:
    """The stationary gain L (n, p) of a Kalman filter, with the covariances Q (n, n) of the noise of the
    states and R (p, p) of the outputs; densities in continuous time.

        x' = A x + B u + L (y - C x - D u)        in discrete time the gain of the prediction of x[k+1]

    Source: Anderson and Moore, Optimal Filtering (1979), chapter 4. Raises AnalysisError, ParameterError.
    """
    model = model.finite()
    return _gain("kalman_gain", model.A.T, model.C.T, Q, R, model.sample_time).T


def _gain(call: str, A: Matrix, B: Matrix, Q: ArrayLike, R: ArrayLike, sample_time: float) -> Matrix:
    n, m = B.shape
    weights = weight(call, "Q", Q, n), weight(call, "R", R, m, positive=True)
    try:
        return regulator_gain(A, B, *weights, discrete=sample_time > 0.0)
    except (ValueError, np.linalg.LinAlgError) as error:
        expected = f"weights for each motion that grows, and inputs (outputs) that reach it; {error}"
        raise AnalysisError(f"{call}: the Riccati equation has no solution", expected) from None


def discretize(model: LinearModel, sample_time: float, method: Method = "hold") -> LinearModel:
    """A model in continuous time as one in discrete time, over a period in s.

    hold              inputs constant over a period: exact for inputs from sampled blocks
    first_order_hold  inputs linear between ticks
    tustin            s = 2 / T (z - 1) / (z + 1), which preserves stability and the static gain
    matched           poles and zeros at exp(s T), of one input and output; needs the extra `control`

    Uses `scipy.signal` and `control`. `diagram.linearize(sample_time=T)` applies "hold" to a diagram. Raises
    AnalysisError.
    Source: Franklin, Powell and Workman, Digital Control of Dynamic Systems (1998), chapter 6.
    """
    model = model.finite()
    if model.sample_time:
        actual = f"a model in discrete time, over {model.sample_time:g} s"
        raise AnalysisError(actual, "one in continuous time: `linearize(..., sample_time=0)`")
    if not is_number(sample_time) or not 0.0 < sample_time < np.inf:
        raise AnalysisError(f"sample_time is {sample_time!r:.40}", "a period above 0, s")
    if method == "matched":
        return _match_poles(model.only(), float(sample_time))
    if method not in METHODS:
        raise AnalysisError(f"method is {method!r:.40}", f"one of {', '.join(METHODS)}, matched")
    from scipy.signal import cont2discrete

    matrices = (model.A, model.B, model.C, model.D)
    A, B, C, D, _ = cont2discrete(matrices, sample_time, METHODS[method])
    return replace(_still(model), A=A, B=B, C=C, D=D, sample_time=float(sample_time))


def _match_poles(model: LinearModel, sample_time: float) -> LinearModel:
    if remedy("control"):
        raise AnalysisError("matched poles need the package control", remedy("control"))
    import control

    discrete: Any = control.tf2ss(control.ss2tf(model.to_control()).sample(sample_time, method="matched"))
    states = tuple(f"matched[{k}]" for k in range(discrete.nstates))
    zeros = np.zeros(discrete.nstates)
    return replace(
        _still(model), A=discrete.A, B=discrete.B, C=discrete.C, D=discrete.D, f_t=zeros, states=states,
        sample_time=sample_time,
    )  # fmt: skip


def _still(model: LinearModel) -> LinearModel:
    """The model without its derivatives with respect to time, which no method supports."""
    return replace(model, f_t=np.zeros_like(model.f_t), g_t=np.zeros_like(model.g_t))
