"""StateSpace: a linear system given by its matrices."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import numpy as np

from ..contract.block import Block
from ..contract.parameter import Array, Real, parameter
from ..contract.port import Port, State
from .linear import output_function, slope_of_scalar, slope_of_vector
from .scales import state_scales
from .system import System, state_space


class StateSpace(Block):
    """Linear system with constant matrices.

        dx/dt = A x + B u,  y = C x + D u,  x(start) = initial

    A is n x n, B n x m, C p x n, D p x m. u and y are vectors of m and p elements, scalars for m = 1 and
    p = 1. A number is a 1x1 matrix, a vector B a column, a vector C a row; D = 0 and initial = 0 stand for
    zeros of the right size. u feeds through to y directly only if D is not zero.
    Raises SizeError when the sizes disagree.
    Source: Kailath, Linear Systems (1980), chapter 2.

    Example:
        {type: StateSpace, A: [[0, 1], [-4, -0.4]], B: [0, 1], C: [1, 0]}
    """

    icon = "dx = A x + B u\ny = C x + D u"
    states: ClassVar = (State("x", "initial", scale="scale"),)

    A: Real = parameter(unit="[x]/([x] s)", doc="state matrix")
    B: Real = parameter(unit="[x]/([u] s)", doc="input matrix")
    C: Real = parameter(unit="[y]/[x]", doc="output matrix")
    D: Real = parameter(default=0.0, unit="[y]/[u]", doc="feedthrough matrix")
    initial: Real = parameter(default=0.0, unit="[x]", doc="x at the start", dimensions=(0, 1))

    def system(self) -> System:
        """A, B, C, D as matrices and `initial` as a vector."""
        return state_space(self.A, self.B, self.C, self.D, self.initial)

    def check(self) -> None:
        self.system()

    def input_ports(self) -> tuple[Port, ...]:
        return (Port("u", self.system().B.shape[1], size_rule="m, columns of B"),)

    def output_ports(self) -> tuple[Port, ...]:
        return (Port("y", self.system().C.shape[0], size_rule="p, rows of C"),)

    def constants(self) -> Mapping[str, Array]:
        system = self.system()
        return {**system._asdict(), "scale": state_scales(system)}

    def functions(self) -> Mapping[str, Callable[..., Any]]:
        system = self.system()
        outputs, inputs = system.D.shape
        return {
            "output": output_function(inputs, outputs, bool(np.any(system.D))),
            "derivative": slope_of_scalar if inputs == 1 else slope_of_vector,
        }
