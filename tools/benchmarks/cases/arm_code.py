"""Arm code: functions and a loop in code traced for one robot, against the general code of any robot."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from statistics import median
from time import perf_counter
from typing import Any

import numpy as np

import blockdyn as bd
from blockdyn.diagrams.compiler import code
from blockdyn.diagrams.compiler.emit.functions import NAMES
from blockdyn.native.engine import object_of
from blockdyn.robots import load
from blockdyn.robots.calls import kernel as kernels
from blockdyn.robots.calls.kernel import Bound
from blockdyn.robots.equations import specialise
from blockdyn.robots.equations.trace import EQUATIONS, LARGEST
from blockdyn.robots.functions import accel
from blockdyn.robots.library.catalogue import catalogue
from blockdyn.robots.mechanics.errors import MechanicsError

from ..contract import Row, Settings
from . import computed_torque

TITLE = "code traced for one robot"
CASE = "arm_code"
ROWS = 1000
LEAST = {"functions": 1.7, "loop": 1.5}
MOST = 60.0  # ms more to compile
QUICK = "puma560", "panda", "stanford"
LEVEL = 2
NEVER = 2**62  # calls


def ratios(general: Callable[[], object], traced: Callable[[], object], runs: int) -> list[float]:
    """General time / traced time, in rounds that alternate."""
    found = []
    for _ in range(runs):
        start = perf_counter()
        general()
        between = perf_counter()
        traced()
        found.append((between - start) / (perf_counter() - between))
    return found


def refuse(robot: Any, status: int) -> None:
    """A singular mass matrix, which no arm measured here has."""
    raise ValueError(f"{robot.name}: {status}")


def regular(robot: Any) -> bool:
    """True if the mass matrix can be factored."""
    try:
        accel(robot, np.full(robot.n, 0.4), np.zeros(robot.n), np.zeros(robot.n))
    except MechanicsError:
        return False
    return True


def functions(settings: Settings) -> Iterator[Row]:
    """The median over the arms for each function, and over all."""
    names = QUICK if settings.quick else catalogue()
    arms = [robot for robot in map(load, names) if robot.n <= LARGEST]
    random = np.random.default_rng(1)
    every: list[float] = []
    stored, kernels.STORED = kernels.STORED, NEVER
    for name, (kernel, flags) in EQUATIONS.items():
        if name == "accel":
            kernel = replace(kernel, failed=refuse)
        measured, worst = [], 0.0
        for robot in arms:
            if name != "fkine" and not name.startswith("jacobian") and not robot.has_dynamics:
                continue
            if name == "accel" and not regular(robot):
                continue
            general, traced = (Bound(kernel, robot, robot.table(), flags, ()) for _ in range(2))
            traced.specialise()
            values = random.uniform(-1.5, 1.5, (len(general.inputs), ROWS, robot.n))
            worst = max(worst, float(np.max(np.abs(general(*values) - traced(*values)))))
            rounds = ratios(
                lambda g=general, v=values: g(*v), lambda t=traced, v=values: t(*v), 3 + settings.runs
            )
            measured.append(median(rounds))
        every += measured
        note = f"median of {len(measured)} arms, least {min(measured):.2f}"
        yield Row(CASE, f"general {name}", ratio=median(measured), error=worst, note=note)
    kernels.STORED = stored
    least = LEAST["functions"]
    yield Row(
        CASE, "general, all", ratio=median(every), required=f">= {least:g}", met=median(every) >= least,
        note=f"median of {len(every)} functions of arms",
    )  # fmt: skip


@contextmanager
def robots_with_code(count: int) -> Iterator[None]:
    """Programs compiled inside have code for so many robots."""
    before, code.TRACED, code._robots = (code.TRACED, code._robots), count, {}
    try:
        yield
    finally:
        code.TRACED, code._robots = before


def loop(settings: Settings) -> Row:
    """The case `computed_torque`."""
    runs: list[Any] = []
    for count in (0, 1):
        with robots_with_code(count):
            runs.append(computed_torque.ours())
            runs[-1].run()
    measured = median(ratios(runs[0].run, runs[1].run, 10 * settings.runs))
    least = LEAST["loop"]
    error = float(np.max(np.abs(np.subtract(runs[0].final(), runs[1].final()))))
    return Row(
        CASE, "general loop", ratio=measured, required=f">= {least:g}", met=measured >= least, error=error,
        note="computed torque of a Puma, a run from Python with its log",
    )  # fmt: skip


def compiling(settings: Settings) -> Row:
    """A diagram with one arm: its kernels and the general functions are in the store, nothing else is."""
    d = bd.Diagram("one arm")
    arm = d.add("arm", bd.FDyn({"name": "puma560", "without_friction": True}))
    d.connect(d.add("tau", bd.Constant(np.zeros(6))), arm["tau"])
    program = d.compile()
    text, kernels = program.text.text, list(program.text.kernels.values())
    tables, flags = specialise.traceable([program.plan.units[0].numbers["arm"]]), dict[str, list[int]]()
    specialise.specialise(kernels, tables, flags)
    general: list[float] = []
    more: list[float] = []
    made, afresh, load_objects = specialise._make_traced, [False], specialise.load

    def traced(*arguments: Any) -> Any:
        afresh[0] = True
        try:
            return made(*arguments)
        finally:
            afresh[0] = False

    specialise._make_traced, specialise.load = traced, lambda keys: not afresh[0] and load_objects(keys)
    try:
        for _ in range(settings.runs):
            start = perf_counter()
            object_of(text, kernels, list(NAMES), level=LEVEL)
            between = perf_counter()
            object_of(text, specialise.specialise(kernels, tables, flags).kernels, list(NAMES), level=LEVEL)
            general.append(between - start)
            more.append(perf_counter() - between)
    finally:
        specialise._make_traced, specialise.load = made, load_objects
    difference = 1e3 * (median(more) - median(general))
    note = f"{1e3 * median(more):.0f} ms instead of {1e3 * median(general):.0f}; once in the store, none"
    return Row(
        CASE, "compiling", wall=difference, required=f"<= {MOST:g} ms", met=difference <= MOST, note=note
    )  # fmt: skip


def rows(settings: Settings) -> list[Row]:
    return [*functions(settings), loop(settings), compiling(settings)]
