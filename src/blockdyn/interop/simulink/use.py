"""A Simulink block in translation: values of its parameters, sizes of its signals, and the blocks made."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from ...base.errors import BlockdynError
from ...base.words import inflect
from ...blocks.contract.block import Block
from ...blocks.discrete.zero_order_hold import ZeroOrderHold
from ...blocks.routing.terminator import Terminator
from ...diagrams.model.diagram import Diagram
from ...diagrams.model.subsystem import Subsystem
from .matlab import UnreadableText, evaluate
from .model import SimulinkBlock
from .workspace import Scope

if TYPE_CHECKING:
    from .translate import Translator

Shape = tuple[int, ...]
"""Size of a signal there: () a scalar, (n,) a vector, (m, n) a matrix; (1, n) and (n, 1) are vectors here."""


FOREIGN = {
    "S-Function": "an S-function: its program is not part of the file",
    "M-S-Function": "an S-function: its program is not part of the file",
    "DataStoreMemory": "a data store", "DataStoreRead": "a data store", "DataStoreWrite": "a data store",
    "ForIterator": "a for-iterator", "WhileIterator": "a while-iterator",
    "ModelReference": "a model that does not lie next to the file", "Assignment": "an assignment to elements",
    "SubSystem": "a referenced subsystem that does not lie next to the file",
    "ComplexToRealImag": "complex signals", "ComplexToMagnitudeAngle": "complex signals",
    "RealImagToComplex": "complex signals", "MagnitudeAngleToComplex": "complex signals",
}  # fmt: skip
"""Reasons for blocks without a counterpart, by type."""


MISTAKES = (LookupError, ArithmeticError, ValueError, TypeError, AttributeError)
"""Errors of Python where a parameter or a signal is of a kind or size that a maker does not expect."""


class Untranslated(Exception):
    """A block has no counterpart, or a meaning that cannot be kept: the reason, and a remedy.

    `sized` is true if sizes of the inputs may be the cause, which an obstacle in front of the block hides.
    """

    def __init__(self, reason: str, remedy: str = "", *, sized: bool = False) -> None:
        self.reason, self.remedy, self.sized = reason, remedy, sized
        super().__init__(reason)


@dataclass(frozen=True)
class Obstacle:
    """A block that is not translated: its path in the model, the reason, and a remedy if there is one."""

    path: str
    reason: str
    remedy: str = ""

    def __str__(self) -> str:
        return f"{self.path}: {self.reason}" + (f"; {self.remedy}" if self.remedy else "")


class UntranslatedModel(BlockdynError):
    """A model with blocks that have no counterpart: `obstacles` of `blocks`."""

    def __init__(self, path: str, obstacles: list[Obstacle], blocks: int) -> None:
        self.path, self.obstacles, self.blocks = path, tuple(obstacles), blocks
        bad = len({obstacle.path for obstacle in obstacles})
        lines = [f"{path}: {max(blocks - bad, 0)} of {inflect(blocks, 'block')} translate; in the way:"]
        lines += [f"  {obstacle}" for obstacle in obstacles[:200]]
        if len(obstacles) > 200:
            lines.append(f"  and {len(obstacles) - 200} more")
        super().__init__("\n".join(lines))


@dataclass(frozen=True)
class Rate:
    """Sample time of a block: a period and an offset, s; 0 is continuous, inf never changes.

    Blocks of a triggered subsystem are `triggered`: they take a tick at each trigger.
    """

    period: float = 0.0
    offset: float = 0.0
    triggered: bool = False

    @property
    def sampled(self) -> bool:
        """True for blocks that work at ticks."""
        return self.triggered or 0.0 < self.period < math.inf

    def arguments(self) -> dict[str, Any]:
        """Arguments of a sampled block here."""
        if self.triggered:
            return {"sample_time": math.inf}
        return {"sample_time": self.period} | ({"offset": self.offset} if self.offset else {})


CONTINUOUS, CONSTANT = Rate(), Rate(math.inf)


@dataclass
class Ends:
    """Readers of each input, by its number from 1 or its name, and the signal of each output in order."""

    inputs: dict[int | str, list[str]] = field(default_factory=dict)
    outputs: list[str] = field(default_factory=list)
    controls: dict[str, str] = field(default_factory=dict)


@dataclass
class Use:
    """A block in its system, with the sizes of its inputs, the diagram that gets its counterpart."""

    block: SimulinkBlock
    shapes: list[Shape | None]
    rate: Rate
    diagram: Diagram
    translator: Translator

    # parameters

    @property
    def scope(self) -> Scope:
        """Variables that the parameters of the block see."""
        return self.block.variables or self.block.system.scope

    def text(self, name: str, default: str = "") -> str:
        """A parameter as text."""
        return self.block.fields.get(name, default).strip() or default

    def flag(self, name: str, default: str = "off") -> bool:
        """True for a parameter that is `on`."""
        return self.text(name, default) == "on"

    def value(self, name: str, default: str = "") -> Any:
        """A parameter's value, a matrix of doubles. Raises Untranslated if its text is not understood."""
        text = self.text(name, default)
        try:
            value = evaluate(text, self.scope)
        except UnreadableText as error:
            raise Untranslated(
                f"{name} = {text[:60]}: {error.problem}",
                "give variables with --value NAME=... or --values FILE.m",
            ) from None
        except KeyError as error:
            raise Untranslated(
                f"{name} = {text[:60]}: no variable {error}",
                "give it with --value NAME=... or --values FILE.m",
            ) from None
        if isinstance(value, np.ndarray) and value.dtype not in (np.float64, np.bool_):
            raise Untranslated(f"{name} = {text[:60]}: the type {value.dtype}: every signal here is a double")
        return np.asarray(value, float) if not isinstance(value, (str, list, dict)) else value

    def array(self, name: str, default: str = "") -> np.ndarray[Any, np.dtype[np.float64]]:
        """A numeric parameter as a matrix."""
        value = self.value(name, default)
        if not isinstance(value, np.ndarray):
            raise Untranslated(f"{name} = {self.text(name, default)[:60]} is not a number")
        return value

    def number(self, name: str, default: str = "") -> float:
        """A scalar parameter."""
        value = self.array(name, default)
        if value.size != 1:
            raise Untranslated(f"{name} = {self.text(name, default)[:60]} is not one number")
        return float(value.reshape(-1)[0])

    def plain(self, name: str, default: str = "") -> Any:
        """A parameter as a number, a list or lists of rows: rows and columns of one are vectors here."""
        return plain(self.array(name, default))

    def vector(self, name: str, default: str = "") -> list[float]:
        """A parameter as a list of numbers."""
        return [float(v) for v in self.array(name, default).ravel(order="F")]

    def numbers_of(self, text: str) -> list[float]:
        """Numbers of a text in the scope of the block. Raises Untranslated."""
        try:
            return [float(v) for v in np.asarray(evaluate(text, self.scope), float).ravel(order="F")]
        except (UnreadableText, KeyError, ValueError, TypeError) as error:
            raise Untranslated(f"`{text[:60]}`: {getattr(error, 'problem', error)}") from None

    def matrix(self, name: str, default: str = "") -> list[list[float]]:
        """A parameter as rows."""
        return [[float(v) for v in row] for row in np.atleast_2d(self.array(name, default))]

    # construction

    def add(self, block: Block | Subsystem, part: str = "") -> str:
        """Add a block here, the counterpart or a part of it; its name."""
        name = self.translator.unused(f"{self.block.name} {part}" if part else self.block.name, self.diagram)
        self.diagram.add(name, block)
        if not part:
            corners = [
                float(v) for v in re.findall(r"-?\d+(?:\.\d+)?", self.block.fields.get("Position", ""))
            ]
            if len(corners) == 4:
                self.diagram.positions[name] = corners[:2]
        return name

    def wire(self, source: str, destination: str) -> None:
        """Add a wire."""
        self.diagram.connect(source, destination)

    def single(self, block: Block, *, outputs: Sequence[str] = ()) -> Ends:
        """Add one block with the same inputs, and these of its outputs, or all."""
        name = self.add(block)
        ports = [port.name for port in block.input_ports()]
        ends = outputs or [port.name for port in block.output_ports()]
        return Ends(
            {k + 1: [f"{name}.{port}"] for k, port in enumerate(ports)}, [f"{name}.{port}" for port in ends]
        )

    def chain(self, *blocks: Block) -> Ends:
        """Add blocks of one input and one output in a row."""
        names = [
            self.add(block, "" if k == len(blocks) - 1 else f"part {k + 1}") for k, block in enumerate(blocks)
        ]
        for first, second in pairwise(names):
            self.wire(
                f"{first}.{output_of(self.diagram, first)}", f"{second}.{input_of(self.diagram, second)}"
            )
        return Ends(
            {1: [f"{names[0]}.{input_of(self.diagram, names[0])}"]},
            [f"{names[-1]}.{output_of(self.diagram, names[-1])}"],
        )

    def hold_source(self, ends: Ends) -> Ends:
        """A source held by a clock if the block has a sample time."""
        if not self.rate.sampled:
            return ends
        name = self.add(ZeroOrderHold(**self.rate.arguments()), "held")
        self.wire(ends.outputs[0], f"{name}.u")
        return Ends(ends.inputs, [f"{name}.y"])

    def sample(self, ends: Ends) -> Ends:
        """Inputs held by the clock of a block that has a sample time and no state."""
        explicit = self.translator.rates.explicit(self.block)
        if explicit is None or not explicit.sampled or self.rate.triggered:
            return ends
        rates = self.translator.rates.of_inputs(self.block)
        for port, readers in ends.inputs.items():
            if not isinstance(port, int) or not readers or rates[port - 1] == explicit:
                continue
            size = local_shape(self.shape(port))
            zero: Any = np.zeros(size).tolist() if size else 0.0
            name = self.add(ZeroOrderHold(initial=zero, **explicit.arguments()), f"sample {port}")
            for reader in readers:
                self.wire(f"{name}.y", reader)
            ends.inputs[port] = [f"{name}.u"]
        return ends

    def difference(self, text: str) -> None:
        """Report a difference from Simulink that does not hinder the run."""
        self.translator.differences.append(f"{self.block.path}: {text}")

    def constant_input(self, port: int) -> Any:
        """The value of the Constant that drives an input; None for other signals."""
        wire = self.translator.tracer.driver(self.block, port)
        if wire is None or wire.block.kind != "Constant":
            return None
        return self.translator.use(wire.block, Diagram()).plain("Value", "1")

    def begin_at_input(self, port: int, make: Callable[[Any], Block]) -> Ends:
        """Add a block whose initial value is the value of an input at the start of the run."""
        ends = self.single(make(0.0))
        reader = ends.inputs[port][0]
        self.begin_at(reader.partition(".")[0], reader, make)
        return ends

    def begin_at_initial(self, ends: Ends, port: int, make: Callable[[Any], Block]) -> None:
        """Set the initial value of the block at these ends to the value of an input that only it reads."""
        sink, name = self.add(Terminator(), "initial"), ends.outputs[0].partition(".")[0]
        ends.inputs[port] = [f"{sink}.u"]
        constant = self.constant_input(port)
        if constant is None:
            self.begin_at(name, f"{sink}.u", make)
        else:
            self.diagram._blocks[name] = make(constant)

    def begin_at(self, name: str, reader: str, make: Callable[[Any], Block]) -> None:
        """Recreate a block with the initial value of an input, of this or of another block."""
        self.translator.starts.append((self.diagram, name, reader, make))

    def shape(self, port: int) -> Shape:
        """The size of an input, from 1."""
        shape = self.shapes[port - 1] if port <= len(self.shapes) else None
        return () if shape is None else shape

    def width(self, port: int) -> int:
        """Number of elements of an input, from 1."""
        return math.prod(self.shape(port))


