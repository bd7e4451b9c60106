"""Pictured: the pictures and movies that a result makes of its signals, and its page."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from os import PathLike
from typing import TYPE_CHECKING, Any

from ...base.guided import guided

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ...drawing.drawing import Drawing
    from ...pages.finished.page import RunPage
    from ..model.diagram import Diagram
    from .animate import Movie
    from .animation import Blocks, View
    from .page import Page
    from .result import Result
    from .style import Style


CALLS = {
    "plot()": """\
two runs in one: plot("motor", beside={"kp = 2": other}); else the figure that it returns takes the rest: \
figure.axes[0].set_title('Speed')""",
    "plot_xy()": "such as plot_xy('motor.x', 'motor.v')",
    "page()": "such as page('run.html')",
}
"""What is told of calls that do not fit."""


@guided(CALLS)
class Pictured:
    """Base of Result: its figures, which take `file`, `show`, `style` as `figure.plot` says; page, movies."""

    def plot(
        self: Any, paths: str | Sequence[str] | None = None, *, beside: Mapping[str, Result] | None = None,
        file: str | PathLike[str] | None = None, show: bool | None = None, style: Style = "screen",
    ) -> Figure:  # fmt: skip
        """Plot flights and Scopes, or the signals named, other runs `beside` this one: see `figure.plot`."""
        from .beside import refuse_results
        from .figure import plot

        refuse_results(paths)
        return plot(self, paths, beside=beside, file=file, show=show, style=style)

    def plot_xy(
        self: Any, x: str, y: str, *,
        file: str | PathLike[str] | None = None, show: bool | None = None, style: Style = "screen",
    ) -> Figure:  # fmt: skip
        """Plot one scalar signal against another, such as a phase portrait: see `figure.plot_xy`."""
        from .figure import plot_xy

        return plot_xy(self, x, y, file=file, show=show, style=style)

    def plot_spectrum(
        self: Any, paths: str | Sequence[str], *,
        file: str | PathLike[str] | None = None, show: bool | None = None, style: Style = "screen",
    ) -> Figure:  # fmt: skip
        """Plot the amplitudes of signals over frequency: see `spectrum.plot_spectrum`."""
        from .spectrum import plot_spectrum

        return plot_spectrum(self, paths, file=file, show=show, style=style)

    def plot_histogram(
        self: Any, paths: str | Sequence[str], *,
        file: str | PathLike[str] | None = None, show: bool | None = None, style: Style = "screen",
    ) -> Figure:  # fmt: skip
        """Plot how much of the time signals spend at each value: see `time_shares.plot_histogram`."""
        from .time_shares import plot_histogram

        return plot_histogram(self, paths, file=file, show=show, style=style)

    def page(self: Any, file: str | PathLike[str]) -> RunPage:
        """Write the run as one HTML file, which any browser opens without a network.

        It contains the Scopes, or all signals by their units, which zoom together; the events; the film of
        the moving bodies; the drawn diagram; and all you need to repeat the run. The file appears complete
        under its name or not at all. Raises ResultFileError, and ResultError if the rows are on disk.
        """
        from ...pages.finished.page import write_page

        return write_page(self, file)

    def draw(
        self: Any, diagram: Diagram | None = None, *,
        file: str | PathLike[str] | None = None, open: bool | Collection[str] = False,
        units: bool = False, sizes: bool = False,
    ) -> Drawing:  # fmt: skip
        """The diagram, drawn as by `Diagram.draw`, with the results of the run.

        Every logged signal has its curve and final value at its output, and every block that caused events
        shows their number; `file` writes the picture. A result cannot hold a diagram with Python functions:
        pass it as `diagram`. Raises DrawingError.
        """
        from ...drawing.drawing import draw_run

        return draw_run(self, diagram, open=open, units=units, sizes=sizes).into(file)

    def animate(
        self: Any,
        file: str | PathLike[str],
        *,
        robot: Any = None,
        signal: str | None = None,
        block: Blocks = None,
        fps: float = 25.0,
        speed: float = 1.0,
        size: tuple[int, int] = (720, 540),
        view: View = None,
        trail: float = math.inf,
        map: Any = None,
    ) -> Movie | Page:
        """Write a film of the moving bodies, .gif or .mp4 (by ffmpeg), or an interactive page, .html.

        robot, signal  one arm, and the path of its joint coordinates: see `animation.animation`
        block          only what these blocks move, each in its own colour
        fps, speed     frames a second, and seconds of the run a second
        size           width and height in pixels; of a page in a notebook
        view           elevation and azimuth in degrees; None: across the motion
        trail          how long the path is seen, s; 0 for none
        map            an OccupancyMap, or the YAML file of one, whose walls stand around

        The file appears complete under its name or not at all. Raises ResultError, RobotError.
        """
        from .animate import animate
        from .animation import animation

        shown = animation(self, robot=robot, signal=signal, block=block, map=map)
        return animate(shown, file, fps=fps, speed=speed, size=size, view=view, trail=trail)

    def strip(
        self: Any,
        file: str | PathLike[str] | None = None,
        *,
        robot: Any = None,
        signal: str | None = None,
        block: Blocks = None,
        times: Sequence[float] | int = 5,
        view: View = None,
        trail: float = math.inf,
        map: Any = None,
    ) -> Figure:
        """Draw the moving bodies at some instants side by side, for print; other arguments as for `animate`.

        times  the instants, s, or how many at equal distances, at most 12
        file   also write it there (.png, .pdf, .svg)

        Raises ResultError, RobotError.
        """
        from .animation import animation
        from .strip import strip

        shown = animation(self, robot=robot, signal=signal, block=block, map=map)
        return strip(shown, file, times=times, view=view, trail=trail)
