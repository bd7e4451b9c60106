"""Map the toolbox's blocks of arms and poses to blocks of blockdyn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...blocks.arms.fdyn import FDyn
from ...blocks.arms.fkine import FKine
from ...blocks.arms.gravload import Gravload
from ...blocks.arms.ikine import IKine
from ...blocks.arms.inertia import Inertia
from ...blocks.arms.jacobian import Jacobian
from ...blocks.arms.rne import RNE
from ...blocks.contract.block import Block
from ...blocks.matrices.matrix_inverse import MatrixInverse
from ...blocks.matrices.pseudo_inverse import PseudoInverse
from ...blocks.matrices.transpose import Transpose
from ...blocks.poses.delta2tr import Delta2Tr
from ...blocks.poses.pose_inverse import PoseInverse
from ...blocks.poses.pose_product import PoseProduct
from ...blocks.poses.pose_to_xyz import PoseToXYZ
from ...blocks.poses.tr2delta import Tr2Delta
from ...blocks.poses.xyz_to_pose import XYZToPose
from ...blocks.routing.selector import Selector
from ...blocks.sources.constant import Constant
from ...blocks.trajectories.cartesian_trajectory import CartesianTrajectory
from ...blocks.trajectories.circle import Circle
from ...blocks.trajectories.joint_trajectory import JointTrajectory
from ...robots.model.robot import Robot
from .operational import ANGLES, chain_of, inverse_of, jacobian_of, robot_of
from .python_blocks import PythonBlock
from .values import Form, Maker, Place


def of_robot(make: Maker) -> Robot | None:
    """The robot of a block whose input are joint coordinates; None for a robot of another kind."""
    return robot_of(make.block.robot)


def fkine(make: Maker) -> Place | None:
    robot = None if make.block.args else chain_of(make.block.robot)
    return None if robot is None else make.alone(FKine(robot), outputs=("T",))


class Search:
    """The search of an IKINE that begins at q0, always, so that q depends only on the pose."""

    def __init__(self, block: Any) -> None:
        self.block = block

    def output(self, t: float, inputs: Sequence[Any], x: None) -> list[Any]:
        b = self.block
        solution = b.ik(inputs[0], q0=b.q0, seed=b.seed, **b.args)
        if not solution.success:
            raise ValueError(f"no joint coordinates bring the tool to this pose: {solution.reason}")
        return [solution.q]


def ikine(make: Maker) -> Place | None:
    """The search begins at q0, always: bdsim's own, which begins at its last result, does not run."""
    b: Any = make.block
    ours = not b.args and getattr(b.ik, "__self__", None) is b.robot
    robot = chain_of(b.robot) if ours else None
    if robot is None:
        form = make.forms[0] or Form(kind="object")
        place = make.alone(PythonBlock(Search(b), [form], [Form((b.robot.n,), "array")]))
        place.in_python = True
        return place
    start = 0.0 if b.q0 is None else np.asarray(b.q0, float)
    return make.alone(IKine(robot, q0=start, limits=False), outputs=("q",))


def jacobian(make: Maker) -> Place | None:
    b: Any = make.block
    robot = chain_of(b.robot)
    if robot is None or b.representation not in ANGLES or b.damping is not None:
        return None
    if robot_of(b.robot) is None and not np.array_equal(robot.base, np.eye(4)):
        return None  # the toolbox leaves out the base
    body = getattr(b.jfunc, "__name__", "") == "jacobe"
    if b.representation and not body and b.inverse != b.pinv and (b.pinv or robot.n == 6):
        start, end = inverse_of(make, robot, b.representation, pinv=bool(b.pinv), part="inverse")
        chain: list[Block] = []
    else:
        if body:
            name = make.add(Jacobian(robot, frame="body"))
            start, end = f"{name}.q", f"{name}.J"
        else:
            start, end = jacobian_of(make, robot, b.representation)
        chain = [MatrixInverse(6)] if b.inverse else []
        chain += [PseudoInverse(rows=6, columns=b.robot.n)] if b.pinv else []
    chain += [Transpose()] if b.transpose else []
    for k, block in enumerate(chain):
        following = make.add(block, f"j{k}")
        make.wire(end, f"{following}.u")
        end = f"{following}.y"
    return Place([[start]], [end])


def inverse_dynamics(make: Maker) -> Place | None:
    robot = of_robot(make) if make.block.gravity is None else None
    return None if robot is None else make.alone(RNE(robot), outputs=("tau",))


def gravity_load(make: Maker) -> Place | None:
    robot = of_robot(make) if make.block.gravity is None else None
    return None if robot is None else make.alone(Gravload(robot))


def inertia(make: Maker) -> Place | None:
    robot = of_robot(make)
    return None if robot is None else make.alone(Inertia(robot), outputs=("M",))


def forward_dynamics(make: Maker) -> Place | None:
    """The third output, the acceleration, belongs to the same instant."""
    robot = of_robot(make)
    if robot is None:
        return None
    x = np.asarray(make.block.getstate0(), float)
    block = FDyn(robot, q0=x[: robot.n], qd0=x[robot.n :])
    place = make.alone(block)
    name = place.outputs[0].partition(".")[0]
    place.states, place.state = [f"{name}.position", f"{name}.velocity"], place.outputs[:2]
    return place


