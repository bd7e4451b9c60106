"""`blockdyn animate`: several bodies at once, and those that fly."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import blockdyn as bd
from blockdyn.diagrams.results.errors import ResultError
from blockdyn.diagrams.results.provenance import Provenance
from blockdyn.diagrams.results.trace import Trace
from blockdyn.plots.films.animation import animation
from blockdyn.plots.films.movers import NoArm
from blockdyn.robots import load
from blockdyn.robots.shapes.multirotor import Multirotor, rotations

from .moved import SMALL, forward, moved, signals_of

TRACKED = """\
blockdyn: 1
name: tracked
blocks:
  motion: {type: JointTrajectory, q0: [0, 0], qf: [1, 1], duration: 1.0}
  control: {type: ComputedTorque, robot: twolink, Kp: 100, Kd: 20}
  arm: {type: FDyn, robot: {name: twolink, payload: {mass: 1}}}
  other: {type: FDyn, robot: {name: twolink, base: [3, 0, 0]}}
wires:
  - motion.q -> control.q_ref
  - arm.q -> control.q
  - arm.qd -> control.qd
  - control -> [arm.tau, other.tau]
"""
FLYING = """\
blockdyn: 1
name: flying
blocks:
  speeds: {type: Constant, value: [860, -860, 860, -860]}
  craft: {type: Quadrotor}
wires: [speeds -> craft]
"""


def flown(*names: str) -> bd.Result:
    """A quarter turn about x while it flies along (1, 2, -3), under several names."""
    time = np.linspace(0.0, 1.0, 11)
    way = np.outer(time, [1.0, 2.0, -3.0])
    half = np.pi / 4 * time
    turn = np.column_stack([np.cos(half), np.sin(half), 0 * time, 0 * time])
    turn[5:] *= -1.0  # the same attitudes
    state = np.column_stack([way, 0 * time, 0 * time, 2 * half, np.zeros((11, 6))])
    known = {"position": way, "quaternion": turn, "p": way, "q": 1.01 * turn, "state": state}
    signals = {f"craft.{name}": Trace(f"craft.{name}", time, known[name]) for name in names}
    return bd.Result(signals, provenance=Provenance("flying", FLYING))


def test_all_that_moves_is_drawn_together_in_different_colours() -> None:
    shown = animation(moved("arm.q", "other.q", "motion.q", description=TRACKED))
    assert signals_of(shown) == ["arm.q", "other.q"]
    assert shown.labels == ("arm", "other")
    one, other = shown.films(np.linspace(0.0, 1.0, 3))
    assert one.paint.turning != other.paint.turning
    assert (one.thickness, other.thickness) == (1.0, 1.0)  # they stand apart
    for seen, robot in ((one, load("twolink")), (other, load("twolink").with_base([3, 0, 0]))):
        np.testing.assert_allclose(seen.tip[-1], forward(robot, np.ones(2))[:3, 3], atol=1e-12)


def test_blocks_choose_and_a_reference_moves_a_thinner_arm_within() -> None:
    result = moved("arm.q", "other.q", "motion.q", description=TRACKED)
    shown = animation(result, block=["arm", "motion"])
    assert signals_of(shown) == ["arm.q", "motion.q"]
    one, wanted = shown.films(np.linspace(0.0, 1.0, 3))
    assert wanted.radius < one.radius
    assert signals_of(animation(result, block="control")) == ["arm.q"]
    assert signals_of(animation(result, signal="motion.q")) == ["motion.q"]


def test_names_stand_in_a_key_and_a_title_says_what_moves(tmp_path: Path) -> None:
    result = moved("arm.q", "other.q", description=TRACKED)
    (legend,) = result.strip(tmp_path / "two.svg", times=2).legends
    assert [text.get_text() for text in legend.get_texts()] == ["arm", "other"]
    assert animation(result).title == "falling: twolink"
    assert result.animate(tmp_path / "two.gif", fps=2, **SMALL).frames == 3


def test_more_than_colours_tell_apart_are_refused() -> None:
    names = [f"arm{i}" for i in range(7)]
    blocks = "".join(f"  {name}: {{type: FDyn, robot: twolink}}\n" for name in names)
    many = f"blockdyn: 1\nblocks:\n  still: {{type: Constant, value: [0, 0]}}\n{blocks}"
    many += f'wires: ["still -> [{", ".join(name + ".tau" for name in names)}]"]\n'
    result = moved(*(f"{name}.q" for name in names), description=many)
    with pytest.raises(ResultError, match="7 bodies move, 6 at most"):
        animation(result)
    assert len(animation(result, block=names[:6]).actors) == 6


@pytest.mark.parametrize("names", [("position", "quaternion"), ("p", "q"), ("state",)])
def test_a_quadrotor_is_where_it_flies_with_z_up(names: tuple[str, ...], tmp_path: Path) -> None:
    result = flown(*names)
    (seen,) = animation(result).films(np.array([0.0, 0.55, 1.0]))
    np.testing.assert_allclose(seen.tip, [[0, 0, 0], [0.55, -1.1, 1.65], [1, -2, 3]], atol=1e-12)
    down = seen.motion.R[-1, -1][:, 2]  # rolled to the right by 90 degrees, its belly looks to the left
    np.testing.assert_allclose(down, [0.0, 1.0, 0.0], atol=1e-12)
    gaps = seen.motion.p[:, :4] - seen.tip[:, None]
    np.testing.assert_allclose(np.linalg.norm(gaps, axis=-1), np.hypot(0.315, 0.007), rtol=1e-12)
    assert result.animate(tmp_path / "craft.gif", fps=2, **SMALL).frames == 3


def test_a_position_without_an_attitude_is_told() -> None:
    with pytest.raises(NoArm, match=r"craft\.position was not logged"):
        animation(flown("position"))


def test_quaternions_turn_as_scipy_says_and_blades_as_the_rotors() -> None:
    from scipy.spatial.transform import Rotation

    some = np.random.default_rng(3).normal(size=(20, 4))
    np.testing.assert_allclose(rotations(some), Rotation.from_quat(np.roll(some, -1, axis=1)).as_matrix())
    hubs = np.array([[0.3, 0.0, 0.0], [-0.3, 0.0, 0.0]])
    level = np.tile([1.0, 0.0, 0.0, 0.0], (2, 1))
    R = Multirotor(hubs, np.array([1.0, -1.0])).motion(np.array([0.0, 0.1]), np.zeros((2, 3)), level).R
    first, second = (R[0, i].T @ R[1, i] for i in range(2))
    assert first[1, 0] > 0.1  # about z, which points down: from x towards y
    np.testing.assert_allclose(second, first.T, atol=1e-12)
