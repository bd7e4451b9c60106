"""Straight-line code of a robot's equations: closed forms, the general kernels, and what a tape folds."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from blockdyn.robots import from_dh, functions, load
from blockdyn.robots.equations.tape import NotTraceable, Number, Tape, Variable, choose, root, sine
from blockdyn.robots.equations.trace import EQUATIONS, LARGEST, equations_of, trace
from blockdyn.robots.functions.kinematics import ANALYTIC
from blockdyn.robots.library.catalogue import catalogue
from blockdyn.robots.mechanics.errors import MechanicsError

DIGITS = 1e-15  # relative: the general kernels take sine and cosine from blockdyn, the tape from Python


def test_zeros_ones_and_equal_operations_vanish() -> None:
    tape = Tape("f", [Variable("x", (2,))])
    x, y = tape.variables()["x"]
    terms = [0.0 * x + 1.0 * y, x * y + 0.0, -(y * -x), (x - y) + (y - x), -1.0 * x + 3.0, x**2, 2.0 / y]
    line = tape.finish([("y", np.array(terms, object))])
    assert list(line.outputs[0].elements[:2]) == [1, line.outputs[0].elements[2]]
    assert line.counts()["mul"] == 2  # x y and x x
    assert line(np.array([3.0, 5.0]))[0].tolist() == [5, 15, 15, 0, 0, 9, 0.4]


def test_only_what_an_output_needs_stays() -> None:
    tape = Tape("f", [Variable("x", (1,))])
    (x,) = tape.variables()["x"]
    assert isinstance(sine(x) * 7.0, Number)
    line = tape.finish([("y", np.array([root(abs(x))], object))])
    assert line.counts() == {"abs": 1, "sqrt": 1}
    assert line([-9.0])[0] == [3.0]


def test_branches_are_selected_or_required() -> None:
    tape = Tape("f", [Variable("x", (2,))])
    x, y = tape.variables()["x"]
    positive: Any = choose(x < 0.0, -x, x)
    value = positive / y if y > 0.0 else 0.0
    line = tape.finish([("y", np.array([value], object))])
    assert line([-6.0, 2.0])[0] == [3.0]
    with pytest.raises(NotTraceable, match="branch"):
        line([-6.0, -2.0])


def test_gravity_of_a_pendulum_is_m_g_l_cos_q() -> None:
    """One link of length 2 with its mass of 3 at the end, in the vertical plane."""
    row = {"a": 2.0, "alpha": 0.0, "mass": 3.0}
    robot = from_dh([row], gravity=[0.0, -10.0, 0.0])
    line = equations_of(robot, "gravload")
    assert line.counts()["cos"] == 1
    assert line([0.7])[0] == pytest.approx(3 * 10 * 2 * math.cos(0.7), rel=1e-15)


@pytest.mark.filterwarnings("ignore:.*no masses")
def test_equations_of_all_arms_are_the_general_kernels() -> None:
    """All robots of the library with up to ten joints: the difference, relative to the largest number."""
    random = np.random.default_rng(1)
    arms = [robot for robot in map(load, catalogue()) if robot.n <= LARGEST]
    assert len(arms) > 40
    for robot in arms:
        for function in EQUATIONS:
            line = equations_of(robot, function)
            values = random.uniform(-1.5, 1.5, (len(line.inputs), robot.n))
            try:
                expected = getattr(functions, function)(robot, *values)
            except MechanicsError:  # a singular mass matrix, for some robots at every pose
                if line.status == -1:
                    with pytest.raises(NotTraceable, match="branch"):
                        line(*values)
                continue
            (result,) = line(*values)
            assert np.abs(result - expected).max() <= DIGITS * np.abs(expected).max(), (robot.name, function)


def test_angles_have_branches_that_a_tape_does_not_hold() -> None:
    with pytest.raises(NotTraceable):
        trace(ANALYTIC, load("puma560").table(), (0,))
