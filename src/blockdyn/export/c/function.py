"""Print one function of LLVM's text as a function of C, with loops, branches, and jumps where neither fits.

Source: N. Ramsey, Beyond Relooper: recursive translation of unstructured control flow to structured control
flow, Proc. ACM Program. Lang. 6 (ICFP 2022), https://doi.org/10.1145/3547621. C has `goto`, so that only the
order of the blocks and the natural loops are needed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from math import prod
from textwrap import wrap

from ...native.tangent.reading import NAME, SYMBOL, Block, Function, Line, argument, first_type, split_list
from . import expressions
from .expressions import TYPES, Expression, join
from .pointers import Pointers
from .statements import Statements
from .values import Label, Values, parts_of

WIDTH = 100


class Flow:
    """The blocks of a function, in reverse postorder, with their dominators and natural loops.

    A block is an index. LLVM's optimised functions are reducible: the header of a loop dominates it.
    """

    def __init__(self, blocks: Sequence[Block]) -> None:
        self.blocks = blocks
        self.index = {block.label: k for k, block in enumerate(blocks)}
        self.followers = [[self.index[label] for label in dict.fromkeys(block.followers)] for block in blocks]
        self.before: list[list[int]] = [[] for _ in blocks]
        for k, following in enumerate(self.followers):
            for each in following:
                self.before[each].append(k)

    @cached_property
    def dominator(self) -> list[int]:
        """The immediate dominator of each block; the first one dominates itself."""
        dominator = [0] + [-1] * (len(self.blocks) - 1)
        changed = True
        while changed:
            changed = False
            for k in range(1, len(self.blocks)):
                reached = [each for each in self.before[k] if dominator[each] >= 0]
                common = reached[0]
                for each in reached[1:]:
                    while common != each:
                        if common > each:
                            common = dominator[common]
                        else:
                            each = dominator[each]
                changed |= dominator[k] != common
                dominator[k] = common
        return dominator

    @cached_property
    def loops(self) -> dict[int, set[int]]:
        """The blocks of each natural loop, by its header."""
        loops: dict[int, set[int]] = {}
        for header in range(len(self.blocks)):
            ends = [each for each in self.before[header] if each >= header]
            inside = {header}
            while ends:
                block = ends.pop()
                if block not in inside:
                    inside.add(block)
                    ends += self.before[block]
            if len(inside) > 1 or header in self.followers[header]:
                loops[header] = inside
        return loops

    @cached_property
    def owned(self) -> list[list[int]]:
        """Per block the blocks that follow its statements, of which it is the dominator, in their order.

        A block after a loop follows the whole loop.
        """
        owned: list[list[int]] = [[] for _ in self.blocks]
        for k in range(1, len(self.blocks)):
            owner = self.dominator[k]
            around = [h for h, inside in self.loops.items() if owner in inside and k not in inside]
            owned[min(around, default=owner)].append(k)
        return owned

    @cached_property
    def rounds(self) -> dict[int, int | None]:
        """How often each loop runs at most, by its header; None if its end depends on values."""
        lines = {line.target: line for block in self.blocks for line in block.lines if line.target}
        return {header: _count(self, header, lines) for header in self.loops}

    def longest(self, costs: Sequence[int]) -> int:
        """The cost of the most expensive way through the blocks; loops of unknown length run once."""
        most = [0] * len(self.blocks)
        for k in reversed(range(len(self.blocks))):
            times = prod(self.rounds[h] or 1 for h, inside in self.loops.items() if k in inside)
            most[k] = costs[k] * times + max(
                (most[each] for each in self.followers[k] if each > k), default=0
            )
        return most[0]

    def leaves(self, header: int, block: int) -> bool:
        """True if a block comes after the loop of a header."""
        return header in self.loops and block not in self.loops[header]

    def merges(self, block: int) -> bool:
        """True if a block is reached from several places, or from a loop that it follows."""
        forward = [each for each in self.before[block] if each < block]
        owner = self.dominator[block]
        return len(forward) > 1 or any(
            owner in inside and block not in inside for inside in self.loops.values()
        )


def _count(flow: Flow, header: int, lines: Mapping[str, Line]) -> int | None:
    """The rounds of a loop whose counter goes from one constant to another."""
    inside = flow.loops[header]
    for block in inside:
        last = flow.blocks[block].lines[-1]
        leaving = [each for each in flow.followers[block] if each not in inside]
        condition = re.match(rf"i1 ({NAME})", last.operands)
        if not leaving or condition is None or condition[1] not in lines:
            continue
        compared = re.match(
            rf"(?:samesign )?(?:eq|ne|[us][lg][te]) i\d+ ({NAME}), (\d+)$", lines[condition[1]].operands
        )
        if compared is None:
            continue
        counter = lines.get(compared[1])
        steps = [line for line in flow.blocks[header].lines if line.word == "phi"]
        for phi in steps:
            start = re.search(r"\[ (-?\d+),", phi.operands)
            step = next(
                (
                    lines[name]
                    for name in re.findall(NAME, phi.operands)
                    if name in lines and lines[name].word == "add"
                ),
                None,
            )
            if (
                start is None
                or step is None
                or counter is None
                or counter.target not in (phi.target, step.target)
            ):
                continue
            by = re.search(rf"{re.escape(phi.target)}, (-?\d+)$", step.operands)
            if by is not None and int(by[1]):
                return max(-(-abs(int(compared[2]) - int(start[1])) // abs(int(by[1]))), 1)
    return None


@dataclass(frozen=True)
class Operations:
    """The operations of doubles in a function at most, and the loops whose length depends on values."""

    count: int
    loops: int


def count_operations(functions: Mapping[str, Function], order: Sequence[str]) -> dict[str, Operations]:
    """The operations of functions, each after those that it calls: + - * / and square roots."""
    counted: dict[str, Operations] = {}
    for symbol in order:
        flow = Flow(functions[symbol].blocks)
        costs, loops = [], sum(rounds is None for rounds in flow.rounds.values())
        for block in flow.blocks:
            cost = 0
            for line in block.lines:
                cost += line.word in ("fadd", "fsub", "fmul", "fdiv")
                called = re.search(SYMBOL, line.operands) if line.word == "call" else None
                if called and called[0] in counted:
                    cost += counted[called[0]].count
                    loops += counted[called[0]].loops
                cost += called is not None and called[0].startswith("@llvm.sqrt")
            costs.append(cost)
        counted[symbol] = Operations(flow.longest(costs), loops)
    return counted


class FunctionPrinter:
    """Prints one function; `names` are the names in C of functions and global variables, by symbol."""

    def __init__(
        self, function: Function, pointers: Pointers, names: Mapping[str, str], live: Mapping[str, list[int]]
    ) -> None:
        """`live` are the indices of the parameters that functions have in C."""
        self._values = Values(function, pointers, names, live)
        self._statements = Statements(self._values)
        self._flow = Flow(function.blocks)
        self._jumps: set[int] = set()

    # ---- text ----

    def text(self, head: str) -> str:
        """The function with this head."""
        self._sequence(0, None, None)
        lines = [*wrap(head, WIDTH, subsequent_indent="    ", break_long_words=False), "{"]
        written = {
            *re.findall(r"\w+", " ".join(line for _, line in self._values.lines if isinstance(line, str)))
        }
        for kind, variables in sorted(self._values.variables.items()):
            names = [each for each in variables if re.findall(r"\w+", each)[0] in written]
            if not names:
                continue
            lines += wrap(
                f"{kind} {', '.join(names)};", WIDTH, initial_indent="    ", subsequent_indent=" " * 8
            )
        for depth, line in self._values.lines:
            if isinstance(line, Label):
                if line.block in self._jumps:
                    lines.append(f"{'    ' * (depth - 1)}L{line.block}:;")
                continue
            indent = "    " * depth
            if line.startswith("/*"):
                lines += wrap(line, WIDTH, initial_indent=indent, subsequent_indent=indent + "   ")
            else:
                lines += wrap(
                    line, WIDTH, initial_indent=indent, subsequent_indent=indent + "        ",
                    break_long_words=False, break_on_hyphens=False,
                )  # fmt: skip
        return "\n".join([*lines, "}"])

    def head(self, name: str) -> str:
        """`type name(parameters)`."""
        chosen = [self._values.parameters[k] for k in self._values.live[self._values.function.symbol]]
        result = self._values.function.result
        parts = parts_of(result)
        chosen += [f"{TYPES[part]} *r{k}" for k, part in enumerate(parts or [])]
        kind = "void" if result == "void" or parts is not None else TYPES[result]
        return f"{kind} {name}({', '.join(chosen) or 'void'})"

    # ---- control flow ----

    def _sequence(self, block: int, following: int | None, around: tuple[int, int | None] | None) -> None:
        """A block with the blocks that it owns; `following` is the block after them in the text.

        `around` are the header of the innermost loop and the block after it.
        """
        flow, lines = self._flow, self._values.lines
        while True:
            owned = flow.owned[block]
            after = [each for each in owned if flow.leaves(block, each)]
            inside = [each for each in owned if each not in after and flow.merges(each)]
            if block in flow.loops:
                end = after[0] if after else following
                self._values.put("for (;;) {")
                self._values.depth += 1
                self._block(block, inside[0] if inside else block, (block, end))
                for each, then in pairwise([*inside, block]):
                    lines.append((self._values.depth, Label(each)))
                    self._sequence(each, then, (block, end))
                self._values.depth -= 1
                self._values.put("}")
                row = after
            else:
                self._block(block, inside[0] if inside else following, around)
                row = inside
            for each, then in pairwise(row):
                lines.append((self._values.depth, Label(each)))
                self._sequence(each, then, around)
            if not row:
                return
            block = row[-1]
            lines.append((self._values.depth, Label(block)))

    def _block(self, block: int, following: int | None, around: tuple[int, int | None] | None) -> None:
        lines = self._flow.blocks[block].lines
        for line in lines[:-1]:
            self._statements.line(line)
        last = lines[-1]
        if last.word == "ret":
            kind, value = first_type(f"{last.operands} ")
            if (parts := parts_of(kind)) is not None:
                for k, element in enumerate(self._values.elements(parts, value.strip())):
                    self._values.put(f"*r{k} = {element.text};")
                self._values.put("return;")
                return
            text = f"return {self._values.read(kind, value.strip()).text};" if kind != "void" else "return;"
            self._values.put(text)
        elif last.word == "unreachable":
            self._values.put("return;" if self._values.function.result == "void" else "return 0;")
        elif last.word == "br" and len(split_list(last.operands)) == 1:
            self._values.flush(keep=self._carried(block))
            self._go(block, self._flow.followers[block][0], following, around)
        else:
            self._choose(block, last, following, around)

    def _choose(
        self, block: int, last: Line, following: int | None, around: tuple[int, int | None] | None
    ) -> None:
        """A branch, or one of several ways by a number."""
        before, _, cases = last.operands.partition("[")
        kind, value = argument(split_list(before)[0])
        number = self._values.read(kind, value)
        self._values.flush()
        labels = [name[1:] for name in re.findall(rf"label ({NAME})", last.operands)]
        places = [self._flow.index[label] for label in labels]
        if last.word == "br":
            ways, otherwise = [(number, places[0])], places[1]
        else:
            number, otherwise = self._values.variable(kind, number), places[0]
            numbers = re.findall(r"i\d+ (-?\d+), label", cases)
            equal = [join(f"{number.text} == {case}", expressions.EQUALITY, number) for case in numbers]
            ways = [*zip(equal, places[1:], strict=True)]
        self._ways(block, ways, otherwise, following, around)

    def _ways(
        self, block: int, ways: list[tuple[Expression, int]], otherwise: int, following: int | None,
        around: tuple[int, int | None] | None,
    ) -> None:  # fmt: skip
        """The branches of a block: each with its condition, and the way if none holds."""
        if not ways:
            self._go(block, otherwise, following, around)
            return
        (condition, place), *others = ways
        body = self._captured(lambda: self._go(block, place, following, around))
        if body and _ends(body):
            self._values.put(f"if ({condition.text}) {{")
            self._values.lines += body
            self._values.put("}")
            self._ways(block, others, otherwise, following, around)
            return
        other = self._captured(lambda: self._ways(block, others, otherwise, following, around))
        if body:
            self._values.put(f"if ({condition.text}) {{")
            self._values.lines += body
            if other:
                self._values.put("} else {")
        elif other:
            self._values.put(f"if ({_negate(condition)}) {{")
        self._values.lines += other
        if body or other:
            self._values.put("}")

    def _captured(self, put: Callable[[], None]) -> list[tuple[int, str | Label]]:
        """The lines that a call puts, one level deeper."""
        lines, self._values.lines = self._values.lines, []
        self._values.depth += 1
        put()
        self._values.depth -= 1
        lines, self._values.lines = self._values.lines, lines
        return lines

    def _go(
        self, block: int, place: int, following: int | None, around: tuple[int, int | None] | None
    ) -> None:
        """Go from a block to another one."""
        self._carry(block, place)
        flow = self._flow
        if place > block and not flow.merges(place) and flow.dominator[place] == block:
            self._sequence(place, following, around)
        elif place == following:
            return
        elif around and place == around[0]:
            self._values.put("continue;")
        elif around and place == around[1]:
            self._values.put("break;")
        else:
            self._jumps.add(place)
            self._values.put(f"goto L{place};")

    def _incoming(self, block: int, place: int) -> list[tuple[Line, str, str]]:
        """The phis of a block, with type and value by the way from another."""
        label = self._flow.blocks[block].label
        phis = []
        for line in self._flow.blocks[place].lines:
            if line.word == "phi" and self._values.uses[line.target]:
                kind, pairs = first_type(line.operands)
                named = {
                    pair[1][1:]: pair[0] for pair in (split_list(each[1:-1]) for each in split_list(pairs))
                }
                value = named.get(label)
                if value is None:  # the first block, which has no name
                    value = next(v for name, v in named.items() if name not in self._flow.index)
                phis.append((line, kind, value))
        return phis

    def _carried(self, block: int) -> set[str]:
        """Values that are used only by a phi."""
        return {
            value for place in self._flow.followers[block] for _, _, value in self._incoming(block, place)
        }

    def _carry(self, block: int, place: int) -> None:
        """Assign the phis of the block that follows."""
        moves = []
        for line, kind, value in self._incoming(block, place):
            if (parts := parts_of(kind)) is not None:
                for k, (each, part) in enumerate(
                    zip(parts, self._values.elements(parts, value), strict=True)
                ):
                    moves.append((each, self._values.part(line.target, k, each).text, part.text))
                continue
            local = self._values.phi(line, kind)
            text = self._values.address(value) if kind == "ptr" else self._values.read(kind, value).text
            if text != local and value not in ("undef", "poison"):
                moves.append((kind, local, text))
            elif value in ("undef", "poison"):
                moves.append((kind, local, "0"))
        for k, (kind, local, text) in enumerate(moves):
            if {each for _, each, _ in moves[:k]} & {*re.findall(r"\w+", text)}:
                before = self._values.fresh(f"{local}_before")
                self._values.variables.setdefault(self._values.declared[local], []).append(
                    f"*{before}" if kind == "ptr" else before
                )
                moves[k] = kind, local, before
                self._values.put(f"{before} = {text};")
        for _, local, text in moves:
            self._values.put(f"{local} = {text};")


def _negate(condition: Expression) -> str:
    """The opposite of a condition."""
    if condition.text.startswith("!") and condition.level == expressions.UNARY:
        inner = condition.text[1:]
        return (
            inner[1:-1] if inner.startswith("(") and inner.endswith(")") and inner.count("(") == 1 else inner
        )
    return f"!{condition.within(0)}" if condition.level == 0 else f"!({condition.text})"


def _ends(lines: list[tuple[int, str | Label]]) -> bool:
    """True if nothing comes after these lines."""
    if not lines or isinstance(lines[-1][1], Label):
        return False
    return lines[-1][1].startswith(("return", "goto", "continue", "break"))
