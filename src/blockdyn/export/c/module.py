"""Print the functions of a program as C99, after processor-independent optimisation by LLVM."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from math import prod
from typing import Any

from ...diagrams.compiler.emit.functions import POINTERS, Text
from ...native.elementary import definitions
from ...native.elementary.names import PREFIX
from ...native.engine import SHORT, _instructions, join_module
from ...native.kernel import with_parts
from ...native.tangent.reading import Function, functions_of
from ...native.target import optimise
from ..module import WORDS
from .expressions import TYPES, bits_of, constant, wrapped
from .function import FunctionPrinter, Operations, count_operations
from .pointers import SIZES, Pointers, Unprintable, call_of
from .values import count_uses

_GLOBAL = re.compile(r"^(@[\w.$-]+) = [^\n=]*?\b(constant|global) (.*?)(?:, align \d+)?$", re.M)
_STORED = re.compile(r"^  store ptr .*$", re.M)  # descriptions of exceptions
_HEAD = "double %t, " + ", ".join(f"ptr noalias %{name}" for name in POINTERS)
_PASSED = "double %t, " + ", ".join(f"ptr %{name}" for name in POINTERS)
NOTES = {
    "evaluate": "All signals at an instant, block by block; 1 if one is not finite, -1 if a block fails.",
    "react": "The reactions of blocks to events; 1 if a mode or a state has changed, -1 if a block fails.",
    "update": "The states after the ticks of an instant; -1 if a block fails.",
    "derivative": "The derivatives of the continuous states; 1 if one is not finite, -1 if a block fails.",
}
RESERVED = frozenset((
    "evaluate", "react", "update", "sign", "fire", "begin_anew", "leave_out", "real_of", "bits_of",
    "is_of_class", "abs", "acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "cbrt", "ceil",
    "copysign", "cos", "cosh", "erf", "erfc", "exp", "exp2", "expm1", "fabs", "fdim", "floor", "fma",
    "fmax", "fmin", "fmod", "frexp", "gamma", "hypot", "ilogb", "ldexp", "lgamma", "log", "log10", "log1p",
    "log2", "logb", "lrint", "lround", "modf", "nan", "nearbyint", "nextafter", "pow", "remainder",
    "remquo", "rint", "round", "scalbn", "sin", "sinh", "sqrt", "tan", "tanh", "tgamma", "trunc", "memcpy",
    "memmove", "memset", "strlen", "index", "y0", "y1", "yn", "j0", "j1", "jn", "integer_of", "main",
    "start_z", "start_p", "start_w", "crossing_direction", "crossing_passage", "crossing_turns",
    "crossing_group", "memcmp", "isnan", "isfinite", "derivative", "advance", "time_at", "start_x",
))  # fmt: skip
"""Names that functions have already."""


@dataclass(frozen=True)
class Printed:
    """Functions as C.

    text        declarations and definitions
    arguments   by the name of each requested function, the arguments that it has
    operations  by the same names, the operations of doubles
    """

    text: str
    arguments: dict[str, list[str]]
    operations: dict[str, Operations]


def print_program(text: Text, names: Sequence[str], taken: Collection[str]) -> Printed:
    """The functions of a program, of these names, as C; other functions get none of the names in `taken`.

    Raises Unprintable.
    """
    wrapped = "".join(
        f"\ndefine i64 @{name}_of_program({_HEAD}) {{\n  %r = call i64 @{name}_body({_PASSED}) alwaysinline\n"
        f"  ret i64 %r\n}}\n"
        for name in names
    )
    entries = {f"@{name}_of_program": name for name in names}
    module = _optimised(text, wrapped, [entry[1:] for entry in entries])
    kinds = {each.symbol: _snake(each.name) for each in with_parts(text.kernels.values())}
    users = {f"@{symbol}": ", ".join(sorted(paths)) for symbol, paths in text.users.items()}
    return _print(str(module), entries, kinds, users, taken)


def _optimised(text: Text, wrapped: str, names: Sequence[str]) -> Any:
    """The module after LLVM's passes, without vectors; kernels that are not short remain functions."""
    machine = WORDS.machine(2)
    module = join_module(text.text + wrapped, [*text.kernels.values()], names, WORDS, machine)
    definitions.link(module)
    for function in module.functions:
        stays = function.name.endswith("_body") or function.name.startswith(PREFIX)
        if function.linkage.name == "internal" and not stays:
            long = len(list(islice(_instructions(function), SHORT + 1))) > SHORT
            function.add_function_attribute("noinline" if long else "alwaysinline")
    optimise(module, machine, 2, loops=False)
    return module


