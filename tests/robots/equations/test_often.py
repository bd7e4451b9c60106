"""Calls from Python: vectors of every kind, and robots that get code of their own after many calls."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from blockdyn.robots import functions as of, load
from blockdyn.robots.calls import kernel
from blockdyn.robots.mechanics.errors import MechanicsError, WrongSize

OFTEN = 12  # calls, of which some are before the change of code, some after


def test_a_robot_that_is_called_often_has_the_same_bits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernel, "STORED", 3)
    monkeypatch.setattr(kernel, "COMPILED", 4)
    robot = load("puma560").without_friction()
    q, qd, u = np.random.default_rng(2).uniform(-1.5, 1.5, (3, 6))
    wrench = np.arange(6.0)
    calls: list[Any] = [
        lambda q: of.rne(robot, q, qd, u),
        lambda q: of.rne(robot, q, qd, u, wrench),
        lambda q: of.accel(robot, q, qd, u),
        lambda q: of.inertia(robot, q),
        lambda q: of.jacobian(robot, q, frame="body"),
        lambda q: of.fkine(robot, q),
    ]
    for call in calls:
        first = call(q)
        for _ in range(OFTEN):
            np.testing.assert_array_equal(call(q), first)
        rows = np.array([q, q + 0.1])
        try:
            both = call(rows)
        except WrongSize:  # as many rows in all arguments
            continue
        np.testing.assert_array_equal(both[0], first)
        np.testing.assert_array_equal(both[1], call(rows[1]))


def test_rows_count_as_calls_and_singular_joints_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """The last joint of ur3 carries no inertia about its axis in the library's table."""
    monkeypatch.setattr(kernel, "STORED", 2)
    monkeypatch.setattr(kernel, "COMPILED", 2)
    robot = load("ur3").without_friction("viscous")
    zero = np.zeros((3, 6))
    for _ in range(4):
        with pytest.raises(MechanicsError, match="singular"):
            of.accel(robot, zero, zero, zero)
        with pytest.raises(MechanicsError, match="singular"):
            of.accel(robot, zero[0], zero[0], zero[0])


def test_every_kind_of_vector_is_read_alike() -> None:
    robot = load("puma560")
    q = np.linspace(-1.0, 1.0, 6)
    zero = np.zeros(6)
    expected = of.rne(robot, q, zero, zero)
    wide, backwards, odd = np.zeros(12), q[::-1].copy(), np.zeros(50, np.uint8)
    wide[::2] = q
    shifted = odd[1:49].view(np.float64)  # not aligned
    shifted[:] = q
    swapped = q.astype(q.dtype.newbyteorder())
    frozen = q.copy()
    frozen.flags.writeable = False
    for value in (wide[::2], backwards[::-1], shifted, swapped, frozen, q.tolist(), tuple(q), q[None][0]):
        np.testing.assert_array_equal(of.rne(robot, value, zero, zero), expected)
    assert of.rne(robot, q, zero, zero) is not of.rne(robot, q, zero, zero)


def test_what_is_not_a_vector_of_numbers_is_described() -> None:
    robot = load("puma560")
    zero = np.zeros(6)
    wrongs: list[Any] = [
        np.zeros(5),
        np.full(6, np.nan),
        np.array([1.0] * 5 + [np.inf]),
        "qz",
        None,
        np.zeros(6, complex),
    ]
    for wrong in wrongs:
        with pytest.raises(WrongSize, match="puma560, q"):
            of.rne(robot, wrong, zero, zero)
