"""Straight-line code is printed as LLVM text, with a forwarder that has the symbol of the kernel it replaces.

The text has only the operations of the tape. If a requirement of the tape does not hold, it returns before
it writes any result, and the forwarder calls the general kernel with the same arguments.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from .tape import REQUIRE, Operand, StraightLine

_BINARY = {"add": "fadd", "sub": "fsub", "mul": "fmul", "div": "fdiv"}
_RELATION = {"greater": "ogt", "less": "olt", "equal": "oeq"}
_CALL = {"sin": "elementary.sin", "cos": "elementary.cos", "sqrt": "llvm.sqrt.f64", "abs": "llvm.fabs.f64"}
_LETTER = {"d": "double", "i": "i64", "b": "i8"}
LANES = 4  # words that are compared together
ADDRESS = 4  # index of the address among the words of an array argument; the shape follows


def parameters(types: Sequence[str]) -> list[list[tuple[str, str]]]:
    """LLVM's parameters of a kernel, type and name, for arguments of these type letters."""
    result = []
    for i, letter in enumerate(types):
        if len(letter) == 1:
            result.append([(_LETTER[letter], f"%a{i}")])
        else:
            kinds = ["ptr", "ptr", "i64", "i64", "ptr", *["i64"] * (2 * int(letter[1:]))]
            result.append([(kind, f"%a{i}_{k}") for k, kind in enumerate(kinds)])
    return result


def _short_parameters(types: Sequence[str]) -> list[tuple[str, str]]:
    """The parameters that traced code needs: addresses of arrays, scalars, the rows of the first array."""
    spread = parameters(types)
    chosen = [group[0] if len(group) == 1 else group[ADDRESS] for group in spread]
    return [("ptr", "%result"), spread[0][ADDRESS + 1], *chosen]


def _join_names(names: Sequence[tuple[str, str]]) -> str:
    return ", ".join(f"{kind} {name}" for kind, name in names)


def write_forwarder(symbol: str, general: str, traced: Sequence[str], types: Sequence[str]) -> str:
    """A function with a kernel's symbol and convention that tries traced functions in sequence, then the
    general one.
    """
    spread = [name for group in parameters(types) for name in group]
    arguments = [("ptr", "%result"), ("ptr", "%exception"), *spread]
    short = _short_parameters(types)
    lines = [f"declare i32 @{general}({', '.join(kind for kind, _ in arguments)})"]
    lines += [f"declare i32 @{name}({', '.join(kind for kind, _ in short)})" for name in traced]
    lines += [f"define i32 @{symbol}({_join_names(arguments)}) {{"]
    for k, name in enumerate(traced):
        lines += [
            f"  %r{k} = call i32 @{name}({_join_names(short)})",
            f"  %done{k} = icmp eq i32 %r{k}, 0",
            f"  br i1 %done{k}, label %end, label %next{k}",
            f"next{k}:",
        ]
    lines += [
        f"  %status = call i32 @{general}({_join_names(arguments)})",
        "  ret i32 %status",
        "end:",
        "  ret i32 0",
        "}",
    ]
    return "\n".join(lines) + "\n"


def write_call(symbol: str, traced: str, types: Sequence[str], other: int) -> str:
    """A function with a kernel's symbol and convention that returns `other` if traced code refuses."""
    spread = [name for group in parameters(types) for name in group]
    arguments = [("ptr", "%result"), ("ptr", "%exception"), *spread]
    lines = [
        f"define i32 @{symbol}({_join_names(arguments)}) {{",
        f"  %r = call i32 @{traced}({_join_names(_short_parameters(types))}) alwaysinline",
        "  %done = icmp eq i32 %r, 0",
        "  br i1 %done, label %end, label %refused",
        "refused:",
        f"  store i64 {other}, ptr %result",
        "  br label %end",
        "end:",
        "  ret i32 0",
        "}",
    ]
    return "\n".join(lines) + "\n"


@dataclass
class Place:
    """The address of an output's element: the argument, and the index of the element in its array."""

    argument: int
    element: int


@dataclass
class Function:
    """A traced function in LLVM's text: the argument of each input, the place of each output, the guards.

    `guards` are LLVM lines that compute conditions, each with the name of its condition; all must be true.
    The function returns 0, or 1 before it writes any result if a guard or a requirement does not hold.
    """

    symbol: str
    types: Sequence[str]
    inputs: Mapping[str, int]
    outputs: Mapping[str, Sequence[Place]]
    guards: Sequence[tuple[Sequence[str], str]] = field(default_factory=tuple)

    def write(self, line: StraightLine) -> str:
        """The text of the function, with its declarations."""
        printer = _Printer()
        for lines, condition in self.guards:
            printer.lines += lines
            printer.guard(condition, usual=True)
        printer.load(line, {name: f"%a{at}_{ADDRESS}" for name, at in self.inputs.items()})
        printer.run(line)
        for output in line.outputs:
            for operand, place in zip(output.elements, self.outputs[output.name], strict=True):
                printer.store(operand, f"%a{place.argument}_{ADDRESS}", place.element)
        if line.status is not None:
            printer.lines.append(f"  store i64 {line.status}, ptr %result")
        declared = [f"declare double @{name}(double)" for name in sorted(printer.called)]
        head = f"define i32 @{self.symbol}({_join_names(_short_parameters(self.types))}) {{"
        end = ["  ret i32 0", *(["other:", "  ret i32 1"] if printer.guarded else []), "}", ""]
        return "\n".join([*declared, head, *printer.lines, *end])


