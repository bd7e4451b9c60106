"""One word per thing: blocks and plain functions that compute the same take the same words."""

from __future__ import annotations

from collections.abc import Callable
from inspect import signature
from typing import Any, get_args, get_type_hints

import numpy as np
import pytest

import blockdyn as bd
from blockdyn.robots import functions, inverse, load, trajectories
from blockdyn.robots.mechanics.errors import WrongSize

PAIRS = [  # a block, the function that computes the same, and what only the block has
    (bd.FKine, functions.fkine, {"link_poses"}),
    (bd.Jacobian, functions.jacobian, {"order", "part"}),
    (bd.JacobianDot, functions.jacobian_dot_qd, {"order", "part"}),
    (bd.RNE, functions.rne, set()),
    (bd.CartesianInertia, functions.cinertia, set()),
    (bd.Inertia, functions.inertia, set()),
    (bd.EndEffectorForces, functions.wrench_torque, {"of"}),
    (bd.ResolvedRate, inverse.resolved_rate, {"order"}),
    (bd.IKine, inverse.ikine, {"pose", "follow", "configuration"}),
    (bd.JointTrajectory, trajectories.point_to_point, set()),
    (bd.MultiSegment, trajectories.segments, set()),
    (bd.CartesianTrajectory, trajectories.cartesian_motion, set()),
    (bd.ScrewTrajectory, trajectories.screw_motion, set()),
    (bd.PoseToRPY, bd.robots.lie.rpy, set()),
    (bd.Tr2Delta, bd.robots.lie.delta, set()),
]


@pytest.mark.parametrize(("kind", "function", "own"), PAIRS, ids=lambda x: getattr(x, "__name__", ""))
def test_a_block_takes_the_words_of_its_function(
    kind: type[bd.Block], function: Callable[..., Any], own: set[str]
) -> None:
    words = set(kind.rules()) - own
    assert words <= set(signature(function).parameters), words - set(signature(function).parameters)


@pytest.mark.parametrize("word", ["restarts", "iterations", "tolerance", "method", "frame", "limits", "seed"])
def test_a_search_is_as_long_in_a_diagram_as_in_a_call(word: str) -> None:
    assert getattr(bd.IKine("puma560"), word) == signature(inverse.ikine).parameters[word].default


def test_controllers_take_their_gains_in_one_order() -> None:
    """The position's before the rate's."""
    for kind in (bd.PD, bd.PDGravity, bd.ComputedTorque, bd.ForceMotion):
        assert [word for word in kind.rules() if word in ("Kp", "Kd", "Ki")][:2] == ["Kp", "Kd"]


@pytest.mark.parametrize("function", [functions.jacobian, functions.jacobian_dot, functions.cinertia])
def test_frames_have_the_same_names(function: Callable[..., Any]) -> None:
    names = get_args(get_type_hints(function)["frame"])
    assert set(names) == set(bd.Jacobian.rules()["frame"].choices)
    assert set(bd.PoseIntegral.rules()["frame"].choices) == set(names)


def test_the_jacobian_knows_every_word_of_the_block_for_angles() -> None:
    puma = load("puma560")
    q = np.array([0.2, -0.4, 0.7, 0.3, 0.5, -0.1])
    shapes = {
        functions.jacobian(puma, q, angles=word).shape for word in bd.Jacobian.rules()["angles"].choices
    }
    assert shapes == {(6, 6)}
    with pytest.raises(WrongSize, match="together with angles"):
        functions.jacobian(puma, q, angles="rpy", frame="body")


@pytest.mark.parametrize(
    "function",
    [functions.rne, functions.accel, functions.coriolis, functions.itorque, functions.kinetic_energy,
     functions.jacobian_dot, functions.constrained_accel, functions.friction, functions.wrench_torque],
)  # fmt: skip
def test_arguments_come_in_one_order(function: Callable[..., Any]) -> None:
    """robot, q, qd, qdd or tau, then the wrench or what else acts."""
    order = ["robot", "q", "qd", "qdd", "tau", "Je", "wrench"]
    positional = [p.name for p in signature(function).parameters.values() if p.kind is not p.KEYWORD_ONLY]
    assert positional == sorted(positional, key=order.index)
