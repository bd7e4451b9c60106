"""Toolbox: where the names of the Robotics Toolbox are found here, for errors and for the manual's page."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import lazy_loader

from ..base.absence import absence

LIBRARY = Path(__file__).parent / "data"
SAME = "NAME"  # in an answer: the name that was asked for

TABLE: Mapping[str, Mapping[str, str]] = {
    "Arms": {
        "SerialLink DHRobot Link Revolute Prismatic RevoluteDH PrismaticDH": "`robots.from_dh(rows)`",
        "RevoluteMDH PrismaticMDH": "`robots.from_mdh(rows)`",
        "mdl_puma560 models": '`robots.load("puma560")`, `robots.catalogue()`',
        "display char": "`print(robot)`; the rows alone: `print(robot.dh())`",
        "isconfig config": '`robot.structure == "3R"`',
        "A": '`functions.relative_pose(robot, q, of="link2", to="link1")`',
        "trchain": '`functions.trchain("Rx(q1)Tx(a)", q)`; of a robot: `robots.to_elementary(robot)`',
        "mtimes": "`robots.join(first, second)`, which keeps the tool and the base between them",
        "nofriction": "`robot.without_friction()`",
        "qlim": "`robot.lower` and `robot.upper`",
        "qn qr qs qz": '`robot.named["NAME"]`, if it has a pose of that name: `list(robot.named)`',
        "fkine": "`functions.fkine(robot, q)`",
        "fkine_all": "`functions.link_poses(robot, q)`, `robots.frames(robot, q)`",
        "jacob0": "`functions.jacobian(robot, q)`",
        "jacobn jacobe": '`functions.jacobian(robot, q, frame="body")`',
        "jacob_dot jacob0_dot": "`functions.jacobian_dot_qd(robot, q, qd)`",
        "rne accel inertia coriolis itorque gravload gravjac friction": "`functions.NAME(robot, ...)`",
        "cinertia paycap maniplty jsingu islimit isspherical": "`functions.NAME`",
        "manipulability": "`functions.maniplty`",
        "pay": "`functions.wrench_torque`",
        "vellipse fellipse": "`functions.ellipsoid`",
        "fdyn": "`blockdyn.fdyn`, or a diagram with the block `FDyn`",
        "ikine ikinem ikcon ikine_LM ikine_NR ikine_GN": "`inverse.ikine(robot, T)`",
        "ikunc": "`inverse.ikine(robot, T, limits=False)`",
        "ikine6s ikine_a": "`inverse.ikine_closed(robot, T)`",
        "ikine3": "`inverse.ikine3(robot, T)`",
        "qmincon": "`inverse.qmincon(robot, q)`, with the pose kept exactly",
        "plot plot3d teach": "`blockdyn robots NAME --plot FILE`, `blockdyn animate`",
    },
    "Poses": {
        "rotx roty rotz": "`lie.NAME(angle)`",
        "trotx troty trotz": "`lie.pose(lie.rotx(angle), [0, 0, 0])`",
        "rpy2r eul2r angvec2r oa2r": (
            "`lie.rotation_rpy`, `lie.rotation_euler`, `lie.rotation_axis_angle`, `lie.rotation_oa`"
        ),
        "rpy2tr eul2tr angvec2tr oa2tr rt2tr r2t transl": "`lie.pose(R, p)`, R of `lie.rotation_rpy` ...",
        "tr2rt t2r": "`lie.parts(T)`",
        "tr2rpy tr2eul tr2angvec": "`lie.rpy`, `lie.euler`, `lie.axis_angle`",
        "rpy2jac eul2jac": "`lie.rpy_rates`, `lie.euler_rates`",
        "tr2delta delta2tr": "`lie.delta`, `lie.pose_of_delta`",
        "tr2jac wtrans": "`lie.velocity_jacobian`, `lie.wrench_in_frame`",
        "homtrans": "`lie.transform_points`",
        "trinterp trnorm trprint": "`lie.interpolate`, `lie.project_pose`, `lie.pose_text`",
        "trplot": "`lie.pose_text(T)`, in words; arms are drawn by `blockdyn animate`",
        "skew vex": "`lie.NAME`",
        "ishomog isrot ishomog2 isrot2": (
            "`lie.is_pose`, `lie.is_rotation`, `lie.is_pose2`, `lie.is_rotation2`"
        ),
        "angdiff unit": "`lie.angle_difference`, `lie.split_vector`",
        "rot2": "`lie.rot2(angle)`",
        "trot2 transl2 se2 SE2": "`lie.pose2(x, y, angle)`",
        "se3 SE3": "`lie.lift2` of a pose in the plane; poses are arrays (4, 4): `lie.pose(R, p)`",
        "UnitQuaternion": "`lie.Quaternion`; for arrays `lie.quaternion`, `lie.slerp`",
    },
    "Planning": {
        "Map": "`planning.OccupancyMap(cells, resolution)`, `planning.read_map(file)`",
        "DXform distancexform": "`planning.distance_transform(map, goal)`",
        "Dstar": "`planning.DStarLite(map, goal)`",
        "Bug2": "`planning.bug2(map, start, goal)`",
        "RandomPath": "`RandomPath`, with goals by the seed of the run",
        "RRT": "`planning.rrt(map, start, goal)`, `planning.rrt_star`",
        "Lattice LatticePlanner": "`planning.lattice(map, start, goal, radius)`",
        "PRM": "`planning.roadmap(map)`",
        "DubinsPlanner ReedsSheppPlanner": "`planning.dubins`, `planning.reeds_shepp`",
        "PGraph": "`networkx.Graph`",
    },
    "Localization": {
        "EKF": "the blocks `EKFLocalization`, `EKFMapping`, `EKFSLAM`, `DeadReckoning`",
        "ParticleFilter": "the block `ParticleFilter`",
        "RangeBearingSensor Sensor": "the block `RangeBearing`",
        "LandmarkMap": "rows x, y: the parameter `landmarks` of `RangeBearing`",
    },
    "Trajectories": {
        "jtraj tpoly": "`trajectories.quintic(q0, qf, duration)`, the block `JointTrajectory`",
        "lspb": "`trajectories.trapezoidal(q0, qf, duration)`",
        "mtraj": "`trajectories.quintic`, `trajectories.trapezoidal` with vectors",
        "mstraj": "`trajectories.via_points(points, speed=...)`, the block `MultiSegment`",
        "ctraj": "`trajectories.cartesian_motion(T0, T1, duration)`, the block `CartesianTrajectory`",
    },
}

KEYS: Mapping[str, tuple[str, ...]] = {
    "m": ("mass",),
    "r": ("com",),
    "I": ("inertia",),
    "Jm": ("motor_inertia",),
    "G": ("gear",),
    "B": ("viscous",),
    "Tc": ("coulomb",),
    "qlim": ("lower", "upper"),
    "sigma": ("kind",),
    "jointtype": ("kind",),
    "theta_i": ("theta",),
    "d_i": ("d",),
    "a_i": ("a",),
    "alpha_i": ("alpha",),
}
"""What the Toolbox's links call numbers, and what rows, links and joints call them here."""

