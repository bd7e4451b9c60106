"""Plots of vehicles that fly: tracks with what was wanted, attitude, rotor speeds, by what was logged."""

from __future__ import annotations

from math import pi
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from matplotlib.figure import Figure

import blockdyn as bd
from blockdyn.plots.runs.flights import Track, draw_tracks
from blockdyn.robots import load_vehicle

VEHICLE = load_vehicle("hummingbird")
FALL = [0.0, 2.0, -5.0]


@pytest.fixture(scope="module")
def result() -> bd.Result:
    """Two vehicles that fall while they turn at a steady rate; one has a controller behind a sensor."""
    d = bd.Diagram("two")
    omega = d.add("still", bd.Constant(np.zeros(4)))
    left = d.add("left", bd.NRotor(VEHICLE, initial_position=FALL, initial_rates=[0.0, 0.0, pi / 2]))
    right = d.add("right", bd.Quadrotor(initial_rates=[1.0, 0.0, 0.0], initial_velocity=[0.0, 1.0, 0.0]))
    seen = d.add("seen", bd.MatrixGain(np.eye(3)))
    control = d.add("control", bd.GeometricControl(VEHICLE))
    d.connect(omega, [left["omega"], right["omega"]])
    d.connect(left["position"], seen)
    d.connect(seen, control["position"])
    for name in ("velocity", "quaternion", "rates"):
        d.connect(left[name], control[name])
    d.connect(d.add("place", bd.Constant([1.0, 2.0, -3.0])), control["position_ref"])
    d.connect(left["rates"], d.add("scope", bd.Scope(title="Mine")))
    return d.simulate(stop=1.0)


def lines(axes: Any) -> dict[str, Any]:
    """By the names that the legend gives to their looks."""
    legend = axes.get_legend()
    looks = {
        (handle.get_color(), handle.get_linestyle()): text.get_text()
        for handle, text in zip(legend.get_lines(), legend.get_texts(), strict=True)
    }
    drawn = [line for line in axes.lines if len(line.get_xdata()) > 1]
    return {looks[line.get_color(), line.get_linestyle()]: line for line in drawn}


def test_signals_are_those_that_show_the_flight(result: bd.Result) -> None:
    kept = [name.partition(".")[2] for name in result.signals if name.startswith("left")]
    assert kept == ["position", "velocity", "quaternion", "rpy", "rates", "rotor_speeds"]
    with pytest.raises(bd.BlockdynError, match=r"to keep other outputs of left, name them in `log`"):
        result["left.specific_force"]


def test_draws_tracks_attitude_and_rotor_speeds_and_then_scopes(result: bd.Result) -> None:
    axes = result.plot().axes
    titles = [one.get_title(loc="left") for one in axes]
    assert titles == [
        "Trajectory, top view", "Trajectory, side view", "Attitude of left", "Rotor speeds of left",
        "Attitude of right", "Rotor speeds of right", "Mine",
    ]  # fmt: skip
    above, side = map(lines, axes[:2])
    assert set(above) == {"reference left", "actual left", "actual right"}
    np.testing.assert_allclose(
        above["reference left"].get_xydata()[0], [2.0, 1.0]
    )  # y to the right, x upwards
    np.testing.assert_allclose(side["actual left"].get_xydata()[-1], [2.0, 5.0 - 9.81 / 2], rtol=1e-6)
    np.testing.assert_allclose(side["actual right"].get_xydata()[-1], [1.0, -9.81 / 2], rtol=1e-6)
    assert lines(axes[2])["yaw"].get_ydata()[-1] == pytest.approx(pi / 2)
    assert lines(axes[4])["roll"].get_ydata()[-1] == pytest.approx(1.0)


def test_what_is_wanted_reaches_the_controller_through_holds_and_switches() -> None:
    d = bd.Diagram()
    craft = d.add("craft", bd.NRotor(vehicle="crazyflie", initial_position=[0, 0, -1]))
    control = d.add("control", bd.CascadeControl(vehicle="crazyflie"))
    mixer = d.add("mixer", bd.MotorMixer(vehicle="crazyflie"))
    chosen = d.add("chosen", bd.Switch())
    held = d.add("held", bd.ZeroOrderHold(sample_time=0.01))
    d.connect(d.add("late", bd.Step(time=0.05)), chosen["control"])
    d.connect(craft["position"], [chosen["otherwise"], control["position"]])
    d.connect(d.add("place", bd.Constant([1.0, 2.0, -3.0])), chosen["then"])
    d.connect(chosen, held)
    d.connect(held, control["position_ref"])
    for name in ("velocity", "quaternion", "rates"):
        d.connect(craft[name], control[name])
    d.connect(control["torque"], mixer["torque"])
    d.connect(control["thrust"], mixer["thrust"])
    d.connect(mixer["omega"], craft["omega"])
    for log, wanted in ((["craft.position", "place"], "place.y"), (["craft.position"], ""), (None, "held.y")):
        (flight,) = d.simulate(stop=0.1, log=log).flights
        assert (flight.position, flight.reference) == ("craft.position", wanted)


def test_is_drawn_alike_from_a_file(result: bd.Result, tmp_path: Path) -> None:
    result.save(tmp_path / "two.nc")
    again = bd.load_result(tmp_path / "two.nc")
    assert again.flights == result.flights
    assert len(again.plot().axes) == 7


def test_draws_what_is_kept() -> None:
    """Where outputs are not logged, states show the flight; a signal asked for is drawn alone."""
    d = bd.Diagram("one")
    d.connect(d.add("speeds", bd.Constant([700.0, -700.0, 700.0, -700.0])), d.add("craft", bd.Quadrotor()))
    d.log("craft.velocity")
    r = d.simulate(stop=0.1)
    assert (r.flights[0].position, r.flights[0].attitude, r.flights[0].speeds) == ("craft.p", "craft.q", "")
    assert [one.get_title(loc="left") for one in r.plot().axes] == [
        "Trajectory, top view", "Trajectory, side view", "Attitude",
    ]  # fmt: skip
    assert len(r.plot("craft.velocity").axes) == 1


def test_a_climb_is_a_point_from_above_whatever_its_rounding_errors() -> None:
    climb = Track("a", np.array([[0.0, 0.0, 0.0], [1e-14, -1e-14, 5.0]]))
    above, side = Figure().subplots(1, 2)
    draw_tracks(above, side, [climb], width=4.0)
    assert min(np.ptp(above.get_xlim()), np.ptp(above.get_ylim())) > 0.1
    assert np.ptp(side.get_ylim()) == pytest.approx(5.0 * 1.12)
