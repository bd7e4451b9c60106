"""Proposals are changes of a diagram's text that may mend an error; `fixes` verifies them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from difflib import get_close_matches
from functools import cached_property
from typing import Any

from ...base.errors import BlockdynError
from ...base.words import suggestions
from ...blocks.contract.block import Block
from ...blocks.contract.registry import names as block_names
from ..model.diagram import Diagram
from ..model.errors import (
    AlgebraicLoop,
    BadExpression,
    BadName,
    BadParameter,
    BadWire,
    DiagramError,
    MissingInput,
    SizeMismatch,
    UnknownBlock,
    UnknownPort,
)
from ..model.gathered import Errors
from ..model.name_errors import UnknownParameter
from ..model.scope import open_scopes
from ..model.subsystem import Subsystem
from .build import build
from .document import DIAGRAM
from .editing import DiagramText
from .errors import YamlError, YamlSyntaxError
from .sections import SIMULATE
from .source import Source

FOLLOWING = 40  # lines after an error's line that are searched for its text
WORD = re.compile(r"[^\s,:{}\[\]\"'#]+")
ARROW = re.compile(r"\s*(?:=+>|-+>+|→|⟶|⇒|>+)\s*")
QUANTITY = re.compile(r"([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)\s*([a-zµ]+)")
SCALES = {"s": 1.0, "sec": 1.0, "ms": 1e-3, "us": 1e-6, "µs": 1e-6, "min": 60.0, "h": 3600.0}  # to seconds
TRUTHS = {"yes": "true", "on": "true", "no": "false", "off": "false", "True": "true", "False": "false"}
REMOVED = "is removed"

Change = tuple[str, str]
"""What changes, in words, and the changed text."""


class State:
    """A text, its errors, and the diagram as far as it can be read."""

    def __init__(self, text: str, source: Callable[[], Source]) -> None:
        from ..compiler.compile import compile_diagram  # late: most of what reads YAML compiles nothing

        self.text, self.source = text, source
        self.file = source().file
        self.diagram: Diagram | None = None
        self.failures: tuple[BlockdynError, ...] = ()
        try:
            self.diagram = build(text, source())
            compile_diagram(self.diagram)
        except BlockdynError as error:
            self.failures = error.errors
            if self.diagram is None:
                self.diagram = getattr(error, "diagram", None)

    @property
    def errors(self) -> tuple[DiagramError, ...]:
        """The errors with a place in this text."""
        return tuple(
            e for e in self.failures if isinstance(e, DiagramError) and e.file == self.file and e.line
        )

    @cached_property
    def lines(self) -> list[str]:
        """The lines with their ends."""
        return self.text.splitlines(keepends=True)

    @cached_property
    def blocks(self) -> dict[str, Block | Subsystem]:
        """The valid blocks of the outermost diagram, with numbers for their expressions."""
        scopes = open_scopes(self.diagram, None, None, Errors()) if self.diagram is not None else []
        return {name: node.block for name, node in scopes[0].nodes.items()} if scopes else {}

    @cached_property
    def messages(self) -> Counter[str]:
        """The errors without their places, by number."""
        return Counter(map(self.message, self.failures))

    def message(self, error: BlockdynError) -> str:
        """The text of an error without its place."""
        return re.sub(rf"{re.escape(self.file)}:\d+(:\d+)?(: )?", "", str(error))

    def line_of(self, error: DiagramError) -> str:
        """The line of an error, without its end."""
        number = error.line or 0
        return self.lines[number - 1].rstrip("\r\n") if 0 < number <= len(self.lines) else ""

    def with_line(self, number: int, line: str | None) -> str:
        """The text with another line, or without it."""
        lines = list(self.lines)
        end = lines[number - 1][len(lines[number - 1].rstrip("\r\n")) :]
        lines[number - 1] = "" if line is None else line + end
        return "".join(lines)


# ---- names ----


def _spelling(state: State, error: DiagramError) -> Iterator[Change]:
    """The suggested name, or a near one, in place of the mistaken one."""
    mistaken = [str(getattr(error, name, "")) for name in ("port", "parameter", "key", "name", "actual")]
    mistaken += re.findall(r"`([^`]+)`", str(error).partition("\n")[0])
    for number, start in _places(state, error):
        line = state.lines[number - 1].rstrip("\r\n")
        word = WORD.match(line, start)
        for name in dict.fromkeys(filter(None, [*mistaken, word.group() if word else ""])):
            near = get_close_matches(name, list(getattr(error, "choices", ())), 3, 0.6)
            for choice in dict.fromkeys([*suggestions(str(error)), *near]):
                for place in re.finditer(rf"(?<!\w){re.escape(name)}(?!\w)", line[start:]):
                    at = start + place.start()
                    changed = line[:at] + choice + line[at + len(name) :]
                    yield f"`{name}` becomes `{choice}`", state.with_line(number, changed)


def _counted_from_one(state: State, error: DiagramError) -> Iterator[Change]:
    """Ports of a block that are counted from 1 in all its wires are counted from 0."""
    match = re.fullmatch(r"([a-z]*)(\d+)", error.port)
    if not isinstance(error, UnknownPort) or not match or int(match[2]) != len(error.choices):
        return
    block, name = error.path.rpartition("/")[2], match[1]
    start, end = (rf"\.{name}", r"(?!\w)") if name else (r"\[", r"(?=\])")
    pattern = re.compile(rf"(?<![\w/])({block}{start})(\d+){end}")
    if all(int(use[2]) > 0 for use in pattern.finditer(state.text)):
        text = pattern.sub(lambda use: f"{use[1]}{int(use[2]) - 1}", state.text)
        yield f"the ports of `{block}` are counted from 0", text


def _good_name(state: State, error: DiagramError) -> Iterator[Change]:
    """A name that paths can hold, everywhere."""
    if isinstance(error, BadName):
        name = str(error.name)
        better = re.sub(r"\W", "_", name)
        better = f"_{better}" if better[:1].isdigit() else better
        pattern = rf"(?<![\w-]){re.escape(name)}(?![\w-])"
        yield f"`{name}` becomes `{better}`", re.sub(pattern, better, state.text)


def _missing_type(state: State, error: DiagramError) -> Iterator[Change]:
    """`typ: Gain` and `type = Gain` become `type: Gain`."""
    if isinstance(error, YamlError) and error.key == "type" and "has no key" in error.actual:
        number = error.line or 1
        line = state.line_of(error)
        for key in re.findall(r"[\w]+(?=\s*[:=])", line):
            if get_close_matches(key.lower(), ["type", "kind", "block", "class"], 1, 0.6):
                changed = re.sub(rf"(?<!\w){key}\s*[:=]\s*", "type: ", line, count=1)
                yield f"`{key}` becomes `type`", state.with_line(number, changed)


def _declared_block(state: State, error: DiagramError) -> Iterator[Change]:
    """A block that wires name like a type of the library, such as `demux` or `scope2`, is declared."""
    if isinstance(error, UnknownBlock) and error.name:
        types = {kind.lower(): kind for kind in block_names()}
        kind = types.get(re.sub(r"_?\d+$", "", error.name).replace("_", "").lower())
        if kind is not None:
            text = DiagramText(state.text)
            text.add_block(error.path or error.name, {"type": kind})
            yield f"`{error.name}: {{type: {kind}}}` is added to the blocks", text.text


# ---- wires ----


def _arrow(state: State, error: DiagramError) -> Iterator[Change]:
    """Arrows of other notations become `->`."""
    line = state.line_of(error)
    if isinstance(error, (YamlError, BadWire)) and "wire" in error.actual:
        start = len(line) - len(line.lstrip(" -"))
        changed = line[:start] + ARROW.sub(" -> ", line[start:])
        yield "the arrow becomes `->`", state.with_line(error.line or 1, changed)


def _reversed_wire(state: State, error: DiagramError) -> Iterator[Change]:
    """A wire that leads from an input to an output is reversed."""
    match = re.fullmatch(
        r"(\s*-\s*[\"']?)([\w./\[\]]+)\s*->\s*([\w./\[\]]+)([\"']?\s*(?:#.*)?)", state.line_of(error)
    )
    if isinstance(error, (UnknownPort, BadWire)) and match:
        changed = f"{match[1]}{match[3]} -> {match[2]}{match[4]}"
        yield f"`{match[2]} -> {match[3]}` is turned round", state.with_line(error.line or 1, changed)


def _repeated_wire(state: State, error: DiagramError) -> Iterator[Change]:
    """A wire that occurs twice is removed once."""
    if isinstance(error, BadWire) and len(set(error.sources)) == 1 and error.line:
        yield f"the second wire to `{error.path}.{error.port}` {REMOVED}", state.with_line(error.line, None)


def _chain_through(state: State, error: DiagramError) -> Iterator[Change]:
    """`a -> b.u0 -> c` becomes `a -> b.u0` and `b -> c`."""
    line, number = state.line_of(error), error.line or 1
    match = re.fullmatch(r"(\s*-\s*)(.*->\s*)(\w+)(\.\w+|\[\d+\])\s*->\s*(.*)", line)
    if isinstance(error, BadWire) and match and "middle" in error.actual:
        lead, head, block, port, tail = match.groups()
        changed = f"{lead}{head}{block}{port}\n{lead}{block} -> {tail}"
        yield "the chain becomes two wires", state.with_line(number, changed)


def _wire_from_unused(state: State, error: DiagramError) -> Iterator[Change]:
    """An unconnected input is wired to an output that drives nothing."""
    if isinstance(error, MissingInput) and state.diagram is not None and "/" not in error.path:
        sources = {(wire.source.block, wire.source.port or 0) for wire in state.diagram.wires}
        for name, block in state.blocks.items():
            for i, port in enumerate(block.output_ports()):
                if name != error.path and sources.isdisjoint({(name, port.name), (name, i)}):
                    yield from _wired(state, error, name if i == 0 else f"{name}.{port.name}")


def _wire_by_name(state: State, error: DiagramError) -> Iterator[Change]:
    """An unconnected input is wired to an output of the same name."""
    if isinstance(error, MissingInput) and "/" not in error.path:
        for name, block in state.blocks.items():
            if name != error.path and error.port in [port.name for port in block.output_ports()]:
                yield from _wired(state, error, f"{name}.{error.port}")


def _wired(state: State, error: DiagramError, source: str) -> Iterator[Change]:
    text, block = DiagramText(state.text), state.blocks.get(error.path)
    end = error.path if block and len(block.input_ports()) == 1 else f"{error.path}.{error.port}"
    with suppress(BlockdynError):
        text.connect(source, end)
        yield f"the wire `{source} -> {end}` is added", text.text


def _demux(state: State, error: DiagramError) -> Iterator[Change]:
    """A vector that leads to as many scalar inputs as it has elements is divided by a Demux."""
    if not isinstance(error, SizeMismatch) or not error.source or "/" in error.path or state.diagram is None:
        return
    block, _, port = error.source.rpartition(".")
    wires = [w for w in state.diagram.wires if w.source.block == block and w.source.port in (None, 0, port)]
    size = re.search(r"vector (\d+)", error.actual)
    if size is None or int(size[1]) != len(wires):
        return
    text, name = DiagramText(state.text), f"{block}_elements"
    text.add_block(name, {"type": "Demux", "counts": [1] * len(wires)})
    for wire in wires:
        text.disconnect(str(wire.source), str(wire.destination))
    text.connect(str(wires[0].source), name)
    for i, wire in enumerate(wires):
        text.connect(f"{name}[{i}]", str(wire.destination))
    yield f"a Demux divides `{error.source}`", text.text


def _solved_loop(state: State, error: DiagramError) -> Iterator[Change]:
    """An algebraic loop is solved at every evaluation."""
    if isinstance(error, AlgebraicLoop):
        text = DiagramText(state.text)
        text.set(*text.section("", "simulate"), "loops", to="solve")
        yield "the algebraic loop is solved: `loops: solve`", text.text


# ---- values and keys ----


def _value(state: State, error: DiagramError) -> Iterator[Change]:
    """Text becomes the number, truth value or expression that it is meant to be, a number text."""
    if isinstance(error, (BadParameter, BadExpression, YamlError)):
        for number, start in _places(state, error):
            yield from _value_at(state, number, start)


def _places(state: State, error: DiagramError) -> Iterator[tuple[int, int]]:
    """Line and column of an error, and of the texts that its message quotes, in the lines that follow."""
    number = min(error.line or 1, len(state.lines))
    yield number, (error.column or 1) - 1
    for text in re.findall(r"'([^']+)'|`([^`]+)`", str(error).partition("\n")[0]):
        for n, line in enumerate(state.lines[number - 1 : number + FOLLOWING], number):
            uses = [use.start() for use in re.finditer(re.escape("".join(text)), line)]
            yield from ((n, at - (line[at - 1 : at] in ("'", '"'))) for at in uses)
            if uses:
                break


def _value_at(state: State, number: int, start: int) -> Iterator[Change]:
    line = state.lines[number - 1].rstrip("\r\n")
    inside = line[:start].count("{") > line[:start].count("}")
    match = re.match(
        r"\"[^\"]*\"|'[^']*'|[^#,}\]\n]+" if inside else r"\"[^\"]*\"|'[^']*'|[^#\n]+", line[start:]
    )
    if match is None:
        return
    value = match.group().rstrip()
    bare = value.strip("\"'")
    for new in _readings(bare, value):
        if new != value:
            changed = line[:start] + new + line[start + len(value) :]
            yield f"`{value}` becomes `{new}`", state.with_line(number, changed)
    if inside and (comma := re.search(r"(?<=\d),\d+$", line[: start + 1])):  # the comma has ended the value
        changed = line[: comma.start()] + "." + line[comma.start() + 1 :]
        yield "the decimal comma becomes a point", state.with_line(number, changed)


def _readings(bare: str, value: str) -> Iterator[str]:
    """Forms of a value that may be meant, the most probable one first."""
    if re.fullmatch(r"[-+]?\d+,\d+", bare):
        yield bare.replace(",", ".")
    if bare in TRUTHS:
        yield TRUTHS[bare]
    if re.fullmatch(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?|true|false", bare) and bare != value:
        yield bare
    if quantity := QUANTITY.fullmatch(bare):
        scale = SCALES.get(quantity[2])
        yield quantity[1] if scale in (None, 1.0) else f"{float(quantity[1]) * scale:.12g}"
    expression = bare.lstrip("=").strip().removeprefix("${").removesuffix("}").replace("^", "**")
    expression = re.sub(r"(?<=\d)\s+(?=[A-Za-z_])", " * ", expression)
    if expression:
        plain = f"={expression}"
        yield plain if re.fullmatch(r"[^{}\[\],:#\"']+", plain) else f'"{plain}"'
    yield f"[{bare}]"
    yield f'"{bare}"'
    if bare[:1] == "[" and bare[-1:] == "]":
        yield bare[1:-1].strip()


def _power(state: State, error: DiagramError) -> Iterator[Change]:
    """The sign of a power becomes `**`."""
    number = error.line or 1
    if "`^`" in str(error):
        for n, line in enumerate(state.lines[number - 1 : number + FOLLOWING], number):
            if "^" in line:
                yield "`^` becomes `**`", state.with_line(n, line.rstrip("\r\n").replace("^", "**"))


def _spaced(state: State, error: DiagramError) -> Iterator[Change]:
    """A space follows the colon of a key."""
    numbers = [number for number, _ in _places(state, error)]
    for n in dict.fromkeys([*numbers, *range(numbers[0] - 1, max(0, numbers[0] - 3), -1)]):
        line = state.lines[n - 1].rstrip("\r\n") if n <= len(state.lines) else ""
        changed = re.sub(r"(?<=\w):(?=[^\s/:])", ": ", line)
        if changed != line:
            yield "a space follows the colon", state.with_line(n, changed)
        changed = re.sub(r"(?<=[{,\s])(\w+)\s*=\s*(?=[^=\s])", r"\1: ", line)
        if changed != line:
            yield "`=` after a key becomes `:`", state.with_line(n, changed)


def _version(state: State, error: DiagramError) -> Iterator[Change]:
    """The line `blockdyn: 1` is put first."""
    if isinstance(error, YamlError) and error.key == "blockdyn":
        yield "the line `blockdyn: 1` is added", f"blockdyn: 1\n{state.text}"
        yield "the version becomes 1", re.sub(r"(?m)^blockdyn:.*$", "blockdyn: 1", state.text, count=1)


def _repeated_key(state: State, error: DiagramError) -> Iterator[Change]:
    """A line that is repeated with its key is removed."""
    first = re.search(r":(\d+):\d+$", getattr(error, "actual", ""))
    if isinstance(error, YamlError) and first and "is repeated" in error.actual:
        number, line = error.line or 1, state.line_of(error).strip()
        if line == state.lines[int(first[1]) - 1].strip():
            yield f"the repeated line {REMOVED}", state.with_line(number, None)


def _moved_key(state: State, error: DiagramError) -> Iterator[Change]:
    """A setting of runs moves into `simulate`, and a section of the diagram out of it."""
    if not isinstance(error, YamlError) or "unknown key" not in error.actual:
        return
    key, text = error.key, DiagramText(state.text)
    if "`simulate`" in error.actual and key in DIAGRAM["properties"]:
        value = text.get("simulate", key)
        text.remove("simulate", key)
        text.set(key, to=value)
        yield f"`{key}` moves out of `simulate`", text.text
    elif key in SIMULATE["properties"] and "in a diagram" in error.actual:
        value = text.get(key)
        text.remove(key)
        text.set(*text.section("", "simulate"), key, to=value)
        yield f"`{key}` moves into `simulate`", text.text


def _flattened(state: State, error: DiagramError) -> Iterator[Change]:
    """`parameters: {k: 2}` of a block becomes `k: 2`."""
    if isinstance(error, UnknownParameter) and error.parameter in ("parameters", "params", "args", "kwargs"):
        text = DiagramText(state.text)
        steps = text.block(error.path)
        inner: Any = text.get(*steps, error.parameter)
        text.remove(*steps, error.parameter)
        for name, value in inner.items():
            text.set(*steps, name, to=value)
        yield f"the keys of `{error.parameter}` move into the block", text.text


def _two_limits(state: State, error: DiagramError) -> Iterator[Change]:
    """`limits: [0, 1]` becomes `lower: 0` and `upper: 1`."""
    both = re.search(r"did you mean `(\w+)` and `(\w+)`", str(error))
    if isinstance(error, UnknownParameter) and both:
        text = DiagramText(state.text)
        steps = text.block(error.path)
        values: Any = text.get(*steps, error.parameter)
        if isinstance(values, list) and len(values) == 2:
            text.remove(*steps, error.parameter)
            for name, value in zip(both.groups(), values, strict=True):
                text.set(*steps, name, to=value)
            yield f"`{error.parameter}` becomes `{both[1]}` and `{both[2]}`", text.text


def _removed_parameter(state: State, error: DiagramError) -> Iterator[Change]:
    """A parameter that the block does not have, without one that resembles it, is removed."""
    if isinstance(error, UnknownParameter) and error.parameter in ("name", "label", "color"):
        text = DiagramText(state.text)
        text.remove(*text.block(error.path), error.parameter)
        yield f"`{error.parameter}` {REMOVED}", text.text


# ---- YAML ----


def _syntax(state: State, error: DiagramError) -> Iterator[Change]:
    """Indentation, brackets, quotes, and the space after a colon or a hyphen."""
    if not isinstance(error, YamlSyntaxError):
        return
    number = error.line or 1
    yield "tabs become spaces", re.sub(r"(?m)^[ \t]*\t[ \t]*", lambda m: m.group().expandtabs(2), state.text)
    for n in range(min(number, len(state.lines)), max(0, number - 3), -1):
        line = state.lines[n - 1].rstrip("\r\n")
        for change, changed in _lines_mended(line, state.lines[: n - 1]):
            if changed != line:
                yield change, state.with_line(n, changed)


def _lines_mended(line: str, above: Sequence[str]) -> Iterator[Change]:
    """Forms of a line that may be meant."""
    body = line.strip()
    indents = (len(other) - len(other.lstrip(" ")) for other in reversed(above[-12:]) if other.strip())
    yield "a space follows the hyphen", re.sub(r"^(\s*)-(?=\w)", r"\1- ", line)
    yield "a colon follows the key", re.sub(r"^(\s*\w+)\s*(=|\s)\s*(?=\S)", r"\1: ", line)
    yield "a comma separates the entries", re.sub(r"(?<=[\w\"'\]}])\s+(?=\w+:\s)", ", ", line)
    for opening, closing in ("{}", "[]"):
        if body.count(opening) > body.count(closing):
            yield f"`{closing}` closes the line", f"{line.rstrip()}{closing}"
            yield f"`{closing}` closes the list", re.sub(r"(?=\}\s*$)", closing, line)
        elif body.count(closing) > body.count(opening):
            yield f"the `{closing}` too many {REMOVED}", line[: line.rindex(closing)]
    for indent in dict.fromkeys(indents):
        yield f"the line is indented by {indent}", " " * indent + body
    for quote in "\"'":
        if body.count(quote) % 2:
            yield "the quotation mark is closed", re.sub(r"(?=\s*[,}\]]?\s*$)", quote, line, count=1)
    key, colon, value = line.partition(": ")
    if (colon and ": " in value) or value.strip()[:1] in tuple("@`%&*!|>"):
        yield "the text is put in quotes", f'{key}: "{value.strip()}"'
    yield "the expression is put in quotes", re.sub(r"\$\{([^{}]*)\}", r'"=\1"', line)


Family = Callable[[State, DiagramError], Iterator[Change]]
FAMILIES: tuple[Family, ...] = (
    _spaced, _syntax, _good_name, _missing_type, _moved_key, _flattened, _two_limits, _counted_from_one,
    _reversed_wire, _spelling, _arrow, _repeated_wire, _repeated_key, _chain_through, _power, _value,
    _declared_block, _demux, _wire_from_unused, _wire_by_name, _removed_parameter, _solved_loop, _version,
)  # fmt: skip
"""Functions that propose changes for an error, the surest first; the line that shifts all others last."""
UNCOVERING: tuple[Family, ...] = (
    _spaced, _syntax, _good_name, _missing_type, _moved_key, _spelling, _arrow, _value, _version,
)  # fmt: skip
"""Those for errors that hide other errors: nothing of what they concern could be read."""
UNORDERED = {_wire_from_unused, _wire_by_name}
"""Those whose proposals are equally good: one is taken only if no other mends the error."""
