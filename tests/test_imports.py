"""Imports point one way, are relative, need only what is declared, and leave heavy libraries for later."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from itertools import chain
from pathlib import Path

import pytest

from blockdyn.base.extras import EXTRA

pytestmark = pytest.mark.xdist_group("imports")  # what one reads, the others know
ROOT = Path(__file__).parents[1]
GLUE = "src/blockdyn"  # three packages in it are links to the top level
FOUND_BY_BDSIM = "src/blockdyn_bdsim"  # a package of its own at the top level: bdsim looks nowhere else
MAY_IMPORT = {
    "base": set[str](),
    "native": {"base"},
    "solvers": {"base", "native"},
    "robots": {"base", "native"},
    "blocks": {"base", "native", "solvers", "robots"},
    "diagrams": {"base", "native", "solvers", "robots", "blocks"},
    "sweeps": {"base", "native", "solvers", "robots", "blocks", "diagrams"},
    "analysis": {"base", "native", "solvers", "blocks", "diagrams"},
    "gradients": {"base", "native", "solvers", "diagrams", "sweeps", "analysis"},
    "interop": {"base", "native", "solvers", "robots", "blocks", "diagrams"},
    "drawing": {"base", "blocks", "diagrams"},
    "plots": {
        "base", "native", "solvers", "robots", "blocks", "diagrams", "sweeps", "analysis", "gradients"
    },
    "pages": {"base", "native", "solvers", "robots", "blocks", "diagrams", "drawing", "plots"},
    "export": {"base", "native", "solvers", "robots", "blocks", "diagrams", "pages"},
}  # fmt: skip
# the rooms of a package, from the ground up; those on one line may import each other
ROOMS = {
    "solvers": (
        "fields", "layout calls addressed backend differentiated program", "linear_algebra",
        "equations", "methods", "events", "steps",
        "variation", "loop",
    ),
    "robots": (
        "errors toolbox", "lie", "model", "mechanics cameras", "friction", "contact vehicles wheels",
        "localization", "calls equations",
        "shapes", "construct", "convert", "library", "functions", "inverse planning trajectories",
        "identification",
        "modern_robotics", "prepared",
    ),
    "blocks": (
        "contract", "matrices continuous", "mathematics discrete sources sinks",
        "routing logic discontinuous switching lookup",
        "trajectories poses arms vehicles wheels driving wind sensors cameras estimation control drives"
        " localization user fmus",
    ),
    "diagrams": ("model", "compiler", "results", "yaml", "runs", "values", "touches"),
    "analysis": (
        "errors", "models", "jacobians along", "numbers opening own_events point nearest_root", "sampled",
        "delayed loop_sampling", "sampled_delays", "linearize balance trim",
        "locus loop sine_sweep derivative",
    ),
    "gradients": (
        "errors named", "seeds experiment panels bounds aims", "sensitivity_run",
        "study period_map", "derived",
        "fitted sensitivities measure_derivatives tuned orbit",
        "fit gradient shooting sweep_derivatives",
        "tune",
    ),
    "sweeps": (
        "errors", "measures", "declare", "sections place", "store", "execute", "answer",
        "running sweep", "one_run",
    ),
    "plots": ("style", "canvas", "runs models ensembles robots", "films"),
    "export": ("errors image module wasm elf traced", "settable", "run", "page fmu c", "robot"),
}  # fmt: skip
# late imports that point up
DOORS = {
    ("diagrams.runs.prepared", "diagrams.touches.course"),
    ("diagrams.runs.prepared", "diagrams.touches.retuning"),  # what they write
    ("diagrams.runs.simulate", "diagrams.touches.course"),  # simulate(touches=)
    ("robots.calls.kernel", "robots.library.catalogue"),  # a robot by its name
}
LATE = ("scipy", "matplotlib", "xarray", "pandas", "networkx", "typer", "rich")
# where the name to import is not the name to install
DISTRIBUTION = {
    "google_crc32c": "google-crc32c",
    "py_mini_racer": "mini-racer",
    "PIL": "pillow",
    "backports": "backports.zstd",
    "ruamel": "ruamel.yaml",
    "mpl_toolkits": "matplotlib",
}


def modules() -> list[Path]:
    """Every module once, by its place in the package."""
    inside = [sorted((ROOT / GLUE / package).rglob("*.py")) for package in (*MAY_IMPORT, "cli")]
    return [*(ROOT / GLUE).glob("*.py"), *chain.from_iterable(inside)]


def dotted(path: Path) -> list[str]:
    """The package that a module's relative imports start from: blockdyn, then folders."""
    return ["blockdyn", *path.relative_to(ROOT / GLUE).parent.parts]