def joint_trajectory(make: Maker) -> Place:
    b = make.block
    duration = b.T or make.stop
    block = JointTrajectory(b.q0, b.qf, duration=duration, qd0=b.qd0, qdf=b.qdf)
    return make.alone(block, outputs=("q", "qd", "qdd"))


def trapezoidal(make: Maker) -> Place:
    b = make.block
    ends = np.asarray(b.q0, float), np.asarray(b.qf, float)
    block = JointTrajectory(*ends, duration=b.T or make.stop, method="trapezoidal")
    return make.alone(block, outputs=("q", "qd", "qdd"))


def trajectory(make: Maker) -> Place | None:
    b = make.block
    if not b.time:
        return None
    block = JointTrajectory(b.y0, b.yf, duration=b.T or make.stop, method=b.traj)
    return make.alone(block, outputs=("q", "qd", "qdd"))


def cartesian_trajectory(make: Maker) -> Place | None:
    b = make.block
    if not b.trapezoidal:
        return None
    block = CartesianTrajectory(b.T1.A, b.T2.A, duration=b.T or make.stop, method="trapezoidal")
    return make.alone(block, outputs=("T",))


def circle(make: Maker) -> Place:
    b = make.block
    block = Circle(radius=b.radius, frequency=b.omega, phase=b.phase, centre=np.asarray(b.centre, float))
    if b.pose is None:
        return make.alone(block, outputs=("position",))
    name = make.add(block, "circle")
    position, end = _turn_pose(make, b.pose)
    make.wire(f"{name}.position", position)
    return Place([], [end])


def _turn_pose(make: Maker, pose: Any) -> tuple[str, str]:
    """The pose at a position with the rotation of another pose: the position's end, and the result."""
    turn = np.eye(4)
    turn[:3, :3] = pose.R
    place = make.add(XYZToPose(), "place")
    rotation, product = make.add(Constant(turn), "rotation"), make.add(PoseProduct())
    make.wire(f"{place}.T", f"{product}.T0")
    make.wire(f"{rotation}.y", f"{product}.T1")
    return f"{place}.xyz", f"{product}.T"


def point_to_pose(make: Maker) -> Place:
    position, end = _turn_pose(make, make.block.pose)
    return Place([[position]], [end])


def pose_to_point(make: Maker) -> Place:
    name = make.add(PoseToXYZ())
    ends = [make.add(Selector(indices=k), "xyz"[k]) for k in range(3)]
    for end in ends:
        make.wire(f"{name}.xyz", f"{end}.u")
    return Place([[f"{name}.T"]], [f"{end}.y" for end in ends])


def _spatial(make: Maker) -> bool:
    """True if all poses are poses of space, SE3."""
    forms = all(form is None or form.shape == (4, 4) for form in make.forms)
    return forms and getattr(make.block, "pose", None).__class__.__name__ in ("SE3", "NoneType")


def pose_times(make: Maker) -> Place | None:
    return _with_constant(make, "T0", "T1") if _spatial(make) else None


def times_pose(make: Maker) -> Place | None:
    return _with_constant(make, "T1", "T0") if _spatial(make) else None


def _with_constant(make: Maker, moving: str, fixed: str) -> Place:
    name, pose = make.add(PoseProduct()), make.add(Constant(make.block.pose.A), "pose")
    make.wire(f"{pose}.y", f"{name}.{fixed}")
    return Place([[f"{name}.{moving}"]], [f"{name}.T"])


def pose_inverse(make: Maker) -> Place | None:
    return make.alone(PoseInverse()) if _spatial(make) else None


def motion_between(make: Maker) -> Place:
    return make.alone(Tr2Delta(frame="body"))


def pose_of_motion(make: Maker) -> Place:
    return make.alone(Delta2Tr(orthonormal=True))


ARMS = {
    "roboticstoolbox.FKine": fkine, "roboticstoolbox.IKine": ikine, "roboticstoolbox.Jacobian": jacobian,
    "roboticstoolbox.IDyn": inverse_dynamics, "roboticstoolbox.Gravload": gravity_load,
    "roboticstoolbox.Inertia": inertia, "roboticstoolbox.FDyn": forward_dynamics,
    "roboticstoolbox.JTraj": joint_trajectory, "roboticstoolbox.Trapezoidal": trapezoidal,
    "roboticstoolbox.Traj": trajectory, "roboticstoolbox.CTraj": cartesian_trajectory,
    "roboticstoolbox.CirclePath": circle, "roboticstoolbox.Point2Tr": point_to_pose,
    "roboticstoolbox.TR2T": pose_to_point, "roboticstoolbox.Tr2Delta": motion_between,
    "roboticstoolbox.Delta2Tr": pose_of_motion, "bdsim.Pose_postmul": pose_times,
    "bdsim.Pose_premul": times_pose, "bdsim.Pose_inverse": pose_inverse,
}  # fmt: skip
