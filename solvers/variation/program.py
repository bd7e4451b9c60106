"""A loop with derivatives calls the tangents of a program by these names; `follow.link` links them.

Such loops run in machine code only.
"""

from __future__ import annotations

from ..backend import Code
from ..fields import Floats
from ..layout import Memory, Work
from .fields import Variation


def variation(code: Code) -> Variation:
    """The derivatives of the run."""
    raise NotImplementedError


def slopes_tangent(
    code: Code, t: float, time_d: Floats, x: Floats, x_d: Floats, dx: Floats, dx_d: Floats, m: Memory,
    shadows: int, w_d: Floats,
) -> int:  # fmt: skip
    """Compute the slopes with their derivatives, with algebraic loops solved."""
    raise NotImplementedError


def signals_tangent(
    code: Code, t: float, time_d: Floats, x: Floats, x_d: Floats, dx: Floats, dx_d: Floats, m: Memory,
    shadows: int, w_d: Floats,
) -> int:  # fmt: skip
    """Compute all signals, slopes and zero crossings with their derivatives, with algebraic loops solved."""
    raise NotImplementedError


def part(code: Code, m: Memory, s: Work, t: float, h: float, tried: bool) -> int:
    """Carry S in begin_d at t, where the state is `begin`, to x_d a time h later; see `parts`."""
    raise NotImplementedError


def state_at(code: Code, m: Memory, s: Work, time: float) -> int:
    """The state at a time within the step, into x_trial; see `loop.within`."""
    raise NotImplementedError


def settle(code: Code, m: Memory, s: Work, first: int) -> int:
    """Handle an instant; see `loop.instant`."""
    raise NotImplementedError
