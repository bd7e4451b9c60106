"""The start of a process: one line when the solver is compiled, and few imports."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

# what a run that writes no file, draws nothing and compiles nothing has no use for
HEAVY = {"numba", "scipy", "xarray", "pandas", "matplotlib", "h5py", "pyarrow", "networkx", "typer", "rich"}


def test_the_first_run_says_what_is_compiled_and_later_ones_say_nothing(command: Any, tmp_path: Path) -> None:
    cache = str(tmp_path / "cache")
    first, second = (command("run", "decay.yaml", BLOCKDYN_CACHE=cache) for _ in range(2))
    assert (first.returncode, second.returncode) == (0, 0)
    assert first.stderr.startswith("compiling the solver")
    assert first.stderr.count("\n") == 1
    assert " done in " in first.stderr
    assert second.stderr == ""


def test_after_precompile_a_run_imports_only_what_it_needs(command: Any, folder: Path) -> None:
    done = command("precompile")
    assert done.returncode == 0
    assert "compiling the solver" in done.stderr
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
