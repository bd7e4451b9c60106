"""A function of a user's own that jumps is named with its line, before a run and after one that it spoilt."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import blockdyn as bd
from blockdyn.blocks.contract.parameter import Real, parameter
from blockdyn.diagrams.compiler.report import make_report
from blockdyn.diagrams.model.run_errors import TimeLimit, TooManySteps


def law(u):
    if u > 0.0:
        return -1.0
    return 1.0


def helper(s):
    return np.sign(s)


def calls_a_helper(u, gain=2.0):
    return -gain * helper(u)


def assigned_on_the_way(u):
    s = 2.0 * u
    y = 1.0
    y = -1.0 if s > 0.0 else y
    return y


def selects(u):
    return -math.copysign(1.0, u)


def takes_the_largest(u):
    return -max(u, 0.0)


def wraps(u):
    return u % 1.0


def of_time(t):
    return 1.0 if t < 0.5 else 0.0


def converts(u):
    return 1.0 - 2.0 * int(u + 1)


def is_true(u):
    return -1.0 * bool(u)


def negates(u):
    return 1.0 - 2.0 * (not u)


def divides(u):
    return -divmod(u, 1.0)[0]


def of_a_method(u):
    return -1.0 * np.asarray(u).astype(np.int64)


def defines(u):
    def inner(v):
        return -1.0 if v > 0 else 1.0

    return inner(u)


def closes_over(u):
    def inner():
        return -1.0 if u > 0 else 1.0

    return inner()


def names_a_lambda(u):
    inner = lambda v: -1.0 if v > 0 else 1.0  # noqa: E731
    return inner(u)


def applied(function, v):
    return function(v)


def hands_on(u):
    return applied(law, u)


def by_keyword(u):
    return helper(s=u)


def in_a_list(u):
    return sum([-1.0 if v > 0 else 1.0 for v in (u, u)])


def inner_without_branch(u, gain=2.0):
    def twice(v):
        return 2.0 * v

    def of_numbers(g):
        return 1.0 if g > 0 else -1.0

    return -twice(u) * of_numbers(gain) * int(3.7)


def smooth(u, gain=2.0):
    if gain > 0.0:
        return -gain * np.tanh(u)
    total = 0.0
    for k in range(3):
        if k > 1:
            total += u
    return total


def refuses(u):
    if u < -1e9:
        raise ValueError("too small")
    return -u


def closed(function: Callable[..., Any], **values: Any) -> bd.Diagram:
    """x' = function(x), from 1."""
    d = bd.Diagram()
    x = d.add("x", bd.Integrator(1.0))
    y = d.add("law", bd.Function(function, values=values))
    if inspect.signature(function).parameters.keys() != {"t"}:
        d.connect(x, y)
    d.connect(y, x)
    return d


def notices(d: bd.Diagram) -> list[str]:
    return [text for text in make_report(d.compile()).notices if "branches on" in text]


JUMPING = [
    (law, law, 1, "u > 0.0"),
    (calls_a_helper, helper, 1, "np.sign(s)"),
    (assigned_on_the_way, assigned_on_the_way, 3, "s > 0.0"),
    (selects, selects, 1, "math.copysign(1.0, u)"),
    (takes_the_largest, takes_the_largest, 1, "max(u, 0.0)"),
    (wraps, wraps, 1, "u % 1.0"),
    (of_time, of_time, 1, "t < 0.5"),
    (converts, converts, 1, "int(u + 1)"),
    (is_true, is_true, 1, "bool(u)"),
    (negates, negates, 1, "u"),
    (divides, divides, 1, "divmod(u, 1.0)"),
    (of_a_method, of_a_method, 1, "np.asarray(u).astype(np.int64)"),
    (defines, "inner", 2, "v > 0"),
    (closes_over, "inner", 2, "u > 0"),
    (names_a_lambda, "<lambda>", 1, "v > 0"),
    (hands_on, law, 1, "u > 0.0"),
    (by_keyword, helper, 1, "np.sign(s)"),
    (in_a_list, in_a_list, 1, "v > 0"),
]


@pytest.mark.parametrize(
    ("function", "owner", "behind", "text"), JUMPING, ids=[case[0].__name__ for case in JUMPING]
)
def test_a_branch_is_named_once(function: Any, owner: Any, behind: int, text: str) -> None:
    (said,) = notices(closed(function))
    name = owner if isinstance(owner, str) else owner.__name__  # one that the function defines
    line = (function if isinstance(owner, str) else owner).__code__.co_firstlineno + behind
    assert said.startswith("law branches on")
    assert f"`{text}` ({name}, test_branches.py, line {line})" in said
    assert "Switch" in said
    assert "crossing" in said


