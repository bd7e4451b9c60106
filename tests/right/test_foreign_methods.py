"""A Method from outside: it steps, finds events, is swept and refused like the library's own."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import pytest

import blockdyn as bd
from blockdyn.diagrams.yaml import loads
from blockdyn.solvers import methods
from blockdyn.solvers.backend import Backend
from blockdyn.solvers.methods.data import InvalidMethod, Nodes
from blockdyn.solvers.methods.method import Steps
from blockdyn.solvers.methods.tableau import Tableau

Growth: TypeAlias = Callable[[], bd.Diagram]
MIDPOINT = bd.Method(
    "midpoint", "Explicit midpoint rule", "C. Runge, Mathematische Annalen 46 (1895) 167-178",
    bd.butcher_tableau([[], ["1/2"]], [0, 1], order=2),
)  # fmt: skip
KUTTA3 = bd.Method(
    "kutta3", "Kutta's method of order 3", "W. Kutta (1901)",
    bd.butcher_tableau([[], [0.5], [-1, 2]], ["1/6", "2/3", "1/6"], order=3),
)  # fmt: skip
HEUN_EULER = bd.Method(
    "heun21", "Heun-Euler 2(1)", "E. Hairer, S. P. Norsett, G. Wanner (1993), section II.4",
    bd.butcher_tableau([[], [1]], ["1/2", "1/2"], order=2, b_hat=[1, 0], error_order=1),
)  # fmt: skip


def errors(
    growth: Growth, method: bd.Method, steps: tuple[int, ...], times: Any = None, **more: Any
) -> list[float]:
    stop, found = 2.0, []
    for n in steps:
        r = growth().simulate(stop=stop, method=method, step=stop / n, times=times, **more)
        trace = r.trace("x")
        found.append(float(np.abs(trace.values - np.exp(np.sin(trace.time))).max()))
    return found


@pytest.mark.parametrize("compiled", [True, False])
@pytest.mark.parametrize(("method", "order"), [(MIDPOINT, 2), (KUTTA3, 3)])
def test_it_converges_with_its_order_at_the_steps_and_between(
    growth: Growth, method: bd.Method, order: int, compiled: bool
) -> None:
    for times in (None, np.linspace(0.0, 2.0, 97)):
        first, second = errors(growth, method, (50, 100), times, compiled=compiled)
        assert np.log2(first / second) == pytest.approx(order, abs=0.2)
    assert method.order == order
    assert method.kind == "fixed"


def test_one_with_an_embedded_solution_chooses_its_steps(growth: Growth) -> None:
    found = []
    for rtol in (1e-4, 1e-6):
        r = growth().simulate(stop=2.0, method=HEUN_EULER, rtol=rtol, atol=rtol)
        found.append((abs(r.final("x") - np.exp(np.sin(2.0))), r.statistics["steps"]))
        assert r.provenance.solver["method"] == "heun21"
    (coarse, few), (fine, many) = found
    assert HEUN_EULER.kind == "adaptive"
    assert fine < 1e-5 < 10 * coarse
    assert many == pytest.approx(10 * few, rel=0.3)  # the error of a step is that of order 1: h ~ rtol^(1/2)


def test_it_is_the_method_of_the_library_with_the_same_tableau(growth: Growth) -> None:
    heun = bd.Method("mine", "Heun", "Heun", bd.butcher_tableau([[], [1]], ["1/2", "1/2"], order=2))
    assert errors(growth, heun, (40,)) == errors(growth, methods.HEUN, (40,))


def test_it_finds_events() -> None:
    """cos t is at 0.3 at acos(0.3)."""
    d = bd.Diagram()
    x, v, k = d.add("x", bd.Integrator(1.0)), d.add("v", bd.Integrator(0.0)), d.add("k", bd.Gain(-1.0))
    d.connect(v, x)
    d.connect(x, k, v)
    d.connect(x, d.add("hit", bd.HitCrossing(0.3)))
    r = d.simulate(stop=2.0, method=KUTTA3, step=0.005)
    assert [e.time for e in r.events] == pytest.approx([np.arccos(0.3)], abs=1e-7)


def test_it_is_the_setting_of_a_diagram_and_of_a_sweep(growth: Growth) -> None:
    d = growth()
    d.settings(stop=2.0, method=MIDPOINT, step=0.1)
    alone = d.simulate().final("x")
    assert abs(alone - np.exp(np.sin(2.0))) > 1e-6
    swept = bd.Sweep(d, {"x.initial": [1.0, 2.0]}, {"end": {"final": "x"}}).run()["end"]
    assert list(swept) == pytest.approx([alone, 2 * alone], rel=1e-14)
    axis = {"simulate.method": [MIDPOINT, "rk4"]}
    each = bd.Sweep(growth(), axis, {"end": {"final": "x"}}, stop=2.0, step=0.1).run()["end"]
    assert list(each) == [alone, growth().simulate(stop=2.0, method="rk4", step=0.1).final("x")]
    with pytest.raises(bd.BlockdynError, match="midpoint, a Method of your own"):
        bd.dumps(d)
    d.settings(method=methods.RK4)
    assert "method: rk4" in bd.dumps(d)


def test_a_package_offers_it_by_name(growth: Growth, monkeypatch: pytest.MonkeyPatch) -> None:
    class Point:
        name, group = "midpoint", methods.GROUP
        dist, module = None, "elsewhere"

        def load(self) -> bd.Method:
            return MIDPOINT

    monkeypatch.setattr(
        "importlib.metadata.entry_points", lambda group: [Point()] if group == Point.group else []
    )
    methods._offered_methods.cache_clear()
    try:
        assert methods.method("Midpoint") is MIDPOINT
        assert "midpoint" in methods.names()
        d = loads(bd.dumps(growth()) + "simulate: {stop: 2.0, method: midpoint, step: 0.02}\n")
        assert d.simulate().final("x") == pytest.approx(np.exp(np.sin(2.0)), abs=1e-3)
        assert bd.dumps(d).count("midpoint") == 1
    finally:
        methods._offered_methods.cache_clear()


def test_it_travels_to_other_processes(growth: Growth) -> None:
    again = pickle.loads(pickle.dumps(MIDPOINT))
    assert growth().simulate(stop=1.0, method=again, step=0.1).final("x") == growth().simulate(
        stop=1.0, method=MIDPOINT, step=0.1
    ).final("x")


class FixedNodes(Nodes):
    """Steps of a size that the caller chooses, seen at their ends and in the middle."""

    @property
    def kind(self) -> Any:
        return "fixed"


def rosenbrock_euler(backend: Backend, margin: Any) -> Steps:
    """x_new = x + h (I - h J)^-1 f(t + h, x), J by differences: linearly implicit, stable however stiff."""

    def take(code: Any, m: Any, s: Any, target: float) -> int:
        s.t_new = min(s.t + s.h_fixed, target)
        h = s.h_taken = s.t_new - s.t
        n, J, f = m.x.size, np.zeros((m.x.size, m.x.size)), np.zeros(m.x.size)
        backend.derivative(code, s.t_new, m.x, f, m)
        for i in range(n):
            s.x_trial[:] = m.x
            s.x_trial[i] += 1e-7
            backend.derivative(code, s.t_new, s.x_trial, s.scratch, m)
            J[:, i] = (s.scratch - f) / 1e-7
        s.x_new[:] = m.x + np.linalg.solve(np.eye(n) - h * J, h * f)
        for j, place in ((1, 0.5 * (m.x + s.x_new)), (2, s.x_new)):
            failed = backend.evaluate(code, s.t + s.C[j] * h, np.ascontiguousarray(place), s.K[j], m)
            s.G[j] = m.g
        return failed

    def interpolate(m: Any, s: Any, theta: float, out: Any) -> None:
        out[:] = m.x + theta * (s.x_new - m.x)

    return Steps(take, lambda code, m, s: 0, interpolate)


ROSENBROCK_EULER = bd.Method(
    "rosenbrock_euler", "Linearly implicit Euler", "H. H. Rosenbrock, The Computer Journal 5 (1963) 329-330",
    FixedNodes(1, places=3), steps=rosenbrock_euler,
)  # fmt: skip


@pytest.mark.parametrize("compiled", [True, False])
def test_steps_of_another_kind_are_a_value_too(growth: Growth, compiled: bool) -> None:
    """Order 1; on x' = -1000 (x - cos t), where explicit steps of 0.02 explode; with events and ticks."""
    first, second = errors(growth, ROSENBROCK_EULER, (100, 200), compiled=compiled)
    assert np.log2(first / second) == pytest.approx(1.0, abs=0.1)
    d = bd.Diagram()
    x, f = d.add("x", bd.Integrator(0.0)), d.add("f", bd.Expression("-1000 * (x - cos(t))"))
    d.connect(x, f["x"])
    d.connect(f, x, d.add("hit", bd.HitCrossing(0.3)))
    d.connect(x, d.add("held", bd.ZeroOrderHold(0.25)))
    r = d.simulate(stop=6.0, method=ROSENBROCK_EULER, step=0.02, compiled=compiled)
    crossed = np.array([np.arccos(0.3), 2 * np.pi - np.arccos(0.3)])
    assert [e.time for e in r.events[-2:]] == pytest.approx(crossed, abs=2e-3)
    assert r.final("x") == pytest.approx(np.cos(6.0), abs=2e-3)
    assert r.final("held") == pytest.approx(np.cos(6.0), abs=2e-3)
    assert r.provenance.solver["method"] == "rosenbrock_euler"


