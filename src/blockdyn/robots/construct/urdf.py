"""A robot is read from the Unified Robot Description Format, without its geometry."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from ...base.checked import checked_numbers
from ...base.error_collector import ErrorCollector
from ...base.words import nearest
from ..errors import InvalidRobot, RobotFileError, several_robot_errors
from ..model.joint import BASE, Joint
from ..model.link import Link, doubt
from ..model.poses import Array, pose, turn_to
from ..model.robot import EARTH, TOOL, Robot
from .element import Element, read_root
from .xacro import PREFIX, Expansion, is_xacro

KINDS = {"revolute": "revolute", "continuous": "revolute", "prismatic": "prismatic", "fixed": "fixed"}
PRODUCTS = {"planar": ("x", "y", "theta"), "spherical": ("x", "y", "z"), "ball": ("x", "y", "z")}
WORLD = "world"
Pair = tuple[Joint, Link]


@dataclass(frozen=True)
class Choices:
    """The options of `from_urdf` that say how joints and links are read."""

    locked: Mapping[str, float]
    impossible: str
    limits: str


@checked_numbers(InvalidRobot)
def from_urdf(
    path: str | Path,
    *,
    tip: str = "",
    locked: Mapping[str, float] | None = None,
    name: str = "",
    base: ArrayLike = (0.0, 0.0, 0.0),
    tool: ArrayLike = (0.0, 0.0, 0.0),
    gravity: ArrayLike = EARTH,
    poses: Mapping[str, Any] | None = None,
    impossible: Literal["refuse", "warn"] = "refuse",
    limits: Literal["file", "none"] = "file",
    arguments: Mapping[str, Any] | None = None,
    packages: Mapping[str, str | Path] | str | Path | None = None,
    boundary: str | Path | None = None,
) -> Robot:
    """A robot from a URDF or xacro file: links, joints, inertial data, limits, damping and friction.

    Every link keeps its name and frame; the root link is fixed to the base. A link that the file calls
    base or tool, which are the names of a robot's own frames, becomes base_frame or tool_frame. `tip` is the
    link that carries the tool; the default is the end of the longest branch. `locked` fixes joints at a
    coordinate, such as the fingers of a gripper. Coordinates are in the order of the file's joints along each
    branch. A joint that mimics another one moves with its coordinate, within the limits of both. A planar
    joint is two slides NAME_x, NAME_y and a turn NAME_theta about the axis; a spherical one turns NAME_x,
    NAME_y, NAME_z about the axes of its frame, one after the other. A floating joint can only be locked.

    Damping and friction act at the joint; `drake:gear_ratio` and `drake:rotor_inertia` are its motor's. Warns
    (RobotWarning) about a revolute or prismatic joint without <limit>, and about moments of inertia that no
    body can have; rounding of the digits in the file is allowed for. impossible="warn": also about masses and
    moments below 0, which are refused otherwise. limits="none": limits that contradict each other, such as a
    lower one above the upper one, count as none. Elements of other programs, such as Gazebo's, are ignored.

    Calls of macros in a .urdf file that has no other xacro are left over from an expansion: they are ignored
    too, with a warning.

    A xacro file is expanded as ROS does: `arguments` are the values of its <xacro:arg>, and the only
    environment that $(env X) reads; `packages` maps the packages of $(find X) and package://X to folders, or
    is the folder that holds them. A package around the file, or next to a folder around it, is found. With a
    `boundary`, files outside this folder and those of `packages` are refused.

    Specifications: http://wiki.ros.org/urdf/XML, http://wiki.ros.org/xacro. Raises RobotFileError, with the
    lines of all mistakes.
    """
    root = read_root(Path(path))
    if root.tag != "robot":
        raise root.wrong(f"the file begins with <{root.tag}>", "<robot>")
    if is_xacro(root) or Path(path).suffix == ".xacro":
        root = Expansion(Path(path), arguments or {}, packages, boundary).expand(root)
    elif arguments:
        raise root.wrong("arguments for a file without xacro", "no `arguments`")
    elif calls := sorted({each.tag for each in root.inside() if each.tag.startswith(PREFIX)}):
        root.warn(f"calls of macros that the file does not have are ignored: {', '.join(calls)}")
    _add_world(root)
    renamed = _rename(root)
    errors = ErrorCollector(RobotFileError, several_robot_errors)
    links, joints = _index_by_name(root, "link", errors), _index_by_name(root, "joint", errors)
    choices = Choices(dict(locked or {}), impossible, limits)
    for unknown in set(choices.locked) - set(joints):
        raise root.wrong(
            f"there is no joint `{unknown}` to lock{nearest(unknown, joints)}", "a joint of the file"
        )
    order = _order(root, links, joints, errors)
    made = [_root(root, links, joints)]
    with errors:
        made = [(made[0][0], _link(links[made[0][1].name], choices))]
    for element in order:
        pairs: list[Pair] = []
        with errors:
            pairs = _joint(element, joints, choices, _read_motors(root))
        with errors:
            link = _link(links[element.need("child").text("link")], choices)
            made += [*pairs[:-1], *((joint, link) for joint, _ in pairs[-1:])]
    errors.finish()
    try:
        return Robot(
            name or root.attributes.get("name", Path(path).stem),
            tuple(joint for joint, _ in made),
            tuple(link for _, link in made),
            base=base,
            tool=tool,
            tip=renamed.get(tip, tip) or _tip(order, choices.locked, made[0][1].name),
            gravity=gravity,
            poses=poses or {},
        )
    except InvalidRobot as error:
        raise root.wrong(f"{error.place}: {error.actual}", error.expected) from None


def _add_world(root: Element) -> None:
    """Add the link `world` if joints start there and the file has none."""
    parents = (end for joint in root.all("joint") for end in joint.all("parent"))
    used = next((end for end in parents if end.attributes.get("link", "").strip() == WORLD), None)
    names = (link.attributes.get("name", "").strip() for link in root.all("link"))
    if used is not None and WORLD not in names:
        root.children.append(Element(used.file, used.line, "link", {"name": WORLD}))


def _rename(root: Element) -> dict[str, str]:
    """New names for links named like frames that every robot has."""
    links = list(root.all("link"))
    taken = {link.attributes.get("name", "").strip() for link in links}
    renamed: dict[str, str] = {}
    for word in taken & {BASE, TOOL}:
        renamed[word] = f"{word}_frame"
        while renamed[word] in taken:
            renamed[word] += "_"
    ends = [end for joint in root.all("joint") for end in joint.children if end.tag in ("parent", "child")]
    for key, elements in (("name", links), ("link", ends)):
        for element in elements:
            name = element.attributes.get(key, "").strip()
            element.attributes[key] = renamed.get(name, name)
    return renamed


def _index_by_name(root: Element, tag: str, errors: ErrorCollector[RobotFileError]) -> dict[str, Element]:
    named: dict[str, Element] = {}
    for element in root.all(tag):
        with errors:
            name = element.text("name")
            if name in named:
                problem = f"a second {tag} `{name}`, the first is in line {named[name].line}"
                raise element.wrong(problem, "names that differ")
            named[name] = element
    return named


def _order(
    root: Element,
    links: Mapping[str, Element],
    joints: Mapping[str, Element],
    errors: ErrorCollector[RobotFileError],
) -> list[Element]:
    """The joints, parents first, branch by branch. Raises the errors collected before and here."""
    below: dict[str, list[Element]] = {name: [] for name in links}
    above: dict[str, Element] = {}
    for joint in joints.values():
        ends = {}
        for end in ("parent", "child"):
            with errors:
                ends[end] = name = joint.need(end).text("link")
                if name not in links:
                    problem = f"there is no link `{name}`{nearest(name, links)}"
                    raise joint.need(end).wrong(problem, "a link of the file")
                if end == "child" and name in above:
                    first = above[name]
                    line = f"`{first.text('name')}` of line {first.line}"
                    problem = f"{joint.shown()} carries `{name}`, as {line} does"
                    raise joint.wrong(problem, "one joint above each link: closed chains are not read")
        above.setdefault(ends.get("child", ""), joint)
        below.setdefault(ends.get("parent", ""), []).append(joint)
    errors.finish()
    order: list[Element] = []
    waiting = list(reversed(below[_root_name(root, links, above)]))
    while waiting:
        joint = waiting.pop()
        order.append(joint)
        waiting += reversed(below[joint.need("child").text("link")])
    if len(order) < len(joints):
        lost = next(joint for joint in joints.values() if joint not in order)
        raise lost.wrong(f"{lost.shown()} is attached to itself", "every link below the root link")
    return order


def _root_name(root: Element, links: Mapping[str, Element], above: Mapping[str, Element]) -> str:
    if not links:
        raise root.wrong("the file has no link", "a robot; files of macros are included by others")
    roots = [name for name in links if name not in above]
    if len(roots) != 1:
        at = links[roots[1]] if len(roots) > 1 else root
        problem = (
            f"{len(roots)} links without a joint above them{': ' if roots else ''}{', '.join(roots[:5])}"
        )
        raise at.wrong(problem, "one, the root of the tree")
    return roots[0]


def _root(root: Element, links: Mapping[str, Element], joints: Mapping[str, Element]) -> Pair:
    """The joint that fixes the root link, and a link of its name."""
    children = {joint.need("child").text("link") for joint in joints.values()}
    name = next(name for name in links if name not in children)
    free = "root" if "root" not in joints else "root of the tree"
    return Joint(free, "fixed", BASE), Link(name)


def _read_motors(root: Element) -> dict[str, dict[str, float]]:
    """Gear ratios and rotor inertias of Drake's transmissions, by joint."""
    motors: dict[str, dict[str, float]] = {}
    for part in (*root.all("transmission"), *root.all("joint")):
        joints = [part] if part.tag == "joint" else list(part.all("joint"))
        for holder in (part, *part.all("actuator")):
            for tag, field_name in (("drake:gear_ratio", "gear"), ("drake:rotor_inertia", "motor_inertia")):
                element = holder.first(tag)
                for joint in joints if element is not None else ():
                    value = element.number("value", math.nan) if element is not None else math.nan
                    motors.setdefault(joint.attributes.get("name", "").strip(), {})[field_name] = value
    return motors