class _Printer:
    """Printer of LLVM's text, with the name of the value at each place."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.called: set[str] = set()
        self.guarded = 0
        self._names: list[str] = []
        self._addresses = 0

    def load(self, line: StraightLine, addresses: Mapping[str, str]) -> None:
        """Read the elements of inputs that an operation or an output uses."""
        used = {x for operation in line.operations for x in operation.operands}
        used |= {x for output in line.outputs for x in output.elements}
        place = 0
        for variable in line.inputs:
            for k in range(variable.size):
                name = f"%v{place}"
                if place in used:
                    address = self._element(addresses[variable.name], k)
                    self.lines.append(f"  {name} = load double, ptr {address}")
                self._names.append(name)
                place += 1

    def run(self, line: StraightLine) -> None:
        """Write the operations."""
        for operation in line.operations:
            name = f"%v{len(self._names)}"
            values = [self._value(x) for x in operation.operands]
            kind = operation.name
            if kind == REQUIRE:
                self.guard(values[0], usual=operation.operands[1] == 1.0)
            elif kind in _BINARY:
                self.lines.append(f"  {name} = {_BINARY[kind]} double {values[0]}, {values[1]}")
            elif kind == "neg":
                self.lines.append(f"  {name} = fneg double {values[0]}")
            elif kind in _RELATION:
                self.lines.append(f"  {name} = fcmp {_RELATION[kind]} double {values[0]}, {values[1]}")
            elif kind == "select":
                chosen = f"double {values[1]}, double {values[2]}"
                self.lines.append(f"  {name} = select i1 {values[0]}, {chosen}")
            else:
                self.called.add(_CALL[kind])
                self.lines.append(f"  {name} = call double @{_CALL[kind]}(double {values[0]})")
            self._names.append(name)

    def guard(self, condition: str, *, usual: bool) -> None:
        """Continue if the condition has its usual value, and return 1 otherwise."""
        self.guarded += 1
        following = f"part{self.guarded}"
        ways = (following, "other") if usual else ("other", following)
        self.lines.append(f"  br i1 {condition}, label %{ways[0]}, label %{ways[1]}")
        self.lines.append(f"{following}:")

    def store(self, operand: Operand, array: str, k: int) -> None:
        """Write an element of an output; zeros are positive."""
        value = constant(operand + 0.0) if isinstance(operand, float) else f"%s{self._addresses}"
        if isinstance(operand, int):
            self.lines.append(f"  {value} = fadd double {self._names[operand]}, 0.0")
        self.lines.append(f"  store double {value}, ptr {self._element(array, k)}")

    def _element(self, array: str, k: int) -> str:
        self._addresses += 1
        address = f"%e{self._addresses}"
        self.lines.append(f"  {address} = getelementptr inbounds double, ptr {array}, i64 {k}")
        return address

    def _value(self, operand: Operand) -> str:
        return self._names[operand] if isinstance(operand, int) else constant(operand)


def constant(x: float) -> str:
    """A double in LLVM's text, to the bit."""
    return f"0x{struct.unpack('<Q', struct.pack('<d', x))[0]:016X}"


def compare_words(array: str, words: Mapping[int, int]) -> tuple[list[str], str]:
    """Lines that compare words of an array, by index, with constants; the condition that all are equal.

    Four adjacent words are compared together, with one branch for all.
    """
    lines: list[str] = []
    wide: list[str] = []
    single: list[str] = []
    places = sorted(words)
    k = 0
    while k < len(places):
        at = places[k]
        four = places[k : k + LANES] == list(range(at, at + LANES))
        count = LANES if four else 1
        kind = f"<{LANES} x i64>" if four else "i64"
        values = [str(words[at + i]) for i in range(count)]
        constants = "<" + ", ".join(f"i64 {value}" for value in values) + ">" if four else values[0]
        lines += [
            f"  %ta{at} = getelementptr inbounds i64, ptr {array}, i64 {at}",
            f"  %tl{at} = load {kind}, ptr %ta{at}, align 8",
            f"  %tx{at} = xor {kind} %tl{at}, {constants}",
        ]
        (wide if four else single).append(f"%tx{at}")
        k += count
    total = _join(lines, single, "i64", "ts") if single else "0"
    if wide:
        vector = _join(lines, wide, f"<{LANES} x i64>", "tw")
        for lane in range(LANES):
            lines.append(f"  %te{lane} = extractelement <{LANES} x i64> {vector}, i64 {lane}")
        total = _join(lines, [*(f"%te{lane}" for lane in range(LANES)), total], "i64", "tt")
    lines.append(f"  %same = icmp eq i64 {total}, 0")
    return lines, "%same"


def _join(lines: list[str], values: list[str], kind: str, name: str) -> str:
    """The bitwise or of values, as a tree, which avoids a chain of dependencies."""
    count = 0
    while len(values) > 1:
        pairs = list(zip(values[::2], values[1::2]))
        rest = values[len(pairs) * 2 :]
        values = []
        for a, b in pairs:
            lines.append(f"  %{name}{count} = or {kind} {a}, {b}")
            values.append(f"%{name}{count}")
            count += 1
        values += rest
    return values[0]