def test_a_result_keeps_the_tableau_that_no_name_leads_to(growth: Growth, tmp_path: Path) -> None:
    """From the file of a result the run is repeated, to the last bit."""
    d = growth()
    choices: list[tuple[bd.Method, dict[str, Any]]] = [
        (MIDPOINT, {"step": 0.1}),
        (HEUN_EULER, {"rtol": 1e-4}),
    ]
    for method, more in choices:
        first = d.simulate(stop=2.0, method=method, **more)
        first.save(tmp_path / "run.nc")
        solver = bd.load_result(tmp_path / "run.nc").provenance.solver
        told = dict(solver["method data"])
        title, source = told.pop("title"), told.pop("source")
        again = bd.Method(solver["method"], title, source, Tableau.read(told))
        assert d.simulate(stop=2.0, method=again, **more).trace("x").identical(first.trace("x"))
    assert "method data" not in d.simulate(stop=2.0).provenance.solver


def test_what_a_method_wants_and_does_not_use_changes_nothing(growth: Growth) -> None:
    wants = bd.Method("newton", "t", "s", MIDPOINT.data, wants=("jacobian", "time derivative"))
    with_it, without = (growth().simulate(stop=1.0, method=m, step=0.1) for m in (wants, MIDPOINT))
    assert with_it.trace("x").identical(without.trace("x"))
    assert with_it.statistics["jacobians"] == 0


