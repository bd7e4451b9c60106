"""Expression: formulas with conditions against their closed forms, and text that is no formula."""

from __future__ import annotations

from collections.abc import Callable
from math import pi, sin

import numpy as np
import pytest

import blockdyn as bd
from blockdyn.diagrams.model.run_errors import NotFinite


def integral(formula: str, stop: float, **coefficients: float) -> float:
    """The integral of a formula of t."""
    d = bd.Diagram()
    d.add("f", bd.Expression(formula=formula, coefficients=coefficients))
    d.add("x", bd.Integrator())
    d.connect("f", "x")
    return float(d.simulate(stop=stop, rtol=1e-10, atol=1e-12).final("x"))


@pytest.mark.parametrize(
    ("formula", "stop", "expected"),
    [
        ("floor(t)", 7.5, 21 + 7 * 0.5),
        ("ceil(3 * t)", 2.5, (sum(range(1, 8)) + 8 * 0.5) / 3),
        ("floor(-t)", 2.5, -1 - 2 - 3 * 0.5),
        ("t % 0.3", 1.0, 3 * 0.3**2 / 2 + 0.1**2 / 2),
        ("abs(t - 1)", 3.0, 0.5 + 2.0),
        ("max(t, 1, 2 * t - 3)", 4.0, 1 + (9 - 1) / 2 + (16 - 9) - 3),
        ("min(t, 2)", 3.0, 2 + 2),
        ("sign(cos(t))", 4.0, pi / 2 - (4 - pi / 2)),
        ("1 if t > 1 and t <= 1.01 else 0", 10.0, 0.01),
        ("where(not (t < 2 or t > 3), 5, -1)", 4.0, 5 - 3),
        ("0.25 <= t < 0.75", 1.0, 0.5),
        ("abs(abs(t - 2) - 1)", 4.0, 2.0),
        ("max(sin(t), 0)", 2 * pi, 2.0),
        ("max(sqrt(t) - 1, 0)", 4.0, 16 / 3 - 2 / 3 - 3),
        ("floor(2 * sin(t))", pi, 2 * pi / 3),
    ],
)
def test_integrals_over_time(formula: str, stop: float, expected: float) -> None:
    assert integral(formula, stop) == pytest.approx(expected, abs=1e-10)


def test_interpreted_integrals_over_time() -> None:
    """Of many formulas at once: each has its events."""
    d, expected = bd.Diagram(), {}
    for formula, value in {
        "floor(3 * t)": 1 / 3 + 2 * (0.9 - 2 / 3), "ceil(2 * t)": 0.5 + 2 * 0.4, "floor(-t)": -0.9,
        "t % 0.3": 3 * 0.3**2 / 2, "abs(t - 0.5)": 0.125 + 0.08, "min(t, 0.5)": 0.125 + 0.2,
        "max(t, 2 * t - 0.5)": 0.405 + 0.08, "sign(cos(pi * t))": 0.5 - 0.4, "0.25 <= t < 0.75": 0.5,
        "where(not (t < 0.2 or t > 0.3), 5, -1)": 0.5 - 0.8, "1 if t > 0.4 and t <= 0.41 else 0": 0.01,
    }.items():  # fmt: skip
        name = f"x{len(expected)}"
        d.connect(d.add(f"f{name}", bd.Expression(formula)), d.add(name, bd.Integrator()))
        expected[name] = value
    r = d.simulate(stop=0.9, rtol=1e-10, atol=1e-12, compiled=False)
    assert {name: float(r.final(name)) for name in expected} == pytest.approx(expected, abs=1e-10)


def test_inputs_are_the_names_in_order_of_appearance() -> None:
    block = bd.Expression(formula="a * sin(b) + c * t + k", coefficients={"c": 2.0, "k": 0.5})
    assert [port.name for port in block.input_ports()] == ["a", "b"]
    d = bd.Diagram()
    d.add("a", bd.Constant(value=[1.0, 2.0]))
    d.add("b", bd.Constant(value=[[0.1], [0.2]]))
    d.add("y", block)
    d.connect("a", "y.a")
    d.connect("b", "y.b")
    expected = [[sin(0.1) + 6.5, 2 * sin(0.1) + 6.5], [sin(0.2) + 6.5, 2 * sin(0.2) + 6.5]]
    assert np.allclose(d.simulate(stop=3.0).final("y"), expected, atol=1e-14)


def test_coefficients() -> None:
    assert integral("a * cos(w * t)", 1.0, a=3.0, w=2.0) == pytest.approx(1.5 * sin(2.0), abs=1e-10)


