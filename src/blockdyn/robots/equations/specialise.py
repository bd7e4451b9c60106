"""Kernels of a program use code traced for its robots instead of the general functions of mechanics.

A program's blocks call functions of mechanics by symbol. A forwarder replaces such a symbol, so no block is
recompiled or depends on it. The forwarder calls code traced for a robot, or the general function if that
code refuses. Traced code compares its table argument, word by word, with the table that it was traced for,
because parameters, touches and sweeps may change the robot of a program at any time. Both return equal
bits; results have no negative zeros (`bodies.UNSIGNED`).

Traced and general functions are separate objects in the store, which all programs share. A program with
an arm then compiles faster than a program that contains the mechanics.
"""

from __future__ import annotations

import hashlib
import re
import threading
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache as once
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ...native import cache
from ...native.callable import entry_of
from ...native.engine import Code, load_object, object_of
from ...native.fingerprint import fingerprint, of_sources, toolchain
from ...native.kernel import Kernel as Compiled, with_parts
from ..calls.direct import OTHER
from ..calls.kernel import FLAG, WORK, Input, Kernel, Output
from ..friction import balance
from ..mechanics.bodies import MATRIX, Array, work_shape
from ..mechanics.coriolis_matrix import coriolis_matrix
from ..mechanics.energy import gravity_load
from ..mechanics.forward_dynamics import forward_dynamics
from ..mechanics.inverse_dynamics import rnea
from ..mechanics.jacobian_rate import jacobian_rate, rate_times_rates
from ..mechanics.kinematics import jacobian, tool_pose
from ..mechanics.mass_matrix import mass_matrix
from ..model.table import COUNT
from .machine import Function, Place, compare_words, write_call, write_forwarder
from .tape import REQUIRE, NotTraceable
from .trace import LARGEST, trace

STATE, WRENCH = (Input("q"), Input("qd")), Input("wrench", (6,))
ROBOTS = 4  # tables of one program with traced code: all are compared before the general function is called
TRACED, GENERAL = 1, 2  # LLVM's levels: straight-line code gains nothing from the passes on loops
MOST = 12_000  # operations of one function: LLVM's time grows faster than linearly


@dataclass(frozen=True)
class Mechanics:
    """A function of mechanics that traced code can replace, and the part of `work` that its callers read.

    `flag` is the name of the function's integer argument among the blocks' parameters. `matrix` is True if
    callers read the lower triangle at MATRIX.
    """

    kernel: Kernel
    flag: str = ""
    matrix: bool = False

    @property
    def symbol(self) -> str:
        """The symbol under which kernels call the function."""
        return _symbol(self.kernel)


MECHANICS = (
    Mechanics(Kernel(rnea, (*STATE, Input("qdd"), WRENCH, FLAG, WORK, Output())), "terms"),
    Mechanics(Kernel(forward_dynamics, (*STATE, Input("tau"), WRENCH, FLAG, WORK, Output())), "terms"),
    Mechanics(Kernel(balance, (*STATE, Input("tau"), WRENCH, WORK, Output())), matrix=True),
    Mechanics(Kernel(gravity_load, (Input("q"), WORK, Output()))),
    Mechanics(Kernel(mass_matrix, (Input("q"), WORK, Output(("n", "n"))))),
    Mechanics(Kernel(coriolis_matrix, (*STATE, WORK, Output(("n", "n"))))),
    Mechanics(Kernel(tool_pose, (Input("q"), WORK, Output((4, 4))))),
    Mechanics(Kernel(jacobian, (Input("q"), FLAG, WORK, Output((6, "n")))), "frame_code"),
    Mechanics(Kernel(jacobian_rate, (*STATE, FLAG, WORK, Output((6, "n")))), "frame_code"),
    Mechanics(Kernel(rate_times_rates, (*STATE, FLAG, WORK, Output((6,)))), "frame_code"),
)
FLAGS = tuple(sorted({each.flag for each in MECHANICS if each.flag}))


