"""Finding: the file that a name stands for, the caller's own or the gallery's."""

from __future__ import annotations

import os
from difflib import get_close_matches
from os import PathLike
from pathlib import Path

from ...base.location import Location
from .errors import YamlFileError

GALLERY = Path(__file__).parents[1] / "gallery"
SUFFIXES = (".yaml", ".yml")


class UnknownDiagram(YamlFileError):
    """A name that neither a file nor a diagram of the gallery has."""

    def __init__(self, name: str, beside: list[str]) -> None:
        self.name = name
        gallery = list(gallery_files())
        super().__init__(
            f"there is no diagram `{name[:200]}`{_near(name, [*gallery, *beside])}",
            f"a YAML file, or one of the gallery: {', '.join(gallery)}",
            location=Location(name) if Path(name).suffix.lower() in SUFFIXES else None,
        )


def _near(name: str, choices: list[str]) -> str:
    """', did you mean `x`?' for a name that differs in a few letters only, folders left aside."""
    stems = {Path(other).stem.casefold(): other for other in reversed(choices)}
    close = get_close_matches(Path(name[:200]).stem.casefold(), stems, 1, 0.75)
    return f", did you mean `{stems[close[0]]}`?" if close else ""


def gallery_files() -> dict[str, Path]:
    """The files of the gallery by name."""
    return {path.stem: path for path in sorted(GALLERY.glob("*.yaml"))}


def find(name: str | PathLike[str]) -> Path:
    """The file of this name; where there is none, the gallery's diagram of this name.

    Raises YamlFileError for a Python program, UnknownDiagram with the nearest name of the gallery and of the
    files where it was looked for.
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
    if os.path.lexists(text):  # a folder, a pipe, a broken link: its reader says what is wrong with it
        return Path(text)
    raise UnknownDiagram(text, _beside(Path(text)))


def _beside(path: Path) -> list[str]:
    """The YAML files in the folder of a path, written as the path is."""
    try:
        files = sorted(other for other in path.parent.iterdir() if other.suffix.lower() in SUFFIXES)
    except OSError:
        return []
    return [str(other) for other in files]
