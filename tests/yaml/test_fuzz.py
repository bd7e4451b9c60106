"""A slice of the fuzzing: `python -m tools.fuzz` does the whole."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, *arguments], cwd=ROOT, capture_output=True, text=True)


@pytest.mark.parametrize(
    ("kind", "count"), [("yaml", 100), ("diagrams", 4), ("api", 700), ("margins", 8), ("machines", 5)]
)
def test_nothing_but_blockdyns_own_exceptions(kind: str, count: int, fresh_seed: int) -> None:
    arguments = ["-m", "tools.fuzz", kind, "--count", str(count), "--seed", str(fresh_seed)]
    ended = run(*arguments)
    assert ended.returncode == 0, f"again: python {' '.join(arguments)}\n{ended.stdout}{ended.stderr}"


def test_a_run_without_cases_is_refused() -> None:
    ended = run("-m", "tools.fuzz", "instants", "--count", "-3")
    assert ended.returncode == 2
    assert "--count" in ended.stderr


SEEDS = [12, 1547, 6170, 6546]


def test_loops_through_roots_and_tables() -> None:
    """Slopes without limit at 0, differences that cancel, and a solution in the modes of before that is not
    the one next to the true one.
    """
    ended = run("-c", f"from tools.fuzz.loops import fuzz_loops as f; print(sum(f(1, s) for s in {SEEDS}))")
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout.splitlines()[-1] == "0", ended.stdout
