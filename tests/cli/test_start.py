"""The start of a process: one line when the solver is compiled, and few imports."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from argparse import Namespace
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from blockdyn.blocks.contract.registry import families
from blockdyn.cli.precompile import precompile, steps
from blockdyn.diagrams.yaml.finding import gallery_files
from blockdyn.native.cache import folder

# what a run that writes no file, draws nothing and compiles nothing has no use for
HEAVY = {"numba", "scipy", "xarray", "pandas", "matplotlib", "h5py", "pyarrow", "networkx", "typer", "rich"}


def test_the_first_run_says_what_is_compiled_and_later_ones_say_nothing(process: Any, tmp_path: Path) -> None:
    """With a store that lacks the solver, a filled one and a damaged one, the results are the same bits."""
    cache = tmp_path / "cache"
    cache.mkdir(mode=0o700)
    for file in (folder() or cache).glob("*.kernel"):
        with suppress(OSError):  # removed meanwhile
            shutil.copy(file, cache)

    def run() -> tuple[dict[str, Any], str]:
        done = process("run", "decay.yaml", "--json", BLOCKDYN_CACHE=str(cache))
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)["final"], done.stderr

    first, told = run()
    assert told.startswith("compiling the solver")
    assert told.count("\n") == 1
    assert " done in " in told
    assert run() == (first, "")
    for file in cache.glob("*.program"):
        file.write_bytes(file.read_bytes()[:-7] + b"rubbish")
    assert run()[0] == first


@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        (("run", "decay.yaml", "--param", "rate=2", "--out", "decay.csv"), 0),
        (("run", "blow-up.yaml"), 2),
        (("check", "sampled.yaml", "--json"), 0),
        (("rnu",), 2),
    ],
)
def test_a_process_says_what_a_call_says(
    process: Any, command: Any, arguments: tuple[str, ...], status: int
) -> None:
    """But for the time that it took: the other tests of commands are calls."""
    command(*arguments)  # what has to be compiled is in the store from here on, and needs no word
    texts = []
    for done in (process(*arguments), command(*arguments)):
        assert done.returncode == status
        texts.append((re.sub(r"(?m)^  computed in .*$", "", done.stdout), done.stderr))
    assert texts[0] == texts[1]


def test_precompile_reaches_all_blocks_diagrams_and_sweeps() -> None:
    names = [name for name, _ in steps()]
    assert len(set(names)) == len(names)
    assert {f"diagrams: {name}" for name in gallery_files()} <= set(names)
    assert {f"{family.name}: {kind.kind()}" for family in families() for kind in family.types} <= set(names)
    assert {"robots: rnea", "robots: modern_robotics", "sweeps: scenarios", "sweeps: measures"} <= set(names)


def test_precompile_says_what_it_does(monkeypatch: Any, capsys: Any) -> None:
    done: list[str] = []
    few = [("arms: FDyn", lambda: done.append("FDyn")), ("arms: RNE", lambda: done.append("RNE"))]
    monkeypatch.setattr("blockdyn.cli.precompile.steps", lambda: iter(few))
    assert precompile(Namespace()) == 0
    out, err = capsys.readouterr()
    assert done == ["FDyn", "RNE"]
    assert err.splitlines() == ["compiling the solver", "compiling arms"]
    assert out.startswith("compiled in ")


def test_after_precompile_a_run_imports_only_what_it_needs(folder: Path) -> None:
    """Of what precompile compiles, what the calls below can use."""
    program = (
        "from blockdyn.cli.precompile import steps\n"
        "from blockdyn.solvers.loop.compiled import native_loop\n"
        "native_loop()\n"
        "for name, compile_it in steps():\n"
        "    if name == 'diagrams: quadrotor' or name.startswith('robots: '): compile_it()\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    program = (
        "import sys; from blockdyn.cli import main\n"
        "status = main(['run', 'quadrotor'])\n"
        f"sys.exit(status or ', '.join(sorted({HEAVY!r} & set(sys.modules))) or 0)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=folder, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    program = (
        "import sys; import numpy as np; import blockdyn.modern_robotics as mr\n"
        "from blockdyn.robots.functions.dynamics import accel, inertia, rne\n"
        "from blockdyn.robots.functions.kinematics import fkine, jacobian\n"
        "from blockdyn.robots.inverse.analytic import ikine_closed\n"
        "from blockdyn.robots.inverse.numeric import ikine\n"
        "q = np.array([0.1, 0.2, 0.3, 0.4, 0.5, 0.6])\n"
        "T = fkine('puma560', q)\n"
        "for call in (rne, accel): call('puma560', q, q, q)\n"
        "for call in (inertia, jacobian): call('puma560', q)\n"
        "for call in (ikine, ikine_closed): call('puma560', T)\n"
        "chain = [np.eye(4)] * 2, [np.eye(6)], np.eye(6)[:, 2:3]\n"
        "mr.ForwardDynamics([0.1], [0.2], [0.3], [0, 0, -9.8], [0.0] * 6, *chain)\n"
        "sys.exit('numba' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_diagram_of_one_family_imports_no_other() -> None:
    """A compiled diagram is a copy of the one declared: copying asks for names that no diagram has."""
    program = (
        "import sys, blockdyn as bd\n"
        "d = bd.Diagram('d'); d.add('c', bd.Constant(1.0)); d.compile(); hasattr(d, '_repr_svg_')\n"
        "print([name for name in sys.modules if name.startswith('blockdyn.blocks.vehicles')])\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("[]\n", "")


def test_a_saved_result_imports_no_block_that_is_not_in_it(folder: Path) -> None:
    """The record of a run holds its diagram as YAML, in which every block has its type's name."""
    program = (
        "import sys; from blockdyn.cli import main\n"
        "main(['run', 'quadrotor', '--out', 'result.csv'])\n"
        "print([name for name in sys.modules if name.startswith('blockdyn.blocks.matrices')])\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=folder, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout.splitlines()[-1:]) == (0, ["[]"])
