"""Heun's method: the trapezoidal rule with Euler's prediction, order 2. Z. Math. Phys. 45, 1900, 23-38."""

from .method import Method
from .tableau import Tableau, hermite, rationals

_A = ((), rationals("1"), rationals("1/2 1/2"))

HEUN = Method(
    name="heun",
    title="Heun (trapezoidal)",
    source="K. Heun, Zeitschrift fuer Mathematik und Physik 45 (1900) 23-38",
    data=Tableau(
        order=2,
        c=rationals("0 1 1"),
        a=_A,
        dense=hermite(_A[-1]),
        dense_order=2,
    ),
)
