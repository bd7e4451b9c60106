"""Scripts of plain assignments give values by name; no other statement is executed."""

from __future__ import annotations

import io
from collections.abc import Sequence
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from .arrays import Room, Value, locations, numbers, reals
from .functions import Several
from .syntax import parse_script
from .terms import objects
from .values import LIMIT, REFUSED, Evaluator, Variables, as_value
from .words import (
    LONGEST,
    Assign,
    Call,
    Field,
    For,
    Function,
    If,
    Name,
    Node,
    Statement,
    UnreadableText,
)  # fmt: skip

QUIET = frozenset((
    "clc", "clear", "clearvars", "close", "format", "hold", "more", "figure", "drawnow", "warning", "echo",
    "grid", "axis", "disp", "display", "fprintf", "plot", "xlabel", "ylabel", "zlabel", "title", "legend",
    "clf", "addpath", "open_system", "load_system", "beep", "tic", "toc", "commandwindow",
))  # fmt: skip
"""Functions that change no variable: as statements they are passed over."""
STREAM = b"\x00\x01IM"  # the beginning of an array as MATLAB streams it: version and order of the bytes
MOST_PARTS = 10_000  # of a struct or cell array


def assignments(text: str, variables: Variables | None = None, *, limit: int = LIMIT) -> dict[str, Any]:
    """The values that a script of assignments gives to its variables, by name.

    Values follow one another as in the script: `a = 1; b = [a 2]; p.mass = 3; x(2) = 4; [A, B, C, D] =
    tf2ss(1, [1 2])`. Statements such as `clc`, `close all` and `disp(...)` change no variable and are passed
    over. Anything else, such as if and for, raises UnreadableText with its line.
    """
    runner = Runner(variables, limit, text)
    for statement in parse_script(text):
        if isinstance(statement, (If, For, Function)):
            word = {If: "if", For: "for", Function: "function"}[type(statement)]
            raise UnreadableText(
                f"`{word}` in a script of values; only assignments are read", text, statement.place
            )
        runner.perform(statement)
    return runner.scope


class Runner(Evaluator):
    """Carries out assignments, in `scope`."""

    def perform(self, node: Node) -> None:
        """One assignment, or a statement that changes no variable."""
        if isinstance(node, Assign):
            self.assign(node)
            return
        inner = node.value if isinstance(node, Statement) else node
        called = inner.target if isinstance(inner, Call) else inner
        if isinstance(called, Name) and called.name in QUIET and self.variable(called.name) is None:
            return
        if isinstance(called, Name) and self.variable(called.name) is not None:
            self.single(inner)
            return
        raise UnreadableText("the statement is not an assignment", self.text, node.place)

    def assign(self, node: Assign) -> None:
        """Assign the value or values of an assignment to its targets."""
        value = self.value(node.value)
        try:
            if len(node.targets) == 1:
                results: Sequence[Value] = [value[0] if isinstance(value, tuple) else value]
            else:
                results = value if isinstance(value, tuple) else (value,)
                results = _spread(value, len(node.targets)) if isinstance(value, Several) else results
            if len(results) < len(node.targets):
                raise ValueError(f"{len(node.targets)} results are expected, not {len(results)}")
            for target, result in zip(node.targets, results, strict=False):
                if target is not None:
                    self.store(target, result)
        except REFUSED as error:
            raise UnreadableText(
                str(error) or "the value cannot be assigned", self.text, node.place
            ) from None

    def store(self, target: Node, value: Value) -> None:
        """Put a value into a variable, or into a part of it."""
        steps: list[Node] = []
        while isinstance(target, (Call, Field)):
            steps.append(target)
            target = target.target
        assert isinstance(target, Name)
        old = self.variable(target.name) if steps else None
        result = self.changed(old, steps[::-1], value)
        if isinstance(result, (dict, list)):
            self.room.spend(count_parts(result))
        self.scope[target.name] = result

    def changed(self, old: Value | None, steps: Sequence[Node], value: Value) -> Value:
        """A copy of a value in which the part at the end of fields and indices is replaced."""
        if not steps:
            return value
        step, others = steps[0], steps[1:]
        if isinstance(step, Field):
            name = self.field_name(step)
            if (
                old is not None
                and not isinstance(old, dict)
                and not (isinstance(old, np.ndarray) and old.size == 0)
            ):
                raise ValueError(f"a field `{name}` of a value that is not a struct")
            fields = dict(old) if isinstance(old, dict) else {}
            inner = fields.get(name)
            fields[name] = self.changed(None if inner is None else as_value(inner), others, value)
            return fields
        assert isinstance(step, Call)
        places = self.indices(np.zeros((0, 0)) if old is None else old, step.arguments)
        if others:
            if isinstance(old, dict) or old is None:
                if any(place is not None and (reals(place) != 1).any() for place in places):
                    raise ValueError("arrays of structs are not supported")
                return self.changed(old, others, value)
            raise ValueError("only fields of structs can follow an index")
        return write_elements(self.room, old, places, value)


