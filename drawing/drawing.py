"""Drawing: the picture of a diagram, which shows itself in a notebook and saves itself to a file."""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import cached_property, partial
from pathlib import Path

from ..base.atomic import replacing
from ..base.short import short
from ..diagrams.model.diagram import Diagram
from .elk import DrawingError
from .facts import facts_of
from .figure import raster
from .layout import lay_out
from .marks import Picture
from .mermaid import mermaid
from .paint import paint
from .sketch import sketch
from .svg import svg

__all__ = ["Drawing", "DrawingError", "check_file", "draw"]

KINDS = (".svg", ".png", ".pdf", ".mmd")


class Drawing:
    """What is drawn: `svg` is its text, `save("loop.png")` writes it, a notebook shows it by itself."""

    def __init__(self, picture: Picture, mermaid: Callable[[], str]) -> None:
        self.picture = picture
        self._mermaid = mermaid

    @cached_property
    def svg(self) -> str:
        """The drawing as SVG, for light and dark pages."""
        return svg(self.picture)

    @property
    def mermaid(self) -> str:
        """The same as text for Mermaid, which lays it out where it is shown."""
        return self._mermaid()

    def save(self, file: str | Path) -> Path:
        """Write an .svg, .png, .pdf or .mmd (Mermaid) file. Raises DrawingError, FileError."""
        path = check_file(file)
        writers: dict[str, Callable[[], bytes]] = {
            ".svg": lambda: self.svg.encode("utf-8"), ".mmd": lambda: self.mermaid.encode("utf-8"),
            ".png": lambda: raster(self.picture, "png"), ".pdf": lambda: raster(self.picture, "pdf"),
        }  # fmt: skip
        content = writers[path.suffix.lower()]()
        with replacing(path) as out:
            out.write(content)
        return path

    def _repr_svg_(self) -> str:
        return self.svg

    def __repr__(self) -> str:
        return f"<Drawing {self.picture.title}: {self.picture.width:.0f} by {self.picture.height:.0f} px>"


def check_file(file: str | Path) -> Path:
    """The path of a picture. Raises DrawingError for an ending that is none."""
    path = Path(file)
    if path.suffix.lower() not in KINDS:
        raise DrawingError(
            f"`{file}` is no kind of picture\nexpected: a name that ends with {', '.join(KINDS)}"
        )
    return path


def draw(
    diagram: Diagram, *, open: bool | Collection[str] = False, units: bool = False, sizes: bool = False
) -> Drawing:
    """Draw a diagram, from left to right with feedback behind.

    `open` are the paths of subsystems that are drawn with what is in them, True is all of them; `units` and
    `sizes` are told at the wires. What does not check is drawn as far as it goes, with what is wrong marked.
    Raises DrawingError.
    """
    for name, flag in (("units", units), ("sizes", sizes)):
        if not isinstance(flag, bool):
            raise DrawingError(f"{name} is {short(flag)}\nexpected: true or false")
    drawn = sketch(diagram, open=open)
    facts = facts_of(diagram, units=units)
    return Drawing(paint(drawn, lay_out(drawn), facts, units=units, sizes=sizes), partial(mermaid, drawn))