def _joint(
    element: Element, joints: Mapping[str, Element], choices: Choices, motors: Mapping[str, dict[str, float]]
) -> list[Pair]:
    """The joints that replace a joint of the file, each with its link except the last."""
    name, written = element.text("name"), element.text("type")
    at = choices.locked.get(name)
    product = PRODUCTS.get(written, ())
    kind: Any = KINDS.get(written, "fixed")
    if written == "floating" and at is None:
        remedy = f'a robot on a base: locked={{"{name}": 0.0}} fixes the joint'
        raise element.wrong(f"{element.shown()} is floating", remedy)
    if written not in (*KINDS, *PRODUCTS, "floating"):
        raise element.wrong(f"{element.shown()} is {written}", f"one of {', '.join((*KINDS, *PRODUCTS))}")
    parent, place = element.need("parent").text("link"), _origin(element)
    axis = (element.first("axis") or Element("", 0, "axis", {})).numbers("xyz", (1.0, 0.0, 0.0))
    try:
        if product and at is None:
            return _product(name, product, parent, place, axis, _friction(element, {}))
        if kind == "fixed":
            return [(Joint(name, "fixed", parent, place), Link(name))]
        leader, ratio, offset = _follow(name, joints, choices.locked, ())
        if not leader:
            return [(_lock_joint(Joint(name, kind, parent, place, axis), offset), Link(name))]
        facts = _friction(element, motors.get(name, {})) | _limits(element, written, choices, offset)
        if leader != name:
            facts |= {"mimic": leader, "multiplier": ratio, "offset": offset}
            _check_overlap(element, joints[leader], ratio, facts, choices)
        return [(Joint(name, kind, parent, place, axis, **facts), Link(name))]
    except InvalidRobot as error:
        raise element.wrong(f"{error.place}: {error.actual}", error.expected) from None


