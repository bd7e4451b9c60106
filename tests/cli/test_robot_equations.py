"""`blockdyn export robot` and `blockdyn robots NAME --equations`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from blockdyn.robots import RobotError, symbolic


def test_command_writes_files_and_refuses_other_options(tmp_path: Path, command: Any) -> None:
    for language, suffix, part in (
        ("c", "c", "#include <math.h>"),
        ("python", "py", "def "),
        ("latex", "tex", r"\["),
    ):
        out = tmp_path / f"arm.{suffix}"
        options = "--functions", "fkine", "--lang", language, "--out", str(out)
        done = command("export", "robot", "planar2", *options)
        assert done.returncode == 0
        assert part in out.read_text()
    assert command("export", "robot", "planar2", "--step", "1").returncode != 0
    assert command("export", "fmu", "quadrotor", "--functions", "rne").returncode != 0
    done = command("export", "robot", "planar2", "--functions", "rnea", "--check")
    assert "`rne`" in done.stderr
    with pytest.raises(RobotError, match="argument"):
        symbolic("twolink", {"a1": "double"}).code(["fkine"])


def test_equations_on_the_terminal(command: Any) -> None:
    shown = command("robots", "stanford_rrp", "--equations").stdout
    assert "M11 = m2 d2^2 + m3 (d2^2 + q3^2 sin(q2)^2)" in shown
    assert "g3 = g m3 cos(q2)" in shown
    assert "too long" in command("robots", "puma560", "--equations", "numbers").stdout
    assert command("robots", "6R", "--equations").returncode != 0
