"""--set and --param reach what an axis of a sweep reaches, in `run`, in `sweep` and for one scenario."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import blockdyn as bd

from .conftest import Command

# x_i(t) = x_i(0) + g_i slope t^2 / 2; the arm hangs from its load.
TEXT = """\
blockdyn: 1
name: arm
parameters: {g: [1.0, 2.0], slope: 0.5}
blocks:
  u: {type: Constant, value: [0, 0, 0, 0, 0, 0]}
  arm: {type: FDyn, robot: puma560}
  c: {type: Ramp, slope: =slope}
  k: {type: Gain, k: =g}
  x: {type: Integrator, initial: [1.0, 1.0]}
wires: [u -> arm, c -> k -> x]
log: [x, arm.q]
simulate: {stop: 0.2}
sweep:
  axes: {slope: [0.5, 1.0, 2.0]}
  measures: {last: {final: "x[0]"}, q: {final: "arm.q[1]"}}
"""
GIVEN = ("--set", "arm.robot.payload.mass=2", "--set", "x.x[0]=5", "--set", "g[0]=3")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "arm.yaml").write_text(TEXT, encoding="utf-8")
    return tmp_path


def laden() -> np.ndarray:
    """Where the arm is at the end with 2 kg at its flange, of a diagram that says so itself."""
    from blockdyn.diagrams.yaml import loads

    text = TEXT.replace("robot: puma560", "robot: {name: puma560, payload: {mass: 2}}")
    return loads(text).simulate().final("arm.q")


def test_run_reaches_robots_elements_states_and_settings(folder: Path, command: Command) -> None:
    run = command("run", "arm.yaml", *GIVEN, "--out", "r.nc")
    assert run.returncode == 0, run.stderr
    result = bd.load_result(folder / "r.nc")
    np.testing.assert_allclose(result.final("x"), [5.0 + 3.0 * 0.5 * 0.02, 1.0 + 2.0 * 0.5 * 0.02], rtol=1e-9)
    np.testing.assert_allclose(result.final("arm.q"), laden(), atol=1e-9)
    run = command("run", "arm.yaml", "--set", "simulate.stop=0.1", "--out", "r.nc")
    assert run.returncode == 0, run.stderr
    assert bd.load_result(folder / "r.nc").trace("x").time[-1] == 0.1


def test_sweep_and_scenario_take_the_same(folder: Path, command: Command) -> None:
    run = command("sweep", "arm.yaml", *GIVEN, "--table", "t.csv")
    assert run.returncode == 0, run.stderr
    table = pd.read_csv(folder / "t.csv")
    np.testing.assert_allclose(table["last"], 5.0 + 3.0 * np.array([0.5, 1.0, 2.0]) * 0.02, rtol=1e-9)
    np.testing.assert_allclose(table["q"], np.full(3, laden()[1]), atol=1e-9)
    run = command("run", "arm.yaml", "--scenario", "2", *GIVEN, "--out", "r.nc")
    assert run.returncode == 0, run.stderr
    assert bd.load_result(folder / "r.nc").final("x")[0] == table["last"][2]


def test_a_parameter_for_all_scenarios(folder: Path, command: Command) -> None:
    run = command("sweep", "arm.yaml", "--param", "g=[2, 2]", "--table", "t.csv")
    assert run.returncode == 0, run.stderr
    last = pd.read_csv(folder / "t.csv")["last"]
    np.testing.assert_allclose(last, 1.0 + 2.0 * np.array([0.5, 1.0, 2.0]) * 0.02, rtol=1e-9)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("run", "arm.yaml", "--set", "arm.robot.payload.mas=2"), "did you mean `mass`"),
        (("run", "arm.yaml", "--set", "g[2]=1"), "no element [2]"),
        (("run", "arm.yaml", "--set", "arm.robt=1"), "did you mean `robot`"),
        (("sweep", "arm.yaml", "--set", "arm.robot.payload.mas=2"), "did you mean `mass`"),
        (("sweep", "arm.yaml", "--set", "slope=2"), "which an axis varies"),
        (("sweep", "arm.yaml", "--param", "slop=2"), "did you mean `slope`"),
    ],
)
def test_what_is_not_there_is_said(command: Command, arguments: tuple[str, ...], said: str) -> None:
    run = command(*arguments)
    assert run.returncode == 2
    assert said in run.stderr
    assert "Traceback" not in run.stderr
