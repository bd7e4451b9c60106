"""Blocks of kinematics, against published poses and Jacobians, closed forms and finite differences."""

from __future__ import annotations

import math

import numpy as np
import pytest

import blockdyn as bd
from blockdyn.robots import from_screws, load

from .one_block import fed, shown

PUMA = load("puma560")
Q = np.array([0.3, 0.7, -0.9, 0.4, 1.1, -0.2])
QD = np.array([0.5, -0.3, 0.8, 1.0, -0.7, 0.2])


def pose(q: np.ndarray, of: str = "tool") -> np.ndarray:
    return shown(bd.FKine("puma560", of=of), q=q)["T"]


@pytest.mark.parametrize(
    ("name", "place"),
    [
        ("qz", (0.4521, -0.1500, 0.4318)),
        ("qr", (0.0203, -0.1500, 0.8636)),
        ("qs", (0.8636, -0.1501, -0.0203)),
        ("qn", (0.5963, -0.1501, -0.0144)),
    ],
)
def test_the_puma_is_where_the_toolbox_has_it(name: str, place: tuple[float, ...]) -> None:
    """Figures of the Robotics Toolbox for MATLAB."""
    np.testing.assert_allclose(pose(PUMA.named[name])[:3, 3], place, atol=5.1e-5)


def test_the_links_are_below_one_another() -> None:
    """Two links of 1 m at 30 and 90 degrees; the base of `twolink` stands upright: y is up."""
    out = shown(bd.FKine("twolink", link_poses=True), q=[math.pi / 6, math.pi / 3])
    elbow, tip = (math.cos(math.pi / 6), 0.5), (math.cos(math.pi / 6), 1.5)
    frames = out["poses"].reshape(2, 4, 4)
    np.testing.assert_allclose(frames[:, [0, 2], 3], [elbow, tip], atol=1e-15)
    np.testing.assert_allclose(frames[1], out["T"], atol=1e-15)
    inner = shown(bd.FKine("twolink", of="link1"), q=[math.pi / 6, math.pi / 3])["T"]
    np.testing.assert_allclose(inner, frames[0], atol=1e-15)


@pytest.mark.parametrize("of", ["tool", "link3"])
def test_the_jacobian_is_the_derivative_of_the_pose(of: str) -> None:
    h = 1e-6
    ahead, behind = pose(Q + h * QD, of), pose(Q - h * QD, of)
    rate = (ahead - behind) / (2 * h)
    spin = rate[:3, :3] @ pose(Q, of)[:3, :3].T
    expected = [*rate[:3, 3], spin[2, 1], spin[0, 2], spin[1, 0]]
    world = shown(bd.Jacobian("puma560", of=of), q=Q)["J"]
    np.testing.assert_allclose(world @ QD, expected, atol=1e-8)
    turned = shown(bd.Jacobian("puma560", of=of, frame="body"), q=Q)["J"]
    R = pose(Q, of)[:3, :3]
    np.testing.assert_allclose(turned, np.kron(np.eye(2), R.T) @ world, atol=1e-14)


def test_rows_of_the_jacobian() -> None:
    whole = shown(bd.Jacobian("puma560"), q=Q)["J"]
    for options, rows in (
        ({"order": "wv"}, [3, 4, 5, 0, 1, 2]),
        ({"part": "trans"}, [0, 1, 2]),
        ({"part": "rot", "order": "wv"}, [3, 4, 5]),
    ):
        np.testing.assert_array_equal(shown(bd.Jacobian("puma560", **options), q=Q)["J"], whole[rows])


def test_at_home_the_jacobians_of_the_book_are_the_screws() -> None:
    """The arm of FKinBody and FKinSpace in the manual of Modern Robotics: its axes, and where it is."""
    M = np.array([[-1.0, 0, 0, 0], [0, 1, 0, 6], [0, 0, -1, 2], [0, 0, 0, 1]])
    S = np.array([[0, 0, 1, 4, 0, 0], [0, 0, 0, 0, 1, 0], [0, 0, -1, -6, 0, -0.1]], float).T
    B = np.array([[0, 0, -1, 2, 0, 0], [0, 0, 0, 0, 1, 0], [0, 0, 1, 0, 0, 0.1]], float).T
    S[5, 2] = B[5, 2] = 0.0  # without the pitch of the third screw
    robot = from_screws(M, S)
    np.testing.assert_allclose(shown(bd.FKine(robot), q=np.zeros(3))["T"], M, atol=1e-15)
    for frame, screws in (("space", S), ("body", B)):
        J = shown(bd.Jacobian(robot, frame=frame, order="wv"), q=np.zeros(3))["J"]
        np.testing.assert_allclose(J, screws, atol=1e-14)


@pytest.mark.parametrize("angles", ["rpy", "euler", "exp"])
def test_rates_of_angles(angles: str) -> None:
    """Differences of the angles themselves, as the pose blocks give them."""
    kind = {"rpy": bd.PoseToRPY, "euler": bd.PoseToEuler}.get(angles)

    def numbers(q: np.ndarray) -> np.ndarray:
        if kind is not None:
            return next(iter(shown(kind(), T=pose(q)).values()))
        from blockdyn.robots.lie.kernels.rotation import rotation_vector

        return np.array(rotation_vector(pose(q)))

    h = 1e-5
    expected = (numbers(Q + h * QD) - numbers(Q - h * QD)) / (2 * h)
    J = shown(bd.Jacobian("puma560", angles=angles, part="rot"), q=Q)["J"]
    np.testing.assert_allclose(J @ QD, expected, atol=1e-8)


def test_angles_end_the_run_where_they_are_singular() -> None:
    """The tool of the Puma in qn points along y: its pitch is 90 degrees."""
    d = fed(bd.Jacobian("puma560", angles="rpy"), q=PUMA.named["qn"])
    with pytest.raises(bd.RunError, match=r"block failed at t = 0.0 s: the angles of the tool are singular"):
        d.simulate(stop=1.0)
    with pytest.raises(bd.ParameterError, match="world, the only frame for the rates of angles"):
        bd.Jacobian("puma560", angles="rpy", frame="body")


@pytest.mark.parametrize("frame", ["world", "body", "space"])
def test_jacobian_dot_is_the_change_of_the_jacobian(frame: str) -> None:
    h = 1e-6

    def J(q: np.ndarray) -> np.ndarray:
        return shown(bd.Jacobian("puma560", frame=frame), q=q)["J"]

    expected = (J(Q + h * QD) - J(Q - h * QD)) @ QD / (2 * h)
    block = bd.JacobianDot("puma560", frame=frame)
    np.testing.assert_allclose(shown(block, q=Q, qd=QD)["Jdqd"], expected, atol=1e-8)
    swapped = bd.JacobianDot("puma560", frame=frame, order="wv")
    np.testing.assert_allclose(shown(swapped, q=Q, qd=QD)["Jdqd"], expected[[3, 4, 5, 0, 1, 2]], atol=1e-8)


def test_an_unknown_frame_is_named() -> None:
    with pytest.raises(bd.ParameterError, match="did you mean `link3`"):
        bd.FKine("puma560", of="lnk3")
