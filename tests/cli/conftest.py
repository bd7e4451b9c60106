"""Shared by the tests of the command line: a folder with diagrams, the command here or in its own process."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

import pytest

from blockdyn.cli import main

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
def process(folder: Path) -> Command:
    """`blockdyn ARGUMENTS` in that folder, in a process of its own without a display."""

    def call(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
        windows = ("DISPLAY", "WAYLAND_DISPLAY", "MPLBACKEND")
        inherited = {k: v for k, v in os.environ.items() if k not in windows}
        return subprocess.run(
            [sys.executable, "-m", "blockdyn", *arguments],
            cwd=folder, env=inherited | environment,
            capture_output=True, text=True, encoding="utf-8", check=False,
        )  # fmt: skip

    return call


@pytest.fixture
def command(folder: Path, monkeypatch: pytest.MonkeyPatch, usual_warnings: Any) -> Command:
    """`blockdyn ARGUMENTS` in that folder and this process, which has all imports behind it."""
    monkeypatch.chdir(folder)

    def call(*arguments: str) -> subprocess.CompletedProcess[str]:
        out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(2))
        with usual_warnings(), redirect_stdout(out), redirect_stderr(err):
            try:
                status = main(arguments)
            except SystemExit as end:
                status = int(end.code or 0)
        texts = []
        for stream in (out, err):
            stream.seek(0)
            texts.append(stream.read())
        return subprocess.CompletedProcess(arguments, status, *texts)

    return call
