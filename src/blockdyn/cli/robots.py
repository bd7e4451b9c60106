"""`blockdyn robots`: the robots of the library found by words, or one of them shown and drawn."""

from __future__ import annotations

import os
from argparse import Namespace
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..base.errors import BlockdynError
from ..base.text_table import Table
from ..base.words import nearest
from ..plots.robots.picture import SIZE, draw_pose, telling_pose
from ..robots.convert import text
from ..robots.errors import UnknownRobot
from ..robots.inverse.workspace import Workspace, workspace
from ..robots.library.catalogue import FILES, catalogue, document, load, robot_in
from ..robots.model.joint import Joint
from ..robots.model.robot import Robot
from .console import show, show_json


def describe_robot(robot: Robot) -> list[str | Table]:
    """Title, source, parameters, inertial data, motors, named poses, workspace."""
    parts = text.describe_robot(robot)
    return [*parts, "", _reach(workspace(robot))] if robot.n else parts


def facts(robot: Robot) -> dict[str, Any]:
    """The facts of a robot as plain data; angles in rad."""
    space = workspace(robot) if robot.n else None
    return {
        "name": robot.name,
        "title": robot.title,
        "structure": robot.structure,
        "source": robot.source,
        "notes": robot.notes,
        "joints": [_joint_facts(joint) for joint in robot.joints],
        "links": [
            {"name": k.name, "mass": k.mass, "com": k.com, "inertia": k.inertia, "frame": k.frame}
            for k in robot.links
        ],
        "base": robot.base,
        "tool": robot.tool,
        "gravity": robot.gravity,
        "poses": dict(robot.poses),
        "workspace": None if space is None else {"reach": space.reach, "low": space.low, "high": space.high},
    }


def _joint_facts(joint: Joint) -> dict[str, Any]:
    return {name: getattr(joint, name) for name in joint.__dataclass_fields__}


def _reach(space: Workspace) -> str:
    ranges = ", ".join(f"{axis} {a:.2f} to {b:.2f}" for axis, a, b in zip("xyz", space.low, space.high))
    text = f"workspace of the tool: reach {space.reach:.3f} m from the first joint; {ranges} m"
    text += f" ({space.samples} random poses within the limits)"
    return text + (f"; {space.assumed}" if space.assumed else "")


TITLE = 0.24  # inches: the line above the picture


def pose(robot: Robot, text: str | None) -> tuple[str, Any]:
    """Name and coordinates of the requested pose, or of the clearest pose. Raises BlockdynError."""
    if text is None:
        return telling_pose(robot)
    if text in robot.named:
        return text, robot.named[text]
    with suppress(ValueError):
        q = np.array([float(part) for part in text.split(",")])
        if len(q) == robot.n and np.isfinite(q).all():
            return f"[{text}]", q
    names = list(robot.named)
    raise BlockdynError(
        f"{robot.name} has no pose `{text}`{nearest(text, names)}\n"
        f"expected one of: {', '.join(names) or 'none is named'};"
        f" or {robot.n} numbers with commas, rad and m"
    )


def save(robot: Robot, name: str, q: ArrayLike, file: str, *, with_workspace: bool = False) -> None:
    """Draw the robot in the pose of this name into a file, cropped. Raises ResultFileError."""
    from ..plots import canvas
    from ..robots.inverse.workspace import sample_positions

    canvas.check_picture(file)
    figure = canvas.new((SIZE, SIZE), False)
    axes = draw_pose(robot, figure, q, sample_positions(robot)[0] if with_workspace else None)
    _write_title(figure, axes, f"{robot.name}, {name}{' and workspace' if with_workspace else ''}")
    canvas.finished(figure, file, False)


def _write_title(figure: Any, axes: Any, title: str) -> None:
    """Write the title into a separate line above the drawing."""
    width, height = figure.get_size_inches()
    grown = height + TITLE
    place = axes.get_position()
    axes.set_position((place.x0, place.y0 * height / grown, place.width, place.height * height / grown))
    figure.set_size_inches(width, grown)
    figure.text(0.02, 1 - 0.06 / grown, title, fontsize=9, weight="bold", va="top", parse_math=False)


