"""Write the result to a file, and draw the Scopes in a window or an image."""

from __future__ import annotations

import os
import sys
import tempfile
from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from ..base.errors import BlockdynError
from ..diagrams.results.errors import ResultError, ResultFileError

if TYPE_CHECKING:
    from ..diagrams.compiler.program import Program
    from ..diagrams.model.diagram import Diagram
    from ..diagrams.results.result import Result
    from ..plots.style import Style

_WINDOWS = ("qt", "tk", "gtk", "wx", "macosx")
_WRITERS = {".nc": ("h5py",), ".parquet": ("pyarrow.parquet",)}


def _without_memory(error: ResultFileError, remedy: str = "") -> BlockdynError:
    """Return the error without wording that applies to Python only: a command's memory ends with it."""
    problem = BlockdynError(str(error).replace(error.in_memory, "") + remedy)
    problem.__cause__ = error
    return problem


def prepare(target: str) -> None:
    """Before a long run: raise errors that the target would cause after it, and load the code that writes it.

    Loaded beforehand, because an interrupted run should end at once.
    """
    from importlib import import_module

    from ..diagrams.results.files import check_target

    if _is_page(target):
        prepare_page(target)
        return
    check_target(target)
    for package in _WRITERS.get(Path(target).suffix.lower(), ()):
        import_module(package)


def prepare_page(target: str) -> None:
    """Before a long run: raise errors that the page's target would cause after it."""
    from ..pages.finished.page import check_page

    check_page(target)


def prepare_picture(target: str) -> None:
    """Before a long run: raise errors that the picture's target would cause after it."""
    from ..plots.canvas import check_picture

    check_picture(target)


def prepare_files(program: Program, arguments: Namespace) -> None:
    """Before a long run: raise errors that the files of ToFile blocks would cause after it."""
    if arguments.files is None:
        return
    from ..diagrams.results.sink_files import check_files, with_folder

    blocks = {unit.path: unit.block for unit in program.plan.units}
    saved = [blocks[path] for path in program.flat.scopes if blocks[path].figure_form == "file"]
    names = [figure.title for figure in (block.figure() for block in saved) if figure is not None]
    check_files(names, arguments.files, overwrite=arguments.overwrite)
    with_folder(arguments.files)


def prepare_drawing(target: str) -> None:
    """Before a long run: raise errors that the drawing's target would cause after it."""
    from ..drawing.drawing import check_file

    check_file(target)


def write(result: Result, target: str) -> tuple[str, BlockdynError | None]:
    """Write the result; if the system refuses, into the current folder or the folder for temporary files."""
    try:
        _save(result, target)
    except ResultFileError as error:
        place = _write_elsewhere(result, Path(target))
        lost = "no other folder took the result: it is lost"
        there = f"the result is in {place} instead" if place else lost
        return str(place or ""), _without_memory(error, f"\n{there}")
    return target, None


def _is_page(target: str | Path) -> bool:
    return Path(target).suffix.lower() == ".html"


def _save(result: Result, target: str | Path) -> None:
    if _is_page(target):
        result.page(target)
    else:
        result.save(target)


def _write_elsewhere(result: Result, target: Path) -> Path | None:
    tried = target.parent.resolve()
    for folder in (Path.cwd(), Path(tempfile.gettempdir())):
        place = folder / f"{target.stem}-{os.getpid()}{target.suffix}"
        if folder.resolve() == tried or place.exists():
            continue
        try:
            _save(result, place)
        except ResultFileError:
            continue
        return place
    return None


def draw(
    result: Result,
    target: str,
    style: Style = "screen",
    paths: list[list[str]] | None = None,
    *,
    events: bool = True,
) -> tuple[str, BlockdynError | None]:
    """Draw the Scopes, or signals, the signals of one list in one axes, into a file.

    Without a file, draw in a window, or if none can be opened into NAME.png.
    """
    try:
        if not target and _has_window():
            result.plot(paths, events=events, show=True, style=style)
            return "", None
        target = target or f"{result.provenance.diagram}.png"
        result.plot(paths, events=events, file=target, show=False, style=style)
    except ResultFileError as error:
        return "", _without_memory(error)
    except ResultError as error:
        return "", error
    return target, None


def draw_diagram(result: Result, target: str, diagram: Diagram) -> tuple[str, BlockdynError | None]:
    """Draw the diagram with the results of the run; `diagram` if the result does not hold it."""
    try:
        held = result.provenance.description is not None
        result.draw(None if held else diagram).save(target)
    except BlockdynError as error:
        return "", error
    return target, None


def _has_window() -> bool:
    """True if matplotlib can open a window."""
    display = os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    if sys.platform.startswith("linux") and not display:
        return False
    import matplotlib

    return str(matplotlib.get_backend()).lower().startswith(_WINDOWS)