@pytest.mark.parametrize("function", [smooth, refuses, inner_without_branch])
def test_what_does_not_jump_is_not_named(function: Any) -> None:
    assert notices(closed(function)) == []


def test_a_function_without_source_and_a_lambda() -> None:
    space: dict[str, Any] = {}
    exec("def law(u):\n    return -1.0 if u > 0.0 else 1.0\n", space)
    assert "law branches on `>` (law, <string>, line 2)" in notices(closed(space["law"]))[0]
    (said,) = notices(closed(lambda u: -1.0 if u > 0.25 else 1.0))
    assert "`u > 0.25` (<lambda>, test_branches.py, line" in said
    exec("def law(u):\n    def s(v):\n        return v // 1.0\n    return s(u)\n", space)
    assert "law branches on `//` (s, <string>, line 3)" in notices(closed(space["law"]))[0]


def test_a_block_of_ones_own() -> None:
    @bd.block
    def relay(u, level=0.5):
        return -1.0 if u > level else 1.0

    class Drag(bd.Block):
        """x' = -x |x|, in one with a kink."""

        inputs = (bd.Port("u"),)
        states = (bd.State("x", "x0"),)
        x0: Real = parameter(default=1.0)

        @staticmethod
        def output(x):
            return x

        @staticmethod
        def derivative(x, u):
            return u - x * abs(x)

    d = bd.Diagram()
    d.connect(d.add("drag", Drag()), d.add("relay", relay()), "drag")
    said = notices(d)
    assert [text.split()[0] for text in said] == ["drag", "relay"]
    assert "`abs(x)` (derivative, " in said[0]


def test_what_knows_its_crossings_or_acts_at_samples_is_not_named() -> None:
    d = bd.Diagram()
    x = d.add("x", bd.Integrator(1.0))
    d.connect(x, d.add("sampled", bd.SampledFunction(law, sample_time=0.1)), d.add("relay", bd.Relay()), x)
    assert notices(d) == []


def test_a_run_that_slides_along_a_branch_says_why() -> None:
    """x' = -sign(x) stays at 0 from t = 1 on: steps that straddle 0 are rejected for ever."""
    with pytest.raises(TooManySteps) as failed:
        closed(law).simulate(stop=1e3, max_steps=20_000)
    line = law.__code__.co_firstlineno + 1
    assert f"law branches on `u > 0.0` (law, test_branches.py, line {line})" in str(failed.value)
    r = closed(law).simulate(stop=1.005)
    assert r.final("x") == pytest.approx(0.0, abs=1e-6)
    assert "law branches on `u > 0.0`" in " ".join(r.notices)
    assert closed(smooth).simulate(stop=10.0).notices == ()


def test_the_branch_is_told_before_a_stiff_method_is_offered() -> None:
    """Sliding of x' = -sign(x) from t = 1 on; of v' = -1e6 (v - x) stability alone sets the steps before."""
    d = closed(law)
    fast = d.add("fast", bd.Integrator(1.0))
    rate = d.add("rate", bd.Expression("-1e6 * (v - x)"))
    d.connect("x", rate["x"])
    d.connect(fast, rate["v"])
    d.connect(rate, fast)
    with pytest.raises(TooManySteps, match=r"branches on `u > 0.0`(.|\n)*method='auto'"):
        d.simulate(stop=1e3, method="dopri5", max_steps=50_000)


def test_a_limit_of_time_on_the_way_along_a_branch_says_the_same() -> None:
    """The same slide, ended by the clock: the branch is named, and no loop is looked for in a function that
    returned thousands of times; where the function does not return, that loop is what to look for.
    """
    with pytest.raises(TooManySteps) as counted:
        closed(law).simulate(stop=1e6, max_steps=20_000)
    with pytest.raises(TimeLimit) as timed:
        closed(law).simulate(stop=1e6, max_time=1.0, max_steps=2**60)
    cause = [line for line in str(counted.value).splitlines() if "branches on" in line]
    assert cause
    assert cause == [line for line in str(timed.value).splitlines() if "branches on" in line]
    assert "never ends" not in str(timed.value)

    def never(u):
        while u < 2.0:
            pass
        return u

    with pytest.raises(TimeLimit, match="a loop in a block's function that never ends"):
        closed(never).simulate(stop=1.0, max_time=0.4, compiled=False)