@cache
def imports(path: Path) -> list[tuple[int, int, str]]:
    """Line, level and absolute dotted name of everything a module imports, wherever in the file it does."""
    return list(_imports(path))


def _imports(path: Path) -> Iterator[tuple[int, int, str]]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"), str(path))):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node.lineno, 0, alias.name
        elif isinstance(node, ast.ImportFrom):
            base = dotted(path)[: len(dotted(path)) - node.level + 1] if node.level else []
            start = [*base, *(node.module.split(".") if node.module else [])]
            if start == ["blockdyn", "doors"]:  # a stub for type checkers, which is never imported
                continue
            for alias in node.names:  # `from .. import solvers` names a module among the imported names
                name = [*start, alias.name]
                yield node.lineno, node.level, ".".join(name if is_module(name) else start)


def is_module(name: list[str]) -> bool:
    """Whether a dotted name is that of a module of blockdyn."""
    place = (ROOT / GLUE).joinpath(*name[1:])
    return name[0] == "blockdyn" and (place.is_dir() or place.with_suffix(".py").is_file())


def place(path: Path, line: int) -> str:
    return f"{path.relative_to(ROOT)}:{line}"


def test_every_folder_of_the_package_has_a_row_in_the_rule() -> None:
    folders = {path.parent.name for path in (ROOT / GLUE).glob("*/__init__.py")}
    assert folders == {*MAY_IMPORT, "cli"}


def test_imports_between_packages_go_one_way() -> None:
    """Late imports and those for types alone are counted too; doors name what they open as text."""
    against = []
    for path in modules():
        own = dotted(path)[1] if len(dotted(path)) > 1 else ""
        for line, _, name in imports(path):
            root, _, rest = name.partition(".")
            target = rest.partition(".")[0]
            if own in MAY_IMPORT and root == "blockdyn" and target not in {own, *MAY_IMPORT[own]}:
                against.append(f"{place(path, line)}: {own} must not import {name}")
    assert against == []


def test_imports_between_the_rooms_of_a_package_go_one_way() -> None:
    """Late imports and those for types alone are counted too."""
    against, doors = [], set()
    for path in modules():
        package, *inside = path.relative_to(ROOT / GLUE).with_suffix("").parts
        if package not in ROOMS or inside == ["__init__"]:
            continue
        floors = {room: k for k, floor in enumerate(ROOMS[package]) for room in floor.split()}
        own = ".".join([package, *inside]).removesuffix(".__init__")
        for line, _, name in imports(path):
            target = name.split(".")[1:]
            if name.startswith(f"blockdyn.{package}.") and floors[target[1]] > floors[inside[0]]:
                door = (own, ".".join(target))
                doors.add(door)
                if door not in DOORS:
                    against.append(f"{place(path, line)}: {own} must not import {name}")
    assert against == []
    assert doors == DOORS


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
    extras = (project["optional-dependencies"][name] for name in EXTRA.values())
    required = [*project["dependencies"], *(line for extra in extras for line in extra)]
    declared = {re.split(r"[^\w.-]", requirement, maxsplit=1)[0].lower() for requirement in required}
    missing = []
    for path in modules():
        for line, level, name in imports(path):
            root = name.partition(".")[0]
            known = level or root in sys.stdlib_module_names or root in {"blockdyn", *MAY_IMPORT}
            known = known or root == "compression"  # of Python from version 3.14 on
            if not known and DISTRIBUTION.get(root, root).lower() not in declared:
                missing.append(f"{place(path, line)}: {name}")
    assert missing == []


def test_an_error_names_the_extra_that_brings_the_package() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    for package, extra in EXTRA.items():
        required = project["optional-dependencies"][extra]
        assert DISTRIBUTION.get(package, package) in {
            re.split(r"[^\w.-]", requirement, maxsplit=1)[0] for requirement in required
        }
        assert not any(
            line.startswith(DISTRIBUTION.get(package, package)) for line in project["dependencies"]
        )


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
