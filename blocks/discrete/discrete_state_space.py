"""DiscreteStateSpace: a linear recursion given by its matrices."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import numpy as np

from ..continuous.linear import next_of_scalar, next_of_vector, output_function
from ..continuous.system import System, state_space
from ..contract.block import Block
from ..contract.parameter import Array, Real, parameter
from ..contract.port import Port, State


class DiscreteStateSpace(Block):
    """Linear sampled system with constant matrices.

        x_{k+1} = A x_k + B u_k,  y_k = C x_k + D u_k,  x_0 = initial

    A is n x n, B n x m, C p x n, D p x m. u and y are vectors of m and p elements, scalars for m = 1 and
    p = 1. A number is a 1x1 matrix, a vector B a column, a vector C a row; D = 0 and initial = 0 stand for
    zeros of the right size. y is held between ticks; before the first it is C initial. u feeds through to y
    directly only if D is not zero. Raises SizeError when the sizes disagree.
    Source: Franklin, Powell, Workman, Digital Control of Dynamic Systems (1998), chapter 4.

    Example:
        {type: DiscreteStateSpace, sample_time: 0.1, A: 0.9, B: 0.1, C: 1.0}
    """

    icon = "x^{+} = A x + B u\ny = C x + D u"
    states: ClassVar = (State("x", "initial"),)
    sampled: ClassVar = True
    held_initial: ClassVar = "y_before"

    sample_time: Real = parameter(unit="s", doc="period", above=0, dimensions=(0,))
    A: Real = parameter(unit="[x]/[x]", doc="state matrix")
    B: Real = parameter(unit="[x]/[u]", doc="input matrix")
    C: Real = parameter(unit="[y]/[x]", doc="output matrix")
    D: Real = parameter(default=0.0, unit="[y]/[u]", doc="feedthrough matrix")
    initial: Real = parameter(default=0.0, unit="[x]", doc="x at the first tick", dimensions=(0, 1))
    offset: Real = parameter(default=0.0, unit="s", doc="first tick", minimum=0, dimensions=(0,))

    def system(self) -> System:
        """A, B, C, D as matrices and `initial` as a vector."""
        return state_space(self.A, self.B, self.C, self.D, self.initial)

    def check(self) -> None:
        self.system()

    def input_ports(self) -> tuple[Port, ...]:
        return (Port("u", self.system().B.shape[1], size_rule="m, columns of B"),)

    def output_ports(self) -> tuple[Port, ...]:
        return (Port("y", self.system().C.shape[0], size_rule="p, rows of C"),)

    def constants(self) -> Mapping[str, Array | float]:
        system = self.system()
        y = system.C @ system.initial  # no input has been sampled yet: D u is left out
        return {**system._asdict(), "y_before": y if y.size > 1 else float(y[0])}

    def functions(self) -> Mapping[str, Callable[..., Any]]:
        system = self.system()
        outputs, inputs = system.D.shape
        return {
            "output": output_function(inputs, outputs, bool(np.any(system.D))),
            "update": next_of_scalar if inputs == 1 else next_of_vector,
        }
