"""`blockdyn run`: closed forms come out of the whole command."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from blockdyn import load_result


def facts(command: Any, *arguments: str) -> dict[str, Any]:
    done = command("run", *arguments, "--json")
    assert (done.returncode, done.stderr) == (0, "")
    return json.loads(done.stdout)  # type: ignore[no-any-return]


@pytest.mark.parametrize(
    ("arguments", "final"),
    [
        ((), math.exp(-2.0)),
        (("--stop", "3"), math.exp(-3.0)),
        (("--start", "1"), math.exp(-1.0)),
        (("--param", "rate=2.5"), math.exp(-5.0)),
        (("--param", "rate==1/2"), math.exp(-1.0)),
        (("--set", "fall.k=-3"), math.exp(-6.0)),
        (("--set", "fall.k==-4*rate"), math.exp(-8.0)),
        (("--set", "x.initial=7", "--param", "rate=1e-1"), 7.0 * math.exp(-0.2)),
        (("--method", "dop853"), math.exp(-2.0)),
        (("--touch", "0.5:rate=3", "--touch", "1:x.x=1"), math.exp(-3.0)),
        (("--stop", "0"), 1.0),
        (("--method", "radau5"), math.exp(-2.0)),
        (("--method", "rk4", "--step", "0.01"), (1 - 0.01 + 0.01**2 / 2 - 0.01**3 / 6 + 0.01**4 / 24) ** 200),
        (("--method", "euler", "--step", "0.25"), 0.75**8),
    ],
)
def test_the_final_value_of_a_decay(command: Any, arguments: tuple[str, ...], final: float) -> None:
    found = facts(command, "decay.yaml", *arguments)
    assert found["complete"]
    assert found["final"]["x.y"] == pytest.approx(final, rel=1e-7)


@pytest.mark.parametrize("suffix", [".nc", ".parquet", ".csv"])
def test_what_was_touched_in_a_run_happens_again_in_another(command: Any, suffix: str) -> None:
    options = ("--log", "x", "--param", "rate=2", "--touch", "1:x.x=5")
    first = facts(command, "decay.yaml", "--touch", "0.5:rate=3", *options, "--out", f"first{suffix}")
    again = facts(command, "decay.yaml", "--touches", f"first{suffix}", "--log", "x", "--param", "rate=2")
    assert again["final"] == first["final"] == {"x.y": pytest.approx(5.0 * math.exp(-3.0), rel=1e-7)}
    more = facts(command, "decay.yaml", "--log", "x", "--touches", f"first{suffix}", "--touch", "1.5:x.x=0")
    assert more["final"] == {"x.y": 0.0}


def test_an_initial_vector_gives_a_final_vector(command: Any) -> None:
    found = facts(command, "decay.yaml", "--set", "x.initial=[1, -2, 0.5]")
    assert found["final"]["x.y"] == pytest.approx([f * math.exp(-2.0) for f in (1.0, -2.0, 0.5)], rel=1e-7)


@pytest.mark.parametrize("suffix", [".nc", ".parquet", ".csv"])
def test_the_result_is_written(command: Any, folder: Path, suffix: str) -> None:
    found = facts(command, "decay.yaml", "--every", "0.25", "--log", "x", "--out", f"decay{suffix}")
    assert found["files"] == [f"decay{suffix}"]
    result = load_result(folder / f"decay{suffix}")
    trace = result.trace("x.y")
    assert result.complete
    assert list(result.signals) == ["x.y"]
    assert trace.time.tolist() == [0.25 * k for k in range(9)]
    assert np.allclose(trace.values, np.exp(-trace.time), rtol=1e-7)


def test_a_table_of_final_values_is_printed(command: Any) -> None:
    done = command("run", "decay.yaml")
    lines = done.stdout.splitlines()
    assert (done.returncode, done.stderr) == (0, "")
    assert lines[0] == "decay: 0 to 2 s with auto"
    row = next(line.split() for line in lines if line.startswith("  x.y"))
    assert row == ["x.y", f"{math.exp(-2.0):.6g}"]
    assert "steps" in done.stdout


def test_a_plot_without_a_display_is_a_picture_named_after_the_diagram(process: Any, folder: Path) -> None:
    done = process("run", "decay.yaml", "--plot")
    assert (done.returncode, done.stderr) == (0, "")
    assert (folder / "decay.png").read_bytes().startswith(b"\x89PNG\r\n\x1a\n")
    assert "decay.png" in done.stdout


def test_plot_before_the_diagram(command: Any, folder: Path) -> None:
    assert command("run", "--plot", "decay.yaml").returncode == 0
    assert (folder / "decay.png").exists()


def test_a_name_is_a_diagram_of_the_gallery(command: Any) -> None:
    found = facts(command, "quadrotor", "--stop", "0.5")
    assert found["diagram"] == "quadrotor"
    assert math.hypot(*found["final"]["quadrotor.quaternion"]) == pytest.approx(1.0, abs=1e-12)


def test_the_gallery_prints_what_run_takes(command: Any, folder: Path) -> None:
    assert "quadrotor" in command("gallery").stdout
    (folder / "copy.yaml").write_text(command("gallery", "quadrotor").stdout, encoding="utf-8")
    arguments = ("--stop", "0.1", "--log", "mixer.omega")
    copy, original = (facts(command, name, *arguments) for name in ("copy.yaml", "quadrotor"))
    assert copy["final"] == original["final"]


def test_loops_are_solved_on_request(command: Any, folder: Path) -> None:
    """s = 1 - 3 s."""
    text = "blockdyn: 1\nblocks:\n  u: {type: Constant, value: 1.0}\n  s: {type: Sum, signs: '+-'}\n"
    text += (
        "  g: {type: Gain, k: 3.0}\nwires:\n  - u -> s[0]\n  - g -> s[1]\n  - s -> g\nsimulate: {stop: 1}\n"
    )
    (folder / "loop.yaml").write_text(text, encoding="utf-8")
    assert command("run", "loop.yaml").returncode == 2
    done = command("run", "loop.yaml", "--loops", "solve", "--first-step", "0.01", "--out", "loop.csv")
    assert done.returncode == 0
    assert abs(float(load_result(folder / "loop.csv").final("s.y")) - 0.25) < 1e-12
