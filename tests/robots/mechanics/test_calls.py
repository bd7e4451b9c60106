"""Calls: as the Python functions they are made of, for many rows, in many threads, with refusals."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

from blockdyn.robots import UnknownFrame, functions as of, load
from blockdyn.robots.functions import dynamics, kinematics, masses
from blockdyn.robots.mechanics.bodies import work_shape
from blockdyn.robots.mechanics.errors import WrongSize

KERNELS = {
    f"{module.__name__.rpartition('.')[2]}.{name}": value
    for module in (kinematics, dynamics, masses)
    for name, value in vars(module).items()
    if type(value).__name__ == "Kernel"
} | {
    "dynamics.articulated": dynamics.METHODS["articulated"][1],
    "dynamics.composite": dynamics.METHODS["composite"][1],
}
FLAGS = {
    "kinematics.ANALYTIC": 8,
    "dynamics.RNE": 7,
    "dynamics.RNE_FREE": 7,
    "dynamics.articulated": 7,
    "dynamics.composite": 7,
    "dynamics.REGRESSOR": 7,
}
SIZES = {"dynamics.REGRESSOR": (("p", 6 * (10 + 4)),)}  # ten numbers of a body and four of its drive


@pytest.mark.parametrize("name", KERNELS)
def test_machine_code_is_the_python_function(name: str, tree: Any) -> None:
    from blockdyn.robots.calls.kernel import FLAG, WORK, Input, Output, bound

    kernel, robot = KERNELS[name], tree(11, 6, serial=True).robot
    flag = FLAGS.get(name, 1)
    flags = (flag,) if FLAG in kernel.arguments else ()
    sizes = SIZES.get(name, ())
    ready = bound(kernel, robot, "tool", flags, sizes)
    assert bound(kernel, robot, "tool", flags, sizes) is ready  # laid out once
    lengths = {"n": 6, "joints": 6, **dict(sizes)}
    rng = np.random.default_rng(5)
    given = [rng.normal(size=buffer.shape) for buffer in ready.inputs]
    ready.run(*given)
    values, outputs, following = [], [], iter(given)
    for argument in kernel.arguments:
        if argument is FLAG:
            values.append(flag)
            continue
        shape = work_shape(6) if argument is WORK else [lengths.get(s, s) for s in argument.shape]
        array = (
            next(following)
            if isinstance(argument, Input)
            else np.full(shape, 0.0 if argument is dynamics.FREE else np.nan)
        )
        values.append(array)
        if isinstance(argument, Output):
            outputs.append(array)
    result = kernel.function(robot.table(), *values)
    for compiled, plain in zip(ready.outputs, outputs):
        np.testing.assert_allclose(compiled, plain, atol=1e-11 * (1 + np.abs(plain).max()))
    if not outputs:
        assert ready.number(*given) == pytest.approx(result, rel=1e-12)


def test_many_rows_at_once() -> None:
    puma = load("puma560")
    Q, Qd = np.random.default_rng(0).normal(size=(2, 7, 6))
    at_rest = np.zeros(6)
    found = of.rne(puma, Q, Qd, at_rest)
    assert found.shape == (7, 6)
    np.testing.assert_array_equal(found, [of.rne(puma, q, qd, at_rest) for q, qd in zip(Q, Qd)])
    assert of.fkine(puma, Q).shape == (7, 4, 4)


def test_link_poses_are_those_of_the_named_links(tree: Any) -> None:
    robot = tree(21, 6).robot
    q = np.random.default_rng(0).normal(size=6)
    names = [link.name for joint, link in zip(robot.joints, robot.links) if joint.moves]
    expected = [of.fkine(robot, q, of=name) for name in names]
    np.testing.assert_allclose(of.link_poses(robot, q), expected, atol=1e-13)


def test_lists_and_integers_are_numbers() -> None:
    puma = load("puma560")
    np.testing.assert_array_equal(of.fkine(puma, [0] * 6), of.fkine(puma, np.zeros(6)))


def test_threads_do_not_disturb_each_other() -> None:
    puma = load("puma560")
    states = np.random.default_rng(2).normal(size=(64, 6))
    expected = [of.inertia(puma, q) for q in states]

    def work(_: int) -> bool:
        return all(np.array_equal(of.inertia(puma, q), M) for q, M in zip(states, expected))

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(work, range(32)))


def test_results_are_the_callers_own() -> None:
    puma = load("puma560")
    first = of.gravload(puma, puma.named["qn"])
    kept = first.copy()
    of.gravload(puma, puma.named["qz"])
    np.testing.assert_array_equal(first, kept)


def test_a_changed_robot_is_another_one() -> None:
    puma = load("puma560")
    q = puma.named["qn"]
    loads = [of.gravload(puma.payload(mass, (0, 0, 0.1)), q)[1] for mass in range(300)]
    steps = np.diff(loads)
    np.testing.assert_allclose(steps, steps[0], rtol=1e-9)


@pytest.mark.parametrize("q", [[0] * 5, 1.0, "home", [[[0] * 6]], None, ["a"] * 6])
def test_wrong_sizes_are_refused(q: Any) -> None:
    with pytest.raises(WrongSize, match="puma560, q"):
        of.fkine(load("puma560"), q)


def test_rows_that_differ_are_refused() -> None:
    with pytest.raises(WrongSize, match="2 rows, and 3"):
        of.coriolis(load("puma560"), np.zeros((3, 6)), np.zeros((2, 6)))


@pytest.mark.parametrize(
    ("options", "said"),
    [({"frame": "hand"}, "world, body, space"), ({"angles": "quaternion"}, "euler, exp")],
)
def test_unknown_choices_are_refused(options: Any, said: str) -> None:
    with pytest.raises(WrongSize, match=said):
        of.jacobian(load("puma560"), np.zeros(6), **options)


def test_unknown_frames_are_refused() -> None:
    with pytest.raises(UnknownFrame, match="link3"):
        of.fkine(load("puma560"), np.zeros(6), of="lnik3")


def test_constraints_of_a_wrong_shape_are_refused() -> None:
    with pytest.raises(WrongSize, match="Je"):
        of.constrained_accel(load("puma560"), np.zeros(6), np.zeros(6), np.zeros(6), [[1, 0, 0]])
    with pytest.raises(WrongSize, match="violation"):
        of.constrained_accel(
            load("puma560"), np.zeros(6), np.zeros(6), np.zeros(6), np.eye(6)[:1], violation=[1, 2]
        )
