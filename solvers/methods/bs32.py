"""Bogacki-Shampine 3(2). Applied Mathematics Letters 2(4), 1989, 321-325."""

from .method import Method
from .tableau import Tableau, hermite, rationals

_A = (
    (),
    rationals("1/2"),
    rationals("0 3/4"),
    rationals("2/9 1/3 4/9"),
)

BS32 = Method(
    name="bs32",
    title="Bogacki-Shampine 3(2)",
    source="P. Bogacki and L. F. Shampine, Applied Mathematics Letters 2(4) (1989) 321-325,"
    " doi:10.1016/0893-9659(89)90079-7",
    aliases=("rk23",),
    data=Tableau(
        order=3,
        c=rationals("0 1/2 3/4 1"),
        a=_A,
        error_order=2,
        e=rationals("-5/72 1/12 1/9 -1/8"),
        dense=hermite(_A[-1]),
        dense_order=3,
    ),
)
