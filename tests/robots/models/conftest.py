"""Shared by the tests of robot models: plain, slow mechanics from the numbers of the table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from blockdyn.robots.model import table

Array = np.ndarray[Any, np.dtype[np.float64]]


def pose_of(arm: Array, row: int, rotation: int, position: int) -> Array:
    T = np.eye(4)
    T[:3, :3] = arm[row, rotation : rotation + 9].reshape(3, 3)
    T[:3, 3] = arm[row, position : position + 3]
    return T


def z_motion(q: float, prismatic: bool) -> Array:
    T = np.eye(4)
    if prismatic:
        T[2, 3] = q
    else:
        T[:2, :2] = [np.cos(q), -np.sin(q)], [np.sin(q), np.cos(q)]
    return T


def bodies(arm: Array, q: Array) -> list[Array]:
    """The pose of each row's body in the world."""
    found: list[Array] = []
    for i, qi in enumerate(q):
        parent = int(arm[i, table.PARENT])
        before = np.eye(4) if parent < 0 else found[parent]
        place = pose_of(arm, i, table.PLACE_R, table.PLACE_P)
        found.append(before @ place @ z_motion(qi + arm[i, table.OFFSET], bool(arm[i, table.PRISMATIC])))
    return found


def tool_of(arm: Array, q: Array) -> Array:
    tip = int(arm[-1, table.TIP])
    T = pose_of(arm, len(q), table.TOOL_R, table.TOOL_P)
    return T if tip < 0 else np.asarray(bodies(arm, q)[tip] @ T)


def mass_matrix(arm: Array, q: Array) -> Array:
    """Sum of J' I J over the bodies, and the armatures."""
    n = len(q)
    places = bodies(arm, q)
    M = np.diag(arm[:n, table.ARMATURE]).astype(float)
    for k in range(n):
        J = np.zeros((6, n))
        o = places[k][:3, 3]
        i = k
        while i >= 0:
            z, p = places[i][:3, 2], places[i][:3, 3]
            J[:, i] = np.r_[z, 0, 0, 0] if arm[i, table.PRISMATIC] else np.r_[np.cross(z, o - p), z]
            i = int(arm[i, table.PARENT])
        R = places[k][:3, :3]
        m = arm[k, table.MASS]
        h = R @ arm[k, table.MOMENT : table.MOMENT + 3]
        xx, yy, zz, xy, xz, yz = arm[k, table.INERTIA : table.INERTIA + 6]
        I = R @ np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]) @ R.T  # noqa: E741
        H = np.array([[0, -h[2], h[1]], [h[2], 0, -h[0]], [-h[1], h[0], 0]])
        M += J.T @ np.block([[m * np.eye(3), -H], [H, I]]) @ J
    return M


def height_energy(arm: Array, q: Array) -> float:
    """Potential energy in the robot's gravity."""
    g = arm[-1, table.GRAVITY : table.GRAVITY + 3]
    energy = 0.0
    for k, T in enumerate(bodies(arm, q)):
        energy -= g @ (arm[k, table.MASS] * T[:3, 3] + T[:3, :3] @ arm[k, table.MOMENT : table.MOMENT + 3])
    return float(energy)


@pytest.fixture(scope="session")
def mechanics() -> Any:
    class Mechanics:
        tool: Callable[..., Array] = staticmethod(tool_of)
        mass_matrix: Callable[..., Array] = staticmethod(mass_matrix)
        energy: Callable[..., float] = staticmethod(height_energy)

    return Mechanics


@pytest.fixture
def same_robot(mechanics: Any) -> Callable[..., None]:
    """Two robots are the same: tool, kinetic and potential energy (up to a constant) agree everywhere."""

    def check(first: Any, second: Any, *, dynamics: bool = True) -> None:
        rng = np.random.default_rng(5)
        a, b = first.table(), second.table()
        shift = mechanics.energy(a, np.zeros(first.n)) - mechanics.energy(b, np.zeros(first.n))
        for _ in range(3):
            q = rng.uniform(-2, 2, first.n)
            np.testing.assert_allclose(mechanics.tool(b, q), mechanics.tool(a, q), atol=1e-11)
            if dynamics:
                np.testing.assert_allclose(
                    mechanics.mass_matrix(b, q), mechanics.mass_matrix(a, q), atol=1e-10
                )
                assert mechanics.energy(b, q) + shift == pytest.approx(mechanics.energy(a, q), abs=1e-9)

    return check
