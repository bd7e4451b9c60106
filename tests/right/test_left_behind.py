"""Machine code that runs stays in memory, whatever else is dropped, and other machine code is released."""

from __future__ import annotations

import subprocess
import sys

import pytest

# One program's code at a time stays loaded without a user; `spin` is machine code that never ends.
COMMON = """
import faulthandler, gc, threading, weakref
import numpy as np
import blockdyn as bd
from blockdyn.diagrams.compiler import code
from blockdyn.diagrams.model.errors import TimeLimit
from blockdyn.native import engine

faulthandler.enable()
code.KEPT = 1
codes = weakref.WeakSet()
init = engine.Code.__init__
def noted(self, *given):
    init(self, *given)
    codes.add(self)
engine.Code.__init__ = noted

def spin(u):
    k = 0
    while u >= 0.5:
        k += 1
        if k < 0:
            u = 0.0
    return u

def others(count, salt):
    "Programs that are compiled and run; where they are dropped, what is freed is written over."
    made = []
    for i in range(count):
        d = bd.Diagram("other")
        chain = [d.add(f"g{j}", bd.Gain(1.0)) for j in range(1 + (i + 7 * salt) % 23)]
        d.connect(d.add("c", bd.Constant(1.0)), *chain, d.add("x", bd.Integrator()))
        assert abs(d.simulate(stop=1.0).final("x") - 1.0) < 1e-9
        made.append(d.compile())
        assert len(made[-1].addresses) == 6
    return made

def ramp(function=None):
    d = bd.Diagram("endless")
    middle = [d.add("f", bd.Function(function))] if function else [d.add("f", bd.Gain(1.0))]
    d.connect(d.add("ramp", bd.Ramp()), *middle, d.add("x", bd.Integrator()))
    return d

def sweep(d, **settings):
    return bd.Sweep(d, {"ramp.slope": [0.1, 0.2, 2.0, 0.3, 1.0, 0.4]}, {"x": {"final": "x"}}, stop=1.0,
                    **settings)
"""
AGAIN = """
s = sweep(ramp())
first = np.array(s.run(workers=2)["x"])
for k in range(3):
    others(4, k)
    gc.collect()
    assert (np.array(s.run(workers=2)["x"]) == first).all()
print("held")
"""
LEFT_BEHIND = """
from blockdyn.solvers.methods import METHODS
from blockdyn.solvers.methods.method import runge_kutta
BY_PYTHON = bd.Method("by_python", "", "", METHODS["dopri5"].data, steps=lambda *given: runge_kutta(*given))
began = threading.active_count()
for k in range(ROUNDS):
    loaded = others(10, k)
    try:
        ramp(spin).simulate(stop=1.0, max_time=0.3, method=("dopri5", BY_PYTHON)[k % 2])
        raise SystemExit("it came back")
    except TimeLimit:
        pass
    e = sweep(ramp(spin), max_time=0.3, chunk=2).run(workers=2)
    assert e.gathered.outcome[[2, 4]].tolist() == [11, 11]
    del e, loaded
    gc.collect()
    others(4, k)
    gc.collect()
assert threading.active_count() - began > ROUNDS
print("held", len(codes))
"""


def run(script: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", COMMON + script], capture_output=True, text=True, timeout=300, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def test_a_sweep_that_runs_again_has_its_code_still() -> None:
    assert run(AGAIN) == "held\n"


@pytest.mark.parametrize("rounds", [2])
def test_threads_left_behind_hold_their_code_and_no_other(rounds: int) -> None:
    """Each round leaves three threads in three programs at most: one run's, and the sweep's two of it."""
    held = int(run(LEFT_BEHIND.replace("ROUNDS", str(rounds))).split()[1])
    assert held <= 3 * rounds + 10