@once
def _symbol(kernel: Kernel) -> str:
    """The symbol of a function as a piece of other kernels (native/pieces.py)."""
    names = {"d": "float64", "i": "int64"}
    types = [names[t[0]] if len(t) == 1 else f"array({names[t[0]]}, {t[1:]}d, C)" for t in kernel.types]
    return f"k{fingerprint(kernel.function, 'piece', *types)[:24]}_0"


@once
def _version() -> str:
    """The inputs of traced code besides the function and the table."""
    return toolchain() + of_sources(Path(__file__).parent)


def traceable(tables: Iterable[Array]) -> list[Array]:
    """The distinct tables of robots with separate code."""
    each = {arm.tobytes(): arm for arm in tables if 0 < len(arm) - 1 <= LARGEST}
    return list(each.values())[:ROBOTS]


def key_of(tables: Sequence[Array], flags: Mapping[str, Sequence[int]]) -> str:
    """The inputs of the machine code of a program with these robots, besides its text and kernels."""
    digest = hashlib.sha256(_version().encode() + repr(sorted(flags.items())).encode())
    for arm in tables:
        digest.update(arm.tobytes())
    return digest.hexdigest()


class Specialised(NamedTuple):
    """Kernels in which functions of mechanics are external, and the objects that hold them."""

    kernels: list[Compiled]
    objects: list[str]


def specialise(
    kernels: Sequence[Compiled], tables: Sequence[Array], flags: Mapping[str, Sequence[int]]
) -> Specialised:
    """The kernels with their callees, in which the mechanics of the robots of these tables is traced.

    `flags` are values of integer arguments that are parameters of blocks, by the names in MECHANICS.
    """
    pieces = {each.symbol: replace(each, parts=()) for each in with_parts(kernels)}
    roots = [each.symbol for each in kernels]
    replaceable = {each.symbol: each for each in MECHANICS if each.symbol in pieces}
    objects: list[str] = []
    for symbol, values in _find_calls(pieces, roots, replaceable).items():
        mechanics = replaceable[symbol]
        chosen: list[int | None] = [*sorted(each for each in values if each is not None)]
        if not mechanics.flag:
            chosen = [None]
        elif None in values:
            chosen += [value for value in flags.get(mechanics.flag, ()) if value not in chosen]
        pairs = [(arm, flag) for arm in tables for flag in chosen]
        traced = [key for key in (_make_traced(mechanics, arm, flag) for arm, flag in pairs) if key]
        if traced:
            general = _make_general(pieces, symbol)
            types = mechanics.kernel.types
            text = write_forwarder(symbol, _name(general), [_name(key) for key in traced], types)
            pieces[symbol] = replace(pieces[symbol], bitcode=_bitcode(text))
            objects += [*traced, general]
    return Specialised([pieces[symbol] for symbol in _collect_callees(pieces, roots)], objects)


_loaded: dict[str, Code] = {}
_loading = threading.Lock()


def load(objects: Iterable[str]) -> bool:
    """Load objects for programs, for the life of the process; False if one is missing."""
    for key in objects:
        if key not in _loaded:
            data = cache.read(f"{key}.object")
            if not data:
                return False
            _hold(key, data)
    return True


def _hold(key: str, data: bytes) -> None:
    """Load an object, once for all threads: programs call the code by its address."""
    import llvmlite.binding as llvm

    with _loading:
        if key not in _loaded:
            _loaded[key] = load_object(data, [_name(key)])
            llvm.add_symbol(_name(key), _loaded[key].addresses[_name(key)])


_calls: dict[str, Code | None] = {}


