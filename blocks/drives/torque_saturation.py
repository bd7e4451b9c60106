"""TorqueSaturation: the commanded torque within the limits of a motor."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import numpy as np

from ..contract.block import Block
from ..contract.curves import clip_icon
from ..contract.errors import ParameterError
from ..contract.icon import Icon
from ..contract.parameter import Array, Real, parameter
from ..contract.port import Crossing, Port


class TorqueSaturation(Block):
    """The limits of joint torques.

        tau = min(max(tau_ref, tau_min), tau_max)

    tau_max and tau_min are one number or one per joint; tau_min defaults to -tau_max. `limited` is 1 while a
    torque is at its limit, otherwise 0. The branch is a mode: it changes at the located instant when tau_ref
    passes a limit. tau_ref feeds through to both outputs directly. Raises ParameterError unless tau_min <
    tau_max.

    Example:
        {type: TorqueSaturation, tau_max: [97.6, 186.4, 89.4, 24.2, 20.1, 21.3]}
    """

    icon = "saturation"
    inputs: ClassVar = (Port("tau_ref", None, "N m or N"),)
    outputs: ClassVar = (Port("tau", None, "N m or N"), Port("limited"))
    crossings: ClassVar = (Crossing("upper"), Crossing("lower"))
    elementwise: ClassVar = True

    tau_max: Real = parameter(unit="N m or N", doc="maximum torque", above=0, dimensions=(0, 1))
    tau_min: Real = parameter(
        default=-np.inf, unit="N m or N", doc="minimum torque; -.inf: -tau_max", infinite=True,
        dimensions=(0, 1),
    )  # fmt: skip

    def symbol(self) -> Icon:
        lower = -np.asarray(self.tau_max) if self.tau_min is None else self.tau_min
        return clip_icon(lower, self.tau_max)

    def check(self) -> None:
        try:
            ordered = bool(np.all(self.constants()["lowest"] < np.asarray(self.tau_max)))
        except ValueError:
            ordered = False
        if not ordered:
            expected = f"below tau_max, {self.tau_max}, and for the same number of joints"
            raise ParameterError(self.kind(), "tau_min", self.tau_min, expected)

    def constants(self) -> Mapping[str, Array]:
        least = np.asarray(self.tau_min, np.float64)
        return {"lowest": np.where(np.isneginf(least), -np.asarray(self.tau_max, np.float64), least)}

    @staticmethod
    def crossing(tau_ref: float, lowest: float, tau_max: float) -> tuple[float, float]:
        return tau_ref - tau_max, tau_ref - lowest

    @staticmethod
    def mode(tau_ref: float, lowest: float, tau_max: float) -> int:
        return 1 if tau_ref > tau_max else (-1 if tau_ref < lowest else 0)

    @staticmethod
    def output_tau(mode: int, tau_ref: float, lowest: float, tau_max: float) -> float:
        return tau_max if mode > 0 else (lowest if mode < 0 else tau_ref)

    @staticmethod
    def output_limited(mode: int) -> float:
        return 1.0 if mode != 0 else 0.0
