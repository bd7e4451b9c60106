"""Sliding: the crossing and mode of blocks whose friction depends on the direction of motion."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...robots.friction import directions, dry, turning
from ..contract.errors import ParameterError
from ..contract.parameter import Array
from ..contract.port import Crossing

MOST = 39  # base-3 digits that fit into a mode: 3^39 is below 2^63, 3^40 is not


def turns(block: str, robot: object, arm: Array) -> tuple[Crossing, ...]:
    """The crossing `turn`, one value per joint; empty if no joint has Coulomb friction.

    Raises ParameterError for too many such joints.
    """
    count = sum(dry(arm, i) for i in range(len(arm) - 1))
    if count > MOST:
        expected = f"at most {MOST} joints with Coulomb friction: {count} have it"
        raise ParameterError(block, "robot", robot, expected)
    return (Crossing("turn", 0, count=len(arm) - 1),) if count else ()


def turn_of_qd(qd: Array, arm: Array, turn: Array) -> None:
    """The crossing `turn` at the measured speed."""
    turning(arm, qd, turn)


def directions_of_qd(qd: Array, arm: Array) -> int:
    """The directions of motion, as a mode."""
    return directions(arm, qd)


def turn_of_qd_ref(qd_ref: Array, arm: Array, turn: Array) -> None:
    """The crossing `turn` at the reference speed."""
    turning(arm, qd_ref, turn)


def directions_of_qd_ref(qd_ref: Array, arm: Array) -> int:
    """The directions of motion, as a mode."""
    return directions(arm, qd_ref)


def at_qd(located: bool) -> dict[str, Callable[..., Any]]:
    """The functions by role, for friction at the measured speed."""
    return {"mode": directions_of_qd, **({"crossing": turn_of_qd} if located else {})}


def at_qd_ref(located: bool) -> dict[str, Callable[..., Any]]:
    """The functions by role, for friction at the reference speed."""
    return {"mode": directions_of_qd_ref, **({"crossing": turn_of_qd_ref} if located else {})}
