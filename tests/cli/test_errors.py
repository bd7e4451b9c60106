"""Mistakes: one message without a traceback, and status 2; what was computed is kept."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import blockdyn as bd
from blockdyn.cli.outputs import draw, write

ON_LINUX = pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs Linux's /dev/full")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("rnu",), "did you mean `run`?"),
        (("run",), "no diagram is given"),
        (("simulate", "decay.yaml"), "did you mean `run FILE`?"),
        (("decay.yaml",), "did you mean `run decay.yaml`?"),
        (("draw", "decay.yaml"), "did you mean `graph FILE`?"),
        (("run", "quadrotr"), "did you mean `quadrotor`?"),
        (("run", "decay.yaml", "--until", "3"), "did you mean `--stop`?"),
        (("run", "decay.yaml", "--rate", "3"), "`--param rate=VALUE`"),
        (("sweep", "decay.yaml", "--csv", "a.csv"), "did you mean `--table`?"),
        (("fit", "decay.yaml"), "`diagram.fit(...)`, in Python"),
        (("tune", "decay.yaml"), "`diagram.tune(...)`, in Python"),
        (("run", "decay.yaml", "--dt", "0.1"), "did you mean `--step`?"),
        (("run", "decay.yaml", "--param", "x.initial=2"), "--set x.initial=..."),
        (("blocks", "--find", "pid"), "did you mean `--search`?"),
        (("run", "missing.yaml"), "missing.yaml"),
        (("run", "decay.yaml", "--stpo", "3"), "did you mean `--stop`?"),
        (("run", "decay.yaml", "--stop", "soon"), "--stop"),
        (("run", "decay.yaml", "--stop", "-1"), "stop is -1.0"),
        (("run", "decay.yaml", "--rtol", "0"), "rtol is 0.0"),
        (("run", "decay.yaml", "--max-step", "0"), "max_step is 0.0"),
        (("run", "decay.yaml", "--method", "dopri6"), "dopri5"),
        (("run", "decay.yaml", "--method", "rk4"), "step is not given"),
        (("run", "decay.yaml", "--atol", "1e-9,1e-9"), "atol"),
        (("run", "decay.yaml", "--param", "rat=2"), "did you mean `rate`?"),
        (("run", "decay.yaml", "--param", "rate"), "NAME=VALUE"),
        (("run", "decay.yaml", "--param", "rate=[1"), "not YAML"),
        (("run", "decay.yaml", "--set", "fal.k=2"), "did you mean `fall`?"),
        (("run", "decay.yaml", "--set", "fall.q=2"), "fall"),
        (("run", "decay.yaml", "--set", "k=2"), "PATH.PARAMETER=VALUE"),
        (("run", "decay.yaml", "--log", "y"), "`y`"),
        (("run", "decay.yaml", "--out", "decay.txt"), ".nc, .parquet, .csv"),
        (("run", "decay.yaml", "--out", "nowhere/decay.nc"), "nowhere/decay.nc"),
        (("run", "decay.yaml", "--plot", "decay.gif"), ".png, .pdf, .svg"),
        (("run", "decay.yaml", "--plot", "nowhere/decay.png"), "make the folder first"),
        (("run", "decay.yaml", "--plot", "."), "is not a known image format"),
        (("run", "."), "."),
        (("robots", "nowhere.urdf"), "nowhere.urdf"),
        (("run", "decay.yaml", "--step", "0.1"), "step is 0.1"),
        (("run", "decay.yaml", "--method", "rk4", "--step", "1e-15"), "of memory"),
        (("run", "decay.yaml", "--max-step", "1e-14"), "of memory"),
        (("run", "decay.yaml", "--every", "1e-15"), "of memory"),
        (("blocks", "Realy"), "did you mean `Relay`?"),
        (("gallery", "quadrotr"), "did you mean `quadrotor`?"),
    ],
)
def test_a_mistake_is_told_in_a_message(command: Any, arguments: tuple[str, ...], words: str) -> None:
    done = command(*arguments)
    assert done.returncode == 2
    assert words in done.stderr
    assert "Traceback" not in done.stderr
    assert "raised in" not in done.stderr  # told of the user's own code only
    assert "in memory" not in done.stderr  # a command's ends with it
    assert "computed in" not in done.stdout  # found out before the run


@pytest.mark.parametrize("action", ["run", "check"])
def test_a_mistake_in_a_file_is_told_with_its_place(command: Any, folder: Path, action: str) -> None:
    text = (folder / "decay.yaml").read_text(encoding="utf-8").replace("k: =-rate", "gain: =-rate")
    (folder / "wrong.yaml").write_text(text, encoding="utf-8")
    done = command(action, "wrong.yaml")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("wrong.yaml:6:22: ")


def test_a_run_that_fails_keeps_what_it_has(command: Any, folder: Path) -> None:
    done = command("run", "blow-up.yaml", "--out", "part.nc")
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert "step size" in done.stderr
    assert "INCOMPLETE" in done.stdout
    part = bd.load_result(folder / "part.nc")
    trace = part.trace("x.y")
    assert not part.complete
    early = trace.time < 0.9
    assert np.count_nonzero(early) > 5
    assert np.allclose(trace.values[early], 1.0 / (1.0 - trace.time[early]), rtol=1e-4)


def test_an_exception_in_the_users_own_block(command: Any, folder: Path) -> None:
    (folder / "own.py").write_text(
        "def own(x):\n    if x < 0.5:\n        raise ValueError('too low')\n    return x\n"
    )
    (folder / "own.yaml").write_text(
        "blockdyn: 1\nblocks:\n  x: {type: Integrator, initial: 1.0}\n"
        '  own: {type: Function, function: "own.py:own"}\n  fall: {type: Gain, k: -1.0}\n'
        "wires: [x -> own -> fall -> x]\nsimulate: {stop: 2}\n"
    )
    untrusted = command("run", "own.yaml")
    assert (untrusted.returncode, untrusted.stdout) == (2, "")
    assert "--trust code" in untrusted.stderr
    done = command("run", "own.yaml", "--trust", "code")
    assert done.returncode == 2
    assert "own" in done.stderr
    assert "ValueError" in done.stderr
    assert "too low" in done.stderr
    assert f"{folder / 'own.py'}:3" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_result_that_cannot_be_written_is_kept_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    diagram = bd.Diagram("clock")
    diagram.add("clock", bd.Clock())
    result = diagram.simulate(stop=1.0)
    file, problem = write(result, "nowhere/clock.csv")
    assert isinstance(problem, bd.BlockdynError)
    assert bd.load_result(file).final("clock.y") == 1.0
    assert file in str(problem)
    assert [path.name for path in tmp_path.iterdir()] == [Path(file).name]


@pytest.mark.skipif(os.name == "nt", reason="needs resource limits")
def test_a_full_disk_leaves_the_table_and_no_truncated_file(command: Any, folder: Path) -> None:
    command("run", "decay.yaml")  # compiles, so that the limit meets nothing else
    limited = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))\n"
    program = f"{limited}import sys; from blockdyn.cli import main; sys.exit(main(sys.argv[1:]))"
    done = subprocess.run(
        [sys.executable, "-c", program, "run", "decay.yaml", "--out", "decay.csv"],
        cwd=folder, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 2
    assert "decay.csv" in done.stderr
    assert "Traceback" not in done.stderr
    assert "  x.y" in done.stdout
    assert not list(folder.glob("decay*.csv"))


@ON_LINUX
@pytest.mark.parametrize("arguments", [("run", "decay.yaml"), ("blocks",), ("schema",)])
def test_a_full_standard_output(folder: Path, arguments: tuple[str, ...]) -> None:
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "blockdyn", *arguments],
            cwd=folder, stdout=full, stderr=subprocess.PIPE, text=True, check=False,
        )  # fmt: skip
    assert done.returncode == 2
    assert done.stderr.startswith("cannot write to standard output")
    assert done.stderr.count("\n") == 1


def test_a_reader_that_leaves_early_is_no_error(folder: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "blockdyn", "schema"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    assert process.stderr.read() == ""
    assert process.wait() == 0
    process.stderr.close()


@pytest.mark.parametrize("more", [(), ("--json",)])
def test_a_reader_that_leaves_early_does_not_hide_a_failed_run(folder: Path, more: tuple[str, ...]) -> None:
    """x' = x^2 leaves every bound at t = 1, with nobody at the other end of standard output."""
    process = subprocess.Popen(
        [sys.executable, "-m", "blockdyn", "run", "blow-up.yaml", *more],
        cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    told = process.stderr.read()
    assert process.wait() == 2
    assert "step size" in told
    assert "Traceback" not in told
    process.stderr.close()


@ON_LINUX
def test_a_full_standard_output_does_not_hide_a_failed_run(folder: Path) -> None:
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "blockdyn", "run", "blow-up.yaml"],
            cwd=folder, stdout=full, stderr=subprocess.PIPE, text=True, check=False,
        )  # fmt: skip
    assert done.returncode == 2
    assert "step size" in done.stderr
    assert "cannot write to standard output" in done.stderr


def test_a_picture_that_could_not_be_written_is_told_as_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The folder goes away during the run; when the command ends, nothing is in memory any more."""
    monkeypatch.chdir(tmp_path)
    diagram = bd.Diagram("clock")
    diagram.add("clock", bd.Clock())
    file, problem = draw(diagram.simulate(stop=1.0), "gone/clock.png")
    assert file == ""
    assert "cannot write gone/clock.png" in str(problem)
    assert "in memory" not in str(problem)
    assert list(tmp_path.iterdir()) == []
