"""Placed: initial pose of vehicles on wheels."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from ..contract.errors import ParameterError
from ..contract.parameter import Real, parameter
from .of_library import OfLibrary


class PlanarVehicle(OfLibrary):
    """Base of the vehicles on wheels: a pose at the start, and the parameters of their motion."""

    abstract: ClassVar = True

    initial_pose: Real = parameter(
        default=[0.0, 0.0, 0.0], unit="m, m, rad", doc="x, y and heading at the start", dimensions=(1,)
    )

    def check(self) -> None:
        super().check()
        if np.shape(self.initial_pose) != (3,):  # type: ignore[arg-type]
            raise ParameterError(self.kind(), "initial_pose", self.initial_pose, "three numbers")

    def constants(self) -> Mapping[str, Any]:
        x, y, heading = np.asarray(self.initial_pose, np.float64)
        return {"x0": float(x), "y0": float(y), "heading0": float(heading), "zero": 0.0}

    def logged(self) -> tuple[str, ...] | None:
        return tuple(port.name for port in self.output_ports() if port.name not in ("position", "heading"))
