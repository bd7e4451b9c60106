"""The toolbox' vehicles on wheels: a pose that a speed and a steering input move."""

from __future__ import annotations

from math import inf

import numpy as np

from ...blocks.discontinuous.saturation import Saturation
from ...blocks.mathematics.expression import Expression
from ...blocks.routing.mux import Mux
from ...blocks.routing.selector import Selector
from .places import Maker, Place

# d(x, y, theta)/dt of wheels that roll without slipping. LaValle, Planning Algorithms (2006), section 13.1.2.
RATES = {
    "Bicycle": ("u0 * cos(theta)", "u0 * sin(theta)", "u0 * tan(u1) / length"),
    "Unicycle": ("u0 * cos(theta)", "u0 * sin(theta)", "u1"),
    "DiffSteer": ("(u0 + u1) / 2 * cos(theta)", "(u0 + u1) / 2 * sin(theta)", "(u1 - u0) / length"),
}


def vehicle(make: Maker) -> Place | None:
    """A vehicle with limits of speed and steering; one of acceleration depends on bdsim's own last call."""
    b, car = make.block, make.block.vehicle
    kind = type(b).__name__
    fastest = inf if car._speed_max is None else float(car._speed_max)
    if car._accel_max not in (None, inf):
        return None
    steering = fastest if kind == "DiffSteer" else float(car._steer_max)
    length = float(car.l if kind == "Bicycle" else car._W)
    place = make.integral(np.asarray(b.getstate0(), float))
    rates, heading = make.add(Mux(3), "rates"), make.add(Selector(indices=2), "theta")
    make.wire(f"{rates}.y", place.inputs[0][0])
    make.wire(place.outputs[0], f"{heading}.u")
    place.inputs = [[], []]
    for k, formula in enumerate(RATES[kind]):
        coefficients = {"length": length} if "length" in formula else None
        name = make.add(Expression(formula, coefficients=coefficients), f"rate{k}")
        make.wire(f"{name}.y", f"{rates}.u{k}")
        if "theta" in formula:
            make.wire(f"{heading}.y", f"{name}.theta")
        for port in (0, 1):
            if f"u{port}" in formula:
                place.inputs[port].append(f"{name}.u{port}")
    for k, limit in enumerate((fastest, steering)):
        if limit < inf:
            limited = make.add(Saturation(lower=-limit, upper=limit), f"limit{k}")
            for reader in place.inputs[k]:
                make.wire(f"{limited}.y", reader)
            place.inputs[k] = [f"{limited}.u"]
    return place


ROLLING = {f"roboticstoolbox.{kind}": vehicle for kind in RATES}
