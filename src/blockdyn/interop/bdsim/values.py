"""Values and ports of bdsim's blocks, found by an evaluation at the start, as wires of numbers carry them."""

from __future__ import annotations

import contextlib
import inspect
import io
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import prod
from types import SimpleNamespace
from typing import Any

import numpy as np

from ...blocks.continuous.integrator import Integrator
from ...blocks.contract.block import Block
from ...blocks.contract.equations import role_arguments
from ...blocks.contract.formula import Formula
from ...blocks.contract.parameter import Array
from ...blocks.contract.port import Size
from ...blocks.routing.selector import Selector
from ...diagrams.model.diagram import Diagram

POSES = ("SE3", "SO3", "SE2", "SO2")


@dataclass(frozen=True)
class Form:
    """Layout of a value on a wire, and its construction from the numbers.

    A number, an array, a list of numbers, a pose of spatialmath (its matrix), a mapping (its values one after
    another). Any other object stays in `cell`, and the wire carries a zero: the reader of the wire
    is evaluated after its writer, so the cell holds the value of the same instant.
    """

    shape: tuple[int, ...] = ()
    kind: str = "number"
    pose: Any = None
    parts: tuple[tuple[Any, Form], ...] = ()
    cell: list[Any] = field(default_factory=lambda: [None], compare=False)

    @property
    def size(self) -> Size:
        """The size of the wire."""
        return Size(self.shape)

    @property
    def numeric(self) -> bool:
        """True if the wire carries numbers that native blocks can compute with."""
        return self.kind in ("number", "array")

    def written(self, value: Any) -> Any:
        """The numbers of a value. Raises ValueError for a value of another form."""
        if self.kind == "object":
            self.cell[0] = value
            return 0.0
        if self.kind == "pose":
            return np.asarray(value.A, np.float64)
        if self.kind == "mapping":
            return np.concatenate([np.ravel(form.written(value[key])) for key, form in self.parts])
        numbers = np.asarray(value, np.float64)
        if numbers.size != prod(self.shape):
            raise ValueError(
                f"it returned the shape {numbers.shape}, but its first value had the shape {self.shape}"
            )
        return numbers.reshape(self.shape)

    def read(self, numbers: Any) -> Any:
        """The value of these numbers."""
        if self.kind == "object":
            return self.cell[0]
        if self.kind == "pose":
            return self.pose(np.array(numbers), check=False)
        if self.kind == "list":
            return np.asarray(numbers).tolist()
        if self.kind == "mapping":
            flat, values, start = np.asarray(numbers), {}, 0
            for key, form in self.parts:
                count = prod(form.shape)
                values[key] = form.read(flat[start : start + count].reshape(form.shape)[()])
                start += count
            return values
        return np.array(numbers) if self.shape else float(numbers)


def form_of(value: Any) -> Form:
    """The form of a value, which all later values of its wire have."""
    if type(value).__name__ in POSES and len(value) == 1:
        return Form(value.A.shape, "pose", type(value))
    if isinstance(value, Mapping) and value:
        parts = tuple((key, form_of(item)) for key, item in value.items())
        if all(form.kind != "object" for _, form in parts):
            return Form((sum(prod(form.shape) for _, form in parts),), "mapping", parts=parts)
        return Form(kind="object")
    if isinstance(value, (bool, int, float, np.bool_, np.integer, np.floating)):
        return Form()
    if isinstance(value, (np.ndarray, list, tuple)):
        numbers = _numbers(value)
        if numbers is not None and numbers.size and numbers.ndim <= 2:
            sequence = isinstance(value, (list, tuple)) and numbers.ndim > 0
            return Form(numbers.shape, "list" if sequence else "array" if numbers.shape else "number")
    return Form(kind="object")


def _numbers(value: Any) -> Array | None:
    try:
        numbers = np.asarray(value)
    except ValueError:
        return None
    return numbers.astype(np.float64) if numbers.dtype.kind in "biuf" else None


@dataclass
class Place:
    """Inputs by port, each with all its readers; the source of each output; and the place of the state.

    `states` are the paths of continuous states, in bdsim's order. `state` are the signals that make up the
    state as event handlers see it; they set it through the inputs `value` and `trigger` of the block
    `settable`, where `scalar` is true for a number. `in_python` is true for a block that is called back.
    """

    inputs: list[list[str]] = field(default_factory=list)
    outputs: list[str] = field(default_factory=list)
    states: list[str] = field(default_factory=list)
    state: list[str] = field(default_factory=list)
    settable: str = ""
    scalar: bool = False
    in_python: bool = False


