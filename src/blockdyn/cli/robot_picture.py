"""The picture of a robot in one of its named poses."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..base.errors import BlockdynError
from ..base.nearest import nearest
from ..plots.robots.picture import SIZE, posed, telling_pose
from ..robots.model.robot import Robot

TITLE = 0.24  # inches: the line above the picture


class UnknownPose(BlockdynError):
    """A pose that the robot does not have."""

    def __init__(self, robot: Robot, name: str) -> None:
        self.robot, self.name = robot.name, name
        names = list(robot.named)
        super().__init__(
            f"{robot.name} has no pose `{name}`{nearest(name, names)}\n"
            f"expected one of: {', '.join(names) or 'none is named'};"
            f" or {robot.n} numbers with commas, rad and m"
        )


def pose(robot: Robot, text: str | None) -> tuple[str, Any]:
    """The name and the coordinates of the wanted pose, or of the one that shows most. Raises UnknownPose."""
    if text is None:
        return telling_pose(robot)
    if text in robot.named:
        return text, robot.named[text]
    try:
        q = np.array([float(part) for part in text.split(",")])
    except ValueError:
        raise UnknownPose(robot, text) from None
    if len(q) != robot.n or not np.isfinite(q).all():
        raise UnknownPose(robot, text)
    return f"[{text}]", q


def save(robot: Robot, name: str, q: Any, file: str, *, with_workspace: bool = False) -> None:
    """Draw the robot in the pose of that name into a file, cropped. Raises ResultFileError."""
    from ..plots import canvas
    from ..robots.inverse.workspace import reached

    canvas.check_picture(file)
    figure = canvas.new((SIZE, SIZE), False)
    axes = posed(robot, figure, q, reached(robot)[0] if with_workspace else None)
    _titled(figure, axes, f"{robot.name}, {name}{' and workspace' if with_workspace else ''}")
    canvas.finished(figure, file, False)


def _titled(figure: Any, axes: Any, title: str) -> None:
    """Write the title into a line of its own above what is drawn."""
    width, height = figure.get_size_inches()
    grown = height + TITLE
    place = axes.get_position()
    axes.set_position((place.x0, place.y0 * height / grown, place.width, place.height * height / grown))
    figure.set_size_inches(width, grown)
    figure.text(0.02, 1 - 0.06 / grown, title, fontsize=9, weight="bold", va="top", parse_math=False)
