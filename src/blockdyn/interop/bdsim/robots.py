"""Robots of the Robotics Toolbox for Python as Robots here."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from ...robots.construct.dh import from_dh
from ...robots.errors import RobotWarning
from ...robots.model.joint import BASE, Joint
from ...robots.model.link import Link
from ...robots.model.robot import Robot


def robot_of(robot: Any) -> Robot | None:
    """A DHRobot of the toolbox, with its masses, motors and friction; None for a robot of another kind."""
    if type(robot).__name__ != "DHRobot" and not any(k.__name__ == "DHRobot" for k in type(robot).__mro__):
        return None
    conventions = {bool(link.mdh) for link in robot.links}
    if len(conventions) != 1:
        return None
    with warnings.catch_warnings():
        # The robot is used as it is: published tables, such as the Puma 560's, have inertias of no real body.
        warnings.simplefilter("ignore", RobotWarning)
        return from_dh(
            [_row(link) for link in robot.links],
            convention="modified" if conventions.pop() else "standard",
            name=str(robot.name or "robot"),
            base=np.asarray(robot.base.A, float),
            tool=np.asarray(robot.tool.A, float),
            gravity=np.asarray(robot.gravity, float).ravel(),
        )


def chain_of(robot: Any) -> Robot | None:
    """A serial robot of the toolbox: a DHRobot, or the geometry alone of a Robot of elementary transforms.

        T(q) = base E_1 E_2 ... tool,   E_k one of Rx, Ry, Rz, tx, ty, tz of a joint, or constant

    None for robots with branches, for planar ones, and where the joints are not in order along the chain.
    """
    native = robot_of(robot)
    if native is not None or not callable(getattr(robot, "ets", None)) or np.shape(robot.base.A) != (4, 4):
        return native
    joints: list[Joint] = []
    T = np.eye(4)
    for transform in robot.ets():
        kind = str(transform.kind)
        if not transform.isjoint:
            T = T @ np.asarray(transform.A(), float)
            continue
        if len(kind) != 2 or transform.jindex != len(joints):
            return None
        sign = -1.0 if transform.isflip else 1.0
        axis = [sign * (letter == kind[1]) for letter in "xyz"]
        parent = f"link{len(joints)}" if joints else BASE
        moves: Any = "revolute" if kind[0] == "R" else "prismatic"
        joints.append(Joint(f"joint{len(joints) + 1}", moves, parent, T, axis))
        T = np.eye(4)
    if len(joints) != robot.n:
        return None
    return Robot(
        str(robot.name or "robot"), tuple(joints), tuple(Link(f"link{k + 1}") for k in range(len(joints))),
        base=np.asarray(robot.base.A, float), tool=T @ np.asarray(robot.tool.A, float),
    )  # fmt: skip


def _row(link: Any) -> dict[str, Any]:
    moving = "prismatic" if link.isprismatic else "revolute"
    row: dict[str, Any] = {key: float(getattr(link, key)) for key in ("theta", "d", "a", "alpha")}
    row |= {"kind": moving, "offset": float(link.offset), "flip": bool(link.isflip)}
    row |= {"viscous": float(link.B), "gear": float(link.G) or 1.0, "motor_inertia": float(link.Jm)}
    # The toolbox' second number of a Coulomb friction belongs to motion backwards, and is negative.
    row["coulomb"] = [float(link.Tc[0]), -float(link.Tc[1])]
    row |= {"mass": float(link.m), "com": np.asarray(link.r, float), "inertia": np.asarray(link.I, float)}
    return row
