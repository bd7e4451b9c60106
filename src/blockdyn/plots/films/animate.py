"""`Result.animate` writes a movie of moving bodies, `Result.strip` draws some of its instants for print."""

from __future__ import annotations

import base64
import math
from collections.abc import Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ...base.checked import checked
from ...base.progress import Bar, in_notebook
from ...diagrams.results.errors import ResultError, bad_argument
from ...diagrams.results.result import Result
from ...diagrams.results.trace import as_times
from .. import canvas
from ..style import SMALL, TEXT, key
from .animation import Animation, Blocks, View, animation, checked_view
from .movie import PAGE, Frame, check_movie, write_movie
from .page import Page, write_page

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from matplotlib.text import Text

    from ...diagrams.results.trace import FloatArray

DPI = 100
MOST_EMBEDDED = 32 << 20  # bytes of a movie in a notebook, which stores all of them


@dataclass(frozen=True)
class Movie:
    """A written film: its file, frames and duration in s. A notebook plays it."""

    file: Path
    frames: int
    duration: float

    def _repr_html_(self) -> str | None:
        """The movie, embedded in the page; empty if the file is missing or too large."""
        try:
            data = self.file.read_bytes() if self.file.stat().st_size <= MOST_EMBEDDED else b""
        except OSError:
            return None
        kind = "video/mp4" if self.file.suffix.lower() == ".mp4" else "image/gif"
        source = f"data:{kind};base64,{base64.b64encode(data).decode('ascii')}"
        if not data:
            return None
        return f"<video controls loop src='{source}'></video>" if "video" in kind else f"<img src='{source}'>"


@checked(bad_argument)
def write_film(
    shown: Animation,
    file: str | PathLike[str],
    *,
    fps: float = 25.0,
    speed: float = 1.0,
    size: tuple[int, int] = (720, 540),
    view: View = None,
    trail: float = math.inf,
    progress: bool | None = None,
) -> Movie | Page:
    """Write moving bodies to a .gif, .mp4 or .html file, completely or not at all: see `Result.animate`."""
    check_movie(file, fps)
    if len(size) != 2 or min(size) < 100 or max(size) > 4096:
        pixels = " x ".join(map(str, size))
        raise ResultError(f"animate: size = {pixels}; expected two sides of 100 to 4096 pixels")
    if Path(file).suffix.lower() == PAGE:
        return write_page(shown, file, fps=fps, speed=speed, size=size, view=checked_view(view), trail=trail)
    times = shown.times(fps=fps, speed=speed)
    screen = Screen(shown, times, size, speed=speed, view=checked_view(view), trail=trail)

    shown_here = False if progress is None and in_notebook() else progress  # its cell shows only the film
    bar = Bar("drawing", 1.0, shown=shown_here)

    def drawn(k: int) -> None:
        bar.show((k + 1) / len(times), f"frame {k + 1} of {len(times)}")

    try:
        write_movie(file, len(times), screen.frame, fps=fps, drawn=drawn)
    finally:
        bar.close()
    return Movie(Path(file), len(times), len(times) / fps)


class Screen:
    """Draws the frames of a movie: fixed parts once, moving parts in every frame."""

    def __init__(
        self,
        shown: Animation,
        times: FloatArray,
        size: tuple[int, int],
        *,
        speed: float,
        view: View,
        trail: float,
    ) -> None:
        from .scene import Scene, fill

        figure = canvas.new((size[0] / DPI, size[1] / DPI), False)
        figure.set_dpi(DPI)
        films = shown.films(times)
        self.times, self.figure = times, figure
        self.scene = Scene(films, figure.add_subplot(projection="3d"), view=view, trail=trail)
        margin, line = 6 / size[0], 22 / size[1]
        self.pace = "" if speed == 1.0 else f"  ({speed:g} \N{MULTIPLICATION SIGN} real time)"
        top = 1.0 - line
        colors, names = shown.key(films)
        if len(names) > 1:
            top -= key(figure, colors, names, top)
        fill(self.scene.axes, (margin, margin, 1 - margin, top))
        self.clock = figure.text(1 - margin, 1 - line / 4, "", fontsize=TEXT, ha="right", va="top")
        self.clock.set_text(self._caption(times[-1]))
        _write_title(figure, shown.title, margin, 1 - line / 4, self.clock)
        for artist in self._moving:
            artist.set_visible(False)
        self._canvas.draw()
        self._background: Any = self._canvas.copy_from_bbox(figure.bbox)
        for artist in self._moving:
            artist.set_visible(True)

    @property
    def _canvas(self) -> Any:
        """The pixels; matplotlib does not type their methods."""
        return self.figure.canvas

    @property
    def _moving(self) -> tuple[Any, ...]:
        return (*self.scene.artists, self.clock)

    def frame(self, k: int) -> Frame:
        """The pixels of frame k."""
        self._canvas.restore_region(self._background)
        self.scene.show(k)
        self.clock.set_text(self._caption(self.times[k]))
        for artist in self._moving:
            self.figure.draw_artist(artist)
        return np.ascontiguousarray(np.asarray(self._canvas.buffer_rgba())[..., :3])

    def _caption(self, time: float) -> str:
        return f"t = {time:.2f} s{self.pace}"