def code_of_call(
    kernel: Kernel,
    arm: Array,
    flags: tuple[int, ...],
    sizes: tuple[tuple[str, int], ...],
    *,
    stored: bool,
) -> Code | None:
    """Code with `entry` and `rows` of `native.callable`, traced for a robot; OTHER results on other branches.

    Its `branches` returns 1 if it has any.

    None if the function cannot be traced; with `stored`, also if the store has no such code.
    """
    kinds = [(type(each).__name__, getattr(each, "shape", ())) for each in kernel.arguments]
    facts = _version(), fingerprint(kernel.function), kinds, flags, sizes, arm.shape, "call"
    key = hashlib.sha256(repr(facts).encode() + arm.tobytes()).hexdigest()
    if key in _calls:
        return _calls[key]
    names = ["entry", "rows", "branches"]
    data = cache.read(f"{key}.object")
    if data is None and stored:
        return None
    if data is None:
        data = _object_of_call(kernel, arm, flags, sizes, names)
        if data:
            cache.write(f"{key}.object", data)
    _calls[key] = load_object(data, names) if data else None
    return _calls[key]


def _object_of_call(
    kernel: Kernel, arm: Array, flags: tuple[int, ...], sizes: tuple[tuple[str, int], ...], names: list[str]
) -> bytes:
    """Newly compiled machine code of a traced function; empty if it cannot be traced."""
    if len(arm) - 1 > LARGEST:
        return b""
    try:
        line = trace(kernel, arm, flags, sizes=sizes)
    except NotTraceable:
        return b""
    arguments = list(enumerate(kernel.arguments, 1))
    inputs = {each.name: at for at, each in arguments if isinstance(each, Input)}
    places = [at for at, each in arguments if isinstance(each, Output)]
    outputs = {
        output.name: [Place(at, k) for k in range(len(output.elements))]
        for at, output in zip(places, line.outputs, strict=True)
    }
    text = Function("traced", kernel.types, inputs, outputs).write(line)
    text += write_call("called", "traced", kernel.types, OTHER)
    compiled = Compiled("called", kernel.types, (), _bitcode(text), False, False)
    branches = any(operation.name == REQUIRE for operation in line.operations)
    text = entry_of(compiled, rows=True) + f"define i64 @branches() {{\n  ret i64 {int(branches)}\n}}\n"
    return object_of(text, [compiled], names, level=TRACED)


def _name(key: str) -> str:
    """The symbol of the function in an object."""
    return f"m{key[:32]}"


def _bitcode(text: str) -> bytes:
    import llvmlite.binding as llvm

    return bytes(llvm.parse_assembly(text).as_bitcode())


def _keep(key: str, text: str, kernels: list[Compiled], level: int) -> None:
    """Compile an object, load it, and keep it in the store."""
    data = object_of(text, kernels, [_name(key)], level=level)
    cache.write(f"{key}.object", data)
    _hold(key, data)


def _make_general(pieces: Mapping[str, Compiled], symbol: str) -> str:
    """The key of the object with a function for any robot."""
    key = hashlib.sha256(repr((_version(), symbol, "general")).encode()).hexdigest()
    if not load([key]):
        parts = [pieces[each] for each in _collect_callees(pieces, [symbol])[1:]]
        _keep(key, "", [_rename(pieces[symbol], symbol, _name(key)), *parts], GENERAL)
    return key


_refused: set[str] = set()


def _make_traced(mechanics: Mechanics, arm: Array, flag: int | None) -> str | None:
    """The key of the object with a function traced for a table and a flag; None if it cannot be traced."""
    facts = repr((_version(), mechanics.symbol, mechanics.matrix, flag, arm.shape)).encode()
    key = hashlib.sha256(facts + arm.tobytes()).hexdigest()
    if key in _refused:
        return None
    if not load([key]):
        text = _trace(mechanics, arm, flag, _name(key))
        if not text:
            _refused.add(key)
            return None
        _keep(key, text, [], TRACED)
    return key


