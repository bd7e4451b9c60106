"""Registry: block types by name, from a scan of the library's families and from entry points of packages."""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import ModuleType

from ...base.plugins import load_plugins
from .block import Block
from .errors import BlockError
from .synonyms import suggest_type

GROUP = "blockdyn.blocks"
OFFERED = "expected: a block of the library or of a package (`blockdyn blocks` lists them)"
OWN = (
    f'; a class of your own is added in Python, offered by a package ("{GROUP}"), or in a trusted file,'
    ' {type: "valve.py:Valve"}; a function in a file is {type: Function, function: "laws.py:brake"}'
)
PACKAGE = __name__.rsplit(".", 2)[0]  # its folders are the families, and the contract


class UnknownBlockType(BlockError):
    """A name that no block type has."""

    def __init__(self, name: str, choices: tuple[str, ...], remedy: str = "") -> None:
        self.name, self.choices = name, choices
        near = suggest_type(name, choices)
        self.remedy = remedy or (OFFERED if near else f"{OFFERED}{OWN}")
        super().__init__(f"there is no block type `{name}`{near}\n{self.remedy}")


@dataclass(frozen=True)
class Family:
    """Block types that belong together: a folder of the library, or a package with block types."""

    name: str
    doc: str
    types: tuple[type[Block], ...]
    package: str = ""  # empty: the library


def block_type(name: str) -> type[Block]:
    """The block class of a name: `Gain`, or `package:Gain` for a block of an installed package.

    If the library and a package share a name, the bare name is the library's.
    Raises UnknownBlockType with the nearest name, or the choices if two packages share a name.
    """
    kind = _of_library(name)
    if kind is not None:
        return kind
    package, colon, inner = name.rpartition(":")
    if colon:
        kind = plugins().get(package, {}).get(inner)
        if kind is not None:
            return kind
    else:
        owners = [owner for owner, types in plugins().items() if name in types]
        if len(owners) == 1:
            return plugins()[owners[0]][name]
        if owners:
            choices = " or ".join(f"`{owner}:{name}`" for owner in owners)
            raise UnknownBlockType(name, tuple(owners), f"several packages have it: write {choices}")
    raise UnknownBlockType(name, names(), _instead_of_file(name))


def _instead_of_file(name: str) -> str:
    """The remedy for a type that is the path of a class, outside a trusted file."""
    if ".py:" not in name:
        return ""
    return (
        "expected: a block of the library or of a package. A class in a file is a type in diagrams read"
        ' with trust="code" (command line: --trust code)'
    )


def type_name(kind: type[Block]) -> str:
    """The name under which `block_type` finds a class.

    Raises UnknownBlockType for a class that is neither the library's nor an installed package's.
    """
    name = kind.kind()
    if kind.__module__.startswith(PACKAGE + ".") and _of_library(name) is kind:
        return name
    for package, types in plugins().items():
        if types.get(name) is kind:
            return f"{package}:{name}"
    raise UnknownBlockType(
        name, names(), f"offer the class to blockdyn through an entry point of the group `{GROUP}`"
    )


def names() -> tuple[str, ...]:
    """Every name that `block_type` accepts: bare if that is enough, otherwise `package:Name`."""
    all_names = list(library())
    for package, types in plugins().items():
        for name in types:
            alone = sum(name in source for source in (library(), *plugins().values())) == 1
            all_names.append(name if alone else f"{package}:{name}")
    return tuple(all_names)


def families() -> tuple[Family, ...]:
    """All block types, family by family: the library's folders, then the installed packages."""
    of_library = [
        Family(package.__name__.rpartition(".")[2], _first_line(package), tuple(types))
        for package, types in _scan()
        if types
    ]
    of_packages = [
        Family(package, f"from package {package}", tuple(types.values()), package)
        for package, types in plugins().items()
    ]
    return (*of_library, *of_packages)


def library() -> Mapping[str, type[Block]]:
    """The library's block types by name."""
    return _library()


def _of_library(name: str) -> type[Block] | None:
    """A block type of the library; the others are imported only if the sources do not name its module."""
    # Importing every family costs more than a short run: see `_places`.
    return library_type(name) or library().get(name)


def library_type(name: str) -> type[Block] | None:
    """A block type of the library by name, without importing the others; None if unknown."""
    place = _places().get(name)
    if place is None:
        return None
    return {kind.kind(): kind for kind in _blocks_of(importlib.import_module(place), place)}.get(name)


@cache
def _places() -> dict[str, str]:
    """The module of every class of the library, from the sources; empty if there are no source files."""
    # Reading two hundred small files for lines that begin with `class` takes a fraction of the time of
    # importing them.
    root = importlib.import_module(PACKAGE)
    folder = Path(root.__path__[0])
    places = {}
    for file in sorted(folder.rglob("*/*.py")):
        module = ".".join([root.__name__, *file.relative_to(folder).with_suffix("").parts])
        for name in re.findall(r"^class (\w+)\(", file.read_text(encoding="utf-8"), re.MULTILINE):
            places[name] = module
    return places


@cache
def _library() -> dict[str, type[Block]]:
    kinds: dict[str, type[Block]] = {}
    for _, types in _scan():
        for kind in types:
            if kind.kind() in kinds:
                raise BlockError(f"two blocks of the library are called {kind.kind()}: rename one of them")
            kinds[kind.kind()] = kind
    return kinds


@cache
def _scan() -> tuple[tuple[ModuleType, list[type[Block]]], ...]:
    """Every family's package with the block classes that its modules define."""
    root = importlib.import_module(PACKAGE)
    scanned = []
    for family in pkgutil.iter_modules(root.__path__, root.__name__ + "."):
        if family.ispkg and family.name != __package__:
            package = importlib.import_module(family.name)
            inside = sorted(m.name for m in pkgutil.walk_packages(package.__path__, package.__name__ + "."))
            modules = [package, *map(importlib.import_module, inside)]
            types = [kind for module in modules for kind in _blocks_of(module, module.__name__)]
            scanned.append((package, sorted(types, key=lambda kind: kind.kind())))
    return tuple(scanned)


def plugins() -> Mapping[str, Mapping[str, type[Block]]]:
    """The block types of installed packages, by package and name.

    A package whose entry point fails is left out with a PluginWarning; it never stops the others.
    """
    return _plugins()


@cache
def _plugins() -> dict[str, dict[str, type[Block]]]:
    by_package: dict[str, dict[str, type[Block]]] = {}
    for package, types in load_plugins(GROUP, "the blocks", _types):
        by_package.setdefault(package, {}).update({kind.kind(): kind for kind in types})
    return by_package


def _types(loaded: object) -> list[type[Block]]:
    if isinstance(loaded, ModuleType):
        types = _blocks_of(loaded, loaded.__name__.partition(".")[0])
        if not types:
            raise BlockError(f"module {loaded.__name__} holds no Block")
        return types
    if not (isinstance(loaded, type) and issubclass(loaded, Block)):
        raise BlockError(f"it names {loaded!r}\nexpected: a module, or a subclass of Block")
    return [loaded]


def _blocks_of(module: ModuleType, defined_below: str) -> list[type[Block]]:
    """The public block classes of a module that are defined in `defined_below`, not merely imported."""
    return [
        thing
        for name, thing in vars(module).items()
        if isinstance(thing, type)
        and issubclass(thing, Block)
        and not name.startswith("_")
        and not vars(thing).get("abstract", False)
        and (thing.__module__ == defined_below or thing.__module__.startswith(defined_below + "."))
    ]


def _first_line(package: ModuleType) -> str:
    return (package.__doc__ or "").strip().partition("\n")[0]