def count_parts(value: Value) -> int:
    """The number of parts of a struct or cell array, repeated parts counted each time.

    Raises ValueError for more than are read: `a.p = b; a.q = b; b = a` doubles them each time.
    """
    count, parts = 0, [value]
    while parts:
        part = parts.pop()
        count += 1
        if count > MOST_PARTS:
            raise ValueError(f"a struct or cell array of more than {MOST_PARTS} parts")
        parts += part.values() if isinstance(part, dict) else part if isinstance(part, list) else ()
    return count


def _spread(value: Several, count: int) -> Sequence[Value]:
    """The several results of size()."""
    return value[1:] if count <= 2 else [*value[1:], *[np.ones((1, 1))] * (count - 2)]


def write_elements(room: Room, old: Value | None, places: Sequence[Value | None], value: Value) -> Value:
    """An array with other elements at indices from 1; it grows with zeros if needed."""
    if isinstance(old, (list, dict)) or isinstance(value, (list, dict)):
        raise ValueError("elements of cell arrays and arrays of structs cannot be assigned")
    array = np.zeros((0, 0)) if old is None else numbers(old)
    new = numbers(value)
    if new.size == 0:
        raise ValueError("elements cannot be removed")
    if new.dtype == object and array.dtype != object:
        array = objects(array)
    if array.dtype == object and new.dtype != object:
        new = objects(new)
    if old is None or (array.dtype == bool and new.dtype != bool):
        array = array.astype(new.dtype)
    axes, shape = _reach(room, array, places, new)
    grown = np.zeros(shape, array.dtype)
    if grown.dtype == object:
        grown[:] = 0.0
    grown[: array.shape[0], : array.shape[1]] = array
    if len(axes) == 1:
        flat = grown.ravel(order="F")
        if new.size not in (1, len(axes[0])):
            raise ValueError(f"{new.size} values for {len(axes[0])} elements")
        flat[axes[0]] = new.ravel(order="F")
        return flat.reshape(shape, order="F")
    counts = (len(axes[0]), len(axes[1]))
    if new.size != 1 and [n for n in new.shape if n != 1] != [n for n in counts if n != 1]:
        raise ValueError(f"{new.shape[0]} x {new.shape[1]} values for {counts[0]} x {counts[1]} elements")
    grown[np.ix_(*axes)] = new if new.size == 1 else new.reshape(counts)
    return grown


def _reach(
    room: Room, array: Any, places: Sequence[Value | None], new: Any
) -> tuple[list[Any], tuple[int, ...]]:
    """The positions, counted from 0, and the shape of the array that has them all."""
    rows, columns = array.shape
    if len(places) == 1:
        if places[0] is None:
            return [np.arange(array.size)], array.shape
        positions, _ = locations(places[0], None)
        top = int(positions.max(initial=-1)) + 1
        if top <= array.size:
            return [positions], array.shape
        if (rows > 1 and columns > 1) or (rows > 1 and columns == 0):
            raise ValueError("a matrix does not grow by one index")
        shape = (top, 1) if columns == 1 and rows > 1 else (1, top)
        return [positions], room.size(*shape)
    axes = []
    for k, place in enumerate(places):
        if k > 1:
            if place is not None and (reals(place) != 1).any():
                raise ValueError("arrays of more than two dimensions are not supported")
            continue
        full = array.shape[k] if array.size else (new.shape[k] if new.size != 1 else 1)
        axes.append(np.arange(full) if place is None else locations(place, None)[0])
    tops = [max(old, int(axis.max(initial=-1)) + 1) for old, axis in zip((rows, columns), axes, strict=True)]
    return axes, room.size(*tops)


