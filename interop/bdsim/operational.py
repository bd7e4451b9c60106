"""The toolbox' blocks of arms in operational space: inertia and gravity as the tool feels them."""

from __future__ import annotations

from collections.abc import Callable

from ...blocks.arms.gravload import Gravload
from ...blocks.arms.inertia import Inertia
from ...blocks.arms.jacobian import Jacobian
from ...blocks.contract.block import Block
from ...blocks.matrices.matrix_inverse import MatrixInverse
from ...blocks.matrices.matrix_product import MatrixProduct
from ...blocks.matrices.pseudo_inverse import PseudoInverse
from ...blocks.matrices.transpose import Transpose
from ...blocks.routing.selector import Selector
from ...robots.model.robot import Robot
from .places import Maker, Place
from .robots import robot_of

ANGLES = {None: "none", "rpy/xyz": "xyz", "rpy/zyx": "zyx", "eul": "euler", "exp": "exp"}
"""The toolbox' names of representations, and the angles of Jacobian here."""

# The toolbox calls the turn about z "roll" in its order xyz, the one about x "yaw"; here it is the other way.
TURNED = {"rpy/xyz": [0, 1, 2, 5, 4, 3]}


def jacobian_of(make: Maker, robot: Robot, representation: str | None, part: str = "") -> tuple[str, str]:
    """The input q and the output of a Jacobian in world axes, in a representation of ANGLES."""
    rows = TURNED.get(representation or "")
    name = make.add(Jacobian(robot, angles=ANGLES[representation]), "J" if rows else part)
    if rows is None:
        return f"{name}.q", f"{name}.J"
    turned = make.add(Selector(rows=rows, columns=list(range(robot.n))), part)
    make.wire(f"{name}.J", f"{turned}.u")
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
    """J^-T times what a block computes for the joints; its outputs are this and J^-1."""
    b, robot = make.block, robot_of(make.block.robot)
    if robot is None or b.representation not in ANGLES:
        return None
    square = robot.n == 6 and not getattr(b, "pinv", False)
    q, jacobian = jacobian_of(make, robot, b.representation, "jacobian")
    inverse = make.add(MatrixInverse(6) if square else PseudoInverse(6, robot.n), "inverse")
    transpose, joints = make.add(Transpose(), "transpose"), make.add(of_joints(robot), "joints")
    product = make.add(MatrixProduct(), part)
    make.wire(jacobian, f"{inverse}.u")
    make.wire(f"{inverse}.y", f"{transpose}.u")
    make.wire(f"{transpose}.y", f"{product}.A")
    end = make.diagram.blocks[joints].output_ports()[0].name
    make.wire(f"{joints}.{end}", f"{product}.u")
    return Place([[q, f"{joints}.q"]], [f"{product}.y", f"{inverse}.y"])


OPERATIONAL = {
    "roboticstoolbox.Gravload_X": gravity_load_x, "roboticstoolbox.Inertia_X": inertia_x,
}  # fmt: skip
