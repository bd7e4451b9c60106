"""Diagrams: from the words of the command line to a compiled diagram."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..diagrams.compiler.program import Program
    from ..diagrams.model.diagram import Diagram


def compiled(arguments: Namespace) -> Program:
    """The program of the diagram that the arguments name, with their parameters, changes and log.

    Raises BlockdynError for whatever is wrong with it.
    """
    from ..diagrams.targets.changed import compile_changed
    from .changes import changes

    diagram = loaded(arguments)
    return compile_changed(
        diagram,
        **changes(diagram, arguments),
        log=logged(arguments),
        loops=getattr(arguments, "loops", None),
        inputs=getattr(arguments, "inputs", None),
    )


def logged(arguments: Namespace) -> list[str] | None:
    """The signals that `--log` names."""
    paths: list[str] | None = getattr(arguments, "log", None)
    return [path.strip() for text in paths for path in text.split(",")] if paths else None


def loaded(arguments: Namespace) -> Diagram:
    """The diagram that the arguments name. Raises BlockdynError."""
    from ..diagrams.yaml import load

    trust: Any = {None: False, "files": "files", "code": True}[arguments.trust]
    return load(Path(arguments.diagram), trust=trust)
