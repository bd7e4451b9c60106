"""Shared by the tests of the command line: a folder with diagrams, the command in its own process."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

DECAY = """\
blockdyn: 1
name: decay
parameters: {rate: 1.0}
blocks:
  x: {type: Integrator, initial: 1.0}
  fall: {type: Gain, k: =-rate}
  shown: {type: Scope, title: Decay}
wires:
  - x -> fall -> x
  - x -> shown[0]
simulate: {stop: 2.0, rtol: 1e-9, atol: 1e-12}
"""

BLOW_UP = """\
blockdyn: 1
name: blow-up
blocks:
  x: {type: Integrator, initial: 1.0}
  square: {type: Product}
wires: ["x -> [square[0], square[1]]", square -> x]
simulate: {stop: 5.0}
"""

SAMPLED = """\
blockdyn: 1
name: sampled
parameters: {period: 0.1, spare: 1.0}
blocks:
  wanted: {type: Step, time: 1.0, final: 2.0}
  error: {type: Sum, signs: "+-"}
  control: {type: DiscretePID, kp: 2.0, ki: 1.0, sample_time: =period}
  plant: {type: TransferFunction, num: [1.0], den: [0.5, 1.0]}
  touch: {type: HitCrossing, level: 1.0, direction: rising}
  unread: {type: Constant, value: 3.0}
wires: ["wanted -> error[0]", "plant -> [error[1], touch]", error -> control -> plant]
log: [plant, touch]
simulate: {stop: 5.0}
"""

Command = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with diagrams."""
    for name, text in (("decay", DECAY), ("blow-up", BLOW_UP), ("sampled", SAMPLED)):
        (tmp_path / f"{name}.yaml").write_text(text, encoding="utf-8")
    return tmp_path


@pytest.fixture
def command(folder: Path) -> Command:
    """`blockdyn ARGUMENTS` in that folder, without a display."""

    def call(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
        windows = ("DISPLAY", "WAYLAND_DISPLAY", "MPLBACKEND")
        inherited = {k: v for k, v in os.environ.items() if k not in windows}
        return subprocess.run(
            [sys.executable, "-m", "blockdyn", *arguments],
            cwd=folder, env=inherited | environment,
            capture_output=True, text=True, encoding="utf-8", check=False,
        )  # fmt: skip

    return call
