"""The fingerprint of a Python function: its code and everything that its code refers to or reads.

Machine code holds these values. A fingerprint hashes them all; this compares the ones that can be compared at
once: names and cells by the identity of their values, arrays and lists by their contents.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from enum import Enum, EnumType
from functools import cache, cached_property
from importlib.metadata import version
from os import scandir
from pathlib import Path
from types import BuiltinFunctionType, CellType, CodeType, FunctionType, MappingProxyType, ModuleType
from typing import Any, NamedTuple

import numpy as np

from .groups import parts_of
from .target import host

NONE: Mapping[Any, Any] = MappingProxyType({})
PIECE = "piece"  # attribute of the stub through which machine code calls a piece
SUFFIXES = ".py", ".pyc"
APART = ("cache",)  # where code is kept


@cache
def toolchain() -> str:
    """Other dependencies of the compiled code: the compilers and the processor."""
    processor = host()
    return "|".join(
        [
            compiler(Path(__file__).parent),
            f"python {sys.version_info.major}.{sys.version_info.minor}",
            f"numba {version('numba')}",
            f"llvmlite {version('llvmlite')}",
            processor.triple,
            processor.cpu,
            processor.features,
        ]
    )


def fingerprint(function: Callable[..., Any], *extra: object, names: Mapping[Any, Any] = NONE) -> str:
    """SHA-256 over a function's code, constants, closure and the functions and values it names.

    names: functions, and their replacements wherever they are named
    """
    digest = _Digest(names)
    for item in (toolchain(), *extra):
        digest.update(repr(item))
    digest.function(function)
    return digest.hexdigest()


def fingerprint_of_sources(*places: Path, extra: object = ()) -> str:
    """SHA-256 over the source texts of files, and of all files in folders, without importing any."""
    parts = toolchain(), of_sources(*places), extra
    return hashlib.sha256(repr(parts).encode()).hexdigest()


def compiler(package: Path) -> str:
    """SHA-256 over the source texts of this package, but for those that no machine code depends on."""
    return of_sources(package, apart=APART)


def of_sources(*places: Path, apart: tuple[str, ...] = ()) -> str:
    """SHA-256 over source texts alone; folders are read with all that is below them."""
    digest = hashlib.sha256()
    for place in places:
        for name, path in sorted(_sources(str(place), place.name, apart)):
            with open(path, "rb") as file:
                text = file.read()
            digest.update(f"{name} {len(text)} ".encode() + text)
    return digest.hexdigest()


def _sources(place: str, name: str, apart: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """The names and paths of source files, or of compiled ones where they stand alone."""
    if name.endswith(SUFFIXES):
        yield name, place
        return
    with scandir(place) as entries:
        for entry in entries:
            below = entry.is_dir() and entry.name != "__pycache__"
            if (below or entry.name.endswith(SUFFIXES)) and entry.name.partition(".")[0] not in apart:
                yield from _sources(entry.path, f"{name}/{entry.name}", apart)


class Piece(NamedTuple):
    """A function that machine code calls by name, LLVM's attributes for it, and the names that it uses."""

    function: FunctionType
    attributes: tuple[str, ...]
    names: Mapping[Any, Any]


def piece_of(value: Any) -> Piece | None:
    """The piece that numba's intrinsic calls."""
    stub = getattr(value, "_defn", None)
    return stub.__dict__.get(PIECE) if isinstance(stub, FunctionType) else None


