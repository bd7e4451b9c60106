"""Rigid-body mechanics: spatial algebra, robot and vehicle models, their data files; knows no blocks."""

if not __name__.startswith("blockdyn."):
    raise ImportError("this folder is a part of blockdyn: import blockdyn.robots")

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .calls.frames import frames
    from .construct.dh import from_dh, from_mdh
    from .construct.elementary import from_elementary
    from .construct.screws import from_screws
    from .construct.tree import from_tree
    from .construct.urdf import from_urdf
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
    from .library.catalogue import catalogue, from_file, load, robot_from
    from .library.joining import join
    from .model.joint import Joint
    from .model.link import Link
    from .model.robot import Robot

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
    "construct.dh": ("from_dh", "from_mdh"),
    "construct.elementary": ("from_elementary",),
    "construct.screws": ("from_screws",),
    "construct.tree": ("from_tree",),
    "construct.urdf": ("from_urdf",),
    "convert.dh": ("to_dh", "to_mdh"),
    "convert.dh_table": ("DHTable",),
    "convert.elementary": ("to_elementary",),
    "convert.screws": ("Screws", "to_screws"),
    "errors": (
        "ConversionError", "InvalidRobot", "RobotError", "RobotFileError", "RobotWarning", "UnknownFrame",
        "UnknownRobot", "UrdfError",
    ),
    "calls.frames": ("frames",),
    "library.joining": ("join",),
    "model.joint": ("Joint",),
    "library.catalogue": ("catalogue", "from_file", "load", "robot_from"),
    "model.link": ("Link",),
    "model.robot": ("Robot",),
}  # fmt: skip


def __getattr__(name: str) -> Any:
    for home, names in _HOMES.items():
        if name in names:
            return getattr(import_module(f".{home}", __name__), name)
    from .toolbox import absent

    raise absent(f"module {__name__!r}", name)