@dataclass
class Maker:
    """Makes the blocks of one bdsim block.

    `forms` and `values` belong to its inputs at the start, `diagram` receives the blocks. In an
    `eventful` diagram handlers can set the states.
    """

    block: Any
    name: str
    forms: Sequence[Form | None]
    values: Sequence[Any]
    diagram: Diagram
    stop: float
    eventful: bool = False

    def add(self, block: Block, part: str = "") -> str:
        """Add a block, the bdsim block's own or a part of it; its name."""
        name = unused(f"{self.name}_{part}" if part else self.name, self.diagram)
        self.diagram.add(name, block)
        if not part and self.block.pos is not None:
            self.diagram.positions[name] = [float(v) for v in self.block.pos]
        return name

    def wire(self, source: str, destination: str) -> None:
        self.diagram.connect(source, destination)

    def alone(self, block: Block, *, outputs: Sequence[str] = ()) -> Place:
        """The place of one block with the same inputs, and these of its outputs, or all."""
        name = self.add(block)
        ends = outputs or [port.name for port in block.output_ports()]
        ports = [port.name for port in block.input_ports()][: self.block.nin]
        return Place(
            [[f"{name}.{port}"] for port in ports],
            [f"{name}.{port}" for port in ends],
        )

    def integral(self, initial: Any, part: str = "", **limits: Any) -> Place:
        """An integrator, which handlers of events can set."""
        name = self.add(Integrator(initial, reset="either" if self.eventful else "none", **limits), part)
        settable = name if self.eventful else ""
        signal = f"{name}.y"
        return Place([[f"{name}.u"]], [signal], [f"{name}.x"], [signal], settable, np.ndim(initial) == 0)

    def apart(self, signal: str, count: int, part: str = "y") -> list[str]:
        """The elements of a vector as numbers."""
        names = [self.add(Selector(indices=k), f"{part}{k}") for k in range(count)]
        for name in names:
            self.wire(signal, f"{name}.u")
        return [f"{name}.y" for name in names]

    def form(self, port: int) -> Form:
        """The form of an input, the form of a number if it is not determined."""
        return self.forms[port] or Form()


def unused(name: str, diagram: Diagram) -> str:
    """A name that paths can hold, and that no block of the diagram has."""
    plain = re.sub(r"\W", "_", name)
    plain = plain if plain.isidentifier() else f"b_{plain}"
    free, number = plain, 1
    while free in diagram:
        number += 1
        free = f"{plain}_{number}"
    return free


def reaches(block: Block) -> bool:
    """True if a block has direct feedthrough from an input to an output."""
    inputs = {port.name for port in block.input_ports()}
    shown = (function for role, function in block.functions().items() if role.startswith("output"))
    names = (f.names if isinstance(f, Formula) else role_arguments(f) for f in shown)
    return any(inputs & set(asked) for asked in names)


@dataclass
class Forms:
    """The form of every output, by block and port; an output that could not be evaluated has none."""

    outputs: dict[tuple[Any, int], Form | None] = field(default_factory=dict)
    values: dict[tuple[Any, int], Any] = field(default_factory=dict)

    def arriving(self, block: Any, port: int) -> Form | None:
        """The form of an input; None if it is not determined."""
        start = block._input_wires[port].start
        return self.outputs.get((start.block, start.port))

    def value(self, block: Any, port: int) -> Any:
        """The value of an input at the start."""
        start = block._input_wires[port].start
        return self.values.get((start.block, start.port))

    def leaving(self, block: Any) -> list[Form]:
        """The forms of the outputs; any object for a form that is not determined."""
        forms = (self.outputs.get((block, k)) for k in range(block.nout))
        return [form or Form(kind="object") for form in forms]


def probe(source: Any, stop: float) -> Forms:
    """Start every block of a compiled diagram, as its run does, and evaluate it in bdsim's order."""
    forms = Forms()
    values = forms.values
    state = start_state(stop)
    for group in source.plan:
        for block in group:
            inputs = [values.get((w.start.block, w.start.port)) for w in block._input_wires]
            x = np.array(block.getstate0()) if block.hasstate else None
            with contextlib.suppress(Exception):
                started(block, state)
            try:
                with contextlib.redirect_stdout(io.StringIO()):
                    outputs = block.output(0.0, inputs, x)
            except Exception:  # noqa: BLE001  its run will report the error
                outputs = []
            for port, value in enumerate(outputs):
                values[block, port] = value
                forms.outputs[block, port] = None if value is None else form_of(value)
    return forms


def started(block: Any, state: Any) -> None:
    """Start a block quietly, as bdsim does. IKINE's `start`, which takes no state, cannot be called."""
    if inspect.signature(block.start).parameters:
        with contextlib.redirect_stdout(io.StringIO()):
            block.start(state)


def start_state(stop: float) -> Any:
    """The state that bdsim's blocks read at the start of a run: its end, and a place for their events."""

    def ignored(*_: Any) -> None:
        return None

    options = SimpleNamespace(graphics=False, animation=False, debug="", movies=None)
    return SimpleNamespace(
        T=stop, tf=stop, t=0.0, count=0, stop=None, options=options, watchlist=[], watchnamelist=[],
        declare_event=ignored, declare_crossing_event=ignored, ensure_event_probe_evaluated=ignored,
    )  # fmt: skip
