"""None, and no number, says that a parameter is not given: in Python, YAML, sweeps, on the command line."""

from __future__ import annotations

from typing import Any

import jsonschema
import numpy as np
import pytest

import blockdyn as bd
from blockdyn.blocks.contract.errors import ParameterError
from blockdyn.cli import main
from blockdyn.diagrams.yaml import json_schema
from blockdyn.robots.trajectories import (
    TrajectoryError,
    cartesian_motion,
    point_to_point,
    segments,
    trapezoidal,
)

MOTION = """\
blockdyn: 1
blocks:
  m: {{type: JointTrajectory, q0: 0, qf: 1, duration: 2, method: trapezoidal{more}}}
simulate: {{stop: 1}}
"""


@pytest.mark.parametrize("name", ["speed", "blend_time", "acceleration"])
def test_a_limit_of_zero_is_a_limit(name: str) -> None:
    """Nothing moves by 1 at a speed of 0 or without acceleration, and no blend takes no time."""
    for value in (0.0, -1.0, [0.0, 0.0], *([] if name == "blend_time" else [1e-9])):
        with pytest.raises(TrajectoryError, match=f"^{name} is "):
            trapezoidal([0.0, 0.0], [1.0, 1.0], 2.0, **{name: value})
    with pytest.raises(ParameterError, match=f"{name} is 0"):
        bd.JointTrajectory(0.0, 1.0, 2.0, method="trapezoidal", **{name: 0.0})


def test_the_usual_speed_is_taken_where_none_is_given() -> None:
    """V = 1.5 |d| / T, in the middle of the motion."""
    for limits in ({}, {"speed": None}, {"speed": None, "blend_time": None, "acceleration": None}):
        assert trapezoidal(0.0, 1.0, 2.0, [1.0], **limits).qd[0] == pytest.approx(0.75, abs=1e-15)


@pytest.mark.parametrize(
    "call",
    [
        lambda: point_to_point(0.0, 1.0, 2.0, method="quintic", speed=0.0),
        lambda: cartesian_motion(np.eye(4), np.eye(4), 1.0, method="trapezoidal", speed=0.0),
        lambda: segments([0.0, 1.0], speed=0.0),
        lambda: segments([0.0, 1.0], segment_times=0.0),
        lambda: segments([0.0, 1.0], speed=1.0, segment_times=0.0),
        lambda: segments([0.0, 1.0]),
    ],
)
def test_zero_is_given_in_every_motion(call: Any) -> None:
    with pytest.raises(TrajectoryError):
        call()


def test_null_in_a_file_is_what_is_left_out() -> None:
    plain, null = (bd.load(MOTION.format(more=more)) for more in ("", ", speed: null"))
    plain.source = null.source = None  # not the texts that they were read from
    assert bd.dumps(plain) == bd.dumps(null)
    assert null.simulate().final("m.qd") == pytest.approx(0.75, abs=1e-15)
    assert null.simulate(set={"m.speed": 0.6}).final("m.qd") == pytest.approx(0.6, abs=1e-15)
    fast = bd.load(MOTION.format(more=", speed: 0.9"))
    assert fast.simulate(set={"m.speed": None}).final("m.qd") == pytest.approx(0.75, abs=1e-15)
    with pytest.raises(bd.BlockdynError, match="speed is 0"):
        bd.load(MOTION.format(more=", speed: 0")).simulate()


def test_the_schema_allows_null_where_it_says_nothing_else() -> None:
    validator = jsonschema.Draft202012Validator(json_schema())
    gain = {"blockdyn": 1, "blocks": {"m": {"type": "Gain", "k": None}}}
    motion = {"blockdyn": 1, "blocks": {"m": {"type": "JointTrajectory", "q0": 0, "qf": 1, "speed": None}}}
    validator.validate(motion)
    with pytest.raises(jsonschema.ValidationError):
        validator.validate(gain)
    with pytest.raises(ParameterError):
        bd.Gain(None)  # type: ignore[arg-type]


def test_a_sweep_that_reaches_zero_fails_there() -> None:
    sweep = bd.Sweep(
        bd.load(MOTION.format(more="")), axes={"m.speed": [0.9, 0.6, 0.0]}, measures={"top": {"max": "m.qd"}}
    )
    top = np.ravel(sweep.run()["top"])
    np.testing.assert_allclose(top[:2], [0.9, 0.6], rtol=1e-12)
    assert np.isnan(top[2])


def test_the_command_line_takes_null_and_shows_none(
    tmp_path: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "m.yaml"
    path.write_text(MOTION.format(more=", speed: 0.9"), encoding="utf-8")
    assert main(["run", str(path), "--set", "m.speed=null"]) == 0
    assert " 0.75 " in capsys.readouterr().out
    assert main(["run", str(path), "--set", "m.speed=0"]) != 0
    assert main(["blocks", "JointTrajectory"]) == 0
    (line,) = [text for text in capsys.readouterr().out.splitlines() if text.strip().startswith("speed ")]
    assert line.split()[1] == "none"


@pytest.mark.parametrize(("tracking", "slope"), [(0.0, 1.0), (4.0, -1.0), (None, 0.5)])
def test_a_tracking_rate_of_zero_does_not_track(tracking: float | None, slope: float) -> None:
    """di/dt = ki e + kt (y - v) = 1 - kt / 2, as e = ki = kp = 1, v = 1 and y = 0.5; kt = ki / kp."""
    d = bd.Diagram()
    d.connect(d.add("e", bd.Constant(1.0)), d.add("c", bd.PID(1.0, 1.0, upper=0.5, tracking=tracking)))
    h = 1e-6
    assert d.simulate(stop=h).final_states()["c.i"] / h == pytest.approx(slope, abs=1e-5)


def test_a_breakaway_force_is_a_force() -> None:
    with pytest.raises(ParameterError, match="breakaway"):
        bd.CoulombFriction(1.0, breakaway=-1.0)
    with pytest.raises(ParameterError, match="breakaway is 0"):
        bd.CoulombFriction(1.0, breakaway=0.0)
    assert bd.CoulombFriction(1.5).constants()["static"] == 1.5


def test_an_empty_name_is_no_pose() -> None:
    with pytest.raises(ParameterError, match="a named pose of puma560"):
        bd.FDyn("puma560", pose="")


class Chosen(bd.Block):
    """y = gain u, with a gain of 3 where none is given."""

    inputs = (bd.Port("u"),)
    gain: bd.Real | None = bd.parameter(default=None, doc="the gain; 3 where none is given")

    def constants(self) -> Any:
        return {"gain": 3.0 if self.gain is None else self.gain}

    @staticmethod
    def output(u: float, gain: float) -> float:
        return u * gain


@pytest.mark.parametrize(("gain", "y"), [(None, 6.0), (0.0, 0.0), (-1.0, -2.0)])
def test_a_block_of_ones_own_leaves_a_number_out(gain: float | None, y: float) -> None:
    d = bd.Diagram()
    d.connect(d.add("u", bd.Constant(2.0)), d.add("c", Chosen(gain)))
    assert d.simulate(stop=1.0).final("c") == y
    assert d.simulate(stop=1.0, set={"c.gain": 5.0}).final("c") == 10.0
    assert d.simulate(stop=1.0, set={"c.gain": None}).final("c") == 6.0
