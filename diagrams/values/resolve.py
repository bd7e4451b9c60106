"""Look up the path of a value to be changed in a diagram."""

from __future__ import annotations

import numpy as np

from ...base.schema import fits
from ...base.words import nearest
from ...blocks.contract.block import Block
from ...blocks.contract.errors import nearest_parameter
from ...blocks.routing.inport import Inport
from ...robots.errors import RobotError
from ..model.diagram_error import listed
from ..model.name_errors import UnknownPath
from ..model.settings import AXES
from ..model.subsystem import Subsystem
from ..yaml.entries import Kind, kinds
from .machine import Machines, NoSuchKey
from .path import FORM, Index, Step, check, parts, size_in_words, write_steps
from .robot import ROBOTS
from .target import Target
from .vehicle import VEHICLES
from .view import View

SIMULATE = "simulate"


def resolve(view: View, path: str) -> Target:
    """The target of a path.

        kp, gains[1]                      a parameter of the diagram, or an element of it
        u                                 an input of the diagram, if it is a number
        block.name, sub/block.name[0,1]   a parameter of a block or subsystem; where it has none of that name,
                                          an initial state
        block.robot.payload.mass          a key of a robot or vehicle, as in `robot: {payload: {mass: 2}}`
        simulate.rtol                     a setting of the run, unless a block is called `simulate`

    Raises UnknownPath, with the nearest spelling; also for an element that is not there.
    """
    read = parts(path)
    if read is None:
        raise UnknownPath(f"`{path[:80]}` is not a path", f"expected: {FORM}", path=path)
    owner, steps = read
    if owner == SIMULATE and owner not in view.nodes:
        return _setting(view, path, steps)
    first = steps[0] if steps else None
    if not isinstance(first, str):
        return _parameter(view, path, owner, steps)
    if owner not in view.nodes:
        raise _no_block(view, path, owner)
    block = view.nodes[owner].block
    inner = steps[1:]
    if isinstance(block, Subsystem):
        if first not in block.diagram.parameters:
            raise _no_name(view, path, owner, first)
        _check_index(path, np.shape(view.number(owner, first)), inner)
        return Target(path, "block", owner, first, inner, view=view)
    if first in block.rules():
        return _of_block(view, path, block, first, inner)
    if first in [state.name for state in block.states]:
        if inner:  # the shape of a state follows from compiling the diagram
            _check_index(path, view.state_shapes[owner, first], inner)
        return Target(path, "state", owner, first, inner, view=view)
    raise _no_name(view, path, owner, first)


def _setting(view: View, path: str, steps: tuple[Step, ...]) -> Target:
    name = steps[0] if steps else None
    if not isinstance(name, str) or len(steps) > 1 or name not in AXES:
        hint = nearest(write_steps(steps)[1:], AXES)
        problem = f"there is no setting `{path}` to change{hint}"
        expected = f"expected: {SIMULATE}.NAME, with one of {', '.join(AXES)}"
        raise UnknownPath(problem, expected, path=path)
    return Target(path, "setting", "", name, (), name == "method", name == "seed", view=view)


def _parameter(view: View, path: str, name: str, steps: tuple[Step, ...]) -> Target:
    if name not in view.diagram.parameters:
        if name in view.nodes:
            block = view.nodes[name].block
            if isinstance(block, Inport):
                return _of_block(view, path, block, "default", steps)
            names = view.names_at(name)
            example = f"`{name}.{names[0]}`" if names else "another block: it has nothing to vary"
            problem = f"`{path}` is a block, and not a parameter"
            raise UnknownPath(problem, f"expected: a parameter of it, such as {example}", path=path)
        raise _no_block(view, path, name)
    _check_index(path, np.shape(view.number("", name)), steps)
    return Target(path, "parameter", "", name, steps, view=view)


def _of_block(view: View, path: str, block: Block, name: str, inner: tuple[Step, ...]) -> Target:
    owner = parts(path)
    assert owner is not None
    kind = kinds(type(block))[name]
    if kind.rule.number:
        _check_index(path, np.shape(view.number(owner.owner, name)), inner)
        return Target(path, "block", owner.owner, name, inner, view=view)
    if kind.robot or kind.vehicle:
        machines = ROBOTS if kind.robot else VEHICLES
        return _of_machine(view, path, owner.owner, name, inner, machines)
    if inner:
        problem = f"`{path}`: {name} of {block.kind()} is an option, which changes as a whole"
        expected = f"expected: `{owner.owner}.{name}`"
        raise UnknownPath(problem, expected, path=path)
    return Target(path, "block", owner.owner, name, (), True, _is_count(kind), view=view)


def _of_machine(
    view: View, path: str, owner: str, name: str, inner: tuple[Step, ...], machines: Machines
) -> Target:
    if inner:
        try:
            machines.check_steps(machines.read(view.number(owner, name)), inner)
        except NoSuchKey as error:
            raise UnknownPath(f"`{path}`: {error.actual}", f"expected: {error.expected}", path=path) from None
        except RobotError as error:
            raise UnknownPath(f"`{path}`: {error}", path=path) from error
    is_whole = inner[-1:] in (("seed",), ("rotor",))
    return Target(path, "block", owner, name, inner, machines.structural(inner), is_whole, machines, view)


def _is_count(kind: Kind) -> bool:
    """True if an option takes whole numbers and no others."""
    return fits(1, kind.schema) and not fits(0.5, kind.schema)


def _check_index(path: str, shape: tuple[int, ...], steps: tuple[Step, ...]) -> Index | None:
    """The index into a value of this shape, or None if there is none. Raises UnknownPath."""
    if not steps:
        return None
    index = steps[0]
    if len(steps) > 1 or isinstance(index, str):
        problem = f"`{path}`: only an index can follow a number"
        raise UnknownPath(problem, "expected: `name`, `name[i]` or `name[i, j]`", path=path)
    try:
        check(shape, index)
    except IndexError:
        problem = f"`{path}` has no element [{', '.join(map(str, index))}]: it is {size_in_words(shape)}"
        expected = (
            "no index, or the value written out as a list"
            if not shape
            else f"{len(shape)} {'index' if len(shape) == 1 else 'indices'}"
        )
        within = ", ".join(f"0 to {n - 1}" for n in shape)
        text = f"expected: {expected}{f', {within}' if within else ''}"
        raise UnknownPath(problem, text, path=path) from None
    return index


def _no_block(view: View, path: str, owner: str) -> UnknownPath:
    names = [*view.nodes, *view.diagram.parameters]
    kind = "block" if path != owner else "parameter of the diagram"
    inside = [f"{block}.{owner}" for block in view.nodes if path == owner and owner in view.names_at(block)]
    meant = f", did you mean `{inside[0]}`?" if inside else nearest(owner, names)
    problem = f"`{path}`: there is no {kind} `{owner}`{meant}"
    return UnknownPath(problem, f"expected: {FORM}", path=path)


def _no_name(view: View, path: str, owner: str, name: str) -> UnknownPath:
    names = view.names_at(owner)
    if name in [port.name for port in view.nodes[owner].inputs]:
        problem = f"`{path}` is an input of {owner}, and not a parameter"
        expected = f"expected: a Constant wired to {path}, whose `value` is changed"
        return UnknownPath(problem, expected, path=path)
    problem = f"`{path}`: {owner} has no parameter and no state `{name}`{nearest_parameter(name, names)}"
    return UnknownPath(problem, f"expected: one of {listed(names)}", path=path)
