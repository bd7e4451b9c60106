"""Base of camera blocks: the mount, the lens and the sensor, and the points in view."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import KW_ONLY
from typing import Any, ClassVar, NamedTuple

import numpy as np

from ...robots.lie.checks import GroupError, pose
from ..contract.block import Block
from ..contract.errors import ParameterError
from ..contract.parameter import Real, option, parameter
from ..contract.port import Port, Size
from ..poses.sizes import POSE

IDENTITY = [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]
MOST = 1000  # points


class Lens(NamedTuple):
    """Focal lengths in pixels, and the pixel on the optical axis."""

    fu: float
    fv: float
    u0: float
    v0: float


class MountedBlock(Block):
    """Base of blocks with a camera's mount."""

    abstract: ClassVar = True

    _: KW_ONLY
    mount: Real = parameter(
        default=IDENTITY, unit="m", doc="pose of the camera in the body that carries it, 4x4", dimensions=(2,)
    )

    def check(self) -> None:
        super().check()
        try:
            pose(self.mount, "mount")
        except GroupError as error:
            raise ParameterError(self.kind(), "mount", self.mount, reason=error) from None


class CameraBlock(MountedBlock):
    """Base of blocks with points of the world, fixed or from an input. Functions name them P."""

    abstract: ClassVar = True

    points: Real | None = parameter(
        default=None, unit="m", doc="fixed in the world, a row (x, y, z) per point; default: an input P",
        dimensions=(2,),
    )  # fmt: skip
    count: int = option(default=4, doc="number of points of the input P")

    def check(self) -> None:
        super().check()
        if self.points is not None and np.asarray(self.points).shape[1] != 3:
            raise ParameterError(self.kind(), "points", self.points, "a row (x, y, z) per point")
        if not 1 <= self.count <= MOST:
            raise ParameterError(self.kind(), "count", self.count, f"a number from 1 to {MOST}")

    @property
    def number(self) -> int:
        """The number of points."""
        return self.count if self.points is None else len(np.asarray(self.points))

    def constants(self) -> Mapping[str, Any]:
        fixed = {} if self.points is None else {"P": np.asarray(self.points, np.float64)}
        return {**fixed, "unknown": np.full(self.number, -1.0)}

    def scratch(self) -> Mapping[str, tuple[int, ...]]:
        return {"pose": (4, 4)}

    def input_ports(self) -> tuple[Port, ...]:
        pose = Port("T", POSE, "m", "pose of the body that carries the camera")
        if self.points is not None:
            return (pose,)
        return (
            pose,
            Port("P", Size((self.count, 3)), "m", "points of the world", size_rule="n x 3, a row per point"),
        )


class LensBlock(Block):
    """Base of blocks with a lens and a sensor, as in the toolbox's CentralCamera."""

    abstract: ClassVar = True

    _: KW_ONLY
    focal_length: Real = parameter(default=0.008, unit="m", above=0, dimensions=(0,))
    pixel_size: Real = parameter(
        default=1e-5, unit="m", doc="size of a square pixel, or width and height", above=0, dimensions=(0, 1)
    )
    image_size: Real = parameter(
        default=[1024.0, 1024.0], unit="pixel", doc="width and height", above=0, dimensions=(1,)
    )
    principal_point: Real | None = parameter(
        default=None, unit="pixel", doc="pixel on the optical axis; default: the centre", dimensions=(1,)
    )

    def check(self) -> None:
        super().check()
        if np.asarray(self.pixel_size).shape not in ((), (2,)):
            raise ParameterError(self.kind(), "pixel_size", self.pixel_size, "a number, or two")
        for name in ("image_size", "principal_point"):
            value = getattr(self, name)
            if value is not None and np.shape(value) != (2,):
                raise ParameterError(self.kind(), name, value, "two numbers")

    def lens(self) -> Mapping[str, Any]:
        """The parameters of a Lens, and the size of the image."""
        size = np.asarray(self.image_size, np.float64)
        centre = size / 2.0 if self.principal_point is None else np.asarray(self.principal_point, np.float64)
        focal = np.broadcast_to(float(self.focal_length) / np.asarray(self.pixel_size, np.float64), (2,))  # type: ignore[arg-type]
        values: tuple[float, ...] = (*focal.tolist(), *centre.tolist())
        return {**dict(zip(Lens._fields, values, strict=True)), "image": size.copy()}


def side(rises: int, falls: int, before: float, value: float) -> float:
    """1 or 0, by the event, because the value is then 0 within rounding; at the start by the value."""
    if rises == 1:
        return 1.0
    if falls == 1:
        return 0.0
    return before if before >= 0.0 else (1.0 if value >= 0.0 else 0.0)
