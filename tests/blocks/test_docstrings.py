"""Docstrings of blocks name what there is."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

from blockdyn.blocks.contract.registry import library

PACKAGE = Path(__file__).parents[2] / "src" / "blockdyn"
ROOMS = ("base", "native", "solvers", "robots", "blocks", "diagrams")
CAMEL = re.compile(r"(?<![\w.`])((?:[A-Z][a-z0-9]+){2,}|[A-Z]{2,}[a-z]\w+)\b")
DEFINITION = re.compile(r"^\s*(?:class|def) (\w+)", re.MULTILINE)
OTHERS = {"NumPy", "LuGre", "McClamroch", "QGroundControl"}  # names that are not ours


def test_blocks_and_errors_that_a_docstring_names_exist() -> None:
    files = (file for room in ROOMS for file in (PACKAGE / room).rglob("*.py"))
    defined = {name for file in files for name in DEFINITION.findall(file.read_text(encoding="utf-8"))}
    known = defined | OTHERS
    texts = {name: (inspect.getdoc(block) or "").partition("Source")[0] for name, block in library().items()}
    assert [
        (name, word)
        for name, text in texts.items()
        for word in CAMEL.findall(text)
        if not {word, word.removesuffix("s")} & known
    ] == []
