"""Hold the data of a method: its coefficients, and the form in which the loop reads them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from ...base.errors import BlockdynError

Kind = Literal["fixed", "multistep", "adaptive", "implicit"]


FIRST_GUESS = 3
"""The order of the error in the guess of a first step, for methods that have no weights in their data."""
PARTS = (
    6  # of the dense output of a Rosenbrock method: four that a polynomial weighs, and the step's two ends
)


class InvalidMethod(BlockdynError, ValueError):
    """A method whose parts do not fit."""


@dataclass(frozen=True, eq=False)
class Coefficients:
    """Data of a method for the loop, in float64: each number is the double nearest to its exact value.

    The arrays are read-only. S counts the stages and the extra ones; rows and weights that a method lacks are
    zero, or none where its steps read none.
    """

    A: NDArray[np.float64]  #: [S, S] stage rows, strictly lower triangular; row stages - 1 is B
    C: NDArray[np.float64]  #: [S] nodes
    B: NDArray[np.float64]  #: [S] weights of the step
    E: NDArray[np.float64]  #: [S] weights of the error estimate
    E3: NDArray[np.float64]  #: [S] weights of the second error estimate; zero but for DOP853
    P: NDArray[np.float64]  #: [S, degree] dense output, column j belongs to theta^(j+1)
    N: NDArray[np.float64]  #: [S, degree] dense output in the products of `nested`, the form to evaluate
    M: NDArray[np.float64]  #: [S] multistep weights, newest derivative first; zero for one-step methods
    PM: NDArray[np.float64]  #: [S, degree] dense output of the multistep formula, same slots as M
    NM: NDArray[np.float64]  #: [S, degree] the same in the products of `nested`
    stages: int  #: stages of a step, the one at its end included
    extra: int  #: stages for dense output only
    slopes: int  #: rows of K: all stages, and further rows of its steps
    back: int  #: slopes of earlier steps that a step needs
    two_errors: bool  #: whether the error is put together from two estimates
    order: int
    error_order: int  #: order of the embedded solution; 0 if none
    estimate_order: int  #: power of h that the error estimate shrinks with; 0 if none
    degree: int  #: degree of the dense output in theta
    increments: int = 0  #: solutions of the equations of an implicit method to a step
    differences: int = 0  #: rows of backward differences
    pairs: int = 0  #: complex systems of equations to a step

    def extents(self) -> dict[str, int]:
        """The extents of the arrays that a run has for it, by the names that `solvers.layout.Work` gives."""
        return {
            "stages": self.stages, "nodes": self.C.size, "slopes": self.slopes,
            "steps_back": max(1, self.back),
            "increments": self.increments, "parts": PARTS if self.increments else 0,
            "differences": self.differences, "pairs": self.pairs,
        }  # fmt: skip


class Data(ABC):
    """Coefficients of a method."""

    order: int  #: of convergence

    @property
    @abstractmethod
    def kind(self) -> Kind:
        """Fixed steps, of one step or of several; or steps chosen by their error, explicit or implicit."""

    @property
    def adaptive(self) -> bool:
        """True if steps are chosen by their error."""
        return self.kind in ("adaptive", "implicit")

    @property
    def stability(self) -> float:
        """Length of the stability interval on the negative real axis."""
        return float(np.inf)

    def written(self) -> dict[str, Any]:
        """Its data besides the method's name, in JSON's terms."""
        return {}

    @abstractmethod
    def arrays(self) -> Coefficients:
        """Return the coefficients in float64, the same object at every call."""


@dataclass(frozen=True, eq=False)
class Nodes(Data):
    """The data of implicit steps that are taken elsewhere: at how many places along a step, its ends among
    them, the loop sees the zero crossings.
    """

    order: int
    places: int = 5
    increments: int = 0  #: rows of s.U that the steps keep between calls

    @property
    def kind(self) -> Kind:
        """Implicit."""
        return "implicit"

    def arrays(self) -> Coefficients:
        """Return the nodes; there are no weights."""
        return self._arrays

    @cached_property
    def _arrays(self) -> Coefficients:
        return without_weights(self.places, self.order, FIRST_GUESS, self.increments)


def without_weights(places: int, order: int, estimate_order: int, increments: int = 0) -> Coefficients:
    """Data for the loop of a method whose steps keep their weights to themselves: the nodes at which it
    sees the zero crossings, apart by as much.
    """
    none, nodes, matrix = np.zeros(0), np.linspace(0.0, 1.0, places), np.zeros((0, 0))
    for array in (none, nodes, matrix):
        array.setflags(write=False)
    return Coefficients(
        A=matrix, C=nodes, B=none, E=none, E3=none, P=matrix, N=matrix, M=none, PM=matrix, NM=matrix,
        stages=places, extra=0, slopes=places, back=0, two_errors=False, order=order, error_order=0,
        estimate_order=estimate_order, degree=0, increments=increments,
    )  # fmt: skip
