"""Runs are pure: nothing of the caller's changes, nothing is shared, and the same run gives the same bits."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import blockdyn as bd


def bits(r: bd.Result) -> str:
    h = hashlib.sha256()
    for path in sorted(r):
        trace = r.trace(path)
        h.update(path.encode() + trace.time.tobytes() + np.ascontiguousarray(trace.values).tobytes())
    for e in r.events:
        h.update(repr((e.time, e.path, e.kind, e.detail)).encode())
    return h.hexdigest()


def hybrid(e: float = 0.8) -> bd.Diagram:
    """A ball, a sampled loop, a relay loop and a square wave in one diagram."""
    d = bd.Diagram("hybrid")
    v, x = (
        d.add("v", bd.Integrator([0.0, 1.0], reset="falling", level=0.0)),
        d.add("x", bd.Integrator([3.0, 2.0])),
    )
    d.connect(d.add("g", bd.Constant([-9.81, -3.7])), v["u"])
    d.connect(v, x, v["trigger"])
    d.connect(v, d.add("back", bd.Gain(-e)), v["value"])
    error, pid = d.add("error", bd.Sum("+-")), d.add("pid", bd.DiscretePID(0.05, kp=3.0, ki=1.0))
    plant = d.add("plant", bd.TransferFunction(num=[1.0], den=[1.0, 0.5, 2.0]))
    d.connect(d.add("wave", bd.Square(period=0.77)), error[0])
    d.connect(error, pid, plant, error[1])
    y, relay = (
        d.add("y", bd.Integrator()),
        d.add("relay", bd.Relay(switch_on=0.3, switch_off=-0.2, on=-1.0, off=1.0)),
    )
    d.connect(y, relay, y)
    d.connect(plant, d.add("top", bd.Saturation(upper=0.4)))
    return d


def test_the_same_diagram_twice():
    d = hybrid()
    assert bits(d.simulate(stop=2)) == bits(d.simulate(stop=2))


def test_the_same_program_twice_and_interleaved_with_another():
    d, other = hybrid().compile(), hybrid(0.6).compile()
    first = bits(d.simulate(stop=2))
    between = bits(other.simulate(stop=1.5))
    assert bits(d.simulate(stop=2)) == first != between
    assert bits(other.simulate(stop=1.5)) == between


def test_a_failed_run_leaves_nothing_behind():
    d = bd.Diagram()
    x, s = d.add("x", bd.Integrator(1.0)), d.add("s", bd.Power(2.0))
    d.connect(x, s, x)
    program = d.compile()
    first = bits(program.simulate(stop=0.9))
    with pytest.raises(bd.RunError):
        program.simulate(stop=2)
    assert bits(program.simulate(stop=0.9)) == first


@pytest.mark.parametrize("shared", [True, False])
def test_eight_threads(shared):
    alone = bits(hybrid().simulate(stop=2))
    program = hybrid().compile()

    def run(_: int) -> str:
        return bits((program if shared else hybrid().compile()).simulate(stop=2))

    with ThreadPoolExecutor(8) as pool:
        assert set(pool.map(run, range(24))) == {alone}


SCRIPT = """
import hashlib, sys
import blockdyn as bd
d = bd.load(sys.stdin.read())
r = d.simulate(stop=2)
h = hashlib.sha256()
for path in sorted(r):
    t = r.trace(path)
    h.update(path.encode() + t.time.tobytes() + t.values.tobytes())
