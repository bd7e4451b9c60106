"""Links: those of the built pages lead to what is there, and nothing is loaded from a network."""

from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

LOADED = {("script", "src"), ("img", "src"), ("link", "href"), ("iframe", "src"), ("source", "src")}


class Page(HTMLParser):
    """The anchors of a page, and what it refers to."""

    def __init__(self) -> None:
        super().__init__()
        self.anchors: set[str] = set()
        self.targets: list[tuple[str, str, str]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name == "id" and value:
                self.anchors.add(value)
            elif name in ("href", "src") and value:
                self.targets.append((tag, name, value))


def faults(site: Path) -> list[str]:
    """A line for each dead link, and for each thing that a page would fetch from elsewhere."""
    files = (path for path in sorted(site.rglob("*.html")) if "_static" not in path.parts)
    pages = {path: _read(path) for path in files}
    return [
        f"{path.relative_to(site)}: {value}: {wrong}"
        for path, page in pages.items()
        for tag, name, value in page.targets
        if (wrong := _wrong(path, (tag, name), value, pages))
    ]


def _read(path: Path) -> Page:
    page = Page()
    page.feed(path.read_text(encoding="utf-8"))
    return page


def _wrong(path: Path, place: tuple[str, str], value: str, pages: dict[Path, Page]) -> str:
    parts = urlsplit(value)
    if parts.scheme or parts.netloc:
        remote = place in LOADED and parts.scheme != "data"
        return "loaded from a network" if remote else ""
    target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
    if not target.exists():
        return "no such file"
    anchored = target in pages and parts.fragment
    missing = anchored and unquote(parts.fragment) not in pages[target].anchors
    return "no such anchor" if missing else ""
