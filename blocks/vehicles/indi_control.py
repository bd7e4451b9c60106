"""INDIControl: nested loops that measure and compensate unmodelled forces and moments."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import pi, sqrt
from typing import Any, ClassVar, NamedTuple

import numpy as np

from ...robots.vehicles.control.cascade import (
    Loops,
    Margins,
    Workspace,
    cascade_margins,
    cascade_mode,
    integral_rate,
)
from ...robots.vehicles.control.indi import (
    FILTERED,
    Increment,
    Measurements,
    feel,
    filter_slopes,
    filter_step,
    incremental,
    know,
)
from ...robots.vehicles.control.signals import Body, Motion, Reference
from ..contract.parameter import Array, Real, parameter
from ..contract.port import PER_ROTOR, Crossing, Port, State
from .cascade_control import NestedLoops
from .tracking import MOTION, WANTED


class INDIControl(NestedLoops):
    """The loops of CascadeControl with incremental nonlinear dynamic inversion.

        A = a_c - g e_z - d_f                       thrust = -m A . R e_z,  z_ref = -A / |A|
        torque = M(u)_f + J (dw_c/dt - dw_f/dt)     d = R specific_force - R F(u)/m

    a_c and dw_c/dt are the demands of CascadeControl's loops, from position to rates; F(u) and M(u) are the
    force and torque that the model's rotors give in still air at the measured speeds u. Drag, wind, and
    errors of mass, inertia and coefficients therefore appear in d and M - J dw/dt, and are compensated. The
    index f denotes a second-order Butterworth filter, the same for all signals, so that their delays are
    equal: y'' = W^2 (x - y) - sqrt(2) W y', W = 2 pi cutoff; dw_f/dt is its y'. The filter is at rest at the
    start. M(u) does not include the reaction of accelerating rotors. Limits and integral: see CascadeControl.
    With `against_drag` the model's linear drag is compensated directly, and only the remainder is measured.
    All inputs except `specific_force` and `rotor_speeds` have direct feedthrough. Raises ParameterError as
    CascadeControl does.
    Source: Smeur, Chu, de Croon, Journal of Guidance, Control, and Dynamics 39(3), 2016
    (10.2514/1.G001490); Tal, Karaman, arXiv 1809.04048; Sun, Romero, Foehn, Kaufmann, Scaramuzza, IEEE
    Transactions on Robotics 38(6), 2022 (arXiv 2109.01365).

    Example:
        {type: INDIControl, vehicle: crazyflie, cutoff: 30.0}
    """

    icon = "INDI"
    states: ClassVar[tuple[State, ...]] = (*NestedLoops.states, State("filters", "rest"))

    cutoff: Real = parameter(
        default=30.0, unit="Hz", doc="cutoff frequency of the filters", above=0, dimensions=(0,)
    )

    def input_ports(self) -> tuple[Port, ...]:
        return (
            *MOTION,
            Port("specific_force", 3, "m/s2", "measured, at the centre of mass, in body axes"),
            Port("rotor_speeds", self.model.n, "rad/s", "measured", size_rule=PER_ROTOR),
            *WANTED,
        )

    def constants(self) -> Mapping[str, Any]:
        return {
            **super().constants(),
            "effect": self.model.allocation(wrench=True),
            "bandwidth": 2.0 * pi * float(self.cutoff),  # type: ignore[arg-type]
            "rest": np.zeros((FILTERED, 2)),
        }

    def scratch(self) -> Mapping[str, tuple[int, ...]]:
        return {**super().scratch(), "raw": (FILTERED,), "disturbance": (3,)}

    def functions(self) -> Mapping[str, Callable[..., Any]]:
        return {"output": control, "derivative": follow, "mode": mode_of, "crossing": margins}


class SampledINDIControl(INDIControl):
    """INDIControl, computed once per tick; its filters are exact for readings held between ticks.

    The readings of force and rotor speeds at a tick take effect at the next one. Raises ParameterError as
    CascadeControl does.

    Example:
        {type: SampledINDIControl, vehicle: crazyflie, sample_time: 0.002}
    """

    sampled: ClassVar[bool] = True
    crossings: ClassVar[tuple[Crossing, ...]] = ()

    sample_time: Real = parameter(default=0.002, unit="s", doc="period", above=0, dimensions=(0,))
    offset: Real = parameter(default=0.0, unit="s", doc="first tick", minimum=0, dimensions=(0,))

    def constants(self) -> Mapping[str, Any]:
        constants = super().constants()
        return {**constants, "hold": held_filter(constants["bandwidth"], float(self.sample_time))}  # type: ignore[arg-type]

    def functions(self) -> Mapping[str, Callable[..., Any]]:
        return {"output": sampled_control, "update": step}


def held_filter(W: float, T: float) -> Array:
    """Value and rate after T of y'' = W^2 (x - y) - sqrt(2) W y', by y, y' before and x, (2, 3)."""
    s = W / sqrt(2.0)  # the poles are -s +- s i
    c, n, fading = np.cos(s * T), np.sin(s * T), np.exp(-s * T)
    F = fading * np.array([[c + n, n / s], [-2.0 * s * n, c - n]])
    return np.column_stack([F, np.array([1.0, 0.0]) - F[:, 0]])


def control(
    mode: int, motion: Motion, reference: Reference, integral: Array, filters: Array, body: Body,
    loops: Loops, room: Workspace, torque: Array,
) -> float:  # fmt: skip
    return incremental(motion, reference, integral, filters, body, loops, room, mode, torque)


def mode_of(
    motion: Motion,
    reference: Reference,
    integral: Array,
    filters: Array,
    body: Body,
    loops: Loops,
    room: Workspace,
) -> int:
    know(filters, room)
    return cascade_mode(motion, reference, integral, body, loops, room)


def margins(
    mode: int, motion: Motion, reference: Reference, integral: Array, filters: Array, body: Body,
    loops: Loops, room: Workspace,
) -> Margins:  # fmt: skip
    know(filters, room)
    return cascade_margins(motion, reference, integral, body, loops, room, mode)


class Feedback(NamedTuple):
    """The measured acceleration and speeds, and arrays for the resulting increments."""

    measured: Measurements
    increment: Increment


def follow(
    mode: int, motion: Motion, reference: Reference, feedback: Feedback, integral: Array, filters: Array,
    body: Body, loops: Loops, room: Workspace, bandwidth: float, d_integral: Array, d_filters: Array,
) -> None:  # fmt: skip
    increment = feedback.increment
    know(filters, room)
    rate = integral_rate(motion, reference, integral, body, loops, room, mode)
    for i in range(3):
        d_integral[i] = rate[i]
    feel(motion, feedback.measured, body, loops, room.R, increment)
    filter_slopes(increment.raw, filters, bandwidth, d_filters)


def sampled_control(
    motion: Motion, reference: Reference, integral: Array, filters: Array, body: Body,
    loops: Loops, room: Workspace, torque: Array,
) -> float:  # fmt: skip
    mode = mode_of(motion, reference, integral, filters, body, loops, room)
    return incremental(motion, reference, integral, filters, body, loops, room, mode, torque)


def step(
    motion: Motion, reference: Reference, feedback: Feedback, integral: Array, filters: Array, body: Body,
    loops: Loops, room: Workspace, sample_time: float, hold: Array, next_integral: Array, next_filters: Array,
) -> None:  # fmt: skip
    increment = feedback.increment
    mode = mode_of(motion, reference, integral, filters, body, loops, room)
    rate = integral_rate(motion, reference, integral, body, loops, room, mode)
    for i in range(3):
        next_integral[i] = integral[i] + sample_time * rate[i]
    feel(motion, feedback.measured, body, loops, room.R, increment)
    filter_step(increment.raw, filters, hold, next_filters)
