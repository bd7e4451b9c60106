"""Functions of a robot: kinematics, dynamics and their measures, as machine code behind plain calls."""

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
from .measures import ellipsoid, maniplty, paycap
from .whole import centre_of_mass, kinetic_energy, momentum, potential_energy

__all__ = [
    "accel",
    "centre_of_mass",
    "cinertia",
    "constrained_accel",
    "coriolis",
    "coriolis_torque",
    "ellipsoid",
    "fkine",
    "friction",
    "gravload",
    "inertia",
    "itorque",
    "jacobian",
    "jacobian_dot",
    "jacobian_dot_qd",
    "kinetic_energy",
    "link_poses",
    "maniplty",
    "momentum",
    "paycap",
    "potential_energy",
    "rne",
    "wrench_torque",
]
