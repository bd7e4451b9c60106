"""Quadrotor: a rigid body carried by four rotors."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import numpy as np

from ...robots.model.link import doubt
from ...robots.vehicles.rigid_flight import flight_state, fly, unit_quaternion
from ...robots.vehicles.rotor_loads import ring
from ..contract.block import Block
from ..contract.capabilities import Body, FlightSignals
from ..contract.errors import ParameterError
from ..contract.parameter import Array, Real, parameter
from ..contract.port import SCALAR, WXYZ, XYZ, Port, State, bus
from .attitude import quaternion

STATE_BUS = bus(
    **dict.fromkeys(
        ("x", "y", "z", "yaw", "pitch", "roll", "dx", "dy", "dz", "dyaw", "dpitch", "droll"), SCALAR
    )
)


class Quadrotor(Block):
    """Rigid body with four rotors, in the flight convention: x forward, y right, z down.

        dp/dt = v                     m dv/dt = m g e_z - R(q) e_z sum_i b w_i^2
        dq/dt = q (0, w) / 2 + (1 - |q|^2) q
        J dw/dt = -w x J w + sum_i (D_i x (0, 0, -b w_i^2) - k w_i |w_i| e_z)

    p and v are in the world frame, the rates w and the hubs D_i in the body frame; q = (s, x, y, z) is the
    attitude, from body to world, and R(q) = R(q/|q|). Rotor 1 is on +x, 2 on +y, 3 on -x, 4 on -y: clockwise
    seen from above, at the distance `arm` from the centre of mass and at z = hub_height (negative: above it).
    Rotors 1 and 3 turn in the positive sense about z, 2 and 4 in the negative one; `omega` holds the signed
    speeds w_i. More thrust in front pitches the nose up. Everything is smooth at zero rotor speed.

    The bus `state` has x, y, z (world), yaw, pitch, roll (R = Rz(yaw) Ry(pitch) Rx(roll)), dx, dy, dz (the
    velocity in the body frame) and dyaw, dpitch, droll (their rates, unbounded at a pitch of +-90 degrees).
    `position` and `velocity` are in the world frame, `rates` in the body frame, `quaternion` is of unit
    length. `omega` does not feed through to an output directly.

    For motors, flapping, drag, wind and ground, and for other vehicles, use NRotor. The equations are in
    robots/vehicles, for any number of rotors. The last term of dq/dt drives |q| back to 1 and does not rotate
    the body: Corbett, Wright, Stabilization of Computer Circuits, WADC TR 57-425 (1957); Rucker, Integrating
    Rotations using Non-Unit Quaternions, IEEE Robotics and Automation Letters 3(4), 2018. Parameters: the X-4
    flyer of Pounds, Mahony, Corke, Modelling and control of a large quadrotor robot, Control Engineering
    Practice 18(7), 2010, with rotors of radius r = 0.165 m and Ct = 0.0048 in air of rho = 1.184 kg/m3: b =
    Ct rho pi r^4, k = b r sqrt(Ct/2).

    Example:
        {type: Quadrotor, initial_position: [0, 0, -0.2]}
    """

    icon = "quadrotor"
    inputs: ClassVar = (Port("omega", 4, "rad/s", "signed rotor speeds"),)
    outputs: ClassVar = (
        Port("state", STATE_BUS, "m, rad, m/s, rad/s"),
        Port("position", 3, "m", "in the world frame", elements=XYZ),
        Port("velocity", 3, "m/s", "in the world frame", elements=XYZ),
        Port("quaternion", 4, "", "attitude, scalar first", elements=WXYZ),
        Port("rates", 3, "rad/s", "angular velocity in the body frame", elements=XYZ),
    )
    states: ClassVar = (
        State("p", "initial_position", "m"),
        State("q", "q0"),
        State("v", "initial_velocity", "m/s"),
        State("w", "initial_rates", "rad/s"),
    )

    mass: Real = parameter(default=4.0, unit="kg", doc="mass", above=0, dimensions=(0,))
    inertia: Real = parameter(
        default=[0.082, 0.082, 0.149], unit="kg m2", doc="moments about the centre of mass, or a 3x3 matrix",
        dimensions=(1, 2),
    )  # fmt: skip
    arm: Real = parameter(
        default=0.315, unit="m", doc="distance from the centre of mass to a rotor", above=0, dimensions=(0,)
    )
    hub_height: Real = parameter(default=-0.007, unit="m", doc="z of the rotors", dimensions=(0,))
    b: Real = parameter(default=1.3233618e-5, unit="N s2", doc="thrust coefficient", above=0, dimensions=(0,))
    k: Real = parameter(
        default=1.0697152e-7, unit="N m s2", doc="drag coefficient", minimum=0, dimensions=(0,)
    )
    gravity: Real = parameter(
        default=9.81, unit="m/s2", doc="acceleration of free fall, along +z", dimensions=(0,)
    )
    initial_position: Real = parameter(
        default=[0.0, 0.0, 0.0], unit="m", doc="p at the start", dimensions=(1,)
    )
    initial_attitude: Real = parameter(
        default=[0.0, 0.0, 0.0],
        unit="rad",
        doc="roll, pitch, yaw, or a quaternion, scalar first",
        dimensions=(1,),
    )
    initial_velocity: Real = parameter(
        default=[0.0, 0.0, 0.0], unit="m/s", doc="v at the start", dimensions=(1,)
    )
    initial_rates: Real = parameter(
        default=[0.0, 0.0, 0.0], unit="rad/s", doc="w at the start", dimensions=(1,)
    )

    def check(self) -> None:
        for name in ("initial_position", "initial_velocity", "initial_rates"):
            if np.shape(getattr(self, name)) != (3,):
                raise ParameterError(self.kind(), name, getattr(self, name), "three numbers")
        quaternion(self.kind(), "initial_attitude", self.initial_attitude)
        self.inertia_matrix()

    def inertia_matrix(self) -> Array:
        """The inertia as a matrix.

        Raises ParameterError unless it is symmetric, positive definite and realisable by a body.
        """
        inertia = np.asarray(self.inertia, np.float64)
        matrix = np.diag(inertia) if inertia.shape == (3,) else inertia
        symmetric = matrix.shape == (3, 3) and np.allclose(matrix, matrix.T)
        if not symmetric or np.linalg.eigvalsh(matrix)[0] <= 0.0:
            expected = "three positive moments, or a symmetric positive definite 3x3 matrix"
            raise ParameterError(self.kind(), "inertia", self.inertia, expected)
        problem = doubt(matrix, self.kind()).removeprefix(f"{self.kind()}: ")
        if problem:
            raise ParameterError(
                self.kind(), "inertia", self.inertia, "a body's moments of inertia", reason=problem
            )
        return matrix

    def constants(self) -> Mapping[str, Array]:
        hubs, spins = ring(4, float(self.arm), float(self.hub_height))  # type: ignore[arg-type]
        J = self.inertia_matrix()
        q0 = quaternion(self.kind(), "initial_attitude", self.initial_attitude)
        return {
            "hubs": hubs,
            "spins": spins,
            "J": J,
            "J_inverse": np.asarray(np.linalg.inv(J), np.float64),
            "q0": q0,
        }

    def flown(self) -> FlightSignals:
        return FlightSignals(("position", "p"), ("quaternion", "q"), ("omega",))

    def bodies(self) -> tuple[Body, ...]:
        from ...robots.shapes.multirotor import Multirotor

        geometry = self.constants()
        shape = Multirotor(geometry["hubs"], geometry["spins"])
        attitudes = {"position": "quaternion", "p": "q"}
        return (Body(shape, ("position", "p", "state"), attitudes=attitudes),)

    derivative = staticmethod(fly)
    output_state = staticmethod(flight_state)
    output_quaternion = staticmethod(unit_quaternion)

    @staticmethod
    def output_position(p: Array, position: Array) -> None:
        for i in range(3):
            position[i] = p[i]

    @staticmethod
    def output_velocity(v: Array, velocity: Array) -> None:
        for i in range(3):
            velocity[i] = v[i]

    @staticmethod
    def output_rates(w: Array, rates: Array) -> None:
        for i in range(3):
            rates[i] = w[i]
