"""SVG: a picture as text, the same to the last byte for the same picture, in light and dark."""

from __future__ import annotations

from hashlib import sha256
from xml.sax.saxutils import escape, quoteattr

from ..base.words import visible
from .marks import PALE, PALETTE, STYLES, Group, Path, Picture, Text

FONT = "Helvetica, Arial, 'Liberation Sans', sans-serif"


def svg(picture: Picture) -> str:
    """The picture as an SVG document, which a page can contain unchanged."""
    width, height = _number(picture.width), _number(picture.height)
    body = "\n".join(fragment(group) for group in picture.groups)
    key = sha256(body.encode("utf-8")).hexdigest()[:8]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="blockdyn-diagram" role="img" width="{width}" '
        f'height="{height}" viewBox="0 0 {width} {height}" aria-labelledby="t{key} d{key}">\n'
        f'<title id="t{key}">{_text(picture.title)}</title>\n'
        f'<desc id="d{key}">{_text(picture.description)}</desc>\n'
        f"<style>{style_sheet()}</style>\n"
        f'<rect class="bd-sheet" width="{width}" height="{height}" fill="#ffffff"/>\n{body}\n</svg>\n'
    )


def style_sheet() -> str:
    """Rules of all kinds; renderers without custom properties use the light colours."""
    top = "svg.blockdyn-diagram"
    light = ";".join(f"--bd-{name}:{pair[0]}" for name, pair in PALETTE.items())
    dark = ";".join(f"--bd-{name}:{pair[1]}" for name, pair in PALETTE.items())
    rules = [
        f"{top}{{{light}}}",
        f"@media (prefers-color-scheme:dark){{{top}{{{dark}}}}}",
        f'[data-theme="light"] {top},[data-jp-theme-light="true"] {top}{{{light}}}',
        f'[data-theme="dark"] {top},[data-jp-theme-light="false"] {top},.bd-dark {top}{{{dark}}}',
        f"{top} text{{font-family:{FONT};stroke:none}}",
        f"{top} .bd-sheet{{{_colour('fill', 'paper')}}}",
        *(f"{top} .bd-t-{name}{{{_colour('fill', name)}}}" for name in PALETTE),
    ]
    for kind, (stroke, fill, width, dashes) in STYLES.items():
        dashed = f";stroke-dasharray:{dashes}" if dashes else ""
        rules.append(
            f"{top} .bd-{kind}{{{_colour('stroke', stroke)};{_colour('fill', fill)};"
            f"stroke-width:{_number(width)};stroke-linejoin:round{dashed}}}"
        )
    return "".join(rules)


def _colour(rule: str, name: str) -> str:
    return f"{rule}:none" if name == "none" else f"{rule}:{PALETTE[name][0]};{rule}:var(--bd-{name})"


def fragment(group: Group) -> str:
    """The element of a group."""
    marks = "\n".join(_path(mark) if isinstance(mark, Path) else _label(mark) for mark in group.marks)
    path = f" data-path={_quote_text(group.path)}" if group.path else ""
    title = f"<title>{_text(group.title)}</title>" if group.title else ""
    pale = f' opacity="{PALE}"' if group.pale else ""
    return f"<g{path}{pale}>{title}\n{marks}\n</g>"


def _path(mark: Path) -> str:
    steps = "".join(letter + " ".join(map(_number, numbers)) for letter, numbers in mark.steps)
    return f'<path class="bd-{mark.kind}" d="{steps}"/>'


def _label(mark: Text) -> str:
    fitted = f' textLength="{_number(mark.width)}" lengthAdjust="spacingAndGlyphs"' if mark.width else ""
    return (
        f'<text class="bd-t-{mark.colour}" x="{_number(mark.x)}" y="{_number(mark.y)}" '
        f'font-size="{_number(mark.size)}" text-anchor="{mark.anchor}"{fitted}>{_text(mark.text)}</text>'
    )


def _number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".") if value else "0"


def _text(text: str) -> str:
    return escape(visible(text))


def _quote_text(text: str) -> str:
    return quoteattr(visible(text, lines=False))
