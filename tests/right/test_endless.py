"""A block that never comes back: a second Ctrl-C, SIGTERM and a limit of wall-clock time end it."""

from __future__ import annotations

import math
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import blockdyn as bd
from blockdyn.diagrams.model.errors import RunArgumentError, TimeLimit
from blockdyn.solvers.methods import METHODS
from blockdyn.solvers.methods.method import runge_kutta
from blockdyn.sweeps.store.store import Store

BY_PYTHON = bd.Method(  # dopri5, with steps that Python takes, as steps of a user's own method are
    "by_python", "Dormand-Prince", "none", METHODS["dopri5"].data, steps=lambda *given: runge_kutta(*given)
)


posix = pytest.mark.skipif(os.name == "nt", reason="POSIX signals")
Begin = Callable[..., "subprocess.Popen[str]"]

# `spin` is machine code that never ends once its input is 0.5; `mark` runs in Python at t = 0.
BLOCKS = """
from pathlib import Path

def spin(u):
    k = 0
    while u >= 0.5:
        k += 1
        if k < 0:
            u = 0.0
    return u

def loop(u):
    while u >= 0.5:
        pass
    return u

def mark(x):
    Path("begun").touch()
    return 0.0
"""
SCRIPT = (
    BLOCKS
    + """
import sys
import blockdyn as bd
d = bd.Diagram("endless")
d.connect(d.add("ramp", bd.Ramp()), d.add("f", bd.Function(spin)), d.add("x", bd.Integrator()))
if sys.argv[1] == "simulate":
    d.connect("ramp", d.add("mark", bd.SampledFunction(mark, sample_time=1e9, compiled=False)))
    d.simulate(stop=1.0)
else:
    s = bd.Sweep(d, {"ramp.slope": [0.1, 1.0]}, {"x": {"final": "x"}}, stop=1.0, chunk=1)
    s.task.ready()
    Path("begun").touch()
    e = s.run(store="s.zarr", workers=2, progress=False)
    print(e.complete, e.gathered.outcome.tolist())
"""
)
YAML = """\
blockdyn: 1
name: endless
blocks:
  ramp: {type: Ramp}
  f: {type: Function, function: "blocks.py:spin"}
  x: {type: Integrator}
  mark: {type: SampledFunction, function: "blocks.py:mark", sample_time: 1e9, compiled: false}
wires: [ramp -> f -> x, ramp -> mark]
simulate: {stop: 1.0}
sweep:
  axes: {ramp.slope: [1.0, 2.0]}
  measures: {x: {final: x}}
"""


def dead_end(process: subprocess.Popen[str]) -> None:
    """Let it come to its endless loop, where it takes no notice of a first signal."""
    time.sleep(0.3)
    assert process.poll() is None


@posix
@pytest.mark.parametrize("how", ["script", "run", "sweep"])
def test_a_second_interrupt_ends_machine_code(tmp_path: Path, begin: Begin, how: str) -> None:
    process = begun(tmp_path, begin, how)
    process.send_signal(signal.SIGINT)
    if how != "sweep":  # which leaves such threads behind by itself, after some time
        dead_end(process)
    else:
        time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=30)
    assert process.returncode == 130


@posix
@pytest.mark.parametrize("how", ["script", "run", "sweep"])
def test_sigterm_ends_machine_code(tmp_path: Path, begin: Begin, how: str) -> None:
    process = begun(tmp_path, begin, how)
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=30)
    assert process.returncode in (143, -signal.SIGTERM)


def begun(tmp_path: Path, begin: Begin, how: str) -> subprocess.Popen[str]:
    if how == "script":
        process = begin("-c", SCRIPT, "simulate")
    else:
        (tmp_path / "blocks.py").write_text(BLOCKS)
        text = YAML
        if how == "sweep":  # machine code alone: the store says when a scenario runs
            text = "".join(line for line in YAML.splitlines(True) if "mark:" not in line)
            text = text.replace(", ramp -> mark", "")
            (tmp_path / "begun").touch()
        (tmp_path / "endless.yaml").write_text(text)
        store = ("--store", "s.zarr") if how == "sweep" else ()
        process = begin("-m", "blockdyn", how, "endless.yaml", "--trust", "code", *store)
        running = tmp_path / "s.zarr" / ".unfinished" / "running"
        while store and not (running.exists() and any(running.read_bytes())):
            time.sleep(0.05)
    dead_end(process)
    return process


@posix
def test_one_interrupt_ends_a_sweep_whose_scenarios_do_not(tmp_path: Path, begin: Begin) -> None:
    """What is finished is in the store; the thread that spins is left behind."""
    process = begin("-c", SCRIPT, "sweep")
    while not [*(tmp_path / "s.zarr" / "done").glob("c.0")]:
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (0, "")
    assert out.split() == ["False", "[0,", "-1]"]
    assert Store.at(tmp_path / "s.zarr").safe == 1


# Both come back some seconds after every limit here, so that no thread spins beside the tests that follow.
def spin(u: float) -> float:
    if u >= 0.5:
        for _ in range(500_000_000):
            u = math.sqrt(u + 1.0)
    return u


def loop(u: float) -> float:
    end = time.monotonic() + (2.5 if u >= 0.5 else 0.0)
    while time.monotonic() < end:
        pass
    return u


