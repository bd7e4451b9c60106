"""Functions of a robot: kinematics, dynamics and their measures, as machine code behind plain calls."""

from typing import TYPE_CHECKING, Any

from .checks import islimit, isspherical, jsingu
from .constrained import constrained_accel
from .dynamics import (
    accel,
    cinertia,
    coriolis,
    coriolis_torque,
    friction,
    gravload,
    inertia,
    itorque,
    rne,
    wrench_torque,
)
from .kinematics import fkine, jacobian, jacobian_dot, jacobian_dot_qd, link_poses
from .masses import com_jacobian, com_jacobian_dot, gravjac, inertia_dot
from .measures import ellipsoid, maniplty, paycap
from .relative import relative_pose, trchain
from .whole import centre_of_mass, kinetic_energy, momentum, potential_energy

__all__ = [
    "accel",
    "centre_of_mass",
    "cinertia",
    "com_jacobian",
    "com_jacobian_dot",
    "constrained_accel",
    "coriolis",
    "coriolis_torque",
    "ellipsoid",
    "fkine",
    "friction",
    "gravjac",
    "gravload",
    "inertia",
    "inertia_dot",
    "islimit",
    "isspherical",
    "itorque",
    "jacobian",
    "jacobian_dot",
    "jacobian_dot_qd",
    "jsingu",
    "kinetic_energy",
    "link_poses",
    "maniplty",
    "momentum",
    "paycap",
    "potential_energy",
    "relative_pose",
    "rne",
    "trchain",
    "wrench_torque",
]


if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        from ..toolbox import absent

        raise absent(f"module {__name__!r}", name)
