"""Operating points: those of statics, of hover and cruise, of arms, and what cannot be one."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import blockdyn as bd
from blockdyn.analysis.errors import AnalysisError, UnknownVariable
from blockdyn.analysis.trim import TrimError
from blockdyn.robots import functions


def pendulum() -> bd.Diagram:
    """theta'' = u - 14 sin theta - 0.3 theta'."""
    d = bd.Diagram("pendulum")
    total = d.add("total", bd.Sum("+--"))
    w, th = d.add("w", bd.Integrator(0.1)), d.add("th", bd.Integrator(0.2))
    d.connect(d.add("u", bd.Inport(default=1.0, unit="1/s^2")), total[0])
    d.connect(th, d.add("gravity", bd.Expression("14 * sin(u)")), total[1])
    d.connect(w, d.add("friction", bd.Gain(0.3)), total[2])
    d.connect(total, w, th, d.add("x", bd.Expression("0.7 * sin(u)")), d.add("y", bd.Outport()))
    return d


def test_the_angle_that_a_torque_holds() -> None:
    point = pendulum().trim(inputs={"u": 7.0})
    assert point.states["th.x"] == pytest.approx(np.pi / 6, rel=1e-14)
    assert point.states["w.x"] == pytest.approx(0.0, abs=1e-14)
    assert point.residual <= 1e-12
    assert point.floating == ()


def test_the_torque_that_holds_an_angle_or_an_output() -> None:
    assert pendulum().trim(states={"th.x": 0.4}).inputs["u"] == pytest.approx(14 * np.sin(0.4), rel=1e-14)
    point = pendulum().trim(outputs={"y": 0.35})
    assert point.inputs["u"] == pytest.approx(7.0, rel=1e-13)
    assert point.outputs["y"] == pytest.approx(0.35, rel=1e-14)


def test_a_run_that_begins_there_stays_there() -> None:
    d = pendulum()
    point = d.trim(inputs={"u": 7.0})
    r = d.simulate(stop=5.0, initial=point.initial, inputs=point.inputs)
    np.testing.assert_allclose(r["th.y"], point.states["th.x"], atol=1e-12)
    assert d.linearize(at=point).A[1, 0] == pytest.approx(-14 * np.cos(np.pi / 6), rel=1e-13)


def test_what_the_equations_leave_open_floats_near_the_begin() -> None:
    point = pendulum().trim(at={"th.x": 0.5, "w.x": 0.0, "u": 14 * np.sin(0.5)})
    assert point.floating == ("th.x", "u")
    assert point.states["th.x"] == pytest.approx(0.5, abs=1e-12)


def test_slopes_and_elements() -> None:
    """A mass that moves at 3 m/s against a friction of 0.5 Ns/m."""
    d = bd.Diagram()
    p = bd.StateSpace(A=[[0, 1], [0, -0.5]], B=[[0], [1]], C=[[1, 0]], D=[[0]])
    d.connect(d.add("u", bd.Inport(default=0.0)), d.add("p", p), d.add("y", bd.Outport()))
    for slopes in ({"p.x[0]": 3.0}, {"p.x": [3.0, 0.0]}):
        point = d.trim(slopes=slopes, states={"p.x": [1.0, np.nan]})
        np.testing.assert_allclose(point.states["p.x"], [1.0, 3.0], rtol=1e-14)
        assert point.inputs["u"] == pytest.approx(1.5, rel=1e-14)
    point = d.trim(slopes={"p.x[0]": None}, inputs={"u": 2.0})
    assert point.states["p.x"][1] == pytest.approx(4.0, rel=1e-14)
    assert point.floating == ("p.x[0]",)


def test_a_sampled_controller_at_rest() -> None:
    """q+ = q + h (r - y): y = r; the plant 2 / (0.5 s + 1) needs half of it."""
    d = bd.Diagram()
    e = d.add("e", bd.Sum("+-"))
    d.connect(d.add("r", bd.Inport(default=3.0)), e[0])
    plant = d.add("plant", bd.TransferFunction(num=[2.0], den=[0.5, 1.0]))
    d.connect(e, d.add("q", bd.DiscreteIntegrator(sample_time=0.1)), plant, [e[1], d.add("y", bd.Outport())])
    point = d.trim(inputs={"r": 3.0})
    assert point.held["q.x"] == pytest.approx(1.5, rel=1e-13)
    assert point.held["q.y"] == pytest.approx(1.5, rel=1e-13)
    assert point.outputs["y"] == pytest.approx(3.0, rel=1e-13)
    r = d.simulate(stop=2.0, initial=point.initial, inputs=point.inputs)
    np.testing.assert_allclose(r["plant.y"], 3.0, atol=1e-11)


def test_an_arm_that_holds_itself() -> None:
    """The torques are those of gravity."""
    robot = bd.robots.load("modern_robotics_3r")
    d = bd.Diagram()
    arm = d.add("arm", bd.FDyn(robot))
    d.connect(d.add("tau", bd.Inport(default=[0.0] * 3)), arm[0])
    d.connect(arm[0], d.add("q", bd.Outport()))
    q = [0.3, 0.7, -0.5]
    point = d.trim(states={"arm.position": q})
    expected = functions.gravload(robot, q)
    np.testing.assert_allclose(point.inputs["tau"], expected, rtol=1e-12, atol=1e-13)
    np.testing.assert_allclose(point.states["arm.velocity"], 0.0, atol=1e-12)
    assert point.residual <= 1e-12


