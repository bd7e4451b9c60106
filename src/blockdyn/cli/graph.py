"""`blockdyn graph` draws a diagram or a run; `blockdyn animate` films a run."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..base.errors import BlockdynError
from ..base.words import visible
from ..diagrams.model.diagram import Diagram
from ..diagrams.model.diagram_error import DiagramError
from .console import complain, show

if TYPE_CHECKING:
    from ..diagrams.model.flat import FlatDiagram
    from ..diagrams.results.result import Result
    from ..drawing.drawing import Drawing
    from ..plots.films.animation import Animation

RESULTS = (".nc", ".parquet", ".csv")


def graph(arguments: Namespace) -> int:
    """Draw the diagram that the arguments name, or the run of a result."""
    from .diagrams import load_named

    out = arguments.out or f"{Path(arguments.diagram).stem}.svg"
    inside = True if arguments.open == ["all"] else arguments.open
    if arguments.machine:
        return write(partial(_machine, load_named(arguments), arguments.machine), out)
    options = {"open": inside, "units": arguments.units, "sizes": arguments.sizes}
    try:
        diagram = _saved_result(arguments) or load_named(arguments)
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


def _saved_result(arguments: Namespace) -> Result | None:
    """The result that the arguments name, if it is one."""
    from ..diagrams.results.files import load_result

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


def animate(arguments: Namespace) -> int:
    """Find the moving parts, draw the requested strip and movie, and list the files."""
    from ..plots.films.animation import animation
    from ..plots.films.movie import check_movie

    if arguments.out is None and arguments.frames is None:
        arguments.out = f"{Path(arguments.result).stem}.gif"
    if arguments.out is not None:
        check_movie(arguments.out, arguments.fps)
    result, flat, failure = _moving_result(arguments)
    if result.provenance.stopped_by == "interrupt" and flat is not None:
        raise KeyboardInterrupt
    named = {
        "robot": _robot(arguments),
        "signal": arguments.signal,
        "block": arguments.block,
        "map": _map(arguments.map),
    }
    shown = animation(result, **named, flat=flat, folder=Path(arguments.result).parent)
    show(_headline(shown))
    if arguments.frames is not None:
        _strip(shown, arguments)
    if arguments.out is not None:
        _movie(shown, arguments)
    if failure is not None:
        complain(failure)
    return 0 if failure is None else 2


def _robot(arguments: Namespace) -> Any:
    """The name of a robot, or its file with the arguments and packages of xacro."""
    from .robots import read_options

    options = read_options(arguments)
    if not options:
        return arguments.robot
    if not str(arguments.robot).lower().endswith((".xacro", ".urdf")):
        option = "--argument" if arguments.argument else "--package"
        raise BlockdynError(f"{option}: --robot names no .xacro file\nexpected: --robot FILE.xacro")
    return {"urdf": arguments.robot, **options}


def _map(text: str | None) -> Any:
    """The name of a map's file, or its rows in the form of a diagram: {rows: ["#..#"], resolution: 0.5}."""
    if text is None or not text.lstrip().startswith("{"):
        return text
    from ..diagrams.yaml.source import parse

    return parse(text, "--map").plain()


def _moving_result(arguments: Namespace) -> tuple[Result, FlatDiagram | None, BlockdynError | None]:
    """The result; after a new run also its diagram, and the error if the run failed."""
    path = Path(arguments.result)
    if path.suffix.lower() in RESULTS:
        from ..diagrams.results.files import load_result

        return load_result(path), None, None
    from .diagrams import compile_named
    from .run import simulate

    arguments.diagram = arguments.result
    program = compile_named(arguments)
    result, failure = simulate(program, {} if arguments.stop is None else {"stop": arguments.stop})
    return result, program.flat, failure


def _strip(shown: Animation, arguments: Namespace) -> None:
    from ..plots.films.animate import draw_strip

    times = arguments.at or 5
    draw_strip(shown, arguments.frames, times=times, view=arguments.view, trail=arguments.trail)
    show(f"  written: {arguments.frames}")


def _movie(shown: Animation, arguments: Namespace) -> None:
    from ..plots.films.animate import write_film

    how = {name: getattr(arguments, name) for name in ("fps", "speed", "size", "view", "trail")}
    movie = write_film(shown, arguments.out, **how)
    count = f"{movie.frames} frame{'s' if movie.frames != 1 else ''}"
    size = _bytes(movie.file.stat().st_size)
    show(f"  written: {arguments.out}, {count}, {movie.duration:.4g} s, {size}")


def _headline(shown: Animation) -> str:
    start, stop = shown.span
    name = visible(shown.result.provenance.diagram, lines=False)
    bodies = ", ".join(f"{actor.name} by {actor.trace.path}" for actor in shown.actors)
    return f"{name}{': ' if name else ''}{bodies}, {start:g} to {stop:g} s"


def _bytes(count: int) -> str:
    return f"{count / 1e6:.2g} MB" if count >= 1e6 else f"{count / 1e3:.0f} kB"
