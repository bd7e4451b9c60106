"""Make instances of FMUs for a run from the loaded library, set parameters, and free them at the end."""

from __future__ import annotations

import ctypes
import sys
import threading
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import numpy as np

from ..contract.errors import Refusal
from ..contract.owned import Foreign
from . import interface
from .archive import identity, library_name, unpacked
from .description import TEXTS, Description, FmuError, Variable
from .interface import Interface, Places, passed_as

STATUSES = ("fmi{}OK", "fmi{}Warning", "fmi{}Discard", "fmi{}Error", "fmi{}Fatal", "fmi2Pending")
MESSAGES = 5  # messages of an instance that are kept
_CTYPES = {
    "double": ctypes.c_double, "float": ctypes.c_float, "i8": ctypes.c_int8, "i16": ctypes.c_int16,
    "i32": ctypes.c_int32, "i64": ctypes.c_int64,
}  # fmt: skip
_UNSIGNED = {
    "i8": ctypes.c_uint8, "i16": ctypes.c_uint16, "i32": ctypes.c_uint32, "i64": ctypes.c_uint64,
}  # fmt: skip
_LOG = {
    2: ctypes.CFUNCTYPE(
        None, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_char_p
    ),
    3: ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_char_p),
}
_alive: dict[int, _Instance] = {}
_lock = threading.Lock()


class _Callbacks(ctypes.Structure):
    """fmi2CallbackFunctions."""

    _fields_ = [
        ("logger", _LOG[2]), ("allocate", ctypes.c_void_p), ("free", ctypes.c_void_p),
        ("finished", ctypes.c_void_p), ("environment", ctypes.c_void_p),
    ]  # fmt: skip


@dataclass(frozen=True)
class Recipe:
    """The data for an instance: the FMU, its kind, the values of parameters, and the initial states."""

    file: str
    description: Description
    kind: str
    interface: Interface
    values: tuple[tuple[Variable, tuple[Any, ...]], ...]
    states: tuple[float, ...]
    tolerance: float

    @property
    def library(self) -> _Library:
        """The library, which is loaded again when the file has changed. Raises FmuError."""
        key, libraries = identity(self.file), self._libraries
        if key not in libraries:
            libraries[key] = _Library(self)
        return libraries[key]

    @cached_property
    def _libraries(self) -> dict[tuple[int, ...], _Library]:
        return {}

    def create(self) -> int:
        """A new instance; its handle. Raises FmuError."""
        instance = _Instance(self)
        once = self.description.kinds[self.kind].get("canBeInstantiatedOnlyOncePerProcess") == "true"
        with _lock:
            taken = once and any(other.recipe.file == self.file for other in _alive.values())
            if not taken:
                _alive[instance.handle] = instance
        if taken:
            instance.free()
            problem = "it can be instantiated only once per process, and another run has its instance"
            raise FmuError(self.file, problem, "one such block per diagram, and sweeps with workers=1")
        return instance.handle


def release(handle: int) -> None:
    """Free an instance."""
    with _lock:
        instance = _alive.pop(handle)
    instance.free()


class Call(Foreign):
    """A function of an FMU's code; called from Python, it raises the error that the FMU has reported."""

    def __call__(self, *values: Any) -> float:
        instance = _alive.get(values[0])
        result = super().__call__(*values)
        if instance is not None and (text := instance.failure()):
            raise Refusal(text)
        return result


