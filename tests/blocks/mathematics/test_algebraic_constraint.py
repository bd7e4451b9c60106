"""AlgebraicConstraint: implicit equations against their closed solutions, and their exact derivatives."""

from __future__ import annotations

import numpy as np
import pytest

import blockdyn as bd
from blockdyn.diagrams.model.errors import (
    AlgebraicLoop,
    DiagramError,
    LoopNotSolved,
    MissingInput,
    Undetermined,
)
from blockdyn.diagrams.yaml import loads

TIMES = np.linspace(0.0, 1.0, 11)


def implicit(formula: str, initial: float = 0.0) -> bd.Diagram:
    """The z for which a formula of it, and of its input u = x, is 0; x' = -z from 1."""
    d = bd.Diagram("implicit")
    z, f = d.add("z", bd.AlgebraicConstraint(initial)), d.add("f", bd.Expression(formula))
    x, minus = d.add("x", bd.Integrator(1.0)), d.add("minus", bd.Gain(-1.0))
    d.connect(z, f["z"])
    d.connect(x, f["x"])
    d.connect(f, z)
    d.connect(z, minus, x)
    return d


@pytest.mark.parametrize(
    ("method", "compiled"),
    [(method, True) for method in ("dopri5", "rodas5p", "radau5", "bdf", "auto")]
    + [("dopri5", False), ("bdf", False)],
)
def test_a_slope_that_is_given_implicitly(method: str, compiled: bool) -> None:
    """0 = z^3 + z - x with x' = -z: dt = -(3 z^2 + 1) / z dz, so 3/2 z^2 + ln z falls by t."""
    times = TIMES if compiled else TIMES[:3]
    r = implicit("z**3 + z - x", 0.6).simulate(times=times, method=method, rtol=1e-10, compiled=compiled)
    z, x = r["z"].values, r["x"].values
    np.testing.assert_allclose(z**3 + z, x, rtol=1e-11)
    np.testing.assert_allclose(1.5 * z**2 + np.log(z) + times, 1.5 * z[0] ** 2 + np.log(z[0]), atol=1e-7)


def test_its_derivatives_are_those_of_the_implicit_function() -> None:
    """dz/dx = 1 / (3 z^2 + 1), at x = 10, z = 2."""
    d = implicit("z**3 + z - x", 1.0)
    model = d.linearize([], "z", at={"x.x": 10.0})
    np.testing.assert_allclose(model.C, 1.0 / 13.0, rtol=1e-14)
    np.testing.assert_allclose(d.compile().jacobian(0.0, [10.0]).A, -1.0 / 13.0, rtol=1e-14)


def test_sensitivities_go_through_it() -> None:
    """0 = z - x with x' = -k z: dx/dk = -t exp(-k t)."""
    s = implicit("z - x").sensitivities(to=["minus.k", "x.x"], of=["x", "z"], times=TIMES, rtol=1e-10)
    for name in ("x", "z"):
        np.testing.assert_allclose(s[name, "minus.k"], TIMES * np.exp(-TIMES), rtol=1e-8, atol=1e-10)
        np.testing.assert_allclose(s[name, "x.x"], np.exp(-TIMES), rtol=1e-8)


@pytest.mark.parametrize("method", ["dopri5", "rodas5p", "radau5", "bdf", "auto"])
def test_where_the_search_begins_decides_between_solutions_in_sweeps_too(method: str) -> None:
    """z = +-sqrt(x): x = (1 -+ t / 2)^2; on two threads, and alone to the last bit."""
    starts = {"z.initial": [0.5, 2.0, -0.5, -2.0]}
    settings = {"stop": 1.0, "rtol": 1e-9, "method": method}
    sweep = bd.Sweep(implicit("z**2 - x"), starts, {"x": {"final": "x"}}, **settings)
    both = sweep.run(workers=2)["x"]
    np.testing.assert_allclose(both, [0.25, 0.25, 2.25, 2.25], rtol=1e-7)
    for i, value in enumerate(both):
        assert sweep.simulate(i)["x"].values[-1] == value


