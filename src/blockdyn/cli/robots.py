"""`blockdyn robots`: the robots of the library found by words, or one of them shown."""

from __future__ import annotations

import os
from argparse import Namespace
from pathlib import Path
from typing import Any

from ..base.errors import BlockdynError
from ..base.text_table import Table
from ..robots.errors import UnknownRobot
from ..robots.library.catalogue import catalogue, document, load, robot_from
from ..robots.model.robot import Robot
from .console import show, show_json
from .robot_facts import described, facts
from .robot_picture import pose, save

FILES = (".yaml", ".yml", ".urdf")


class NoSingleRobot(BlockdynError):
    """A picture or a pose was asked for, and not of one robot."""

    def __init__(self, option: str, words: list[str]) -> None:
        self.option, self.words = option, words
        problem = f"`{' '.join(words)}` is no robot's name" if words else "no robot is named"
        super().__init__(
            f"{option}: {problem}\nexpected: one robot, such as `blockdyn robots puma560 {option} ...`"
        )


class NoMatch(BlockdynError):
    """Words that no robot of the library has together."""

    def __init__(self, words: list[str]) -> None:
        self.words = words
        alone = ", ".join(f"{_count(word)} `{word}`" for word in words)
        super().__init__(
            f"no robot matches {' and '.join(f'`{word}`' for word in words)} together ({alone})\n"
            "expected: words that one robot has; `blockdyn robots` lists all"
        )


def robots(arguments: Namespace) -> int:
    """List the robots that have all the words, or show the one that is named; draw it with --plot."""
    words: list[str] = arguments.words
    robot = _single(words)
    if robot is None:
        for option in ("plot", "pose"):
            if getattr(arguments, option):
                raise NoSingleRobot(f"--{option}", words)
        _show_list(words, arguments.json)
        return 0
    name, q = pose(robot, arguments.pose)
    parts: list[str | Table] = [] if arguments.json else described(robot)
    if arguments.plot:
        save(robot, name, q, arguments.plot, with_workspace=arguments.workspace)
        parts += ["", f"picture in pose {name}: {arguments.plot}"]
    if arguments.json:
        show_json(facts(robot))
    else:
        show(*parts)
    return 0


def _single(words: list[str]) -> Robot | None:
    """The robot that the words name, if they name one."""
    if len(words) != 1:
        return None
    word = words[0]
    if word in catalogue():
        return load(word)
    if Path(word).suffix.lower() in FILES or os.sep in word:
        return robot_from({"urdf" if Path(word).suffix.lower() == ".urdf" else "file": word})
    return None


def _show_list(words: list[str], as_json: bool) -> None:
    names = [name for name in catalogue() if all(_has(name, word) for word in words)]
    if not names and len(words) > 1:
        raise NoMatch(words)
    if not names:
        raise UnknownRobot(" ".join(words), catalogue())
    if as_json:
        show_json([_entry(name) for name in names])
        return
    rows = [
        (entry["name"], entry["structure"], entry["title"], entry["data"]) for entry in map(_entry, names)
    ]
    title = f"Robots with {' and '.join(f'`{word}`' for word in words)}" if words else "Robots"
    hint = (
        "`blockdyn robots NAME` shows one, `--plot FILE` draws it; any word searches: `blockdyn robots 6R`."
    )
    show(Table(title, ("", "", "", ""), rows, wide=2), "", hint)


def _count(word: str) -> str:
    return str(sum(_has(name, word) for name in catalogue()) or "none") + " with"


def _entry(name: str) -> dict[str, Any]:
    robot = load(name)
    frictional = any(joint.viscous or any(joint.coulomb) for joint in robot.joints)
    data = "dynamics, friction" if frictional else "dynamics" if robot.has_dynamics else "kinematics"
    return {"name": name, "structure": robot.structure, "title": robot.title, "data": data}


def _has(name: str, word: str) -> bool:
    """Whether the structure is the word, or the name, title, data or a keyword holds it."""
    entry, values = _entry(name), document(name).values
    texts = [name, entry["title"], entry["data"], *values.get("keywords", [])]
    if "dh" in values or "mdh" in values:
        texts.append("modified mdh" if "mdh" in values else "standard dh")
    return word.lower() == entry["structure"].lower() or any(word.lower() in text.lower() for text in texts)
