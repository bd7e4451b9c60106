"""The toolbox' vehicles on wheels: a pose that a speed and a steering input move."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import cos, inf, sin, tan
from typing import Any, ClassVar

import numpy as np

from ...blocks.contract.block import Block
from ...blocks.contract.parameter import Real, option, parameter
from ...blocks.contract.port import Port
from ...blocks.discontinuous.saturation import Saturation
from .places import Maker, Place


class Rolling(Block):
    """How fast the pose x = (x, y, theta) of a vehicle changes whose wheels roll without slipping.

        dx/dt = v cos(theta),  dy/dt = v sin(theta)
        bicycle    dtheta/dt = v tan(u1) / length,   v = u0: u1 is the angle of the steered wheel, rad
        unicycle   dtheta/dt = u1,                   v = u0: u1 is the rate of turn, rad/s
        tracks     dtheta/dt = (u1 - u0) / length,   v = (u0 + u1) / 2: the speeds of left and right, m/s

    theta is not wrapped.
    Source: LaValle, Planning Algorithms (2006), section 13.1.2.
    """

    inputs: ClassVar = (Port("u0", 1), Port("u1", 1), Port("x", 3))
    outputs: ClassVar = (Port("d_x", 3),)

    kind_of: str = option(default="bicycle", choices=("bicycle", "unicycle", "tracks"), doc="the inputs")
    length: Real = parameter(default=1.0, unit="m", doc="wheel base, or track", above=0, dimensions=(0,))

    def functions(self) -> Mapping[str, Callable[..., Any]]:
        return {"output": SLOPES[self.kind_of]}


def bicycle(u0: float, u1: float, x: Any, length: float, d_x: Any) -> None:
    d_x[0] = u0 * cos(x[2])
    d_x[1] = u0 * sin(x[2])
    d_x[2] = u0 * tan(u1) / length


def unicycle(u0: float, u1: float, x: Any, d_x: Any) -> None:
    d_x[0] = u0 * cos(x[2])
    d_x[1] = u0 * sin(x[2])
    d_x[2] = u1


def tracks(u0: float, u1: float, x: Any, length: float, d_x: Any) -> None:
    speed = 0.5 * (u0 + u1)
    d_x[0] = speed * cos(x[2])
    d_x[1] = speed * sin(x[2])
    d_x[2] = (u1 - u0) / length


SLOPES: Mapping[str, Callable[..., Any]] = {"bicycle": bicycle, "unicycle": unicycle, "tracks": tracks}


def vehicle(make: Maker) -> Place | None:
    """A vehicle with limits of speed and steering; one of acceleration depends on bdsim's own last call."""
    b = make.block
    car, kind = b.vehicle, {"Bicycle": "bicycle", "Unicycle": "unicycle"}.get(type(b).__name__, "tracks")
    fastest = inf if car._speed_max is None else float(car._speed_max)
    if car._accel_max not in (None, inf):
        return None
    steering = fastest if kind == "tracks" else float(car._steer_max)
    length = {"bicycle": getattr(car, "l", 1.0), "tracks": getattr(car, "_W", 1.0)}.get(kind, 1.0)
    name = make.add(Rolling(kind_of=kind, length=float(length)), "rates")
    place = make.integral(np.asarray(b.getstate0(), float))
    make.wire(f"{name}.d_x", place.inputs[0][0])
    make.wire(place.outputs[0], f"{name}.x")
    place.inputs = [[f"{name}.u0"], [f"{name}.u1"]]
    for k, limit in enumerate((fastest, steering)):
        if limit < inf:
            limited = make.add(Saturation(lower=-limit, upper=limit), f"limit{k}")
            make.wire(f"{limited}.y", place.inputs[k][0])
            place.inputs[k] = [f"{limited}.u"]
    return place


ROLLING = {f"roboticstoolbox.{name}": vehicle for name in ("Bicycle", "Unicycle", "DiffSteer")}