def robots(arguments: Namespace) -> int:
    """List the robots that have all the words, or show the one that is named; draw it with --plot."""
    words: list[str] = arguments.words
    robot = _single(words, read_options(arguments))
    if robot is None:
        for option in ("plot", "pose", "equations"):
            if getattr(arguments, option):
                problem = f"`{' '.join(words)}` is not the name of a robot" if words else "no robot is named"
                expected = f"one robot, such as `blockdyn robots puma560 --{option}`"
                raise BlockdynError(f"--{option}: {problem}\nexpected: {expected}")
        _show_list(words, arguments.json)
        return 0
    if arguments.equations:
        show_equations(robot, arguments.equations, as_json=arguments.json)
        return 0
    name, q = pose(robot, arguments.pose)
    parts: list[str | Table] = [] if arguments.json else describe_robot(robot)
    if arguments.plot:
        save(robot, name, q, arguments.plot, with_workspace=arguments.workspace)
        parts += ["", f"picture in pose {name}: {arguments.plot}"]
    if arguments.json:
        show_json(facts(robot))
    else:
        show(*parts)
    return 0


def show_equations(robot: Robot, parameters: str, *, as_json: bool) -> None:
    """Print the robot's equations. Raises SymbolicError."""
    from ..robots.equations.symbolic import symbolic

    made = symbolic(robot, parameters)
    from ..robots.equations.shown import break_lines, describe_equations

    if as_json:
        show_json(dict(describe_equations(made)))
        return
    parts: list[str | Table] = [f"{robot.name}: {robot.title or 'robot'}, {robot.structure}"]
    if made.parameters:
        values = ", ".join(f"{symbol} = {value:.10g}" for symbol, value in made.parameters.items())
        parts.append(f"with {values}")
    for heading, lines in describe_equations(made):
        parts += ["", heading, *("  " + "\n  ".join(break_lines(line)) for line in lines)]
    show(*parts)


def robot_named(word: str) -> Robot:
    """The robot of a name or of a file. Raises UnknownRobot."""
    robot = _single([word], {})
    if robot is None:
        raise UnknownRobot(word, catalogue())
    return robot


def read_options(arguments: Namespace) -> dict[str, Any]:
    """Arguments and packages of a xacro file."""
    values, packages = (
        dict(word.partition("=")[::2] for word in words if "=" in word)
        for words in (arguments.argument, arguments.package)
    )
    folder = next((word for word in arguments.package if "=" not in word), "")
    return {key: value for key, value in (("arguments", values), ("packages", packages or folder)) if value}


def _single(words: list[str], options: dict[str, Any]) -> Robot | None:
    """The robot that the words name, if they name one."""
    if len(words) != 1:
        return None
    word = words[0]
    if word in catalogue():
        return load(word)
    if Path(word).suffix.lower() in FILES or os.sep in word:
        return robot_in(word, **options)
    return None


def _show_list(words: list[str], as_json: bool) -> None:
    names = [name for name in catalogue() if all(_has(name, word) for word in words)]
    if not names and len(words) > 1:
        alone = ", ".join(f"{_count(word)} `{word}`" for word in words)
        raise BlockdynError(
            f"no robot matches {' and '.join(f'`{word}`' for word in words)} together ({alone})\n"
            "expected: words that one robot has; `blockdyn robots` lists all"
        )
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
    """True if the structure is the word, or the name, title, data or a keyword holds it."""
    entry, values = _entry(name), document(name).values
    texts = [name, entry["title"], entry["data"], *values.get("keywords", [])]
    if "dh" in values or "mdh" in values:
        texts.append("modified mdh" if "mdh" in values else "standard dh")
    return word.lower() == entry["structure"].lower() or any(word.lower() in text.lower() for text in texts)