def test_an_arm_with_dry_friction() -> None:
    """Within the friction any torque holds it, and that nearest to none is taken: gravity less friction."""
    robot = bd.robots.load("puma560")
    d = bd.Diagram()
    arm = d.add("arm", bd.FDyn(robot))
    d.connect(d.add("tau", bd.Inport(default=[0.0] * 6)), arm[0])
    d.connect(arm[0], d.add("q", bd.Outport()))
    point = d.trim(states={"arm.position": [0.1, 0.7, -0.4, 0.2, 0.5, -0.3], "arm.velocity": [0.0] * 6})
    assert point.residual <= 1e-12
    r = d.simulate(stop=1.0, initial=point.initial, inputs=point.inputs)
    np.testing.assert_allclose(r["arm.q"][-1], point.states["arm.position"], atol=1e-9)


def test_an_arm_with_dry_friction_where_an_output_asks_for_its_pose() -> None:
    """The search begins where friction does not hold the arm. Torques differ from those of gravity by the
    Coulomb friction at most, [0.435, 0.126, 0.132, 0.0169, 0.0145, 0.0105] Nm at the motors (P. Corke and B.
    Armstrong-Helouvry, ICRA 1994), times the ratios of the gears.
    """
    robot, q = bd.robots.load("puma560"), [0.0, 0.8, -2.0, 0.0, 0.5, 0.0]
    d = bd.Diagram()
    d.connect(d.add("tau", bd.Inport(default=[0.0] * 6)), d.add("arm", bd.FDyn(robot)))
    d.connect("arm.q", d.add("q", bd.Outport()))
    point = d.trim(outputs={"q": q})
    assert point.residual <= 1e-12
    np.testing.assert_allclose(point.states["arm.position"], q, atol=1e-12)
    away = point.inputs["tau"] - functions.gravload(robot, q)
    friction = np.array([0.435, 0.126, 0.132, 0.0169, 0.0145, 0.0105])
    gears = np.array([62.6111, 107.815, 53.7063, 76.0364, 71.923, 76.686])
    assert np.all(np.abs(away) <= friction * gears * (1.0 + 1e-9))


def hover() -> bd.Diagram:
    d = bd.Diagram("hover")
    vehicle = d.add("uav", bd.Quadrotor())
    d.connect(d.add("omega", bd.Inport(default=[800.0, -800.0, 800.0, -800.0])), vehicle)
    d.connect(vehicle["position"], d.add("p", bd.Outport()))
    return d


def test_a_quadrotor_in_hover() -> None:
    """4 b w^2 = m g, all speeds alike; pushing up needs 2 b w / m of acceleration per rad/s of each rotor."""
    point = hover().trim(outputs={"p": [1.0, 2.0, -3.0]})
    w = np.abs(point.inputs["omega"])
    np.testing.assert_allclose(w, w[0], rtol=1e-12)
    np.testing.assert_array_equal(np.sign(point.inputs["omega"]), [1, -1, 1, -1])
    model = hover().linearize("omega", "uav.v", at=point)
    np.testing.assert_allclose(model.B[9] * point.inputs["omega"] * 4 / 2, -9.8, rtol=2e-3)


def test_what_cannot_be_met_is_named() -> None:
    with pytest.raises(TrimError, match=r"the derivative of w\.x is off by") as error:
        pendulum().trim(inputs={"u": 20.0})
    assert (
        max(error.value.equations, key=lambda name: error.value.equations[name] ** 2)
        == "the derivative of w.x"
    )
    with pytest.raises(TrimError, match=r"no free value affects the output y"):
        pendulum().trim(states={"th.x": 0.1}, outputs={"y": 0.5})
    with pytest.raises(TrimError, match="at a bound: u"):
        pendulum().trim(states={"th.x": 0.4}, bounds={"u": (0.0, 2.0)})


@pytest.mark.parametrize(
    ("arguments", "kind", "message"),
    [
        ({"states": {"th": 1.0}}, UnknownVariable, "did you mean `th.x`"),
        ({"inputs": {"v": 1.0}}, UnknownVariable, "no input 'v'"),
        ({"outputs": {"z": 1.0}}, UnknownVariable, "no signal 'z'"),
        ({"bounds": {"w": (0, 1)}}, UnknownVariable, "state or input 'w'"),
        ({"bounds": {"u": (1, 0)}}, AnalysisError, "least and the greatest"),
        ({"bounds": {"u": 1.0}}, AnalysisError, "least and the greatest"),
        ({"states": {"th.x": [1.0, 2.0]}}, AnalysisError, "a number"),
        ({"states": {"th.x": "up"}}, AnalysisError, "a number"),
    ],
)
def test_what_cannot_be_asked(arguments: Any, kind: type[Exception], message: str) -> None:
    with pytest.raises(kind, match=message):
        pendulum().trim(**arguments)


