"""URDF: a robot from the Unified Robot Description Format; geometry and transmissions are not read."""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ...base.checked import guarded
from ...base.words import nearest
from ..errors import InvalidRobot, RobotFileError, RobotWarning, count_own_frames
from ..model.joint import BASE, Joint
from ..model.link import Link, doubt
from ..model.poses import Array, pose
from ..model.robot import EARTH, TOOL, Robot

DEEPEST = 100


@dataclass
class Element:
    """A tag with its attributes and children."""

    file: str
    line: int
    tag: str
    attributes: dict[str, str]
    children: list[Element] = field(default_factory=list)

    def all(self, tag: str) -> Iterator[Element]:
        """The children of that tag."""
        return (child for child in self.children if child.tag == tag)

    def first(self, tag: str) -> Element | None:
        """The first child of that tag."""
        return next(self.all(tag), None)

    def inside(self) -> Iterator[Element]:
        """This element and all below it, in the order of the file."""
        yield self
        for child in self.children:
            yield from child.inside()

    def need(self, tag: str) -> Element:
        """The first child of that tag. Raises RobotFileError."""
        element = self.first(tag)
        if element is None:
            raise self.wrong(f"{self.shown()} has no <{tag}>", f"one <{tag}> inside")
        return element

    def text(self, name: str) -> str:
        """An attribute that is needed. Raises RobotFileError."""
        value = self.attributes.get(name, "").strip()
        if not value:
            raise self.wrong(f"{self.shown()} has no {name}", f'{name}="..."')
        return value

    def numbers(self, name: str, default: tuple[float, ...]) -> tuple[float, ...]:
        """The numbers of an attribute, as many as the default has. Raises RobotFileError."""
        text = self.attributes.get(name)
        if text is None:
            return default
        try:
            values = tuple(float(part) for part in text.split())
        except ValueError:
            values = ()
        if len(values) != len(default):
            expected = "one number" if len(default) == 1 else f"{len(default)} numbers"
            raise self.wrong(f'{self.shown()} has {name}="{text}"', expected)
        return values

    def number(self, name: str, default: float) -> float:
        """The number of an attribute. Raises RobotFileError."""
        return self.numbers(name, (default,))[0]

    def shown(self) -> str:
        """The tag with its name, for messages."""
        name = self.attributes.get("name")
        return f'<{self.tag} name="{name}">' if name else f"<{self.tag}>"

    def wrong(self, problem: str, expected: str) -> RobotFileError:
        """An error at this element."""
        return RobotFileError(self.file, self.line, problem, expected)

    def warn(self, problem: str) -> None:
        """A warning about this element."""
        warnings.warn(f"{self.file}:{self.line}: {problem}", RobotWarning, stacklevel=count_own_frames())


def read_root(path: Path) -> Element:
    """The root element of a file. Raises RobotFileError."""
    if str(path).lstrip().startswith("<"):
        raise RobotFileError(
            "the file", None, "XML text in its place", "the path of a file: write the text into one"
        )
    try:
        data = path.read_bytes()
    except OSError as error:
        raise RobotFileError(str(path), None, f"cannot read it: {error.strerror}", "a URDF file") from None
    return parse(data, str(path))


def parse(data: bytes, file: str) -> Element:
    """The root element of a text. Raises RobotFileError."""
    from xml.parsers.expat import ExpatError, ParserCreate

    parser = ParserCreate()
    root: list[Element] = []
    opened: list[Element] = []

    def start(tag: str, attributes: dict[str, Any]) -> None:
        element = Element(file, parser.CurrentLineNumber, tag, attributes)
        if len(opened) >= DEEPEST:
            raise element.wrong(f"more than {DEEPEST} levels of nesting", "a URDF file")
        (opened[-1].children if opened else root).append(element)
        opened.append(element)

    def doctype(*_: Any) -> None:
        raise RobotFileError(
            file, parser.CurrentLineNumber, "a DOCTYPE", "elements alone: no entity is expanded"
        )

    parser.StartElementHandler = start
    parser.EndElementHandler = lambda _: opened.pop()
    parser.StartDoctypeDeclHandler = doctype
    try:
        parser.Parse(data, True)
    except ExpatError as error:
        line = opened[-1] if opened else None
        hint = f"; {line.shown()} of line {line.line} is still open there" if line else ""
        raise RobotFileError(
            file, error.lineno, f"not XML: {_plain(error)}{hint}", "well-formed XML"
        ) from None
    except (LookupError, ValueError) as error:  # an unknown encoding in the declaration
        raise RobotFileError(file, 1, f"not XML: {error}", "UTF-8") from None
    return root[0]


