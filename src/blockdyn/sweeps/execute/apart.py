"""Run scenarios that may crash their process one after another in a separate process."""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from typing import Any

from ..errors import NoProcess, SweepError
from ..store.part import Part

Answer = Part | SweepError | None
"""What a scenario came to, what running it raised, or nothing: its process died."""


def run_apart(packed: bytes, scenarios: Sequence[int]) -> Iterator[tuple[int, Answer]]:
    """Run the scenarios of a pickled Task in another process, and yield the outcome of each, in this order.

    When the process dies, a new one continues after the scenario that killed it. The other process is started
    fresh, not forked, so that it shares nothing that could be locked or broken here. Raises
    NoProcess.
    """
    waiting = [*scenarios]
    while waiting:
        process = _begin_process(packed, waiting)
        assert process.stdout is not None
        try:
            for k in [*waiting]:
                try:
                    answer: Answer = pickle.load(process.stdout)  # written by our own child
                except (EOFError, pickle.UnpicklingError):
                    answer = None
                waiting.remove(k)
                yield k, answer
                if answer is None:
                    break
        finally:
            process.kill()
            process.stdout.close()
            process.wait()


def _begin_process(packed: bytes, scenarios: Sequence[int]) -> subprocess.Popen[bytes]:
    """A process that is ready to run. It finds the same modules as this one."""
    places = os.pathsep.join(place or os.getcwd() for place in sys.path)
    command = [sys.executable, "-c", f"from {__name__} import serve; serve()"]
    try:
        process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env={**os.environ, "PYTHONPATH": places}
        )
    except OSError as failure:
        raise NoProcess(f"no process of {sys.executable!r} can be made: {failure}") from failure
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        with process.stdin as pipe:
            pickle.dump((packed, [*scenarios]), pipe)
        trouble = pickle.load(process.stdout)
    except (OSError, EOFError, pickle.UnpicklingError):
        trouble = "it ended before a scenario ran"
    if trouble:
        process.kill()
        process.stdout.close()
        process.wait()
        raise NoProcess(f"another process cannot run the sweep: {trouble}")
    return process


def serve() -> None:
    """Run the scenarios in the process: report readiness, then answer for every scenario."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # ended by its parent
    packed, scenarios = pickle.load(sys.stdin.buffer)
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # text that a block prints must not mix with the answers

    def answer(content: Any) -> None:
        answers.write(pickle.dumps(content, protocol=5))
        answers.flush()

    try:
        task = pickle.loads(packed)
        if hasattr(task, "ready"):
            task.ready()
    except Exception as failure:  # noqa: BLE001  reported by the waiting process
        answer(f"{type(failure).__name__}: {failure}")
        return
    answer("")
    for k in scenarios:
        try:
            answer(task.run(k, k + 1))
        except Exception as failure:  # noqa: BLE001  the same
            answer(SweepError(f"scenario {k}: {type(failure).__name__}: {failure}"))
