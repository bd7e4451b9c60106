"""Base of blocks that compute with mass, inertia and drag of a vehicle."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from .vehicle_block import VehicleBlock


class VehicleModelBlock(VehicleBlock):
    """Base of blocks with a vehicle. Functions may name `mass`, `J`, `drag` (linear) and `gravity`."""

    abstract: ClassVar = True

    def constants(self) -> Mapping[str, Any]:
        model = self.model
        return {
            "mass": model.mass,
            "J": np.array(model.inertia),
            "drag": np.array(model.linear_drag),
            "gravity": model.gravity,
        }
