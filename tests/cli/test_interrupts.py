"""SIGINT, SIGTERM and SIGHUP end a run, and what it has is written."""

from __future__ import annotations

import math
import os
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

import blockdyn as bd
from blockdyn.cli.diagrams import compiling
from blockdyn.cli.interrupts import listen
from blockdyn.native.compiling import compile_kernel

pytestmark = pytest.mark.skipif(os.name == "nt", reason="POSIX signals")

# `mark` runs in Python at its first tick, and says that the run has begun; the rest is native.
ENDLESS = """\
blockdyn: 1
name: endless
blocks:
  wave: {type: Sine, frequency: 10.0}
  sum: {type: Integrator, initial: -0.1}
  mark: {type: SampledFunction, function: "mark.py:mark", sample_time: 1e9, compiled: false}
wires: [wave -> sum, wave -> mark]
log: [sum]
simulate: {stop: 1e8, rtol: 1e-9, atol: 1e-12, every: 100.0}
"""
MARK = """\
from pathlib import Path

def mark(x):
    Path("begun").touch()
    return 0.0
"""


@pytest.mark.parametrize(
    ("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)]
)
def test_an_interrupted_run_writes_what_it_has(
    tmp_path: Path, begin: Callable[..., subprocess.Popen[str]], number: signal.Signals, status: int
) -> None:
    (tmp_path / "endless.yaml").write_text(ENDLESS)
    (tmp_path / "mark.py").write_text(MARK)
    process = begin("-m", "blockdyn", "run", "endless.yaml", "--trust", "code", "--out", "part.nc")
    process.send_signal(number)
    out, err = process.communicate(timeout=60)
    assert process.returncode == status, err
    assert "Traceback" not in err
    assert "INCOMPLETE: interrupted" in out
    part = bd.load_result(tmp_path / "part.nc")
    trace = part.trace("sum.y")
    assert not part.complete
    assert trace.samples > 1
    for t, x in zip(trace.time, trace.values, strict=True):
        assert math.isclose(x, -math.cos(10.0 * t) / 10.0, abs_tol=1e-4)


def test_compiling_after_a_command_leaves_the_signals_alone() -> None:
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        listen()
        heard = signal.getsignal(signal.SIGTERM)
        with compiling():
            pass
        compile_kernel(lambda x: 2.0 * x, ("d",))
        assert signal.getsignal(signal.SIGTERM) is heard
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
