"""Page: what moves in a result as one HTML file that turns and plays."""

from __future__ import annotations

from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

from ...base.atomic import replacing
from ...base.html import framed
from .errors import ResultFileError

if TYPE_CHECKING:
    from .animation import Animation, View

MOST_SAMPLES = 3000  # between them the browser joins poses; some 100 bytes each a body


@dataclass(frozen=True)
class Page:
    """A page that was written: its file, instants, span of the run in s, and size in a notebook."""

    file: Path
    frames: int
    duration: float
    size: tuple[int, int]

    def _repr_html_(self) -> str | None:
        """The page itself, in a frame; nothing where the file is gone."""
        return framed(self.file, self.size)


def write_page(
    shown: Animation,
    file: str | PathLike[str],
    *,
    fps: float,
    speed: float,
    size: tuple[int, int],
    view: View,
    trail: float,
) -> Page:
    """Write the page, whole or not at all. Raises ResultFileError where the system refuses."""
    from ...robots.animation.page import page

    times = shown.times(fps=fps, most=MOST_SAMPLES)
    text = page(shown.films(times), shown.labels, shown.title, view=view, trail=trail, speed=speed)
    with replacing(file, ResultFileError) as target:
        target.write(text.encode("utf-8"))
    return Page(Path(file), len(times), float(times[-1] - times[0]), size)
