"""Memory: a long run takes little more than the log it returns, and dropped diagrams leave nothing."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc, and counts ru_maxrss in kB")

LONG = """
import gc, resource, sys
import numpy as np
import pandas, pyarrow.parquet  # not a part of what grows
import blockdyn as bd
ROWS = 4_000_000
d = bd.Diagram("decay")
d.connect(d.add("x", bd.Integrator(initial=1.0)), d.add("k", bd.Gain(k=-1e-3)), "x")
d.connect("k", d.add("hold", bd.ZeroOrderHold(sample_time=100.0)))
more = eval(sys.argv[1])
given = dict(method="rk4", step=1e-3, states=False, progress=False)
def peak():
    return 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
d.simulate(stop=100.0, log=["x"], **given).trace("x.y")
before = peak()  # with libraries and buffers
r = d.simulate(stop=ROWS * 1e-3, **given, **more)
if r.file is None:
    r.signals
grown = peak() - before
for path, trace in r.signals.items():
    exact = np.exp(-1e-3 * trace.time) if path == "x.y" else -1e-3 * np.exp(-1e-3 * trace.time)
    assert np.allclose(trace.values, exact, rtol=1e-9), path
print(grown, sum(t.values.nbytes for t in r.signals.values()), 8 * ROWS)
"""


def grown(more: str) -> tuple[float, float, float]:
    ended = subprocess.run([sys.executable, "-c", LONG, more], capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr
    growth, values, column = map(float, ended.stdout.split())
    return growth, values, column


def test_a_long_run_stays_bounded_by_its_log() -> None:
    growth, values, column = grown('{"log": ["x"]}')
    assert column <= values < 1.001 * column  # and the left limits at the ticks
    assert growth < 1.4 * (values + column)  # its values, its times, and an eighth to grow into


def test_a_signal_that_is_held_takes_its_ticks_only() -> None:
    growth, values, column = grown('{"log": ["hold"]}')
    assert values == 8 * 41
    assert growth < 0.8 * column


def test_a_streamed_run_takes_its_chunks_only(tmp_path: Path) -> None:
    growth, values, column = grown(f'{{"log": ["x"], "stream": {str(tmp_path / "run.parquet")!r}}}')
    assert values == 0
    assert growth < 1.5 * column  # the writer and a few chunks; the log would be twice a column


DROPPED = """
import gc, os, sys
from pathlib import Path
import blockdyn as bd
from blockdyn.diagrams.compiler import code
from blockdyn.native import cache
from blockdyn.solvers.loop.compiled import native_loop
native_loop()  # from the usual store; the diagrams' is empty
os.environ[cache.ENVIRONMENT] = sys.argv[1]
cache.folder.cache_clear()
code.KEPT = 16  # programs whose code stays loaded although nothing runs it
def resident():
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGESIZE")
def diagram(number):
    d = bd.Diagram(f"number {number}")
    last = d.add("u", bd.Sine(frequency=1.0 + number))
    for bit in range(10):
        block = bd.Integrator(0.1) if number >> bit & 1 else bd.Gain(1.0 + number)
        here = d.add(f"b{bit}", block)
        d.connect(last, here)
        last = here
    d.connect(last, d.add("own", bd.Function(lambda u: u + number, compiled=False)))
    return d
for number in range(160):
    if number == 60:
        gc.collect()
        before = resident()
    diagram(number).simulate(stop=0.01).signals
gc.collect()
print(resident() - before)
"""


def test_diagrams_that_are_dropped_leave_nothing(tmp_path: Path) -> None:
    """Different structures, different numbers, functions of their own; nothing in the store beforehand."""
    command = [sys.executable, "-c", DROPPED, str(tmp_path)]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr
    assert any(tmp_path.iterdir())
    assert int(ended.stdout) < 7e6
