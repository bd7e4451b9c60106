"""Adams-Bashforth 4: one new derivative a step, order 4, started by Runge-Kutta 4. Cambridge, 1883."""

from dataclasses import replace

from .method import Method
from .rk4 import TABLEAU
from .tableau import rationals

AB4 = Method(
    name="ab4",
    title="Adams-Bashforth 4",
    source="F. Bashforth and J. C. Adams, An Attempt to Test the Theories of Capillary Action (1883);"
    " Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I (1993), section III.1,"
    " doi:10.1007/978-3-540-78862-1",
    data=replace(TABLEAU, multistep=rationals("55/24 -59/24 37/24 -9/24")),
)
