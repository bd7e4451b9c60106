"""Diagrams: from the words of the command line to a compiled diagram."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..base.errors import BlockdynError

if TYPE_CHECKING:
    from ..diagrams.diagram import Diagram
    from ..diagrams.program import Program


class BadAssignment(BlockdynError):
    """An option that should read NAME=VALUE."""

    def __init__(self, option: str, text: str) -> None:
        self.option, self.text = option, text
        expected = "NAME=VALUE, such as --param kp=3"
        if option == "--set":
            expected = "PATH.PARAMETER=VALUE, such as --set plant/motor.gain=2"
        super().__init__(f"{option} {text}\nexpected: {expected}")


def compiled(arguments: Namespace) -> Program:
    """The program of the diagram that the arguments name, with their parameters and log.

    Raises BlockdynError for whatever is wrong with it.
    """
    from ..diagrams.compile import compile_diagram

    paths: list[str] | None = getattr(arguments, "log", None)
    return compile_diagram(
        loaded(arguments),
        parameters=dict(_assignment("--param", text) for text in arguments.param),
        set=dict(_assignment("--set", text) for text in arguments.set),
        log=[path.strip() for text in paths for path in text.split(",")] if paths else None,
        loops=getattr(arguments, "loops", None),
    )


def loaded(arguments: Namespace) -> Diagram:
    """The diagram that the arguments name. Raises BlockdynError."""
    from ..diagrams.yaml import load

    trust: Any = {None: False, "files": "files", "code": True}[arguments.trust]
    return load(Path(arguments.diagram), trust=trust)


def _assignment(option: str, text: str) -> tuple[str, Any]:
    """A name and its value, which is read as YAML: a number, a list, text, `=` and an expression."""
    from ..diagrams.yaml.reader import parse
    from ..diagrams.yaml.values import parameter_value

    name, equals, value = text.partition("=")
    if not equals or not name.strip() or not value.strip() or (option == "--set" and "." not in name):
        raise BadAssignment(option, text)
    return name.strip(), parameter_value(parse(value, f"{option} {name.strip()}"), name.strip())
