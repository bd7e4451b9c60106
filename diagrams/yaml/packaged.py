"""Packaged: diagrams in YAML that read like blocks, `package/Name`, ours and those of installed packages."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import ModuleType

from ...base.location import Location
from ...base.plugins import offered
from .errors import UnknownType

GROUP = "blockdyn.subsystems"
OWN = Path(__file__).parents[1] / "subsystems"
ENDINGS = (".yaml", ".yml")


def is_file(kind: str) -> bool:
    """Whether a type is a file beside the diagram's: `type: motor.yaml`."""
    return kind.endswith(ENDINGS)


def packaged() -> Mapping[str, Path]:
    """The files of all packaged subsystems, by the name that `type` has: `blockdyn/FlightCascade`."""
    return _packaged()


def checked_type(kind: str, at: Location | None) -> None:
    """Raise UnknownType for what is neither a packaged subsystem nor a file."""
    if not is_file(kind) and kind not in packaged():
        remedy = "a subsystem of a package (`blockdyn blocks` lists them), or a file such as motor.yaml"
        raise UnknownType(kind, tuple(packaged()), remedy, path="subsystem", location=at)


@cache
def _packaged() -> dict[str, Path]:
    folders = [("blockdyn", OWN), *offered(GROUP, "the subsystems", _folder)]
    return {
        f"{package}/{file.stem}": file
        for package, folder in folders
        for ending in ENDINGS
        for file in sorted(folder.glob(f"*{ending}"))
    }


def _folder(package: object) -> Path:
    """The folder of a package that an entry point names. Raises ValueError where it holds no YAML."""
    if not isinstance(package, ModuleType) or not getattr(package, "__path__", None):
        raise ValueError(f"it names {package!r}\nexpected: a package, whose folder holds the YAML files")
    folder = Path(next(iter(package.__path__)))
    if not any(file.suffix in ENDINGS for file in folder.iterdir()):
        raise ValueError(f"{folder} holds no YAML file")
    return folder
