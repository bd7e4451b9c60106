"""While: Newton's square root, bisection, Euclid's algorithm at an instant; limits, states, refusals."""

from __future__ import annotations

import math

import numpy as np
import pytest

import blockdyn as bd
from blockdyn.diagrams.yaml import dumps, loads

INF = float("inf")
BOTH = pytest.mark.parametrize("compiled", [True, False])


def newton(**options: object) -> bd.Diagram:
    """x <- (x + a / x) / 2 from x = a, until x^2 is a."""
    body = bd.Diagram("root")
    loop = body.add("loop", bd.While(**({"sample_time": 0.25} | options)))  # type: ignore[arg-type]
    a = body.add("a", bd.Inport())
    x = body.add("x", bd.Switch())
    last = body.add("last", bd.UnitDelay(sample_time=INF))
    body.connect(loop["first"], x["control"])
    body.connect(a, x["then"])
    body.connect(last, x["otherwise"])
    step = body.add("step", bd.Expression("(x + a / x) / 2"))
    body.connect(x, step["x"])
    body.connect(a, step["a"])
    body.connect(step, [last, body.add("root", bd.Outport())])
    wrong = body.add("wrong", bd.Expression("abs(r*r - a) > 1e-14 * a"))
    body.connect(step, wrong["r"])
    body.connect(a, wrong["a"])
    body.connect(wrong, [loop, body.add("failed", bd.Outport())])
    body.connect(loop["number"], body.add("number", bd.Outport()))
    d = bd.Diagram("roots")
    d.add("sub", body)
    d.connect(d.add("u", bd.Ramp(3.0, initial=2.0)), "sub.a")
    return d


@BOTH
def test_newtons_square_root(compiled: bool) -> None:
    r = newton().simulate(stop=2.0, times=np.arange(0.0, 2.1, 0.25), compiled=compiled)
    expected = [math.sqrt(2.0 + 3.0 * t) for t in r.time]
    np.testing.assert_allclose(r.trace("sub.root").values, expected, rtol=1e-14)
    assert not [key for key in r.statistics if key.startswith("python")]
    assert not r.trace("sub.failed").values.any()
    assert 3 <= r.trace("sub.number").values.min() <= r.trace("sub.number").values.max() <= 9


@BOTH
def test_between_states_that_flow(compiled: bool) -> None:
    """x' = sqrt(2), by way of the iteration, whose input flows."""
    d = bd.Diagram("outer")
    d.add("sub", newton().blocks["sub"])
    d.connect("sub.root", d.add("x", bd.Integrator()), d.add("a", bd.Expression("2 + 0 * u")), "sub.a")
    r = d.simulate(stop=3.0, compiled=compiled)
    assert r.final("x") == pytest.approx(3.0 * math.sqrt(2.0), rel=1e-12)


def test_between_instants_its_outputs_are_held() -> None:
    r = newton().simulate(stop=1.0, times=[0.3, 0.49])
    np.testing.assert_allclose(r.trace("sub.root").values, math.sqrt(2.75), rtol=1e-14)


@BOTH
def test_bisection(compiled: bool) -> None:
    """The root of cos x = x between 0 and 1; the states begin anew at each instant."""
    body = bd.Diagram("bisection")
    loop = body.add("loop", bd.While(sample_time=0.5, limit=60, reset_states=True))
    low = body.add("low", bd.UnitDelay(sample_time=INF))
    high = body.add("high", bd.UnitDelay(sample_time=INF, initial=1.0))
    middle = body.add("middle", bd.Expression("(low + high) / 2"))
    body.connect(low, middle["low"])
    body.connect(high, middle["high"])
    above = body.add("above", bd.Expression("cos(x) > x"))
    body.connect(middle, above)
    for name, first, second in (("low", middle, low), ("high", high, middle)):
        choice = body.add(f"next_{name}", bd.Switch())
        body.connect(above, choice["control"])
        body.connect(first, choice["then"])
        body.connect(second, choice["otherwise"])
        body.connect(choice, name)
    wide = body.add("wide", bd.Expression("high - low > 1e-14"))
    body.connect(low, wide["low"])
    body.connect(high, wide["high"])
    body.connect(wide, loop)
    body.connect(middle, body.add("x", bd.Outport()))
    d = bd.Diagram()
    d.add("sub", body)
    r = d.simulate(stop=1.0, compiled=compiled, log=["sub.x", "sub/loop.number"])
    assert abs(r.final("sub.x") - 0.7390851332151607) < 1e-14  # the Dottie number
    assert r.trace("sub/loop.number").values.tolist()[1:] == [r.final("sub/loop.number")] * 2


