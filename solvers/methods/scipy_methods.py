"""SciPy's methods for stiff diagrams, each taken by its solver in `scipy.integrate`."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from ...base.door import body
from .data import Nodes
from .method import Method, Steps

if TYPE_CHECKING:
    from ..backend import Backend, Margin


def _steps(solver: str, backend: Backend, margin: Margin) -> Steps:
    steps: Steps = body("solvers.steps.scipy_steps:make_steps")(solver, backend)
    return steps


RADAU = Method(
    name="scipy_radau",
    title="Radau IIA of order 5, SciPy's",
    source="E. Hairer and G. Wanner, Solving Ordinary Differential Equations II (1996), section IV.8,"
    " doi:10.1007/978-3-642-05221-7",
    data=Nodes(order=5),
    steps=partial(_steps, "Radau"),
)
BDF = Method(
    name="scipy_bdf",
    title="Backward differentiation formulas of orders 1 to 5, SciPy's",
    source="L. F. Shampine and M. W. Reichelt, The MATLAB ODE Suite, SIAM Journal on Scientific Computing"
    " 18(1) (1997) 1-22, doi:10.1137/S1064827594276424",
    data=Nodes(order=5),
    steps=partial(_steps, "BDF"),
)
LSODA = Method(
    name="LSODA",
    title="Adams and backward differentiation formulas, chosen by stiffness, SciPy's",
    source="L. Petzold, SIAM Journal on Scientific and Statistical Computing 4(1) (1983) 136-148,"
    " doi:10.1137/0904010; A. C. Hindmarsh, ODEPACK (1983)",
    data=Nodes(order=5),
    steps=partial(_steps, "LSODA"),
)
