"""Conditions in formulas: the frozen branches agree with the formula, and go on smoothly past their ends."""

from __future__ import annotations

import numpy as np
import pytest

from blockdyn.blocks.conditions import roles
from blockdyn.blocks.errors import FormulaError
from blockdyn.blocks.formula import Formula, parse

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


def value(formula: Formula, **names: float) -> float:
    return float(formula.value(names))


@pytest.mark.parametrize("text", FORMULAS)
def test_the_branch_of_the_mode_is_the_formula(text: str) -> None:
    parts = roles(text)
    for a, b in np.random.default_rng(1).uniform(-3, 3, (200, 2)):
        mode = value(parts["mode"], a=a, b=b)
        assert value(parts["output"], a=a, b=b, mode=mode) == pytest.approx(value(parse(text), a=a, b=b), abs=1e-13)


@pytest.mark.parametrize("text", FORMULAS)
def test_a_mode_ends_where_a_crossing_changes_its_sign_and_only_there(text: str) -> None:
    parts = roles(text)
    rng = np.random.default_rng(2)
    for start, end in rng.uniform(-2, 2, (20, 2, 2)):
        path = [start + (end - start) * s for s in np.linspace(0.0, 1.0, 1001)]
        for (a0, b0), (a1, b1) in zip(path, path[1:], strict=False):
            mode = value(parts["mode"], a=a0, b=b0)
            before = [value(g, a=a0, b=b0, mode=mode) for g in parts["crossing"]]
            after = [value(g, a=a1, b=b1, mode=mode) for g in parts["crossing"]]
            crossed = any(g0 * g1 < 0 for g0, g1 in zip(before, after, strict=True))
            if value(parts["mode"], a=a1, b=b1) != mode:
                assert crossed


@pytest.mark.parametrize("text", FORMULAS)
def test_a_branch_goes_on_smoothly_beyond_its_end(text: str) -> None:
    parts = roles(text)
    for a, b in np.random.default_rng(3).uniform(-2, 2, (300, 2)):
        mode = value(parts["mode"], a=a, b=b)
        near = value(parts["output"], a=a, b=b, mode=mode)
        for da, db in ((1e-3, 0.0), (-1e-3, 0.0), (0.0, 1e-3), (0.0, -1e-3)):
            there = value(parts["output"], a=a + da, b=b + db, mode=mode)
            assert abs(there - near) < 0.05 / max(0.05, min(1.0, a * a + b * b))


def test_a_smooth_formula_has_no_mode() -> None:
    assert set(roles("a * sin(b) + hypot(a, b)")) == {"output"}


def test_equal_conditions_share_a_bit() -> None:
    assert len(roles("abs(a) + abs(a) * (a >= 0)")["crossing"]) == 1


@pytest.mark.parametrize("nest", ["abs", "floor", "sign", "ceil"])
def test_deep_nests_end_in_reasonable_time(nest: str) -> None:
    text = f"{nest}(" * 55 + "a" + ")" * 55
    with pytest.raises(FormulaError, match="more conditions"):
        roles(text)


@pytest.mark.parametrize("pair", ["atan2({}, 1)", "({} % 1)", "min({}, 1)"])
def test_deep_nests_of_two_arguments_too(pair: str) -> None:
    text = "a"
    for _ in range(50):
        text = pair.format(text)
    with pytest.raises(FormulaError, match="more conditions"):
        roles(text)


def test_bits_are_read_from_the_mode() -> None:
    parts = roles("(a > 0) + 2 * (a > 1) + 4 * (a > 2)")
    assert [value(parts["mode"], a=a) for a in (-1.0, 0.5, 1.5, 2.5)] == [0, 1, 3, 7]
    assert value(parts["output"], a=-1.0, mode=5) == 5
