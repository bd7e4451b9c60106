"""SIGTERM ends a run that a script makes, as Ctrl-C does: the script has what was logged, and goes on."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import blockdyn as bd
from blockdyn.diagrams.results.files import load_result

pytestmark = pytest.mark.skipif(os.name == "nt", reason="POSIX signals")

SCRIPT = """
import signal, sys
from pathlib import Path
import blockdyn as bd
def mark(x):
    Path("begun").touch()
    return 0.0
d = bd.Diagram("endless")
d.connect(d.add("wave", bd.Sine(frequency=10.0)), d.add("x", bd.Integrator(-0.1)))
d.connect("wave", d.add("mark", bd.SampledFunction(mark, sample_time=1e9, compiled=False)))
r = d.simulate(stop=1e8, rtol=1e-9, atol=1e-12, every=100.0, compiled=sys.argv[1] == "compiled")
r.save("part.nc")
print(r.complete, r.provenance.stopped_by, signal.getsignal(signal.SIGTERM) is signal.SIG_DFL)
"""


@pytest.mark.parametrize("how", ["compiled", "interpreted"])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_script_keeps_what_a_run_has(
    tmp_path: Path, begin: Callable[..., subprocess.Popen[str]], number: signal.Signals, how: str
) -> None:
    process = begin("-c", SCRIPT, how)
    process.send_signal(number)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (0, "")
    assert out.split() == ["False", "interrupt", "True"]
    x = load_result(tmp_path / "part.nc").trace("x.y")
    assert x.samples > 0
    np.testing.assert_allclose(x.values, -np.cos(10.0 * x.time) / 10.0, atol=1e-4)


def clock() -> bd.Diagram:
    d = bd.Diagram("clock")
    d.add("clock", bd.Clock())
    return d


def test_a_handler_of_the_process_stays_its_own() -> None:
    seen: list[object] = []

    def own(number: int, frame: object) -> None:
        seen.append(number)

    def send(x: float) -> float:
        signal.raise_signal(signal.SIGTERM)
        return x

    d = clock()
    d.connect("clock", d.add("send", bd.SampledFunction(send, sample_time=0.5, compiled=False)))
    before = signal.signal(signal.SIGTERM, own)
    try:
        assert d.simulate(stop=1.0).complete
        assert signal.getsignal(signal.SIGTERM) is own
    finally:
        signal.signal(signal.SIGTERM, before)
    assert len(seen) >= 2


def test_a_run_in_another_thread_touches_no_handler() -> None:
    found: list[bool] = []
    worker = threading.Thread(target=lambda: found.append(clock().simulate(stop=1.0).complete))
    worker.start()
    worker.join()
    assert found == [True]