def _write_title(figure: Figure, title: str, left: float, top: float, clock: Text) -> None:
    """Write the title on the left, within the space next to the clock."""
    text = figure.text(left, top, title, fontsize=TEXT, va="top", weight="bold", parse_math=False)
    room = clock.get_window_extent().x0 - 12
    for length in range(len(title) - 1, -1, -1):
        if text.get_window_extent().x1 <= room:
            return
        text.set_text(f"{title[:length].rstrip()}\N{HORIZONTAL ELLIPSIS}" if length else "")


STRIP_WIDTH, MOST_HEIGHT, HEAD = 7.0, 6.0, 0.25  # inches; the last for the key


@checked(bad_argument)
def draw_strip(
    shown: Animation,
    file: str | PathLike[str] | None = None,
    *,
    times: Sequence[float] | int = 5,
    view: View = None,
    trail: float = math.inf,
) -> Figure:
    """Draw the moving bodies at some instants side by side: see `Result.strip`."""
    from .scene import Scene, fill

    instants = _instants(shown.span, times)
    films = shown.films(instants)
    figure = canvas.new((STRIP_WIDTH, 3.0), False)
    angles = checked_view(view)
    pen = min(1.0, 2.0 / len(instants))
    all_axes = [figure.add_subplot(projection="3d") for _ in instants]
    scenes = [Scene(films, axes, view=angles, trail=trail, pen=pen) for axes in all_axes]
    for scene in scenes:
        scene.stage.bare()
    width, caption = STRIP_WIDTH / len(scenes), 0.24
    height = 0.94 * width * fill(scenes[0].axes, (0.0, 0.0, 1.0, 1.0)) + caption
    colors, names = shown.key(films)
    above = HEAD if len(names) > 1 else 0.0
    figure.set_size_inches(STRIP_WIDTH, min(height + above, MOST_HEIGHT))
    height = figure.get_figheight()
    if above:
        above = height * key(figure, colors, names, 1.0)
    for k, scene in enumerate(scenes):
        fill(
            scene.axes,
            ((k + 0.03) / len(scenes), caption / height, (k + 0.97) / len(scenes), 1.0 - above / height),
        )
        scene.show(k)
        note = f"{instants[k]:.4g} s" + (f", grid {scene.stage.step:g} m" if k == 0 else "")
        figure.text((k + 0.5) / len(scenes), 0.06 / height, note, fontsize=SMALL, ha="center")
    return canvas.finished(figure, file, False)


def _instants(span: tuple[float, float], times: Sequence[float] | int) -> FloatArray:
    """The given instants of a strip, or the given number of evenly spaced ones. Raises ResultError."""
    start, stop = span
    if isinstance(times, int):
        instants = np.linspace(start, stop, times) if 1 <= times <= 12 else np.empty(0)
    else:
        instants = as_times("times", times)
    if not 1 <= instants.size <= 12 or not np.all((instants >= start) & (instants <= stop)):
        raise ResultError(f"strip: times = {times}; expected 1 to 12 instants from {start:g} to {stop:g} s")
    return instants


def animate(
    result: Result,
    file: str | PathLike[str],
    *,
    robot: object = None,
    signal: str | None = None,
    block: Blocks = None,
    fps: float = 25.0,
    speed: float = 1.0,
    size: tuple[int, int] = (720, 540),
    view: View = None,
    trail: float = math.inf,
    map: object = None,
) -> Movie | Page:
    """Write a film of the moving bodies, .gif or .mp4 (by ffmpeg), or an interactive page, .html.

    robot, signal  one arm, and the path of its joint coordinates; None: the output of the FDyn
                   blocks, and the positions of vehicles; without these, the q that an IKine outputs or
                   that other blocks with a robot read
    block          only the bodies that these blocks move, each in its own colour: FDyn, NRotor, or the
                   source of the q or the q_ref of a block with a robot
    fps, speed     frames per second, and seconds of the run per second
    size           width and height in pixels; of a page in a notebook
    view           elevation and azimuth in degrees; None: across the motion
    trail          duration of the visible path, s; 0 for none
    map            an OccupancyMap, or the YAML file of one, which gives walls

    The file is written completely or not at all. Raises ResultError, RobotError.
    """
    shown = animation(result, robot=robot, signal=signal, block=block, map=map)
    return write_film(shown, file, fps=fps, speed=speed, size=size, view=view, trail=trail)


def strip(
    result: Result,
    file: str | PathLike[str] | None = None,
    *,
    robot: object = None,
    signal: str | None = None,
    block: Blocks = None,
    times: Sequence[float] | int = 5,
    view: View = None,
    trail: float = math.inf,
    map: object = None,
) -> Figure:
    """Draw the moving bodies at some instants side by side, for print; other arguments as for `animate`.

    times  the instants, s, or the number of evenly spaced ones, at most 12
    file   also write it there (.png, .pdf, .svg)

    Raises ResultError, RobotError.
    """
    shown = animation(result, robot=robot, signal=signal, block=block, map=map)
    return draw_strip(shown, file, times=times, view=view, trail=trail)
