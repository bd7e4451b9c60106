"""The toolbox' robots become Robots of blockdyn, and its operational-space blocks are mapped."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from typing import Any, ClassVar, NamedTuple

import numpy as np

from ...blocks.arms.arm import FramedBlock
from ...blocks.arms.gravload import Gravload
from ...blocks.arms.inertia import Inertia
from ...blocks.arms.jacobian import Jacobian
from ...blocks.contract.block import Block
from ...blocks.contract.errors import Refusal
from ...blocks.contract.parameter import Array, option
from ...blocks.contract.port import Port, Size
from ...blocks.matrices.inverse_kernels import invert_matrix, pseudo_inverse
from ...blocks.matrices.matrix_product import MatrixProduct
from ...blocks.routing.selector import Selector
from ...robots.construct.dh import from_dh
from ...robots.errors import RobotWarning
from ...robots.mechanics.bodies import positions
from ...robots.mechanics.kinematics import (
    ANGLES as KINDS_OF_ANGLES,
    angle_rates,
    columns,
    pose_of_tool,
    to_rates,
)
from ...robots.model.joint import BASE, Joint
from ...robots.model.link import Link
from ...robots.model.robot import Robot
from .values import Maker, Place


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
    """A serial robot of the toolbox: a DHRobot, or only the geometry of a Robot of elementary transforms.

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


ANGLES = {None: "none", "rpy/xyz": "xyz", "rpy/zyx": "zyx", "eul": "euler", "exp": "exp"}
"""The toolbox' names of representations, and the angles of Jacobian here."""

# The toolbox calls the turn about z "roll" in its order xyz, the one about x "yaw"; here it is the other way.
TURNED = {"rpy/xyz": [0, 1, 2, 5, 4, 3]}
OMEGA = -1  # no angles: E = I
KINDS = {"none": OMEGA, **KINDS_OF_ANGLES}
TOLERANCE = 1e-12  # singular values up to this part of the largest count as zero, as in PseudoInverse


class AnalyticJacobianInverse(FramedBlock):
    """The inverse of the Jacobian of a tool with the rates of angles, finite where these are singular.

        qd = Ja^-1 (v, dphi/dt),   Ja^-1 = J^-1 diag(I, E(phi)),   omega = E(phi) dphi/dt

    J is the geometric Jacobian in world axes. Angles that lose a direction make E singular and Ja infinite;
    Ja^-1 stays finite. `pinv` takes the pseudo-inverse, of arms with any number of joints: it is that formula
    where J has rank 6, and the pseudo-inverse of Ja otherwise. Where J is singular, or of lower rank at
    singular angles, the run ends with BlockFailed.
    angles: as in Jacobian. J_inverse: n x 6.
    Source: Siciliano et al., Robotics (2009), section 3.6.
    """

    outputs: ClassVar = ()

    angles: str = option(default="xyz", doc="rates of angles, or none: omega", choices=tuple(KINDS))
    pinv: bool = option(default=False, doc="whether the pseudo-inverse is taken")

    def input_ports(self) -> tuple[Port, ...]:
        return (self.joint_port("q", "rad or m"),)

    def output_ports(self) -> tuple[Port, ...]:
        return (Port("J_inverse", Size((self.model.n, 6)), "rad or m, per m or rad"),)

    def constants(self) -> Mapping[str, Any]:
        return {**super().constants(), "kind": float(KINDS[self.angles])}

    def scratch(self) -> Mapping[str, tuple[int, ...]]:
        n = self.model.n
        short = min(n, 6)
        return {
            **super().scratch(), "pose": (4, 4), "E": (3, 3), "J": (6, n), "square": (6, 6),
            "U": (max(n, 6), short), "V": (short, short), "values": (short,),
        }  # fmt: skip

    def functions(self) -> Mapping[str, Callable[..., Any]]:
        return {"output": pseudo if self.pinv else exact}


class Angles(NamedTuple):
    """Kind of angles, pose of the tool, and E."""

    kind: float
    pose: Array
    E: Array


class Factors(NamedTuple):
    """Scratch arrays of a pseudo-inverse: the singular value decomposition U diag(values) V^T."""

    U: Array
    V: Array
    values: Array


def exact(
    q: Array, arm: Array, work: Array, angles: Angles, J: Array, square: Array, J_inverse: Array
) -> None:
    geometry(q, arm, work, angles, J)
    if not invert_matrix(J, square, J_inverse):
        raise Refusal("the arm is singular here: its Jacobian has no inverse; use pinv=True")
    from_rates(angles.E, J_inverse)


