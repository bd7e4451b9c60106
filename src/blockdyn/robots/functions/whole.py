"""The whole arm: its energy, momentum and centre of mass."""

from __future__ import annotations

from typing import Any

from ..calls.kernel import WORK, Array, Input, Kernel, Output, Scratch, bound
from ..mechanics import energy
from ..model.robot import Robot

KINETIC = Kernel(energy.kinetic_energy, (Input("q"), Input("qd"), WORK), weighs=True)
POTENTIAL = Kernel(energy.potential_energy, (Input("q"), WORK), weighs=True)
CENTRE = Kernel(energy.centre_of_mass, (Input("q"), WORK, Output((3,))), weighs=True)
MOMENTUM = Kernel(energy.momentum, (Input("q"), Input("qd"), WORK, Scratch((3,)), Output((6,))), weighs=True)


def kinetic_energy(robot: Robot | str, q: Any, qd: Any) -> float:
    """qd^T M(q) qd / 2, J, motors included. Raises WrongSize."""
    return bound(KINETIC, robot).number(q, qd)


def potential_energy(robot: Robot | str, q: Any) -> float:
    """-sum m g . p, J, over the centres of mass p of the moving parts: 0 at the world's origin.

    Raises WrongSize.
    """
    return bound(POTENTIAL, robot).number(q)


def centre_of_mass(robot: Robot | str, q: Any) -> Array:
    """Centre of mass of the moving parts, in the world, (3,), m; the origin if there is no mass.

    Raises WrongSize.
    """
    return bound(CENTRE, robot)(q)


def momentum(robot: Robot | str, q: Any, qd: Any) -> Array:
    """Linear momentum, and angular momentum about the centre of mass, in world axes: (6,), kg m/s, kg m2/s.

    Orin, Goswami, Lee, Autonomous Robots 35, 2013. Raises WrongSize.
    """
    return bound(MOMENTUM, robot)(q, qd)
