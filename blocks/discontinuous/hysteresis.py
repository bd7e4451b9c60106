"""Hysteresis: a weighted sum of plays, which makes loops of any convex shape."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from ..contract.block import Block
from ..contract.errors import ParameterError
from ..contract.parameter import Array, Real, parameter
from ..contract.port import Crossing, Port, State

CONTACT = 1e-12  # relative to u and r: after u has left an edge, it pushes again this far beyond the edge


class Hysteresis(Block):
    """The Prandtl-Ishlinskii model: plays (Backlash) of several half-widths, summed.

        y = k u + sum_i weights_i P_i(u)        P_i: the play with u - radii_i <= P_i <= u + radii_i

    Each turn of u begins a new branch, with a corner wherever one more play takes part; the corner at 2 r
    from the turn adds the weight of radius r to the slope. Weights and radii can therefore form any branch
    whose slope increases piecewise from k, and closed loops inside loops. Turns and corners are located, and
    jumps of u are handled exactly. The plays start at 0, or at the nearest value that u allows.
    GeneralizedPlay has a curve for each direction instead. u is a scalar, and feeds through to y directly.
    Raises ParameterError unless there is one weight for each radius, above 0.
    Source: Brokate, Sprekels, Hysteresis and Phase Transitions (1996), section 2.4; Kuhnen, European J.
    Control 9(4), 2003, 407-418, doi:10.3166/ejc.9.407-418.

    Example:
        {type: Hysteresis, radii: [0.1, 0.3, 0.6], weights: [0.5, 0.3, 0.2], k: 0.1}
    """

    icon = "hysteresis"
    inputs: ClassVar = (Port("u", 1),)
    outputs: ClassVar = (Port("y", 1),)
    states: ClassVar = (
        State("x", "free", held=True, like="u"),
        State("side", "free", held=True),
        State("last", "none", held=True, like="u", before="u"),
    )

    radii: Real = parameter(
        default=[0.5], unit="[u]", doc="half the width of each play", above=0, dimensions=(1,)
    )
    weights: Real = parameter(default=[1.0], unit="[y]/[u]", doc="weight of each play", dimensions=(1,))
    k: Real = parameter(default=0.0, unit="[y]/[u]", doc="gain of u itself", dimensions=(0,))

    def check(self) -> None:
        if np.shape(self.radii) != np.shape(self.weights):  # type: ignore[arg-type]
            count = np.size(self.radii)  # type: ignore[arg-type]
            raise ParameterError(
                self.kind(), "weights", self.weights, f"{count} numbers, one for each radius"
            )

    def zero_crossings(self) -> tuple[Crossing, ...]:
        count = int(np.size(self.radii))  # type: ignore[arg-type]
        contacts = Crossing("upper", +1, count), Crossing("lower", -1, count)
        return (*contacts, Crossing("top", -1, turns=True), Crossing("bottom", +1, turns=True))

    def constants(self) -> Mapping[str, Any]:
        return {"free": np.zeros(np.size(self.radii)), "none": 0.0}  # type: ignore[arg-type]

    @staticmethod
    def crossing(
        u: float, x: Array, side: Array, radii: Array, upper: Array, lower: Array
    ) -> tuple[float, float]:
        up = down = 0.0
        for i in range(x.shape[0]):
            near = CONTACT * (radii[i] + abs(u))
            upper[i] = u - x[i] - radii[i] - near if side[i] == 0.0 else -1.0
            lower[i] = u - x[i] + radii[i] + near if side[i] == 0.0 else 1.0
            up = max(up, side[i])
            down = min(down, side[i])
        return (u if up > 0.0 else 0.0), (u if down < 0.0 else 0.0)

    @staticmethod
    def jump(
        u: float, x: Array, side: Array, last: float, radii: Array, crossed_top: int, crossed_bottom: int,
        next_x: Array, next_side: Array,
    ) -> float:  # fmt: skip
        for i in range(x.shape[0]):
            y = x[i] if side[i] == 0.0 else last - side[i] * radii[i]
            near = CONTACT * (radii[i] + abs(u))
            turned = crossed_top == 1 if side[i] > 0.0 else crossed_bottom == 1
            next_x[i], next_side[i] = y, 0.0
            if u - y - radii[i] > near:
                next_side[i] = 1.0
            elif y - u - radii[i] > near:
                next_side[i] = -1.0
            elif side[i] != 0.0 and not turned and side[i] * (last - u) <= near:
                next_side[i] = side[i]
                next_x[i] = x[i]
        return last

    @staticmethod
    def output(u: float, x: Array, side: Array, radii: Array, weights: Array, k: float) -> float:
        y = k * u
        for i in range(x.shape[0]):
            y += weights[i] * (x[i] if side[i] == 0.0 else u - side[i] * radii[i])
        return y
