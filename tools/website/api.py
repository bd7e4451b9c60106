"""API: the public names that are no blocks, module by module, with their docstrings."""

from __future__ import annotations

import functools
import inspect
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import blockdyn as bd
from blockdyn.blocks.contract.registry import library
from blockdyn.robots import functions, inverse, lie, planning, trajectories

from .returned import members, returned
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


RETURNED = "What methods return"
OF_METHODS = (
    "Models, fits, ensembles and others: the classes of what methods of a diagram and its results return."
)


def write(out: Path) -> None:
    """A page for each module, one for what diagrams lead to, and the list of them."""
    out.mkdir()
    for name, page in PAGES.items():
        (out / f"{name}.md").write_text(_page(page), encoding="utf-8")
    text = f"# {RETURNED}\n\n{OF_METHODS}\n\n" + "\n\n".join(map(_class, _more(PAGES["blockdyn"]))) + "\n"
    (out / "returned.md").write_text(text, encoding="utf-8")
    rows = [f"- [`{page.module.__name__}`]({name}.md): {page.text}" for name, page in PAGES.items()]
    rows.insert(1, f"- [{RETURNED}](returned.md): {OF_METHODS}")
    text = "# API\n\nThe public names. All else may change without notice.\n\n"
    names = ("blockdyn", "returned", *PAGES)
    (out / "index.md").write_text(
        text + "\n".join(rows) + "\n" + toctree("", tuple(dict.fromkeys(names))), encoding="utf-8"
    )


@functools.cache
def classes() -> dict[type, str]:
    """Every class with an entry, with the name that it has there."""
    named = {
        value: f"{page.module.__name__}.{name}"
        for page in PAGES.values()
        for name, value in _public(page)
        if inspect.isclass(value)
    }
    more = (kind for page in PAGES.values() for kind in _more(page))
    return named | {kind: f"{kind.__module__}.{kind.__name__}" for kind in more}


def _public(page: Page) -> list[tuple[str, Any]]:
    """The names of a page, with what they are."""
    names = (name for name in sorted(page.module.__all__, key=str.lower) if name not in library())
    elsewhere = bd.robots.__all__ if page.module is bd else ()
    return [(name, getattr(page.module, name)) for name in names if name not in elsewhere]


def _more(page: Page) -> list[type]:
    """The classes that functions of the page lead to, and that no page has by name."""
    named = [value for each in PAGES.values() for _, value in _public(each)]
    seeds = (value for _, value in _public(page) if callable(value))
    return [kind for kind in returned(seeds) if kind not in named]


def _page(page: Page) -> str:
    module = page.module.__name__
    parts = [f"# {module.replace('.', BREAK)}", page.text]
    errors: list[str] = []
    for name, value in _public(page):
        if inspect.isclass(value) and issubclass(value, (Exception, Warning)):
            errors.append(name)
        elif inspect.isclass(value):
            parts.append(_class(value, f"{module}.{name}"))
        elif callable(value):
            parts += [f"## {name}", _documented("autofunction", f"{module}.{name}")]
    if page.module is not bd:
        parts += map(_class, _more(page))
    if errors:
        parts.append("## Errors")
        parts += [
            _documented("autoexception", f"{module}.{name}", _members(getattr(page.module, name)))
            for name in errors
        ]
    return "\n\n".join(parts) + "\n"


def _class(kind: type, name: str = "") -> str:
    """A class with the members that its bases have, too."""
    directive = _documented("autoclass", name or f"{kind.__module__}.{kind.__name__}", _members(kind))
    return f"## {kind.__name__}\n\n{directive}"


def _members(kind: type) -> str:
    names = members(kind)
    return f"   :members: {', '.join(names)}\n" if names else ""


def _documented(directive: str, name: str, options: str = "") -> str:
    return f"```{{eval-rst}}\n.. {directive}:: {name}\n{options}```"
