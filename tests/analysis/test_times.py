"""Points by their times: those that a run does not have."""

from __future__ import annotations

import numpy as np
import pytest

import blockdyn as bd
from blockdyn.analysis.errors import AnalysisError


def test_times_at_which_there_is_no_run() -> None:
    d = bd.Diagram("decay")
    x = d.add("x", bd.Integrator(1.0))
    d.connect(x, d.add("g", bd.Gain(-1.0)), x)
    d.connect(x, [d.add("y", bd.Outport()), d.add("low", bd.Compare("<", 0.5))])
    for calls in (d.linearize, d.trim, d.loop, lambda at: bd.derivative(d, "y", "x.x", at=at)):
        arguments = ["x"] if calls == d.loop else []
        with pytest.raises(AnalysisError, match=r"-1\.0, which is before the run begins(.|\n)*from 0 s on"):
            calls(*arguments, at=-1.0)
    with pytest.raises(AnalysisError, match=r"times\[0\] is -1, which is before"):
        d.linearize_along([-1.0, 2.0])
    with pytest.raises(AnalysisError, match="linearize_along"):
        d.linearize(at=[1.0, 2.0])
    for time in (np.nan, np.inf, "3"):
        with pytest.raises(AnalysisError, match="time is"):
            d.linearize(at={"x.x": 2.0}, time=time)
    assert d.linearize(at={"x.x": 2.0}, time=-1.0).A[0, 0] == -1.0  # a point of no run
    d.connect("low", d.add("stop", bd.Stop()))
    assert d.linearize(at=0.6).A[0, 0] == -1.0
    for call in (lambda: d.linearize(at=2.0), lambda: d.linearize_along([2.0])):
        with pytest.raises(AnalysisError, match=r"the run (does not reach 2 s|ends at 0\.693)"):
            call()
