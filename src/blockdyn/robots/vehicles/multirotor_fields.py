"""Multirotor fields: what the rotors and the inertia of a vehicle may be."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from math import dist
from typing import Any

from ...base.hints import nearest_word
from ..errors import InvalidRobot, RobotWarning, outside
from ..model.link import doubt, principal, tensor
from ..model.poses import Matrix
from .rotor import Rotor, bounded

FEWEST, MOST = 3, 12  # rotors
NEARLY = 0.05  # of the sum of the others, by which a published largest moment may exceed it
APART = 1e-6  # m: hubs that are nearer are the same one, written twice


def inertia_of(value: Any, place: str) -> Matrix:
    """The rows of a body's tensor. Raises InvalidRobot."""
    inertia = tensor(value, f"{place}, inertia")
    bounded(inertia.ravel(), f"{place}, inertia", 9)
    problem = doubt(inertia, place)
    moments = principal(inertia)
    if problem and moments[2] > (moments[0] + moments[1]) * (1.0 + NEARLY):
        raise InvalidRobot(
            f"{place}, inertia", problem.removeprefix(f"{place}: "), "a body's moments of inertia"
        )
    if problem:
        warnings.warn(problem, RobotWarning, stacklevel=outside())
    if moments[0] <= 1e-12 * moments[2] or moments[2] <= 0.0:
        shown = ", ".join(f"{m:.4g}" for m in moments)
        raise InvalidRobot(f"{place}, inertia", f"the principal moments are {shown} kg m2", "all above 0")
    return tuple(map(tuple, inertia.tolist()))


def check_rotors(rotors: Sequence[Any], place: str) -> None:
    """Raise InvalidRobot for rotors that no vehicle has."""
    for i, rotor in enumerate(rotors, 1):
        if not isinstance(rotor, Rotor):
            raise InvalidRobot(f"{place}, rotor {i}", f"found {rotor!r}"[:80], "a Rotor")
    if not FEWEST <= len(rotors) <= MOST:
        raise InvalidRobot(f"{place}, rotors", f"found {len(rotors)}", f"{FEWEST} to {MOST}")
    places = [rotor.place for rotor in rotors]
    for i in range(len(places)):
        for j in range(i):
            if dist(places[i], places[j]) < APART:
                problem = f"rotors {j + 1} and {i + 1} are both at {list(rotors[i].place)}"
                raise InvalidRobot(f"{place}, rotors", problem, "a place of its own for each")


def check_names(changes: Mapping[str, Any], names: tuple[str, ...], place: str) -> None:
    """Raise InvalidRobot for a change of what there is not."""
    for key in changes:
        if key not in names:
            raise InvalidRobot(
                place, f"unknown key `{key}`{nearest_word(key, names)}", f"one of: {', '.join(names)}"
            )
