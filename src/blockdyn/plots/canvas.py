"""A figure is drawn in memory, to a file, in a notebook cell, or in a window on request."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager
from os import PathLike
from pathlib import Path
from threading import Lock

import matplotlib
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from ..base.files import check_place, replacing
from ..base.shown import inline
from ..diagrams.results.errors import ResultFileError
from .style import RASTER_DPI, Style, for_paper

_SUFFIXES = (".png", ".pdf", ".svg")
_LARGE = 2_000_000  # characters of HTML above which a page gets pixels
_WINDOWS = ("qt", "tk", "gtk", "wx", "macosx")
_settings = Lock()


class Picture(Figure):
    """A figure that a notebook shows at the end of a cell, independent of matplotlib's settings.

    It has the text colour of the page, light or dark; the curves of a large figure are pixels. Without SVG
    it is an image on white.
    """

    def _repr_html_(self) -> str | None:
        html = inline(self)
        if len(html) > _LARGE:
            with _curves_as_pixels(self):
                html = inline(self)
        return html if len(html) <= _LARGE else None

    def show(self, warn: bool = True) -> None:
        """Open the figure in a window, as `show=True` does; matplotlib shows figures of pyplot only."""
        from matplotlib import pyplot
        from matplotlib.backend_bases import FigureManagerBase

        if self.canvas.manager is None:
            blank = pyplot.figure(figsize=tuple(self.get_size_inches()))
            manager: FigureManagerBase | None = blank.canvas.manager
            assert manager is not None
            manager.canvas.figure = self
            self.set_canvas(manager.canvas)
        pyplot.show()

    def _repr_png_(self) -> tuple[bytes, dict[str, int]]:
        """The image, with two pixels per px of the page, and its size on the page."""
        data = io.BytesIO()
        self.savefig(data, format="png", dpi=RASTER_DPI)
        width, height = (round(RASTER_DPI * side / 2) for side in self.get_size_inches())
        return data.getvalue(), {"width": width, "height": height}


def new(size: tuple[float, float], show: bool | None) -> Figure:
    """A figure of this size in inches: registered with pyplot if it is to be shown."""
    if _in_window(show):
        from matplotlib import pyplot

        return pyplot.figure(figsize=size, layout="constrained", FigureClass=Picture)
    figure = Picture(figsize=size, layout="constrained")
    FigureCanvasAgg(figure)
    return figure


def finished(
    figure: Figure, file: str | PathLike[str] | None, show: bool | None, style: Style = "screen"
) -> Figure:
    """Write the figure to `file` if given, show it if requested, and return it."""
    if style == "paper":
        for_paper(figure)
    if file is not None:
        _save(figure, file)
    if _in_window(show):
        from matplotlib import pyplot

        pyplot.show()
    return figure


def check_picture(file: str | PathLike[str]) -> None:
    """Raise the errors of the target that can be detected before drawing. Raises ResultFileError."""
    _format(file)
    check_place(file, ResultFileError)


def _format(file: str | PathLike[str]) -> str:
    suffix = Path(file).suffix.lower()
    if suffix not in _SUFFIXES:
        raise ResultFileError(
            "write",
            file,
            f"the suffix {suffix!r} is not a known image format",
            f"use one of {', '.join(_SUFFIXES)}",
        )
    return suffix[1:]


def _save(figure: Figure, file: str | PathLike[str]) -> None:
    chosen = _format(file)
    with replacing(file, ResultFileError) as target, _editable_text():
        figure.savefig(target, format=chosen, dpi=RASTER_DPI)


def _in_window(show: bool | None) -> bool:
    if show is not None:
        return show
    return matplotlib.is_interactive() and str(matplotlib.rcParams["backend"]).lower().startswith(_WINDOWS)


@contextmanager
def _curves_as_pixels(figure: Figure) -> Iterator[None]:
    """Draw the content of the axes as an image, with unchanged axes and letters."""
    curves = [curve for axes in figure.axes for curve in (*axes.lines, *axes.collections, *axes.patches)]
    before, dpi = [curve.get_rasterized() for curve in curves], figure.dpi
    for curve in curves:
        curve.set_rasterized(True)
    figure.dpi = RASTER_DPI
    try:
        yield
    finally:
        figure.dpi = dpi
        for curve, rasterized in zip(curves, before, strict=True):
            curve.set_rasterized(rasterized)


@contextmanager
def _editable_text() -> Iterator[None]:
    """TrueType fonts in PDF (publishers refuse Type 3): a global setting of matplotlib."""
    with _settings:
        before = matplotlib.rcParams["pdf.fonttype"]
        matplotlib.rcParams["pdf.fonttype"] = 42
        try:
            yield
        finally:
            matplotlib.rcParams["pdf.fonttype"] = before
