"""A run that stops where a motion ends stops within it; one that goes on has both limits there."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import blockdyn as bd

TURN = [[0.0, -1, 0, 1], [1, 0, 0, 2], [0, 0, 1, 3], [0, 0, 0, 1]]
SPIN = [0.0, 0.0, -1.5 * np.pi / 2]  # -6 / T^2 of a turn of pi/2
MOTIONS: dict[str, tuple[bd.Block, str, Any]] = {
    "quintic": (bd.JointTrajectory(0.0, 1.0, 2.0, qdf=0.7), "qd", 0.7),
    "cubic": (bd.JointTrajectory([0.0, 1.0], [1.0, 3.0], 2.0, method="cubic"), "qdd", [-1.5, -3.0]),
    "trapezoidal": (bd.JointTrajectory(0.0, 4.0, 2.0, method="trapezoidal"), "qdd", -4.5 * 4.0 / 4.0),
    "segments": (bd.MultiSegment([0.0, 1.0, 3.0], segment_times=1.0), "qd", 2.0),
    "line": (bd.CartesianTrajectory(T1=TURN, duration=2.0, method="cubic"), "acceleration", SPIN),
    "screw": (bd.ScrewTrajectory(T1=TURN, duration=2.0, method="cubic"), "acceleration", SPIN),
}


def made(name: str) -> tuple[bd.Diagram, str, Any]:
    block, port, last = MOTIONS[name]
    d = bd.Diagram()
    d.add("m", block)
    return d, f"m.{port}", last


@pytest.mark.parametrize("name", MOTIONS)
@pytest.mark.parametrize(
    "settings",
    [{}, {"times": [0.0, 0.5, 2.0]}, {"every": 0.25}, {"compiled": False}, {"method": "rk4", "step": 0.1}],
    ids=["steps", "times", "every", "interpreted", "rk4"],
)
def test_a_run_that_stops_with_the_motion_ends_in_it(name: str, settings: dict[str, Any]) -> None:
    d, path, last = made(name)
    end = np.asarray(d.simulate(stop=2.0, **settings).final(path))
    np.testing.assert_allclose(end[3:] if end.size == 6 else end, last, rtol=0, atol=1e-12)


@pytest.mark.parametrize("name", MOTIONS)
def test_a_run_that_goes_on_keeps_both_limits(name: str) -> None:
    d, path, last = made(name)
    trace = d.simulate(stop=2.5).trace(path)
    left, right = trace.values[trace.time == 2.0]
    np.testing.assert_allclose(left[3:] if left.size == 6 else left, last, rtol=0, atol=1e-12)
    np.testing.assert_array_equal(right, np.zeros_like(right))


def test_the_end_of_a_run_is_that_of_the_motion_but_for_rounding() -> None:
    d = bd.Diagram()
    d.add("m", bd.JointTrajectory(0.0, 1.0, 0.2, start=0.1, qdf=0.7))  # 0.1 + 0.2 is not 0.3
    for stop in (0.3, 0.1 + 0.2, 0.1 * 3):
        assert d.simulate(stop=stop).final("m.qd") == pytest.approx(0.7, abs=1e-9)


def test_other_events_at_the_stop_happen() -> None:
    """A Step at 1 has its new value at 1, and a clock ticks there, whatever ends beside them."""
    d = bd.Diagram()
    d.add("m", bd.JointTrajectory(0.0, 1.0, 1.0, qdf=0.7))
    d.add("step", bd.Step(time=1.0))
    d.connect("m.qd", d.add("held", bd.ZeroOrderHold(0.5)))
    r = d.simulate(stop=1.0)
    assert r.final("step") == 1.0
    assert r.final("held") == pytest.approx(0.7, abs=1e-12)


def test_a_sweep_ends_as_a_run_does() -> None:
    d = bd.Diagram()
    d.add("m", bd.JointTrajectory(0.0, 1.0, 2.0, qdf=0.7))
    sweep = bd.Sweep(d, axes={"m.qdf": [0.2, 0.7]}, measures={"last": {"final": "m.qd"}}, stop=2.0)
    np.testing.assert_allclose(np.ravel(sweep.run()["last"]), [0.2, 0.7], rtol=0, atol=1e-12)