def pseudo(
    q: Array, arm: Array, work: Array, angles: Angles, J: Array, factors: Factors, J_inverse: Array
) -> None:
    geometry(q, arm, work, angles, J)
    U, V, values = factors
    pseudo_inverse(J, 0.0, TOLERANCE, U, V, J_inverse, values)
    if values.shape[0] == 6 and values[5] > TOLERANCE * values[0]:
        from_rates(angles.E, J_inverse)
        return
    # The least residual in terms of angle rates is another one than that in terms of the angular velocity.
    if to_rates(angles.E, J) >= 0:
        raise Refusal("the angles of the tool and the arm are singular here: use other angles")
    pseudo_inverse(J, 0.0, TOLERANCE, U, V, J_inverse, values)


def geometry(q: Array, arm: Array, work: Array, angles: Angles, J: Array) -> None:
    """J, the pose of the tool and E."""
    positions(arm, q, work)
    pose_of_tool(arm, work, angles.pose)
    columns(arm, work, J)
    if angles.kind >= 0.0:
        angle_rates(angles.pose, int(angles.kind), angles.E)
        return
    for i in range(3):
        for j in range(3):
            angles.E[i, j] = 1.0 if i == j else 0.0


def from_rates(E: Array, inverse: Array) -> None:
    """inverse diag(I, E), in its place."""
    for i in range(inverse.shape[0]):
        x, y, z = inverse[i, 3], inverse[i, 4], inverse[i, 5]
        for j in range(3):
            inverse[i, 3 + j] = x * E[0, j] + y * E[1, j] + z * E[2, j]


def jacobian_of(make: Maker, robot: Robot, representation: str | None, part: str = "") -> tuple[str, str]:
    """The input q and the output of a Jacobian in world axes, in a representation of ANGLES."""
    rows = TURNED.get(representation or "")
    name = make.add(Jacobian(robot, angles=ANGLES[representation]), "J" if rows else part)
    if rows is None:
        return f"{name}.q", f"{name}.J"
    turned = make.add(Selector(rows=rows, columns=list(range(robot.n))), part)
    make.wire(f"{name}.J", f"{turned}.u")
    return f"{name}.q", f"{turned}.y"


def inverse_of(
    make: Maker, robot: Robot, representation: str | None, *, pinv: bool, part: str
) -> tuple[str, str]:
    """The input q and the output of the inverse of that Jacobian."""
    angles = ANGLES[representation]
    rows = TURNED.get(representation or "")
    name = make.add(AnalyticJacobianInverse(robot, angles=angles, pinv=pinv), "inverse" if rows else part)
    if rows is None:
        return f"{name}.q", f"{name}.J_inverse"
    turned = make.add(Selector(rows=list(range(robot.n)), columns=rows), part)
    make.wire(f"{name}.J_inverse", f"{turned}.u")
    return f"{name}.q", f"{turned}.y"


def gravity_load_x(make: Maker) -> Place | None:
    """J^-T g(q)."""
    return None if make.block.gravity is not None else _felt(make, Gravload)


def inertia_x(make: Maker) -> Place | None:
    """J^-T M(q) J^-1."""
    place = _felt(make, Inertia, "half")
    if place is None:
        return None
    name = make.add(MatrixProduct())
    make.wire(place.outputs[0], f"{name}.A")
    make.wire(place.outputs[1], f"{name}.u")
    return Place(place.inputs, [f"{name}.y"])


def _felt(make: Maker, of_joints: Callable[[Robot], Block], part: str = "") -> Place | None:
    """J^-T times the output of a block for the joints; its outputs are this and J^-1."""
    b, robot = make.block, robot_of(make.block.robot)
    if robot is None or b.representation not in ANGLES:
        return None
    pinv = robot.n != 6 or bool(getattr(b, "pinv", False))
    q, inverse = inverse_of(make, robot, b.representation, pinv=pinv, part="jacobian")
    joints = make.add(of_joints(robot), "joints")
    product = make.add(MatrixProduct(transposed=True), part)
    make.wire(inverse, f"{product}.A")
    end = make.diagram.blocks[joints].output_ports()[0].name
    make.wire(f"{joints}.{end}", f"{product}.u")
    return Place([[q, f"{joints}.q"]], [f"{product}.y", inverse])


OPERATIONAL = {
    "roboticstoolbox.Gravload_X": gravity_load_x, "roboticstoolbox.Inertia_X": inertia_x,
}  # fmt: skip
