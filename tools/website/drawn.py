"""Drawn: below each whole diagram that a page shows in YAML stands its picture."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path

from blockdyn import load

from .prose import figure

DIAGRAM = re.compile(r"^```yaml\n(blockdyn: .*?^name: (\S+)$.*?)^```$", re.MULTILINE | re.DOTALL)


def draw(page: Path) -> None:
    """Add the pictures; diagrams of a page may name each other as files."""
    text = page.read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as folder:
        for diagram, name in DIAGRAM.findall(text):
            (Path(folder) / f"{name}.yaml").write_text(diagram, encoding="utf-8")

        def drawn(match: re.Match[str]) -> str:
            return f"{match[0]}\n\n{figure(load(Path(folder) / f'{match[2]}.yaml').draw())}"

        page.write_text(DIAGRAM.sub(drawn, text), encoding="utf-8")
