"""DescriptorStateSpace: a linear system with a matrix before its derivatives, which may be singular."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from ..contract.block import Block
from ..contract.errors import ParameterError, SizeError
from ..contract.parameter import Array, Real, parameter
from ..contract.port import Port, State
from .descriptor import is_regular, parts_of, square
from .linear import output_function, slope_of_scalar, slope_of_vector
from .scales import state_scales
from .system import System, state_space

ANYWHERE = 0.6180339887498949  # an s at which det(s E - A) is 0 only if it is 0 everywhere, or by chance


class DescriptorStateSpace(Block):
    """Linear system with constant matrices, for circuits and mechanisms with constraints.

        E dx/dt = A x + B u,  y = C x + D u

    E and A are n x n, B n x m, C p x n, D p x m. If E is singular, some of the equations contain no
    derivative. They are solved for their part of x when the block is built, so u may feed through to y
    directly. The states of the block are the other part of x, whose size is the rank of E: x itself if E
    is regular, the elements of x that E differentiates if E involves no others, and orthogonal combinations
    otherwise. `initial` is x at the start; only this part of it is used. A number is a 1x1 matrix, a
    vector B a column, a vector C a row; D = 0 and initial = 0 stand for zeros of the right size.
    Raises SizeError when the sizes disagree, and ParameterError for E = 0, for equations that do not
    determine x, and for equations of an index above 1, whose solution contains derivatives of u. The example
    is a resistor of 100 ohm into a capacitor of 1 mF: x is the voltage v and the current i, with 0 = u - v -
    R i.
    Source: Dai, Singular Control Systems (1989), chapter 1, doi:10.1007/BFb0002475; Kunkel and Mehrmann,
    Differential-Algebraic Equations (2006), chapter 2.

    Example:
        {type: DescriptorStateSpace, E: [[1e-3, 0], [0, 0]], A: [[0, 1], [-1, -100]], B: [0, 1], C: [1, 0]}
    """

    icon = "E dx = A x + B u\ny = C x + D u"
    states: ClassVar = (State("x", "initial", scale="scale"),)

    E: Real = parameter(unit="[A] s", doc="matrix before the derivatives")
    A: Real = parameter(unit="[E]/s", doc="state matrix")
    B: Real = parameter(unit="[E] [x]/([u] s)", doc="input matrix")
    C: Real = parameter(unit="[y]/[x]", doc="output matrix")
    D: Real = parameter(default=0.0, unit="[y]/[u]", doc="feedthrough matrix")
    initial: Real = parameter(default=0.0, unit="[x]", doc="x at the start", dimensions=(0, 1))

    @cached_property
    def _system(self) -> System:
        A, B, C, D, initial = state_space(self.A, self.B, self.C, self.D, self.initial)
        E = square("DescriptorStateSpace", self.E)
        if E.shape != A.shape:
            raise SizeError(f"E of {len(E)}x{len(E)} with A of {len(A)}x{len(A)}", "E of the size of A")
        parts = parts_of(E)
        by_a = parts.conditions @ A @ parts.algebraic
        if not is_regular(by_a):
            raise ParameterError("DescriptorStateSpace", "E", self.E, _irregular(E, A))
        # 0 = conditions (A (flowing z + algebraic a) + B u) is solved for a = of_states z + of_inputs u.
        of_states = -np.linalg.solve(by_a, parts.conditions @ A @ parts.flowing)
        of_inputs = -np.linalg.solve(by_a, parts.conditions @ B)
        x_of_states, x_of_inputs = parts.flowing + parts.algebraic @ of_states, parts.algebraic @ of_inputs
        return System(
            parts.slopes @ A @ x_of_states, parts.slopes @ (A @ x_of_inputs + B),
            C @ x_of_states, C @ x_of_inputs + D, parts.begin @ initial,
        )  # fmt: skip

    def check(self) -> None:
        _ = self._system

    def input_ports(self) -> tuple[Port, ...]:
        return (Port("u", self._system.B.shape[1], size_rule="m, columns of B"),)

    def output_ports(self) -> tuple[Port, ...]:
        return (Port("y", self._system.C.shape[0], size_rule="p, rows of C"),)

    def constants(self) -> Mapping[str, Array]:
        return {**self._system._asdict(), "scale": state_scales(self._system)}

    def functions(self) -> Mapping[str, Callable[..., Any]]:
        outputs, inputs = self._system.D.shape
        return {
            "output": output_function(inputs, outputs, bool(np.any(self._system.D))),
            "derivative": slope_of_scalar if inputs == 1 else slope_of_vector,
        }


def _irregular(E: Array, A: Array) -> str:
    """Expected form of equations, for errors about an index above 1."""
    if not is_regular(ANYWHERE * E - A):
        return "equations that determine x: s E - A is singular for every s, one follows from the others"
    return (
        "equations of index 1: equations without a derivative determine their part of x; here some have to be"
        " differentiated first, so put their derivatives in their place, or add the missing physics"
    )