def _trace(mechanics: Mechanics, arm: Array, flag: int | None, symbol: str) -> str:
    """LLVM text of a traced function; empty if it cannot be traced, or is too long."""
    kernel = mechanics.kernel
    reads: set[tuple[int, int]] = set()
    n, joints = int(arm[-1, COUNT]), len(arm) - 1
    leaves: dict[str, tuple[slice, slice]] = {}
    if mechanics.matrix:
        leaves |= {f"row {i}": (slice(i, i + 1), slice(MATRIX, MATRIX + i + 1)) for i in range(n)}
    try:
        line = trace(kernel, arm, () if flag is None else (flag,), leaves=leaves, reads=reads)
    except NotTraceable:
        return ""
    if len(line.operations) > MOST:
        return ""
    places = {argument: at + 1 for at, argument in enumerate(kernel.arguments)}
    output = next(at + 1 for at, argument in enumerate(kernel.arguments) if isinstance(argument, Output))
    width = work_shape(n, joints)[1]
    outputs: dict[str, list[Place]] = {}
    for result in line.outputs:
        outputs[result.name] = [Place(output, k) for k in range(len(result.elements))]
        if result.name in leaves:
            rows, columns = leaves[result.name]
            cells = product(range(rows.start, rows.stop), range(columns.start, columns.stop))
            outputs[result.name] = [Place(places[WORK], i * width + k) for i, k in cells]
    words = np.ascontiguousarray(arm).view(np.int64)
    constants = {i * arm.shape[1] + k: int(words[i, k]) for i, k in reads}
    guards = [([f"  %rows = icmp eq i64 %a0_5, {len(arm)}"], "%rows"), compare_words("%a0_4", constants)]
    if flag is not None:
        guards.insert(0, ([f"  %flag = icmp eq i64 %a{places[FLAG]}, {flag}"], "%flag"))
    inputs = {item.name: places[item] for item in kernel.arguments if isinstance(item, Input)}
    return Function(symbol, kernel.types, inputs, outputs, guards).write(line)


def _rename(compiled: Compiled, symbol: str, other: str) -> Compiled:
    """A kernel whose function has another symbol."""
    import llvmlite.binding as llvm

    module = llvm.parse_bitcode(compiled.bitcode)
    module.get_function(symbol).name = other
    return replace(compiled, symbol=other, bitcode=module.as_bitcode())


def _find_callees(compiled: Compiled) -> tuple[list[str], Any]:
    """Names of the functions that a kernel calls, and its module."""
    import llvmlite.binding as llvm

    module = llvm.parse_bitcode(compiled.bitcode)
    return [item.name for item in module.functions if item.is_declaration], module


def _collect_callees(pieces: Mapping[str, Compiled], roots: Sequence[str]) -> list[str]:
    """These kernels, then the kernels that they call."""
    order = list(dict.fromkeys(roots))
    for symbol in order:
        order += [name for name in _find_callees(pieces[symbol])[0] if name in pieces and name not in order]
    return order


def _find_calls(
    pieces: Mapping[str, Compiled], roots: Sequence[str], replaceable: Mapping[str, Mechanics]
) -> dict[str, set[int | None]]:
    """The replaceable functions that kernels call, and the flags that they pass: constants, or None."""
    called: dict[str, set[int | None]] = {}
    order = list(dict.fromkeys(roots))
    for symbol in order:
        names, module = _find_callees(pieces[symbol])
        for name in names:
            if name in replaceable:
                called.setdefault(name, set()).update(_flags(str(module), name, replaceable[name]))
            elif name in pieces and name not in order:
                order.append(name)
    return called


def _flags(text: str, symbol: str, mechanics: Mechanics) -> Iterable[int | None]:
    """The flags that a module passes to a function: constants, or None."""
    if not mechanics.flag:
        return
    at = 2 + sum(
        1 if len(letter) == 1 else 5 + 2 * int(letter[1:])
        for letter in mechanics.kernel.types[: 1 + mechanics.kernel.arguments.index(FLAG)]
    )
    for call in re.finditer(rf"call i32 @{symbol}\((.*)\)", text):
        value = call[1].split(", ")[at].rpartition(" ")[2]
        yield int(value) if re.fullmatch(r"-?\d+", value) else None
