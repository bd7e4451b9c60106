"""Arm calls: inverse dynamics, mass matrix and forward dynamics of a Puma 560 against pinocchio's."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np

from blockdyn.native.callable import Native
from blockdyn.native.fingerprint import fingerprint
from blockdyn.robots import functions, load
from blockdyn.robots.calls.kernel import COMPILED, STORED
from blockdyn.robots.mechanics.bodies import ARMATURE, EVERYTHING, GRAVITY, work_shape
from blockdyn.robots.mechanics.forward_dynamics import composite
from blockdyn.robots.mechanics.inverse_dynamics import rnea
from blockdyn.robots.mechanics.mass_matrix import mass_matrix
from blockdyn.robots.model import table

from ..contract import Candidate, Row, Settings
from ..measure import measure_case

TITLE = "six-joint arm, a thousand calls"
CASE = "arm_calls"
CALLS = 1000
OFTEN = STORED + COMPILED + 2
STEP = 1e-3  # between two joint coordinates that take turns, so that no call can be spared
REQUIRED = {"rnea": 1 / 0.6, "crba": 1 / 0.8, "aba": 1 / 0.8}
TERMS = GRAVITY | ARMATURE  # pinocchio's algorithms know no friction


@dataclass
class Comparison:
    """One algorithm as a case of its own: ours in a compiled loop, pinocchio's called from Python."""

    TITLE: str
    REFERENCE: Sequence[float]
    REQUIRED: Mapping[str, float]
    ENGINES: Mapping[str, Callable[[], Candidate]]
    SLOW: frozenset[str] = frozenset()


@cache
def arm() -> Any:
    return load("puma560").without_friction()


@cache
def state() -> np.ndarray:
    """q, qd and qdd or tau; the last q of the loop."""
    values = np.random.default_rng(1).normal(size=(3, arm().n))
    values[0, 0] += STEP
    return values


@cache
def model() -> Any:
    """The Puma's table as pinocchio's model, which has the same form: joints about or along their z axis."""
    import pinocchio as pin

    rows, model = arm().table(), pin.Model()
    model.gravity.linear = rows[-1, table.GRAVITY : table.GRAVITY + 3]
    for k, row in enumerate(rows[:-1]):
        place = pin.SE3(row[table.PLACE_R : table.PLACE_P].reshape(3, 3), row[table.PLACE_P : table.MASS])
        joint = pin.JointModelPZ() if row[table.PRISMATIC] else pin.JointModelRZ()
        number = model.addJoint(int(row[table.PARENT]) + 1, joint, place, f"joint{k}")
        if row[table.MASS] > 0 or row[table.INERTIA : table.ARMATURE].any():
            model.appendBodyToJoint(number, inertia_of(row), pin.SE3.Identity())
    model.armature = rows[:-1, table.ARMATURE].copy()
    return model


def inertia_of(row: np.ndarray) -> Any:
    """Mass, centre and inertia about it."""
    import pinocchio as pin

    mass = row[table.MASS]
    centre = row[table.MOMENT : table.MOMENT + 3] / mass if mass > 0 else np.zeros(3)
    xx, yy, zz, xy, xz, yz = row[table.INERTIA : table.INERTIA + 6]
    about_origin = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    shift = mass * (centre @ centre * np.eye(3) - np.outer(centre, centre))
    return pin.Inertia(mass, centre, about_origin - shift)


def rnea_loop(rows, q, qd, third, wrench, work, vector, matrix, count):  # type: ignore[no-untyped-def]
    for k in range(count):
        q[0] += STEP if k & 1 else -STEP
        rnea(rows, q, qd, third, wrench, TERMS, work, vector)
    return count


def crba_loop(rows, q, qd, third, wrench, work, vector, matrix, count):  # type: ignore[no-untyped-def]
    for k in range(count):
        q[0] += STEP if k & 1 else -STEP
        mass_matrix(rows, q, work, matrix)
    return count


def aba_loop(rows, q, qd, third, wrench, work, vector, matrix, count):  # type: ignore[no-untyped-def]
    for k in range(count):
        q[0] += STEP if k & 1 else -STEP
        composite(rows, q, qd, third, wrench, EVERYTHING, work, vector)
    return count


TYPES = ("d2", "d1", "d1", "d1", "d1", "d2", "d1", "d2", "i")
LOOPS = {"rnea": rnea_loop, "crba": crba_loop, "aba": aba_loop}


def ours(name: str) -> Candidate:
    loop, n = LOOPS[name], arm().n
    native = Native(lambda _: loop, fingerprint(loop, TYPES, CASE), TYPES)
    vector, matrix = np.zeros(n), np.zeros((n, n))
    q, qd, third = state().copy()
    values = arm().table(), q, qd, third, np.zeros(6), np.zeros(work_shape(n)), vector, matrix, CALLS
    block = native.pack(*values)
    return Candidate(
        lambda: native.run(block), lambda: (matrix if name == "crba" else vector).ravel().tolist(),
        note="in a compiled loop",
    )  # fmt: skip


def repeated(call: Callable[[], np.ndarray], note: str) -> Candidate:
    def run() -> None:
        for _ in range(CALLS):
            call()

    return Candidate(run, lambda: computed(call()).ravel().tolist(), note=note)


def computed(value: np.ndarray) -> np.ndarray:
    """A matrix with both its triangles: pinocchio fills the upper one."""
    return value if value.ndim == 1 else np.triu(value) + np.triu(value, 1).T


def ours_from_python(name: str) -> Candidate:
    robot, (q, qd, third) = arm(), state()
    calls = {
        "rnea": lambda: functions.rne(robot, q, qd, third),
        "crba": lambda: functions.inertia(robot, q),
        "aba": lambda: functions.accel(robot, q, qd, third),
    }
    for _ in range(OFTEN):  # afterwards the robot has code of its own
        calls[name]()
    return repeated(calls[name], "ours, called from Python")


def pinocchio(name: str) -> Candidate:
    import pinocchio as pin

    made, (q, qd, third) = model(), state()
    data = made.createData()
    calls = {
        "rnea": lambda: pin.rnea(made, data, q, qd, third),
        "crba": lambda: pin.crba(made, data, q),
        "aba": lambda: pin.aba(made, data, q, qd, third),
    }
    return repeated(calls[name], f"pinocchio.{name}, called from Python")


def reference(name: str) -> list[float]:
    """Of pinocchio; without it, of our functions as Python runs them."""
    try:
        return list(pinocchio(name).final())
    except ImportError:
        n = arm().n
        q, qd, third = state().copy()
        vector, matrix = np.zeros(n), np.zeros((n, n))
        LOOPS[name](arm().table(), q, qd, third, np.zeros(6), np.zeros(work_shape(n)), vector, matrix, 2)
        return list((matrix if name == "crba" else vector).ravel())


def rows(settings: Settings) -> list[Row]:
    measured: list[Row] = []
    for name, least in REQUIRED.items():
        engines = {
            "ours": lambda name=name: ours(name),
            "python": lambda name=name: ours_from_python(name),
            "pinocchio": lambda name=name: pinocchio(name),
        }
        case = Comparison(TITLE, reference(name), {"pinocchio": least}, engines)
        called = Comparison(
            TITLE,
            reference(name),
            {"pinocchio": 1.0},
            {"ours": engines["python"], "pinocchio": engines["pinocchio"]},
        )
        measured += [
            replace(row, engine=f"{row.engine} {name}") for row in measure_case(CASE, case, settings)
        ]
        for row in measure_case(CASE, called, settings):
            measured.append(replace(row, engine=f"{row.engine} {name}, both from Python"))
    return measured