def read_values(path: str | PathLike[str]) -> dict[str, Any]:
    """Values by name from a script of assignments, `.m`, or a data file, `.mat`, up to version 7.

    Raises UnreadableText for files that are something else.
    """
    file = Path(path)
    try:
        if file.suffix.lower() != ".mat":
            if file.stat().st_size > LONGEST:
                raise UnreadableText(
                    f"{file}: {file.stat().st_size} bytes; scripts of values have at most {LONGEST}"
                )
            return assignments(file.read_bytes().decode("utf-8", "replace").replace("\r\n", "\n"))
        return _read_mat(file)
    except OSError as error:
        raise UnreadableText(f"{file}: {error.strerror or error}") from None


def read_workspace(data: bytes) -> dict[str, Any]:
    """Variables of a model workspace: the content of a MAT file, or a struct as MATLAB streams it.

    The struct has a field for each variable, or an element with `Name` and `Value` for each. It has no name,
    so it gets one. Raises UnreadableText, also for objects such as Simulink.Parameter.
    """
    if data[:4] != STREAM:
        return {name: _from_mat(value, name) for name, value in _content(io.BytesIO(data), "").items()}
    sizes = int.from_bytes(data[36:40], "little")
    name_at = 40 + -(-sizes // 8) * 8
    header = b"MATLAB 5.0 MAT-file".ljust(124) + b"\x00\x01IM"
    record = data[8:name_at] + b"\x01\x00\x01\x00x\x00\x00\x00" + data[name_at + 8 :]
    end = 8 + int.from_bytes(data[12:16], "little")
    entries = _content(io.BytesIO(header + record[:end]), "the model workspace").get("x", np.zeros(0)).ravel()
    names = entries.dtype.names or ()
    if set(names) == {"Name", "Value"}:
        pairs = [(str(np.ravel(each["Name"])[0]), each["Value"]) for each in entries]
    else:
        pairs = [(name, each[name]) for each in entries[:1] for name in names]
    return {name: _from_mat(value, name) for name, value in pairs}


def _read_mat(file: Path) -> dict[str, Any]:
    with file.open("rb") as stream:
        if b"MATLAB 7.3" in stream.read(128):
            raise UnreadableText(f"{file}: a MAT file of version 7.3 is not read; save it with -v7")
    return {name: _from_mat(value, name) for name, value in _content(file, str(file)).items()}


def _content(file: Any, label: str) -> dict[str, Any]:
    """Variables of a MAT file by name, as SciPy reads them. Raises UnreadableText."""
    from scipy.io import loadmat
    from scipy.io.matlab import MatReadError

    try:
        content = loadmat(file, struct_as_record=True, squeeze_me=False, appendmat=False)
    except (
        MatReadError,
        NotImplementedError,
        ValueError,
        TypeError,
        KeyError,
        EOFError,
        MemoryError,
        IndexError,
    ) as error:
        raise UnreadableText(f"{label}: not a readable MAT file: {error}") from None
    return {name: value for name, value in content.items() if not name.startswith("__")}


def _from_mat(value: Any, name: str) -> Value:
    """A value of a MAT file: structs as dicts, cells as lists, characters as a text."""
    array = np.asarray(value)
    if array.dtype.names is not None:
        if array.size != 1:
            raise UnreadableText(
                f"`{name}` is an array of {array.size} structs; single structs are supported"
            )
        entry = array.ravel()[0]
        return {key: _from_mat(entry[key], f"{name}.{key}") for key in array.dtype.names}
    if array.dtype == object:
        return [_from_mat(each, name) for each in array.ravel(order="F")]
    if array.dtype.kind in "US":
        return (
            str(array.ravel()[0])
            if array.size == 1
            else [str(each) for each in array.ravel()]
            if array.size
            else ""
        )
    if array.dtype.kind == "c" or array.dtype.kind not in "biuf" or array.ndim > 2:
        raise UnreadableText(
            f"`{name}` is {'complex' if array.dtype.kind == 'c' else 'of an unsupported kind'}"
        )
    return array.astype(np.float64) if array.dtype.kind == "f" and array.dtype != np.float32 else array
