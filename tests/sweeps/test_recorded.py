"""Measures of a finished result are those of its run; a sweep without axes is one scenario."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import blockdyn as bd

MEASURES: dict[str, Any] = {
    "over": {"overshoot": "motor", "target": 1.0},
    "rise": {"rise_time": "motor", "target": 1.0, "after": 0.5},
    "settled": {"settling_time": "motor", "target": 1.0},
    "iae": {"absolute": "error"},
    "length": {"max": "norm(pair)"},
    "scaled": {"max": "abs(k * error - t / 10)"},
    "held": {"integral": "held"},
    "hits": {"count": "hit"},
    "first": {"time_to": "hit"},
    "passages": {"count": "motor", "above": 1.0},
    "share": {"time_above": "motor", "level": 1.0},
    "end": "end_time",
    "steps": "steps",
    "sum": {"value": "over + iae"},
    "last": {"final": "motor"},
}


def loop() -> bd.Diagram:
    """1 / (s^2 / 4 + 0.3 s + 1) after a step at 0.5 s: a damping ratio of 0.3."""
    d = bd.Diagram("loop", parameters={"k": 2.0})
    step, motor = (
        d.add("step", bd.Step(time=0.5)),
        d.add("motor", bd.TransferFunction([4.0], [1.0, 1.2, 4.0])),
    )
    error = d.add("error", bd.Sum("+-"))
    d.add("pair", bd.Mux(2))
    d.connect(step, motor, d.add("held", bd.ZeroOrderHold(0.3)))
    d.connect(motor, d.add("hit", bd.HitCrossing(1.0)))
    for target, source in (("error[0]", step), ("error[1]", motor), ("pair[0]", motor), ("pair[1]", error)):
        d.connect(source, target)
    return d


@pytest.fixture(scope="module")
def exact() -> dict[str, float]:
    return loop().measure(MEASURES, stop=15.0)


def test_the_overshoot_of_a_damped_oscillator(exact: dict[str, float]) -> None:
    """exp(-pi zeta / sqrt(1 - zeta^2)): Franklin, Powell, Emami-Naeini, Feedback Control, section 3.4."""
    overshoot = np.exp(-np.pi * 0.3 / np.sqrt(1.0 - 0.09))
    r = loop().simulate(stop=15.0)
    assert r.measure({"over": {"overshoot": "motor", "target": 1.0}})["over"] == pytest.approx(
        overshoot, rel=1e-5
    )
    assert exact["over"] == pytest.approx(overshoot, rel=1e-6)


def test_a_finished_run_has_the_measures_of_its_run(exact: dict[str, float], tmp_path: Path) -> None:
    r = loop().simulate(stop=15.0)
    numbers = r.measure(MEASURES)
    assert numbers == pytest.approx(exact, rel=1e-5, abs=1e-5)
    r.save(tmp_path / "r.nc")
    assert bd.load_result(tmp_path / "r.nc").measure(MEASURES) == numbers


def test_rows_on_a_grid_are_not_rounded_off_at_events(exact: dict[str, float]) -> None:
    numbers = loop().simulate(stop=15.0, every=0.01).measure(MEASURES)
    assert numbers["scaled"] == pytest.approx(exact["scaled"], abs=1e-6)
    assert numbers["over"] == pytest.approx(exact["over"], abs=1e-6)
    assert numbers["iae"] == pytest.approx(exact["iae"], abs=0.01)


def test_what_samples_do_not_show_is_refused() -> None:
    r = loop().simulate(stop=1.0, log=["motor"])
    for measure in ({"gradient": "x", "to": "k"}, {"max": "error"}, {"max": "nothing"}):
        with pytest.raises(bd.BlockdynError):
            r.measure({"x": {"max": "motor"}, "y": measure})


def test_a_sweep_without_axes_is_one_scenario(exact: dict[str, float]) -> None:
    ensemble = bd.Sweep(loop(), measures=MEASURES, stop=15.0).run()
    assert {name: float(ensemble[name][0]) for name in MEASURES} == exact
    assert len(ensemble["over"]) == 1
