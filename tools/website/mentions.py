"""Mentions: where a page names blocks of the library, the names lead to their pages."""

from __future__ import annotations

import os
import re
from pathlib import Path

from blockdyn.blocks.contract.registry import library

from .prose import FENCE

NAME = re.compile(r"(?<![`\[\w])`([A-Z]\w*)`(?![`\]])")
BARE = re.compile(r"\s*[A-Z]\w*(?:, [A-Z]\w*)*\s*")
FOREIGN = "there"  # the head of a column with names of other programs


def link(page: Path, out: Path) -> None:
    """Link each name in tables, and in sentences the first; `out` is the folder of all pages."""
    place = os.path.relpath(out / "blocks", page.parent)
    seen: set[str] = set()
    heads: list[str] = []

    def linked(name: str, shown: str) -> str:
        seen.add(name)
        return f"[{shown}]({place}/{name}.md)"

    def line(text: str) -> str:
        if text.startswith("|"):
            cells = text.split("|")
            heads[:] = heads or [cell.strip() for cell in cells]
            return "|".join(cell if head == FOREIGN else _cell(cell) for cell, head in _headed(cells, heads))
        heads.clear()
        return text if text.startswith("#") else NAME.sub(first, text)

    def _cell(text: str) -> str:
        if BARE.fullmatch(text):
            return re.sub(r"\w+", lambda m: linked(m[0], m[0]) if m[0] in library() else m[0], text)
        return NAME.sub(lambda m: linked(m[1], m[0]) if m[1] in library() else m[0], text)

    def first(match: re.Match[str]) -> str:
        fresh = match[1] in library() and match[1] not in seen
        return linked(match[1], match[0]) if fresh else match[0]

    parts = FENCE.split(page.read_text(encoding="utf-8"))
    page.write_text(
        "".join(part if part.startswith("```") else "\n".join(map(line, part.split("\n"))) for part in parts),
        encoding="utf-8",
    )


def _headed(cells: list[str], heads: list[str]) -> list[tuple[str, str]]:
    """Each cell with the head of its column."""
    return [(cell, heads[number] if number < len(heads) else "") for number, cell in enumerate(cells)]
