"""The loop calls the functions of a program and of a family of steps by these names.

For a loop in Python, `code` has the functions. In machine code `code` is the address of a table of
addresses, and `loop.build` links calls of these names to the program and the steps.
"""

from __future__ import annotations

from .backend import Code
from .fields import Floats
from .layout import Common, Memory


def derivative(code: Code, t: float, x: Floats, dx: Floats, m: Memory) -> int:
    """Compute the derivatives of the states, and the zero crossings."""
    return code.derivative(code, t, x, dx, m)


def evaluate(code: Code, t: float, x: Floats, dx: Floats, m: Memory) -> int:
    """Compute the same, and all signals."""
    return code.evaluate(code, t, x, dx, m)


def observe(code: Code, t: float, x: Floats, dx: Floats, m: Memory) -> int:
    """The signals at ticks that only read."""
    return code.observe(code, t, x, dx, m)


def remember(code: Code, t: float, x: Floats, dx: Floats, m: Memory) -> int:
    """The signals into the histories of blocks that have one."""
    return code.remember(code, t, x, dx, m)


def quarters(
    code: Code, t: float, t_new: float, h: float, x: Floats, K: Floats, out: Floats, G: Floats, m: Memory
) -> int:
    """The rows of a step in four parts, by a program with a step of its own."""
    return code.quarters(code, t, t_new, h, x, K, out, G, m)


def tangent(
    code: Code, t: float, time_d: Floats, x: Floats, x_d: Floats, dx: Floats, dx_d: Floats, m: Memory,
    shadows: int,
) -> int:  # fmt: skip
    """The slopes with their derivatives along directions; in machine code only."""
    raise NotImplementedError


# ---- at an instant, where a run with derivatives has functions that carry these too ----


def evaluate_instant(code: Code, t: float, x: Floats, dx: Floats, m: Memory) -> int:
    """All signals, slopes and zero crossings."""
    return code.evaluate(code, t, x, dx, m)


def react(code: Code, t: float, x: Floats, dx: Floats, m: Memory) -> int:
    """The reactions to events: 1 if something has changed."""
    return code.react(code, t, x, dx, m)


def update(code: Code, t: float, x: Floats, dx: Floats, m: Memory) -> int:
    """The held states after ticks."""
    return code.update(code, t, x, dx, m)


def remember_instant(code: Code, t: float, x: Floats, dx: Floats, m: Memory) -> int:
    """The signals into histories."""
    return code.remember(code, t, x, dx, m)


# ---- the step just taken, see solvers.methods.method.Steps ----


def prepare(code: Code, m: Memory, s: Common) -> int:
    """Additional work for dense output, once a step."""
    return code.prepare(code, m, s)


def interpolate(code: Code, m: Memory, s: Common, theta: float, out: Floats) -> None:
    """x(t + theta h)."""
    code.interpolate(m, s, theta, out)
