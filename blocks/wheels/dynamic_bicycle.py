"""DynamicBicycle: a car whose tyres slip sideways."""

from __future__ import annotations

from collections.abc import Mapping
from math import cos, inf, sin
from typing import Any, ClassVar, NamedTuple

import numpy as np

from ..contract.block import Block
from ..contract.capabilities import Body
from ..contract.errors import ParameterError
from ..contract.parameter import Array, Real, option, parameter
from ..contract.port import Crossing, Port, State
from .way import POSE


class Car(NamedTuple):
    """Motion of the car, and distances of its axles from the centre of mass."""

    v_x: float
    v_y: float
    omega: float
    gamma: float
    to_front: float
    to_rear: float


class Tyres(NamedTuple):
    """Stiffness, N, and maximum force, N, of both axles."""

    front_stiffness: float
    rear_stiffness: float
    front_grip: float
    rear_grip: float


def slips(car: Car) -> tuple[float, float]:
    """The slip of the front and the rear tyres: lateral over longitudinal speed, tan(alpha)."""
    across = car.v_y + car.to_front * car.omega
    c, s = cos(car.gamma), sin(car.gamma)
    front = (c * across - s * car.v_x) / abs(c * car.v_x + s * across)
    return front, (car.v_y - car.to_rear * car.omega) / abs(car.v_x)


def sideways(slip: float, stiffness: float, grip: float) -> float:
    """The lateral force of a tyre, N; its second derivative is continuous where sliding begins."""
    share = stiffness * abs(slip) / (3.0 * grip)  # of the slip at which it slides
    if share > 1.0:
        return -grip if slip > 0.0 else grip
    return -stiffness * slip * (1.0 - share + share * share / 3.0)


def forces(car: Car, tyres: Tyres) -> tuple[float, float]:
    """Lateral forces of the front and the rear axle, to the left of the wheels, N."""
    front, rear = slips(car)
    return (
        sideways(front, tyres.front_stiffness, tyres.front_grip),
        sideways(rear, tyres.rear_stiffness, tyres.rear_grip),
    )


