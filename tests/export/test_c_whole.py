"""Whole runs as C: bits of the engine with the same steps, and events at the next step."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

import blockdyn as bd
from blockdyn.export.errors import ExportError

from .compiled import NEEDS_A_COMPILER, Controller

pytestmark = NEEDS_A_COMPILER
STEPS = 300
G = 9.81


@pytest.mark.parametrize(
    ("name", "step", "method"),
    [
        ("zero-torque", 0.002, "rk4"),
        ("kalman-cart", 0.01, "heun"),
        ("backing-up", 0.01, "euler"),
        ("controllers", 0.001, "rk4"),
    ],
)
def test_a_run_has_the_bits_of_the_engine(name: str, step: float, method: str, tmp_path: Path) -> None:
    d = bd.load(name)
    logged = [path for path in d.simulate(stop=0.0).signals if path.partition(".")[0] in d.blocks]
    for k, path in enumerate(logged):
        d.connect(path, d.add(f"out{k}", bd.Outport()))
    rows = Controller(d, tmp_path, step=step, method=method).run(STEPS + 1, {})
    result = d.simulate(
        method=method, step=step, stop=STEPS * step, log=[f"out{k}" for k in range(len(logged))]
    )
    columns = []
    for k in range(len(logged)):
        trace = result.trace(f"out{k}")
        last = np.searchsorted(trace.time, (np.arange(STEPS + 1) + 1e-6) * step) - 1  # after its events
        columns.append(np.reshape(trace.values[last], (STEPS + 1, -1)))
    np.testing.assert_array_equal(rows, np.column_stack(columns))


def ball() -> bd.Diagram:
    """Falls from 1 m; v+ = -v- at the floor."""
    d = bd.Diagram("ball")
    v, h = d.add("v", bd.Integrator(0.0, reset="falling", level=0.0)), d.add("h", bd.Integrator(1.0))
    d.connect(d.add("weight", bd.Constant(-G)), v["u"])
    d.connect(v, h)
    d.connect(h, [v["trigger"], d.add("height", bd.Outport())])
    d.connect(v, d.add("bounce", bd.Gain(-1.0)), v["value"])
    return d


@pytest.mark.parametrize("step", [0.01, 0.001])
def test_an_event_comes_at_the_next_step(step: float, tmp_path: Path) -> None:
    controller = Controller(ball(), tmp_path, step=step)
    heights = controller.run(round(1.0 / step), {})[:, 0]
    hit = math.sqrt(2.0 / G)
    assert np.argmax(np.diff(heights) > 0.0) == math.ceil(hit / step)  # the first step upwards
    t = step * np.arange(len(heights))
    before = t < hit
    assert heights[before] == pytest.approx(1.0 - 0.5 * G * t[before] ** 2, rel=1e-9)
    after = t - hit
    up = (after > step) & (after < 2.0 * hit)
    exact = math.sqrt(2.0 * G) * after - 0.5 * G * after**2
    assert np.max(np.abs(heights - exact)[up]) < 2.0 * math.sqrt(2.0 * G) * step


@pytest.mark.parametrize("step", [0.01, 0.001])
def test_a_limited_rate_follows_a_sine_that_turns_between_steps(step: float, tmp_path: Path) -> None:
    d = bd.Diagram("rate")
    speed = d.add("speed", bd.Integrator(1.0))  # of the sine: x'' = -x
    x = d.add("x", bd.Integrator(0.0))
    d.connect(speed, x, d.add("minus", bd.Gain(-1.0)), speed)
    d.connect(x, d.add("limiter", bd.RateLimiter(rising=0.5, falling=-0.5)), d.add("y", bd.Outport()))
    y = Controller(d, tmp_path, step=step).run(round(6.0 / step), {})[:, 0]
    exact = d.simulate(stop=6.0, rtol=1e-10, atol=1e-12).trace("y").at(step * np.arange(len(y)))
    assert np.max(np.abs(y - exact)) < 2.0 * step
    assert np.max(np.abs(np.diff(y))[1:]) < 1.0 * step  # 0.5, and 1 in the step of a turn


def test_a_state_that_escapes_leaves_its_step_out(tmp_path: Path) -> None:
    d = bd.Diagram("escape")  # x' = x^2: infinite at 1 s
    x = d.add("x", bd.Integrator(1.0))
    d.connect(x, d.add("square", bd.Expression("x * x")), x)
    d.connect(x, d.add("y", bd.Outport()))
    controller = Controller(d, tmp_path, step=0.01)
    results = [controller.step({}) for _ in range(150)]
    late = [k for k, (status, _) in enumerate(results) if status == 1]
    assert 95 < late[0] < 110
    assert late == [*range(late[0], 150)]
    assert all(math.isnan(row[0]) for _, row in results[late[0] :])  # outputs stay as the caller left them


def test_the_step_and_method_of_the_diagram_are_its_own(tmp_path: Path) -> None:
    d = ball()
    with pytest.raises(ExportError) as caught:
        d.export_c(tmp_path)
    assert [path for path, _ in caught.value.obstacles] == ["the step"]
    with pytest.raises(ExportError) as caught:
        d.export_c(tmp_path, step=0.01, method="dopri5")
    assert [path for path, _ in caught.value.obstacles] == ["method"]
    d.settings(method="euler", step=0.25, stop=1.0)
    heights = Controller(d, tmp_path).run(3, {})[:, 0]
    assert heights == pytest.approx([1.0, 1.0, 1.0 - G / 16.0], rel=1e-15)  # by Euler


def test_random_numbers_follow_the_seed(tmp_path: Path) -> None:
    d = bd.Diagram("noise")
    d.connect(d.add("noise", bd.RandomNumber(sample_time=0.1)), d.add("y", bd.Outport()))
    drawn = {}
    for seed in (1, 2):
        d.settings(seed=seed)
        folder = tmp_path / str(seed)
        folder.mkdir()
        controller = Controller(d, folder)
        drawn[seed] = controller.run(20, {})
        np.testing.assert_array_equal(drawn[seed], controller.engine(20, {}))
    assert not np.any(drawn[1] == drawn[2])
