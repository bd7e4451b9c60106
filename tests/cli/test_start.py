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
