"""`blockdyn graph`: a diagram, or a run of one, as a picture."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..diagrams.model.diagram import Diagram
from ..diagrams.model.diagram_error import DiagramError
from .console import show

if TYPE_CHECKING:
    from ..diagrams.results.result import Result
    from ..drawing.drawing import Drawing


def graph(arguments: Namespace) -> int:
    """Draw the diagram that the arguments name, or the run of a result."""
    from .diagrams import load_named

    out = arguments.out or f"{Path(arguments.diagram).stem}.svg"
    inside = True if arguments.open == ["all"] else arguments.open
    if arguments.machine:
        return write(partial(_machine, load_named(arguments), arguments.machine), out)
    options = {"open": inside, "units": arguments.units, "sizes": arguments.sizes}
    try:
        diagram = _result(arguments) or load_named(arguments)
    except DiagramError as error:
        if error.diagram is not None:
            write(partial(_unread, error, options), out)
        raise
    return write(partial(diagram.draw, **options), out)


def _unread(error: DiagramError, options: dict[str, Any]) -> Drawing:
    from ..drawing.drawing import draw_unread

    return draw_unread(error, **options)


def _machine(diagram: Diagram, path: str) -> Drawing:
    from ..drawing.machine import draw_machine, machine_at

    return draw_machine(machine_at(diagram, path), path)


def _result(arguments: Namespace) -> Result | None:
    """The result that the arguments name, if it is one."""
    from ..diagrams.results.files import load_result
    from .animate import RESULTS

    file = Path(arguments.diagram)
    return load_result(file) if file.suffix.lower() in RESULTS else None


def write(draw: Callable[[], Drawing], file: str) -> int:
    """Write the picture; a bad name is reported before anything is drawn, errors of the diagram after."""
    from ..drawing.drawing import check_file

    check_file(file)
    drawing = draw()
    drawing.save(file)
    show(f"written: {file}")
    if drawing.error is not None:
        raise drawing.error
    return 0