@pytest.mark.parametrize("argument", ["states", "inputs", "outputs", "slopes", "bounds"])
@pytest.mark.parametrize("wrong", [np.array([]), np.array([np.nan, 1.0]), 3.0, ["x"], ""])
def test_values_without_names_are_refused(argument: str, wrong: object) -> None:
    d = bd.Diagram("rest")
    d.connect(d.add("u", bd.Inport(default=1.0)), d.add("x", bd.Integrator()))
    with pytest.raises(AnalysisError, match=rf"{argument} is .*\n.*values by name"):
        d.trim(**{argument: wrong})  # type: ignore[arg-type]


def test_a_value_that_is_nan_is_none() -> None:
    """Among the elements of a vector it leaves one free; alone it is a mistake."""
    with pytest.raises(AnalysisError, match=r"inputs\['u'\] is nan\nexpected: a number"):
        pendulum().trim(inputs={"u": float("nan")})


def test_only_what_cannot_be_met_is_named() -> None:
    """A constant is summed up without end, beside a filter that comes to rest but for rounding."""
    d = bd.Diagram("sums")
    d.connect(d.add("constant", bd.Constant(0.17)), d.add("sum", bd.DiscreteIntegrator(sample_time=0.1)))
    filter = d.add("filter", bd.DiscreteTransferFunction(num=[0.3], den=[1.0, -0.7], sample_time=0.1))
    d.connect(d.add("u", bd.Inport(default=0.0)), filter, d.add("y", bd.Outport()))
    with pytest.raises(TrimError, match=r"one the next sum\.x is off by 0\.017\nexpected") as error:
        d.trim(outputs={"y": 1.0})
    assert list(error.value.equations) == ["the next sum.x"]


@pytest.mark.parametrize(("given", "u"), [({"load": 1.0}, 0.0), ({"u": 3.0}, 3.0), ({}, 0.5)])
def test_inputs_that_are_searched_for_need_no_value(given: dict[str, float], u: float) -> None:
    """x' = u + load - 2 x, y = 4 x = 2; where both are free, the nearest to 0."""
    d = bd.Diagram("motor")
    total = d.add("total", bd.Sum("++"))
    d.connect(d.add("u", bd.Inport()), total[0])
    d.connect(d.add("load", bd.Inport()), total[1])
    d.connect(total, d.add("motor", bd.TransferFunction(num=[2.0], den=[0.5, 1.0])), d.add("y", bd.Outport()))
    point = d.trim(inputs=given, outputs={"y": 2.0})
    assert abs(point.inputs["u"] - u) < 1e-12
    assert abs(point.inputs["u"] + point.inputs["load"] - 1.0) < 1e-12


@pytest.mark.parametrize(
    ("asked", "inflow"), [({"outputs": {"y": 0.49}}, 0.35), ({"inputs": {"q": 0.35}}, 0.35), ({}, 0)]
)
def test_a_tank_that_is_empty_where_the_search_begins(asked: dict[str, Any], inflow: float) -> None:
    """h' = q - sqrt(h) / 2, whose slope by h is infinite at 0."""
    d = bd.Diagram("tank")
    net, level, root = d.add("net", bd.Sum("+-")), d.add("h", bd.Integrator()), d.add("root", bd.Sqrt())
    d.connect(d.add("q", bd.Inport(default=0.0)), net[0])
    d.connect(net, level, root, d.add("law", bd.Gain(0.5)), net[1])
    d.connect(level, d.add("y", bd.Outport()))
    point = d.trim(**asked)
    assert point.inputs["q"] == pytest.approx(inflow, abs=1e-12)
    assert point.states["h.x"] == pytest.approx(4.0 * inflow**2, abs=1e-12)
    with pytest.raises(bd.NotDifferentiable, match=r"the rate of h\.x by h\.x, which is -inf"):
        d.linearize()
    assert bd.derivative(d, ["h.x'"], ["h.x"])["h.x'", "h.x"] == -np.inf


def test_signals_may_be_asked_for_as_outputs():
    """2 / (0.5 s + 1) at rest gives 3 for 1.5; the gains behind it twice as much, element by element."""
    d = bd.Diagram()
    motor, gains = d.add("motor", bd.TransferFunction([2.0], [0.5, 1.0])), d.add("gains", bd.Gain([1.0, 2.0]))
    d.connect(d.add("u", bd.Inport(default=0.0)), motor, gains, d.add("y", bd.Outport()))
    for outputs in (
        {"motor": 3.0},
        {"motor.y": 3.0},
        {"gains.y[1]": 6.0},
        {"y[1]": 6.0},
        {"gains": [3.0, np.nan]},
    ):
        point = d.trim(outputs=outputs)
        assert point.inputs["u"] == pytest.approx(1.5, rel=1e-12)
        (name,) = outputs
        assert name.partition("[")[0] in point.outputs
    with pytest.raises(AnalysisError, match=r"'motor.y' is a signal, not a state\nexpected: outputs="):
        d.trim(states={"motor.y": 3.0})
    with pytest.raises(AnalysisError, match="no signal 'moto'"):
        d.trim(outputs={"moto": 3.0})
