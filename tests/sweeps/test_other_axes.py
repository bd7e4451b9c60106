"""Other axes for a diagram whose file declares a sweep; robots of which some draws are impossible."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import blockdyn as bd
from blockdyn.sweeps.errors import SweepError, UnknownPath

FILE = """\
blockdyn: 1
name: decay
parameters: {rate: 1.0, start: 1.0}
blocks:
  x: {type: Integrator, initial: =start}
  fall: {type: Gain, k: =-rate}
wires: [x -> fall -> x]
simulate: {stop: 1.0}
sweep:
  number: 4
  axes:
    rate: [1.0, 2.0]
    start: [1.0, 2.0]
    x.x: {uniform: {low: 0.5, high: 1.5}}
  zip: [[rate, start]]
  measures: {last: {final: x}}
"""


@pytest.fixture
def decay(tmp_path: Path) -> bd.Diagram:
    (tmp_path / "decay.yaml").write_text(FILE, encoding="utf-8")
    return bd.load(tmp_path / "decay.yaml")


def test_listed_axes_need_neither_the_number_nor_the_zip_of_the_file(decay: bd.Diagram) -> None:
    sweep = bd.Sweep(decay, {"rate": [1.0, 2.0, 3.0]})
    assert len(sweep) == 3
    assert np.allclose(sweep.run()["last"], np.exp([-1.0, -2.0, -3.0]), rtol=1e-5)


def test_drawn_axes_keep_the_number_of_the_file(decay: bd.Diagram) -> None:
    assert len(bd.Sweep(decay, {"rate": {"uniform": {"low": 1.0, "high": 2.0}}})) == 4


def test_a_number_that_is_given_needs_something_to_draw(decay: bd.Diagram) -> None:
    with pytest.raises(SweepError, match="no axis has a distribution"):
        bd.Sweep(decay, {"rate": [1.0]}, number=3)


@pytest.mark.parametrize("workers", [0, -1, 1.5, True])
def test_threads_are_counted(decay: bd.Diagram, workers: int) -> None:
    with pytest.raises(SweepError, match="1 or greater"):
        bd.Sweep(decay, {"rate": [1.0]}).run(workers=workers)


def test_to_resume_takes_a_store(decay: bd.Diagram) -> None:
    with pytest.raises(SweepError, match="resume without a store"):
        bd.Sweep(decay, {"rate": [1.0]}).run(resume=True)


def test_numbers_of_scenarios_may_be_those_of_numpy(decay: bd.Diagram) -> None:
    sweep = bd.Sweep(decay, {"rate": [1.0, 2.0]})
    worst = np.argmin(sweep.run()["last"])
    assert sweep.scenario(worst) == {"rate": 2.0}
    assert sweep.simulate(worst).final("x") == pytest.approx(np.exp(-2.0), rel=1e-5)


def hanging() -> bd.Diagram:
    d = bd.Diagram("hanging")
    arm = d.add("arm", bd.FDyn("twolink"))
    d.connect(d.add("rest", bd.Constant([0.0, 0.0])), arm["tau"])
    return d


def test_a_load_that_cannot_be_is_a_scenario_whichever_is_drawn_first() -> None:
    for seed in range(6):
        axes = {"arm.robot.payload.mass": {"normal": {"mean": 0.0, "sd": 1.0}}}
        ensemble = bd.Sweep(
            hanging(), axes, {"last": {"final": "arm.q[0]"}}, number=20, seed=seed, stop=0.01
        ).run()
        impossible = ensemble["arm.robot.payload.mass"] < 0
        assert 0 < impossible.sum() < 20
        assert (ensemble["failed"] == impossible).all()
        (reason,) = ensemble.summary().failures
        assert "payload, mass: found" in reason.reason


def test_loads_none_of_which_can_be_are_a_mistake() -> None:
    axes = {"arm.robot.payload.mass": {"normal": {"mean": -9.0, "sd": 1.0}}}
    with pytest.raises(SweepError, match="at least 0 kg"):
        bd.Sweep(hanging(), axes, number=20)


@pytest.mark.parametrize("element", ["gravity[3]", "links.link2.com[0,1]", "links.link2.inertia[0,3]"])
def test_an_element_that_a_robot_does_not_have_is_named(element: str) -> None:
    with pytest.raises(UnknownPath, match=r"has no element \["):
        bd.Sweep(hanging(), {f"arm.robot.{element}": [1.0]})


def test_an_input_is_varied_by_a_constant() -> None:
    with pytest.raises(UnknownPath, match=r"is an input of arm(.|\n)*Constant wired to arm\.wrench"):
        bd.Sweep(hanging(), {"arm.wrench": [[0.0] * 6]})


def test_a_controller_is_no_limit() -> None:
    d = bd.Diagram("loop")
    clock, control = d.add("clock", bd.Clock()), d.add("control", bd.PID(kp=1.0, upper=1.0, lower=-1.0))
    d.connect(clock, control)
    with pytest.raises(SweepError, match="a PID, has states"):
        bd.Sweep(d, {"control.kp": [1.0]}, {"limited": {"saturated": "control"}})
