"""Arm rows: functions of a Puma 560 over a thousand rows, against their kernels in a compiled loop."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np

from blockdyn.native.callable import Native
from blockdyn.native.fingerprint import fingerprint
from blockdyn.robots import functions
from blockdyn.robots.mechanics.bodies import EVERYTHING, work_shape
from blockdyn.robots.mechanics.forward_dynamics import composite
from blockdyn.robots.mechanics.inverse_dynamics import rnea
from blockdyn.robots.mechanics.kinematics import FRAMES, jacobian, tool_pose
from blockdyn.robots.mechanics.mass_matrix import mass_matrix

from ..contract import Candidate, Row, Settings
from ..measure import measure_case
from .arm_calls import Comparison, arm

TITLE = "six-joint arm, a thousand rows"
CASE = "arm_rows"
ROWS = 1000
MOST = 1.3  # ours by the kernel's own time
WORLD = FRAMES["world"]


@cache
def state() -> np.ndarray:
    """q, qd and qdd or tau, a row each."""
    return np.random.default_rng(1).normal(size=(3, ROWS, arm().n))


def rne_loop(table, q, qd, third, wrench, work, out):  # type: ignore[no-untyped-def]
    for k in range(len(q)):
        rnea(table, q[k], qd[k], third[k], wrench, EVERYTHING, work, out[k])
    return 0


def accel_loop(table, q, qd, third, wrench, work, out):  # type: ignore[no-untyped-def]
    for k in range(len(q)):
        composite(table, q[k], qd[k], third[k], wrench, EVERYTHING, work, out[k])
    return 0


def inertia_loop(table, q, qd, third, wrench, work, out):  # type: ignore[no-untyped-def]
    for k in range(len(q)):
        mass_matrix(table, q[k], work, out[k])
    return 0


def fkine_loop(table, q, qd, third, wrench, work, out):  # type: ignore[no-untyped-def]
    for k in range(len(q)):
        tool_pose(table, q[k], work, out[k])
    return 0


def jacobian_loop(table, q, qd, third, wrench, work, out):  # type: ignore[no-untyped-def]
    for k in range(len(q)):
        jacobian(table, q[k], WORLD, work, out[k])
    return 0


CALLS: dict[str, Callable[..., Any]] = {
    "rne": lambda q, qd, third: functions.rne(arm(), q, qd, third),
    "accel": lambda q, qd, third: functions.accel(arm(), q, qd, third),
    "inertia": lambda q, qd, third: functions.inertia(arm(), q),
    "fkine": lambda q, qd, third: functions.fkine(arm(), q),
    "jacobian": lambda q, qd, third: functions.jacobian(arm(), q),
}
LOOPS: dict[str, Callable[..., int]] = {
    "rne": rne_loop, "accel": accel_loop, "inertia": inertia_loop, "fkine": fkine_loop,
    "jacobian": jacobian_loop,
}  # fmt: skip


def ours(name: str) -> Candidate:
    call, rows = CALLS[name], state()
    return Candidate(
        lambda: call(*rows), lambda: call(*rows).ravel().tolist(), note="one call from Python for all rows"
    )


def by_itself(name: str) -> Candidate:
    loop, out = LOOPS[name], np.zeros_like(CALLS[name](*state()))
    types = ("d2", "d2", "d2", "d2", "d1", "d2", f"d{out.ndim}")
    native = Native(lambda _: loop, fingerprint(loop, types, CASE), types)
    block = native.pack(arm().table(), *state(), np.zeros(6), np.zeros(work_shape(arm().n)), out)
    return Candidate(
        lambda: native.run(block), lambda: out.ravel().tolist(), note="the kernel in a compiled loop"
    )


def rows(settings: Settings) -> list[Row]:
    table: list[Row] = []
    for name, call in CALLS.items():
        singly = [call(*state()[:, k]) for k in range(ROWS)]
        engines = {"ours": lambda name=name: ours(name), "kernel": lambda name=name: by_itself(name)}
        case = Comparison(TITLE, np.ravel(singly).tolist(), {"kernel": 1 / MOST}, engines)
        table += [replace(row, engine=f"{row.engine} {name}") for row in measure_case(CASE, case, settings)]
    return table
