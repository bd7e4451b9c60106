"""Elsewhere: what users look for in robots and vehicles under other names, and where it is."""

from __future__ import annotations

ROBOT = {
    "dof nq nv njoints ndof": "`n`",
    "simulate run": '`diagram.add("arm", FDyn(robot=robot))`, then `diagram.simulate(stop=10)`',
    "jacobian forward_kinematics": """\
`robots.functions.jacobian(robot, q)` and `robots.functions.fkine(robot, q)`""",
    "draw plot plot3d show picture render figure teach": """\
a notebook shows it where it stands last in a cell; `blockdyn robots puma560 --plot arm.png` draws it""",
    "animate movie": '`result.animate("run.gif")`, of a run of a diagram with it',
    "mass total_mass": "`sum(link.mass for link in robot.links)`",
    "limits joint_limits": "`lower` and `upper`",
    "fk forward": "`robots.functions.fkine(robot, q)`",
    "q q0 configs configurations": '`named`, such as `robot.named["qz"]`',
    "urdf to_dict to_yaml dump write export": '`save("arm.yaml")`, for `robots.from_file` and diagrams',
    "*": "`robots.join(first, second)` puts one behind another",
    "names joint_names": "`[joint.name for joint in robot.joints]`",
    "[]": '`joints[0]` and `links[0]`, or `joint("joint1")` and `link("link1")`',
}
"""Of a robot."""
LINK = {
    "m": "`mass`",
    "r com_position": "`com`, in the frame of the link",
    "I J": "`inertia`, about the centre of mass",
    "Jm": "`joint.motor_inertia`, of the joint",
    "[]": "`link.mass`, `link.com`, `link.inertia`",
}
"""Of a link."""
JOINT = {
    "Jm": "`motor_inertia`",
    "G": "`gear`",
    "B": "`viscous`",
    "Tc": "`coulomb`",
    "qlim limits": "`lower` and `upper`",
    "sigma jointtype type": "`kind`",
    "isrevolute": '`joint.kind == "revolute"`',
    "m mass": "`link.mass`, of the link that it carries",
}
"""Of a joint."""
VEHICLE = {
    "simulate run fly": '`diagram.add("craft", NRotor(vehicle=vehicle))`, then `diagram.simulate(stop=10)`',
    "m": "`mass`",
    "draw plot plot3d show picture render figure": """\
a notebook shows it where it stands last in a cell; `blockdyn robots crazyflie --plot craft.png` draws it""",
    "animate movie": '`result.animate("run.gif")`, of a run of a diagram with it',
    "g": "`gravity`",
    "drag": "`linear_drag` and `quadratic_drag`",
    "kf kt ct k_f thrust_coefficient": "`rotors[0].thrust`, of one rotor",
    "km kq cq k_m torque_coefficient": "`rotors[0].torque`, of one rotor",
    "arm arm_length d l": "`rotors[0].place`, from the centre of mass",
    "motor motors motor_constant": "`rotors[0].time_up`, `rotors[0].inertia` and others of a rotor",
    "*": "`dataclasses.replace(vehicle, mass=1.0)`, and so on for its numbers",
    "J I": "`inertia`",
    "hover trim": "`hover_speeds`",
    "thrust": "`rotors[0].thrust`, of one rotor",
    "[]": "`rotors[0]`",
}
"""Of a vehicle with rotors."""
