"""Every tableau meets the order conditions of its own order, in exact arithmetic, and not those of the next.

A Runge-Kutta method has order p when, for each rooted tree of up to p vertices, sum_i b_i Phi_i(tree) equals
1 / density(tree). Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I (1993), theorem II.2.13.
"""

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from math import factorial, prod

import pytest

from blockdyn.solvers.methods import METHODS
from blockdyn.solvers.methods.butcher import Tree, density, trees
from blockdyn.solvers.methods.tableau import Tableau

ZERO = Fraction(0)
TABLEAUS = {
    name: each.data for name, each in METHODS.items() if isinstance(each.data, Tableau) and each.stiff is None
}
# What rounding leaves. Rational tableaus: nothing. Tsit5 is written to 40 decimals and DOP853 published to 28
# significant digits and more; sums of products of such numbers, up to 50 in size, keep all but the last two
# or three of those digits. The dense output of DOP853 weighs them with numbers up to 545.
BOUND = dict.fromkeys(TABLEAUS, ZERO) | {"tsit5": Fraction(1, 10**37), "dop853": Fraction(1, 10**27)}
BOUND_DENSE = BOUND | {"dop853": Fraction(1, 10**25)}
NAMES = list(TABLEAUS)
ADAPTIVE = [name for name in NAMES if TABLEAUS[name].kind == "adaptive"]


def dot(u: Sequence[Fraction], v: Sequence[Fraction]) -> Fraction:
    return sum((x * y for x, y in zip(u, v, strict=True)), ZERO)


@pytest.mark.parametrize(("vertices", "count"), list(enumerate((1, 1, 2, 4, 9, 20, 48, 115), start=1)))
def test_rooted_trees_are_all_there(vertices: int, count: int) -> None:
    """Their numbers are OEIS A000081; sum p! / (gamma sigma) = (p - 1)!, the increasing labellings (II.2)."""
    assert len(set(trees(vertices))) == len(trees(vertices)) == count
    labellings = sum(
        Fraction(factorial(vertices), density(tree) * symmetry(tree)) for tree in trees(vertices)
    )
    assert labellings == factorial(vertices - 1)


def symmetry(tree: Tree) -> int:
    """sigma: how many ways a tree is mapped on itself."""
    return prod(factorial(n) * symmetry(branch) ** n for branch, n in Counter(tree).items())


@cache
def elementary_weights(tableau: Tableau, tree: Tree) -> tuple[Fraction, ...]:
    """Phi_i(tree) for all stages i, those for dense output included."""
    rows = (*tableau.a, *tableau.extra_a)
    branches = [elementary_weights(tableau, branch) for branch in tree]
    return tuple(
        prod((dot(row, branch[: len(row)]) for branch in branches), start=Fraction(1)) for row in rows
    )


def residuals(tableau: Tableau, weights: Sequence[Fraction], order: int) -> list[Fraction]:
    """What each condition of exactly that order misses by."""
    return [
        abs(dot(weights, elementary_weights(tableau, tree)[: len(weights)]) - Fraction(1, density(tree)))
        for tree in trees(order)
    ]


def worst(tableau: Tableau, weights: Sequence[Fraction], order: int) -> Fraction:
    """The worst residual of the conditions up to that order."""
    return max(residual for p in range(1, order + 1) for residual in residuals(tableau, weights, p))


def embedded(tableau: Tableau, e: Sequence[Fraction]) -> list[Fraction]:
    return [b - error for b, error in zip(tableau.b, e, strict=True)]


def test_the_rooted_trees_are_counted_as_by_cayley() -> None:
    assert [len(set(trees(n))) for n in range(1, 10)] == [1, 1, 2, 4, 9, 20, 48, 115, 286]
    assert [len(trees(n)) for n in range(1, 10)] == [1, 1, 2, 4, 9, 20, 48, 115, 286]


@pytest.mark.parametrize("name", NAMES)
def test_nodes_are_row_sums(name: str) -> None:
    tableau = TABLEAUS[name]
    for c, row in zip((*tableau.c, *tableau.extra_c), (*tableau.a, *tableau.extra_a), strict=True):
        assert abs(sum(row, ZERO) - c) <= BOUND[name]


@pytest.mark.parametrize("name", NAMES)
def test_each_stage_uses_the_earlier_ones_and_the_last_is_the_slope_at_the_end(name: str) -> None:
    tableau = TABLEAUS[name]
    assert [len(row) for row in (*tableau.a, *tableau.extra_a)] == list(range(tableau.stages + tableau.extra))
    assert tableau.c[0] == 0
    assert tableau.c[-1] == 1
    assert tableau.b == (*tableau.a[-1], 0)