def euclid(**options: object) -> bd.Diagram:
    """while b: a, b = b, a mod b"""
    body = bd.Diagram("euclid")
    loop = body.add("loop", bd.While(**({"sample_time": 1.0, "test": "before"} | options)))  # type: ignore[arg-type]
    for name in ("a", "b"):
        choice = body.add(f"{name}_now", bd.Switch())
        body.connect(loop["first"], choice["control"])
        body.connect(body.add(name, bd.Inport()), choice["then"])
        body.connect(body.add(f"{name}_next", bd.UnitDelay(sample_time=INF)), choice["otherwise"])
    rest = body.add("rest", bd.Expression("where(b > 0.5, a % max(b, 1), 0)"))
    body.connect("a_now", rest["a"])
    body.connect("b_now", [rest["b"], "a_next"])
    body.connect(rest, "b_next")
    body.connect("b_now", body.add("more", bd.Compare()), loop)
    body.connect("a_now", body.add("gcd", bd.Outport()))
    body.connect("more", body.add("unfinished", bd.Outport()))
    body.connect(loop["number"], body.add("number", bd.Outport()))
    return body


def divisor(a: float, b: float, **options: object) -> bd.Diagram:
    d = bd.Diagram()
    sub = d.add("sub", euclid(**options))
    d.connect(d.add("a", bd.Constant(a)), sub["a"])
    d.connect(d.add("b", bd.Constant(b)), sub["b"])
    return d


@BOTH
@pytest.mark.parametrize(
    ("a", "b"), [(1071.0, 462.0), (462.0, 1071.0), (17.0, 5.0), (12.0, 0.0), (987.0, 610.0)]
)
def test_the_greatest_common_divisor(a: float, b: float, compiled: bool) -> None:
    r = divisor(a, b).simulate(stop=0.5, compiled=compiled)
    assert r.final("sub.gcd") == math.gcd(int(a), int(b))
    assert r.final("sub.unfinished") == 0.0
    ticks, x, y = 0, int(a), int(b)
    while y:
        x, y, ticks = y, x % y, ticks + 1
    assert r.final("sub.number") == ticks


@BOTH
def test_at_its_limit_it_ends_and_the_condition_tells_so(compiled: bool) -> None:
    """Consecutive Fibonacci numbers take the most divisions: Lame's theorem."""
    r = divisor(987.0, 610.0, limit=3).simulate(stop=0.5, compiled=compiled)
    assert (r.final("sub.unfinished"), r.final("sub.number")) == (1.0, 3.0)
    assert r.final("sub.gcd") == 233.0  # 987, 610, 377, 233


@BOTH
@pytest.mark.parametrize("test", ["before", "after"])
def test_the_limit_may_be_an_error(test: str, compiled: bool) -> None:
    with pytest.raises(bd.RunError, match="as many iterations as `limit` allows") as failed:
        divisor(987.0, 610.0, limit=3, at_limit="error", test=test).simulate(stop=0.5, compiled=compiled)
    assert failed.value.path == "sub/loop"


@BOTH
@pytest.mark.parametrize(("reset", "expected"), [(False, [4.0, 8.0, 12.0]), (True, [4.0, 4.0, 4.0])])
def test_states_go_on_or_begin_anew(reset: bool, expected: list[float], compiled: bool) -> None:
    body = bd.Diagram("count")
    loop = body.add("loop", bd.While(sample_time=1.0, limit=4, reset_states=reset))
    one, total = body.add("one", bd.Constant(1.0)), body.add("total", bd.Sum("++"))
    body.connect(one, [total[0], loop])
    body.connect(body.add("last", bd.UnitDelay(sample_time=INF)), total[1])
    body.connect(total, ["last", body.add("y", bd.Outport(initial=-1.0))])
    d = bd.Diagram()
    d.connect(
        d.add("sub", body)["y"], d.add("again", bd.Integrator())
    )  # something flows between the instants
    r = d.simulate(times=[0.5, 1.5, 2.5], compiled=compiled)
    assert r.trace("sub.y").values.tolist() == expected


