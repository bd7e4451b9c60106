"""Inputs that no vehicle has: attitudes of zeros, rotors that give more than all, loads below nothing."""

from __future__ import annotations

import numpy as np
import pytest

import blockdyn as bd
from blockdyn.blocks.contract.errors import ParameterError
from blockdyn.diagrams.model.run_errors import NotFinite
from blockdyn.robots import load_vehicle

CONTROLLERS = ("CascadeControl", "GeometricControl", "HoverLQR", "INDIControl", "MellingerControl")
SEEING = ("RangeFinder", "Magnetometer", "MotionCapture", "QuaternionToPose")


@pytest.mark.parametrize("name", [*CONTROLLERS, "SampledHoverLQR", *SEEING])
def test_an_attitude_of_zeros_is_told_where_it_comes_in(name: str) -> None:
    d = bd.Diagram()
    kind = getattr(bd, name)
    block = kind(vehicle="hummingbird") if "vehicle" in kind.rules() else kind()
    b = d.add("b", block)
    for port in block.input_ports():
        if port.default is None:
            shape = port.fixed().shape
            d.connect(
                d.add(f"zeros_{port.name}", bd.Constant(np.zeros(shape) if shape else 0.0)), b[port.name]
            )
    with pytest.raises(NotFinite) as told:
        d.simulate(stop=0.1, compiled=False)
    error = told.value
    assert (error.path, error.port, error.time) == (
        "b",
        "q" if name == "QuaternionToPose" else "quaternion",
        0.0,
    )
    assert "[1, 0, 0, 0]" in str(error)


def test_rotors_give_none_to_all_and_loads_are_nothing_or_more() -> None:
    """Beyond what there can be counts as the nearest that can: the same flights to the last bit."""
    d = bd.Diagram()
    vehicle = load_vehicle("crazyflie")
    speeds = d.add("speeds", bd.Constant(1.01 * vehicle.hover_speeds()))
    inputs = {
        "beyond": ([1.5, 1.0, -0.5, 1.0], -0.01),
        "bounds": ([1.0, 1.0, 0.0, 1.0], 0.0),
        "inside": ([0.9, 1.0, 0.1, 1.0], 0.01),
    }
    for name, (health, load) in inputs.items():
        craft = d.add(
            name,
            bd.NRotor(vehicle=vehicle, motors=True, battery=vehicle.battery is not None, payload=True),
        )
        d.connect(speeds, craft["omega"])
        d.connect(d.add(f"{name}_health", bd.Constant(health)), craft["health"])
        d.connect(d.add(f"{name}_load", bd.Constant(load)), craft["payload"])
    for compiled in (True, False):
        r = d.simulate(
            stop=0.02, compiled=compiled, log=[f"{n}.{p}" for n in inputs for p in ("rates", "forces")]
        )
        for port in ("rates", "forces"):
            beyond, bounds, inside = (np.array(r[f"{name}.{port}"].values) for name in inputs)
            np.testing.assert_array_equal(beyond, bounds)
            assert not np.array_equal(inside, bounds)


@pytest.mark.parametrize("effect", ["rotor_drag", "body_drag"])
def test_drag_needs_a_vehicle_that_has_some(effect: str) -> None:
    still = load_vehicle("crazyflie").replaced(linear_drag=[0, 0, 0], quadratic_drag=[0, 0, 0])
    still = still.with_rotors(in_plane_drag=0.0, axial_drag=0.0)
    with pytest.raises(ParameterError, match=f"{effect}.*(?s:.)*_drag.*crazyflie has none"):
        bd.NRotor(vehicle=still, **{effect: True})
