"""LuenbergerObserver: a model corrected by measurements."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import numpy as np

from ..continuous.sections import complex_roots
from ..contract.errors import ParameterError
from ..contract.parameter import Array, Real, parameter
from ..contract.port import State
from .linear_model import LinearModel, add_product, drift, estimate, innovation


class LuenbergerObserver(LinearModel):
    """Estimates the state of dx/dt = A x + B u from its output y = C x + D u.

        dz/dt = A z + B u + L (y - C z - D u),  x = z

    L (n x p) is given, or computed such that A - L C has the `poles`: numbers, or rows [real part, imaginary
    part]. No input feeds through to x. Raises SizeError if sizes disagree, ParameterError unless either L or
    poles is given, and if no L gives the poles.
    Source: Luenberger, IEEE Trans. Automatic Control 16(6), 1971, 596-602, doi:10.1109/TAC.1971.1099826.

    Example:
        {type: LuenbergerObserver, A: [[0, 1], [-1, 0]], B: [0, 1], C: [1, 0], poles: [-5.0, -6.0]}
    """

    icon = "Luenberger\nobserver"
    states: ClassVar = (State("z", "start"),)

    L: Real | None = parameter(
        default=None,
        unit="[x]/([y] s) or [x]/[y]",
        doc="gain, n x p; default: computed",
        dimensions=(0, 1, 2),
    )
    poles: Real | None = parameter(
        default=None,
        unit="1/s or 1",
        doc="poles of the error, n numbers or rows",
        dimensions=(1, 2),
        roots=True,
    )

    def gain(self) -> Array:
        """L as a matrix. Raises ParameterError."""
        model = self.model()
        n, p = model.A.shape[0], model.C.shape[0]
        if (self.L is None) == (self.poles is None):
            raise ParameterError(self.kind(), "L", self.L, "either L, or poles")
        if self.L is None:
            return self._placed(model.A, model.C, n)
        L = np.asarray(self.L, np.float64)
        L = L.reshape(-1, 1) if L.ndim < 2 else L
        if L.shape != (n, p):
            raise ParameterError(self.kind(), "L", self.L, f"a matrix of {n}x{p}")
        return L

    def _placed(self, A: Array, C: Array, n: int) -> Array:
        from scipy.signal import place_poles

        roots = complex_roots(self.kind(), "poles", self.poles)
        if roots.size != n:
            raise ParameterError(self.kind(), "poles", self.poles, f"{n} poles, one for each state")
        try:
            return np.ascontiguousarray(place_poles(A.T, C.T, roots).gain_matrix.T)
        except ValueError as error:
            expected = (
                "poles that an observable model can have, each repeated at most as often as y has elements"
            )
            raise ParameterError(self.kind(), "poles", self.poles, expected, reason=error) from None

    def check(self) -> None:
        self.gain()

    def constants(self) -> Mapping[str, Any]:
        return {**self.matrices(), "K": self.gain()}

    def scratch(self) -> Mapping[str, tuple[int, ...]]:
        return {"e": (self.model().C.shape[0],)}

    def functions(self) -> Mapping[str, Callable[..., Any]]:
        return {"output": estimate, "derivative": slope}


class SampledLuenbergerObserver(LuenbergerObserver):
    """Estimates the state of x_{k+1} = A x_k + B u_k from samples of its output y = C x + D u.

        z_{k+1} = A z_k + B u_k + L (y_k - C z_k - D u_k),  x = z

    Otherwise it is like LuenbergerObserver, but with poles in the z plane, inside the unit circle.
    Source: Franklin, Powell, Workman, Digital Control of Dynamic Systems (1998), section 8.2.

    Example:
        {type: SampledLuenbergerObserver, A: [[1, 0.1], [0, 1]], B: [0, 0.1], C: [1, 0], poles: [0.5, 0.6],
        sample_time: 0.1}
    """

    sampled: ClassVar[bool] = True

    sample_time: Real = parameter(default=0.01, unit="s", doc="period", above=0, dimensions=(0,))
    offset: Real = parameter(default=0.0, unit="s", doc="first tick", minimum=0, dimensions=(0,))

    def functions(self) -> Mapping[str, Callable[..., Any]]:
        return {"output": estimate, "update": update}


def slope(
    z: Array, u: Array, y: Array, A: Array, B: Array, C: Array, D: Array, K: Array, e: Array, d_z: Array
) -> None:
    innovation(z, u, y, C, D, e)
    drift(z, u, A, B, d_z)
    add_product(K, e, d_z)


def update(
    z: Array, u: Array, y: Array, A: Array, B: Array, C: Array, D: Array, K: Array, e: Array, next_z: Array
) -> None:
    innovation(z, u, y, C, D, e)
    drift(z, u, A, B, next_z)
    add_product(K, e, next_z)
