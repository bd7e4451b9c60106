"""Dormand-Prince 5(4), with Shampine's dense output. J. Comput. Appl. Math. 6(1), 1980, 19-26."""

from .method import Method
from .tableau import Tableau, hermite, rationals

_A = (
    (),
    rationals("1/5"),
    rationals("3/40 9/40"),
    rationals("44/45 -56/15 32/9"),
    rationals("19372/6561 -25360/2187 64448/6561 -212/729"),
    rationals("9017/3168 -355/33 46732/5247 49/176 -5103/18656"),
    rationals("35/384 0 500/1113 125/192 -2187/6784 11/84"),
)
_D = rationals(  # weights of theta^2 (1 - theta)^2: Hairer and Wanner's form of Shampine's interpolant
    """
    -12715105075/11282082432 0 87487479700/32700410799 -10690763975/1880347072
    701980252875/199316789632 -1453857185/822651844 69997945/29380423
    """
)

TABLEAU = Tableau(
    order=5,
    c=rationals("0 1/5 3/10 4/5 8/9 1 1"),
    a=_A,
    error_order=4,
    e=rationals("71/57600 0 -71/16695 71/1920 -17253/339200 22/525 -1/40"),
    dense=hermite(_A[-1], (_D,)),
    dense_order=4,
)
DOPRI5 = Method(
    name="dopri5",
    title="Dormand-Prince 5(4)",
    source="J. R. Dormand and P. J. Prince, Journal of Computational and Applied Mathematics 6(1) (1980)"
    " 19-26, doi:10.1016/0771-050X(80)90013-3; dense output: L. F. Shampine, Mathematics of Computation 46"
    " (1986) 135-150, doi:10.1090/S0025-5718-1986-0815836-3",
    aliases=("rk45",),
    data=TABLEAU,
)
