"""NRotor: a multirotor of any geometry in flight."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import Any, Literal

import numpy as np

from ...robots.errors import RobotError
from ...robots.model.poses import turn_to
from ...robots.shapes.ground import wind_arrows
from ...robots.vehicles.ground import RESTING, SIZE
from ..contract.capabilities import Body, FlightSignals, Marks
from ..contract.errors import ParameterError
from ..contract.icon import Icon
from ..contract.parameter import Array, Real, option, parameter
from ..contract.port import PER_ROTOR, RPY, SCALAR, WXYZ, XYZ, Crossing, Port, Size, State, bus, rotors
from . import nrotor_outputs
from .attitude import quaternion
from .nrotor_data import check_data, check_payload, flapping
from .nrotor_outputs import STATE_BUS
from .plan_view import plan_view
from .vehicle_block import VehicleBlock

THREE = Size((3,))


class NRotor(VehicleBlock):
    """A rigid body with 3 to 12 rotors at any positions and angles; x forward, y right, z down.

        dp/dt = v                     m dv/dt = m g e_z + R F
        dq/dt = q (0, w) / 2 + (1 - |q|^2) q          J dw/dt = M - w x J w
        F = sum_i f_i + drag + R' force       M = sum_i (D_i x f_i - k_i u_i |u_i| e_i) + torque

    p and v are in the world, the rates w, the hubs D_i and the shafts e_i (against the thrust) in body axes;
    R is of q/|q|, from body to world; rotor i turns at the signed speed u_i about e_i, clockwise seen from
    above if positive. Rigid rotors in still air give f_i = -b_i u_i^2 e_i. `vehicle` is the vehicle to fly:
    see robots.load_vehicle and `blockdyn vehicles`. `omega` holds the speeds u. Options add further effects:

        motors          du/dt = (omega - u)/tau, tau of speeding up or slowing down, omega within the motor's
                        limits; with `commands` the input is `command` instead, fractions of the fastest speed
        gyroscopic      M - w x sum_i I_i u_i e_i - sum_i I_i du_i/dt e_i, of the rotors' inertias
        flapping        published: the tilted thrust of Pounds, Mahony, Corke: `robots/vehicles/rotor_loads`
        rotor_drag      f_i - |u_i| (c_p V_p + c_a V_a), V the velocity of the hub through the air, and the
                        flapping moment c_m |u_i| V x e_i
        translational_lift   f_i - c_h |V_p|^2 e_i: the thrust grows with the speed across the disc
        body_drag       -c1 V - c2 |V| V, V the velocity of the centre of mass through the air
        ground_effect   thrust times 1 + (1/(1 - (r/(4 h))^2) - 1) cos(a), h the height of the hub, at least
                        r/2, so that the factor is at most 4/3; a the tilt of the thrust from upright, with
                        no effect beyond 90 degrees (Cheeseman, Bennett)
        battery         the fastest speed follows the voltage, which sags under load and with discharge
        ground          a floor at ground_level: the vehicle touches down without a bounce, slides with
                        `friction`, rests, and takes off where its thrust exceeds its weight, all at located
                        instants; its gear keeps the attitude in which it landed. `touched` has the mode
                        and the last impact's speed and tilt
        payload         an input, the mass in kg of a load fixed to the body at payload_at; it may change in
                        flight, see `robots/vehicles/load`. Position, velocity and accelerations refer to the
                        empty vehicle's centre of mass

    `wind` is the velocity of the air in the world, an input if something depends on it; `force` acts on the
    centre of mass, in the world, `torque` in body axes; `health` is the fraction of its force that each rotor
    gives. Inputs out of range count as the nearest possible value: `health` below 0 or above 1, `payload`
    below 0. `specific_force` is the reading of accelerometers at the centre of mass. `rpy` is roll, pitch,
    yaw, with R = Rz(yaw) Ry(pitch) Rx(roll); `gimbal_lock` is 1 if the pitch is so near to +-90 degrees that
    roll and yaw cannot be distinguished: this affects only rpy and the rates of angles in `state`. Only
    accelerations, specific force and forces have direct feedthrough; without motors `rotor_speeds` too.

    Without motors, reversed rotors give the same thrust as forward ones. Raises ParameterError for effects
    whose parameters the vehicle lacks. Source: Mahony, Kumar, Corke, Multirotor Aerial Vehicles, IEEE
    Robotics and Automation Magazine 19(3), 2012.

    Example:
        {type: NRotor, vehicle: crazyflie, motors: true, rotor_drag: true, initial_position: [0, 0, -1]}
    """

    icon = "quadrotor"

    motors: bool = option(default=False, doc="rotor speeds follow the input with a lag")
    commands: bool = option(default=False, doc="inputs are fractions of the fastest speed; needs motors")
    gyroscopic: bool = option(default=False, doc="gyroscopic and reaction moments of the rotors")
    flapping: Literal["none", "published"] = option(default="none", choices=("none", "published"))
    rotor_drag: bool = option(default=False, doc="drag of the rotors in moving air")
    translational_lift: bool = option(default=False, doc="lift of the rotors in moving air")
    body_drag: bool = option(default=False, doc="drag of the body")
    ground_effect: bool = option(default=False, doc="additional thrust near the ground")
    battery: bool = option(default=False, doc="voltage sag and discharge; needs motors")
    ground: bool = option(default=False, doc="a floor that carries the vehicle, at ground_level")
    payload: bool = option(default=False, doc="an input for the mass, in kg, carried at payload_at")
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
    initial_speeds: Real | None = parameter(
        default=None,
        unit="rad/s",
        doc="speeds at the start; default: hovering, or at rest on the ground",
        dimensions=(1,),
    )
    initial_charge: Real = parameter(
        default=1.0, unit="1", doc="charge of the battery at the start, 0 to 1", minimum=0, dimensions=(0,)
    )
    ground_level: Real = parameter(default=0.0, unit="m", doc="z of the ground", dimensions=(0,))
    friction: Real = parameter(
        default=0.5, unit="1", doc="friction coefficient of gear and ground", minimum=0, dimensions=(0,)
    )
    payload_at: Real = parameter(
        default=[0.0, 0.0, 0.0], unit="m", doc="centre of mass of the payload", dimensions=(1,)
    )
    payload_gyration: Real = parameter(
        default=[0.0, 0.0, 0.0], unit="m", doc="radii of gyration of the payload", minimum=0, dimensions=(1,)
    )

    # ---- ports and parameters ----

    def symbol(self) -> Icon:
        from ...robots.shapes.multirotor import disc_radius

        return plan_view(self.model.hubs, disc_radius(self.model))

    @property
    def states(self) -> tuple[State, ...]:  # type: ignore[override]
        moved = (
            State("p", "initial_position", "m"),
            State("q", "q0"),
            State("v", "initial_velocity", "m/s"),
            State("w", "initial_rates", "rad/s"),
        )
        turning = (State("speeds", "speeds0", "rad/s"),) if self.motors else ()
        charge = (State("charge", "charge0"),) if self.battery else ()
        contact = (State("contact", "contact0", held=True),) if self.ground else ()
        return (*moved, *turning, *charge, *contact)

    def zero_crossings(self) -> tuple[Crossing, ...]:
        return (Crossing("meeting", +1, count=4),) if self.ground else ()

    @property
    def blows(self) -> bool:
        """True if anything depends on the wind."""
        return self.flapping != "none" or self.rotor_drag or self.translational_lift or self.body_drag

    def input_ports(self) -> tuple[Port, ...]:
        n = self.model.n
        speeds = Port(
            "omega",
            n,
            "rad/s",
            "signed commands" if self.motors else "signed rotor speeds",
            size_rule=PER_ROTOR,
        )
        fractions = Port("command", n, "", "of the fastest speed, 0 to 1", size_rule=PER_ROTOR)
        wind = (Port("wind", 3, "m/s", "of the air, in the world", default=0.0),) if self.blows else ()
        return (
            fractions if self.commands else speeds,
            *wind,
            Port("force", 3, "N", "on the centre of mass, in the world", default=0.0),
            Port("torque", 3, "N m", "in body axes", default=0.0),
            Port(
                "health",
                n,
                "",
                "fraction of its force that each rotor gives",
                default=1.0,
                size_rule=PER_ROTOR,
            ),
            *((Port("payload", 1, "kg", "mass of the payload"),) if self.payload else ()),
        )

    def output_ports(self) -> tuple[Port, ...]:
        n = Size((self.model.n,))
        forces = bus(thrusts=n, rotors=THREE, moment=THREE, drag=THREE)
        battery = Port("battery", bus(voltage=SCALAR, current=SCALAR, charge=SCALAR), "V, A, 1")
        outcome = bus(mode=SCALAR, impact_speed=SCALAR, impact_tilt=SCALAR, touch_downs=SCALAR)
        touched = Port("touched", outcome, "1, m/s, rad, 1", "mode: 0 flies, 1 slides, 2 rests")
        return (
            Port("state", STATE_BUS, "m, rad, m/s, rad/s"),
            Port("position", 3, "m", "in the world", elements=XYZ),
            Port("velocity", 3, "m/s", "in the world", elements=XYZ),
            Port("body_velocity", 3, "m/s", "in body axes", elements=XYZ),
            Port("quaternion", 4, "", "attitude, scalar first", elements=WXYZ),
            Port("rpy", 3, "rad", "roll, pitch, yaw", elements=RPY),
            Port("gimbal_lock", 1, "", "1 if roll and yaw cannot be distinguished"),
            Port("rotation", Size((3, 3)), "", "from body to world"),
            Port("rates", 3, "rad/s", "angular velocity in body axes", elements=XYZ),
            Port("acceleration", 3, "m/s2", "in the world", elements=XYZ),
            Port("angular_acceleration", 3, "rad/s2", "in body axes", elements=XYZ),
            Port("specific_force", 3, "m/s2", "at the centre of mass, in body axes", elements=XYZ),
            Port("rotor_speeds", n, "rad/s", "signed", elements=rotors(self.model.n), size_rule=PER_ROTOR),
            Port(
                "forces", forces, "N, N, N m, N", "of each rotor, of all, of the air on the body; body axes"
            ),
            *((battery,) if self.battery else ()),
            *((touched,) if self.ground else ()),
        )

    def check(self) -> None:
        super().check()
        for name in ("initial_position", "initial_velocity", "initial_rates"):
            if np.shape(getattr(self, name)) != (3,):
                raise ParameterError(self.kind(), name, getattr(self, name), "three numbers")
        quaternion(self.kind(), "initial_attitude", self.initial_attitude)
        if self.initial_speeds is not None and np.shape(self.initial_speeds) != (self.model.n,):  # type: ignore[arg-type]
            raise ParameterError(
                self.kind(), "initial_speeds", self.initial_speeds, f"{self.model.n} numbers"
            )
        for name in ("commands", "battery"):
            if getattr(self, name) and not self.motors:
                raise ParameterError(self.kind(), name, True, "motors: true as well")
        if self.ground and self._height() < -1e-9:
            expected = f"z at most {float(self.ground_level) - self.model.gear:g}: the ground minus the gear"  # type: ignore[arg-type]
            raise ParameterError(self.kind(), "initial_position", self.initial_position, expected)
        check_payload(self.kind(), self.payload_at, self.payload_gyration)
        check_data(self)

    def constants(self) -> Mapping[str, Any]:
        vehicle, n = self.model, self.model.n
        J = np.array(vehicle.inertia)
        frames = np.array([_frame(rotor.axis) for rotor in vehicle.rotors])
        names = ("in_plane_drag", "axial_drag", "flapping_moment", "translational_lift")
        on = [self.rotor_drag, self.rotor_drag, self.rotor_drag, self.translational_lift]
        drags = np.column_stack([vehicle.numbers(name) for name in names]) * on
        counted = [self.flapping != "none", any(on), self.ground_effect, self.gyroscopic]
        none = np.zeros(3)
        return {
            "hubs": vehicle.hubs, "frames": frames,
            "b": vehicle.numbers("thrust"), "k": vehicle.numbers("torque"),
            "drags": drags, "flap": flapping(vehicle),
            "spin_inertia": vehicle.numbers("inertia") if self.gyroscopic else np.zeros(n),
            "counted": np.array(counted, np.float64),
            "J": J, "J_inverse": np.asarray(np.linalg.inv(J)),
            "mass": vehicle.mass, "gravity": vehicle.gravity,
            "linear_drag": np.array(vehicle.linear_drag) if self.body_drag else none,
            "quadratic_drag": np.array(vehicle.quadratic_drag) if self.body_drag else none,
            "q0": quaternion(self.kind(), "initial_attitude", self.initial_attitude),
            **({} if self.blows else {"wind": none}), **({} if self.payload else {"payload": 0.0}),
            "gear": vehicle.gear, "contact0" if self.ground else "contact": self._standing(),
            **(self._motor_constants() if self.motors else {}),
        }  # fmt: skip

    def _standing(self) -> Array:
        """Held states of the contact at the start: resting if the gear is on the ground, otherwise flying."""
        contact = np.zeros(SIZE)
        if self.ground and self._height() <= 0.0 and not np.any(self.initial_velocity):  # type: ignore[arg-type]
            contact[0] = RESTING
        return contact

    def _height(self) -> float:
        return float(self.ground_level - np.asarray(self.initial_position)[2] - self.model.gear)

    def _motor_constants(self) -> dict[str, Any]:
        vehicle, battery = self.model, self.model.battery
        speeds = self.initial_speeds
        if speeds is None and self._standing()[0] == RESTING:
            speeds = np.zeros(vehicle.n)
        elif speeds is None:
            try:
                speeds = vehicle.hover_speeds()
            except RobotError:
                speeds = np.zeros(vehicle.n)
        cells = np.zeros(5)
        if self.battery and battery is not None:
            cells[:] = battery.full, battery.empty, battery.resistance, battery.capacity, battery.efficiency
        limits = {name: vehicle.numbers(name) for name in ("time_up", "time_down", "slowest", "fastest")}
        return {
            **limits, "spins": vehicle.spins, "commanded": float(self.commands), "cells": cells,
            "speeds0": np.asarray(speeds, np.float64),
            "charge0" if self.battery else "charge": np.full(1, self.initial_charge),
        }  # fmt: skip

    def scratch(self) -> Mapping[str, tuple[int, ...]]:
        return {"slopes": (self.model.n,)}

    def functions(self) -> Mapping[str, Callable[..., Any]]:
        reacts = self.payload and self.gyroscopic
        return nrotor_outputs.functions(self.motors, self.commands, self.battery, self.ground, reacts)

    def logged(self) -> tuple[str, ...]:
        optional = ("battery",) * self.battery + ("touched",) * self.ground
        return ("position", "velocity", "quaternion", "rpy", "rates", "rotor_speeds", *optional)

    def flown(self) -> FlightSignals:
        return FlightSignals(("position", "p"), ("quaternion", "q"), ("rotor_speeds", "speeds", "omega"))

    def bodies(self) -> tuple[Body, ...]:
        from ...robots.shapes.multirotor import Multirotor as Shape, disc_radius

        attitudes = {"position": "quaternion", "p": "q"}
        shape = Shape(self.model.hubs, self.model.spins, self.model.axes, disc_radius(self.model))
        stops = ("health", "rotor_speeds")
        return (Body(shape, ("position", "p", "state"), attitudes=attitudes, stops=stops),)

    def marks(self) -> Iterator[Marks]:
        yield Marks(("position", "wind"), wind_arrows, label="wind")


@lru_cache(maxsize=256)
def _frame(axis: tuple[float, ...]) -> tuple[float, ...]:
    """The rotation, row by row, whose third column is opposite to a rotor's thrust."""
    return tuple(turn_to(-np.array(axis))[:3, :3].ravel().tolist())
