"""`blockdyn run --plot`: which signals share an axes, and into which file."""

from __future__ import annotations

from typing import Any

import pytest

import blockdyn as bd

TEXT = """blockdyn: 1
name: lag
blocks:
  reference: {type: Step}
  speed: {type: TransferFunction, num: [1], den: [1, 1]}
wires: [reference -> speed]
simulate: {stop: 1}
"""


def test_signals_between_commas_share_an_axes(
    command: Any, folder: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[object] = []
    monkeypatch.setattr(bd.Result, "plot", lambda _, paths=None, **kw: drawn.append((paths, kw["file"])))
    (folder / "lag.yaml").write_text(TEXT)
    named = ["--plot", "reference, speed", "--plot", "speed", "--plot", "a.png"]
    assert command("run", "lag.yaml", *named).returncode == 0
    assert command("run", "--plot", "lag.yaml").returncode == 0
    assert drawn == [([["reference", "speed"], ["speed"]], "a.png"), (None, "lag.png")]
