"""An error is one traceback, not a chain of them, and begins at the line of the caller."""

from __future__ import annotations

import traceback
from collections.abc import Callable

import pytest

import blockdyn as bd
from blockdyn.base.errors import BlockdynError
from blockdyn.blocks.contract.errors import FormulaError
from blockdyn.diagrams.model.errors import BadExpression
from blockdyn.diagrams.yaml import loads


def expression_of_a_bad_value() -> None:
    d = bd.Diagram("d", {"k": float("inf")})
    d.add("g", bd.Gain(k=bd.expression("k")))
    d.simulate(stop=1.0)


def sizes() -> None:
    d = bd.Diagram()
    total = d.add("total", bd.Sum())
    d.connect(d.add("two", bd.Constant([1.0, 2.0])), total[0])
    d.connect(d.add("three", bd.Constant([1.0, 2.0, 3.0])), total[1])
    d.simulate(stop=1.0)


def sizes_in_an_expression() -> None:
    d = bd.Diagram("d", {"a": [1.0, 2.0], "b": [1.0, 2.0, 3.0]})
    d.add("c", bd.Constant(bd.expression("a + b")))
    d.compile()


def value_of_a_parameter() -> None:
    bd.Diagram("d", {"k": "fast"})


def value_for_one_run() -> None:
    d = bd.Diagram()
    d.connect(d.add("c", bd.Clock()), d.add("g", bd.Gain()))
    d.simulate(stop=1.0, set={"g.k": "fast"})


def unknown_robot() -> None:
    bd.FKine("puma5600")


def no_formula() -> None:
    bd.Expression("a +* b")


def no_expression() -> None:
    bd.Diagram("d", {"k": "=1 +"})


def file_with_a_bad_value() -> None:
    loads("blockdyn: 1\nblocks: {g: {type: Gain, k: fast}, f: {type: FKine, robot: puma5600}}\n")


CASES = [
    expression_of_a_bad_value,
    sizes,
    sizes_in_an_expression,
    value_of_a_parameter,
    value_for_one_run,
    unknown_robot,
    no_formula,
    no_expression,
    file_with_a_bad_value,
]


@pytest.mark.parametrize("case", CASES)
def test_it_is_one_traceback_that_fits_on_a_screen(case: Callable[[], None]) -> None:
    with pytest.raises(BlockdynError) as caught:
        case()
    text = "".join(traceback.format_exception(caught.value))
    assert text.count("Traceback (most recent call last)") == 1
    assert text.count(f"in {case.__name__}") == 1
    assert len(text.splitlines()) <= 50
    raw = ("broadcast together", "invalid syntax", "ufunc", "could not be", "operands", "SyntaxError")
    assert [word for word in raw if word in str(caught.value)] == []


def test_sizes_in_an_expression_are_told_by_name() -> None:
    with pytest.raises(BadExpression, match="have incompatible sizes: a is vector 2, b is vector 3"):
        sizes_in_an_expression()


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("a +* b", r"cannot be read from `\* b` on \(character 4\)"),
        ("1 +", "ends too early"),
        ("sin(u", r"1 `\(` and 0 `\)`"),
        ("[1, 2", r"1 `\[` and 0 `\]`"),
        ("3 u", "cannot be read from"),
        ("", "ends too early"),
        ("lambda*u", "`lambda` is a reserved word of Python"),
        ("if*2", "`if` is a reserved word of Python"),
        ("2*class + 1", "`class` is a reserved word of Python"),
        ("is + 1", "`is` is a reserved word of Python"),
        ("in/2", "`in` is a reserved word of Python"),
        ("u if", "ends too early"),
    ],
)
def test_what_is_no_formula_is_told_where(text: str, told: str) -> None:
    with pytest.raises(FormulaError, match=told):
        bd.expression(text)