class _Instance:
    """An instance, its words and its messages."""

    def __init__(self, recipe: Recipe) -> None:
        self.recipe, self.messages = recipe, deque[str](maxlen=MESSAGES)
        self.version = recipe.description.version
        self.library = recipe.library
        self.words = self.library.words.copy()
        self.handle = int(self.words.ctypes.data)
        self.component = self._instantiate(self.library.resources)
        self.words[interface.COMPONENT] = self.component
        try:
            for variable, values in recipe.values:
                self._set(variable, values)
        except BaseException:
            self.free()
            raise

    def _instantiate(self, resources: Path) -> int:
        recipe = self.recipe
        exchange, identity = recipe.interface.exchange, recipe.description.identity.encode()
        self._log = _LOG[self.version](self._note)
        if self.version == 2:
            self._callbacks = _Callbacks(self._log, *_memory_functions(), None, None)
            make, kind = self.library.function("Instantiate"), 0 if exchange else 1
            arguments: list[Any] = [
                b"fmu", ctypes.c_int(kind), identity, resources.as_uri().encode(),
                ctypes.byref(self._callbacks), ctypes.c_int(0), ctypes.c_int(0),
            ]  # fmt: skip
        else:
            make = self.library.function(f"Instantiate{'ModelExchange' if exchange else 'CoSimulation'}")
            no, yes = ctypes.c_bool(False), ctypes.c_bool(True)
            place = f"{resources}{'/' if sys.platform != 'win32' else chr(92)}".encode()
            arguments = [b"fmu", identity, place, no, no]
            if not exchange:
                events = ctypes.c_bool(recipe.interface.event_mode)
                arguments += [events, yes, None, ctypes.c_size_t(0)]
            arguments += [None, self._log, *([] if exchange else [None])]
        make.restype = ctypes.c_void_p
        component = make(*arguments)
        if not component:
            problem = "it cannot be instantiated" + self._messages()
            raise FmuError(recipe.file, problem, "its library and resources as they were exported")
        return int(component)

    def _set(self, variable: Variable, values: Sequence[Any]) -> None:
        """Give a variable its value before the run."""
        array: Any
        if variable.type in TEXTS:
            name, array = "String", (ctypes.c_char_p * 1)(str(values[0]).encode())
        else:
            name, kind, signed = passed_as(variable.type, self.version)
            element: Any = _CTYPES[kind] if signed else _UNSIGNED[kind]
            convert = float if kind in ("double", "float") else int
            array = (element * len(values))(*map(convert, values))
        reference = (ctypes.c_uint32 * 1)(variable.reference)
        arguments: list[Any] = [ctypes.c_void_p(self.component), reference, ctypes.c_size_t(1), array]
        arguments += [ctypes.c_size_t(len(values))] if self.version == 3 else []
        status = self.library.function(f"Set{name}")(*arguments)
        if status > interface.WARNING:
            problem = f"it does not take {values[0] if len(values) == 1 else list(values)!r:.60} for"
            raise FmuError(
                self.recipe.file, f"{problem} `{variable.name}`{self._messages()}", "a value in its range"
            )

    def _note(self, *arguments: Any) -> None:
        """Keep a message."""
        *_, text = arguments
        self.messages.append((text or b"").decode("utf-8", "replace").strip())

    def _messages(self) -> str:
        return f": {'; '.join(self.messages)}" if self.messages else ""

    def failure(self) -> str:
        """The error that the FMU has reported, with its own messages; empty if there is no error."""
        status, where = int(self.words[interface.STATUS]), int(self.words[interface.WHERE])
        if not status:
            return ""
        if where == interface.TOO_MANY_ROUNDS:
            return (
                f"the FMU needs more than {interface.ROUNDS} rounds for its discrete states{self._messages()}"
            )
        name = f"fmi{self.version}{self.recipe.interface.functions()[where]}"
        word = STATUSES[min(status, len(STATUSES) - 1)].format(self.version)
        return f"{name} returned {word}{self._messages()}"

    def free(self) -> None:
        """End the run of the instance and free it."""
        component = ctypes.c_void_p(self.component)
        failed = self.words[interface.STATUS] != 0
        if self.words[interface.PHASE] == interface.RUNNING and not failed:
            self.library.function("Terminate")(component)
        if self.words[interface.STATUS] <= interface.ERROR:  # after a fatal error no function may be called
            free = self.library.function("FreeInstance")
            free.restype = None
            free(component)


class _Library:
    """The loaded library of a recipe, and the words with which its instances begin."""

    def __init__(self, recipe: Recipe) -> None:
        spec, self.recipe = recipe.interface, recipe
        name = library_name(recipe.file, recipe.description, recipe.kind)
        folder = unpacked(recipe.file, name)
        self.code = _loaded(recipe.file, folder / name)
        self.resources = folder / "resources"
        places = Places(spec)
        self.words = np.zeros(places.words, np.int64)
        numbers = self.words.view(np.float64)
        for function in spec.functions():
            place = ctypes.cast(self.function(function), ctypes.c_void_p).value
            self.words[places.at[function]] = place or 0
        rows = [(f"of {signal.port}", [signal]) for signal in (*spec.inputs, *spec.outputs)]
        rows += [(f"of group {g}", [spec.outputs[k] for k in group]) for g, group in enumerate(spec.groups)]
        listed = [(row, [v for signal in signals for v in signal.variables]) for row, signals in rows]
        if spec.directional is not None:
            moving = [v for k in spec.moving for v in spec.inputs[k].variables]
            listed.append(("of known", [*recipe.description.states, *moving]))
            listed.append(("of slopes", [*recipe.description.derivatives]))
        for row, variables in listed:
            references = np.array([v.reference for v in variables], np.uint32)
            at = places.at[row]
            self.words[at : at + (len(references) + 1) // 2].view(np.uint32)[: len(references)] = references
        inputs = sum(signal.count for signal in spec.inputs)
        for row, count in (("last", inputs), ("event u", inputs), ("event x", spec.states)):
            numbers[places.at[row] : places.at[row] + count] = np.nan
        numbers[places.at["not numbers"] : places.at["zeros"]] = np.nan
        numbers[places.at["described x"] : places.at["described x"] + spec.states] = recipe.states
        numbers[[interface.TIME, interface.EVENT_TIME]] = np.nan
        numbers[interface.NEXT], numbers[interface.TOLERANCE] = np.inf, recipe.tolerance

    def function(self, name: str) -> Any:
        """A function of FMI by its name without `fmi2` or `fmi3`. Raises FmuError."""
        version = self.recipe.description.version
        try:
            return getattr(self.code, f"fmi{version}{name}")
        except AttributeError:
            problem = f"its library has no function fmi{version}{name}"
            raise FmuError(self.recipe.file, problem, "all functions of its kind") from None


@cache
def _memory_functions() -> tuple[Any, Any]:
    """The addresses of `calloc` and `free`."""
    c = ctypes.CDLL("msvcrt" if sys.platform == "win32" else None)
    return ctypes.cast(c.calloc, ctypes.c_void_p), ctypes.cast(c.free, ctypes.c_void_p)


@cache
def _loaded(file: str, library: Path) -> Any:
    try:
        return ctypes.CDLL(str(library))
    except OSError as error:
        raise FmuError(
            file, f"its library cannot be loaded: {error}", "the libraries that it needs"
        ) from None
