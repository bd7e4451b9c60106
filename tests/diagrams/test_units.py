"""The unit of a signal: what physics says, or nothing."""

import numpy as np
import pytest

import blockdyn as bd
from blockdyn.diagrams.compiler.compile import compile_diagram
from blockdyn.diagrams.compiler.report import Report, make_report
from blockdyn.diagrams.yaml import loads


def report_of(diagram: bd.Diagram) -> Report:
    """What `blockdyn check` knows about a diagram."""
    return make_report(compile_diagram(diagram))


def units(text: str) -> dict[str, str]:
    """The unit of every signal of a diagram, by path."""
    return {signal.path: signal.unit for signal in report_of(loads(text)).signals}


SOURCES = """
blockdyn: 1
blocks:
  clock: {type: Clock}
  metres: {type: Circle}
  arm: {type: FDyn, robot: twolink}
  none: {type: Constant, value: [0, 0]}
  y: BLOCK
wires:
  - none -> arm.tau
  - WIRES
"""


@pytest.mark.parametrize(
    ("block", "wires", "expected"),
    [
        ("{type: Selector, indices: [0, 2]}", "metres.position -> y", "m"),
        ("{type: Norm}", "metres.velocity -> y", "m/s"),
        ("{type: Gain, k: 3}", "metres.position -> y", "m"),
        ("{type: Gain, k: 3, unit: N}", "metres.position -> y", "N"),
        ("{type: MatrixGain, K: [1, 1, 1]}", "metres.position -> y", "m"),
        ("{type: Sum}", "metres.position -> [y[0], y[1]]", "m"),
        ("{type: Saturation}", "clock -> y", "s"),
        ("{type: DeadZone}", "clock -> y", "s"),
        ("{type: Abs}", "clock -> y", "s"),
        ("{type: RateLimiter}", "arm.qd -> y", "rad/s"),
        ("{type: ZeroOrderHold, sample_time: 0.1}", "arm.qd -> y", "rad/s"),
        ("{type: UnitDelay, sample_time: 0.1}", "arm.q -> y", "rad"),
        ("{type: DiscreteRateLimiter, sample_time: 0.1}", "arm.q -> y", "rad"),
        ("{type: Integrator}", "metres.velocity -> y", "m"),
        ("{type: DiscreteIntegrator, sample_time: 0.1}", "metres.acceleration -> y", "m/s"),
        ("{type: Derivative}", "metres.velocity -> y", "m/s2"),
        ("{type: Reshape, shape: [1, 3]}", "metres.position -> y", "m"),
        ("{type: Outport}", "metres.position -> y", "m"),
        ("{type: Trigonometry, function: atan}", "none -> y", "rad"),
        ("{type: Product}", "metres.position -> [y[0], y[1]]", ""),
        ("{type: Compare}", "clock -> y", ""),
    ],
)
def test_a_block_that_keeps_the_quantity_keeps_its_unit(block: str, wires: str, expected: str) -> None:
    assert units(SOURCES.replace("BLOCK", block).replace("WIRES", wires))["y.y"] == expected


def test_elements_keep_their_units_through_mux_and_demux() -> None:
    text = SOURCES.replace("BLOCK", "{type: Mux, count: 3}").replace(
        "WIRES", "clock -> y[0]\n  - metres.position -> y[1]\n  - arm.qd -> [y[2], halves]\n  - y -> last"
    )
    blocks = "  halves: {type: Demux}\n  last: {type: Selector, indices: [-1, 0]}\nwires:"
    found = units(text.replace("wires:", blocks))
    assert found["y.y"] == "s, m, m, m, rad/s, rad/s"
    assert found["last.y"] == "rad/s, s"
    assert found["halves.y0"] == "rad/s"


