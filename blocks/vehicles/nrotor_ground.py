"""The functions of NRotor for the ground: its crossings and their events."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...robots.vehicles.flight import Craft, Motion, attitude_matrix, compute_acceleration, loads
from ...robots.vehicles.ground import meet, touch
from ..contract.parameter import Array


def functions(motors: bool, battery: bool) -> dict[str, Callable[..., Any]]:
    """The functions by role."""
    if not motors:
        return {"crossing": meet_given, "jump": touch_given, "output_touched": contact_of}
    jump = touch_draining if battery else touch_turning
    return {"crossing": meet_turning, "jump": jump, "output_touched": contact_of}


def contact_of(contact: Array, touched: Array) -> None:
    """Mode, speed and tilt at the last impact, and the number of impacts."""
    for i in range(4):
        touched[i] = contact[i]


def _meet(craft: Craft, motion: Motion, omega: Array, meeting: Array) -> None:
    R = attitude_matrix(motion.q)
    a = compute_acceleration(craft, R, motion.w, loads(craft, motion, omega, R))
    meet(craft.ground, motion.p, motion.v, a, meeting)


def meet_given(craft: Craft, motion: Motion, omega: Array, meeting: Array) -> None:
    """The crossings if rotor speeds are inputs."""
    _meet(craft, motion, omega, meeting)


def meet_turning(craft: Craft, motion: Motion, speeds: Array, meeting: Array) -> None:
    """The crossings if rotor speeds are states."""
    _meet(craft, motion, speeds, meeting)


def _touch(
    craft: Craft, motion: Motion, omega: Array, crossed_meeting: Array,
    next_p: Array, next_q: Array, next_v: Array, next_w: Array, next_contact: Array,
) -> None:  # fmt: skip
    R = attitude_matrix(motion.q)
    a = compute_acceleration(craft, R, motion.w, loads(craft, motion, omega, R))
    touch(
        craft.ground, motion.p, motion.v, motion.w, a, R[8], crossed_meeting,
        next_p, next_v, next_w, next_contact,
    )  # fmt: skip
    for i in range(4):
        next_q[i] = motion.q[i]


def touch_given(
    craft: Craft, motion: Motion, omega: Array, crossed_meeting: Array,
    next_p: Array, next_q: Array, next_v: Array, next_w: Array, next_contact: Array,
) -> None:  # fmt: skip
    """States after an event, if rotor speeds are inputs."""
    _touch(craft, motion, omega, crossed_meeting, next_p, next_q, next_v, next_w, next_contact)


def touch_turning(
    craft: Craft, motion: Motion, speeds: Array, crossed_meeting: Array, next_p: Array, next_q: Array,
    next_v: Array, next_w: Array, next_speeds: Array, next_contact: Array,
) -> None:  # fmt: skip
    """States after an event, if rotor speeds are states."""
    _touch(craft, motion, speeds, crossed_meeting, next_p, next_q, next_v, next_w, next_contact)
    for i in range(speeds.shape[0]):
        next_speeds[i] = speeds[i]


def touch_draining(
    craft: Craft, motion: Motion, speeds: Array, charge: Array, crossed_meeting: Array, next_p: Array,
    next_q: Array, next_v: Array, next_w: Array, next_speeds: Array, next_charge: Array, next_contact: Array,
) -> None:  # fmt: skip
    """States after an event, if rotor speeds are states, with a battery."""
    _touch(craft, motion, speeds, crossed_meeting, next_p, next_q, next_v, next_w, next_contact)
    for i in range(speeds.shape[0]):
        next_speeds[i] = speeds[i]
    next_charge[0] = charge[0]
