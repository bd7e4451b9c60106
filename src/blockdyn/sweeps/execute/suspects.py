"""Scenarios that were running when a process died run again, each in its own process."""

from __future__ import annotations

import importlib
import os
import pickle
import select
import signal
import sys
import warnings
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from ...base.errors import PrintableText
from ...base.words import inflect
from ...robots.errors import count_own_frames
from ..errors import NoProcess
from ..store.part import OUTCOMES, Part, empty
from ..store.tried import MOST_TIMES, CrashRecord
from .apart import run_apart
from .pool import Pool, cores
from .task import Task

DIED = OUTCOMES.index("process died")
SHOWN = 5  # scenarios that a warning names
FORKS = sys.platform == "linux"  # elsewhere fork may hang with threads, or does not exist
_NO_VERDICT = 77  # exit status of a child that could not report its scenario


class ScenarioDied(PrintableText, UserWarning):
    """Scenarios that ended the process that ran them, twice; they count as failed."""


def run_suspects(
    task: Task, tried: CrashRecord, ranges: Sequence[tuple[int, int]], workers: int | None
) -> list[Part]:
    """The parts of suspected scenarios, each run separately or known to have died twice.

    A scenario during which a process died runs once more, in a child of this process (on Linux; elsewhere in
    a new one, or alone in this one, with a warning, if the diagram cannot be sent there). If the child dies,
    it is the second time: the scenario has failed, with `process died`, and a warning names it. If the child
    ends normally, the numbers of the scenario are part of the sweep.
    """
    missing = [k for k in sorted(tried.deaths) if any(start <= k < stop for start, stop in ranges)]
    once = [k for k in missing if tried.deaths[k] < MOST_TIMES]
    run = _in_children if FORKS else _in_another
    parts = run(task, tried, once, workers or cores())
    dead = [k for k in missing if tried.deaths[k] >= MOST_TIMES]
    parts += [dead_part(task, k) for k in dead]
    name_dead(dead)
    return parts


def name_dead(scenarios: Sequence[int]) -> None:
    """Warn about scenarios that crashed their process twice."""
    if not scenarios:
        return
    listed = ", ".join(map(str, scenarios[:SHOWN])) + (" ..." if len(scenarios) > SHOWN else "")
    count = "scenario" if len(scenarios) == 1 else f"each of {len(scenarios)} scenarios:"
    text = f"the process died twice while it ran {count} {listed}"
    remedy = "find the cause, such as memory or a block's function; the others are run"
    warnings.warn(f"{text}\n{remedy}", ScenarioDied, stacklevel=count_own_frames())


def dead_part(task: Task, scenario: int) -> Part:
    """The part of a scenario that died."""
    part = empty(scenario, scenario + 1, len(task.measures.names), task.shapes)
    reason = "the process died while it ran this scenario, twice: out of memory, or a function that ends it"
    part.outcome[0], part.reason[0] = DIED, reason
    return part


def _in_another(task: Task, tried: CrashRecord, scenarios: Sequence[int], _workers: int) -> list[Part]:
    """As `run_suspects`, in a new process to which the task is sent."""
    parts: list[Part] = []
    waiting = [*scenarios]
    try:
        for k, answer in run_apart(_pack_task(task), scenarios):
            waiting.remove(k)
            if answer is None:
                tried.died(k)
            elif isinstance(answer, Part):
                parts.append(answer)
    except NoProcess as failure:
        count = inflect(len(waiting), "scenario")
        text = f"{failure}\n{count} that crashed a process before run in this process, which they may end"
        remedy = "pip install cloudpickle, which sends blocks that are defined in a script"
        warnings.warn(f"{text}\n{remedy}", ScenarioDied, stacklevel=count_own_frames())
        parts += _one_by_one(task, tried, waiting)
    return parts


def _pack_task(task: Task) -> bytes:
    """The task as bytes: with cloudpickle also definitions in a script. Raises NoProcess."""
    dumps: Callable[[Any], bytes] = pickle.dumps
    with suppress(ImportError):
        dumps = importlib.import_module("cloudpickle").dumps
    try:
        return dumps(task)
    except Exception as failure:
        raise NoProcess(f"the sweep cannot be sent to another process: {failure}") from failure


def _one_by_one(task: Task, tried: CrashRecord, scenarios: Sequence[int]) -> list[Part]:
    parts: list[Part] = []
    for k in scenarios:
        with tried.watching(1) as slots:
            if not Pool(task, [(k, k + 1)], parts.append, workers=1).run(slots):
                raise KeyboardInterrupt
    return parts


@dataclass
class _Child:
    """A process that runs one scenario, and the end of a pipe that delivers its part."""

    scenario: int
    process: int
    pipe: int
    data: bytearray = field(default_factory=bytearray)


def _in_children(task: Task, tried: CrashRecord, scenarios: Sequence[int], workers: int) -> list[Part]:
    """The parts returned by children. A dead child counts; without a report its scenario stays open."""
    waiting = [*reversed(scenarios)]
    running: dict[int, _Child] = {}
    parts: list[Part] = []
    try:
        while waiting or running:
            while waiting and len(running) < workers:
                child = _begin_child(task, waiting.pop())
                running[child.pipe] = child
            for pipe in select.select([*running], [], [])[0]:
                piece = os.read(pipe, 1 << 20)
                running[pipe].data += piece
                if not piece:
                    _end_child(running.pop(pipe), tried, parts)
    finally:
        for child in running.values():
            with suppress(OSError):
                os.kill(child.process, signal.SIGKILL)
            os.waitpid(child.process, 0)
            os.close(child.pipe)
    return parts


def _begin_child(task: Task, scenario: int) -> _Child:
    reading, writing = os.pipe()
    with warnings.catch_warnings():  # since Python 3.12; the child uses nothing that other threads may hold
        warnings.simplefilter("ignore", DeprecationWarning)
        process = os.fork()
    if process == 0:
        _be_child(task, scenario, writing)
    os.close(writing)
    return _Child(scenario, process, reading)


def _end_child(child: _Child, tried: CrashRecord, parts: list[Part]) -> None:
    os.close(child.pipe)
    status = os.waitstatus_to_exitcode(os.waitpid(child.process, 0)[1])
    if status == 0 and child.data:
        parts.append(pickle.loads(bytes(child.data)))  # written by our own child
    elif status != _NO_VERDICT:
        tried.died(child.scenario)


def _be_child(task: Task, scenario: int, writing: int) -> Any:
    """Run a scenario, write its part, and end, without the usual work at the end of a process."""
    status = _NO_VERDICT
    try:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent ends this process
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        data = pickle.dumps(task.run(scenario, scenario + 1))
        with os.fdopen(writing, "wb") as pipe:
            pipe.write(data)
        status = 0
    finally:
        os._exit(status)
