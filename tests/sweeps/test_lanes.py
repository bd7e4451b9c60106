"""Lanes: what runs scenarios does not matter for what they come to."""

from __future__ import annotations

import numpy as np

import blockdyn as bd
from blockdyn.sweeps.execute.lane import Lane
from blockdyn.sweeps.execute.native_lane import NativeLane
from blockdyn.sweeps.execute.python_lane import PythonLane
from blockdyn.sweeps.store.part import Part, empty
from blockdyn.sweeps.sweep import Sweep


def oscillator() -> bd.Diagram:
    """A spring against a limit, which is met twice in every turn."""
    d = bd.Diagram("oscillator")
    x, v = d.add("x", bd.Integrator(initial=2.0)), d.add("v", bd.Integrator())
    limit = d.add("limit", bd.Saturation(lower=-1.5, upper=1.5))
    d.connect(v, x, limit, d.add("k", bd.Gain(-4.0)), v)
    d.settings(stop=10.0, method="dopri5", rtol=1e-7, atol=1e-9)
    return d


def test_the_same_scenarios_come_to_the_same_bits_in_machine_code_and_from_python() -> None:
    """States and settings that differ; a scenario that the limit on steps ends; rows on a grid."""
    axes = {"x.x": {"linspace": [0.5, 3.0, 6]}}
    sweep = Sweep(
        oscillator(),
        axes,
        {"last": {"final": "x"}, "most": {"max": "v"}},
        keep={"signals": ["x"], "every": 0.5},
    )
    task = sweep.task
    rows = np.array([0, 2, 5], np.int64)
    columns = task.design.columns(0, 6)
    parts, grids = [], []
    for kind in (NativeLane, PythonLane):
        part: Part = empty(0, 6, 2, {})
        lane: Lane = kind(task.base, task.compiled, np.zeros(1, np.int64))
        assert lane.measure(task.placement.overlay(0, columns, 6), rows, part) == rows.size
        assert not lane.lost
        assert lane.trying[0] == 6
        assert task.grid is not None
        lane = kind(task.grid, task.compiled, np.zeros(1, np.int64))
        grid, done = lane.keep(task.grid_placement.overlay(0, columns, 6), rows, 0)
        assert done == rows.size
        parts.append(part)
        grids.append(grid)
    native, python = parts
    for name in ("measures", "outcome", "end", "steps"):
        assert np.array_equal(getattr(native, name), getattr(python, name), equal_nan=True), name
    assert np.array_equal(*grids)
    assert np.all(grids[0][:, 0, 0] == np.linspace(0.5, 3.0, 6)[rows])
