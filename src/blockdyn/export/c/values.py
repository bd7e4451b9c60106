"""Values of a function in C: variables, expressions that are written at their only use, addresses."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ...native.tangent.reading import NAME, Function, Line, argument, split_list
from . import expressions
from .expressions import EVERYWHERE, KEYWORDS, TYPES, Expression, free
from .pointers import Pointers, Unprintable, call_of, is_of_exceptions

LONG = 90  # characters, from which on an expression becomes a variable
IGNORED = ("@llvm.lifetime", "@llvm.experimental", "@llvm.assume", "@llvm.dbg", "@llvm.donothing")


@dataclass(frozen=True)
class Place:
    """An address: an array, and the index of an element of it, in parts."""

    array: str
    fixed: int = 0
    moving: str = ""
    owner: str = EVERYWHERE  # the array whose memory it is

    @property
    def index(self) -> str:
        """The index as a text."""
        if not self.moving:
            return str(self.fixed)
        return f"{self.moving} + {self.fixed}" if self.fixed else self.moving


@dataclass(frozen=True)
class Label:
    """The place of a block in the text, if something jumps to it."""

    block: int


class Values:
    """The values of one function, and its statements so far.

    names   the names in C of functions and tables, by symbol
    live    the indices of the parameters that functions have in C
    """

    def __init__(
        self, function: Function, pointers: Pointers, names: Mapping[str, str], live: Mapping[str, list[int]]
    ) -> None:
        self.function, self._pointers, self.names, self.live = function, pointers, names, live
        self.uses = count_uses(function, live)
        self._values: dict[str, Expression] = {}  # of variables
        self._pending: dict[str, tuple[str, Expression]] = {}  # type and value, written at its use
        self.aggregates: dict[str, list[Expression]] = {}  # elements of arrays and structures
        self.places: dict[str, Place] = {}
        self.variables: dict[str, list[str]] = {}  # by type, as they are declared
        self.declared: dict[str, str] = {}  # the type of each variable
        self._taken = {*names.values(), *KEYWORDS}
        self.lines: list[tuple[int, str | Label]] = []
        self.depth = 1
        self.parameters = self._read_parameters()

    def put(self, line: str) -> None:
        """Add a statement."""
        self.lines.append((self.depth, line))

    def _read_parameters(self) -> list[str]:
        """The declarations of the parameters."""
        declared = []
        for kind, name in self.function.parameters:
            local = self.fresh(_plain(name))
            if kind == "ptr":
                element = self._pointers.kind(self.function.symbol, name)
                self.places[name] = Place(local)
                declared.append(f"{TYPES[element]} *{local}")
            else:
                self._values[name] = Expression(local)
                declared.append(f"{TYPES[kind]} {local}")
        return declared

    def fresh(self, hint: str) -> str:
        """An unused name."""
        return free(hint, self._taken)

    def declare(self, kind: str) -> str:
        """The name of a fresh variable of a type of C."""
        local = self.fresh(f"v{len(self._values)}")
        self.variables.setdefault(kind, []).append(local)
        self.declared[local] = kind
        return local

    def read(self, kind: str, name: str) -> Expression:
        """The expression of a value."""
        if not name.startswith("%"):
            return expressions.constant(kind, name)
        if name in self._pending:
            return self._pending.pop(name)[1]
        return self._values[name]

    def give(self, target: str, kind: str, value: Expression) -> None:
        """Take a value: written at its only use, or as a variable."""
        if self.uses[target] == 0:
            return
        if self.uses[target] == 1 and len(value.text) < LONG:
            self._pending[target] = kind, value
        else:
            self.assign(target, kind, value)

    def assign(self, target: str, kind: str, value: Expression) -> None:
        """Write a value as a variable."""
        local = self.declare(TYPES[kind])
        self._values[target] = Expression(local)
        self.put(f"{local} = {value.text};")

    def flush(self, written: str | None = None, keep: Iterable[str] = ()) -> None:
        """Write pending values as variables: those that read the memory which changes, or all."""
        for name, (kind, value) in [*self._pending.items()]:
            reads = value.reads
            apart = written is not None and (
                not reads or (written != EVERYWHERE and EVERYWHERE not in reads and written not in reads)
            )
            if not apart and name not in keep:
                del self._pending[name]
                self.assign(name, kind, value)

    def place(self, name: str) -> Place:
        """The object at an address. Raises Unprintable."""
        if name.startswith("@"):
            return Place(self.names[name], owner=self.names[name])
        if name in ("null", "undef", "poison"):
            return Place("NULL")
        if name not in self.places:
            raise Unprintable(f"the address {name}")
        return self.places[name]

    def address(self, name: str) -> str:
        """The text of an address."""
        place = self.place(name)
        return place.array if place.index == "0" else f"{place.array} + {place.index}"

    def kind(self, name: str) -> str:
        """The type of the elements at an address."""
        return self._pointers.kind(self.function.symbol, name)

    def atom(self, kind: str, name: str) -> str:
        """A value as a variable, which may be read more than once."""
        value = self.read(kind, name)
        if value.level or value.reads:
            self.assign(name, kind, value)
            value = self._values[name]
        self._values[name] = value
        return value.text

    def variable(self, kind: str, value: Expression) -> Expression:
        if not value.level and not value.reads:
            return value
        local = self.declare(TYPES[kind])
        self.put(f"{local} = {value.text};")
        return Expression(local)

    def phi(self, line: Line, kind: str) -> str:
        """The variable of a phi."""
        if kind == "ptr":
            if line.target not in self.places:
                element = self._pointers.kind(self.function.symbol, line.target)
                local = self.fresh(f"a{len(self.places)}")
                self.variables.setdefault(TYPES[element], []).append(f"*{local}")
                self.declared[local] = TYPES[element]
                self.places[line.target] = Place(local)
            return self.places[line.target].array
        if line.target not in self._values:
            self._values[line.target] = Expression(self.declare(TYPES[kind]))
        return self._values[line.target].text

    def part(self, name: str, k: int, kind: str) -> Expression:
        """The variable of an element of a phi that is an array or a structure."""
        local = f"{name}#{k}"
        if local not in self._values:
            self._values[local] = Expression(self.declare(TYPES[kind]))
        return self._values[local]

    def elements(self, kinds: list[str], value: str) -> list[Expression]:
        """The elements of such a value."""
        if value in self.aggregates:
            return self.aggregates[value]
        if value.startswith("%"):
            return [self.part(value, k, kind) for k, kind in enumerate(kinds)]
        if value in ("undef", "poison", "zeroinitializer"):
            return [expressions.constant(kind, value) for kind in kinds]
        return [self.read(*argument(part)) for part in split_list(value.removeprefix("<")[1:-1])]


def count_uses(function: Function, live: Mapping[str, list[int]]) -> Counter[str]:
    """The number of reads of each value of a function in C."""
    uses: Counter[str] = Counter()
    for block in function.blocks:
        for line in block.lines:
            if any(each in line.text for each in IGNORED) or is_of_exceptions(line):
                continue
            if line.word == "call" and (called := call_of(line))[0] in live:
                uses.update(called[1][k][1] for k in live[called[0]])
            else:
                uses.update(re.findall(NAME, line.operands))
    return uses


def _plain(name: str) -> str:
    """The name of a parameter: `%arg.motion.0.4` is motion_0."""
    text = re.sub(r"\W", "_", name[1:].strip('"').removeprefix("arg."))
    text = re.sub(r"_4(_\w+)?$", r"\1", text)
    return text if not text[:1].isdigit() else f"p{text}"


def parts_of(kind: str) -> list[str] | None:
    """The types of the elements of an array or a structure; None for a number."""
    if match := re.fullmatch(r"\[(\d+) x (\w+)\]", kind):
        return [match[2]] * int(match[1])
    return split_list(kind[1:-1]) if kind.startswith("{") else None
