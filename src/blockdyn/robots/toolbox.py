"""Names of the Robotics Toolbox have equivalents in blockdyn, for errors and for the manual's page."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import lazy_loader

from ..base.hints import words

LIBRARY = Path(__file__).parent / "data"
SAME = "NAME"  # in an answer, a placeholder of the name
SECTIONS = ("Arms", "Poses", "Planning", "Localization", "Trajectories")
SCOPES = tuple(f"Robotics Toolbox: {section}" for section in SECTIONS)


def answer(name: str) -> str:
    """The equivalent of a name of the Toolbox, or an empty string."""
    word = "models" if name.startswith("mdl_") else name
    text = next((words(scope)[word] for scope in SCOPES if word in words(scope)), "") or _of_library(name)
    return text.replace(SAME, name) if "--plot" not in text else text


def _of_library(name: str) -> str:
    """The call that loads a robot of the library, or an empty string."""
    there = name.isidentifier() and (LIBRARY / f"{name.lower()}.yaml").is_file()
    return f'`robots.load("{name.lower()}")`' if there else ""


def hint(name: str) -> str:
    """The second line of an error for an unknown name, or an empty string."""
    place = answer(name)
    return f"\nfor the Robotics Toolbox's `{name}`, use (in blockdyn.robots) {place}" if place else ""


class _UnknownName(AttributeError):
    """A name that a package does not have; a failed import of a submodule also raises it, without text."""

    def __str__(self) -> str:
        return super().__str__() + hint(self.name or "")


def face(package: str, file: str) -> tuple[Callable[[str], object], Callable[[], list[str]], list[str]]:
    """The `__getattr__`, `__dir__` and `__all__` of a package whose public names its stub lists.

    Each name is imported on first use. Names of the Toolbox get their equivalents.
    """
    public, directory, names = lazy_loader.attach_stub(package, file)

    def attribute(name: str) -> object:
        if name not in names:
            raise _UnknownName(f"module {package!r} has no attribute {name!r}", name=name)
        value = public(name)
        setattr(sys.modules[package], name, value)  # Python calls __getattr__ once
        return value

    return attribute, directory, names
