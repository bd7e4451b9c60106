"""Pictured: the pictures and movies that a result makes of its signals, and its page."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from os import PathLike
from typing import TYPE_CHECKING, Any

from ...base.hints import hinting

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ...drawing.drawing import Drawing
    from ...pages.finished.page import RunPage
    from ...plots.films.animate import Movie
    from ...plots.films.animation import Blocks, View
    from ...plots.films.page import Page
    from ...plots.style import Style
    from ..model.diagram import Diagram
    from .result import Result


class Pictured:
    """Base of Result: its figures, which take `file`, `show`, `style` as `plot` says; page, movies."""

    @hinting
    def plot(
        self: Any, paths: str | Sequence[str | Sequence[str]] | None = None, *,
        compare: Mapping[str, Result] | None = None, events: bool = True,
        file: str | PathLike[str] | None = None, show: bool | None = None, style: Style = "screen",
    ) -> Figure:  # fmt: skip
        """Plot signals over time: those named by `paths`, else flights and Scopes, else every logged signal.
        Paths in a list of their own share one axes: `plot([["reference", "speed"], "torque"])`.

        What XYScopes show, one signal over another, comes last.

        Of vehicles that fly: tracks from above and from the side, with what was wanted where a controller is
        told so; attitudes as roll, pitch, yaw; rotor speeds without signs. One axes for each path or Scope;
        names in legends, units in brackets. Discrete signals are steps; a jump between the two limits at an
        event is an upright line; events are marked; a line has a gap where an angle wraps between two
        instants. Noise is a band with its mean, more than 28 elements of a signal are an image or a colour a
        column. Continuous signals are drawn from the dense output where there is one. A run that did not
        reach its end says so in the title. Of more than 32 axes the first 32 are drawn, and the title tells.

        compare other runs by name, whose lines are drawn in the same axes: {"kp = 2": other}. The result
                among them gets that name too. Without `paths` the Scopes over time are drawn; events are not
                marked
        events  False: instants of events are not marked
        file    also write it there (.png at 200 dpi, .pdf, .svg): whole or not at all
        show    open a window; None: only where matplotlib is interactive (`plt.ion()`) and has a display
        style   "paper": as wide as a column of a two-column paper, or as its page where there are more than
                six axes, in letters of 8 pt

        Returns the matplotlib Figure. Raises UnknownSignal, ResultError where nothing was logged,
        ResultFileError where the file cannot be written.
        """
        from ...plots.runs.figure import plot, refuse_results

        refuse_results(paths)
        return plot(self, paths, compare=compare, events=events, file=file, show=show, style=style)

    def plot_xy(
        self: Any, x: str, y: str, *, compare: Mapping[str, Result | tuple[str, str]] | None = None,
        file: str | PathLike[str] | None = None, show: bool | None = None, style: Style = "screen",
    ) -> Figure:  # fmt: skip
        """Plot the scalar signal `y` against the scalar signal `x`, from a ring (start) to a dot (end).

        Equal units get equal scales. Where an angle wraps, from pi to -pi say, the line has a gap. Signals
        sampled at different instants are drawn at the instants of both, values between samples as in
        `Trace.at`. A rate against its coordinate is a phase portrait. `file`, `show`, `style` and errors are
        those of `plot`.

        compare other curves by name in the same axes: the same signals of another run,
                {"kp = 2": other}, or two signals of this one, {"reference": ("path.x", "path.y")}
        """
        from ...plots.runs.figure import plot_xy

        return plot_xy(self, x, y, compare=compare, file=file, show=show, style=style)

    def plot_spectrum(
        self: Any, paths: str | Sequence[str], *,
        file: str | PathLike[str] | None = None, show: bool | None = None, style: Style = "screen",
    ) -> Figure:  # fmt: skip
        """Plot the amplitude spectrum of each path, without its mean, on logarithmic axes.

        A sine of amplitude a is a peak of height a at its frequency; a line is two of the lowest frequencies
        wide. The axes end where no amplitude is above 1/10000 of the largest. Sampled signals are taken at
        their ticks, others at 4096 equal distances: what is faster than half of that folds back. Window:
        Hann's, divided by its mean; Harris, Proc. IEEE 66(1), 1978, 51-83, doi:10.1109/PROC.1978.10837.
        `file`, `show`, `style` and errors are those of `plot`; ResultError too where a signal has fewer than
        eight samples, or some that are not finite.
        """
        from ...plots.runs.spectrum import plot_spectrum

        return plot_spectrum(self, paths, file=file, show=show, style=style)

    def plot_histogram(
        self: Any, paths: str | Sequence[str], *,
        file: str | PathLike[str] | None = None, show: bool | None = None, style: Style = "screen",
    ) -> Figure:  # fmt: skip
        """Plot for each path which share of the time, in percent, its elements spend in each bin of values.

        Width of bins: Freedman and Diaconis, Zeitschrift fuer Wahrscheinlichkeitstheorie 57 (1981) 453-476,
        within 8 to 60 bins. Sampled signals count by their ticks, others by 4096 equal distances in time.
        `file`, `show`, `style` and errors are those of `plot_spectrum`.
        """
        from ...plots.runs.spectrum import plot_histogram

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

        robot, signal  one arm, and the path of its joint coordinates: where None, what the FDyn
                       blocks put out, and where vehicles are; without these, the q that an IKine puts out or
                       that other blocks with a robot read
        block          only what these blocks move, each in its own colour: FDyn, NRotor, or what makes
                       the q or the q_ref of a block with a robot
        fps, speed     frames a second, and seconds of the run a second
        size           width and height in pixels; of a page in a notebook
        view           elevation and azimuth in degrees; None: across the motion
        trail          how long the path is seen, s; 0 for none
        map            an OccupancyMap, or the YAML file of one, whose walls stand around

        The file appears complete under its name or not at all. Raises ResultError, RobotError.
        """
        from ...plots.films.animate import animate
        from ...plots.films.animation import animation

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
        from ...plots.films.animate import strip
        from ...plots.films.animation import animation

        shown = animation(self, robot=robot, signal=signal, block=block, map=map)
        return strip(shown, file, times=times, view=view, trail=trail)