def _plain(error: Any) -> str:
    from xml.parsers.expat import errors

    return str(errors.messages.get(error.code, error))


KINDS = {"revolute": "revolute", "continuous": "revolute", "prismatic": "prismatic", "fixed": "fixed"}


@guarded(InvalidRobot)
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
) -> Robot:
    """A robot from a URDF file: links, joints, inertial data, limits, damping and friction.

    Every link keeps its name and frame; the root link is fixed to the base. A link that the file calls
    base or tool, which are the names of a robot's own frames, becomes base_frame or tool_frame. `tip` is the
    link that carries the tool; the default is the end of the longest branch. `locked` fixes joints at a
    coordinate, such as the fingers of a gripper; joints that mimic another one have to be locked. Coordinates
    are in the order of the file's joints along each branch. The gear ratio is 1: damping and friction act at
    the joint. Warns (RobotWarning) about a revolute or prismatic joint without <limit>, and about moments of
    inertia that no body can have. Elements of other programs, such as Drake's and Gazebo's, are ignored.

    Specification: http://wiki.ros.org/urdf/XML. Raises RobotFileError, with the line.
    """
    root = read_root(Path(path))
    if root.tag != "robot":
        raise root.wrong(f"the file begins with <{root.tag}>", "<robot>")
    macro = next((each for each in root.inside() if each.tag.startswith("xacro:")), None)
    if macro is not None:
        raise macro.wrong("a xacro file", "URDF; `xacro FILE.xacro > FILE.urdf` makes it")
    renamed = _rename(root)
    links, joints = _index_by_name(root, "link"), _index_by_name(root, "joint")
    fixed = dict(locked or {})
    for unknown in set(fixed) - set(joints):
        raise root.wrong(
            f"there is no joint `{unknown}` to lock{nearest(unknown, joints)}", "a joint of the file"
        )
    order = _order(root, links, joints)
    made = [_root(root, links, joints)]
    made += [(_joint(element, fixed), _link(links[element.need("child").text("link")])) for element in order]
    try:
        return Robot(
            name or root.attributes.get("name", Path(path).stem),
            tuple(joint for joint, _ in made),
            tuple(link for _, link in made),
            base=base,
            tool=tool,
            tip=renamed.get(tip, tip) or _tip(order, fixed, made[0][1].name),
            gravity=gravity,
            poses=poses or {},
        )
    except InvalidRobot as error:
        raise root.wrong(f"{error.place}: {error.actual}", error.expected) from None


def _rename(root: Element) -> dict[str, str]:
    """New names for links that are called as the frames that every robot has."""
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


def _index_by_name(root: Element, tag: str) -> dict[str, Element]:
    named: dict[str, Element] = {}
    for element in root.all(tag):
        name = element.text("name")
        if name in named:
            raise element.wrong(
                f"a second {tag} `{name}`, the first is in line {named[name].line}", "names that differ"
            )
        named[name] = element
    return named


def _order(root: Element, links: Mapping[str, Element], joints: Mapping[str, Element]) -> list[Element]:
    """The joints, parents first, branch by branch."""
    below: dict[str, list[Element]] = {name: [] for name in links}
    above: dict[str, Element] = {}
    for joint in joints.values():
        parent, child = (joint.need(end).text("link") for end in ("parent", "child"))
        for end, name in (("parent", parent), ("child", child)):
            if name not in links:
                raise joint.need(end).wrong(
                    f"there is no link `{name}`{nearest(name, links)}", "a link of the file"
                )
        if child in above:
            first = above[child]
            problem = (
                f"{joint.shown()} carries `{child}`, as `{first.text('name')}` of line {first.line} does"
            )
            raise joint.wrong(problem, "one joint above each link: closed chains are not read")
        above[child] = joint
        below[parent].append(joint)
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
    roots = [name for name in links if name not in above]
    if len(roots) != 1:
        at = links[roots[1]] if len(roots) > 1 else root
        problem = (
            f"{len(roots)} links without a joint above them{': ' if roots else ''}{', '.join(roots[:5])}"
        )
        raise at.wrong(problem, "one, the root of the tree")
    return roots[0]


