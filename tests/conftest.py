"""What tests of several folders need."""

from __future__ import annotations

import datetime
import os
import runpy
import signal
import subprocess
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import hypothesis.core
import numpy as np
import pytest

hypothesis.settings.register_profile("blockdyn", deadline=None)  # no test asserts a time
hypothesis.settings.load_profile("blockdyn")

Begin = Callable[..., "subprocess.Popen[str]"]
Program = Callable[[str], None]
Warnings = Callable[[], AbstractContextManager[None]]

SEED = "BLOCKDYN_FUZZ_SEED"
WORKER = "BLOCKDYN_TEST_WORKER"  # marks the processes that the tests of a worker start
# Waits for the end of the worker, even if it is killed, and then kills the processes with its mark.
SWEEPER = f"""
import os, signal, sys
sys.stdin.buffer.read()
mark = "{WORKER}=%s" % sys.argv[1]
for process in os.listdir("/proc"):
    try:
        with open("/proc/%s/environ" % process, "rb") as file:
            started = mark.encode() in file.read().split(bytes(1))
        if started and process != str(os.getpid()):
            os.kill(int(process), signal.SIGKILL)
    except (OSError, ValueError):
        pass
"""
_sweeper: list[subprocess.Popen[bytes]] = []  # keeps the pipe open until this process ends


def _start_sweeper() -> None:
    """End browsers, servers and clusters with this process, even if it is killed."""
    mark = str(os.getpid())
    command = [sys.executable, "-I", "-S", "-c", SWEEPER, mark]
    nowhere = subprocess.DEVNULL
    _sweeper.append(
        subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=nowhere, stderr=nowhere, start_new_session=True
        )
    )
    os.environ[WORKER] = mark


def pytest_configure() -> None:
    """Set the seed of the random cases, unless it is given: other cases each week, the same on every machine.

    A failure then comes again wherever the tests run, and processes started from here share the seed.
    """
    if sys.platform == "linux":
        _start_sweeper()
    year, week, _ = datetime.date.today().isocalendar()
    os.environ.setdefault(SEED, str(100 * year + week))
    hypothesis.core.global_force_seed = int(os.environ[SEED])  # type: ignore[assignment]  # declared as None


def pytest_unconfigure() -> None:
    """End what the tests left running."""
    while _sweeper:
        _sweeper.pop().communicate()


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Make groups effective: pytest-xdist 3.8 adds them to `_nodeid`, which pytest 9.2 does not read."""
    for item in items:
        grouped = getattr(item, "_nodeid", item.nodeid)
        if grouped != item.nodeid:
            item._id = type(item._id).parse(grouped)  # type: ignore[attr-defined]


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """A worker a core for folders of tests; none for single files and tests, which then start at once."""
    if any(Path(argument.partition("::")[0]).is_file() for argument in config.args):
        return 0
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return cores if cores > 1 else 0


def pytest_report_header() -> str:
    return f"random cases: {SEED}={os.environ[SEED]} draws them again"


@pytest.fixture(scope="session")
def fresh_seed() -> int:
    """The seed of the random cases, printed at the head of a run."""
    return int(os.environ[SEED])


@pytest.fixture
def rng() -> np.random.Generator:
    """The same numbers for a test wherever and after whichever others it runs."""
    return np.random.default_rng(3)


def _hear_interrupts() -> None:
    """A process started in the background of a script ignores SIGINT, one under nohup SIGHUP, and their
    children inherit that.
    """
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


@pytest.fixture
def usual_warnings() -> Warnings:
    """A context in which warnings are what they are to a user: shown, or left out."""

    @contextmanager
    def usual() -> Iterator[None]:
        with warnings.catch_warnings():
            warnings.resetwarnings()
            for kind in (DeprecationWarning, PendingDeprecationWarning, ImportWarning, ResourceWarning):
                warnings.simplefilter("ignore", kind)
            yield

    return usual


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, usual_warnings: Warnings) -> Program:
    """Run a text of Python as a file of its own in tmp_path, in this process."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)

    def run(text: str) -> None:
        file = tmp_path / "program.py"
        file.write_text(text, encoding="utf-8")
        with usual_warnings():
            runpy.run_path(str(file), run_name="__main__")

    return run


@pytest.fixture
def begin(tmp_path: Path) -> Iterator[Begin]:
    """Start Python with these arguments and wait until it has made the file `begun` in tmp_path."""
    started: list[subprocess.Popen[str]] = []

    def start(*arguments: str) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [sys.executable, *arguments],
            cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            preexec_fn=_hear_interrupts if hasattr(signal, "SIGKILL") else None,
        )  # fmt: skip
        started.append(process)
        while not (tmp_path / "begun").exists():
            assert process.poll() is None, process.communicate()
            time.sleep(0.05)
        time.sleep(0.2)
        return process

    yield start
    for process in started:
        if process.poll() is None:
            process.kill()
            process.communicate()