def _friction(element: Element, motor: Mapping[str, float]) -> dict[str, Any]:
    """Damping and friction of a joint, converted to the side of its motor."""
    dynamics = element.first("dynamics") or Element("", 0, "dynamics", {})
    gear = abs(motor.get("gear", 1.0)) or 1.0
    viscous, coulomb = dynamics.number("damping", 0.0), dynamics.number("friction", 0.0)
    return {"viscous": viscous / (gear * gear), "coulomb": coulomb / gear, **motor}


def _limits(element: Element, written: str, choices: Choices, offset: float) -> dict[str, Any]:
    """Limits of a joint's coordinate without the offset of a mimic."""
    limit = element.first("limit")
    if limit is None:
        if written in ("revolute", "prismatic") and element.first("mimic") is None:
            element.warn(f"{element.shown()} is {written} and has no <limit>, which URDF demands: no limits")
        return {}
    facts = {"effort": limit.number("effort", math.inf), "speed": limit.number("velocity", math.inf)}
    if choices.limits == "none":
        facts = {key: value for key, value in facts.items() if value >= 0}
    lower, upper = limit.number("lower", 0.0), limit.number("upper", 0.0)
    if written == "continuous" or (lower > upper and choices.limits == "none"):
        return facts
    if lower > upper:
        problem = f"{element.shown()}: the lower limit {lower:g} lies above the upper one, {upper:g}"
        raise element.wrong(problem, 'lower <= upper; Bullet writes this for no limit: limits="none"')
    return facts | {"lower": lower - offset, "upper": upper - offset}


