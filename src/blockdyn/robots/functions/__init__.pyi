"""The public names of functions, where they come from; each is imported when it is first asked for."""

from .checks import islimit as islimit, isspherical as isspherical, jsingu as jsingu
from .constrained import constrained_accel as constrained_accel
from .dynamics import (
    accel as accel,
    cinertia as cinertia,
    coriolis as coriolis,
    coriolis_torque as coriolis_torque,
    friction as friction,
    gravload as gravload,
    inertia as inertia,
    itorque as itorque,
    regressor as regressor,
    rne as rne,
    wrench_torque as wrench_torque,
)
from .kinematics import (
    fkine as fkine,
    jacobian as jacobian,
    jacobian_dot as jacobian_dot,
    jacobian_dot_qd as jacobian_dot_qd,
    link_poses as link_poses,
    relative_pose as relative_pose,
    trchain as trchain,
)
from .masses import (
    centre_of_mass as centre_of_mass,
    com_jacobian as com_jacobian,
    com_jacobian_dot as com_jacobian_dot,
    gravjac as gravjac,
    inertia_dot as inertia_dot,
    kinetic_energy as kinetic_energy,
    momentum as momentum,
    potential_energy as potential_energy,
)
from .measures import ellipsoid as ellipsoid, maniplty as maniplty, paycap as paycap
