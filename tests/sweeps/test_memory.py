"""With a store, memory hardly grows with the number of scenarios: a million take far less than 2 GiB."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="/proc tells the peak")

# The peak of the process before the sweep, and behind it, KiB.
SCRIPT = """\
import sys
import blockdyn as bd
from blockdyn.diagrams.yaml import loads

sweep = bd.Sweep(loads('''
blockdyn: 1
parameters: {k: 1.0}
blocks: {x: {type: Integrator, initial: 1.0}, g: {type: Gain, k: =k}}
wires: [x -> g -> x]
simulate: {stop: 1.0, method: rk4, step: 0.25}
sweep:
  number: %d
  chunk: 1000
  axes: {k: {uniform: {low: -1, high: 0}}, x.x: {normal: {mean: 1, sd: 0.1}}}
  measures: {end: {final: x}, top: {max: x}, low: {min: x}, rms: {rms: x}, area: {integral: x}}
'''))
sweep.run(store=sys.argv[1], workers=2)
print(next(line for line in open("/proc/self/status") if "VmHWM" in line).split()[1])
"""


def peak(number: int, store: Path) -> int:
    run = subprocess.run(
        [sys.executable, "-c", SCRIPT % number, str(store)], capture_output=True, text=True, check=True
    )
    return int(run.stdout) * 1024


def test_a_million_scenarios_fit_in_a_quarter_of_two_gib(tmp_path: Path) -> None:
    """Results, axes and outcome are 70 B a scenario; the peak may grow by 300 B for each."""
    few, many = peak(10_000, tmp_path / "few"), peak(160_000, tmp_path / "many")
    each = (many - few) / 150_000
    assert each < 300
    assert many + each * 840_000 < 2**29
