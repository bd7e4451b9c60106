"""ZeroPoleGain: a linear system given by its zeros, poles and gain."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import numpy as np

from ..contract.block import Block
from ..contract.errors import ParameterError
from ..contract.icon import Icon
from ..contract.marks import factor, factors
from ..contract.parameter import Array, Real, parameter
from ..contract.port import Port, State
from .linear import output_function, slope_of_scalar
from .scales import state_scales
from .sections import complex_roots, system_of_roots
from .system import System, initial_state


class ZeroPoleGain(Block):
    """Rational function of the Laplace variable s, by its roots.

        Y(s)/U(s) = k (s - zeros[0]) ... (s - zeros[m-1]) / ((s - poles[0]) ... (s - poles[n-1])),  m <= n

    Roots are real or complex numbers, or rows [real part, imaginary part], each complex one together with its
    conjugate. The block is a chain of second-order sections, which keep digits that the coefficients of a
    TransferFunction lose; `initial` is the state of the chain (0: at rest). u feeds through to y directly
    only if m = n. u and y are scalars. Raises ParameterError for more zeros than poles and for a root without
    its conjugate.
    Source: Oppenheim, Schafer, Discrete-Time Signal Processing (2010), section 6.3.

    Example:
        {type: ZeroPoleGain, zeros: [-1.0], poles: [[-1.0, 2.0], [-1.0, -2.0]], k: 5.0}
    """

    icon = "transfer function"
    inputs: ClassVar = (Port("u", 1),)
    outputs: ClassVar = (Port("y", 1),)
    states: ClassVar = (State("x", "start", scale="scale"),)

    poles: Real = parameter(unit="rad/s", doc="n numbers, or n rows", dimensions=(1, 2), roots=True)
    zeros: Real | None = parameter(
        default=None,
        unit="rad/s",
        doc="m numbers, or m rows; by default there are none",
        dimensions=(1, 2),
        roots=True,
    )
    k: Real = parameter(
        default=1.0, unit="[y] s^(m - n)/[u]", doc="gain, ratio of the leading coefficients", dimensions=(0,)
    )
    initial: Real = parameter(
        default=0.0, unit="[u] s or [u] s^2", doc="state at the start", dimensions=(0, 1)
    )

    def symbol(self) -> Icon:
        zeros, poles = (complex_roots(self.kind(), name, getattr(self, name)) for name in ("zeros", "poles"))
        k, over = factor(self.k, "k").strip(), factors(zeros)
        return Icon(fraction=(k + over if over != "1" else k or "1", factors(poles)))

    def system(self) -> System:
        """The chain of sections."""
        zeros = complex_roots(self.kind(), "zeros", self.zeros)
        poles = complex_roots(self.kind(), "poles", self.poles)
        if zeros.size > poles.size:
            raise ParameterError(self.kind(), "zeros", self.zeros, f"at most {poles.size}, as many as poles")
        return system_of_roots(zeros, poles, float(self.k))  # type: ignore[arg-type]

    def check(self) -> None:
        self.constants()

    def constants(self) -> Mapping[str, Array]:
        system = self.system()
        numbers = {"A": system.A, "B": system.B, "C": system.C, "D": system.D}
        start = initial_state(self.initial, system.A.shape[0])
        return {**numbers, "start": start, "scale": state_scales(system)}

    def functions(self) -> Mapping[str, Callable[..., Any]]:
        feeds = bool(np.any(self.system().D))
        return {"output": output_function(1, 1, feeds), "derivative": slope_of_scalar}
