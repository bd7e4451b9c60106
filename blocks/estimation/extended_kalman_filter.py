"""ExtendedKalmanFilter: a Kalman filter of a model given by functions."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import numpy as np

from ..contract.block import Block
from ..contract.errors import ParameterError
from ..contract.parameter import Array, Real, option, parameter
from ..contract.port import Port, Size, State
from .covariance import covariance
from .kalman_filter import Workspace, take_in
from .kalman_kernels import propagate_covariance

STEP = 6.0554544523933395e-06  # the cube root of double precision: best for central differences
SIGNATURES = {"f": "x, u, next_x", "h": "x, u, y", "f_jacobian": "x, u, A", "h_jacobian": "x, u, C"}


class ExtendedKalmanFilter(Block):
    """Estimates the state of x_{k+1} = f(x_k, u_k) + w_k from y_k = h(x_k, u_k) + v_k, about the estimate.

        x = z + K (y_k - h(z, u_k))      K = P C' (C P C' + R)^-1,  C = dh/dx at z
        z_{k+1} = f(x, u_k)              P_{k+1} = A (P - K C P) A' + Q,  A = df/dx at x

    `f(x, u, next_x)` and `h(x, u, y)` write their result into their last argument; all are vectors: x with as
    many elements as `initial`, u with `inputs_count` elements, y with as many as R. They are compiled with
    the filter. The Jacobians are functions of the same kind, `f_jacobian(x, u, A)` and `h_jacobian(x, u, C)`,
    or by default central differences, accurate to about 1e-10. x and its `covariance` include y_k, which
    feeds through to them directly. P0 is the covariance of `initial`, before the first measurement. Raises
    ParameterError for covariances that are not symmetric or have other sizes. Source: Anderson, Moore,
    Optimal Filtering (1979), section 8.2; differences: Nocedal, Wright, Numerical Optimization (2006),
    section 8.1.

    Example:
        {type: ExtendedKalmanFilter, f: "pendulum.py:swing", h: "pendulum.py:side", initial: [0.3, 0.0], Q:
        1.0e-4, R: [0.01]}
    """

    icon = "EKF"
    outputs: ClassVar = ()
    states: ClassVar = (State("z", "initial"), State("P", "begin"))
    sampled: ClassVar = True

    f: Callable[..., Any] = option(doc="the next state, or `module:name` in YAML")
    h: Callable[..., Any] = option(doc="the measurement")
    f_jacobian: Callable[..., Any] | None = option(default=None, doc="df/dx; default: differences")
    h_jacobian: Callable[..., Any] | None = option(default=None, doc="dh/dx; default: differences")
    inputs_count: int = option(default=0, doc="elements of u; 0: without u")
    sample_time: Real = parameter(default=0.01, unit="s", doc="period", above=0, dimensions=(0,))
    offset: Real = parameter(default=0.0, unit="s", doc="first tick", minimum=0, dimensions=(0,))
    initial: Real = parameter(
        default=[0.0], unit="[x]", doc="estimate before the first measurement", dimensions=(1,)
    )
    P0: Real = parameter(
        default=1.0, unit="[x]^2", doc="covariance of the initial estimate, n x n", dimensions=(0, 1, 2)
    )
    Q: Real = parameter(default=1.0, unit="[x]^2", doc="covariance of w, n x n", dimensions=(0, 1, 2))
    R: Real = parameter(
        default=[1.0], unit="[y]^2", doc="covariance of v, p numbers or p x p", dimensions=(1, 2)
    )

    def check(self) -> None:
        for name in ("f", "h", "f_jacobian", "h_jacobian"):
            if not callable(getattr(self, name)) and not (name.endswith("n") and getattr(self, name) is None):
                raise ParameterError(self.kind(), name, getattr(self, name), "a function")
        for name, arguments in SIGNATURES.items():
            if (function := getattr(self, name)) is not None:
                _check_arguments(self.kind(), name, function, arguments)
        if self.inputs_count < 0:
            raise ParameterError(self.kind(), "inputs_count", self.inputs_count, "zero or greater")
        self.constants()

    def sizes_of(self) -> tuple[int, int]:
        """n and p."""
        return np.shape(self.initial)[0], np.shape(self.R)[0]  # type: ignore[arg-type]

    def input_ports(self) -> tuple[Port, ...]:
        measurement = Port("y", self.sizes_of()[1], flat=True, size_rule="p, rows of R")
        return (
            (Port("u", self.inputs_count, flat=True, size_rule="inputs_count"), measurement)
            if self.inputs_count
            else (measurement,)
        )

    def output_ports(self) -> tuple[Port, ...]:
        n = self.sizes_of()[0]
        return (
            Port("x", n, flat=True, size_rule="n, as `initial`"),
            Port("covariance", Size((n, n)), size_rule="n x n"),
        )

    def constants(self) -> Mapping[str, Any]:
        n, p = self.sizes_of()
        numbers = {
            "Q": covariance(self, "Q", n), "R": covariance(self, "R", p), "begin": covariance(self, "P0", n)
        }  # fmt: skip
        return numbers if self.inputs_count else {**numbers, "u": np.zeros(1)}

    def scratch(self) -> Mapping[str, tuple[int, ...]]:
        n, p = self.sizes_of()
        return {
            "A": (n, n), "C": (p, n), "e": (p,), "ahead": (max(n, p),), "behind": (max(n, p),), "near": (n,),
            "K": (n, p), "PC": (n, p), "S": (p, p), "AP": (n, n),
        }  # fmt: skip

    def functions(self) -> Mapping[str, Callable[..., Any]]:
        seen = self.h_jacobian or differences(self.h, self.sizes_of()[1])
        moved = self.f_jacobian or differences(self.f, self.sizes_of()[0])
        of_f, of_h = self.f_jacobian is not None, self.h_jacobian is not None
        return {"output": make_correction(self.h, seen, of_h), "update": make_prediction(self.f, moved, of_f)}


def _check_arguments(kind: str, name: str, function: Callable[..., Any], arguments: str) -> None:
    """Raise ParameterError for a function with other arguments."""
    try:
        signature = inspect.signature(function)
    except ValueError:  # without a signature
        return
    try:
        signature.bind(*arguments.split(", "))
    except TypeError:
        last = arguments.rpartition(" ")[2]
        expected = f"`{name}({arguments})`, which writes its result into {last}: {last}[0] = ..."
        raise ParameterError(kind, name, f"{name}{signature}", expected) from None


def make_correction(h: Callable[..., Any], jacobian: Callable[..., Any], exact: bool) -> Callable[..., Any]:
    """The function of the outputs, for this measurement."""

    def with_jacobian(
        z: Array,
        P: Array,
        u: Array,
        y: Array,
        R: Array,
        C: Array,
        work: Workspace,
        x: Array,
        covariance: Array,
    ) -> None:
        jacobian(z, u, C)
        h(z, u, work.e)
        for i in range(work.e.shape[0]):
            work.e[i] = y[i] - work.e[i]
        take_in(z, P, C, R, work, x, covariance)

    def with_differences(
        z: Array, P: Array, u: Array, y: Array, R: Array, C: Array, work: Workspace,
        near: Array, ahead: Array, behind: Array, x: Array, covariance: Array,
    ) -> None:  # fmt: skip
        jacobian(z, u, C, near, ahead, behind)
        h(z, u, work.e)
        for i in range(work.e.shape[0]):
            work.e[i] = y[i] - work.e[i]
        take_in(z, P, C, R, work, x, covariance)

    return with_jacobian if exact else with_differences


def make_prediction(f: Callable[..., Any], jacobian: Callable[..., Any], exact: bool) -> Callable[..., Any]:
    """The function of the next states, for this model."""

    def with_jacobian(
        x: Array, covariance: Array, u: Array, Q: Array, A: Array, AP: Array, next_z: Array, next_P: Array
    ) -> None:
        jacobian(x, u, A)
        f(x, u, next_z)
        propagate_covariance(A, covariance, Q, AP, next_P)

    def with_differences(
        x: Array, covariance: Array, u: Array, Q: Array, A: Array, AP: Array, near: Array, ahead: Array,
        behind: Array, next_z: Array, next_P: Array,
    ) -> None:  # fmt: skip
        jacobian(x, u, A, near, ahead, behind)
        f(x, u, next_z)
        propagate_covariance(A, covariance, Q, AP, next_P)

    return with_jacobian if exact else with_differences


def differences(function: Callable[..., Any], rows: int) -> Callable[..., Any]:
    """The Jacobian of a function by central differences, into `out`; the others are workspace."""

    def jacobian(x: Array, u: Array, out: Array, near: Array, ahead: Array, behind: Array) -> None:
        for j in range(x.shape[0]):
            near[j] = x[j]
        for j in range(x.shape[0]):
            step = STEP * max(abs(x[j]), 1.0)
            near[j] = x[j] + step
            function(near, u, ahead[:rows])
            near[j] = x[j] - step
            function(near, u, behind[:rows])
            near[j] = x[j]
            for i in range(rows):
                out[i, j] = (ahead[i] - behind[i]) / (2.0 * step)

    return jacobian
