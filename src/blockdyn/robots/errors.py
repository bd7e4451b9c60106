"""Errors of robots: in descriptions in Python, in files, and in conversions."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from typing import Any

from ..base.errors import BlockdynError, PrintableText
from ..base.location import Location
from ..base.words import nearest

PACKAGE = __name__.partition(".")[0]


_READERS = {"yaml": "from_file", "yml": "from_file", **dict.fromkeys(("urdf", "xml", "xacro"), "from_urdf")}


class RobotError(BlockdynError):
    """A robot cannot be described, found, read or converted."""


class InvalidRobot(RobotError):
    """An impossible value of a robot: its place, the value found, the value expected."""

    def __init__(self, place: str, actual: str, expected: str) -> None:
        self.place, self.actual, self.expected = place, actual, expected
        super().__init__(f"{place}: {actual}\nexpected: {expected}")


class UnknownRobot(RobotError):
    """A name that is not in the library of robots, or of vehicles."""

    def __init__(self, name: str, choices: Iterable[str], kind: str = "robot") -> None:
        self.name = name
        names = sorted(choices)
        files = "{file: FILE}, {urdf: FILE}" if kind == "robot" else "{file: FILE}"
        reader = _READERS.get(name.rpartition(".")[2].lower(), "")
        if reader and kind == "robot":
            super().__init__(
                f"`{name}` is a file name, not the name of a library robot\n"
                f'expected: in Python robots.{reader}("{name}"),'
                f" in a diagram {{{'urdf' if 'urdf' in reader else 'file'}: {name}}}"
            )
            return
        super().__init__(
            f"there is no {kind} `{name}`{nearest(name, names)}\n"
            f"expected one of: {', '.join(names)}; or {files}"
        )


class UnknownFrame(RobotError):
    """A frame that the robot does not have."""

    def __init__(self, robot: str, name: object, choices: Iterable[str]) -> None:
        self.robot, self.name = robot, name
        names = list(choices)
        super().__init__(
            f"{robot} has no frame `{name}`{nearest(str(name), names)}\nexpected one of: {', '.join(names)}"
        )


class ConversionError(RobotError):
    """A robot that cannot be written in the requested form."""

    def __init__(self, robot: str, form: str, reason: str) -> None:
        self.robot, self.form, self.reason = robot, form, reason
        super().__init__(f"{robot} has no {form}: {reason}")


class RobotFileError(RobotError):
    """A file that is not a robot: file, line and column if available, the problem, the content expected.

    `path` is the path of the wrong value, by keys and list indices, if the file can be read to there.
    """

    path: tuple[Any, ...] = ()

    def __init__(
        self, file: str, line: int | None, problem: str, expected: str, *, column: int | None = None
    ) -> None:
        self.file, self.line, self.column = file, line, column
        self.problem, self.expected = problem, expected
        super().__init__(f"{Location(file, line, column)}: {problem}\nexpected: {expected}")


def several_robot_errors(errors: Sequence[RobotFileError]) -> RobotFileError:
    """Return one error for several mistakes in a robot's file: the first gives the place."""
    first = errors[0]
    one = RobotFileError(first.file, first.line, first.problem, first.expected, column=first.column)
    return one.gathering(errors)


class RobotWarning(PrintableText, UserWarning):
    """A value that is accepted although it is probably a mistake."""


def count_own_frames() -> int:
    """The stack level of the first function outside blockdyn, for a warning at the caller's line."""
    level, frame = 1, sys._getframe(1)
    while frame.f_back is not None and _inside(frame.f_globals.get("__name__", "")):
        level, frame = level + 1, frame.f_back
    return level


def _inside(module: str) -> bool:
    """True for a module of blockdyn, or of `dataclasses`, which copies its robots."""
    return module.partition(".")[0] in (PACKAGE, "dataclasses")


def massless(robot: str) -> str:
    """Error text for dynamics of a robot without masses."""
    return f"{robot} has no masses: kinematics only"
