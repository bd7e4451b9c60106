"""Vehicles that are none: the place is named, and the line where there is a file."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from blockdyn.robots import (
    Battery,
    InvalidRobot,
    Multirotor,
    RobotFileError,
    Rotor,
    UnknownRobot,
    load_vehicle,
    vehicle_from,
    vehicle_from_file,
)

FILE = """\
vehicle: mine
mass: 1.0
inertia: [0.01, 0.01, 0.02]
parameters: {d: 0.2}
rotor: {thrust: 1e-5, torque: 1e-7}
rotors:
  - {place: [=d, 0, 0], spin: 1}
  - {place: [0, =d, 0], spin: -1}
  - {place: [=-d, 0, 0], spin: 1}
  - {place: [0, =-d, 0], spin: -1}
"""


def rotors(count: int) -> tuple[Rotor, ...]:
    angles = 2 * np.pi * np.arange(count) / max(count, 1)
    return tuple(
        Rotor([np.cos(a), np.sin(a), 0.0], 1 - 2 * (i % 2), 1e-5, 1e-7) for i, a in enumerate(angles)
    )


def craft(**changes: Any) -> Multirotor:
    return Multirotor(**{"name": "it", "mass": 1.0, "inertia": [1, 1, 1], "rotors": rotors(4), **changes})


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"rotors": rotors(2)}, "it, rotors: found 2\nexpected: 3 to 12"),
        ({"rotors": rotors(13)}, "it, rotors: found 13\nexpected: 3 to 12"),
        ({"rotors": (*rotors(4), rotors(4)[1])}, "rotors 2 and 5 are both at"),
        ({"rotors": ("fast",) * 4}, "it, rotor 1: found 'fast'"),
        ({"inertia": [1, 1, 3]}, "it, inertia: .*violate the triangle inequality: 3 > 1 + 1"),
        ({"inertia": [1, 1, 0]}, "it, inertia: .*0, 1, 1 kg m2\nexpected: all above 0"),
        ({"inertia": [1, -1, 1]}, "the principal moments are -1, 1, 1"),
        ({"inertia": [[1, 1, 0], [0, 1, 0], [0, 0, 1]]}, "the tensor is not symmetric"),
        ({"mass": 0}, "it, mass: found 0\nexpected: greater than 0"),
        ({"linear_drag": [0, 0, -1]}, "it, linear_drag"),
        ({"battery": 4.2}, "it, battery: found 4.2"),
        ({"sensors": {"imu": [0, 0]}}, "it, sensors, imu"),
        ({"gravity": "earth"}, "it, gravity: found 'earth'"),
        ({"inertia": [1e308, 1e308, 1e308]}, "it, inertia: found 1e.308"),
    ],
)
def test_no_such_vehicle(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidRobot, match=message.replace("+", r"\+")):
        craft(**changes)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"spin": 0}, "rotor, spin: found 0"),
        ({"axis": [0, 0, 0]}, "rotor, axis"),
        ({"thrust": -1}, "rotor, thrust: found -1\nexpected: 0 or greater"),
        ({"slowest": 10, "fastest": 10}, "rotor, fastest: found 10\nexpected: greater than 10"),
        ({"place": [0, 0]}, "rotor, place"),
        ({"blades": {"count": 2}}, "blades: no `chord`"),
        ({"blades": {"cord": 2}}, "unknown key `cord`, did you mean `chord`"),
    ],
)
def test_no_such_rotor(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidRobot, match=message):
        Rotor(**{"place": [0, 0, 0], "spin": 1, "thrust": 1e-5, "torque": 1e-7, **changes})


def test_no_such_battery() -> None:
    for wrong in ({"full": 3}, {"capacity": 0}, {"efficiency": 1.2}, {"resistance": -1}):
        with pytest.raises(InvalidRobot, match=f"battery, {next(iter(wrong))}"):
            Battery(**{"full": 4.2, "empty": 3.2, "capacity": 1.0, **wrong})


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ("mass: 1.0", "mas: 1.0", 2, "unknown key `mas`, did you mean `mass`"),
        ("[0, =d, 0], spin: -1", "[0, =d, 0], spinn: -1", 8, "unknown key `spinn`, did you mean `spin`"),
        ("[0, =d, 0], spin: -1", "[0, =d, 0], spin: 2", 8, "spin: found 2"),
        ("thrust: 1e-5", "thrust: -1e-5", 5, "thrust: found -1e-05"),
        ("0.02]", "0.2]", 3, "triangle inequality"),
        ("[=d, 0, 0]", "[=D, 0, 0]", 7, "`D`"),
        ("mass: 1.0\n", "", 1, "no `mass`"),
    ],
)  # fmt: skip
def test_a_mistake_in_a_file_is_told_with_its_line(
    tmp_path: Path, old: str, new: str, line: int, message: str
) -> None:
    path = tmp_path / "mine.yaml"
    assert old in FILE
    path.write_text(FILE.replace(old, new, 1))
    with pytest.raises(RobotFileError, match=re.escape(message)) as error:
        vehicle_from_file(path)
    assert error.value.line == line


def test_a_file_of_ones_own_and_the_same_inline(tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_text(FILE)
    vehicle = vehicle_from({"file": "mine.yaml", "parameters": {"d": 0.3}}, tmp_path)
    assert vehicle.hubs[0].tolist() == [0.3, 0.0, 0.0]
    inline = {
        "vehicle": "mine", "mass": 1.0, "inertia": [0.01, 0.01, 0.02],
        "rotor": {"thrust": 1e-5, "torque": 1e-7},
        "rotors": [
            {"place": [0.3, 0, 0], "spin": 1}, {"place": [0, 0.3, 0], "spin": -1},
            {"place": [-0.3, 0, 0], "spin": 1}, {"place": [0, -0.3, 0], "spin": -1},
        ],
    }  # fmt: skip
    assert vehicle_from(inline) == vehicle


def test_names_and_keys_are_known_or_told() -> None:
    with pytest.raises(UnknownRobot, match="no vehicle `crazyfly`, did you mean `crazyflie`"):
        load_vehicle("crazyfly")
    with pytest.raises(InvalidRobot, match="unknown key `paylod`, did you mean `payload`"):
        vehicle_from({"name": "x4", "paylod": {"mass": 1}})
    with pytest.raises(InvalidRobot, match="vehicle, payload: no `mass`"):
        vehicle_from({"name": "x4", "payload": {}})
    with pytest.raises(InvalidRobot, match="a number from 1 to 4"):
        load_vehicle("x4").failure(0)
    with pytest.raises(InvalidRobot, match="unknown key `thrst`, did you mean `thrust`"):
        load_vehicle("x4").with_rotors(thrst=1e-5)