Maker = Callable[[Use], Ends]


def ends_at_zero(use: Use) -> bool:
    """True for steps and pulses between a negative value and 0."""
    names = {"Step": ("Before", "After"), "DiscretePulseGenerator": ("Amplitude",)}.get(use.block.kind, ())
    values = [float(v) for name in names for v in use.vector(name, "0" if name == "Before" else "1")]
    return bool(values) and max(values) <= 0


def output_of(diagram: Diagram, name: str) -> str:
    """The name of the first output of a block."""
    return diagram.blocks[name].output_ports()[0].name


def input_of(diagram: Diagram, name: str) -> str:
    """The name of the first input of a block."""
    return diagram.blocks[name].input_ports()[0].name


def plain(value: np.ndarray[Any, np.dtype[np.float64]]) -> Any:
    """A number, a list or lists of rows."""
    if value.size == 1:
        return float(value.reshape(-1)[0])
    if value.ndim < 2 or 1 in value.shape:
        return [float(v) for v in value.ravel()]
    return [[float(v) for v in row] for row in value]


def shape_of(value: Any, flat: bool = True) -> Shape:
    """Size of a value; rows and columns are vectors if `flat`."""
    array = np.asarray(value)
    if array.size == 1:
        return ()
    if array.ndim < 2 or (flat and 1 in array.shape):
        return (array.size,)
    return tuple(array.shape)


def local_shape(shape: Shape | None) -> Shape:
    """The size of a signal in blockdyn: vectors for rows and columns."""
    shape = shape or ()
    if math.prod(shape) == 1:
        return ()
    return (math.prod(shape),) if len(shape) == 2 and 1 in shape else shape


def as_matrix(shape: Shape | None) -> tuple[int, int]:
    """The size of a signal as a matrix in Simulink: a vector is a column."""
    shape = shape or ()
    return (shape[0], shape[1]) if len(shape) == 2 else (math.prod(shape), 1)


def broadcast(shapes: Sequence[Shape | None]) -> Shape | None:
    """Size of a result element by element: scalars expand, and a matrix comes before a vector."""
    larger = [s for s in shapes if s is not None and math.prod(s) != 1]
    if larger:
        return max(larger, key=len)
    return None if None in shapes else ()
