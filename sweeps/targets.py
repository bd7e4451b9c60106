"""Targets: the paths of axes looked up in a diagram."""

from __future__ import annotations

import numpy as np

from ..base.annotations import fits
from ..base.location import Location
from ..blocks.arms.robot_option import robot_of
from ..blocks.block import Block
from ..blocks.errors import nearest
from ..diagrams.diagram_error import listed
from ..diagrams.subsystem import Subsystem
from ..diagrams.yaml.kinds import Kind, kinds
from ..robots.errors import RobotError
from .elements import check, size_in_words
from .errors import BadAxis, UnknownPath
from .overrides import Overrides, overrides
from .robot_targets import NoSuchKey, check_steps, structural
from .target import Target
from .target_path import FORM, Index, Step, parts, written
from .view import View

SETTINGS = (
    "stop", "start", "method", "rtol", "atol", "max_step", "first_step", "step", "seed", "on_zeno",
)  # fmt: skip
"""The arguments of a run that an axis may vary; the others say what is written down, and where."""
SIMULATE = "simulate"

__all__ = ["SETTINGS", "Overrides", "Target", "View", "overrides", "resolve"]


def resolve(view: View, path: str, location: Location | None = None) -> Target:
    """The target of a path.

        kp, gains[1]                      a parameter of the diagram, or an element of it
        block.name, sub/block.name[0,1]   a parameter of a block or subsystem; where it has none of that name,
                                          an initial state
        block.robot.payload.mass          a key of a robot, as in `robot: {payload: {mass: 2}}`
        simulate.rtol                     a setting of the run, unless a block is called `simulate`

    Raises UnknownPath with the nearest spelling, and BadAxis for an element that is not there.
    """
    read = parts(path)
    if read is None:
        raise UnknownPath(f"`{path[:80]}` is not a path", f"expected: {FORM}", path=path, location=location)
    owner, steps = read
    if owner == SIMULATE and owner not in view.nodes:
        return _setting(view, path, steps, location)
    first = steps[0] if steps else None
    if not isinstance(first, str):
        return _parameter(view, path, owner, steps, location)
    if owner not in view.nodes:
        raise _no_block(view, path, owner, location)
    block = view.nodes[owner].block
    rest = steps[1:]
    if isinstance(block, Subsystem):
        if first not in block.diagram.parameters:
            raise _no_name(view, path, owner, first, location)
        _check_index(path, np.shape(view.number(owner, first)), rest, location)
        return Target(path, "block", owner, first, rest, view=view)
    if first in block.rules():
        return _of_block(view, path, block, first, rest, location)
    if first in [state.name for state in block.states]:
        _check_index(path, view.state_shapes[owner, first], rest, location)
        return Target(path, "state", owner, first, rest, view=view)
    raise _no_name(view, path, owner, first, location)


def _setting(view: View, path: str, steps: tuple[Step, ...], at: Location | None) -> Target:
    name = steps[0] if steps else None
    if not isinstance(name, str) or len(steps) > 1 or name not in SETTINGS:
        hint = nearest(written(steps)[1:], SETTINGS)
        found = f"there is no setting `{path}` that an axis can vary{hint}"
        expected = f"expected: {SIMULATE}.NAME, with one of {', '.join(SETTINGS)}"
        raise UnknownPath(found, expected, path=path, location=at)
    return Target(path, "setting", "", name, (), name == "method", name == "seed", view=view)


def _parameter(view: View, path: str, name: str, steps: tuple[Step, ...], at: Location | None) -> Target:
    if name not in view.diagram.parameters:
        if name in view.nodes:
            own = view.names_at(name)
            example = f"`{name}.{own[0]}`" if own else "another block: it has nothing to vary"
            found = f"`{path}` is a block, and not a parameter"
            raise UnknownPath(
                found, f"expected: a parameter of it, such as {example}", path=path, location=at
            )
        raise _no_block(view, path, name, at)
    _check_index(path, np.shape(view.number("", name)), steps, at)
    return Target(path, "parameter", "", name, steps, view=view)


def _of_block(
    view: View, path: str, block: Block, name: str, rest: tuple[Step, ...], at: Location | None
) -> Target:
    owner = parts(path)
    assert owner is not None
    kind = kinds(type(block))[name]
    if kind.rule.number:
        _check_index(path, np.shape(view.number(owner.owner, name)), rest, at)
        return Target(path, "block", owner.owner, name, rest, view=view)
    if kind.robot:
        return _of_robot(view, path, owner.owner, name, rest, at)
    if rest:
        found = f"`{path}`: {name} of {block.kind()} is an option, which changes as a whole"
        raise UnknownPath(found, f"expected: `{owner.owner}.{name}`", path=path, location=at)
    return Target(path, "block", owner.owner, name, (), True, _is_count(kind), view=view)


def _of_robot(
    view: View, path: str, owner: str, name: str, rest: tuple[Step, ...], at: Location | None
) -> Target:
    if rest:
        try:
            check_steps(robot_of(view.number(owner, name)), rest)
        except NoSuchKey as error:
            raise UnknownPath(
                f"`{path}`: {error.found}", f"expected: {error.expected}", path=path, location=at
            ) from None
        except RobotError as error:
            raise UnknownPath(f"`{path}`: {error}", path=path, location=at) from error
    whole = bool(rest) and rest[-1] == "seed"
    return Target(path, "block", owner, name, rest, structural(rest), whole, True, view)


def _is_count(kind: Kind) -> bool:
    """Whether an option takes whole numbers and no others."""
    return fits(1, kind.schema) and not fits(0.5, kind.schema)


def _check_index(
    path: str, shape: tuple[int, ...], steps: tuple[Step, ...], at: Location | None
) -> Index | None:
    """The index behind a value of this shape, or None where there is none. Raises UnknownPath, BadAxis."""
    if not steps:
        return None
    index = steps[0]
    if len(steps) > 1 or isinstance(index, str):
        found = f"`{path}`: there is nothing behind a number but an index"
        raise UnknownPath(found, "expected: `name`, `name[i]` or `name[i, j]`", path=path, location=at)
    try:
        check(shape, index)
    except IndexError:
        found = f"`{path}` has no element [{', '.join(map(str, index))}]: it is {size_in_words(shape)}"
        expected = (
            "no index, or the value written out as a list"
            if not shape
            else f"{len(shape)} {'index' if len(shape) == 1 else 'indices'}"
        )
        within = ", ".join(f"0 to {n - 1}" for n in shape)
        text = f"expected: {expected}{f', {within}' if within else ''}"
        raise BadAxis(found, text, path=path, location=at) from None
    return index


def _no_block(view: View, path: str, owner: str, at: Location | None) -> UnknownPath:
    known = [*view.nodes, *view.diagram.parameters]
    what = "block" if path != owner else "parameter of the diagram"
    found = f"`{path}`: there is no {what} `{owner}`{nearest(owner, known)}"
    return UnknownPath(found, f"expected: {FORM}", path=path, location=at)


def _no_name(view: View, path: str, owner: str, name: str, at: Location | None) -> UnknownPath:
    known = view.names_at(owner)
    if name in [port.name for port in view.nodes[owner].inputs]:
        found = f"`{path}` is an input of {owner}, and not a parameter"
        expected = f"expected: a Constant wired to {path}, and an axis over its `value`"
        return UnknownPath(found, expected, path=path, location=at)
    found = f"`{path}`: {owner} has no parameter and no state `{name}`{nearest(name, known)}"
    return UnknownPath(found, f"expected: one of {listed(known)}", path=path, location=at)