def _follow(
    name: str, joints: Mapping[str, Element], locked: Mapping[str, float], path: tuple[str, ...]
) -> tuple[str, float, float]:
    """The joint whose coordinate moves this one, multiplier and offset; no joint if it is constant."""
    element = joints[name]
    if name in locked or element.text("type") == "fixed":
        return "", 0.0, float(locked.get(name, 0.0))
    mimic = element.first("mimic")
    if mimic is None:
        if path and element.text("type") not in KINDS:
            raise element.wrong(f"`{path[-1]}` mimics {element.shown()}", "a joint with one coordinate")
        return name, 1.0, 0.0
    other, path = mimic.text("joint"), (*path, name)
    if other not in joints:
        raise mimic.wrong(f"there is no joint `{other}`{nearest(other, joints)}", "a joint of the file")
    if other in path:
        circle = " -> ".join((*path[path.index(other) :], other))
        remedy = f'one of them with a coordinate of its own, or locked={{"{other}": 0.0}}'
        raise mimic.wrong(f"joints mimic each other: {circle}", remedy)
    leader, ratio, offset = _follow(other, joints, locked, path)
    own = mimic.number("multiplier", 1.0)
    ratio, offset = own * ratio, own * offset + mimic.number("offset", 0.0)
    return leader if ratio else "", ratio, offset


def _check_overlap(
    element: Element, leader: Element, ratio: float, facts: dict[str, Any], choices: Choices
) -> None:
    """Raise if a mimic's limits leave the joint that it mimics no motion, or remove them."""
    limit = leader.first("limit")
    if "lower" not in facts or limit is None or leader.text("type") == "continuous":
        return
    lower, upper = limit.number("lower", 0.0), limit.number("upper", 0.0)
    ends = sorted((facts["lower"] / ratio, facts["upper"] / ratio))
    if lower >= upper or max(lower, ends[0]) < min(upper, ends[1]):
        return
    if choices.limits == "none":
        del facts["lower"], facts["upper"]
        return
    problem = f"{element.shown()} allows `{leader.text('name')}`, which it mimics, {ends[0]:g} .. {ends[1]:g}"
    raise element.wrong(
        f"{problem}, and its own limits are {lower:g} .. {upper:g}",
        'limits that overlap; limits="none" leaves those of the mimic out',
    )