def test_a_dry_pendulum_stops_where_energy_says() -> None:
    """x'' = -x - 0.25 sign(x'): every half swing loses twice the friction's dead band, 0.5."""
    d = bd.Diagram()
    d.add("a", bd.Expression(formula="-x - 0.25 * sign(v)"))
    d.add("v", bd.Integrator())
    d.add("x", bd.Integrator(initial=2.0))
    d.connect("a", "v", "x")
    d.connect("x", "a.x")
    d.connect("v", "a.v")
    r = d.simulate(stop=3 * pi, rtol=1e-10, atol=1e-12)
    assert r.final("x") == pytest.approx(-(2.0 - 3 * 0.5), abs=1e-8)


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"formula": "__import__('os')"}, "not a function"),
        ({"formula": "a.b"}, "not allowed"),
        ({"formula": "[a, b]"}, "Mux"),
        ({"formula": "1 +"}, "not a formula"),
        ({"formula": "a * t", "coefficients": {"t": 1.0}}, "time"),
        ({"formula": 3.0}, "expected: text"),
        ({"formula": "a * b", "coefficients": {"c": 1.0}}, "`c`"),
        ({"formula": "a * b", "coefficients": {"a": "one"}}, "coefficients.a"),
        ({"formula": " + ".join(f"floor(u{i})" for i in range(6))}, "more conditions"),
    ],
)
def test_what_is_no_formula_is_refused(wrong: dict[str, object], says: str) -> None:
    with pytest.raises(bd.ParameterError, match=says):
        bd.Expression(**wrong)  # type: ignore[arg-type]


def test_distance_between_points_needs_no_event() -> None:
    assert integral("hypot(3 * t, 4 * t)", 2.0) == pytest.approx(10.0, abs=1e-12)
    assert "crossing" not in bd.Expression(formula="sqrt(a)").functions()


@pytest.mark.parametrize(
    ("formula", "expected"),
    [("where(1 - t > 0, sqrt(1 - t), 0)", 2 / 3), ("0 if t < 1 else (t - 1) ** 1.5", 2 / 5)],
)
def test_a_root_may_end_where_its_branch_ends(formula: str, expected: float) -> None:
    assert integral(formula, 2.0) == pytest.approx(expected, abs=1e-8)


def test_a_root_in_the_branch_that_holds_is_an_error() -> None:
    with pytest.raises(NotFinite, match="f"):
        integral("where(t > 1, sqrt(-t), 0)", 2.0)


def test_a_caret_is_no_power() -> None:
    with pytest.raises(bd.BlockdynError, match=r"write `\*\*`"):
        bd.Expression("t ^ 2")


def test_an_input_cannot_be_called_as_a_number() -> None:
    assert bd.Expression("pi * kp").input_ports() == (bd.Port("kp"),)
    d = bd.Diagram("d")
    d.connect(d.add("error", bd.Constant(1.0)), d.add("law", bd.Expression("kp * pi"))["pi"])
    with pytest.raises(bd.DiagramError, match=r"in formulas `pi` is the number 3\.14159; call"):
        d.compile()
    with pytest.raises(bd.ParameterError, match=r"names other than `pi`, which is the number 3\.14159"):
        bd.Expression("a * b", coefficients={"pi": 0.5})


def test_an_input_may_be_called_as_the_output() -> None:
    d = bd.Diagram("d")
    d.connect(d.add("three", bd.Constant(3.0)), d.add("twice", bd.Expression("2 * y"))["y"])
    assert d.simulate(stop=1.0, log=["twice"]).final("twice") == 6.0


def test_an_error_and_a_time_constant_may_have_their_usual_names() -> None:
    """tau y' = e: y = e t / tau."""
    d = bd.Diagram("d", parameters={"tau": 0.5})
    law = d.add("law", bd.Expression("e / tau", coefficients={"tau": bd.expression("tau")}))
    d.connect(d.add("error", bd.Constant(1.0)), law["e"])
    d.connect(law, d.add("y", bd.Integrator()))
    assert d.simulate(stop=2.0).final("y") == pytest.approx(4.0, rel=1e-12)


def test_numbers_that_are_names_here_lead_to_how_they_are_written() -> None:
    d = bd.Diagram("d")
    d.add("law", bd.Expression("e ** -t"))
    with pytest.raises(bd.DiagramError, match=r"the number is written exp\(1\)"):
        d.compile()
    d = bd.Diagram("d", parameters={"w": "=tau * 5"})
    with pytest.raises(bd.DiagramError, match=r"the number is written 2 \* pi"):
        d.compile()
    d = bd.Diagram("d")
    d.add("one", bd.Constant(1.0))
    with pytest.raises(bd.BlockdynError, match=r"the number is written exp\(1\)"):
        d.sweep({"one.value": [1.0]}, {"top": {"max": "one * e"}}, stop=1.0).run()


@pytest.mark.parametrize(
    "make",
    [
        lambda: bd.Saturation(lower=[0.0, 0.0], upper=[1.0, 1.0, 1.0]),
        lambda: bd.Relay(switch_on=[1.0, 2.0], switch_off=[0.0, 0.0, 0.0]),
        lambda: bd.RateLimiter(rising=[1.0, 2.0], falling=[-1.0, -2.0, -3.0]),
        lambda: bd.Sine(amplitude=[1.0, 2.0], frequency=[1.0, 2.0, 3.0]),
    ],
)
def test_parameters_of_other_sizes_are_named(make: Callable[[], bd.Block]) -> None:
    """And not told in NumPy's words."""
    with pytest.raises(bd.BlockError, match=r"`\w+` is vector 2, `\w+` is vector 3\nexpected: sizes"):
        make()
