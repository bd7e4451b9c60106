"""A name is resolved to a file: the caller's own, the gallery's, or a package's."""

from __future__ import annotations

import os
from collections.abc import Mapping
from difflib import get_close_matches
from functools import cache
from os import PathLike
from pathlib import Path
from types import ModuleType

from ...base.location import Location
from ...base.plugins import load_plugins
from .errors import YamlFileError, unknown_type

GROUP = "blockdyn.subsystems"
OWN = Path(__file__).parents[1] / "subsystems"
ENDINGS = (".yaml", ".yml")


def is_file(kind: str) -> bool:
    """True for a type that is a file next to the diagram's: `type: motor.yaml`."""
    return kind.endswith(ENDINGS)


def packaged() -> Mapping[str, Path]:
    """The files of all packaged subsystems, by the name that `type` has: `blockdyn/FlightCascade`."""
    return _packaged_types()


def checked_type(kind: str, at: Location | None) -> None:
    """Raise YamlError for a type that is neither a packaged subsystem nor a file."""
    if not is_file(kind) and kind not in packaged():
        remedy = "a subsystem of a package (`blockdyn blocks` lists them), or a file such as motor.yaml"
        raise unknown_type(kind, tuple(packaged()), remedy, path="subsystem", location=at)


@cache
def _packaged_types() -> dict[str, Path]:
    folders = [("blockdyn", OWN), *load_plugins(GROUP, "the subsystems", _folder)]
    return {
        f"{package}/{file.stem}": file
        for package, folder in folders
        for ending in ENDINGS
        for file in sorted(folder.glob(f"*{ending}"))
    }


def _folder(package: object) -> Path:
    """The folder of a package that an entry point names. Raises ValueError if it holds no YAML."""
    if not isinstance(package, ModuleType) or not getattr(package, "__path__", None):
        raise ValueError(f"it names {package!r}\nexpected: a package, whose folder holds the YAML files")
    folder = Path(next(iter(package.__path__)))
    if not any(file.suffix in ENDINGS for file in folder.iterdir()):
        raise ValueError(f"{folder} holds no YAML file")
    return folder


GALLERY = Path(__file__).parents[1] / "gallery"
SUFFIXES = (".yaml", ".yml")


def unknown_diagram(name: str, beside: list[str]) -> YamlFileError:
    """Return the error for a name that neither a file nor a diagram of the gallery has."""
    gallery = list(gallery_files())
    return YamlFileError(
        f"there is no diagram `{name[:200]}`{_near(name, [*gallery, *beside])}",
        f"a YAML file, or one of the gallery (`blockdyn gallery`), such as {', '.join(gallery[:8])}",
        location=Location(name) if Path(name).suffix.lower() in SUFFIXES else None,
    )


def _near(name: str, choices: list[str]) -> str:
    """', did you mean `x`?' for a name that differs in a few letters only, ignoring folders."""
    stems = {Path(other).stem.casefold(): other for other in reversed(choices)}
    close = get_close_matches(Path(name[:200]).stem.casefold(), stems, 1, 0.75)
    return f", did you mean `{stems[close[0]]}`?" if close else ""


def gallery_files() -> dict[str, Path]:
    """The files of the gallery by name."""
    return {path.stem: path for path in sorted(GALLERY.glob("*.yaml"))}


def find(name: str | PathLike[str]) -> Path:
    """The file of this name; if there is none, the gallery's diagram of this name.

    Raises YamlFileError for a Python program, and for an unknown name, with the nearest name of the gallery
    and of the files where it was looked for.
    """
    text = os.fspath(name)
    if text.endswith(".py"):
        raise YamlFileError(
            f"{text} is a Python program", f"the YAML file of a diagram; for a program, python {text}",
            location=None,
        )  # fmt: skip
    if os.path.isfile(text):
        return Path(text)
    gallery = gallery_files()
    if text in gallery:
        return gallery[text]
    if os.path.lexists(text):  # a folder, a pipe, a broken link: its reader raises the error
        return Path(text)
    raise unknown_diagram(text, _neighbours(Path(text)))


def _neighbours(path: Path) -> list[str]:
    """The YAML files in the folder of a path, written as the path is."""
    try:
        files = sorted(other for other in path.parent.iterdir() if other.suffix.lower() in SUFFIXES)
    except OSError:
        return []
    return [str(other) for other in files]
