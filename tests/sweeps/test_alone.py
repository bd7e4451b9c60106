"""Scenario k alone is scenario k in the sweep, bit for bit, however many threads share the sweep."""

from __future__ import annotations

from typing import Any

import pytest

import blockdyn as bd
from blockdyn.diagrams.yaml import loads
from blockdyn.sweeps.part import OUTCOMES, Part, joined
from blockdyn.sweeps.pool import Pool

SMOOTH = """\
blockdyn: 1
parameters: {mu: 1.0}
blocks:
  x: {type: Integrator, initial: 2.0}
  v: {type: Integrator}
  f: {type: Expression, formula: "mu*(1 - u1**2)*u2 - u1", coefficients: {mu: =mu}}
wires: [v -> x, "x -> f.u1", "v -> f.u2", f -> v]
simulate: {stop: 5.0}
sweep:
  number: 4
  seed: 3
  axes: {mu: [0.1, 1.0, 3.0], v.x: {normal: {mean: 0, sd: 1}}, simulate.rtol: [1.0e-3, 1.0e-7]}
  measures: {x: {final: x}, top: {max: x}, rms: {rms: v}, speed: {max: "abs(x) + mu"}, end: end_time, steps: steps}
"""
EVENTS = """\
blockdyn: 1
parameters: {level: 0.3, period: 0.13}
blocks:
  wave:  {type: Sine, frequency: 5.0}
  noise: {type: BandLimitedWhiteNoise, power: 0.01, sample_time: 0.04}
  sum:   {type: Sum, signs: "+++"}
  relay: {type: Relay, on: =level, off: -0.3}
  hold:  {type: ZeroOrderHold, sample_time: =period}
  x:     {type: Integrator}
  kick:  {type: Step, time: 1.0}
wires: ["wave -> sum[0]", "noise -> sum[1]", sum -> relay -> x, x -> hold, "kick -> sum[2]"]
simulate: {stop: 2.5, seed: 9}
sweep:
  number: 3
  axes: {level: [0.3, 0.4], period: [0.13, 0.04, 0.5], wave.phase: {uniform: {low: 0, high: 3}}, kick.time: [0.7, 2.0]}
  measures: {x: {final: x}, hold: {final: hold}, top: {max: x}, flips: {count: relay}, low: {time_below: x, level: 0.0}}
"""
STRUCTURE = """\
blockdyn: 1
blocks:
  wave: {type: Sine, frequency: 3.0}
  sum:  {type: Sum, signs: "+-"}
  x:    {type: Integrator, initial: 1.0}
wires: ["wave -> sum[0]", "x -> sum[1]", sum -> x]
simulate: {stop: 2.0}
sweep:
  axes: {sum.signs: ["+-", "--", "+-"], simulate.method: [dopri5, bs32, dopri5], wave.phase: {linspace: [0, 1, 5]}}
  measures: {x: {final: x}, top: {max: x}, rms: {rms: x}}
"""


def part_of(sweep: bd.Sweep, workers: int, chunk: int) -> Part:
    """The sweep, in chunks of a size, on so many threads."""
    parts: list[Part] = []
    count = sweep.count
    ranges = [(at, min(at + chunk, count)) for at in range(0, count, chunk)]
    pool = Pool(sweep.task, ranges, parts.append, workers=workers)
    assert pool.run()
    return joined(parts)


def same(one: Part, other: Part) -> None:
    for name in ("measures", "outcome", "end", "steps"):
        assert getattr(one, name).tobytes() == getattr(other, name).tobytes(), name
    assert one.reason == other.reason
    for name, values in one.kept.items():
        assert values.tobytes() == other.kept[name].tobytes(), name


def agrees(sweep: bd.Sweep, part: Part, k: int, **settings: Any) -> None:
    """What full results say of scenario k is what the sweep measured of it."""
    names = sweep.measures.names
    row = dict(zip(names, part.measures[k].tolist(), strict=True))
    result = sweep.simulate(k, refine=4, **settings)
    assert OUTCOMES[part.outcome[k]] == "complete"
    assert result.statistics["end"] == part.end[k]
    assert result.statistics["steps"] == part.steps[k]
    assert result.final("x") == row["x"]
    if "hold" in row:
        assert result.final("hold") == row["hold"]
    if "flips" in row:
        assert sum(event.path.startswith("relay") for event in result.events) == row["flips"]
    top = result.trace("x").values.max()
    assert row["top"] >= top
    assert row["top"] == pytest.approx(top, abs=0.05)


@pytest.mark.parametrize("text", [SMOOTH, EVENTS, STRUCTURE])
def test_every_scenario_alone_and_on_any_number_of_threads(text: str) -> None:
    sweep = bd.Sweep(loads(text))
    first = part_of(sweep, 1, sweep.count)
    for workers, chunk in ((1, 1), (2, 3), (3, 256), (7, 5)):
        same(part_of(bd.Sweep(loads(text)), workers, chunk), first)
    for k in range(sweep.count):
        agrees(sweep, first, k)
