"""The stop button of a notebook: the run ends, what was computed stays, and the kernel goes on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

RUN = """
import os, signal, threading
import blockdyn as bd
d = bd.Diagram('long')
d.connect(d.add('wave', bd.Sine(frequency=1e4)), d.add('sum', bd.Integrator()))
d.simulate(stop=1e-3, log=['sum'])
threading.Timer(3.0, os.kill, (os.getpid(), signal.SIGINT)).start()  # what the stop button does
r = d.simulate(stop=1e6, every=10.0, log=['sum'], max_steps=10**12)
"""
AFTER = """
print(r.complete, r.provenance.stopped_by)
assert r.statistics['end'] > 0
r.plot()
"""


def test_the_stop_button_ends_a_run(run_notebook: Callable[..., list[list[Any]]]) -> None:
    run, after = run_notebook(RUN, AFTER)
    assert [output for output in run if output["output_type"] == "error"] == []
    assert after[0]["text"].split() == ["False", "interrupt"]
    assert "image/png" in after[1]["data"]
