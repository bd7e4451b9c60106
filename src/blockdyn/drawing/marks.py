"""A picture is made of two primitives, paths and texts, in groups that name their block.

The width of a text comes from the widths of Helvetica's characters.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

Point: TypeAlias = tuple[float, float]
Step: TypeAlias = tuple[str, tuple[float, ...]]
"""M, L, C or Z of SVG's paths, with absolute coordinates."""

# by kind: stroke, fill, width, dashes; colours are names of PALETTE
STYLES: dict[str, tuple[str, str, float, str]] = {
    "block": ("ink", "paper", 1.2, ""), "bar": ("ink", "ink", 1.0, ""), "frame": ("grey", "wash", 1.0, ""),
    "wire": ("ink", "none", 1.2, ""), "bus": ("ink", "none", 3.6, ""), "core": ("paper", "none", 1.4, ""),
    "arrow": ("none", "ink", 0.0, ""), "dot": ("none", "ink", 0.0, ""), "curve": ("ink", "none", 1.3, ""),
    "faint": ("grey", "none", 0.8, ""), "fill": ("none", "ink", 0.0, ""),
    "fault": ("fault", "wash", 2.0, ""), "loop": ("fault", "none", 2.0, ""),
    "trace": ("accent", "none", 0.9, ""), "badge": ("paper", "accent", 1.0, ""),
    "open": ("fault", "none", 1.6, "3 2"), "hollow": ("ink", "none", 0.6, ""),
    **{f"rate{i}": (f"rate{i}", "none", 1.2, "") for i in range(6)},
    **{f"block{i}": (f"rate{i}", "paper", 1.4, "") for i in range(6)},
}  # fmt: skip
# light and dark; the rates by Okabe and Ito, "Color universal design" (2008)
PALETTE: dict[str, tuple[str, str]] = {
    "ink": ("#1f2328", "#e6edf3"), "paper": ("#ffffff", "#0d1117"), "grey": ("#8b949e", "#8b949e"),
    "wash": ("#f6f8fa", "#161b22"), "fault": ("#c62828", "#ff7b72"), "accent": ("#0072b2", "#56b4e9"),
    "rate0": ("#0072b2", "#56b4e9"), "rate1": ("#d55e00", "#ff8f3f"), "rate2": ("#009e73", "#2fd3a5"),
    "rate3": ("#cc79a7", "#e59ac6"), "rate4": ("#b58900", "#f0e442"), "rate5": ("#6f42c1", "#b392f0"),
}  # fmt: skip


PALE = 0.4  # opacity of pale parts


@dataclass(frozen=True, slots=True)
class Path:
    """A line or an area of one kind, see STYLES."""

    steps: tuple[Step, ...]
    kind: str


@dataclass(frozen=True, slots=True)
class Text:
    """A line of text on its baseline; `anchor` is start, middle or end.

    If others follow on the same line, `width` is its width in any font.
    """

    x: float
    y: float
    text: str
    size: float = 10.0
    anchor: str = "middle"
    colour: str = "ink"
    width: float = 0.0


@dataclass(slots=True)
class Group:
    """Marks of one block, by its path; `title` is the text under a pointer over it."""

    path: str = ""
    title: str = ""
    marks: list[Path | Text] = field(default_factory=list)
    pale: bool = False


@dataclass(frozen=True, slots=True)
class Picture:
    """A drawn diagram: its size in px, its name, its content in words, its groups from back to front."""

    width: float
    height: float
    title: str
    description: str
    groups: Sequence[Group]


def line(points: Iterable[Point], kind: str, *, closed: bool = False) -> Path:
    """Straight pieces through points."""
    steps: list[Step] = [("M" if i == 0 else "L", (x, y)) for i, (x, y) in enumerate(points)]
    return Path((*steps, ("Z", ())) if closed else tuple(steps), kind)


def rounded_rectangle(x: float, y: float, width: float, height: float, radius: float, kind: str) -> Path:
    """A rectangle with round corners; half a side as radius makes it a pill or a circle."""
    r = min(radius, width / 2, height / 2)
    k = r * 0.4477  # 1 - 4/3 (sqrt 2 - 1): a quarter of a circle as a cubic
    right, low = x + width, y + height
    return Path(
        (
            ("M", (x + r, y)), ("L", (right - r, y)), ("C", (right - k, y, right, y + k, right, y + r)),
            ("L", (right, low - r)), ("C", (right, low - k, right - k, low, right - r, low)),
            ("L", (x + r, low)), ("C", (x + k, low, x, low - k, x, low - r)),
            ("L", (x, y + r)), ("C", (x, y + k, x + k, y, x + r, y)), ("Z", ()),
        ),
        kind,
    )  # fmt: skip


# thousandths of the font size. Source: Adobe, Core 14 AFM files, Helvetica
_WIDTHS = {
    222: "'`ijl", 260: "|", 278: " !,./:;I[\\]ft", 333: "()-r", 334: "{}", 355: '"', 389: "*", 469: "^",
    500: "Jcksvxyz", 556: "#$0123456789?L_abdeghnopqu", 584: "+<=>~", 611: "FTZ", 667: "&ABEKPSVXY",
    722: "CDHNRUw", 778: "GOQ", 833: "Mm", 889: "%", 944: "W", 1015: "@",
}  # fmt: skip
_BY_CHARACTER = {character: width for width, characters in _WIDTHS.items() for character in characters}
_OTHER, _WIDE = 600, 1000  # Greek and accented letters; from U+1100 on, square ones


def width_of(text: str, size: float = 10.0) -> float:
    """The width of a line of text, in the units of `size`."""
    return (
        size
        / 1000
        * sum(_BY_CHARACTER.get(character, _WIDE if character >= "\u1100" else _OTHER) for character in text)
    )


def cut(text: str, most: float, size: float = 10.0) -> str:
    """The text, cut with an ellipsis if it is wider than `most`."""
    if width_of(text, size) <= most:
        return text
    while text and width_of(text + "…", size) > most:
        text = text[:-1]
    return text + "…"


def lines_of(text: str, most: float, size: float = 10.0) -> list[str]:
    """A text in lines no wider than `most`, broken between its words; a word that is too wide is cut."""
    lines: list[str] = []
    for word in text.split():
        if lines and width_of(f"{lines[-1]} {word}", size) <= most:
            lines[-1] += f" {word}"
        else:
            lines.append(cut(word, most, size))
    return lines