@pytest.mark.parametrize(
    ("a", "b", "more"),
    [
        ([[], [1, 0]], [0.5, 0.5], {}),
        ([[], [1]], [0.5], {}),
        ([[], [1]], [0.5, 0.6], {}),
        ([[], [1]], [0.5, "half"], {}),
        ([[], [1]], [0.5, 0.5], {"b_hat": [1, 0]}),
        ([[], [1]], [0.5, 0.5], {"b_hat": [1, 0, 0], "error_order": 1}),
    ],
)
def test_a_tableau_that_does_not_fit_is_refused(a: Any, b: Any, more: Any) -> None:
    with pytest.raises(InvalidMethod, match="expected: "):
        bd.butcher_tableau(a, b, order=2, **more)


@pytest.mark.parametrize(
    "part",
    [
        {"name": "two words"}, {"name": ""}, {"name": 3}, {"title": None}, {"source": 1}, {"data": [1, 2]},
        {"steps": "runge_kutta"}, {"wants": "jacobian"}, {"wants": ("slopes",)}, {"aliases": (1,)},
    ],
)  # fmt: skip
def test_a_method_that_is_none_is_refused(part: dict[str, Any]) -> None:
    with pytest.raises(InvalidMethod, match=rf"Method: {next(iter(part))} is .*\nexpected: "):
        replace(MIDPOINT, **part)