class DynamicBicycle(Block):
    """A car with one wheel per axle, whose tyres slip; the pose is at the centre of mass.

        m (dv_x/dt - v_y omega) = F - F_f sin(gamma)     dx/dt = v_x cos(theta) - v_y sin(theta)
        m (dv_y/dt + v_x omega) = F_f cos(gamma) + F_r   dy/dt = v_x sin(theta) + v_y cos(theta)
        I domega/dt = a F_f cos(gamma) - b F_r           dtheta/dt = omega

    F is the force of drive and brakes at the rear axle; a and b are `to_front` and `to_rear`. The tyres of an
    axle, with s = tan(alpha) the ratio of lateral to longitudinal speed, follow Fiala's law

        F_i = -C s (1 - q + q^2/3),   q = C |s|/(3 mu F_z)   while q < 1;   else -mu F_z sign(s)

    with static loads, F_zf = m g b/(a + b) and g = `gravity`; each axle starts and stops sliding at a located
    instant. Without `friction` mu is infinite and F_i = -C s. Below `least_speed` the model is undefined:
    this ends the run, with an error unless `tolerated`. The defaults are from a car in Rajamani, Vehicle
    Dynamics and Control (2012), section 3.1; the equations are in section 2.3 there. Source of the tyres:
    Fiala, VDI-Zeitschrift 96, 1954; Pacejka, Tire and Vehicle Dynamics (2012), section 3.2.

    Example:
        {type: DynamicBicycle, friction: 0.9, initial_speed: 20.0}
    """

    icon = "single track"
    inputs: ClassVar = (
        Port("force", 1, "N", "of drive and brakes, at the rear axle"),
        Port("gamma", 1, "rad", "steering"),
    )
    outputs: ClassVar = (
        *POSE,
        Port("speed", 1, "m/s", "forwards"),
        Port("side_speed", 1, "m/s", "of the centre of mass, to the left"),
        Port("turn_rate", 1, "rad/s", "of the heading"),
        Port("side_acceleration", 1, "m/s2", "of the centre of mass, to the left"),
        Port("slip", 2, "", "of the front and the rear tyres, tan(alpha)", elements=("front", "rear")),
    )
    states: ClassVar = (
        State("x", "x0", "m"),
        State("y", "y0", "m"),
        State("theta", "heading0", "rad"),
        State("v_x", "initial_speed", "m/s"),
        State("v_y", "initial_side_speed", "m/s"),
        State("omega", "initial_turn_rate", "rad/s"),
    )
    crossings: ClassVar = (Crossing("front_slides"), Crossing("rear_slides"), Crossing("too_slow", -1))
    ends_run: ClassVar = True

    mass: Real = parameter(default=1573.0, unit="kg", above=0, dimensions=(0,))
    inertia: Real = parameter(
        default=2873.0,
        unit="kg m2",
        doc="moment of inertia about the vertical axis",
        above=0,
        dimensions=(0,),
    )
    to_front: Real = parameter(
        default=1.1,
        unit="m",
        doc="distance from the centre of mass to the front axle",
        above=0,
        dimensions=(0,),
    )
    to_rear: Real = parameter(
        default=1.58,
        unit="m",
        doc="distance from the centre of mass to the rear axle",
        above=0,
        dimensions=(0,),
    )
    front_stiffness: Real = parameter(
        default=160e3, unit="N", doc="C of the front axle, both tyres", above=0, dimensions=(0,)
    )
    rear_stiffness: Real = parameter(
        default=160e3, unit="N", doc="C of the rear axle, both tyres", above=0, dimensions=(0,)
    )
    friction: Real = parameter(
        default=inf,
        unit="1",
        doc="mu of tyres and road; default: the tyres never slide",
        above=0,
        infinite=True,
        dimensions=(0,),
    )
    gravity: Real = parameter(default=9.81, unit="m/s2", above=0, dimensions=(0,))
    least_speed: Real = parameter(
        default=0.5, unit="m/s", doc="below it the run ends", above=0, dimensions=(0,)
    )
    tolerated: bool = option(
        default=False, doc="whether a car that is too slow ends the run without an error"
    )
    initial_pose: Real = parameter(
        default=[0.0, 0.0, 0.0], unit="m, m, rad", doc="x, y and heading at the start", dimensions=(1,)
    )
    initial_speed: Real = parameter(default=20.0, unit="m/s", doc="v_x at the start", dimensions=(0,))
    initial_side_speed: Real = parameter(default=0.0, unit="m/s", doc="v_y at the start", dimensions=(0,))
    initial_turn_rate: Real = parameter(default=0.0, unit="rad/s", doc="omega at the start", dimensions=(0,))

    def check(self) -> None:
        if np.shape(self.initial_pose) != (3,):  # type: ignore[arg-type]
            raise ParameterError(self.kind(), "initial_pose", self.initial_pose, "three numbers")
        if not float(self.initial_speed) > float(self.least_speed):  # type: ignore[arg-type]
            expected = f"more than least_speed, {self.least_speed}"
            raise ParameterError(self.kind(), "initial_speed", self.initial_speed, expected)

    def constants(self) -> Mapping[str, Any]:
        x, y, heading = map(float, np.asarray(self.initial_pose, np.float64))
        a, b = float(self.to_front), float(self.to_rear)  # type: ignore[arg-type]
        grip = float(self.friction) * float(self.mass) * float(self.gravity) / (a + b)  # type: ignore[arg-type]
        return {
            "x0": x, "y0": y, "heading0": heading, "zero": 0.0,
            "front_grip": b * grip, "rear_grip": a * grip,
        }  # fmt: skip

    def logged(self) -> tuple[str, ...]:
        return tuple(port.name for port in self.output_ports() if port.name not in ("position", "heading"))

    def failure(self) -> str | None:
        if self.tolerated:
            return None
        return (
            f"the car is slower than {self.least_speed} m/s, where the slip of its tyres is undefined\n"
            "use a Bicycle for low speeds, or set tolerated: true"
        )

    def bodies(self) -> tuple[Body, ...]:
        from ...robots.shapes.wheeled import car_body

        to_front, to_rear = float(self.to_front), float(self.to_rear)  # type: ignore[arg-type]
        length = to_front + to_rear
        return (Body(car_body(length, 0.55 * length, 0.12 * length, to_rear), ("pose",)),)

    @staticmethod
    def derivative(
        car: Car, tyres: Tyres, theta: float, force: float, mass: float, inertia: float
    ) -> tuple[float, ...]:
        front, rear = forces(car, tyres)
        c, s = cos(theta), sin(theta)
        across = front * cos(car.gamma)
        return (
            c * car.v_x - s * car.v_y,
            s * car.v_x + c * car.v_y,
            car.omega,
            (force - front * sin(car.gamma)) / mass + car.v_y * car.omega,
            (across + rear) / mass - car.v_x * car.omega,
            (car.to_front * across - car.to_rear * rear) / inertia,
        )

    @staticmethod
    def crossing(car: Car, tyres: Tyres, least_speed: float) -> tuple[float, float, float]:
        front, rear = slips(car)
        one = tyres.front_stiffness * abs(front) / (3.0 * tyres.front_grip) - 1.0
        two = tyres.rear_stiffness * abs(rear) / (3.0 * tyres.rear_grip) - 1.0
        return one, two, car.v_x - least_speed

    @staticmethod
    def mode(car: Car, least_speed: float) -> int:
        return 1 if car.v_x <= least_speed else 0

    @staticmethod
    def output_pose(x: float, y: float, theta: float, pose: Array) -> None:
        pose[0], pose[1], pose[2] = x, y, theta

    @staticmethod
    def output_position(x: float, y: float, position: Array) -> None:
        position[0], position[1] = x, y

    @staticmethod
    def output_heading(theta: float) -> float:
        return theta

    @staticmethod
    def output_speed(v_x: float) -> float:
        return v_x

    @staticmethod
    def output_side_speed(v_y: float) -> float:
        return v_y

    @staticmethod
    def output_turn_rate(omega: float) -> float:
        return omega

    @staticmethod
    def output_side_acceleration(car: Car, tyres: Tyres, mass: float) -> float:
        front, rear = forces(car, tyres)
        return (front * cos(car.gamma) + rear) / mass

    @staticmethod
    def output_slip(car: Car, slip: Array) -> None:
        slip[0], slip[1] = slips(car)
