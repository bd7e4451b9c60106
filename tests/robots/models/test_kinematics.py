"""Where the tools of known arms are: numbers printed elsewhere, and products of rows multiplied out here."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from blockdyn import robots
from blockdyn.robots import from_dh, from_mdh, from_screws, load
from blockdyn.robots.calls.frames import frames

PI = np.pi


def dh(theta: float, d: float, a: float, alpha: float) -> Any:
    """Standard A matrix, as printed in every textbook."""
    ct, st, ca, sa = np.cos(theta), np.sin(theta), np.cos(alpha), np.sin(alpha)
    return np.array(
        [[ct, -st * ca, st * sa, a * ct], [st, ct * ca, -ct * sa, a * st], [0, sa, ca, d], [0, 0, 0, 1]]
    )


def mdh(theta: float, d: float, a: float, alpha: float) -> Any:
    """Craig's, equation 3.6."""
    ct, st, ca, sa = np.cos(theta), np.sin(theta), np.cos(alpha), np.sin(alpha)
    return np.array(
        [[ct, -st, 0, a], [st * ca, ct * ca, -sa, -sa * d], [st * sa, ct * sa, ca, ca * d], [0, 0, 0, 1]]
    )


@pytest.mark.parametrize(
    ("pose", "position"),
    [
        ("qz", (0.4521, -0.1500, 0.4318)),
        ("qr", (0.0203, -0.1500, 0.8636)),
        ("qs", (0.8636, -0.1501, -0.0203)),
        ("qn", (0.5963, -0.1501, -0.0144)),
    ],
)
def test_the_puma_in_the_named_poses_of_the_manual(pose: str, position: Any, mechanics: Any) -> None:
    puma = load("puma560")
    tool = mechanics.tool(puma.table(), puma.named[pose])
    assert tool[:3, 3].tolist() == pytest.approx(position, abs=1e-4)
    if pose == "qn":  # Ry(90)
        assert tool[:3, :3].ravel().tolist() == pytest.approx([0, 0, 1, 0, 1, 0, -1, 0, 0], abs=1e-12)


def test_standard_rows_multiply(mechanics: Any) -> None:
    q = np.array([0.3, -0.8, 0.5])
    rows: list[dict[str, Any]] = [
        {"d": 0.4, "a": 0.1, "alpha": 0.7, "offset": 0.2},
        {"kind": "prismatic", "theta": 0.6, "a": -0.2, "alpha": -1.1, "offset": 0.05},
        {"d": -0.3, "a": 0.25, "alpha": 0.4, "flip": True, "offset": 0.9},
    ]
    A = [dh(0.3 + 0.2, 0.4, 0.1, 0.7), dh(0.6, -0.8 + 0.05, -0.2, -1.1), dh(0.9 - 0.5, -0.3, 0.25, 0.4)]
    robot = from_dh(rows, base="Tx(1) Rz(0.3)", tool=[0, 0, 0.1])
    expected = frames(robot, np.zeros(3))["base"] @ A[0] @ A[1] @ A[2]
    np.testing.assert_allclose(frames(robot, q)["link3"], expected, atol=1e-14)
    expected = expected @ np.array([[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0.1], [0, 0, 0, 1]])
    np.testing.assert_allclose(mechanics.tool(robot.table(), q), expected, atol=1e-14)


def test_modified_rows_multiply(mechanics: Any) -> None:
    q = np.array([0.3, -0.8, 0.5])
    rows: list[dict[str, Any]] = [
        {"d": 0.4, "a": 0.1, "alpha": 0.7, "offset": 0.2},
        {"kind": "prismatic", "theta": 0.6, "a": -0.2, "alpha": -1.1},
        {"d": -0.3, "a": 0.25, "alpha": 0.4},
    ]
    A = [mdh(0.5, 0.4, 0.1, 0.7), mdh(0.6, -0.8, -0.2, -1.1), mdh(0.5, -0.3, 0.25, 0.4)]
    np.testing.assert_allclose(mechanics.tool(from_mdh(rows).table(), q), A[0] @ A[1] @ A[2], atol=1e-14)