def test_a_switch_of_like_signals_and_the_matrix_rows() -> None:
    text = """
blockdyn: 1
blocks:
  a: {type: Circle}
  b: {type: Circle, radius: 2}
  clock: {type: Clock}
  either: {type: Switch}
  rows: {type: Concatenate}
  turned: {type: Transpose}
wires:
  - clock -> either.control
  - a.position -> [either.then, rows[0]]
  - b.position -> either.otherwise
  - b.velocity -> rows[1]
  - rows -> turned
"""
    found = units(text)
    assert found["either.y"] == "m"
    assert found["rows.y"] == "m, m, m, m/s, m/s, m/s"
    assert found["turned.y"] == "m, m/s, m, m/s, m, m/s"


def test_elements_of_contradictory_units_have_none() -> None:
    """A product with a matrix mixes m and s; the sums have no unit, however many there are."""
    text = """
blockdyn: 1
blocks:
  a: {type: Circle}
  clock: {type: Clock}
  both: {type: Mux}
  mixed: {type: MatrixGain, K: [[1, 0, 0, 1], [1, 0, 0, 1], [1, 0, 0, 1], [1, 0, 0, 1]]}
wires:
  - a.position -> both[0]
  - clock -> both[1]
  - both -> mixed
"""
    assert units(text)["mixed.y"] == ""


def test_a_bus_and_its_selector_carry_the_units_of_the_fields() -> None:
    r = bd.load("quadrotor-corke").simulate(stop=0.01)
    assert r["shown.x"].attrs["units"] == "m"
    assert r["shown.yaw"].attrs["units"] == "rad"


def test_a_loop_of_integrators_has_the_units_of_mechanics() -> None:
    text = """
blockdyn: 1
blocks:
  friction: {type: CoulombFriction}
  force: {type: Sum, signs: "+-"}
  mass: {type: Gain, k: 0.5, unit: m/s2}
  speed: {type: Integrator, initial: 1.0}
  place: {type: Integrator}
  spring: {type: Gain, k: -20.0}
wires:
  - force -> mass -> speed -> place -> spring
  - speed -> friction.velocity
  - spring -> [friction.force, force[0]]
  - friction -> force[1]
"""
    d = loads(text)
    found = {signal.path: signal.unit for signal in report_of(d).signals}
    assert (found["speed.y"], found["place.y"]) == ("m/s", "m")
    assert found["spring.y"] == ""  # m would be wrong: k is in N/m, which the force it drives gives away
    r = d.simulate(stop=0.1)
    assert r["place"].attrs["units"] == "m"
    assert r.states["speed.x"].unit == "m/s"


def test_a_controller_made_of_gains_is_not_called_an_angle() -> None:
    text = """
blockdyn: 1
blocks:
  wanted: {type: JointTrajectory, q0: [0, 0], qf: [1, 1], duration: 1}
  error: {type: Sum, signs: "+-"}
  P: {type: Gain, k: 30}
  D: {type: Gain, k: 3}
  law: {type: Sum, signs: "+-"}
  arm: {type: FDyn, robot: twolink}
wires:
  - wanted.q -> error[0]
  - arm.q -> error[1]
  - error -> P -> law[0]
  - arm.qd -> D -> law[1]
  - law -> arm.tau
"""
    report = report_of(loads(text))
    found = {signal.path: signal.unit for signal in report.signals}
    assert found["error.y"] == "rad"
    assert (found["P.y"], found["D.y"], found["law.y"]) == ("", "", "")
    assert not [text for text in report.notices if " joins " in text or " is in " in text]


def test_signals_that_cannot_be_added_are_named() -> None:
    text = SOURCES.replace("BLOCK", "{type: Sum}").replace(
        "WIRES", "metres.position -> y[0]\n  - clock -> y[1]"
    )
    report = report_of(loads(text))
    assert {signal.path: signal.unit for signal in report.signals}["y.y"] == ""
    told = [notice for notice in report.notices if notice.startswith("y joins")]
    assert len(told) == 1
    assert "metres.position (m), clock.y (s)" in told[0]


