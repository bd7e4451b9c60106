"""The known world of filters for a pose: landmarks at given places, and measured positions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import KW_ONLY
from typing import Any, ClassVar, NamedTuple

import numpy as np

from ..contract.errors import ParameterError
from ..contract.parameter import Array, Real, option, parameter
from ..contract.port import PER_LANDMARK, Port
from ..estimation.covariance import covariance
from .clocked import check_count, points
from .dead_reckoning import OdometryFilter

FRESH = (0.0, 1.0)  # each reading is used once


class Fix(NamedTuple):
    """A measured position, and its covariance."""

    measured_position: Array
    blunt: Array  # covariance of its error
    fixed: float  # ticks from one to the next; 0: there are none


class KnownWorld(OdometryFilter):
    """The common part of filters that use mapped landmarks, measured positions, or both."""

    abstract: ClassVar = True

    landmarks: Real | None = parameter(
        default=None, unit="m", doc="rows x, y; default: no input", dimensions=(2,)
    )
    _: KW_ONLY
    position_covariance: Real | None = parameter(
        default=None,
        unit="m2",
        doc="covariance of a measured position; default: no input",
        dimensions=(0, 1, 2),
    )
    position_every: int = option(default=1, doc="ticks between measured positions")

    def world_ports(self) -> tuple[Port, ...]:
        """The inputs with measurements of the world."""
        ports: tuple[Port, ...] = ()
        if self.landmarks is not None:
            ports += readings_ports(len(np.atleast_1d(np.asarray(self.landmarks, np.float64))))
        if self.position_covariance is not None:
            pace = (0.0, float(self.position_every))
            ports += (Port("measured_position", 2, "m", "x and y, such as those of a PlanarGPS", pace=pace),)
        return ports

    def constants(self) -> Mapping[str, Any]:
        return {**super().constants(), **self._landmarks(), **self._position()}

    def _landmarks(self) -> Mapping[str, Any]:
        if self.landmarks is None:
            nothing = {name: np.zeros(1) for name in ("ranges", "bearings", "seen")}
            return {**nothing, "rows": np.zeros((1, 2))}
        return {"rows": points(self, "landmarks")}

    def _position(self) -> Mapping[str, Any]:
        if self.position_covariance is None:
            return {"measured_position": np.zeros(2), "blunt": np.eye(2), "fixed": 0.0}
        check_count(self, "position_every", 1, 1_000_000)
        return {
            "blunt": covariance(self, "position_covariance", 2, positive=True),
            "fixed": float(self.position_every),
        }

    def check_world(self, *others: str) -> None:
        """Raise ParameterError if landmarks, measured positions and the other parameters are all missing."""
        names = ("landmarks", "position_covariance", *others)
        if all(getattr(self, name) is None for name in names):
            expected = f"one of {', '.join(names)}: nothing else corrects the odometry"
            raise ParameterError(self.kind(), "landmarks", None, expected)


def readings_ports(n: int) -> tuple[Port, Port, Port]:
    """The inputs for the readings of a RangeBearing of n landmarks."""
    return (
        Port("ranges", n, "m", flat=True, pace=FRESH, size_rule=PER_LANDMARK),
        Port(
            "bearings",
            n,
            "rad",
            "from the heading, to the left",
            flat=True,
            pace=FRESH,
            size_rule=PER_LANDMARK,
        ),
        Port(
            "seen",
            n,
            "",
            "1 if there is a reading, otherwise 0",
            flat=True,
            pace=FRESH,
            size_rule=PER_LANDMARK,
        ),
    )


def has_fix(fixed: float, count: float) -> bool:
    """True if a position is measured at a tick."""
    return fixed > 0.0 and count % fixed == 0.0
