"""The classical Runge-Kutta method of order 4. Z. Math. Phys. 46, 1901, 435-453."""

from .method import Method
from .tableau import Tableau, hermite, rationals

_A = (
    (),
    rationals("1/2"),
    rationals("0 1/2"),
    rationals("0 0 1"),
    rationals("1/6 1/3 1/3 1/6"),
)

TABLEAU = Tableau(
    order=4,
    c=rationals("0 1/2 1/2 1 1"),
    a=_A,
    dense=hermite(_A[-1]),
    dense_order=3,
)
RK4 = Method(
    name="rk4",
    title="Runge-Kutta 4 (classical)",
    source="W. Kutta, Zeitschrift fuer Mathematik und Physik 46 (1901) 435-453",
    data=TABLEAU,
)