@pytest.mark.parametrize("name", NAMES)
def test_meets_the_conditions_of_its_order(name: str) -> None:
    tableau = TABLEAUS[name]
    assert worst(tableau, tableau.b, tableau.order) <= BOUND[name]


@pytest.mark.parametrize("name", NAMES)
def test_misses_a_condition_of_the_next_order(name: str) -> None:
    tableau = TABLEAUS[name]
    assert max(residuals(tableau, tableau.b, tableau.order + 1)) > Fraction(1, 10**6)


@pytest.mark.parametrize("name", ADAPTIVE)
def test_embedded_solution_has_its_order_and_no_more(name: str) -> None:
    tableau = TABLEAUS[name]
    weights = embedded(tableau, tableau.e)
    assert worst(tableau, weights, tableau.error_order) <= BOUND[name]
    assert max(residuals(tableau, weights, tableau.error_order + 1)) > Fraction(1, 10**6)


def test_second_embedded_solution_of_dop853_has_order_three_and_no_more() -> None:
    tableau = TABLEAUS["dop853"]
    weights = embedded(tableau, tableau.e3)
    assert tableau.error_order_3 == 3
    assert worst(tableau, weights, 3) <= BOUND["dop853"]
    assert max(residuals(tableau, weights, 4)) > Fraction(1, 10**6)


def test_error_estimates_shrink_as_published() -> None:
    """The step-size exponents of Bogacki-Shampine 1/3, Dormand-Prince and Tsitouras 1/5, DOP853 1/8."""
    powers = {name: TABLEAUS[name].estimate_order for name in NAMES}
    assert powers == dict(zip(NAMES, (0, 0, 0, 0, 3, 5, 5, 8), strict=True))


def test_embedded_weights_are_the_published_ones() -> None:
    """Bogacki and Shampine (1989); Dormand and Prince (1980), table 2."""
    bs32 = ["7/24", "1/4", "1/3", "1/8"]
    dopri5 = ["5179/57600", "0", "7571/16695", "393/640", "-92097/339200", "187/2100", "1/40"]
    for name, published in (("bs32", bs32), ("dopri5", dopri5)):
        assert embedded(TABLEAUS[name], TABLEAUS[name].e) == [Fraction(x) for x in published]


def test_adams_bashforth_integrates_cubics_exactly_and_quartics_not() -> None:
    """int_0^1 s^p ds = sum_j beta_j (-j)^p for p <= 3: the conditions of order 4."""
    beta = TABLEAUS["ab4"].multistep
    quadrature = [sum(b * Fraction(-j) ** p for j, b in enumerate(beta)) for p in range(5)]
    assert quadrature[:4] == [Fraction(1, p + 1) for p in range(4)]
    assert quadrature[4] - Fraction(1, 5) == -Fraction(251, 30)  # error constant 251/720 times 4!


# ---- dense output: sum_i b_i(theta) Phi_i(tree) = theta^|tree| / density(tree), for all theta ----


def dense_residuals(tableau: Tableau, order: int) -> list[Fraction]:
    """What the coefficient of each power of theta misses by, for each tree of that order."""
    found: list[Fraction] = []
    for tree in trees(order):
        phi = elementary_weights(tableau, tree)
        powers = [dot(column, phi) for column in zip(*tableau.dense, strict=True)]
        powers += [ZERO] * (order - len(powers))
        powers[order - 1] -= Fraction(1, density(tree))
        found += map(abs, powers)
    return found


@pytest.mark.parametrize("name", NAMES)
def test_dense_output_has_its_order_in_the_whole_step_and_no_more(name: str) -> None:
    tableau = TABLEAUS[name]
    for order in range(1, tableau.dense_order + 1):
        assert max(dense_residuals(tableau, order)) <= BOUND_DENSE[name]
    assert max(dense_residuals(tableau, tableau.dense_order + 1)) > Fraction(1, 10**6)


def test_dense_output_is_as_accurate_as_the_steps() -> None:
    """Order p - 1 inside a step adds errors h^p, the size of those that p-th order steps accumulate."""
    orders = {name: TABLEAUS[name].dense_order for name in NAMES}
    assert orders == dict(zip(NAMES, (1, 2, 3, 3, 3, 4, 4, 7), strict=True))
    assert all(TABLEAUS[name].order - 1 <= order for name, order in orders.items())
