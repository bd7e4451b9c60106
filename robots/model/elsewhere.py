"""Elsewhere: what users look for in robots and vehicles under other names, and where it is."""

from __future__ import annotations

ROBOT = {
    "dof nq nv njoints ndof": "`n`",
    "simulate run": '`diagram.add("arm", FDyn(robot=robot))`, then `diagram.simulate(stop=10)`',
    "jacobian forward_kinematics": "`robots.functions.jacob0(robot, q)` and `fkine`",
    "names joint_names": "`[joint.name for joint in robot.joints]`",
    "[]": "`joints[0]` and `links[0]`, or `joint(name)` and `link(name)`",
}
"""Of a robot."""
VEHICLE = {
    "simulate run fly": '`diagram.add("craft", NRotor(vehicle=vehicle))`, then `diagram.simulate(stop=10)`',
    "m": "`mass`",
    "J I": "`inertia`",
    "hover trim": "`hover_speeds`",
    "thrust": "`rotors[0].thrust`, of one rotor",
    "[]": "`rotors[0]`",
}
"""Of a vehicle with rotors."""
