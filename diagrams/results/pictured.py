"""Pictured: the pictures that a result draws of its signals, and its page."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from os import PathLike
from typing import TYPE_CHECKING, Any

from ...base.guided import guided

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ...drawing.drawing import Drawing
    from ...pages.finished.page import RunPage
    from ..model.diagram import Diagram
    from .style import Style


CALLS = {
    "plot()": "the figure that it returns takes the rest: figure.axes[0].set_title('Speed')",
    "plot_xy()": "such as plot_xy('motor.x', 'motor.v')",
    "page()": "such as page('run.html')",
}
"""What is told of calls that do not fit."""


@guided(CALLS)
class Pictured:
    """Base of Result: its figures, which take `file`, `show`, `style` as `figure.plot` says, and its page."""

    def plot(
        self: Any, paths: str | Sequence[str] | None = None, *,
        file: str | PathLike[str] | None = None, show: bool | None = None, style: Style = "screen",
    ) -> Figure:  # fmt: skip
        """Draw flights and Scopes, or the signals named: see `figure.plot`."""
        from .figure import plot

        return plot(self, paths, file=file, show=show, style=style)

    def plot_xy(
        self: Any, x: str, y: str, *,
        file: str | PathLike[str] | None = None, show: bool | None = None, style: Style = "screen",
    ) -> Figure:  # fmt: skip
        """Draw one scalar signal against another, such as a phase portrait: see `figure.plot_xy`."""
        from .figure import plot_xy

        return plot_xy(self, x, y, file=file, show=show, style=style)

    def plot_spectrum(
        self: Any, paths: str | Sequence[str], *,
        file: str | PathLike[str] | None = None, show: bool | None = None, style: Style = "screen",
    ) -> Figure:  # fmt: skip
        """Draw the amplitudes of signals over the frequency: see `spectrum.plot_spectrum`."""
        from .spectrum import plot_spectrum

        return plot_spectrum(self, paths, file=file, show=show, style=style)

    def plot_histogram(
        self: Any, paths: str | Sequence[str], *,
        file: str | PathLike[str] | None = None, show: bool | None = None, style: Style = "screen",
    ) -> Figure:  # fmt: skip
        """Draw for how much of the time signals have which values: see `time_shares.plot_histogram`."""
        from .time_shares import plot_histogram

        return plot_histogram(self, paths, file=file, show=show, style=style)

    def page(self: Any, file: str | PathLike[str]) -> RunPage:
        """Write the run as one HTML file, which any browser opens without a network.

        In it are the Scopes, or all signals by their units, which zoom together; the events; the film of what
        moves; the drawn diagram; and what must be known to run it again. The file appears whole under its
        name or not at all. Raises ResultFileError, and ResultError where the rows are on disk.
        """
        from ...pages.finished.page import write_page

        return write_page(self, file)

    def draw(
        self: Any, diagram: Diagram | None = None, *,
        file: str | PathLike[str] | None = None, open: bool | Collection[str] = False,
        units: bool = False, sizes: bool = False,
    ) -> Drawing:  # fmt: skip
        """The diagram as `Diagram.draw` has it, with what the run did.

        Every logged signal has its curve and final value at its output, and every block that caused events
        their number; `file` keeps the picture. A result of a diagram with Python functions does not hold it:
        give it as `diagram`. Raises DrawingError.
        """
        from ...drawing.drawing import draw_run

        return draw_run(self, diagram, open=open, units=units, sizes=sizes).into(file)
