"""The documentation's code: every block of Python runs, every diagram compiles, every command line is one."""

from __future__ import annotations

import ast
import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import blockdyn as bd
from blockdyn.cli import main
from blockdyn.cli.arguments import parse
from blockdyn.diagrams.yaml.finding import gallery_files
from blockdyn.robots import catalogue

ROOT = Path(__file__).parents[2]
TUTORIALS = sorted((ROOT / "docs" / "tutorials").glob("*.md"))
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")), *TUTORIALS]
GALLERY = sorted((ROOT / "docs" / "gallery").glob("*.md"))
MAIN = 'if __name__ == "__main__":'  # in programs that other processes import
FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
OTHERS = [ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md"]
MENTIONED = re.compile(r"`blockdyn\s([^`]+)`")  # a command in a sentence
LEFT_OUT = ((), ("FILE",), ("FILE", "FILE"), ("1", "FILE"))  # an option's value, and the file
LINK = re.compile(r"\]\((?!https?:)([^)#]+)")

page = pytest.mark.parametrize("page", PAGES, ids=lambda path: path.name)


def blocks(page: Path, language: str) -> list[str]:
    """The code blocks of one language, in order, each at the line where it stands in the page."""
    text = page.read_text(encoding="utf-8")
    found = [match for match in FENCE.finditer(text) if match[1] == language]
    return ["\n" * text.count("\n", 0, match.start(2)) + match[2] for match in found]


def diagrams(page: Path) -> list[str]:
    """The blocks of YAML that are whole diagrams."""
    return [text.lstrip("\n") for text in blocks(page, "yaml") if text.lstrip("\n").startswith("blockdyn:")]


def write_diagrams(page: Path, folder: Path) -> None:
    """The page's diagrams under their names."""
    for text in diagrams(page):
        name = re.search(r"^name: (\S+)$", text, re.MULTILINE)
        assert name, f"a diagram in {page.name} has no name"
        (folder / f"{name[1]}.yaml").write_text(text, encoding="utf-8")


def program_of(page: Path) -> str:
    """The page's Python as one program, line for line."""
    lines: list[str] = []
    for text in blocks(page, "python"):
        lines += text.splitlines()[len(lines) :]
    return "\n".join(lines) + "\n"


@page
def test_python_runs(page: Path, tmp_path: Path, program: Callable[[str], None]) -> None:
    if page.name.endswith("bdsim.md"):
        pytest.importorskip("bdsim", reason='needs bdsim: pip install "blockdyn[bdsim]"')
    write_diagrams(page, tmp_path)
    text = program_of(page)
    if MAIN not in text:
        program(text)
        return
    (tmp_path / "program.py").write_text(text, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "program.py"],
        cwd=tmp_path, capture_output=True, text=True, encoding="utf-8", check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr


def test_the_first_tutorial_prints_what_it_shows(
    tmp_path: Path, program: Callable[[str], None], capsys: pytest.CaptureFixture[str]
) -> None:
    write_diagrams(TUTORIALS[0], tmp_path)
    program(program_of(TUTORIALS[0]))
    printed = "\n".join(line.rstrip() for line in capsys.readouterr().out.splitlines())
    (shown,) = blocks(TUTORIALS[0], "text")
    assert shown.strip() in printed


@pytest.mark.parametrize("page", [*PAGES, *GALLERY], ids=lambda path: path.name)
def test_python_imports_what_it_uses(page: Path) -> None:
    """No module is asked of a package that neither lists it nor was told to import it.

    The programs above run where others have imported everything before them.
    """
    tree = ast.parse(program_of(page))
    places: dict[str, str] = {}  # what names of the program are: modules, and names in them
    imported: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                imported.add(alias.name)
                root = alias.name.partition(".")[0]
                places[alias.asname or root] = alias.name if alias.asname else root
        elif isinstance(node, ast.ImportFrom):
            for alias in node.names:
                places[alias.asname or alias.name] = f"{node.module}.{alias.name}"
                imported |= {str(node.module), f"{node.module}.{alias.name}"}
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            first, _, further = ast.unparse(node).partition(".")
            name = f"{places.get(first, first)}.{further}"
            owner, _, attribute = name.rpartition(".")
            if name.startswith("blockdyn.") and name in sys.modules and name not in imported:
                assert attribute in getattr(sys.modules[owner], "__all__", ()), name


@page
def test_diagrams_compile_and_survive_writing(page: Path, tmp_path: Path) -> None:
    write_diagrams(page, tmp_path)
    for file in sorted(tmp_path.glob("*.yaml")):
        diagram = bd.load(file)
        whole = not any(isinstance(block, bd.Inport) for block in diagram.blocks.values())
        if whole:  # the others are subsystems, checked by what uses them
            diagram.check()
        assert bd.dumps(bd.load(bd.dumps(diagram))) == bd.dumps(diagram)


@pytest.mark.parametrize("page", [*PAGES, *GALLERY, *OTHERS], ids=lambda path: path.name)
def test_command_lines_are_understood(page: Path) -> None:
    """Those of code, with diagrams that there are, and those in sentences, which may leave out the file."""
    for line in "\n".join(blocks(page, "sh") + blocks(page, "bash")).splitlines():
        words = shlex.split(line, comments=True)
        if "blockdyn" in words:
            arguments = parse(words[words.index("blockdyn") + 1 :])
            name = getattr(arguments, "diagram", None)
            if getattr(arguments, "form", None) == "robot":
                assert name in catalogue(), line
                continue
            assert name is None or "." in name or name.isupper() or name in gallery_files(), line
    for line in MENTIONED.findall(FENCE.sub("", page.read_text(encoding="utf-8"))):
        words = shlex.split(line.partition(">")[0])
        assert any(_is_command([*words, *rest]) for rest in LEFT_OUT), line


def _is_command(words: list[str]) -> bool:
    try:
        return bool(parse(words).command)
    except SystemExit:
        return False


@pytest.mark.parametrize("page", [PAGES[0], *TUTORIALS], ids=lambda path: path.name)
def test_commands_run(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those that end by themselves, one after the other, in a folder that holds the page's diagrams alone."""
    monkeypatch.chdir(tmp_path)
    write_diagrams(page, tmp_path)
    for line in "".join(blocks(page, "sh")).splitlines():
        words = shlex.split(line, comments=True)
        if words[:1] == ["blockdyn"] and "--live" not in words:
            assert main(words[1:]) == 0, line


@page
def test_links_lead_somewhere(page: Path) -> None:
    for target in LINK.findall(page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), target


def test_the_readme_has_python_and_yaml_twins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same diagram in both: the same traces and events, bit for bit."""
    monkeypatch.chdir(tmp_path)
    write_diagrams(PAGES[0], tmp_path)
    names: dict[str, object] = {}
    exec(blocks(PAGES[0], "python")[0], names)
    ours = names["r"]
    twin = bd.load("speed-loop.yaml").simulate()
    assert isinstance(ours, bd.Result)
    assert list(ours.signals) == list(twin.signals)
    assert all(ours.signals[path].identical(twin.signals[path]) for path in ours.signals)
    assert all(ours.states[path].identical(twin.states[path]) for path in ours.states)
    assert ours.events == twin.events


def test_the_readmes_picture_is_drawn_from_its_diagram() -> None:
    """`blockdyn graph speed-loop.yaml --out docs/images/speed-loop.svg` makes it anew."""
    pytest.importorskip("py_mini_racer", reason='needs V8: pip install "blockdyn[drawing]"')
    drawn = bd.load(diagrams(PAGES[0])[0]).draw()
    assert drawn.svg == (ROOT / "docs" / "images" / "speed-loop.svg").read_text(encoding="utf-8")


def test_the_readmes_motor_comes_to_its_speed() -> None:
    """At rest the integral has made the speed what is asked for, whatever the load; the limit was reached."""
    r = bd.load(diagrams(PAGES[0])[0]).simulate(stop=20.0)
    assert r.final("rotor") == pytest.approx(100.0, rel=1e-6)
    assert np.max(r["control"].values) == 24.0
    # voltage of equilibrium: load torque and friction over the constant, and what the motor induces
    assert r.final("control") == pytest.approx((0.3 + 0.002 * 100.0) / 0.05 + 0.05 * 100.0, rel=1e-6)
