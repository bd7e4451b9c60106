"""API: the public names that are no blocks, module by module, with their docstrings."""

from __future__ import annotations

import inspect
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

import blockdyn as bd
from blockdyn.blocks.contract.registry import library
from blockdyn.robots import functions, inverse, lie, planning, trajectories

from .staging import toctree


class Page(NamedTuple):
    """A module, and what its page says first."""

    module: ModuleType
    text: str


BREAK = ".\u200b"  # a dot after which a narrow column may break a name
PAGES = {
    "blockdyn": Page(
        bd,
        "Diagrams, runs, sweeps, and the parts of your own blocks."
        " The library's blocks are in [the reference](../blocks/index.md).",
    ),
    "robots": Page(bd.robots, "Robots and multirotors: loading, building, converting."),
    "functions": Page(functions, "The [mechanics](../mechanics.md) of arms as functions."),
    "inverse": Page(inverse, "Joint coordinates for poses: [inverse kinematics](../inverse-kinematics.md)."),
    "trajectories": Page(trajectories, "Motions: [trajectories](../trajectories.md)."),
    "planning": Page(planning, "Maps, paths over them, shortest curves: [planning](../planning.md)."),
    "lie": Page(lie, "Rotations, poses, twists: [Lie groups](../lie-groups.md)."),
    "modern_robotics": Page(
        bd.modern_robotics, "The functions of the book by Lynch and Park, under their names there."
    ),
}


def write(out: Path) -> None:
    """A page for each module, and the list of them."""
    out.mkdir()
    for name, page in PAGES.items():
        (out / f"{name}.md").write_text(_page(page), encoding="utf-8")
    rows = "\n".join(f"- [`{page.module.__name__}`]({name}.md): {page.text}" for name, page in PAGES.items())
    text = "# API\n\nThe public names. All else may change without notice.\n\n"
    (out / "index.md").write_text(text + rows + "\n" + toctree("", tuple(PAGES)), encoding="utf-8")


def _page(page: Page) -> str:
    module = page.module.__name__
    names = [name for name in sorted(page.module.__all__, key=str.lower) if name not in library()]
    if page.module is bd:
        names = [name for name in names if name not in bd.robots.__all__]
    parts = [f"# {module.replace('.', BREAK)}", page.text]
    errors: list[str] = []
    for name in names:
        value = getattr(page.module, name)
        if inspect.isclass(value) and issubclass(value, (Exception, Warning)):
            errors.append(name)
        elif inspect.isclass(value):
            parts += [f"## {name}", _documented("autoclass", f"{module}.{name}", "   :members:\n")]
        elif callable(value):
            parts += [f"## {name}", _documented("autofunction", f"{module}.{name}")]
    if errors:
        listed = "".join(_documented("autoexception", f"{module}.{name}") + "\n\n" for name in errors)
        parts += ["## Errors", listed]
    return "\n\n".join(parts) + "\n"


def _documented(directive: str, name: str, options: str = "") -> str:
    return f"```{{eval-rst}}\n.. {directive}:: {name}\n{options}```"
