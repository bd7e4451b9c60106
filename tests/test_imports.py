"""Imports point one way, are relative, need only what is declared, and leave heavy libraries for later."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
GLUE = "src/blockdyn"
MAY_IMPORT = {
    "base": set[str](),
    "native": {"base"},
    "solvers": {"base", "native"},
    "robots": {"base", "native"},
    "blocks": {"base", "native", "solvers", "robots"},
    "diagrams": {"base", "native", "solvers", "robots", "blocks"},
    "sweeps": {"base", "native", "solvers", "robots", "blocks", "diagrams"},
}
LATE = ("scipy", "matplotlib", "xarray", "pandas", "networkx", "pydantic", "typer", "rich")
# where the name to import is not the name to install
DISTRIBUTION = {
    "google_crc32c": "google-crc32c",
    "PIL": "pillow",
    "ruamel": "ruamel.yaml",
    "pydantic_core": "pydantic-core",
    "mpl_toolkits": "matplotlib",
}


def modules() -> list[Path]:
    """Every module once: the packages by their own folders, the glue without its links."""
    inside = [path for package in MAY_IMPORT for path in sorted((ROOT / package).rglob("*.py"))]
    return [*inside, *sorted((ROOT / GLUE).glob("*.py"))]


def dotted(path: Path) -> list[str]:
    """The package that a module's relative imports start from: blockdyn, then folders."""
    folders = path.relative_to(ROOT / GLUE if path.is_relative_to(ROOT / GLUE) else ROOT).parent.parts
    return ["blockdyn", *folders]


def imports(path: Path) -> Iterator[tuple[int, int, str]]:
    """Line, level and absolute dotted name of everything a module imports, wherever in the file it does."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"), str(path))):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node.lineno, 0, alias.name
        elif isinstance(node, ast.ImportFrom):
            base = dotted(path)[: len(dotted(path)) - node.level + 1] if node.level else []
            start = [*base, *(node.module.split(".") if node.module else [])]
            if start == ["blockdyn"]:  # `from .. import solvers` names the package among the imported names
                for alias in node.names:
                    yield node.lineno, node.level, f"blockdyn.{alias.name}"
            else:
                yield node.lineno, node.level, ".".join(start)


def place(path: Path, line: int) -> str:
    return f"{path.relative_to(ROOT)}:{line}"


def test_the_packages_of_the_rule_are_the_packages_of_the_wheel() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert {*MAY_IMPORT, GLUE} == set(project["tool"]["hatch"]["build"]["targets"]["wheel"]["sources"])


def test_imports_between_packages_go_one_way() -> None:
    against = []
    for path in modules():
        own = path.relative_to(ROOT).parts[0]
        for line, _, name in imports(path):
            root, _, rest = name.partition(".")
            target = rest.partition(".")[0]
            if own in MAY_IMPORT and root == "blockdyn" and target not in {own, *MAY_IMPORT[own]}:
                against.append(f"{place(path, line)}: {own} must not import {name}")
    assert against == []


def test_imports_inside_blockdyn_are_relative() -> None:
    own = {"blockdyn", *MAY_IMPORT}
    absolute = [
        f"{place(path, line)}: {name}"
        for path in modules()
        for line, level, name in imports(path)
        if level == 0 and name.partition(".")[0] in own
    ]
    assert absolute == []


def test_relative_imports_stay_inside_blockdyn() -> None:
    """One dot too many works from the tree's own folders and breaks once installed."""
    outside = [
        f"{place(path, line)}: {name}"
        for path in modules()
        for line, level, name in imports(path)
        if level and name.partition(".")[0] != "blockdyn"
    ]
    assert outside == []


def test_every_library_imported_is_declared() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = (project["optional-dependencies"][name] for name in ("bdsim", "sensitivity", "cluster"))
    required = [*project["dependencies"], *(line for extra in extras for line in extra)]
    declared = {re.split(r"[^\w.-]", requirement, maxsplit=1)[0].lower() for requirement in required}
    missing = []
    for path in modules():
        for line, level, name in imports(path):
            root = name.partition(".")[0]
            known = level or root in sys.stdlib_module_names or root in {"blockdyn", *MAY_IMPORT}
            if not known and DISTRIBUTION.get(root, root).lower() not in declared:
                missing.append(f"{place(path, line)}: {name}")
    assert missing == []


@pytest.fixture(scope="module")
def loaded() -> set[str]:
    """The top-level modules that a fresh process holds after `import blockdyn`."""
    code = "import sys, blockdyn; print(*{name.partition('.')[0] for name in sys.modules})"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    return set(run.stdout.split())


@pytest.mark.parametrize("name", LATE)
def test_importing_blockdyn_leaves_heavy_libraries_for_later(name: str, loaded: set[str]) -> None:
    assert name not in loaded