def _root(root: Element, links: Mapping[str, Element], joints: Mapping[str, Element]) -> tuple[Joint, Link]:
    children = {joint.need("child").text("link") for joint in joints.values()}
    name = next(name for name in links if name not in children)
    free = "root" if "root" not in joints else "root of the tree"
    return Joint(free, "fixed", BASE), _link(links[name])


def _joint(element: Element, locked: Mapping[str, float]) -> Joint:
    name, written = element.text("name"), element.text("type")
    kind: Any = KINDS.get(written)
    if kind is None:
        raise element.wrong(f"{element.shown()} is {written}", f"one of {', '.join(KINDS)}")
    mimic = element.first("mimic")
    if mimic is not None and name not in locked:
        remedy = f'lock it: locked={{"{name}": 0.0}}; coupled joints are not read'
        raise mimic.wrong(f"{element.shown()} mimics `{mimic.attributes.get('joint', '?')}`", remedy)
    axis = (element.first("axis") or Element("", 0, "axis", {})).numbers("xyz", (1.0, 0.0, 0.0))
    limit = element.first("limit")
    dynamics = element.first("dynamics") or Element("", 0, "dynamics", {})
    facts: dict[str, Any] = {
        "viscous": dynamics.number("damping", 0.0),
        "coulomb": dynamics.number("friction", 0.0),
    }
    if limit is None and written in ("revolute", "prismatic") and name not in locked:
        element.warn(f"{element.shown()} is {written} and has no <limit>, which URDF demands: no limits")
    if limit is not None:
        facts |= {"effort": limit.number("effort", math.inf), "speed": limit.number("velocity", math.inf)}
        if written != "continuous":
            facts |= {"lower": limit.number("lower", 0.0), "upper": limit.number("upper", 0.0)}
    parent = element.need("parent").text("link")
    place = _origin(element)
    try:
        joint = Joint(name, kind, parent, place, axis if kind != "fixed" else (0, 0, 1), **facts)
        return _lock_joint(joint, locked[name]) if name in locked and kind != "fixed" else joint
    except InvalidRobot as error:
        raise element.wrong(f"{error.place}: {error.actual}", error.expected) from None


def _lock_joint(joint: Joint, at: float) -> Joint:
    from ..calls.frames import motion

    moved = motion(np.array(joint.axis), np.array([float(at)]), joint.kind == "prismatic")[0]
    return Joint(joint.name, "fixed", joint.parent, np.array(joint.place) @ moved)


def _link(element: Element) -> Link:
    inertial = element.first("inertial")
    name = element.text("name")
    try:
        if inertial is None:
            return Link(name)
        tensor = inertial.need("inertia")
        values = {key[1:]: tensor.number(key, 0.0) for key in ("ixx", "iyy", "izz", "ixy", "ixz", "iyz")}
        T = _origin(inertial)
        R = T[:3, :3]
        xx, yy, zz, xy, xz, yz = (values[key] for key in ("xx", "yy", "zz", "xy", "xz", "yz"))
        turned = R @ np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]) @ R.T
        turned = (turned + turned.T) / 2
        doubted = doubt(turned, f"link `{name}`") if np.isfinite(turned).all() else ""
        mass = inertial.need("mass").number("value", 0.0)
        link = Link(name, mass, T[:3, 3], turned, accepted=bool(doubted))
        if doubted:
            tensor.warn(doubted)
        return link
    except InvalidRobot as error:
        raise (inertial or element).wrong(f"{error.place}: {error.actual}", error.expected) from None


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