class _Digest:
    """SHA-256 over functions and values; `names` are functions, and their replacements."""

    def __init__(self, names: Mapping[Any, Any]) -> None:
        self._sha = hashlib.sha256()
        self._names = names
        self._seen: dict[int, tuple[int, object]] = {}  # by address: how many came before, and the object

    def update(self, text: str) -> None:
        self._sha.update(text.encode())

    def hexdigest(self) -> str:
        return self._sha.hexdigest()

    def function(self, function: Any) -> None:
        if isinstance(function, FunctionType):
            function = self._names.get(function, function)
        function = self._unwrap(function)
        if not isinstance(function, FunctionType):
            name = getattr(function, "__qualname__", repr(function))
            fields = getattr(function, "_fields", "")  # of a named tuple that the code makes
            self.update(f"{getattr(function, '__module__', '')}.{name}{fields}")
            return
        if self._met_before(function):
            return
        self._code(function.__code__, function.__doc__)
        self.update(repr(parts_of(function)))
        self.value((function.__defaults__, function.__kwdefaults__))
        for cell in function.__closure__ or ():
            self.value(cell.cell_contents)
        names = global_names(function.__code__)
        for name in names:
            if name in function.__globals__:
                self.update(name)
                value = function.__globals__[name]
                self.value(value)
                if isinstance(value, ModuleType):  # values read in it are compiled in
                    self._attributes((value,), names)

    def value(self, value: Any) -> None:
        if isinstance(value, ModuleType):
            self.update(value.__name__)
        elif isinstance(value, np.ndarray):
            self.update(f"{value.dtype}{value.shape}")
            self._sha.update(np.ascontiguousarray(value).tobytes())
        elif isinstance(value, Enum):
            self.value(value.value)
        elif isinstance(value, EnumType):
            self.value(dict(value.__members__))
        elif isinstance(value, (tuple, list, dict)):
            if not self._met_before(value):
                self.update(f"{type(value).__qualname__} {len(value)}")
                for item in value.items() if isinstance(value, dict) else value:
                    self.value(item)
        elif callable(value):
            self.function(value)
        else:
            self.update(f"{type(value).__qualname__} {value!r}")

    def _unwrap(self, function: Any) -> Any:
        """The Python function that one of numba's stands for; how numba compiles it goes into the digest."""
        if hasattr(function, "_dispatcher"):  # a ufunc of numba's
            self.update(repr(function.types))
            function = function._dispatcher
        if hasattr(function, "py_func"):
            options = getattr(function, "targetoptions", {})
            self.update(repr(sorted(options.items())))  # such as fastmath
            if not getattr(function, "_can_compile", True):  # for the types it was declared for alone
                self.update(repr(function.signatures))
            return function.py_func
        if piece := piece_of(function):
            self.update(repr(piece.attributes))
            return piece.function
        return getattr(function, "_defn", function)

    def _attributes(self, modules: tuple[ModuleType, ...], names: list[str]) -> None:
        """Values of these names in the last of the modules, each of which was read from the one before."""
        space = vars(modules[-1])
        for name in names:
            if name in space:
                self.update(name)
                self.value(space[name])
                if isinstance(space[name], ModuleType) and space[name] not in modules:
                    self._attributes((*modules, space[name]), names)

    def _code(self, code: CodeType, doc: str | None = None) -> None:
        self._sha.update(code.co_code + code.co_exceptiontable)  # which of it lies within a `try`
        self.update(repr((code.co_names, code.co_varnames, code.co_freevars)))
        constants = code.co_consts
        if doc and constants[:1] == (doc,):  # not in the machine code
            constants = (None, *constants[1:])
        for constant in constants:
            if isinstance(constant, CodeType):
                self._code(constant)
            elif isinstance(constant, frozenset):
                self.update(repr(sorted(map(repr, constant))))
            else:
                self.update(repr(constant))

    def _met_before(self, value: object) -> bool:
        """True if a value is in the digest already; then its number there stands for it."""
        if id(value) in self._seen:
            self.update(f"number {self._seen[id(value)][0]}")
            return True
        self._seen[id(value)] = len(self._seen), value
        return False