h.update(repr([(e.time, e.path, e.detail) for e in r.events]).encode())
print(h.hexdigest())
"""
BLOCKS = {
    "wave": "{type: Square, period: 0.77}",
    "error": '{type: Sum, signs: "+-"}',
    "pid": "{type: DiscretePID, sample_time: 0.05, kp: 3.0, ki: 1.0}",
    "plant": "{type: TransferFunction, num: [1], den: [=m, 0.5, 2]}",
    "y": "{type: Integrator}",
    "relay": "{type: Relay, switch_on: 0.3, switch_off: -0.2, on: -1.0, off: 1.0}",
    "top": "{type: Saturation, upper: 0.4}",
}
WIRES = ["wave -> error[0]", "error -> pid -> plant -> error[1]", "y -> relay -> y", "plant -> top"]


def text(order: int) -> str:
    """The same diagram with its keys and wires in another order."""
    rng = np.random.default_rng(order)
    names, wires = list(rng.permutation(list(BLOCKS))), list(rng.permutation(WIRES))
    parts = {
        "name": "name: same",
        "parameters": "parameters: {m: 1.0}",
        "blocks": "blocks:\n" + "".join(f"  {n}: {BLOCKS[n]}\n" for n in names),
        "wires": "wires:\n" + "".join(f"  - {w}\n" for w in wires),
    }
    return "blockdyn: 1\n" + "\n".join(parts[k] for k in rng.permutation(list(parts))) + "\n"


def test_order_of_yaml_keys_and_wires():
    found = {bits(bd.load(text(order)).simulate(stop=2)) for order in range(8)}
    assert len(found) == 1


def test_hash_seed_of_the_process():
    found = set()
    for seed in ("0", "1", "4242"):
        done = subprocess.run(
            [sys.executable, "-c", SCRIPT],
            input=text(int(seed)),
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        )
        found.add(done.stdout.strip())
    assert len(found) == 1


def test_the_callers_arrays_do_not_change_and_are_not_kept():
    k, x0, A = np.array([2.0, 3.0]), np.array([1.0, -1.0]), np.array([[0.0, 1.0], [-1.0, 0.0]])
    times, atol = np.linspace(0, 1, 5), np.array([1e-9, 1e-9, 1e-9, 1e-9])
    d = bd.Diagram()
    x = d.add("x", bd.Integrator(x0, lower=[-2.0, -2.0], upper=5.0))
    d.connect(x, d.add("k", bd.Gain(k)), d.add("plant", bd.StateSpace(A=A, B=np.eye(2), C=np.eye(2))), x)
    given = [k, x0, A, times, atol]
    before = [a.copy() for a in given]
    r = d.simulate(stop=1, times=times, atol=atol)
    for a, b in zip(given, before, strict=True):
        np.testing.assert_array_equal(a, b)
    first = bits(r)
    for a in given:
        a[...] = 7.0
    assert bits(d.simulate(stop=1, times=before[3], atol=before[4])) == first
    assert bits(r) == first


def test_results_do_not_alias_parameters_or_each_other():
    value = np.array([1.0, 2.0])
    d = bd.Diagram()
    d.connect(d.add("c", bd.Constant(value)), d.add("x", bd.Integrator([0.0, 0.0])))
    a, b = d.simulate(stop=1), d.simulate(stop=1)
    traces = [r.trace(p).values for r in (a, b) for p in ("c.y", "x.y")]
    for i, one in enumerate(traces):
        assert not np.shares_memory(one, value)
        assert not np.shares_memory(one, d.blocks["c"].value)
        for other in traces[i + 1 :]:
            assert not np.shares_memory(one, other)


def test_results_cannot_be_written():
    d = bd.Diagram()
    d.connect(d.add("s", bd.Sine()), d.add("x", bd.Integrator()))
    r = d.simulate(stop=1)
    with pytest.raises(ValueError, match="read-only"):
        r.trace("x.y").values[0] = 1.0
    final = r.final("x")
    assert isinstance(final, float)


def test_block_parameters_cannot_be_written():
    block = bd.Gain([1.0, 2.0])
    with pytest.raises(ValueError, match="read-only"):
        block.k[0] = 5.0
    with pytest.raises(AttributeError):
        block.k = 3.0


def test_more_logging_does_not_change_the_run():
    few, many = hybrid().simulate(stop=2, log=["x.y"], states=False), hybrid().simulate(stop=2)
    assert few.trace("x.y").identical(many.trace("x.y"))
    assert list(few) == ["x.y"]


def test_small_and_large_chunks_of_a_long_run_are_one():
    """A run that fills its log many times over has every row once."""
    d = bd.Diagram()
    d.connect(d.add("t", bd.Clock()), d.add("x", bd.Integrator()))
    r = d.simulate(stop=10, max_step=1e-5, first_step=1e-5)
    time = r.trace("x.y").time
    assert np.all(np.diff(time) > 0)
    assert len(time) == r.statistics["steps"] + 1 > 1_000_000 - 1
    np.testing.assert_allclose(r["x"].values, time**2 / 2, rtol=1e-9, atol=1e-12)
