"""Rigid-body mechanics: spatial algebra, robot and vehicle models, their data files; knows no blocks."""

if not __name__.startswith("blockdyn."):
    raise ImportError("this folder is a part of blockdyn: import blockdyn.robots")

from .build.dh import from_dh, from_mdh
from .errors import (
    ConversionError,
    InvalidRobot,
    RobotError,
    RobotFileError,
    RobotWarning,
    UnknownFrame,
    UnknownRobot,
    UrdfError,
)
from .joint import Joint
from .library import from_file, library, load, robot_from
from .link import Link
from .robot import Robot

__all__ = [
    "ConversionError",
    "InvalidRobot",
    "Joint",
    "Link",
    "Robot",
    "RobotError",
    "RobotFileError",
    "RobotWarning",
    "UnknownFrame",
    "UnknownRobot",
    "UrdfError",
    "from_dh",
    "from_file",
    "from_mdh",
    "library",
    "load",
    "robot_from",
]
