"""ModelPredictive: inputs that are optimal for the next samples, within limits."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from ...base.words import inflect
from ..contract.block import Block
from ..contract.errors import ParameterError, SizeError
from ..contract.parameter import Array, Real, option, parameter
from ..contract.port import Port, Size, State
from .lqr import model_matrices
from .planned_inputs import plan_inputs, plan_inputs_with_slack, remember_plan
from .prediction import Costs, Limits, Model, program
from .riccati import weight

MOST = 300  # maximum number of optimised numbers
ROWS = 1000  # maximum number of limits over the horizon: the work of a tick grows with its square
SOFT = 1e6  # default cost of a violation, as a multiple of the largest cost


class ModelPredictive(Block):
    """Model predictive control of x_{k+1} = A x_k + B u_k + E w_k, y = C x, within limits.

        min sum_{i=1..N} |x_i - x_ref|_Q^2 + sum_{i<N} (|u_i|_R^2 + |u_i - u_{i-1}|_S^2) + violation_cost e^2
        lower <= u <= upper,  rate_lower <= (u_i - u_{i-1})/sample_time <= rate_upper,
        y_lower - e_i <= y_i <= y_upper + e_i

    where |x|_Q^2 = x^T Q x, from the state x of this tick; the first of the N = horizon inputs is the output.
    The last state is weighted by `terminal` instead of Q: with the matrix P of SampledLQR the controller
    equals LQR while no limit is active. u_{-1} is `initial` at first. C and E default to the identity. Limits
    of u and of its rate always hold; limits of y are soft: each y of each sample may exceed them by its own
    e, at the cost `violation_cost` (default: 10^6 times the largest cost), or never if that is infinite. With
    limits of y the output `slack` is the largest e of the horizon, for each y. x_ref and w apply to the whole
    horizon, or with `preview` are matrices whose row i is x_ref of sample i + 1, and w between the samples i
    and i + 1; if unconnected, they are 0. x, x_ref and w feed through to u directly. The quadratic program is
    solved exactly, by a dual active-set method in machine code that begins with the active set of the
    previous tick. A run ends with BlockFailed if the limits leave no solution, or after `iterations` changes
    of the active set.
    Raises SizeError if sizes disagree, ParameterError unless lower < upper, R + S > 0, horizon m <= 300.
    Sources: Rawlings, Mayne, Diehl, Model Predictive Control (2017), chapter 1; Arnström, Bemporad, Axehill,
    IEEE Trans. Automatic Control 67(8), 2022, doi:10.1109/TAC.2022.3176430.

    Example:
        {type: ModelPredictive, A: [[1, 0.1], [0, 1]], B: [0.005, 0.1], Q: [1, 0.1], R: 0.1, lower: -1, upper:
        1, y_upper: [.inf, 0.5], sample_time: 0.1}
    """

    icon = "MPC"
    outputs: ClassVar = ()
    states: ClassVar = (State("multipliers", "none"), State("previous", "first"))
    sampled: ClassVar = True

    A: Real = parameter(unit="[x]/[x]", doc="state matrix, n x n", dimensions=(0, 2))
    B: Real = parameter(unit="[x]/[u]", doc="input matrix, n x m", dimensions=(0, 1, 2))
    Q: Real = parameter(default=1.0, unit="1/[x]^2", doc="cost of the state", dimensions=(0, 1, 2))
    R: Real = parameter(default=1.0, unit="1/[u]^2", doc="cost of the input", dimensions=(0, 1, 2))
    terminal: Real | None = parameter(
        default=None, unit="1/[x]^2", doc="cost of the last state; default: Q", dimensions=(0, 1, 2)
    )
    lower: Real = parameter(
        default=-np.inf, unit="[u]", doc="lower limit of u", infinite=True, dimensions=(0, 1)
    )
    upper: Real = parameter(
        default=np.inf, unit="[u]", doc="upper limit of u", infinite=True, dimensions=(0, 1)
    )
    horizon: int = option(default=20, doc="number of samples in the horizon")
    sample_time: Real = parameter(default=0.1, unit="s", doc="period", above=0, dimensions=(0,))
    offset: Real = parameter(default=0.0, unit="s", doc="first tick", minimum=0, dimensions=(0,))
    S: Real = parameter(
        default=0.0, unit="1/[u]^2", doc="cost of the change of the input", dimensions=(0, 1, 2)
    )
    rate_lower: Real = parameter(
        default=-np.inf, unit="[u]/s", doc="lower limit of du/dt", infinite=True, dimensions=(0, 1)
    )
    rate_upper: Real = parameter(
        default=np.inf, unit="[u]/s", doc="upper limit of du/dt", infinite=True, dimensions=(0, 1)
    )
    C: Real | None = parameter(
        default=None, unit="[y]/[x]", doc="output matrix, p x n; none: y is x", dimensions=(0, 1, 2)
    )
    y_lower: Real = parameter(
        default=-np.inf, unit="[y]", doc="lower limit of y", infinite=True, dimensions=(0, 1)
    )
    y_upper: Real = parameter(
        default=np.inf, unit="[y]", doc="upper limit of y", infinite=True, dimensions=(0, 1)
    )
    violation_cost: Real | None = parameter(
        default=None,
        unit="1/[y]^2",
        doc="cost of the squared violation of a limit of y",
        infinite=True,
        above=0,
        dimensions=(0,),
    )
    E: Real | None = parameter(
        default=None,
        unit="[x]/[w]",
        doc="disturbance matrix, n x q; none: the identity",
        dimensions=(0, 1, 2),
    )
    initial: Real = parameter(default=0.0, unit="[u]", doc="u before the first tick", dimensions=(0, 1))
    preview: bool = option(default=False, doc="whether x_ref and w have a row for each sample")
    iterations: int = option(default=1000, doc="maximum number of changes of the active set in one tick")

    def model(self) -> Model:
        """The matrices. Raises SizeError."""
        A, B = model_matrices(self.A, self.B)
        n = A.shape[0]
        C = np.eye(n) if self.C is None else np.atleast_2d(np.asarray(self.C, np.float64))
        E = np.eye(n) if self.E is None else np.asarray(self.E, np.float64)
        E = E.reshape(-1, 1) if E.ndim < 2 else E
        if C.shape[1] != n or E.shape[0] != n:
            raise SizeError(
                f"C of {C.shape[0]}x{C.shape[1]}, E of {E.shape[0]}x{E.shape[1]}",
                f"C of p x {n}, E of {n} x q",
            )
        return Model(A, B, E, C)

    def check(self) -> None:
        m = self.model().B.shape[1]
        if not 1 <= self.horizon <= MOST // m:
            expected = f"a whole number from 1 to {MOST // m}"
            raise ParameterError(self.kind(), "horizon", self.horizon, expected)
        if self.iterations < 1:
            raise ParameterError(self.kind(), "iterations", self.iterations, "a whole number, at least 1")
        rows = self.constants()["low"].size
        if rows > ROWS:
            expected = f"at most {ROWS} limits over the horizon"
            raise ParameterError(self.kind(), "horizon", self.horizon, expected, reason=f"there are {rows}")

    def input_ports(self) -> tuple[Port, ...]:
        model = self.model()
        n, q = model.A.shape[0], model.E.shape[1]
        ref, w = (Size((self.horizon, k)) if self.preview else k for k in (n, q))
        return (
            Port("x", n, flat=True, size_rule="n, rows of A"),
            Port("x_ref", ref, default=0.0, flat=True, size_rule="n, or horizon x n with `preview`"),
            Port("w", w, default=0.0, flat=True, size_rule="q, columns of E, or horizon x q"),
        )

    @property
    def _slack(self) -> bool:
        return any(bool(np.isfinite(limit).any()) for limit in self.limits().outputs)

    def output_ports(self) -> tuple[Port, ...]:
        model = self.model()
        u = Port("u", model.B.shape[1], flat=True, size_rule="m, columns of B")
        return (
            (u, Port("slack", model.C.shape[0], flat=True, size_rule="p, rows of C")) if self._slack else (u,)
        )

    def costs(self) -> Costs:
        """Weights of the sum. Raises ParameterError."""
        n, m = self.model().B.shape
        weights = {}
        terminal = self.Q if self.terminal is None else self.terminal
        for name, value, size in (
            ("Q", self.Q, n), ("terminal", terminal, n), ("R", self.R, m), ("S", self.S, m)
        ):  # fmt: skip
            weights[name] = weight(self.kind(), name, value, size)
        if not np.all(np.linalg.eigvalsh(weights["R"] + weights["S"]) > 0.0):
            raise ParameterError(self.kind(), "R", self.R, "with S a cost above 0 in every direction")
        largest = SOFT * max(float(np.abs(matrix).max()) for matrix in weights.values())
        violation = largest if self.violation_cost is None else float(np.asarray(self.violation_cost))
        return Costs(weights["Q"], weights["terminal"], weights["R"], weights["S"], violation)

    def limits(self) -> Limits:
        """Limits of inputs, their rates and outputs, for each element. Raises ParameterError."""
        model = self.model()
        m, p = model.B.shape[1], model.C.shape[0]
        period = float(np.asarray(self.sample_time))
        return Limits(
            self._between("lower", "upper", m),
            self._between("rate_lower", "rate_upper", m, period),
            self._between("y_lower", "y_upper", p),
        )

    def _between(self, lower: str, upper: str, count: int, times: float = 1.0) -> tuple[Array, Array]:
        low, high = (self._each(name, count) * times for name in (lower, upper))
        if not np.all(low < high):
            expected = f"less than {upper}, {getattr(self, upper)}"
            raise ParameterError(self.kind(), lower, getattr(self, lower), expected)
        return low, high

    def _each(self, name: str, count: int) -> Array:
        value = np.asarray(getattr(self, name), np.float64)
        if value.ndim and value.shape != (count,):
            raise ParameterError(
                self.kind(), name, getattr(self, name), f"a number, or {inflect(count, 'number')}"
            )
        return np.array(np.broadcast_to(value, (count,)))

    def constants(self) -> Mapping[str, Any]:
        return self._program

    @cached_property
    def _program(self) -> Mapping[str, Any]:
        model, limits = self.model(), self.limits()
        try:
            arrays = program(model, self.costs(), limits, self.horizon, preview=self.preview)
        except np.linalg.LinAlgError as error:
            raise ParameterError(
                self.kind(), "R", self.R, "with S a cost above 0 in every direction", reason=error
            ) from None
        m = model.B.shape[1]
        return {
            **arrays,
            "none": np.zeros(arrays["low"].size),
            "first": self._each("initial", m),
            "least": limits.inputs[0],
            "greatest": limits.inputs[1],
            "most": float(self.iterations),
            "samples": float(self.horizon),
        }

    def scratch(self) -> Mapping[str, tuple[int, ...]]:
        arrays = self.constants()
        rows, theta = arrays["free"].shape
        return {
            "theta": (theta,), "now": (rows,), "y": (rows,), "active": (rows,), "aim": (rows,),
            "factor": (rows, rows),
        }  # fmt: skip

    def functions(self) -> Mapping[str, Callable[..., Any]]:
        return {"output": plan_inputs_with_slack if self._slack else plan_inputs, "update": remember_plan}
