"""Dense output meets the step at both ends, and is the published polynomial in between."""

from fractions import Fraction

import numpy as np
import pytest

from blockdyn.solvers.methods import METHODS
from blockdyn.solvers.methods.tableau import Tableau, nested

TABLEAUS = {
    name: each.data for name, each in METHODS.items() if isinstance(each.data, Tableau) and each.stiff is None
}
NAMES = list(TABLEAUS)
SMOOTH = [name for name in NAMES if name != "euler"]
Rows = tuple[tuple[Fraction, ...], ...]


def value(rows: Rows, theta: Fraction) -> list[Fraction]:
    return [sum((p * theta**j for j, p in enumerate(row, start=1)), Fraction(0)) for row in rows]


def slope(rows: Rows, theta: Fraction) -> list[Fraction]:
    return [sum((j * p * theta ** (j - 1) for j, p in enumerate(row, start=1)), Fraction(0)) for row in rows]


def unit(i: int, size: int) -> list[Fraction]:
    return [Fraction(j == i) for j in range(size)]


@pytest.mark.parametrize("name", NAMES)
def test_ends_where_the_step_ends_exactly(name: str) -> None:
    tableau = TABLEAUS[name]
    assert len(tableau.dense) == tableau.stages + tableau.extra
    assert value(tableau.dense, Fraction(0)) == [0] * len(tableau.dense)
    assert value(tableau.dense, Fraction(1)) == [*tableau.b, *[0] * tableau.extra]


@pytest.mark.parametrize("name", SMOOTH)
def test_leaves_and_arrives_with_the_slopes_of_the_trajectory(name: str) -> None:
    tableau = TABLEAUS[name]
    size = len(tableau.dense)
    assert slope(tableau.dense, Fraction(0)) == unit(0, size)
    assert slope(tableau.dense, Fraction(1)) == unit(tableau.stages - 1, size)


def test_eulers_is_the_straight_line_with_the_first_slope() -> None:
    assert TABLEAUS["euler"].dense == ((Fraction(1),), (Fraction(0),))


@pytest.mark.parametrize("p", range(4))
def test_adams_bashforth_reproduces_the_path_between_its_points(p: int) -> None:
    """x' = t^p from t = 0 with h = 1: exact while the path is a cubic; at the end, for p = 3 too."""
    rows = TABLEAUS["ab4"].multistep_dense
    slopes = [
        Fraction(t) ** p for t in (0, -1, -2, -3, 1)
    ]  # f_n, f_(n-1), f_(n-2), f_(n-3), and last f_(n+1)
    for theta in (Fraction(1, 7), Fraction(1, 2), Fraction(5, 6), Fraction(1)):
        found = sum(w * f for w, f in zip(value(rows, theta), slopes, strict=True))
        miss = found - theta ** (p + 1) / (p + 1)
        # the cubic Hermite interpolant of x misses x'''' / 4! theta^2 (1 - theta)^2, and x'''' = 6 for p = 3
        assert miss == (0 if p < 3 else -Fraction(1, 4) * theta**2 * (1 - theta) ** 2)


def test_bogacki_shampine_is_the_cubic_of_the_paper() -> None:
    """Coefficients as in SciPy's RK23, after Bogacki and Shampine (1989)."""
    published = (("1", "-4/3", "5/9"), ("0", "1", "-2/3"), ("0", "4/3", "-8/9"), ("0", "-1", "1"))
    assert TABLEAUS["bs32"].dense == tuple(tuple(Fraction(p) for p in row) for row in published)


def test_dormand_prince_passes_the_midpoint_that_shampine_published() -> None:
    """x(t + h/2) = x + h/2 sum_i w_i k_i. Shampine, Mathematics of Computation 46 (1986) 135-150."""
    published = (
        "6025192743/30085553152",
        "0",
        "51252292925/65400821598",
        "-2691868925/45128329728",
        "187940372067/1594534317056",
        "-1776094331/19743644256",
        "11237099/235043384",
    )
    found = value(TABLEAUS["dopri5"].dense, Fraction(1, 2))
    assert found == [Fraction(w) / 2 for w in published]


@pytest.mark.parametrize("theta", [0.1, 0.3, 0.5, 0.9, 1.0])
def test_tsitouras_is_the_polynomial_of_the_paper(theta: float) -> None:
    """Tsitouras (2011), section 3: the weights in factored form, printed with 16 to 19 digits."""
    s = theta**2
    published = [
        -1.0530884977290216
        * theta
        * (theta - 1.3299890189751412)
        * (s - 1.4364028541716351 * theta + 0.7139816917074209),
        0.1017 * s * (s - 2.1966568338249754 * theta + 1.2949852507374631),
        2.490627285651252793 * s * (s - 2.38535645472061657 * theta + 1.57803468208092486),
        -16.54810288924490272 * (theta - 1.21712927295533244) * (theta - 0.61620406037800089) * s,
        47.37952196281928122 * (theta - 1.203071208372362603) * (theta - 0.658047292653547382) * s,
        -34.87065786149660974 * (theta - 1.2) * (theta - 0.666666666666666667) * s,
        2.5 * (theta - 1.0) * (theta - 0.6) * s,
    ]
    found = [float(w) for w in value(TABLEAUS["tsit5"].dense, Fraction(theta))]
    np.testing.assert_allclose(found, published, rtol=0, atol=1e-14)


def products(theta: Fraction, degree: int) -> list[Fraction]:
    """theta, theta (1 - theta), theta^2 (1 - theta), theta^2 (1 - theta)^2, ..."""
    return [theta ** (j // 2 + 1) * (1 - theta) ** ((j + 1) // 2) for j in range(degree)]


@pytest.mark.parametrize("name", NAMES)
def test_nested_products_are_the_same_polynomials(name: str) -> None:
    rows = TABLEAUS[name].dense
    degree = len(rows[0])
    for theta in [Fraction(j, degree + 1) for j in range(1, degree + 1)]:  # as many points as coefficients
        found = [
            sum(n * f for n, f in zip(row, products(theta, degree), strict=True)) for row in nested(rows)
        ]
        assert found == value(rows, theta)


@pytest.mark.parametrize("name", NAMES)
def test_doubles_keep_the_nested_weights_to_fourteen_digits(name: str) -> None:
    n = TABLEAUS[name].arrays()
    for theta in np.linspace(0.0, 1.0, 33):  # doubles that are exact fractions
        exact = [float(w) for w in value(TABLEAUS[name].dense, Fraction(theta))]
        factors = [1.0 - theta if j % 2 else theta for j in range(n.degree)]
        assert np.abs(n.N @ np.cumprod(factors) - exact).sum() < 1e-14


def test_dop853_nests_the_published_numbers() -> None:
    """Hairer, Wanner, DOP853: after the three Hermite terms, d4 to d7 (here of k1 and k16)."""
    rows = nested(TABLEAUS["dop853"].dense)
    first = ["-8.4289382761090128651353491142", "10.427508642579134603413151009"]
    first += ["19.985053242002433820987653617", "-25.693933462703749003312586129"]
    last = ["-4.4360363875948939664310572", "35.816841486394083752465898540"]
    last += ["11.992291136182789328035130030", "-149.72683625798562581422125276"]
    assert list(rows[0][3:]) == [Fraction(d) for d in first]
    assert list(rows[15][3:]) == [Fraction(d) for d in last]
