"""A sweep that is killed at any moment, and resumed, leaves the store of one that was not."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="sweeps are forked, and killed by SIGKILL")

# One process compiles; its children run the sweep, and are killed. The first store is that of a whole run.
SCRIPT = """\
import os, random, signal, time, traceback
from pathlib import Path
import blockdyn as bd
import pandas, pyarrow.parquet, rich.progress  # once, and not in every child
from blockdyn.sweeps import running
from blockdyn.sweeps.running import identity
from blockdyn.diagrams.yaml import loads

DIAGRAM = '''
blockdyn: 1
parameters: {mu: 1.0}
blocks:
  x: {type: Integrator, initial: 2.0}
  v: {type: Integrator}
  f: {type: Expression, formula: "mu*(1 - u1**2)*u2 - u1", coefficients: {mu: =mu}}
wires: [v -> x, "x -> f.u1", "v -> f.u2", f -> v]
simulate: {stop: 20.0}
sweep:
  number: 300
  seed: 3
  chunk: 4
  axes: {mu: {uniform: {low: -0.1, high: 3}}, v.x: {normal: {mean: 0, sd: 3}}}
  measures: {x: {final: x}, top: {max: x}, rms: {rms: v}}
  keep: {signals: [x], every: 0.1}
'''
sweep = bd.Sweep(loads(DIAGRAM))
sweep.task.ready()
identity(sweep)


def begin(store, resume):
    child = os.fork()
    if child == 0:
        code = 1
        try:
            sweep.run(store=store, resume=resume, workers=2, progress=False)
            code = 0
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(code)
    return child


def ended(child):
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def contents(store):
    return {
        str(f.relative_to(store)): f.read_bytes()
        for f in sorted(Path(store).rglob("*"))
        if f.is_file() and ".unfinished" not in f.parts
    }


def finished(store):
    found = {}
    for mark in Path(store, "done").glob("c.*"):
        for f in Path(store).glob(f"*/{mark.name}*"):
            if f.name == mark.name or f.name.startswith(mark.name + "."):
                found[f] = f.stat().st_mtime_ns, f.stat().st_ino
    return found


began = time.perf_counter()
assert ended(begin("whole.zarr", False)) == 0
span = time.perf_counter() - began
whole = contents("whole.zarr")
kills = middles = 0
for seed in range(9):
    random.seed(seed)
    store, before = f"{seed}.zarr", {}
    for attempt in range(random.choice([1, 1, 2])):
        child = begin(store, Path(store, "zarr.json").exists())
        time.sleep(random.uniform(0.0, span))
        os.kill(child, signal.SIGKILL)
        ended(child)
        kills += 1
        now = finished(store)
        assert all(now[f] == was for f, was in before.items()), "a finished chunk was run again"
        middles += 0 < len(now) < len(whole)
        before = now
    assert ended(begin(store, Path(store, "zarr.json").exists())) == 0
    now = finished(store)
    assert all(now[f] == was for f, was in before.items()), "a finished chunk was run again"
    found = contents(store)
    assert found.keys() == whole.keys(), found.keys() ^ whole.keys()
    assert not [name for name in whole if found[name] != whole[name]]
    assert not any(f.is_file() for f in Path(store, ".unfinished").rglob("*"))
print("span", span, "kills", kills, "in the middle", middles)
"""


def test_nine_seeds(tmp_path: Path) -> None:
    run = subprocess.run(
        [sys.executable, "-c", SCRIPT], cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False
    )
    assert run.returncode == 0, run.stdout + run.stderr
    words = run.stdout.split()
    kills, middles = int(words[3]), int(words[-1])
    assert kills >= 9
    assert middles >= 2, run.stdout
