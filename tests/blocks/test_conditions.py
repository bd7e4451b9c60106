"""Conditions in formulas: the frozen branches agree with the formula, and go on smoothly past their ends."""

from __future__ import annotations

import numpy as np
import pytest

from blockdyn.blocks.contract.conditions import roles
from blockdyn.blocks.contract.errors import FormulaError
from blockdyn.blocks.contract.formula import Formula, parse
from blockdyn.blocks.contract.internal_names import MODE

FORMULAS = [
    "a if a > b else b",
    "abs(a) + abs(b - abs(a))",
    "min(a, b, 0.5) * max(a, -b)",
    "sign(a * b)",
    "floor(3 * a) + ceil(b)",
    "a % 0.7 - b % -0.3",
    "where(a < b and not (b > 1 or a == 0), a - b, 2)",
    "atan2(a, b)",
    "atan2(abs(a) - 1, sign(b))",
    "where(a, 1, 2) + (-1 < a <= 1)",
]


def value(formula: Formula, **names: object) -> np.ndarray:
    return np.asarray(formula.value({MODE if name == "mode" else name: v for name, v in names.items()}))


@pytest.mark.parametrize("text", FORMULAS)
def test_the_branch_of_the_mode_is_the_formula(text: str) -> None:
    parts = roles(text)
    a, b = np.random.default_rng(1).uniform(-3, 3, (2, 500))
    mode = value(parts["mode"], a=a, b=b)
    assert np.allclose(value(parts["output"], a=a, b=b, mode=mode), value(parse(text), a=a, b=b), atol=1e-13)


@pytest.mark.parametrize("text", FORMULAS)
def test_a_mode_ends_only_where_a_crossing_changes_its_sign(text: str) -> None:
    parts = roles(text)
    start, end = np.random.default_rng(2).uniform(-2, 2, (2, 50, 2, 1))
    a, b = np.moveaxis(start + (end - start) * np.linspace(0.0, 1.0, 1001), 1, 0)
    now, then = {"a": a[:, :-1], "b": b[:, :-1]}, {"a": a[:, 1:], "b": b[:, 1:]}
    mode = value(parts["mode"], **now)
    crossed = [value(g, **now, mode=mode) * value(g, **then, mode=mode) < 0 for g in parts["crossing"]]
    assert np.all(np.any(crossed, axis=0) | (value(parts["mode"], **then) == mode))


@pytest.mark.parametrize("text", FORMULAS)
def test_a_branch_goes_on_smoothly_beyond_its_end(text: str) -> None:
    parts = roles(text)
    a, b = np.random.default_rng(3).uniform(-2, 2, (2, 1000))
    far = np.hypot(a, b) > 0.1  # from the origin, where an angle turns ever faster
    a, b = a[far], b[far]
    mode = value(parts["mode"], a=a, b=b)
    here = value(parts["output"], a=a, b=b, mode=mode)
    for da, db in ((1e-3, 0.0), (-1e-3, 0.0), (0.0, 1e-3), (0.0, -1e-3)):
        there = value(parts["output"], a=a + da, b=b + db, mode=mode)
        assert np.max(np.abs(there - here)) < 0.02


def test_a_smooth_formula_has_no_mode() -> None:
    assert set(roles("a * sin(b) + hypot(a, b)")) == {"output"}


def test_equal_conditions_share_a_bit() -> None:
    assert len(roles("abs(a) + abs(a) * (a >= 0)")["crossing"]) == 1


@pytest.mark.parametrize("nest", ["abs", "floor", "sign", "ceil"])
def test_deep_nests_end_in_reasonable_time(nest: str) -> None:
    text = f"{nest}(" * 55 + "a" + ")" * 55
    with pytest.raises(FormulaError, match="more conditions"):
        roles(text)


@pytest.mark.parametrize("pair", ["atan2({}, 1)", "where(a, sqrt({}), 1)", "({} % 1)", "min({}, 1)"])
def test_deep_nests_of_two_arguments_too(pair: str) -> None:
    text = "a"
    for _ in range(25 if "sqrt" in pair else 50):
        text = pair.format(text)
    with pytest.raises(FormulaError, match="more conditions"):
        roles(text)


def test_bits_are_read_from_the_mode() -> None:
    parts = roles("(a > 0) + 2 * (a > 1) + 4 * (a > 2)")
    assert [value(parts["mode"], a=a) for a in (-1.0, 0.5, 1.5, 2.5)] == [0, 1, 3, 7]
    assert value(parts["output"], a=-1.0, mode=5) == 5