def test_an_input_given_another_unit_than_it_declares_is_named() -> None:
    text = SOURCES.replace("BLOCK", "{type: CoulombFriction}").replace(
        "WIRES", "clock -> [y.velocity, hold]\n  - hold -> y.force"
    )
    text = text.replace("wires:", "  hold: {type: ZeroOrderHold, sample_time: 1}\nwires:")
    report = report_of(loads(text))
    told = [notice for notice in report.notices if " is in s, " in notice]
    assert len(told) == 2
    assert any(notice.startswith("hold.y is in s, y.force in N or N m") for notice in told)


def test_the_ports_of_a_subsystem_say_what_their_signals_are() -> None:
    text = """
blockdyn: 1
blocks:
  step: {type: Step}
  plant:
    type: Subsystem
    diagram:
      blocks:
        force: {type: Inport, unit: N}
        speed: {type: Integrator}
        hold: {type: Saturation}
        v: {type: Outport, unit: m/s}
      wires:
        - force -> [speed, hold]
        - speed -> v
wires:
  - step -> plant
"""
    found = units(text)
    assert found["step.y"] == "N"
    assert found["plant/hold.y"] == "N"
    assert found["plant/speed.y"] == "m/s"


def test_joints_that_slide_are_in_metres() -> None:
    d = bd.Diagram("stanford")
    d.add("tau", bd.Constant(np.zeros(6)))
    d.add("arm", bd.FDyn("stanford"))
    d.connect("tau", "arm.tau")
    found = {signal.path: signal.unit for signal in report_of(d).signals}
    assert found["arm.q"] == "rad, rad, m, rad, rad, rad"
    assert found["arm.qd"] == "rad/s, rad/s, m/s, rad/s, rad/s, rad/s"


def test_the_position_in_a_pose_is_in_metres_and_its_rotation_is_not() -> None:
    text = """
blockdyn: 1
blocks:
  pose: {type: XYZToPose}
  circle: {type: Circle}
  where: {type: Selector, rows: [0, 1, 2], columns: 3}
  axes: {type: Selector, rows: [0, 1, 2], columns: [0, 1, 2]}
  held: {type: ZeroOrderHold, sample_time: 0.1}
wires:
  - circle.position -> pose
  - pose -> [where, axes, held]
"""
    found = units(text)
    assert (found["where.y"], found["axes.y"], found["held.y"]) == ("m", "", "m")


def test_a_unit_taken_from_an_input_that_is_none_is_an_error() -> None:
    class Odd(bd.Block):
        inputs = (bd.Port("u"),)
        outputs = (bd.Port("y", like=bd.Like(("v",))),)

        @staticmethod
        def output(u: float) -> float:
            return u

    with pytest.raises(bd.BlockError, match="names of inputs: u"):
        Odd()


@pytest.mark.parametrize("unit", ["m//s", "$", "m/", "(m", "m^", "rad, m//s"])
def test_a_text_that_is_not_a_unit_is_refused(unit: str) -> None:
    for declared in ({"type": bd.Constant, "value": 1.0}, {"type": bd.Gain, "k": 2.0}, {"type": bd.Inport}):
        kind = declared.pop("type")
        with pytest.raises(bd.BlockdynError, match="unit"):
            kind(unit=unit, **declared)  # type: ignore[operator]
    with pytest.raises(bd.BlockdynError, match="units"):
        bd.Scope(units=[unit])
    with pytest.raises(bd.BlockdynError, match="unit"):
        bd.Diagram().parameter("k", 1.0, unit=unit)


@pytest.mark.parametrize(
    ("one", "other"),
    [("N·m", "J"), ("kg*m^2", "kg m2"), ("m·s⁻²", "m/s2"), ("m**2", "m²"), ("V/√Hz", "V/√Hz")],
)
def test_spellings_of_one_unit_agree(one: str, other: str) -> None:
    d = bd.Diagram()
    total = d.add("total", bd.Sum("++"))
    for i, unit in enumerate((one, other)):
        d.connect(d.add(f"u{i}", bd.Constant(1.0, unit=unit)), total[i])
    assert d.compile().plan.signal_units.contradictions == ()
