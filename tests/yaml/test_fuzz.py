"""A slice of the fuzzing: `python -m fuzz` does the whole."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("arguments", [("yaml", "--count", "300"), ("diagrams", "--count", "60")])
def test_nothing_but_blockdyns_own_exceptions(arguments: tuple[str, ...]) -> None:
    run = subprocess.run(
        [sys.executable, "-m", "fuzz", *arguments, "--seed", "7"], cwd=ROOT, capture_output=True, text=True
    )
    assert run.returncode == 0, run.stdout + run.stderr
