"""Rows: as many calls one by one, to the last bit, however the rows lie in memory; no Python between them."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

import blockdyn
from blockdyn.native import repeat
from blockdyn.robots import functions as of, load, trajectories
from blockdyn.robots.mechanics.errors import MechanicsError, WrongSize

FUNCTIONS: dict[str, Callable[..., Any]] = {
    "fkine": lambda arm, q, qd, qdd: of.fkine(arm, q),
    "fkine of a link": lambda arm, q, qd, qdd: of.fkine(arm, q, of=arm.links[1].name),
    "link_poses": lambda arm, q, qd, qdd: of.link_poses(arm, q),
    "jacobian": lambda arm, q, qd, qdd: of.jacobian(arm, q),
    "jacobian, body": lambda arm, q, qd, qdd: of.jacobian(arm, q, frame="body"),
    "jacobian, rpy": lambda arm, q, qd, qdd: of.jacobian(arm, q, angles="rpy"),
    "jacobian_dot": lambda arm, q, qd, qdd: of.jacobian_dot(arm, q, qd),
    "jacobian_dot_qd": lambda arm, q, qd, qdd: of.jacobian_dot_qd(arm, q, qd),
    "rne": lambda arm, q, qd, qdd: of.rne(arm, q, qd, qdd),
    "rne, wrench": lambda arm, q, qd, qdd: of.rne(arm, q, qd, qdd, [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]),
    "rne, wrenches": lambda arm, q, qd, qdd: of.rne(arm, q, qd, qdd, qd[..., [0, 1, 2, 3, 4, 5]]),
    "accel, composite": lambda arm, q, qd, qdd: of.accel(arm, q, qd, qdd, method="composite"),
    "accel, articulated": lambda arm, q, qd, qdd: of.accel(arm, q, qd, qdd, method="articulated"),
    "inertia": lambda arm, q, qd, qdd: of.inertia(arm, q),
    "itorque": lambda arm, q, qd, qdd: of.itorque(arm, q, qdd),
    "coriolis": lambda arm, q, qd, qdd: of.coriolis(arm, q, qd),
    "coriolis_torque": lambda arm, q, qd, qdd: of.coriolis_torque(arm, q, qd),
    "gravload": lambda arm, q, qd, qdd: of.gravload(arm, q),
    "friction": lambda arm, q, qd, qdd: of.friction(arm, qd),
    "cinertia": lambda arm, q, qd, qdd: of.cinertia(arm, q),
    "inertia_dot": lambda arm, q, qd, qdd: of.inertia_dot(arm, q, qd),
    "centre_of_mass": lambda arm, q, qd, qdd: of.centre_of_mass(arm, q),
    "momentum": lambda arm, q, qd, qdd: of.momentum(arm, q, qd),
    "com_jacobian": lambda arm, q, qd, qdd: of.com_jacobian(arm, q, arm.links[2].name),
    "islimit": lambda arm, q, qd, qdd: of.islimit(arm, q),
}


def states(count: int) -> Any:
    """q, qd, qdd, each (count, 6)."""
    return np.random.default_rng(7).normal(size=(3, count, 6))


@pytest.mark.parametrize("name", FUNCTIONS)
def test_rows_are_the_single_calls(name: str) -> None:
    puma, function = load("puma560"), FUNCTIONS[name]
    rows = states(9)
    before = rows.copy()
    np.testing.assert_array_equal(function(puma, *rows), [function(puma, *rows[:, k]) for k in range(9)])
    np.testing.assert_array_equal(rows, before)


FOLDERS = tuple(f"{package.__path__[0]}{os.sep}" for package in (blockdyn, np))


def lines(call: Callable[[], object]) -> int:
    """How many lines of blockdyn's and NumPy's Python a call runs, once all that it needs is loaded.

    What runs at a time of its own is no part of the call: a collection of garbage and whoever listens to it,
    and, by the least of three counts, what else the process does now and then.
    """
    call()
    return min(counted(call) for _ in range(3))


def counted(call: Callable[[], object]) -> int:
    """How many lines one call runs."""
    count = 0

    def trace(frame: Any, event: str, argument: object) -> Any:
        nonlocal count
        count += event == "line"
        return trace if frame.f_code.co_filename.startswith(FOLDERS) else None

    previous, collecting = sys.gettrace(), gc.isenabled()
    gc.disable()
    sys.settrace(trace)
    try:
        call()
    finally:
        sys.settrace(previous)
        if collecting:
            gc.enable()
    return count


def test_a_collection_of_garbage_is_no_part_of_a_call() -> None:
    """Others run Python whenever garbage is collected: hypothesis does, and every finalizer."""
    puma, q = load("puma560"), states(50)[0]
    heard: list[str] = []

    def listen(phase: str, facts: dict[str, int]) -> None:
        heard.append(phase)

    def interrupted() -> None:
        of.fkine(puma, q)
        gc.collect()

    gc.callbacks.append(listen)
    try:
        assert lines(interrupted) == lines(lambda: of.fkine(puma, q)) > 0
    finally:
        gc.callbacks.remove(listen)
    assert heard


@pytest.mark.parametrize("name", FUNCTIONS)
def test_no_line_of_python_runs_for_a_row(name: str) -> None:
    puma, function = load("puma560"), FUNCTIONS[name]
    few, many = states(5), states(500)
    assert lines(lambda: function(puma, *many)) == lines(lambda: function(puma, *few))


@pytest.mark.parametrize("motion", [trajectories.cartesian_motion, trajectories.screw_motion])
def test_no_line_of_python_runs_for_an_instant_of_a_motion(motion: Callable[..., Any]) -> None:
    A, B = of.fkine("puma560", states(2)[0])
    few, many = (lambda: motion(A, B, 1.0, 5)), (lambda: motion(A, B, 1.0, 500))
    assert lines(many) == lines(few)


def layouts(values: Any) -> dict[str, Any]:
    """The same rows in other places and kinds of memory."""
    count, n = values.shape
    wide = np.zeros((2 * count, 2 * n))
    wide[::2, 1::2] = values
    raw = np.zeros(values.nbytes + 1, np.uint8)
    raw[1:] = np.frombuffer(values.tobytes(), np.uint8)
    fixed = values.copy()
    fixed.flags.writeable = False
    return {
        "columns first": np.asfortranarray(values),
        "with gaps": wide[::2, 1::2],
        "backwards": values[::-1].copy()[::-1],
        "off the grid": raw[1:].view(np.float64).reshape(values.shape),
        "other order of bytes": values.astype(">f8"),
        "read only": fixed,
        "list": values.tolist(),
    }


@pytest.mark.parametrize("name", layouts(np.zeros((1, 1))))
def test_however_the_rows_lie(name: str) -> None:
    puma, (q, qd, qdd) = load("puma560"), states(6)
    expected = of.rne(puma, q, qd, qdd)
    laid = [layouts(values)[name] for values in (q, qd, qdd)]
    np.testing.assert_array_equal(of.rne(puma, *laid), expected)
    single = [values[2] for values in laid]
    np.testing.assert_array_equal(of.rne(puma, *single), expected[2])


def test_one_repeated_row_is_one_pose_for_all() -> None:
    puma, (q, qd, qdd) = load("puma560"), states(6)
    repeated = np.broadcast_to(q[0], (6, 6))
    np.testing.assert_array_equal(of.rne(puma, repeated, qd, qdd), of.rne(puma, q[0], qd, qdd))


@pytest.mark.parametrize("count", [0, 1, 2, repeat.SLICE, repeat.SLICE + 1])
def test_any_number_of_rows(count: int) -> None:
    puma = load("puma560")
    q = np.resize(states(50)[0], (count, 6))
    expected = of.fkine(puma, states(50)[0])
    found = of.fkine(puma, q)
    assert found.shape == (count, 4, 4)
    np.testing.assert_array_equal(found, np.resize(expected, found.shape))


def test_a_single_call_after_rows_is_that_of_before() -> None:
    puma, (q, qd, qdd) = load("puma560"), states(4)
    before = of.rne(puma, q[0], qd[0], qdd[0])
    of.rne(puma, q, qd, qdd)
    np.testing.assert_array_equal(of.rne(puma, q[0], qd[0], qdd[0]), before)


def test_a_row_that_is_not_finite_is_refused() -> None:
    q = states(5)[0]
    q[3, 2] = np.nan
    with pytest.raises(WrongSize, match="puma560, q"):
        of.fkine("puma560", q)


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_a_number_that_is_not_finite_is_refused(value: float) -> None:
    puma, (q, qd, qdd) = load("puma560"), states(1)[:, 0]
    for k in range(6):
        wrong = qd.copy()
        wrong[k] = value
        with pytest.raises(WrongSize, match="puma560, qd"):
            of.rne(puma, q, wrong, qdd)
    assert np.isfinite(of.rne(puma, q, qd, qdd)).all()


def test_numbers_near_the_largest_are_finite() -> None:
    """The largest of all numbers, six times: their sum is not finite, and they are."""
    largest = np.full(6, np.finfo(np.float64).max)
    assert np.isfinite(of.fkine("puma560", largest)).all()


def test_a_row_that_fails_is_told_as_a_single_call_is() -> None:
    """Without masses nothing can be accelerated: the joint is named, in both ways."""
    light = load("irb140")
    said = []
    for count in ((), (3,)):
        at_rest = np.zeros((*count, light.n))
        with pytest.raises(MechanicsError, match="mass matrix") as error:
            of.accel(light, at_rest, at_rest, at_rest)
        said.append(str(error.value))
    assert said[0] == said[1]


def test_values_of_another_kind_are_refused() -> None:
    q = states(1)[0, 0]
    short = q[:5], q[:1], q.astype(str).tolist()[:3]
    for wrong in (*short, np.append(q, 0.0), q + 0j, "abcdef", b"abcdefgh" * 6):
        with pytest.raises(WrongSize, match="puma560, q"):
            of.fkine("puma560", wrong)


def test_integers_and_single_precision_are_numbers() -> None:
    q = np.arange(6)
    expected = of.fkine("puma560", q.astype(np.float64))
    for kind in (np.int64, np.int32, np.float32, np.float16, np.uint8):
        np.testing.assert_array_equal(of.fkine("puma560", q.astype(kind)), expected)


def test_threads_have_rows_of_their_own() -> None:
    puma, (q, qd, qdd) = load("puma560"), states(2000)
    expected = of.rne(puma, q, qd, qdd)
    with ThreadPoolExecutor(6) as pool:
        found = list(pool.map(lambda _: of.rne(puma, q, qd, qdd), range(24)))
    for rows in found:
        np.testing.assert_array_equal(rows, expected)