def _product(
    name: str,
    parts: tuple[str, ...],
    parent: str,
    place: Array,
    axis: tuple[float, ...],
    facts: dict[str, Any],
) -> list[Pair]:
    """One joint for each coordinate of a planar or spherical joint."""
    axes, after = np.eye(3), np.eye(4)
    if parts[-1] == "theta":
        after[:3, :3] = turn_to(np.array(Joint(name, axis=axis).axis))[:3, :3]
        axes = after[:3, :3].T
    pairs = []
    for k, part in enumerate(parts):
        kind: Any = "prismatic" if parts[-1] == "theta" and k < 2 else "revolute"
        joint = Joint(f"{name}_{part}", kind, parent, place if k == 0 else np.eye(4), axes[k], **facts)
        pairs.append((joint, Link(joint.name)))
        parent = joint.name
    return pairs


def _lock_joint(joint: Joint, at: float) -> Joint:
    from ..calls.frames import motion

    moved = motion(np.array(joint.axis), np.array([float(at)]), joint.kind == "prismatic")[0]
    return Joint(joint.name, "fixed", joint.parent, np.array(joint.place) @ moved)


ELEMENTS = ("ixx", "iyy", "izz", "ixy", "ixz", "iyz")
ROUNDED = 0.01  # of the trace: digits in a file that leave more open are no rounding


def _link(element: Element, choices: Choices) -> Link:
    inertial = element.first("inertial")
    name = element.text("name")
    try:
        if inertial is None:
            return Link(name)
        tensor = inertial.need("inertia")
        xx, yy, zz, xy, xz, yz = (tensor.number(key, 0.0) for key in ELEMENTS)
        T = _origin(inertial)
        R = T[:3, :3]
        turned = R @ np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]) @ R.T
        turned = (turned + turned.T) / 2
        mass = inertial.need("mass").number("value", 0.0)
        if not np.isfinite(turned).all():
            return Link(name, mass, T[:3, 3], turned)
        here, warned = f"link `{name}`", choices.impossible == "warn"
        doubted = doubt(turned, here, _rounding(tensor), negative=warned)
        if mass < 0 and warned:
            doubted = f"{here}: the mass is {mass:g} kg"
        rounded = bool(doubt(turned, here, negative=True)) and mass >= 0
        link = Link(name, mass, T[:3, 3], turned, accepted=bool(doubted) or rounded)
        if doubted:
            tensor.warn(doubted)
        return link
    except InvalidRobot as error:
        remedy = f'{error.expected}; impossible="warn" reads it as it is'
        raise (inertial or element).wrong(f"{error.place}: {error.actual}", remedy) from None


def _rounding(tensor: Element) -> float:
    """Bound on the error of the principal moments that comes from the digits in the file, kg m2."""
    square = trace = 0.0
    for key in ELEMENTS:
        digits, _, power = tensor.attributes.get(key, "0").strip().lower().partition("e")
        unit = 10.0 ** (int(power or 0) - len(digits.partition(".")[2]))
        square += (0.25 if key[1] == key[2] else 0.5) * unit * unit
        trace += abs(tensor.number(key, 0.0)) if key[1] == key[2] else 0.0
    return min(math.sqrt(square), ROUNDED * trace)


def _origin(element: Element) -> Array:
    origin = element.first("origin")
    if origin is None:
        return np.eye(4)
    xyz, rpy = origin.numbers("xyz", (0.0, 0.0, 0.0)), origin.numbers("rpy", (0.0, 0.0, 0.0))
    try:
        return np.array(pose({"xyz": xyz, "rpy": rpy}, element.shown()))
    except InvalidRobot as error:
        raise origin.wrong(f"{error.place}: {error.actual}", error.expected) from None


def _tip(order: list[Element], locked: Mapping[str, float], root: str) -> str:
    """The end of the branch with the most moving joints; of equal ones the first, and its last link."""
    depth = {root: (0, 0)}
    for joint in order:
        parent, child = (joint.need(end).text("link") for end in ("parent", "child"))
        moves = joint.text("type") != "fixed" and joint.text("name") not in locked
        depth[child] = (depth[parent][0] + moves, depth[parent][1] + 1)
    return max(depth, key=lambda name: depth[name])