def global_names(code: CodeType) -> list[str]:
    """The names that a function and those inside it read, as globals or as attributes."""
    names = set(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            names |= set(global_names(constant))
    return sorted(names)


LIBRARIES = ("blockdyn", "numpy", "scipy", "math", "numba", "builtins", "cmath", "llvmlite", "typing")
"""Packages that nobody changes while they are used."""
LARGEST = 100_000  # bytes of an array: comparing more takes longer than planning a diagram anew
_UNCHANGING = (int, float, complex, str, bytes, type(None), Enum, np.generic, BuiltinFunctionType, np.ufunc)
_ABSENT = object()


class Readings:
    """The values that functions and classes read; `comparable` is False if one of them cannot be compared.

    Of `definitions` only the code and the defaults count, not the names and cells that they read.
    """

    def __init__(
        self,
        functions: Iterable[Any] = (),
        classes: Iterable[type] = (),
        definitions: Iterable[FunctionType] = (),
    ) -> None:
        self.comparable = True
        self._names: list[tuple[Mapping[str, Any], str, Any]] = []
        self._cells: list[tuple[CellType, Any]] = []
        self._functions: list[tuple[FunctionType, Any, Any, Any]] = []
        self._spaces: list[tuple[Mapping[str, Any], int]] = []
        self._items: list[tuple[Any, tuple[Any, ...]]] = []
        self._arrays: list[tuple[np.ndarray, Any, tuple[int, ...], bytes]] = []
        self._seen: dict[int, Any] = {}
        for function in functions:
            self._note(function)
        for kind in classes:
            self._note_class(kind)
        for function in definitions:
            self._note_definition(function)
        self._seen.clear()

    def unchanged(self) -> bool:
        """True if all values are the same as before."""
        return (
            self.comparable
            and all(space.get(name, _ABSENT) is value for space, name, value in self._names)
            and all(cell.cell_contents is value for cell, value in self._cells)
            and all(
                f.__code__ is code and f.__defaults__ is defaults and f.__kwdefaults__ is named
                for f, code, defaults, named in self._functions
            )
            and all(len(space) == count for space, count in self._spaces)
            and all(_is_same(holder, items) for holder, items in self._items)
            and all(
                array.dtype is dtype and array.shape == shape and array.tobytes() == contents
                for array, dtype, shape, contents in self._arrays
            )
        )

    def _note(self, value: Any) -> None:
        """Note the contents of a value, or that it cannot be compared."""
        if isinstance(value, _UNCHANGING) or id(value) in self._seen:
            return
        self._seen[id(value)] = value  # kept alive: another value could get its address
        value = getattr(value, "py_func", value)
        if isinstance(value, FunctionType):
            self._note_function(value)
        elif isinstance(value, np.ndarray):
            self.comparable = self.comparable and value.nbytes <= LARGEST and value.dtype != object
            if self.comparable:
                self._arrays.append((value, value.dtype, value.shape, value.tobytes()))
        elif isinstance(value, (tuple, list, dict, set, frozenset)):
            items = _items(value)
            self._items.append((value, items))
            for item in items:
                self._note(item)
        elif isinstance(value, ModuleType):
            pass  # values that functions read in it are noted with them
        elif isinstance(value, type):
            self._note_class(value)
        elif not of_library(getattr(value, "__module__", None)) or hasattr(value, "__dict__"):
            self.comparable = False

    def _note_function(self, function: FunctionType) -> None:
        for cell in function.__closure__ or ():
            try:
                self._cells.append((cell, cell.cell_contents))
            except ValueError:  # not filled yet
                self.comparable = False
                return
            self._note(cell.cell_contents)
        if of_library(function.__module__):
            return
        self._note_definition(function)
        self._note_names(function.__globals__, global_names(function.__code__))

    def _note_definition(self, function: FunctionType) -> None:
        self._functions.append((function, function.__code__, function.__defaults__, function.__kwdefaults__))
        self._note(function.__defaults__)
        self._note(function.__kwdefaults__)

    def _note_names(self, space: Mapping[str, Any], names: list[str]) -> None:
        """The values of names in a namespace, and in the modules that stand there."""
        for name in names:
            value = space.get(name, _ABSENT)
            self._names.append((space, name, value))
            if isinstance(value, ModuleType) and id(value) not in self._seen:
                self._seen[id(value)] = value
                if not of_library(value.__name__):
                    self._note_names(vars(value), names)
            elif value is not _ABSENT:
                self._note(value)

    def _note_class(self, kind: type) -> None:
        """All that a class of a user's and those it derives from define."""
        for base in kind.__mro__:
            if of_library(base.__module__) or (id(base) in self._seen and base is not kind):
                continue
            self._seen[id(base)] = base
            space = vars(base)
            self._spaces.append((space, len(space)))
            for name, value in space.items():
                self._names.append((space, name, value))
                inner = getattr(value, "__func__", getattr(value, "fget", value))
                inner = inner.func if isinstance(inner, cached_property) else inner
                if isinstance(inner, FunctionType) and (name == "__post_init__" or not name.startswith("__")):
                    self._note_function(inner)
                elif isinstance(inner, (list, dict, set, np.ndarray)) and not name.startswith("__"):
                    self._note(inner)


def _items(holder: Any) -> tuple[Any, ...]:
    return tuple(holder) if not isinstance(holder, dict) else (*holder.keys(), *holder.values())


def _is_same(holder: Any, items: tuple[Any, ...]) -> bool:
    now = _items(holder)
    return len(now) == len(items) and all(a is b for a, b in zip(now, items, strict=True))


def of_library(module: str | None) -> bool:
    """True if a module belongs to a package that nobody changes while it is used."""
    return (module or "").partition(".")[0] in LIBRARIES
