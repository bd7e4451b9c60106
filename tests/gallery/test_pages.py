"""The gallery's pages: each diagram has one, with a picture, in the list, and what it says runs."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable
from pathlib import Path

import pytest

import blockdyn as bd
from blockdyn.cli.arguments import parse
from blockdyn.diagrams.yaml.finding import gallery_files

DOCS = Path(__file__).parents[2] / "docs" / "gallery"
PAGES = sorted(DOCS.glob("*.md"))
FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
DIAGRAMS = sorted(gallery_files())

page = pytest.mark.parametrize("page", PAGES, ids=lambda path: path.stem)


def code(page: Path, language: str) -> list[str]:
    return [text for kind, text in FENCE.findall(page.read_text(encoding="utf-8")) if kind == language]


@pytest.mark.parametrize("name", DIAGRAMS)
def test_every_diagram_has_a_page_and_a_picture(name: str) -> None:
    text = (DOCS / f"{name}.md").read_text(encoding="utf-8")
    assert text.startswith(f"# {name}\n")
    assert f"(images/{name}.png)" in text
    assert f"blockdyn run {name}" in text
    for picture in (DOCS / "images").glob(f"{name}*.png"):
        assert picture.stat().st_size < 150_000
    assert f"[{name}]({name}.md)" in (DOCS / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", DIAGRAMS)
def test_every_diagram_survives_writing(name: str) -> None:
    text = bd.dumps(bd.load(name))
    assert bd.dumps(bd.load(text)) == text


@page
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\((?!https?:)([^)#]+)", page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), target


@page
def test_commands_are_commands(page: Path) -> None:
    for text in code(page, "sh"):
        for line in text.splitlines():
            words = shlex.split(line, comments=True)
            found = parse(words[1:])
            assert words[0] == "blockdyn"
            if found.command == "robots" or getattr(found, "form", "") == "robot":
                continue  # about robots, not diagrams
            assert (found.result if found.command == "animate" else found.diagram) in gallery_files()


@pytest.mark.parametrize("page", [p for p in PAGES if code(p, "python")], ids=lambda path: path.stem)
def test_python_runs(page: Path, program: Callable[[str], None]) -> None:
    program("\n".join(code(page, "python")))