def test_the_two_forms_of_the_stanford_arm_agree(mechanics: Any) -> None:
    q = np.array([0.2, -0.7, 0.6, 0.1, 0.9, -0.4])
    standard, modified = load("stanford").table(), load("stanford_mdh").table()
    turned = q + np.array([0, 0, 0, -PI / 2, 0, 0])  # the standard form turns frame 3 by theta3 = -90 degrees
    np.testing.assert_allclose(mechanics.tool(standard, q), mechanics.tool(modified, turned), atol=1e-12)


def test_screws_of_the_book(mechanics: Any) -> None:
    """Modern Robotics, example 4.5: the UR5 at (0, -pi/2, 0, 0, pi/2, 0)."""
    W1, W2, L1, L2, H1, H2 = 0.109, 0.082, 0.425, 0.392, 0.089, 0.095
    M = [[-1, 0, 0, L1 + L2], [0, 0, 1, W1 + W2], [0, 1, 0, H1 - H2], [0, 0, 0, 1]]
    S = np.array(
        [
            [0, 0, 1, 0, 0, 0],
            [0, 1, 0, -H1, 0, 0],
            [0, 1, 0, -H1, 0, L1],
            [0, 1, 0, -H1, 0, L1 + L2],
            [0, 0, -1, -W1, L1 + L2, 0],
            [0, 1, 0, H2 - H1, 0, L1 + L2],
        ]
    ).T
    tool = mechanics.tool(from_screws(M, S).table(), np.array([0, -PI / 2, 0, 0, PI / 2, 0]))
    printed = [[0, -1, 0, 0.095], [1, 0, 0, 0.109], [0, 0, 1, 0.988], [0, 0, 0, 1]]
    np.testing.assert_allclose(tool, printed, atol=5e-4)


def gravity_load(arm: Any, q: Any, mechanics: Any) -> Any:
    """The slope of the potential energy."""
    steps = 1e-5 * np.eye(len(q))
    return np.array([mechanics.energy(arm, q + h) - mechanics.energy(arm, q - h) for h in steps]) / 2e-5


@pytest.mark.parametrize(
    ("name", "q", "inertia", "load"),
    [
        (
            "puma560",
            [0, PI / 4, -PI, 1, PI / 4, 0],
            [3.6591, 4.4128, 0.9377, 0.1925, 0.1713, 0.1941],
            [0, 31.6334, 6.0286, -0.0119, 0.0218, 0],
        ),
        (
            "puma560akb",
            [0] * 6,
            [4.27397, 6.79669, 1.17867, 0.20399, 0.18169, 0.20587],
            [0, -36.98581, 0.24893, 0, 0, 0],
        ),
        ("twolink", [0, PI / 2], [1 / 4 + 1 + 1 / 4, 1 / 4], [1.5 * 9.81, 0]),
    ],
)
def test_inertia_and_gravity_load_of_the_toolbox(
    name: str, q: Any, inertia: Any, load: Any, mechanics: Any
) -> None:
    arm, at = robots.load(name).table(), np.array(q, dtype=float)
    assert np.diag(mechanics.mass_matrix(arm, at)) == pytest.approx(inertia, abs=6e-5)
    assert gravity_load(arm, at, mechanics) == pytest.approx(load, abs=6e-5)


def test_the_three_joint_arm_of_modern_robotics(mechanics: Any) -> None:
    """MassMatrix and GravityForces as the book's library prints them; its first screw is sqrt 2 long."""
    robot = load("modern_robotics_3r")
    arm, q = robot.table(), robot.named["qn"]
    scale = np.array([np.sqrt(2), 1, 1])
    M = [
        [2.25433380e01, -3.07146754e-01, -7.18426391e-03],
        [-3.07146754e-01, 1.96850717e00, 4.32157368e-01],
        [-7.18426391e-03, 4.32157368e-01, 1.91630858e-01],
    ]
    np.testing.assert_allclose(np.outer(scale, scale) * mechanics.mass_matrix(arm, q), M, rtol=1e-8)
    assert scale * gravity_load(arm, q, mechanics) == pytest.approx([28.40331262, -37.64094817, -5.4415892])


def test_frames_of_the_table_are_those_of_the_links(mechanics: Any) -> None:
    for name in ("puma560akb", "stanford", "p8", "mico"):
        robot = load(name)
        q = np.linspace(-1, 1, robot.n)
        for frame, T in frames(robot, q).items():
            np.testing.assert_allclose(mechanics.tool(robot.table(frame), q), T, atol=1e-13)