_ANSWERS = {
    name: answer for rows in TABLE.values() for names, answer in rows.items() for name in names.split()
}


def answer(name: str) -> str:
    """Where a name of the Toolbox is found here, or an empty string."""
    text = _ANSWERS.get("models" if name.startswith("mdl_") else name, "") or _of_library(name)
    return text.replace(SAME, name) if "--plot" not in text else text


def _of_library(name: str) -> str:
    """Where the name is that of a robot of the library, how it is loaded."""
    there = name.isidentifier() and (LIBRARY / f"{name.lower()}.yaml").is_file()
    return f'`robots.load("{name.lower()}")`' if there else ""


def absent(owner: str, name: str) -> AttributeError | ImportError:
    """The error of a module or robot without an attribute, telling where the Toolbox's of that name is.

    It is called by the owner's `__getattr__`.
    """
    place = answer(name)
    hint = f"\nthe Robotics Toolbox's `{name}` is here (in blockdyn.robots): {place}" if place else ""
    return absence(f"{owner} has no attribute {name!r}{hint}", level=3)


def face(package: str, file: str) -> tuple[Callable[[str], object], Callable[[], list[str]], list[str]]:
    """The `__getattr__`, `__dir__` and `__all__` of a package whose public names its stub lists.

    Each name is imported when it is first asked for. The Toolbox's names are answered by ours.
    """
    public, directory, names = lazy_loader.attach_stub(package, file)

    def attribute(name: str) -> object:
        if name not in names:
            raise absent(f"module {package!r}", name)
        value = public(name)
        setattr(sys.modules[package], name, value)  # Python asks once
        return value

    return attribute, directory, names
