"""A scenario that ends the process that runs it is named and left out; the others have their bits."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import blockdyn as bd
from blockdyn.sweeps.store.part import OUTCOMES, Part
from blockdyn.sweeps.store.store import Store

pytestmark = pytest.mark.skipif(os.name == "nt", reason="POSIX signals")

# Scenarios of 20 end the process, each in its way, or in machine code by a store far outside of an array.
SCRIPT = """
import os, signal, sys
import numpy as np
import blockdyn as bd

how, store = sys.argv[1:3]

def ends(u):
    if u == 3.0:
        os._exit(0)
    if u in (7.0, 13.0):
        os.kill(os.getpid(), signal.SIGKILL if u == 7.0 else signal.SIGSEGV)
    return u

def machine(u):
    room = np.zeros(1)
    at = 0
    if u == 7.0 or u == 13.0:
        at = 1 << 50
    room[at] = u
    return room[0]

def whole(u):
    return u

function = whole if how == "whole" else machine if how == "machine" else ends
d = bd.Diagram("d")
d.connect(
    d.add("c", bd.Constant(1.0)), d.add("f", bd.Function(function, compiled=how in ("machine", "whole"))),
    d.add("x", bd.Integrator()),
)
s = bd.Sweep(d, {"c.value": [float(i) for i in range(20)]}, {"x": {"final": "x"}}, stop=1.0, chunk=6,
             keep={"signals": ["x"], "every": 0.5})
e = s.run(store=store, resume=os.path.exists(store), workers=3, progress=False)
print(e.complete, len(e.gathered.outcome))
"""


def run(tmp_path: Path, how: str, store: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", SCRIPT, how, store],
        cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> Part:
    """What the scenarios give where none ends the process."""
    folder = tmp_path_factory.mktemp("whole")
    assert run(folder, "whole", "whole.zarr").returncode == 0
    return Store.at(folder / "whole.zarr").part(0, 20)


@pytest.mark.parametrize(("how", "dead"), [("ends", (3, 7, 13)), ("machine", (7, 13))])
def test_what_ends_the_process_is_failed_and_the_rest_goes_on(
    how: str, dead: tuple[int, ...], expected: Part, tmp_path: Path
) -> None:
    for _ in range(2 * len(dead)):  # each scenario dies at most twice, whichever threads they meet in
        last = run(tmp_path, how, "s.zarr")
        if last.stdout:
            break
    assert last.stdout.split() == ["True", "20"], last.stderr
    assert "ScenarioDied" in last.stderr
    found = Store.at(tmp_path / "s.zarr").part(0, 20)
    died = np.isin(np.arange(20), dead)
    assert [OUTCOMES[code] == "process died" for code in found.outcome] == died.tolist()
    assert all("the process died" in found.reason[k] for k in dead)
    assert np.isnan(found.measures[died]).all()
    np.testing.assert_array_equal(found.measures[~died], expected.measures[~died])
    np.testing.assert_array_equal(found.signals["x.y"][~died], expected.signals["x.y"][~died])
    assert not any(f.is_file() for f in (tmp_path / "s.zarr" / ".unfinished").rglob("*"))
    again = run(tmp_path, how, "s.zarr")
    assert again.stdout.split() == ["True", "20"]


def test_a_process_killed_from_outside_blames_nobody(tmp_path: Path) -> None:
    """A process killed again and again: its scenarios run apart, and none of them has failed."""
    sweep = bd.Sweep(_oscillator(), {"x.initial": [float(i) for i in range(40)]}, {"x": {"final": "x"}},
                     stop=20.0, chunk=4)  # fmt: skip
    script = (
        "import os, signal, sys, threading, time\n"
        f"sys.path.insert(0, {str(Path(__file__).parent)!r})\n"
        "from test_deaths import killed\n"
        "killed(float(sys.argv[1]))\n"
    )
    for pause in (0.0, 0.002, 0.004, 0.008, 0.016):
        subprocess.run([sys.executable, "-c", script, str(pause)], cwd=tmp_path, timeout=300, check=False)
    store = tmp_path / "s.zarr"
    e = sweep.run(store=store, resume=store.exists())
    assert e.complete
    assert not e.gathered.failed.any()
    np.testing.assert_allclose(np.array(e["x"]), np.arange(40) * np.cos(20.0), rtol=1e-4, atol=1e-4)


def _oscillator() -> bd.Diagram:
    d = bd.Diagram("oscillator")
    x, v = d.add("x", bd.Integrator(1.0)), d.add("v", bd.Integrator(0.0))
    d.connect(v, x)
    d.connect(x, d.add("minus", bd.Gain(-1.0)), v)
    return d


def killed(pause: float) -> None:
    """Run that sweep in a process that ends by SIGKILL so long after its first scenarios."""
    import signal
    import threading
    import time

    sweep = bd.Sweep(_oscillator(), {"x.initial": [float(i) for i in range(40)]}, {"x": {"final": "x"}},
                     stop=20.0, chunk=4)  # fmt: skip
    sweep.task.ready()

    def kill() -> None:
        while not Path("s.zarr", ".unfinished", "running").exists():
            time.sleep(0.0005)
        time.sleep(pause)
        os.kill(os.getpid(), signal.SIGKILL)

    threading.Thread(target=kill, daemon=True).start()
    sweep.run(store="s.zarr", resume=Path("s.zarr", "zarr.json").exists(), workers=2, progress=False)
    time.sleep(60)
