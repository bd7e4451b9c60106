"""Docstrings of blocks name what there is."""

from __future__ import annotations

import ast
import inspect
import re
from pathlib import Path

import pytest

from blockdyn.blocks.contract.registry import library

PACKAGE = Path(__file__).parents[2] / "src" / "blockdyn"
ROOMS = ("base", "native", "solvers", "robots", "blocks", "diagrams")
CAMEL = re.compile(r"(?<![\w.`])((?:[A-Z][a-z0-9]+){2,}|[A-Z]{2,}[a-z]\w+)\b")
OTHERS = {"NumPy", "LuGre", "McClamroch", "QGroundControl"}  # names that are not ours


@pytest.fixture(scope="module")
def defined() -> set[str]:
    """The classes and functions of blockdyn."""
    files = (file for room in ROOMS for file in (PACKAGE / room).rglob("*.py"))
    nodes = (node for file in files for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))))
    return {node.name for node in nodes if isinstance(node, (ast.ClassDef, ast.FunctionDef))}


@pytest.mark.parametrize("name", sorted(library()))
def test_blocks_and_errors_that_a_docstring_names_exist(name: str, defined: set[str]) -> None:
    text = (inspect.getdoc(library()[name]) or "").partition("Source")[0]
    known = defined | OTHERS
    assert [word for word in CAMEL.findall(text) if not {word, word.removesuffix("s")} & known] == []
