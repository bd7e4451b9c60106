"""What an axis over a key of a multirotor means: the vehicle that the transforms make."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

from blockdyn import robots
from blockdyn.diagrams.model.diagram import Diagram
from blockdyn.diagrams.model.flatten import flatten
from blockdyn.diagrams.model.name_errors import UnknownPath
from blockdyn.diagrams.values.overrides import overrides
from blockdyn.diagrams.values.resolve import resolve
from blockdyn.diagrams.values.view import View
from blockdyn.diagrams.yaml import loads
from blockdyn.robots import Multirotor
from blockdyn.sweeps.errors import SweepError
from blockdyn.sweeps.sweep import Sweep

TEXT = """
blockdyn: 1
parameters: {load: 0.1}
blocks:
  speeds: {type: Constant, value: [469, -469, 469, -469]}
  craft: {type: NRotor, vehicle: {name: hummingbird, payload: {mass: =load, at: [0, 0, 0.1]}}}
  plain: {type: NRotor, vehicle: hummingbird}
wires: ["speeds -> [craft.omega, plain.omega]"]
simulate: {stop: 0.5}
"""
BASE = robots.load_vehicle("hummingbird")
AT = (0.0, 0.0, 0.1)


def model(values: dict[str, Any], block: str, diagram: Diagram | None = None) -> Multirotor:
    diagram = diagram or loads(TEXT)
    view = View(diagram)
    targets = pickle.loads(pickle.dumps({path: resolve(view, path) for path in values}))
    meant = overrides(targets, values)
    flat = flatten(diagram, meant.parameters, meant.set)
    return {unit.path: unit.block for unit in flat.blocks}[block].model  # type: ignore[attr-defined,no-any-return]


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ({"mass": 0.7}, BASE.replaced(mass=0.7)),
        ({"inertia.xx": 0.005}, BASE.replaced(inertia=[0.005, 3.68e-3, 7.03e-3])),
        ({"linear_drag[1]": 0.3}, BASE.replaced(linear_drag=[0, 0.3, 0])),
        ({"rotor.thrust": 6e-6, "rotor.time_up": 0.02}, BASE.with_rotors(thrust=6e-6, time_up=0.02)),
        ({"arms": 1.2, "air_density": 1.0}, BASE.with_arms(1.2).with_air_density(1.0)),
        ({"payload.mass": 0.2, "payload.at[2]": 0.1}, BASE.payload(0.2, AT)),
        ({"perturb.fraction": 0.1, "perturb.seed": 4.0}, BASE.perturb(0.1, 4)),
        ({"failure.rotor": 2.0, "failure.gives": 0.5}, BASE.failure(2, 0.5)),
        ({"name": "crazyflie", "mass": 0.03}, robots.load_vehicle("crazyflie").replaced(mass=0.03)),
    ],
)
def test_vehicles_are_those_that_the_transforms_make(values: dict[str, Any], expected: Multirotor) -> None:
    given = {f"plain.vehicle.{key}": value for key, value in values.items()}
    assert model(given, "plain") == expected


def test_expressions_elsewhere_in_a_vehicle_stay_expressions() -> None:
    assert model({"craft.vehicle.mass": 0.6, "load": 0.2}, "craft") == BASE.replaced(mass=0.6).payload(
        0.2, AT
    )


def test_products_of_inertia_change_on_both_sides_of_the_diagonal() -> None:
    tensor = np.array(model({"craft.vehicle.inertia[0,1]": 1e-4, "load": 0.0}, "craft").inertia)
    np.testing.assert_allclose(tensor, [[3.65e-3, 1e-4, 0], [1e-4, 3.68e-3, 0], [0, 0, 7.03e-3]], atol=1e-18)


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("arm", "did you mean `arms`"),
        ("rotor", "`rotor` alone"),
        ("rotor.thrus", "did you mean `thrust`"),
        ("mass[0]", "`mass` is one value"),
        ("battery.full", "changes as a whole"),
        ("parameters", "parameters.NAME"),
    ],
)
def test_keys_that_no_vehicle_has(path: str, said: str) -> None:
    with pytest.raises(UnknownPath, match=said):
        resolve(View(loads(TEXT)), f"plain.vehicle.{path}")


def test_what_no_vehicle_can_be_is_refused_before_anything_runs() -> None:
    for axes, error, said in (
        ({"plain.vehicle.arms": [1.0, -1.0]}, SweepError, "arms: found -1"),
        ({"plain.vehicle.failure.gives": [0.5]}, SweepError, "failure: no `rotor`"),
        ({"plain.vehicle.name": {"uniform": {"low": 0, "high": 1}}}, SweepError, "structure"),
    ):
        with pytest.raises(error, match=said):
            Sweep(loads(TEXT), axes, number=4 if said == "structure" else None)


def test_a_heavier_vehicle_falls_as_its_weight_says() -> None:
    """Four rotors of thrust b n^2: z'' = g - 4 b n^2/m, whatever its arms are."""
    axes = {"plain.vehicle.mass": [0.4, 0.5, 0.8], "plain.vehicle.arms": [0.5, 2.0]}
    found = Sweep(loads(TEXT), axes, {"z": {"final": "plain.position[2]"}}).run(progress=False, workers=1)
    expected = 0.5**2 / 2 * (9.81 - 4 * 5.57e-6 * 469**2 / np.array([0.4, 0.5, 0.8]))
    np.testing.assert_allclose(found.dataset["z"], np.stack([expected, expected], axis=1), rtol=1e-9)