def _print(
    text: str,
    entries: Mapping[str, str],
    kinds: Mapping[str, str],
    users: Mapping[str, str],
    reserved: Collection[str],
) -> Printed:
    functions = functions_of(text)
    pointers = Pointers(functions)
    names = _names(functions, entries, kinds)
    taken: dict[str, int] = dict.fromkeys((*RESERVED, *reserved), 1)
    for symbol, name in names.items():
        taken[name] = taken.get(name, 0) + (symbol not in entries)
        if taken[name] > 1:
            names[symbol] = f"{name}_{taken[name]}"
    variables: list[str] = []
    used = {*re.findall(r"@[\w.$-]+", _STORED.sub("", "".join(_bodies(text))))}
    for symbol, word, content in _GLOBAL.findall(text):
        if symbol in used:
            names[symbol] = f"table_{len(variables) + 1}"
            variables.append(_variable(pointers, symbol, names[symbol], word, content))
    live: dict[str, list[int]] = {}
    bodies, arguments = [], {}
    for symbol in _order(functions):
        function = functions[symbol]
        uses = count_uses(function, live)
        live[symbol] = [k for k, (_, name) in enumerate(function.parameters) if uses[name]]
        printer = FunctionPrinter(function, pointers, names, live)
        note = NOTES[entries[symbol]] if symbol in entries else ""
        place = names[symbol]
        if symbol in users:
            note, place = f"Of {users[symbol]}.", f"{place} of {users[symbol]}"
        try:
            body = printer.text(f"static {printer.head(names[symbol])}")
        except Unprintable as error:
            raise Unprintable(f"{error.construct}, in {place}") from None
        bodies.append(f"/* {note} */\n{body}" if note else body)
        if symbol in entries:
            arguments[names[symbol]] = [function.parameters[k][1][1:] for k in live[symbol]]
    counted = count_operations(functions, _order(functions))
    operations = {name: counted[symbol] for symbol, name in entries.items()}
    return Printed("\n\n".join(["\n".join(variables), *bodies]).strip() + "\n", arguments, operations)


def _bodies(text: str) -> list[str]:
    return re.findall(r"^define .*?^\}", text, re.M | re.S)


def _names(
    functions: Mapping[str, Function], entries: Mapping[str, str], kinds: Mapping[str, str]
) -> dict[str, str]:
    """The names of functions in C; a function that no block calls itself is named after one that calls it."""
    names: dict[str, str] = {}
    for symbol in reversed(_order(functions)):
        name = entries.get(symbol) or kinds.get(symbol[1:]) or names.get(symbol, "part")
        if symbol.startswith(f"@{PREFIX}"):
            name = "_".join(symbol[1:].split(".")[:2]) + ("_part" if symbol.count(".") > 1 else "")
        names[symbol] = name
        for called in _called(functions[symbol]):
            if called in functions:
                names.setdefault(called, name if name.endswith("_part") else f"{name}_part")
    return names


def _called(function: Function) -> Iterator[str]:
    """The functions that a function calls."""
    for block in function.blocks:
        for line in block.lines:
            if line.word == "call" and "@" in line.operands:
                yield call_of(line)[0]


def _snake(name: str) -> str:
    """The C name of a Python function: `DiscretePID.output` is discrete_pid_output."""
    name = name.rpartition("<locals>.")[2].replace("<lambda>", "")
    parts = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name)
    return re.sub(r"\W+", "_", parts, flags=re.ASCII).strip("_").lower()


def _order(functions: Mapping[str, Function]) -> list[str]:
    """The functions, each after those that it calls."""
    order: dict[str, None] = {}

    def visit(symbol: str) -> None:
        if symbol in order:
            return
        for called in _called(functions[symbol]):
            if called in functions:
                visit(called)
        order[symbol] = None

    for symbol in functions:
        visit(symbol)
    return [*order]


def _variable(pointers: Pointers, symbol: str, name: str, word: str, content: str) -> str:
    """The declaration of a table."""
    match = re.match(r'((?:\[\d+ x )+)(\w+)\]+\s*(zeroinitializer|c"(.*)"|\[.*)$', content)
    if match is None or match[2] not in ("double", "i64", "i8"):
        raise Unprintable(f"the variable {symbol}")
    sizes, kind, values, text = match.groups()
    bytes_ = prod(int(each) for each in re.findall(r"\d+", sizes)) * SIZES[kind]
    element = pointers.kind("", symbol)
    count = bytes_ // SIZES[element]
    head = f"static {'const ' if word == 'constant' else ''}{TYPES[element]} {name}[{count}]"
    if values == "zeroinitializer":
        return f"{head};"
    data = _decoded(text) if text is not None else _packed(kind, values)
    numbers = ", ".join(_numbers(element, data))
    return wrapped(f"{head} = {{{numbers}}};")


def _decoded(text: str) -> bytes:
    """The bytes of a text of LLVM, in which \\XX is a byte and \\\\ a backslash."""
    plain = re.sub(
        r"\\(\\|[0-9A-F]{2})", lambda match: "\\" if match[1] == "\\" else chr(int(match[1], 16)), text
    )
    return plain.encode("latin-1")


def _packed(kind: str, values: str) -> bytes:
    """The bytes of a list of numbers."""
    texts = re.findall(rf"{kind} ([^,\]\s]+)", values)
    return b"".join(bits_of(kind, each) for each in texts)


def _numbers(kind: str, data: bytes) -> Iterator[str]:
    """The elements of an array in the syntax of C."""
    size = SIZES[kind]
    for at in range(0, len(data), size):
        part = data[at : at + size]
        bits = int.from_bytes(part, "little", signed=kind != "double")
        yield (
            constant("double", f"0x{bits:016X}").text if kind == "double" else constant("i64", str(bits)).text
        )
