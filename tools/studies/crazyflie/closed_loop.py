"""The identified vehicle under its own controller, on the set points of a measured flight."""

from __future__ import annotations

import numpy as np
from scipy.spatial.transform import Rotation

import blockdyn as bd
from blockdyn import robots
from blockdyn.blocks.contract.parameter import Array

from .firmware import Firmware
from .flights import Flight
from .translation import Model


def vehicle(model: Model) -> robots.Multirotor:
    """The library's Crazyflie with the thrust's trim, the drag and the lag of motors that were identified."""
    published = robots.load_vehicle("crazyflie")
    drag = published.mass * np.array([model.drag_x, model.drag_y, model.drag_z])
    plain = published.replaced(linear_drag=drag, name="crazyflie, identified")
    axis = np.array([model.trim_x, model.trim_y, -1.0])
    lag = abs(model.lag)
    return plain.with_rotors(axis=axis / np.linalg.norm(axis), time_up=lag, time_down=lag)


def closed_loop(model: Model, flight: Flight) -> bd.Diagram:
    """Set points and voltage of the flight, controller, motors and vehicle, from the flight's first state."""
    flown = vehicle(model)
    spins, mass, b = flown.spins, flown.mass, flown.rotors[0].thrust
    k1, k2 = mass * model.k1 / b, mass * model.k2 / b

    def speeds(command: Array, voltage: float) -> Array:
        x = command * voltage
        return spins * np.sqrt(k1 * x + k2 * x * x)

    quaternion = Rotation.from_matrix(flight.attitude[0]).as_quat(scalar_first=True)
    d = bd.Diagram("crazyflie")
    body = bd.NRotor(
        vehicle=flown, motors=True, body_drag=True, initial_position=flight.position[0],
        initial_velocity=flight.velocity[0], initial_attitude=quaternion, initial_rates=flight.rates[0],
    )  # fmt: skip
    quad, firmware = d.add("vehicle", body), d.add("firmware", Firmware())
    changes = np.flatnonzero(np.any(np.diff(flight.target, axis=0) != 0.0, axis=1)) + 1
    rows = np.concatenate([[0], changes])
    d.connect(
        d.add("target", bd.PiecewiseConstant(times=flight.t[rows], values=flight.target[rows])),
        firmware["target"],
    )
    d.connect(d.add("yaw", bd.Constant(0.0)), firmware["target_yaw"])
    for name in ("position", "velocity", "quaternion", "rates"):
        d.connect(quad[name], firmware[name])
    battery = d.add("battery", bd.PiecewiseLinear(times=flight.t[::50], values=flight.voltage[::50]))
    motors = d.add("motors", bd.Function(speeds, size=4))
    d.connect(firmware, motors["command"])
    d.connect(battery, motors["voltage"])
    d.connect(motors, quad["omega"])
    return d


def tracking_error(position: Array, flight: Flight) -> float:
    """The rms distance from the set points, m."""
    return float(np.sqrt(np.mean(np.sum((position - flight.target) ** 2, axis=1))))


def flown(model: Model, flight: Flight) -> Array:
    """The positions, (n, 3), that the model flies through at the flight's times."""
    result = closed_loop(model, flight).simulate(
        stop=float(flight.t[-1]), times=flight.t, log=["vehicle.position"], rtol=1e-5, atol=1e-7
    )
    return np.asarray(result["vehicle.position"].values)
