"""Suspects: scenarios that ran while a process died, run again, each in a process of its own."""

from __future__ import annotations

import os
import pickle
import select
import signal
import sys
import warnings
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from ..robots.errors import outside
from .part import OUTCOMES, Part, empty
from .pool import Pool, cores
from .task import Task
from .tried import MOST_TIMES, Tried

DIED = OUTCOMES.index("process died")
SHOWN = 5  # scenarios that a warning names
_NO_VERDICT = 77  # how a child ends whose scenario could not be told of


class ScenarioDied(UserWarning):
    """Scenarios that ended the process that ran them, twice; they count as failed."""


def suspected(task: Task, tried: Tried, ranges: Sequence[tuple[int, int]], workers: int | None) -> list[Part]:
    """The parts of scenarios that are known to die, or that could be the ones that do and were tried apart.

    A scenario during which a process died runs once more, in a child of this process (Linux; elsewhere in
    this one, alone). Where the child dies, that is the second time: the scenario has failed, with `process
    died`, and a warning names it. Where it ends, its numbers are those of the sweep.
    """
    missing = [k for k in sorted(tried.deaths) if any(start <= k < stop for start, stop in ranges)]
    once = [k for k in missing if tried.deaths[k] < MOST_TIMES]
    run = _in_children if sys.platform == "linux" else _one_by_one
    parts = run(task, tried, once, workers or cores())
    dead = [k for k in missing if tried.deaths[k] >= MOST_TIMES]
    parts += [_dead(task, k) for k in dead]
    if dead:
        listed = ", ".join(map(str, dead[:SHOWN])) + (" ..." if len(dead) > SHOWN else "")
        count = "scenario" if len(dead) == 1 else f"each of {len(dead)} scenarios:"
        text = f"the process died twice while it ran {count} {listed}"
        remedy = "look for what ends it: memory, or a block's function; the others are run"
        warnings.warn(f"{text}\n{remedy}", ScenarioDied, stacklevel=outside())
    return parts


def _dead(task: Task, scenario: int) -> Part:
    part = empty(scenario, scenario + 1, len(task.measures.names), task.shapes)
    reason = "the process died while it ran this scenario, twice: out of memory, or a function that ends it"
    part.outcome[0], part.reason[0] = DIED, reason
    return part


def _one_by_one(task: Task, tried: Tried, scenarios: Sequence[int], _workers: int) -> list[Part]:
    parts: list[Part] = []
    for k in scenarios:
        with tried.watching(1) as slots:
            if not Pool(task, [(k, k + 1)], parts.append, workers=1).run(slots):
                raise KeyboardInterrupt
    return parts


@dataclass
class _Child:
    """A process that runs one scenario, and the end of a pipe from which its part comes."""

    scenario: int
    process: int
    pipe: int
    data: bytearray = field(default_factory=bytearray)


def _in_children(task: Task, tried: Tried, scenarios: Sequence[int], workers: int) -> list[Part]:
    """The parts that came back. A child that died counts; one that could not say leaves its scenario open."""
    waiting = [*reversed(scenarios)]
    running: dict[int, _Child] = {}
    parts: list[Part] = []
    try:
        while waiting or running:
            while waiting and len(running) < workers:
                child = _begun(task, waiting.pop())
                running[child.pipe] = child
            for pipe in select.select([*running], [], [])[0]:
                piece = os.read(pipe, 1 << 20)
                running[pipe].data += piece
                if not piece:
                    _ended(running.pop(pipe), tried, parts)
    finally:
        for child in running.values():
            with suppress(OSError):
                os.kill(child.process, signal.SIGKILL)
            os.waitpid(child.process, 0)
            os.close(child.pipe)
    return parts


def _begun(task: Task, scenario: int) -> _Child:
    reading, writing = os.pipe()
    with warnings.catch_warnings():  # since Python 3.12; the child uses nothing that other threads may hold
        warnings.simplefilter("ignore", DeprecationWarning)
        process = os.fork()
    if process == 0:
        _be_child(task, scenario, writing)
    os.close(writing)
    return _Child(scenario, process, reading)


def _ended(child: _Child, tried: Tried, parts: list[Part]) -> None:
    os.close(child.pipe)
    status = os.waitstatus_to_exitcode(os.waitpid(child.process, 0)[1])
    if status == 0 and child.data:
        parts.append(pickle.loads(bytes(child.data)))  # what our own child wrote
    elif status != _NO_VERDICT:
        tried.died(child.scenario)


def _be_child(task: Task, scenario: int, writing: int) -> Any:
    """Run a scenario, write its part, and end, without what a process does at its end."""
    status = _NO_VERDICT
    try:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent ends us
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        data = pickle.dumps(task.run(scenario, scenario + 1))
        with os.fdopen(writing, "wb") as pipe:
            pipe.write(data)
        status = 0
    finally:
        os._exit(status)
