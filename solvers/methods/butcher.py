"""Butcher: a tableau as it is printed, made one that the loop can step by."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from ...base.annotations import holds_truth
from ...base.checked import guarded
from .data import InvalidMethod
from .order_conditions import order_met
from .tableau import Rationals, Tableau, hermite

Number = int | float | str | Fraction
ROUNDING = 1e-12  # of weights that were given as doubles
MOST_ORDER = 14  # of the explicit Runge-Kutta methods that were published


def _invalid_tableau(name: str, actual: str, expected: str) -> InvalidMethod:
    return InvalidMethod(f"butcher_tableau: {name} is {actual}\nexpected: {expected}")


@guarded(_invalid_tableau)
def butcher_tableau(
    a: Sequence[Sequence[Number]], b: Sequence[Number], *, order: int, b_hat: Sequence[Number] = (),
    error_order: int = 0,
) -> Tableau:  # fmt: skip
    """Return the data of an explicit Runge-Kutta method; numbers may be text, such as "1/3".

    The nodes are the sums of the rows. Where no stage is the slope at the end of the step, it is added. The
    dense output is the cubic that meets both ends of a step in value and slope.

    Args:
        a: one row a stage, with the weights of the stages before it.
        b: weights of the step, one a stage.
        order: of the step.
        b_hat: weights of the embedded solution, whose difference from the step is the error estimate; without
            them steps are fixed.
        error_order: order of the embedded solution.

    Raises:
        InvalidMethod: rows of other lengths, weights that do not sum to 1, or that miss the conditions of the
            order claimed (Hairer, Norsett, Wanner, theorem II.2.13; looked at up to order 8).
    """
    rows, weights, embedded = [_exact(row) for row in a], _exact(b), _exact(b_hat)
    lengths = [len(row) for row in rows]
    if not 1 <= order <= MOST_ORDER or not 0 <= error_order <= MOST_ORDER:
        raise InvalidMethod(
            f"butcher_tableau: found order {order}, error_order {error_order}\n"
            f"expected: 1 to {MOST_ORDER}, and the error's at least 0"
        )
    if not rows or embedded == weights:
        what = "no stage" if not rows else "b_hat equal to b, whose difference would be the error"
        raise InvalidMethod(f"butcher_tableau: found {what}\nexpected: a stage at least, and two solutions")
    if lengths != list(range(len(rows))) or len(weights) != len(rows) or len(embedded) not in (0, len(rows)):
        raise InvalidMethod(
            f"butcher_tableau: found rows of {lengths}, {len(weights)} weights b, {len(embedded)} of b_hat\n"
            "expected: rows of 0, 1, 2 ... weights, and one weight of b and b_hat per stage"
        )
    for name, each in (("b", weights), ("b_hat", embedded)):
        if each and abs(float(sum(each)) - 1.0) > ROUNDING:
            raise InvalidMethod(f"butcher_tableau: found weights {name} that sum to {sum(each)}\nexpected: 1")
    if bool(embedded) != (error_order > 0):
        raise InvalidMethod(
            "butcher_tableau: found one of b_hat and error_order\nexpected: both, or neither of them"
        )
    for name, each, claimed in (("order", weights, order), ("error_order", embedded, error_order)):
        if each and (met := order_met(rows, each, claimed)) < claimed:
            raise InvalidMethod(
                f"butcher_tableau: found {name} {claimed}, and weights that meet the conditions of order"
                f" {met}\n"
                f"expected: {name}={met}, or the weights as they are printed"
            )
    zero = Fraction(0)
    if len(rows) > 1 and (*rows[-1], zero) == weights:  # the last stage is the slope at the end
        rows, weights = rows[:-1], weights[:-1]
    stages = (*rows, weights)
    return Tableau(
        order=order, c=tuple(sum(row, zero) for row in stages), a=stages, dense=hermite(weights),
        dense_order=min(order, 3), error_order=error_order,
        e=tuple(x - y for x, y in zip((*weights, zero), (*embedded, zero), strict=False)) if embedded else (),
    )  # fmt: skip


def _exact(numbers: Sequence[Number]) -> Rationals:
    try:
        if holds_truth(list(numbers)):
            raise TypeError("true and false are not numbers")
        return tuple(Fraction(number) for number in numbers)
    except (TypeError, ValueError) as error:
        raise InvalidMethod(f"butcher_tableau: {error}\nexpected: numbers, or text such as 1/3") from None
