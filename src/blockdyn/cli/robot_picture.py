"""The picture of a robot in one of its named poses."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from ..native.errors import BlockdynError
from ..robots.errors import nearest
from ..robots.robot import Robot

PREFERRED = ("qn", "q", "qr", "qk1", "qs", "qz")  # the telling ones first
SIZE = 4.5  # inches


class UnknownPose(BlockdynError):
    """A pose that the robot does not have."""

    def __init__(self, robot: Robot, name: str) -> None:
        self.robot, self.name = robot.name, name
        known = list(robot.named)
        super().__init__(
            f"{robot.name} has no pose `{name}`{nearest(name, known)}\n"
            f"expected one of: {', '.join(known) or 'none is named'};"
            f" or {robot.n} numbers with commas, rad and m"
        )


def pose(robot: Robot, wanted: str | None) -> tuple[str, Any]:
    """The name and the coordinates of the wanted pose, or of the one that shows most. Raises UnknownPose."""
    if wanted is None:
        name = next((name for name in (*PREFERRED, *robot.named) if name in robot.named), "zero")
        return name, robot.named.get(name, np.zeros(robot.n))
    if wanted in robot.named:
        return wanted, robot.named[wanted]
    try:
        q = np.array([float(part) for part in wanted.split(",")])
    except ValueError:
        raise UnknownPose(robot, wanted) from None
    if len(q) != robot.n or not np.isfinite(q).all():
        raise UnknownPose(robot, wanted)
    return f"[{wanted}]", q


def save(robot: Robot, q: Any, file: str) -> None:
    """Draw the robot into a file, cropped. Raises ResultFileError."""
    from ..diagrams.results.errors import ResultFileError

    if Path(file).suffix.lower() not in (".png", ".pdf", ".svg"):
        raise ResultFileError("write", file, "the suffix names no picture", "use one of .png, .pdf, .svg")
    from ..diagrams.results import canvas
    from ..robots.picture import crop, draw

    figure = canvas.new((SIZE, SIZE), False)
    axes: Any = figure.add_subplot(projection="3d")
    draw(robot, q, axes)
    crop(figure, axes)
    canvas.finished(figure, file, False)
