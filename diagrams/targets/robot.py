"""Robot targets: keys of the option `robot` that an axis may reach, and the robot with other values there."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np

from ...base.nearest import nearest
from ...blocks.contract.formula import Parameter
from ...blocks.contract.mappings import opened, plain
from ...robots.library.catalogue import CHANGES, SOURCES, changed, robot_from
from ...robots.model.robot import Robot
from ...robots.toolbox import KEYS
from .elements import check, replaced, size_in_words
from .path import Index, Step

LINK = ("mass", "com", "inertia", "frame")
JOINT = (
    "place", "axis", "offset", "lower", "upper", "speed", "effort", "viscous", "coulomb", "gear",
    "motor_inertia",
)  # fmt: skip
RECORDS = {"payload": ("mass", "at", "inertia", "frame"), "perturb": ("fraction", "seed", "com")}
TENSOR = {"xx": (0, 0), "yy": (1, 1), "zz": (2, 2), "xy": (0, 1), "xz": (0, 2), "yz": (1, 2)}
STRUCTURE = (*SOURCES, "parameters", "locked", "tip", "without_friction")
_ZEROS: dict[tuple[Step, ...], list[float]] = {
    ("payload", "at"): [0.0, 0.0, 0.0],
    ("payload", "inertia"): [0.0, 0.0, 0.0],
}
_BEFORE = (*SOURCES, "parameters", "locked", "links", "joints", "base", "tool", "tip", "gravity")

Names = Callable[[], Mapping[str, Any]]


class NoSuchKey(LookupError):
    """A step that leads nowhere: what it is, and what there is instead."""

    def __init__(self, actual: str, expected: str) -> None:
        self.actual, self.expected = actual, expected
        super().__init__(actual)


class Change(NamedTuple):
    """Other numbers for one place of a robot."""

    steps: tuple[Step, ...]
    value: Any


def check_steps(robot: Robot, steps: tuple[Step, ...]) -> None:
    """Raise NoSuchKey unless steps lead from the option `robot` to a value."""
    first, *inner = steps
    if not isinstance(first, str):
        raise NoSuchKey("the robot itself has no elements", f"one of its keys: {', '.join(CHANGES)}")
    _among(first, ("name", "parameters", "locked", *CHANGES), "a robot that varies")
    if first in ("links", "joints"):
        parts = robot.links if first == "links" else robot.joints
        if not inner:
            raise NoSuchKey(
                f"`{first}` alone", f"a number, such as `{first}.{parts[0].name}.{_first(first)}`"
            )
        if isinstance(inner[0], tuple):
            problem = f"`{first}[{', '.join(map(str, inner[0]))}]`: {first} have names, not numbers"
            raise NoSuchKey(problem, f"one of {', '.join(f'`{first}.{part.name}`' for part in parts)}")
        _among(inner[0], [part.name for part in parts], f"{robot.name}, {first}")
        if len(inner) < 2:
            example = f"`{first}.{inner[0]}.{_first(first)}`"
            raise NoSuchKey(f"`{first}.{inner[0]}` alone", f"a number, such as {example}")
        _among(inner[1], LINK if first == "links" else JOINT, f"{first}.{inner[0]}")
        _check_rest(robot, (first, inner[0], inner[1]), inner[2:])
    elif first in RECORDS and inner:
        _among(inner[0], RECORDS[first], f"`{first}`")
        _check_rest(robot, (first, inner[0]), inner[1:])
    elif first in ("parameters", "locked"):
        if len(inner) != 1 or not isinstance(inner[0], str):
            raise NoSuchKey(f"`{first}` without a name", f"`{first}.NAME`")
    else:
        _check_rest(robot, (first,), inner)


def _check_rest(robot: Robot, steps: tuple[Step, ...], inner: list[Step]) -> None:
    """Check what stands behind the keys: nothing, an index, or an element of an inertia."""
    if not inner:
        return
    place = ".".join(map(str, steps))
    if len(inner) > 1:
        raise NoSuchKey(f"`{place}` has nothing so deep", "one index behind it")
    if steps[-1] == "inertia" and isinstance(inner[0], str):
        _among(inner[0], tuple(TENSOR), f"`{place}`")
        return
    value = _value_at(robot, steps)
    if not isinstance(inner[0], tuple) or not isinstance(value, (list, tuple)):
        raise NoSuchKey(f"`{place}` is one value", "no key and no index behind it")
    shape = (3, 3) if steps[-1] == "inertia" and len(inner[0]) == 2 else np.shape(value)
    try:
        check(shape, inner[0])
    except IndexError:
        index = ", ".join(map(str, inner[0]))
        within = ", ".join(f"0 to {n - 1}" for n in shape)
        problem = f"`{place}` has no element [{index}]: it is {size_in_words(shape)}"
        raise NoSuchKey(problem, f"one of `{place}[{', '.join('ij'[: len(shape)])}]`, {within}") from None


def structural(steps: tuple[Step, ...]) -> bool:
    """Whether a place decides what a robot is made of, and not numbers alone."""
    return not steps or steps[0] in STRUCTURE


def with_changes(spec: Any, changes: list[Change], names: Names) -> Any:
    """The option `robot` with other values, in the form that a block takes.

    A name becomes a mapping; in a mapping the places are replaced, or added; a Robot is given the changes
    that a mapping would name. `names` are the diagram's parameters, for expressions of which one element is
    replaced. Raises RobotError, IndexError.
    """
    if isinstance(spec, Robot):
        mapping: dict[str, Any] = {}
        for change in changes:
            _put(mapping, change, spec, names)
        return changed(spec, mapping)
    data: dict[str, Any] = {"name": spec} if isinstance(spec, str) else _mapping(spec)
    for change in changes:
        _put(data, change, None, names)
    return opened(data)


def _mapping(spec: Any) -> dict[str, Any]:
    return dict(plain(getattr(spec, "data", spec)))


def _put(data: dict[str, Any], change: Change, robot: Robot | None, names: Names) -> None:
    """Replace one value in a mapping; `robot` has the numbers that it does not hold, or else its source."""
    keys = [step for step in change.steps if isinstance(step, str)]
    index = next((step for step in change.steps if isinstance(step, tuple)), None)
    if "inertia" in keys[:-1]:
        index = TENSOR[keys.pop()]
    inside = data
    for key in keys[:-1]:
        inside[key] = dict(inside.get(key) or {})
        inside = inside[key]
    if index is None:
        inside[keys[-1]] = change.value
        return
    before = inside.get(keys[-1])
    if not isinstance(before, (list, tuple, Parameter)):
        before = _value_at(robot if robot is not None else _source(data), tuple(keys))
    inside[keys[-1]] = _element(before, keys, index, change.value, names)


def _element(before: Any, keys: list[str], index: Index, value: Any, names: Names) -> Any:
    """Another element; of a tensor of inertia the one across the diagonal too."""
    tensor = keys[-1] == "inertia"
    diagonal = tensor and isinstance(before, (list, tuple)) and not isinstance(before[0], (list, tuple))
    if diagonal and len(index) == 2:
        before = [[before[i] if i == j else 0.0 for j in range(3)] for i in range(3)]
    after = replaced(before, index, value, names)
    if tensor and len(index) == 2:
        after = replaced(after, index[::-1], value, names)
    return after


def _source(data: Mapping[str, Any]) -> Robot:
    """The robot as it is before bodies are added to it, without what expressions say."""
    return robot_from(_settled({key: data[key] for key in _BEFORE if key in data}))


def _settled(value: Any) -> Any:
    """A mapping without the entries that are expressions."""
    if not isinstance(value, Mapping):
        return value
    return {key: _settled(item) for key, item in value.items() if not _is_open(item)}


def _is_open(value: Any) -> bool:
    if isinstance(value, (list, tuple)):
        return any(map(_is_open, value))
    return isinstance(value, Parameter)


def _value_at(robot: Robot, steps: tuple[Step, ...]) -> Any:
    """The value that a robot has at a place, as lists."""
    if steps[0] in RECORDS:
        return _ZEROS.get(steps[:2], 0.0)
    part: Any = robot
    if steps[0] in ("links", "joints"):
        part = robot.link(str(steps[1])) if steps[0] == "links" else robot.joint(str(steps[1]))
    return plain(getattr(part, str(steps[-1]), None))


def _first(kind: str) -> str:
    return "mass" if kind == "links" else "viscous"


def _among(name: Step, names: Any, owner: str) -> None:
    if name not in names:
        ours = [f"`{key}`" for key in KEYS.get(str(name), ()) if key in names]
        hint = f", did you mean {' and '.join(ours)}?" if ours else nearest(str(name), list(names))
        raise NoSuchKey(f"{owner} has no `{name}`{hint}", f"one of {', '.join(map(str, names))}")