@BOTH
def test_beside_a_trigger_and_an_enable(compiled: bool) -> None:
    for condition, times in ((bd.Trigger(), [0.5, 1.5, 3.5]), (bd.Enable(), [0.5, 1.5, 4.5])):
        body = euclid(sample_time=INF if isinstance(condition, bd.Trigger) else 1.0)
        body.add("when", condition)
        d = bd.Diagram()
        sub = d.add("sub", body)
        d.connect(d.add("a", bd.Constant(18.0)), sub["a"])
        d.connect(d.add("b", bd.PiecewiseConstant(times=[0.0, 2.0], values=[12.0, 9.0])), sub["b"])
        d.connect(d.add("pulse", bd.Step(time=1.0)), d.add("late", bd.Gain(1.0)), sub["when"])
        r = d.simulate(times=times, compiled=compiled)
        later = 6.0 if isinstance(condition, bd.Trigger) else 9.0  # 12 at the edge, 9 while it is enabled
        assert r.trace("sub.gcd").values.tolist() == [0.0, 6.0, later]


def test_vectors_take_as_many_iterations_as_one_of_them_needs() -> None:
    body = bd.Diagram("halves")
    loop = body.add("loop", bd.While(sample_time=1.0))
    u, x = body.add("u", bd.Inport()), body.add("x", bd.Switch())
    last = body.add("last", bd.UnitDelay(sample_time=INF, initial=[0.0, 0.0]))
    body.connect(loop["first"], x["control"])
    body.connect(u, x["then"])
    body.connect(last, x["otherwise"])
    body.connect(x, body.add("half", bd.Gain(0.5)), [last, body.add("y", bd.Outport())])
    body.connect("half", body.add("size", bd.Norm()), body.add("large", bd.Compare(value=1.0)), loop)
    outer = bd.Diagram()
    outer.connect(outer.add("u", bd.Constant([3.0, 4.0])), outer.add("sub", body)["u"])
    np.testing.assert_array_equal(outer.simulate(stop=0.1).final("sub.y"), [0.375, 0.5])


def test_two_in_one_diagram_one_in_another_and_one_outside() -> None:
    two = euclid()
    two.add("second", bd.While(sample_time=1.0))
    inner = bd.Diagram("outer")
    inner.add("loop", bd.While(sample_time=1.0))
    inner.connect(inner.add("one", bd.Constant(0.0)), "loop")
    inner.add("inside", euclid())
    for body, said in ((two, "a second While"), (inner, "that another one iterates")):
        d = bd.Diagram()
        d.add("sub", body)
        with pytest.raises(bd.DiagramError, match=said):
            d.compile()
    with pytest.raises(bd.DiagramError, match="outermost"):
        euclid().compile()


def test_what_flows_or_switches_cannot_be_iterated() -> None:
    for block, said in ((bd.Integrator(), "a state that flows"), (bd.Counter(), "events of its own")):
        body = euclid()
        body.connect("a_now", body.add("block", block))
        d = bd.Diagram()
        sub = d.add("sub", body)
        d.connect(d.add("a", bd.Constant(4.0)), [sub["a"], sub["b"]])
        with pytest.raises(bd.DiagramError, match=said):
            d.compile()


def test_a_wire_from_its_output_to_its_input_is_an_algebraic_loop() -> None:
    d = bd.Diagram()
    sub = d.add("sub", euclid())
    d.connect(sub["gcd"], sub["a"])
    d.connect(d.add("b", bd.Constant(4.0)), sub["b"])
    with pytest.raises(bd.DiagramError, match="algebraic loop"):
        d.compile()


def test_bad_limits() -> None:
    with pytest.raises(bd.ParameterError, match="whole number from 1"):
        bd.While(sample_time=1.0, limit=0)
    with pytest.raises(bd.ParameterError, match="before"):
        bd.While(sample_time=1.0, test="between")  # type: ignore[arg-type]


def test_in_a_file() -> None:
    d = loads(
        """
blockdyn: 1
blocks:
  sub:
    type: Subsystem
    diagram:
      blocks:
        loop: {type: While, sample_time: 1, limit: 20}
        n: {type: Sum, signs: "++"}
        one: {type: Constant, value: 1}
        last: {type: UnitDelay, sample_time: .inf}
        more: {type: Compare, operator: <, value: 12}
        y: {type: Outport}
      wires:
        - one -> n[0]
        - last -> n[1]
        - n -> [last, more, y]
        - more -> loop
"""
    )
    assert d.simulate(stop=0.5, log=["sub.y"]).final("sub.y") == 12.0
    assert dumps(loads(dumps(d))) == dumps(d)
