"""A slice of the fuzzing: `python -m tools.fuzz` does the whole."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("kind", "count"), [("yaml", 300), ("diagrams", 20), ("api", 2500), ("margins", 40), ("machines", 20)]
)
def test_nothing_but_blockdyns_own_exceptions(kind: str, count: int, fresh_seed: int) -> None:
    arguments = ["-m", "tools.fuzz", kind, "--count", str(count), "--seed", str(fresh_seed)]
    run = subprocess.run([sys.executable, *arguments], cwd=ROOT, capture_output=True, text=True)
    assert run.returncode == 0, f"again: python {' '.join(arguments)}\n{run.stdout}{run.stderr}"


@pytest.mark.parametrize("count", ["0", "-3"])
def test_a_run_without_cases_is_refused(count: str) -> None:
    arguments = [sys.executable, "-m", "tools.fuzz", "instants", "--count", count]
    run = subprocess.run(arguments, cwd=ROOT, capture_output=True, text=True)
    assert run.returncode == 2
    assert "--count" in run.stderr


@pytest.mark.parametrize("seed", [12, 1547, 6170, 6546])
def test_loops_through_roots_and_tables(seed: int) -> None:
    """Slopes without limit at 0, differences that cancel, and a solution in the modes of before that is not
    the one next to the true one.
    """
    arguments = ["-m", "tools.fuzz", "loops", "--count", "1", "--seed", str(seed)]
    run = subprocess.run([sys.executable, *arguments], cwd=ROOT, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout
