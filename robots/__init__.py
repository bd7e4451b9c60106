"""Rigid-body mechanics: spatial algebra, robot and vehicle models, their data files; knows no blocks."""

if not __name__.startswith("blockdyn."):
    raise ImportError("this folder is a part of blockdyn: import blockdyn.robots")

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .build.dh import from_dh, from_mdh
    from .build.elementary import from_elementary
    from .build.screws import from_screws
    from .build.tree import from_tree
    from .build.urdf import from_urdf
    from .convert.dh import to_dh, to_mdh
    from .convert.dh_table import DHTable
    from .convert.elementary import to_elementary
    from .convert.screws import Screws, to_screws
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
    from .geometry import frames
    from .joining import join
    from .joint import Joint
    from .library import catalogue, from_file, load, robot_from
    from .link import Link
    from .robot import Robot

__all__ = [
    "ConversionError",
    "DHTable",
    "InvalidRobot",
    "Joint",
    "Link",
    "Robot",
    "RobotError",
    "RobotFileError",
    "RobotWarning",
    "Screws",
    "UnknownFrame",
    "UnknownRobot",
    "UrdfError",
    "catalogue",
    "frames",
    "from_dh",
    "from_elementary",
    "from_file",
    "from_mdh",
    "from_screws",
    "from_tree",
    "from_urdf",
    "join",
    "load",
    "robot_from",
    "to_dh",
    "to_elementary",
    "to_mdh",
    "to_screws",
]

# where a name lives: imported when it is first used, because every part of blockdyn passes through this file
_HOMES = {
    "build.dh": ("from_dh", "from_mdh"),
    "build.elementary": ("from_elementary",),
    "build.screws": ("from_screws",),
    "build.tree": ("from_tree",),
    "build.urdf": ("from_urdf",),
    "convert.dh": ("to_dh", "to_mdh"),
    "convert.dh_table": ("DHTable",),
    "convert.elementary": ("to_elementary",),
    "convert.screws": ("Screws", "to_screws"),
    "errors": (
        "ConversionError", "InvalidRobot", "RobotError", "RobotFileError", "RobotWarning", "UnknownFrame",
        "UnknownRobot", "UrdfError",
    ),
    "geometry": ("frames",),
    "joining": ("join",),
    "joint": ("Joint",),
    "library": ("catalogue", "from_file", "load", "robot_from"),
    "link": ("Link",),
    "robot": ("Robot",),
}  # fmt: skip


def __getattr__(name: str) -> Any:
    for home, names in _HOMES.items():
        if name in names:
            return getattr(import_module(f".{home}", __name__), name)
    from .toolbox import absent

    raise absent(f"module {__name__!r}", name)