def test_an_event_may_jump_and_a_tick_may_hold_what_it_depends_on() -> None:
    """z + z^3 = u with u = 2, then 10: z = 1, then 2; of a held ramp t, the real root of z + z^3 = t_k."""
    d = bd.Diagram()
    for name, source in {"step": bd.Step(0.35, 2.0, 10.0), "ramp": bd.Ramp()}.items():
        z, f = d.add(f"z_{name}", bd.AlgebraicConstraint()), d.add(f"f_{name}", bd.Expression("z + z**3 - u"))
        d.connect(z, f["z"])
        d.connect(d.add(name, source), d.add(f"hold_{name}", bd.ZeroOrderHold(0.2)), f["u"])
        d.connect(f, z)
    r = d.simulate(stop=1.0)
    assert r["z_step"].values == pytest.approx([1.0, 2.0, 2.0], rel=1e-12)
    trace = r.trace("z_ramp")
    held = 0.2 * np.floor(trace.time / 0.2 + 1e-9)
    np.testing.assert_allclose(trace.values + trace.values**3, held, rtol=1e-11)


def test_vectors_are_solved_together() -> None:
    """A line and a circle: a + b = 1.4, a^2 + b^2 = 1 where a < b."""
    text = """
blockdyn: 1
blocks:
  z: {type: AlgebraicConstraint, initial: [0, 1]}
  parts: {type: Demux}
  line: {type: Expression, formula: "a + b - 1.4"}
  circle: {type: Expression, formula: "a ** 2 + b ** 2 - 1"}
  f: {type: Mux, count: 2}
wires:
  - z -> parts
  - parts[0] -> [line.a, circle.a]
  - parts[1] -> [line.b, circle.b]
  - line -> f[0]
  - circle -> f[1]
  - f -> z
"""
    d = loads(text)
    np.testing.assert_allclose(d.simulate(stop=1.0)["z"].values[-1], [0.6, 0.8], rtol=1e-11)
    assert loads(bd.dumps(d)).simulate(stop=1.0).final("z") == pytest.approx([0.6, 0.8], rel=1e-11)


def test_no_solution_names_the_unknown() -> None:
    """z^2 + x = 0 with x = 1."""
    with pytest.raises(LoopNotSolved, match="have no solution") as caught:
        implicit("z**2 + x", 0.3).simulate(stop=1.0)
    assert set(caught.value.iterate) == {"z.z"}
    assert caught.value.time == 0.0


def test_an_equation_without_its_unknown_is_an_error_and_an_open_input_is_told_instead() -> None:
    d = bd.Diagram()
    z = d.add("z", bd.AlgebraicConstraint())
    with pytest.raises(MissingInput):
        d.check()
    d.connect(d.add("one", bd.Constant(1.0)), z)
    with pytest.raises(Undetermined, match=r"z\.f"):
        d.check()


def test_a_wire_that_is_wrong_is_told_alone() -> None:
    """Nothing determines z only because the wire to `sum` does not say to which input."""
    d = bd.Diagram()
    z, total = d.add("z", bd.AlgebraicConstraint()), d.add("sum", bd.Sum("++"))
    d.connect(z, total)
    d.connect(d.add("one", bd.Constant(1.0)), total[1])
    d.connect(total, z)
    with pytest.raises(DiagramError, match="name one of them") as caught:
        d.check()
    assert "nothing determines" not in str(caught.value)


def test_a_loop_beside_it_is_an_error_of_its_own() -> None:
    """s = z + s / 2 is no equation that anyone has asked for."""
    d = bd.Diagram()
    z, s, half = d.add("z", bd.AlgebraicConstraint()), d.add("s", bd.Sum("++")), d.add("half", bd.Gain(0.5))
    d.connect(z, s[0])
    d.connect(s, half, s[1])
    d.connect(s, z)
    with pytest.raises(AlgebraicLoop) as caught:
        d.check()
    assert {port.partition(".")[0] for port in caught.value.cycle} == {"s", "half"}
