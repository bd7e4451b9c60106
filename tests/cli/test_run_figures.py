"""`blockdyn run`: which signals share an axes, and the measures of the file."""

from __future__ import annotations

import json
import math
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


def test_marks_of_events_are_left_out(command: Any, folder: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The step at 1 s is an event, marked unless told otherwise."""
    marked, drawn = [], bd.Result.plot
    monkeypatch.setattr(bd.Result, "plot", lambda *a, **kw: marked.append(drawn(*a, **kw)))
    (folder / "lag.yaml").write_text(TEXT.replace("stop: 1", "stop: 2"))
    for options in ([], ["--no-events"]):
        assert command("run", "lag.yaml", "--plot", "speed", "--plot", "a.png", *options).returncode == 0
    assert [len(figure.axes[0].collections) for figure in marked] == [1, 0]


def test_a_run_prints_the_measures_of_its_file(command: Any, folder: Any) -> None:
    """1 - exp(-(t - 1)) at 3 s; a margin is not in the samples of a run."""
    measures = "last: {final: speed}, margin: {gain_margin: speed}, twice: {value: 2 * last}"
    (folder / "lag.yaml").write_text(f"{TEXT}sweep: {{measures: {{{measures}}}}}\n")
    printed = command("run", "lag.yaml", "--stop", "3", "--json")
    assert printed.returncode == 0
    expected = 1.0 - math.exp(-2.0)
    figures = {"last": expected, "twice": 2.0 * expected}
    assert json.loads(printed.stdout)["measures"] == pytest.approx(figures, rel=1e-5)
    assert "last     0.864665" in command("run", "lag.yaml", "--stop", "3").stdout
    hidden = command("run", "lag.yaml", "--stop", "3", "--log", "reference")
    assert (hidden.returncode, "without measures" in hidden.stdout) == (0, True)
