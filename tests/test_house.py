"""House style that no linter knows: names say what a thing is, and lines of the changelog fit a window."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGES = ("blocks", "diagrams", "solvers", "src")
SAY_NOTHING = {
    "found",
    "known",
    "given",
    "own",
    "kept",
    "wanted",
    "whole",
    "told",
    "made",
    "thing",
    "the",
    "never",
    "odd",
}


def named(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Arguments, functions, classes and fields."""
    for node in ast.walk(tree):
        if isinstance(node, ast.arg):
            yield node.lineno, node.arg
        elif isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            yield node.lineno, node.name
            for field in node.body if isinstance(node, ast.ClassDef) else ():
                if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name):
                    yield field.lineno, field.target.id
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.lineno, node.attr


def test_arguments_functions_and_fields_say_what_they_are() -> None:
    silent = [
        f"{path.relative_to(ROOT)}:{line} {name}"
        for package in PACKAGES
        for path in (ROOT / package).rglob("*.py")
        for line, name in named(ast.parse(path.read_text()))
        if name.strip("_") in SAY_NOTHING and (path.stem, name) != ("fitted", "found")  # a public field
    ]
    assert not silent


def test_lines_of_the_changelog_fit_a_window() -> None:
    lines = (ROOT / "CHANGELOG.md").read_text().splitlines()
    assert [number for number, line in enumerate(lines, 1) if len(line) > 125] == []


def test_the_changelog_says_nothing_twice() -> None:
    """Entries that two branches wrote, or wrapped, come back from merges."""
    entries = re.split(r"\n(?=- )", (ROOT / "CHANGELOG.md").read_text())
    beginnings = [" ".join(entry.split())[:60] for entry in entries]
    assert [each for each, number in Counter(beginnings).items() if number > 1] == []


def test_a_module_is_read_in_one_sitting() -> None:
    """At most 500 lines; tables of names are data."""
    tables = {"hint_table.py"}
    paths = [
        path for package in PACKAGES for path in (ROOT / package).rglob("*.py") if path.name not in tables
    ]
    assert [path for path in paths if len(path.read_text().splitlines()) > 500] == []