def asleep(u: float) -> float:
    if u >= 0.5:
        time.sleep(3600)
    return u


def endless(function: Callable[[float], float], *, compiled: bool = True) -> bd.Diagram:
    """dx/dt = f(t), where f does not return from t = 0.5 on; before, x = t^2/2."""
    d = bd.Diagram("endless")
    d.connect(
        d.add("ramp", bd.Ramp()), d.add("f", bd.Function(function, compiled=compiled)),
        d.add("x", bd.Integrator()),
    )  # fmt: skip
    return d


WAYS = [
    (spin, True, "dopri5"),
    (spin, True, BY_PYTHON),
    (loop, False, "dopri5"),
    (asleep, False, "dopri5"),
]


@pytest.mark.parametrize(("function", "compiled", "method"), WAYS)
def test_a_limit_of_time_ends_a_run_that_does_not_come_back(
    function: Callable[[float], float], compiled: bool, method: str
) -> None:
    with pytest.raises(TimeLimit, match=r"0\.4 s of wall-clock time") as caught:
        endless(function, compiled=compiled).simulate(stop=1.0, max_time=0.4, method=method)
    partial = caught.value.partial
    assert not partial.complete
    trace = partial.trace("x")
    np.testing.assert_allclose(trace.values, trace.time**2 / 2, atol=1e-9)
    assert 0.0 <= trace.time[-1] < 0.5


TRACED = (
    BLOCKS
    + """
import sys
import blockdyn as bd
d = bd.Diagram("endless")
d.connect(d.add("ramp", bd.Ramp()), d.add("f", bd.Function(spin)), d.add("x", bd.Integrator()))
try:
    d.simulate(stop=1.0, max_time=0.4)
except bd.BlockdynError as error:
    print(type(error).__name__)
def debugged():
    return sum(k for k in range(10))
sys.settrace(lambda *given: None)
print(debugged())
"""
)


def test_a_debugger_goes_on_beside_a_thread_that_is_left_behind() -> None:
    ended = subprocess.run([sys.executable, "-c", TRACED], capture_output=True, text=True, timeout=120)
    assert (ended.stdout.split(), ended.stderr) == (["TimeLimit", "45"], "")


def test_the_python_function_that_does_not_return_is_named() -> None:
    with pytest.raises(TimeLimit, match="in the function of f") as caught:
        endless(loop, compiled=False).simulate(stop=1.0, max_time=0.4)
    assert caught.value.path == "f"


@pytest.mark.parametrize("compiled", [True, False])
def test_a_limit_of_time_ends_a_run_that_is_merely_long(compiled: bool) -> None:
    d = bd.Diagram("long")
    d.connect(d.add("wave", bd.Sine(frequency=10.0)), d.add("x", bd.Integrator(-0.1)))
    with pytest.raises(TimeLimit) as caught:
        d.simulate(stop=1e8, max_time=0.3, every=100.0, rtol=1e-9, atol=1e-12, compiled=compiled)
    trace = caught.value.partial.trace("x")
    assert trace.samples >= 1
    np.testing.assert_allclose(trace.values, -np.cos(10.0 * trace.time) / 10.0, atol=1e-4)


def test_a_limit_that_is_not_reached_changes_no_bit() -> None:
    d = bd.load("quadrotor-corke")
    plain, limited = d.simulate(stop=1.0), d.simulate(stop=1.0, max_time=1e6)
    for name in plain:
        np.testing.assert_array_equal(limited[name].values, plain[name].values)


@pytest.mark.parametrize("wrong", [0, -1.0, float("nan"), "soon", True])
def test_what_is_no_time_is_refused(wrong: object) -> None:
    with pytest.raises(RunArgumentError, match="max_time"):
        endless(spin).simulate(stop=0.1, max_time=wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize(("function", "compiled", "method"), WAYS)
def test_a_scenario_that_does_not_come_back_is_a_failed_scenario(
    function: Callable[[float], float], compiled: bool, method: str, tmp_path: Path
) -> None:
    """dx/dt = a t: where a < 0.5, x(1) = a / 2; the others never end."""
    d = endless(function, compiled=compiled)
    slopes = [0.1, 0.2, 0.3, 1.0, 0.4, 2.0, 0.45]
    sweep = bd.Sweep(
        d, {"ramp.slope": slopes}, {"x": {"final": "x"}}, stop=1.0, chunk=2, max_time=1.0, method=method,
        keep={"signals": ["x"], "every": 0.5},
    )  # fmt: skip
    e = sweep.run(workers=2, store=tmp_path / "s.zarr")
    assert e.complete
    ends = np.array(slopes) < 0.5
    np.testing.assert_allclose(np.array(e["x"])[ends], np.array(slopes)[ends] / 2, rtol=1e-6)
    assert np.isnan(np.array(e["x"])[~ends]).all()
    assert [e.gathered.outcome[k] for k in (3, 5)] == [11, 11]
    assert "1 s of wall-clock time" in e.gathered.reason[3]
    assert e.gathered.succeeded.tolist() == ends.tolist()
    free = bd.Sweep(
        d, {"ramp.slope": [s for s in slopes if s < 0.5]}, {"x": {"final": "x"}}, stop=1.0, method=method
    )
    assert np.array(e["x"])[ends].tolist() == np.array(free.run()["x"]).tolist()
