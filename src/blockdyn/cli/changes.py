"""Changes: what --param and --set give, by any path that an axis of a sweep may have."""

from __future__ import annotations

from argparse import Namespace
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ..base.errors import BlockdynError

if TYPE_CHECKING:
    from ..diagrams.diagram import Diagram


class BadAssignment(BlockdynError):
    """An option that should read NAME=VALUE."""

    def __init__(self, option: str, text: str) -> None:
        self.option, self.text = option, text
        expected = "NAME=VALUE, such as --param kp=3"
        if option == "--set":
            expected = (
                "PATH.PARAMETER=VALUE, such as --set plant/motor.gain=2, --set arm.robot.payload.mass=1.5 or"
                " --set x.initial[0]=1"
            )
        super().__init__(f"{option} {text}\nexpected: {expected}")


@dataclass
class Changes:
    """Arguments of `compile_diagram`, and those of the run (`initial` and settings)."""

    parameters: dict[str, Any] = field(default_factory=dict)
    set: dict[str, Any] = field(default_factory=dict)
    run: dict[str, Any] = field(default_factory=dict)


def changes(diagram: Diagram, arguments: Namespace) -> Changes:
    """What the options say. Raises BadAssignment, and what is wrong with a path."""
    from ..diagrams.yaml.values import parameter_value

    made = Changes()
    made.parameters = {
        name: parameter_value(value, name) for name, value in assignments("--param", arguments.param, diagram)
    }
    values = {
        name: parameter_value(value, name) for name, value in assignments("--set", arguments.set, diagram)
    }
    if values:
        _resolved(diagram, made, values)
    return made


def assignments(option: str, texts: list[str], diagram: Diagram) -> list[tuple[str, Any]]:
    """Names and values, which are read as YAML: a number, a list, text, `=` and an expression."""
    from ..diagrams.yaml.reader import parse

    found = []
    for text in texts:
        name, equals, value = (part.strip() for part in text.partition("="))
        known = "." in name or name.partition("[")[0] in diagram.parameters
        if not equals or not name or not value or (option == "--set" and not known):
            raise BadAssignment(option, text)
        found.append((name, parse(value, f"{option} {name}")))
    return found


def _resolved(diagram: Diagram, made: Changes, values: dict[str, Any]) -> None:
    """Look the paths up as a sweep does; plain ones that are unknown are for the compiler to refuse."""
    from ..sweeps.errors import UnknownPath
    from ..sweeps.overrides import overrides
    from ..sweeps.targets import resolve
    from ..sweeps.view import View

    view = View(diagram)
    targets, known = {}, {}
    for path, value in values.items():
        try:
            targets[path] = resolve(view, path)
            known[path] = value
        except UnknownPath:
            if path.count(".") != 1 or "[" in path:
                raise
            made.set[path] = value
    for name, value in made.parameters.items():
        if name in diagram.parameters:
            targets[name], known[name] = resolve(view, name), value
    found = overrides(targets, known)
    made.parameters |= found.parameters
    made.set |= found.set
    made.run = found.simulate | ({"initial": found.initial} if found.initial else {})
